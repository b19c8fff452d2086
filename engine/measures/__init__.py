"""What a copy or an estimate gives away: distortion, error distributions, breaches, guarantees."""

from trustscope.engine.measures.breach import KINDS, breach_rate, breach_size, breached, normal_breach
from trustscope.engine.measures.disclosure import (
    Disclosure,
    degree_of_disclosure,
    degree_of_error,
    disclosure_bound,
    distinct_tuples,
    error_bound,
    expected_difference,
    question_disclosure,
    tuple_belief,
)
from trustscope.engine.measures.errors import distortion, error_histogram, normalised_error
from trustscope.engine.measures.guarantees import (
    amplification,
    delta_of_retention,
    growth,
    lowest_posterior,
    retention_for_amplification,
    retention_for_delta,
    retention_for_rho,
    rho1_of_retention,
    rho2_of_retention,
    rho_amplification,
    rho_holds,
    worst_posterior,
    worst_prior,
)
from trustscope.engine.measures.similarity import correlation_dissimilarity
from trustscope.engine.measures.tally import AttackTally, even_counts

__all__ = [
    "KINDS",
    "AttackTally",
    "Disclosure",
    "amplification",
    "breach_rate",
    "breach_size",
    "breached",
    "correlation_dissimilarity",
    "degree_of_disclosure",
    "degree_of_error",
    "delta_of_retention",
    "disclosure_bound",
    "distinct_tuples",
    "distortion",
    "error_bound",
    "error_histogram",
    "even_counts",
    "expected_difference",
    "growth",
    "lowest_posterior",
    "normal_breach",
    "normalised_error",
    "question_disclosure",
    "retention_for_amplification",
    "retention_for_delta",
    "retention_for_rho",
    "rho1_of_retention",
    "rho2_of_retention",
    "rho_amplification",
    "rho_holds",
    "tuple_belief",
    "worst_posterior",
    "worst_prior",
]
