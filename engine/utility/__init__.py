"""What an honest analyst still gets from a copy."""

from engine.utility.classify import MAX_ROWS, MODELS, Accuracy, classification_accuracy, compare
from engine.utility.progress import Cancelled, Ticker

__all__ = [
    "MAX_ROWS",
    "MODELS",
    "Accuracy",
    "Cancelled",
    "Ticker",
    "classification_accuracy",
    "compare",
]
