"""Zhang, Wang and Zhao 2005: what is misprinted or wrong."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine.experiments import zhang
from trustscope.engine.experiments.misprints import zhang as misprints
from trustscope.scenarios.papers.judge import agrees, holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finder, Finding, Misprint, Parameter
from trustscope.scenarios.papers.records.zhang import on_votes, votes
from trustscope.scenarios.words import plain, share

__all__ = ["RECORDS"]


def _on_votes(function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    """A demonstration on the votes that takes no time worth reporting."""

    def run(key: int, **values: Any) -> pd.DataFrame:
        return function(*votes(), **values, key=key)

    return run


def _at_2(table: pd.DataFrame, column: str) -> pd.Series:
    return table[table["level"] == 2].set_index("order")[column]


def truncation(table: pd.DataFrame) -> Finding:
    norm = _at_2(table, "norm")
    return f"k = 2: {plain(norm['signed'])} signed, {plain(norm['magnitude'])} in magnitude", norm["signed"] > 3 * norm[
        "magnitude"
    ]


def accuracy(table: pd.DataFrame) -> Finding:
    found = _at_2(table, "accuracy")
    return f"k = 2: {share(found['signed'])} signed, {share(found['magnitude'])} in magnitude", found[
        "magnitude"
    ] > found["signed"] + 0.1


def above_one(table: pd.DataFrame) -> Finding:
    worst = table[table["kind"] == "worst"].iloc[-1]
    survey = table[table["kind"] == "survey"]
    text = (
        f"up to {plain(worst['largest'])} with {int(worst['number'])} questions; on the votes up to "
        f"{plain(survey['largest'].max())}, and {share(survey['negative'].max())} of the coordinates are negative"
    )
    fits = np.allclose(table["largest"][table["kind"] == "worst"], table["formula"].dropna())
    return text, bool(worst["largest"] > 1 and fits and survey["negative"].max() > 0)


def independent_bits(table: pd.DataFrame) -> Finding:
    return agrees(table, "measured", "right", "standard_error")


def bound_broken(table: pd.DataFrame) -> Finding:
    above = table["measured"] - 5 * table["standard_error"] > 0
    return f"above 0 for {int(above.sum())} of {len(table)} pairs, up to {plain(table['measured'].max())}", bool(
        above.any()
    )


def _fails(order: str) -> Finder:
    def measure(table: pd.DataFrame) -> Finding:
        broken = table[(table["order"] == order) & ~table["holds"].astype(bool)]
        if broken.empty:
            return "holds for every μ tried", False
        worst = broken.iloc[int(broken["mu"].argmax())]
        return f"up to μ = {100 * worst['mu']:g} %: {worst['error']:.3f}, bound {worst['bound']:.3f}", True

    return measure


def vacuous(table: pd.DataFrame) -> Finding:
    last = table.iloc[int(table["mu"].argmax())]
    return f"at μ = {100 * last['mu']:g} % the bound is {plain(last['bound'])}, and no error exceeds 1", last[
        "bound"
    ] > 1


def alike(table: pd.DataFrame) -> Finding:
    one = table[table["law"] == "alike"].iloc[0]
    return f"disclosed {plain(one['disclosure'])}, bound {plain(one['bound'])}", one["disclosure"] > one["bound"] + 0.1


def how_often(table: pd.DataFrame) -> Finding:
    drawn = table[table["law"] == "random"]
    broken = 1 - drawn["holds"].astype(bool).mean()
    most = 1 - drawn.groupby(["concentration", "level"])["holds"].mean().min()
    return f"{share(broken)} of random laws break it; where it fails most, {share(most)}", broken > 0.02


def cubic(table: pd.DataFrame) -> Finding:
    large = table[table["dimension"] >= 256]  # for smaller matrices most of the time is other work
    if large["dimension"].nunique() < 2:
        return None
    power = np.polyfit(np.log(large["dimension"]), np.log(large["decomposition"]), 1)[0]
    return f"time grows as n to the power {power:.1f}", 2.3 < power < 3.7


RECORDS = (
    Experiment(
        "zhang/order", "Signed order against order of magnitude", "Eq. 5, 6 and 22",
        "The guidance keeps the k largest eigenvalues in signed order. The truncation is the best of its "
        "rank only with the k largest in magnitude: negative eigenvalues speak for the other class.",
        on_votes(misprints.eigenvalue_order),
        (
            holds("in signed order far more of A is left out", "the best of rank k", truncation, "three times", CORRECTED),
            holds("and the classifier is far worse", "signed order", accuracy, "10 points", CORRECTED),
        ),
        (Parameter("levels", "Levels k", (1, 2, 3, 5, 9), low=1, high=16), Parameter("repetitions", "Repetitions", 4, low=2, high=50)),
        Misprint("the k largest signed eigenvalues of A₀ − A₁", "the k largest in magnitude"),
    ),
    Experiment(
        "zhang/eq8", "A probability above 1", "Eq. 8",
        "The square of a coordinate of the guided answer is used as a probability. It can exceed 1, and the coordinate can be "
        "negative.",
        _on_votes(misprints.squares_above_one),
        (holds("it can reach ((1 + √n)/2)²: clip to [0, 1]", "a probability", above_one, "the formula to rounding", CORRECTED),),
        (),
        Misprint("P = t̃²", "P = min(t̃², 1); bits are drawn independently, and both or neither of a pair may come out"),
    ),
    Experiment(
        "zhang/eq26", "An inequality whose right side is always 0", "Eq. 26",
        "The right side subtracts a term from itself. The bits are drawn independently, so their product has expectation "
        "t̃ᵢ² t̃ⱼ², and the left side is often positive.",
        _on_votes(misprints.product_of_bits),
        (
            holds("E[Rᵢ Rⱼ] = t̃ᵢ² t̃ⱼ²", "≤ 0", independent_bits, "5 standard errors", CORRECTED),
            holds("the printed bound 0 is passed", "at most 0", bound_broken, "5 standard errors", CORRECTED),
        ),
        (Parameter("level", "Level k", 2, low=1, high=9), Parameter("draws", "Draws", 20_000, low=1000, high=10**6)),
        Misprint("E[t̃ᵢ t̃ⱼ − Rᵢ Rⱼ] ≤ 2 (t̃ᵢ t̃ⱼ − t̃ᵢ t̃ⱼ)", "E[Rᵢ Rⱼ] = t̃ᵢ² t̃ⱼ²"),
    ),
    Experiment(
        "zhang/theorem1", "A bound on the error that fails", "Theorem 5.1",
        "The error of the classifier is said to stay below 2 μ σ₁ / m. Measured, it exceeds the bound where μ is small; where "
        "μ is large, the bound exceeds 1 and says nothing.",
        on_votes(zhang.theorem_1),
        (
            holds("in signed order it fails", "holds", _fails("signed"), "exact", CORRECTED),
            holds("in order of magnitude it fails for small μ", "holds", _fails("magnitude"), "exact", CORRECTED),
            holds("for large μ it is vacuous", "a bound", vacuous, "above 1", CORRECTED),
        ),
        (Parameter("mus", "μ", (0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.15), low=0.001, high=0.5),),
        Misprint("l_e ≤ 2 μ σ₁ / m", "false below μ of about 1.2 % (magnitudes) or 2.5 % (signed); measure l_e instead"),
    ),
    Experiment(
        "zhang/theorem2", "A bound on disclosure that fails", "Theorem 5.2",
        "What a respondent discloses is said to stay below a bound from the singular values. Guidance that asks for one "
        "answer is orthonormal too, and discloses everything where all answers are alike. How many random laws break it "
        "depends on how they are drawn.",
        zhang.theorem_2,
        (
            holds("questions answered alike: all is disclosed", "at most the bound", alike, "exact", CORRECTED),
            holds("it fails for many random laws", "holds", how_often, "more than 2 % of the laws", CORRECTED),
        ),
        (Parameter("questions", "Questions", 3, low=2, high=6), Parameter("laws", "Laws drawn of each kind", 100, 50_000, low=50, high=50_000)),
        Misprint("l_p ≤ (ρ₁² + … + ρ_k²) / (mn)", "false; measure l_p, and let respondents refuse guidance that asks for one answer"),
    ),
    Experiment(
        "zhang/update", "The cost of new guidance", "Section 7.1",
        "Updating the guidance is said to cost O(n²). Adding an answer to A costs that; computing the eigenvectors of A costs O(n³).",
        misprints.update_cost,
        (holds("the decomposition grows faster than n²", "O(n²)", cubic, "power 2.3 to 3.7", CORRECTED),),
        (Parameter("dimensions", "Dimensions", (128, 256, 512, 1024), low=16, high=2048),),
        Misprint("O(n²)", "O(n³)"),
        timed=("update", "decomposition"),
    ),
)  # fmt: skip
