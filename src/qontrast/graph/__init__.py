"""The graph, its validation, and the arrays compiled from it."""
