"""One module a paper: its figures and tables as functions that return tables."""
