"""What moves in the browser: ES modules that evaluate small examples as the library does."""
