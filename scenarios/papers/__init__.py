"""Every figure and table of the five papers, run again and compared with what is printed."""
