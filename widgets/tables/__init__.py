"""Tables to be read, also by a screen reader, and the marks beside their figures."""
