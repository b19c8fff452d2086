"""Huang, Du and Chen 2005: what is misprinted or wrong."""

from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine.experiments.misprints import huang
from trustscope.scenarios.papers.judge import holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Misprint, Parameter
from trustscope.scenarios.words import count, plain

__all__ = ["RECORDS"]


def total_is_one(table: pd.DataFrame) -> Finding:
    worst = ((table["measured"] - 1).abs() / table["standard_error"]).max()
    most = table.iloc[-1]
    return f"{plain(most['measured'])} for σ = {most['case']}; as printed {plain(most['printed'])}", worst < 5


def inside(table: pd.DataFrame) -> Finding:
    gap = (table["right"] - table["expected"]).abs().max()
    ends = table.iloc[[0, -1]]
    text = f"right {plain(ends['right'].iloc[1])}; printed {plain(ends['printed'].iloc[0])} falling to {plain(ends['printed'].iloc[1])}"
    return text, gap < 1e-9 and ends["printed"].iloc[1] < ends["printed"].iloc[0]


def loses(table: pd.DataFrame) -> Finding:
    part = table[table["rows"] == 2000].iloc[0]
    text = f"2 000 rows: BE {part['bayes']:.2f} (clipped {part['clipped']:.2f}), PCA {part['principal_components']:.2f}"
    return text, part["bayes"] > part["principal_components"] and part["clipped"] > part["principal_components"]


def turns(table: pd.DataFrame) -> Finding:
    ahead = table["bayes"] < table["principal_components"]
    at = table["turn"].iloc[0]
    far = table["rows"] < at / 1.5
    beyond = table["rows"] > at * 1.5
    if not far.any() or not beyond.any():
        return None
    first = table.loc[ahead, "rows"].min() if ahead.any() else np.inf
    return f"from {count(int(first))} rows on; by theory {count(round(at))}", not ahead[far].any() and bool(
        ahead[beyond].all()
    )


def gap_fails(table: pd.DataFrame) -> Finding:
    last: Any = table.set_index("components").loc[100]
    return f"{plain(last['printed'])}; keeping all {plain(last['right'])}", last["printed"] > 2 * last["noise"] and abs(
        last["right"] / last["noise"] - 1
    ) < 0.05


def gap_works(table: pd.DataFrame) -> Finding:
    part = table[table["components"] < 100]
    return "the same error for both rules", bool(np.allclose(part["printed"], part["right"]))


def moves(table: pd.DataFrame) -> Finding:
    first, last = table.iloc[0], table.iloc[-1]
    text = f"{plain(first['measured'])} with {int(first['components'])} components, {plain(last['measured'])} with {int(last['components'])}"
    return text, table["measured"].min() > 0.8 * table["measured"].max()


RECORDS = (
    Experiment(
        "huang/density", "The density of the noise", "Before Eq. 10",
        "The normal density of the noise is printed with (2πσ) to the power m/2; it needs the square of σ to have total "
        "probability 1.",
        huang.density,
        (holds("with σ² the total probability is 1", "σ^(m/2)", total_is_one, "5 standard errors", CORRECTED),),
        (Parameter("draws", "Draws", 40_000, low=1000, high=10**6),),
        Misprint("(2πσ)^(m/2)", "(2πσ²)^(m/2)"),
    ),
    Experiment(
        "huang/dissimilarity", "A dissimilarity that shrinks with size", "Definition 8.1",
        "The measure is meant as the root mean square difference of correlations. With 1/(m² − m) outside the root it shrinks "
        "as attributes are added, although every correlation differs by the same amount.",
        huang.dissimilarity,
        (holds("inside the root it is the difference itself, whatever the number of attributes", "outside the root", inside,
               "rounding", CORRECTED),),
        (Parameter("attributes", "Attributes", (2, 5, 10, 20, 50, 100), low=2, high=300),
         Parameter("apart", "Difference of the correlations", 0.4, low=0.01, high=0.5)),
        Misprint("1/(m² − m) outside the root", "inside, if it is to be a root mean square difference"),
    ),
    Experiment(
        "huang/always-better", "The Bayes estimate does not always win", "Conclusion",
        "The Bayes estimate is said to beat principal components throughout. Its covariance is estimated, which costs about "
        "σ² m / n: with 100 attributes and few rows principal components win.",
        huang.always_better,
        (
            holds("with 2 000 rows principal components win, gains clipped or not", "BE always wins", loses, "exact", CORRECTED),
            holds("it wins once n exceeds σ² m / (PCA − BE)", "always", turns, "a factor of 1.5", CORRECTED),
        ),
        (Parameter("rows", "Rows", (500, 1000, 2000, 5000, 20_000, 100_000), low=200, high=200_000),
         Parameter("small", "Small eigenvalues", 1.0, low=0.1, high=20)),
        Misprint("BE always beats PCA", "only for n > σ² m / (PCA − BE)"),
    ),
    Experiment(
        "huang/gap", "The largest gap where there is no real gap", "Section 5, footnote",
        "Components are kept up to the largest gap between eigenvalues. Where no eigenvalue is small the largest gap is mere "
        "chance, and nearly everything is thrown away.",
        huang.largest_gap,
        (
            holds("with 100 components of 100 the rule makes the error far larger than that of no attack", "not said", gap_fails,
                  "more than twice the noise; within 5 % of it", CORRECTED),
            holds("where some eigenvalue is small both rules agree", "the rule", gap_works, "rounding"),
        ),
        (Parameter("components", "Components of 100", (50, 80, 95, 100), low=1, high=100),
         Parameter("rows", "Rows", 5000, low=200, high=50_000)),
        Misprint("keep what stands before the largest gap", "keep all where the largest gap is small"),
    ),
    Experiment(
        "huang/udr", "How constant the univariate benchmark is", "Eq. 12",
        "Keeping the mean variance keeps the error of the univariate attacker almost the same. That error depends on every "
        "single variance, and random eigenvectors make them unequal: with two components the error is a sixth smaller.",
        huang.univariate_moves,
        (holds("as components are added, the error of UDR stays almost the same", "almost the same", moves, "20 %"),),
        (Parameter("components", "Components of 100", (2, 5, 20, 50, 100), low=1, high=100),
         Parameter("draws", "Draws of the eigenvectors", 20, low=2, high=500)),
    ),
)  # fmt: skip
