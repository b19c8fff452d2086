"""What a copy or an estimate gives away: distortion, error distributions, breaches."""

from engine.measures.breach import KINDS, breach_rate, breached, gaussian_breach
from engine.measures.errors import ErrorTally, distortion, error_histogram, normalised_error

__all__ = [
    "KINDS",
    "ErrorTally",
    "breach_rate",
    "breached",
    "distortion",
    "error_histogram",
    "gaussian_breach",
    "normalised_error",
]
