"""Shapley values: exact and sampled."""
