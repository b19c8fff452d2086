"""Records that are turned together, and those who undo it."""
