"""Compare qontrast with a plain Python loop and with other libraries, every case measured in one run."""
