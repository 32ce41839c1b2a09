"""Answers that are built from strengths and contributions."""
