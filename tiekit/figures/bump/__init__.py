"""How does the rank of each metric change from coefficient to coefficient? A bump chart whose lines are clicked."""
