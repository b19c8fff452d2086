"""Every figure and table of the five papers, and what comes out here."""
