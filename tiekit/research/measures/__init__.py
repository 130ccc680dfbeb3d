"""What `tiekit.measures` is made of."""
