"""What an honest analyst still gets from a copy.

scikit-learn is imported by the functions that need it: with it the app would take a third longer to start.
"""

from trustscope.engine.utility.classify import MAX_ROWS, MODELS, Accuracy, classification_accuracy, compare
from trustscope.engine.utility.clusters import (
    Clusterings,
    compare_clusters,
    distance_error,
    k_means,
    same_neighbours,
    single_link,
)
from trustscope.engine.utility.frequencies import Count, count, count_error, frequencies
from trustscope.engine.utility.progress import Cancelled, Ticker, keeping
from trustscope.engine.utility.randomised import corrected, noise_for_disclosure, randomisation_disclosure, randomise
from trustscope.engine.utility.tuples import NaiveBayes, tuple_tree

__all__ = [
    "MAX_ROWS",
    "MODELS",
    "Accuracy",
    "Cancelled",
    "Clusterings",
    "Count",
    "NaiveBayes",
    "Ticker",
    "classification_accuracy",
    "compare",
    "compare_clusters",
    "corrected",
    "count",
    "count_error",
    "distance_error",
    "frequencies",
    "k_means",
    "keeping",
    "noise_for_disclosure",
    "randomisation_disclosure",
    "randomise",
    "same_neighbours",
    "single_link",
    "tuple_tree",
]
