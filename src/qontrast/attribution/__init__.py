"""Contributions of arguments to the strength of a topic."""
