"""Where a page's data come from: the built-in sets, and a visitor's own file."""

from trustscope.app.desk.desk import TITLES, Desk

__all__ = ["TITLES", "Desk"]
