"""Compute strengths: one update for all lanes, two solvers, derivatives."""
