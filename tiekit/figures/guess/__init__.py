"""What does a reader, or a class, expect a number to be? A bar that is drawn, and the true one beside it."""
