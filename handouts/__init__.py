"""What people take away: reports, slides, scripts and notebooks, and the schema of the files."""
