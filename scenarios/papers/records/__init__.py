"""The records: for each paper, modules for its figures and tables, and one for its misprints."""
