"""Plots of Bokeh that follow a slider: only the columns that changed are sent."""
