"""The records: one module a paper for its figures and tables, one for its misprints."""
