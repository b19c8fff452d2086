"""Reusable controls and views: they take numbers and tables, emit values, and know no mathematics."""
