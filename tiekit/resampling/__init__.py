"""What is a measure worth when scores are swapped between two metrics, or resampled? Used by tests and by intervals."""
