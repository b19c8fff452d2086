"""Explorables: pages as single files in which a reader moves a few controls, without a server."""
