"""Checks, names, results and processes that everything else stands on."""
