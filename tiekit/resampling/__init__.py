"""What would a measure be on other scores: swapped between two metrics, or resampled? Shared by tests and intervals."""
