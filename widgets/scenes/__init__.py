"""Drawings of our own scripts: what a chart would show worse, and what can be gone to by a click."""
