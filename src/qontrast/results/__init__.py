"""The base class of all results, their schemas, and their conversion to plain data."""
