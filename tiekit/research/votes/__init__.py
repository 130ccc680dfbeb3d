"""What `tiekit.votes` is made of."""
