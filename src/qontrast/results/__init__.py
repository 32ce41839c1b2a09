"""What every result can do, and how it becomes plain data."""
