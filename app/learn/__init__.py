"""The Learn page: what this is, lessons, and doors into the other pages."""
