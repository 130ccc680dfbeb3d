"""Which rank has a human score among metrics? A bar per row, which moves as another human score judges."""
