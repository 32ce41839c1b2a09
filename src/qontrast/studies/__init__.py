"""The paper's own examples and experiments, each reproducible by one command."""
