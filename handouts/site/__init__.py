"""A static site: lessons and scenarios that can be tried, the papers, and the documentation, for any web server."""
