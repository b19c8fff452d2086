"""Where a page's data come from: the built-in sets, and a visitor's own file."""

from trustscope.app.desk.desk import TITLES, Desk, stands_first

__all__ = ["TITLES", "Desk", "stands_first"]
