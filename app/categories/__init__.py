"""The Categories dashboard: one sensitive value a person, kept or replaced, at many levels of trust."""

from trustscope.app.categories.dashboard import CategoriesDashboard

__all__ = ["CategoriesDashboard"]
