"""Files made to break the reader of people's own files: `python -m tests.fuzz`, or `make fuzz`."""
