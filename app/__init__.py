"""The dashboards: they join the widgets with the engine and the data."""
