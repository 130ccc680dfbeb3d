"""Further questions about metrics, each behind a public namespace of its own."""
