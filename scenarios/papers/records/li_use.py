"""Li, Chen, Li and Zhang 2012: what copies are good for, and what they cost."""

import numpy as np
import pandas as pd

from trustscope import datasets
from trustscope.engine.arrays import ArrayLike, Several
from trustscope.engine.experiments import li
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.scenarios.papers.judge import holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Parameter

__all__ = ["RECORDS"]


# Figure 4


def figure_4(
    levels: Several,
    repetitions: int,
    folds: int,
    breast: str,
    key: int,
    progress: Progress | None,
    cancelled: Cancelling | None,
) -> pd.DataFrame:
    data: dict[str, tuple[ArrayLike, ArrayLike]] = {}
    for name in ("iris", "breast" if breast == "diagnostic" else "breast-original"):
        found = datasets.load(name)
        frame = found.frame[[*found.numeric, found.label]].dropna()
        data[found.title] = frame[list(found.numeric)].to_numpy(), frame[found.label].to_numpy()
    return li.figure_4(
        data, levels=levels, repetitions=repetitions, folds=folds, key=key, progress=progress, cancelled=cancelled
    )


def _pairs(table: pd.DataFrame) -> pd.DataFrame:
    both = table[table["scheme"] != "original"]
    return both.pivot_table(index=["data", "model", "level", "repetition"], columns="scheme", values="accuracy")


def same_utility(table: pd.DataFrame) -> Finding:
    pairs = _pairs(table)
    gaps = pairs["nested"] - pairs["independent"]
    error = gaps.std() / np.sqrt(len(gaps))
    text = f"nested better by {100 * gaps.mean():.1f} ± {100 * error:.1f} points on average"
    return text, abs(gaps.mean()) < 5 * error


def not_identical(table: pd.DataFrame) -> Finding:
    pairs = _pairs(table)
    same = int((pairs["nested"] == pairs["independent"]).sum())
    gap = (pairs["nested"] - pairs["independent"]).abs().mean()
    return f"{same} of {len(pairs)} pairs identical; {100 * gap:.1f} points apart on average", same < len(pairs) / 2


# Figure 5


def figure_5(
    copies: Several, rows: int, repetitions: int, key: int, progress: Progress | None, cancelled: Cancelling | None
) -> pd.DataFrame:
    return li.figure_5(
        copies=copies, rows=rows, repetitions=repetitions, key=key, progress=progress, cancelled=cancelled
    )


def growth(table: pd.DataFrame) -> Finding:
    part = table[(table["method"] == "algorithm 3") & (table["share"] == "M/4")].sort_values("copies")
    if len(part) < 2:
        return None
    ends = part.iloc[[0, -1]]
    power = np.log(ends["fastest"].iloc[1] / ends["fastest"].iloc[0]) / np.log(
        ends["copies"].iloc[1] / ends["copies"].iloc[0]
    )
    return f"time grows as M to the power {power:.2f}", 0.6 < power < 1.6


def marginal(table: pd.DataFrame) -> Finding:
    wide = table.pivot_table(index=["copies", "share"], columns="method", values="fastest")
    ratio = (wide["algorithm 3"] / wide["independent"]).median()
    return f"{ratio:.1f} times as long", ratio < 1.5


RECORDS = (
    Experiment(
        "li/fig4", "Usefulness of copies at equal trust", "Figure 4, Section 6.2",
        "Classifiers trained on copies with nested and with independent noise do equally well at every noise level. "
        "Of the breast cancer sets the one named, Diagnostic, has 569 rows and 30 attributes; the one described, with 699 and "
        "9, is the Original.",
        figure_4,
        (
            holds("both schemes leave the same accuracy", "the same", same_utility, "5 standard errors"),
            holds("the accuracies are equal in law, not identical: the noise is not the same noise",
                  "identical at all levels", not_identical, "fewer than half of the pairs are identical", CORRECTED),
        ),
        (
            Parameter("levels", "Noise levels s", (0.05, 0.25, 0.5, 1.0), tuple(np.linspace(0.05, 1, 20).round(2)),
                      low=0.001, high=10),
            Parameter("repetitions", "Repetitions", 1, 10, low=1, high=100),
            Parameter("folds", "Folds", 10, low=2, high=20),
            Parameter("breast", "Breast cancer set", "diagnostic", options=("diagnostic", "original")),
        ),
    ),
    Experiment(
        "li/fig5", "What copies on demand cost", "Figure 5, Section 6.3",
        "The time of algorithm 3 grows about linearly with the number of copies, and is little more than that of "
        "independent noise.",
        figure_5,
        (
            holds("about linear in the number of copies, not cubic", "about linear", growth, "power 0.6 to 1.6"),
            holds("hardly slower than independent noise", "a little slower", marginal, "at most 1.5 times"),
        ),
        (
            Parameter("copies", "Copies in all", (16, 32, 64), (10, 20, 30, 50, 100), low=4, high=300),
            Parameter("rows", "Rows", 10_000, 100_000, low=100, high=10**6),
            Parameter("repetitions", "Repetitions", 7, 100, low=1, high=1000),
        ),
        timed=("seconds", "fastest"),
    ),
)  # fmt: skip
