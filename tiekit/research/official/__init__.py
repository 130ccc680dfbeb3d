"""What `tiekit.official` is made of."""
