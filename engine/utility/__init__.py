"""What an honest analyst still gets from a copy."""

from engine.utility.classify import MAX_ROWS, MODELS, Accuracy, classification_accuracy, compare
from engine.utility.frequencies import Count, count, count_error, frequencies
from engine.utility.labels import TreeAccuracy, tree_on_copy
from engine.utility.progress import Cancelled, Ticker

__all__ = [
    "MAX_ROWS",
    "MODELS",
    "Accuracy",
    "Cancelled",
    "Count",
    "Ticker",
    "TreeAccuracy",
    "classification_accuracy",
    "compare",
    "count",
    "count_error",
    "frequencies",
    "tree_on_copy",
]
