"""Where boxes stand and edges run in a picture of a graph."""
