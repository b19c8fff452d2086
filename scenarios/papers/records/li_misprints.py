"""Li, Chen, Li and Zhang 2012: what is misprinted or wrong."""

from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine.experiments.misprints import li
from trustscope.scenarios.papers.judge import holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Misprint, Parameter
from trustscope.scenarios.words import plain

__all__ = ["RECORDS"]


def top(table: pd.DataFrame) -> Finding:
    most = table.iloc[-1]
    text = f"{plain(most['printed'])} printed, {plain(most['right'])} right, with {int(most['attributes'])} attributes"
    return text, bool(np.allclose(table["printed"], table["expected"]) and np.allclose(table["right"], 1))


def cancels(table: pd.DataFrame) -> Finding:
    worst = table["difference"].max()
    return f"estimates differ by {plain(worst)} standard deviations at the most", worst < 1e-6


def raw_rises(table: pd.DataFrame) -> Finding:
    last = table.iloc[-1]
    text = f"raw {plain(table['raw'].min())} at best, {plain(last['raw'])} with {int(last['copies'])} copies"
    return f"{text}; Eq. 6 {plain(last['true'])}", last["raw"] > 1.2 * table["raw"].min()


def all_three(table: pd.DataFrame) -> Finding:
    last = table.iloc[-1]
    return f"{plain(last['common'])}, the best copy {plain(last['best'])}", abs(last["common"] - last["best"]) < 1e-9


def two_gain(table: pd.DataFrame) -> Finding:
    pair: Any = table.set_index("coalition").loc["2 and 3"]
    return f"{pair['common']:.3f}, the better of them alone {pair['best']:.3f}", pair["common"] < pair["best"] - 1e-6


def nested_never(table: pd.DataFrame) -> Finding:
    gap = (table["best"] - table["nested"]).max()
    return f"largest gain {plain(gap)}", abs(gap) < 1e-9


def total_is_one(table: pd.DataFrame) -> Finding:
    worst = ((table["measured"] - 1).abs() / table["standard_error"]).max()
    return f"{plain(table['measured'].min())} to {plain(table['measured'].max())}", worst < 5


def printed_total(table: pd.DataFrame) -> Finding:
    most = table.iloc[int(table["printed"].argmax())]
    return f"{plain(most['printed'])} for {most['case']} (M × N)", most["printed"] > 1.5


def useless_for_all(table: pd.DataFrame) -> Finding:
    alone, nested, independent = table["exact"]
    chance = np.hypot(*table["standard_error"].iloc[:2])
    apart = abs(table["measured"].iloc[0] - table["measured"].iloc[1])
    text = f"{nested:.4f} together, {alone:.4f} alone; independent noise {independent:.4f}"
    return text, abs(alone - nested) < 1e-9 and apart < 5 * chance and independent < alone - 0.01


RECORDS = (
    Experiment(
        "li/normalised-error", "The normalised error cannot reach 1", "Section 6.1",
        "The normalised error is said to lie between 0 and 1. D is a mean over the attributes already, so dividing it by "
        "the sum of the variances leaves at most 1/N.",
        li.top_of_error,
        (holds("the top of the printed error is 1/N; N D / Tr(K) reaches 1", "between 0 and 1", top, "rounding", CORRECTED),),
        (Parameter("attributes", "Attributes", (1, 2, 4, 8, 16), low=1, high=100),),
        Misprint("D / Tr(K_X), between 0 and 1", "N D / Tr(K_X), or for each attribute its mean square error / variance"),
    ),
    Experiment(
        "li/partial-knowledge", "An estimated covariance cancels out", "Section 6.2",
        "The curve of attackers with partial knowledge is said to flatten because they estimate K_X. In Eq. 6 K_X stands "
        "beside its own inverse: any K_X gives the same estimate. It flattens for those who ignore the structure.",
        li.cancelling,
        (
            holds("Eq. 6 gives the same guesses with the true, an estimated and a nonsensical K_X",
                  "an inexact K_X costs accuracy", cancels, "1e-6", CORRECTED),
            holds("who estimates the covariance of the stacked copies does worse with more copies", "everybody does",
                  raw_rises, "a fifth above its lowest", CORRECTED),
        ),
        (Parameter("copies", "Copies", (1, 2, 5, 10, 20, 30), low=1, high=30),
         Parameter("sample", "Rows known to the attackers", 400, low=50, high=5000)),
        Misprint("estimating K_X flattens the curve of independent noise",
                 "only the raw attacker's flattens; with the structure known, K_X cancels and only the mean matters"),
    ),
    Experiment(
        "li/subsets", "A condition on all copies does not protect some of them", "Corollary 1, Eq. 10",
        "Equality for the whole set of copies is said to be enough. Three copies that share the best one's noise meet it, "
        "and yet the two worse ones together learn more than the better of them.",
        li.subsets,
        (
            holds("all three learn no more than the best copy", "Eq. 10 holds", all_three, "rounding"),
            holds("but copies 2 and 3 learn more than copy 2", "no coalition gains", two_gain, "exact", CORRECTED),
            holds("with cov = min(s_i, s_j) K_X no coalition gains", "Corollary 1", nested_never, "rounding"),
        ),
        (Parameter("levels", "Noise s of the copies", (0.25, 0.5, 0.6), low=0.01, high=10),),
        Misprint("equality for the full set of copies", "every subset needs cov = min(s_i, s_j) K_X"),
    ),
    Experiment(
        "li/eq16", "The exponent in the density of the noise", "Eq. 16",
        "The density of the joint noise of M copies of N attributes has 2π to the power MN under the root, not M.",
        li.density,
        (
            holds("with exponent MN the density has total probability 1", "exponent M", total_is_one, "5 standard errors", CORRECTED),
            holds("with exponent M it has more", "1", printed_total, "above 1.5", CORRECTED),
        ),
        (Parameter("draws", "Draws", 40_000, low=1000, high=10**6),),
        Misprint("(2π)^M", "(2π)^(MN)"),
    ),
    Experiment(
        "li/any-estimator", "Pooling is useless to every estimator", "Section 7",
        "The paper claims its result for linear attacks only. The copies are a Markov chain, so both copies tell exactly "
        "what the better one tells. For a value of ±1 the best guess is not linear, and gains nothing either.",
        li.any_estimator,
        (
            holds("nested: the best guess of all from both copies is no better than from Alice's",
                  "only for linear attacks", useless_for_all, "rounding; measured within 5 standard errors", CORRECTED),
        ),
        (Parameter("draws", "Draws", 200_000, low=1000, high=10**7),),
        Misprint("resists linear attacks", "resists every attack: the posterior given any coalition is that of its best copy"),
    ),
)  # fmt: skip
