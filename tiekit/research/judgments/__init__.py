"""What `tiekit.judgments` is made of."""
