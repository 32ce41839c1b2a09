"""One module for each command: PARAMETERS, its arguments and options, and run, which does the work."""
