"""The formats of files that are read, one module each; `tiekit.readers.registry` lists them."""
