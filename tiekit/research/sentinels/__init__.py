"""What `tiekit.sentinels` is made of."""
