"""Li, Chen, Li and Zhang 2012: collusion."""

import numpy as np
import pandas as pd

from trustscope.engine.arrays import Several
from trustscope.engine.experiments import li
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.scenarios.papers.judge import agrees, falling, holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Parameter
from trustscope.scenarios.papers.records.li_data import ROWS
from trustscope.scenarios.words import plain

__all__ = ["RECORDS"]


# Figure 2


def figure_2(
    rows: int, samples: Several, key: int, progress: Progress | None, cancelled: Cancelling | None
) -> pd.DataFrame:
    data = li.census(rows, key=key)
    return li.figure_2(data, samples=samples, key=key, paper_size=True, progress=progress, cancelled=cancelled)


def _of(table: pd.DataFrame, scheme: str, attacker: str) -> pd.DataFrame:
    return table[(table["scheme"] == scheme) & (table["attacker"] == attacker)]


def no_gain(table: pd.DataFrame) -> Finding:
    joint, best = _of(table, "nested", "perfect"), _of(table, "nested", "best copy")
    gap = np.abs(joint["error"].to_numpy() - best["error"].to_numpy()).max()
    return f"largest difference {plain(gap)}", gap < 1e-9


def drops_with_a_new_best(table: pd.DataFrame) -> Finding:
    part = _of(table, "nested", "perfect")
    part = part[part["attribute"] == part["attribute"].iloc[0]]
    better = part["level"].cummin().diff().fillna(-1) < 0
    moved = part["error"].diff().fillna(-1).abs() > 1e-9
    return f"{int(moved.sum())} drops, {int(better.sum())} new best copies", better.equals(moved)


def independent_falls(table: pd.DataFrame) -> Finding:
    part = _of(table, "independent", "perfect")
    curve = part[part["attribute"] == part["attribute"].iloc[0]].set_index("copies")
    last = int(curve.index[-1])
    text = f"{plain(curve['error'].iloc[0])} with 1 copy, {plain(curve['error'].iloc[-1])} with {last}"
    # Theory falls at every step; what is measured may rise by chance.
    measured = np.diff(curve["error"]) < 5 * curve["standard_error"].to_numpy()[1:]
    return text, falling(curve["theory"]) and bool(measured.all())


def on_theorem_4(table: pd.DataFrame) -> Finding:
    return agrees(table[table["attacker"] == "perfect"], "error", "theory", "standard_error")


def who_flattens(table: pd.DataFrame) -> Finding:
    known = table[(table["scheme"] == "independent") & (table["copies"] == table["copies"].max())]
    fewest = known.loc[known["sample"] > 0, "sample"].min()
    last = known[known["sample"].isin([0, fewest])].groupby("attacker")["error"].mean()
    raw = _of(table, "independent", "raw")
    lowest = raw[raw["sample"] == fewest].groupby("copies")["error"].mean().min()
    text = (
        f"n = {fewest}: raw attacker {plain(lowest)} at best, {plain(last['raw'])} in the end; "
        f"structured {last['structured']:.4f}, perfect {last['perfect']:.4f}"
    )
    close = abs(last["structured"] / last["perfect"] - 1) < 0.05
    return text, close and last["raw"] > 1.2 * lowest


def samples_help(table: pd.DataFrame) -> Finding:
    last = table[(table["attacker"] == "raw") & (table["copies"] == table["copies"].max())]
    errors = last[last["scheme"] == "independent"].groupby("sample")["error"].mean()
    if len(errors) < 2:
        return None
    return ", ".join(f"{plain(e)} with {n}" for n, e in errors.items()), falling(errors)


# Figure 3


def figure_3(rows: int, key: int, progress: Progress | None, cancelled: Cancelling | None) -> pd.DataFrame:
    return li.figure_3(li.census(rows, key=key), key=key, paper_size=True, progress=progress, cancelled=cancelled)


def _cumulative(table: pd.DataFrame, scheme: str) -> pd.DataFrame:
    part = table[table["scheme"] == scheme]
    return part.pivot_table(index=["attribute", "right"], columns="copies", values="cumulative")


def nested_stay(table: pd.DataFrame) -> Finding:
    curves = _cumulative(table, "nested")
    gap = (curves.max(axis=1) - curves.min(axis=1)).max()
    return f"at most {100 * gap:.1f} points apart", gap < 0.03


def independent_approach(table: pd.DataFrame) -> Finding:
    curves = _cumulative(table, "independent")
    rises = (curves.diff(axis=1).iloc[:, 1:] > -0.01).all(axis=None)
    first = curves.loc["Age"].iloc[len(curves.loc["Age"]) // 8]
    text = ", ".join(f"{100 * v:.0f} %" for v in first)
    return f"share within a quarter of a standard deviation: {text}", bool(rises and first.iloc[-1] > first.iloc[0])


def slower(table: pd.DataFrame) -> Finding:
    gap = _cumulative(table, "independent") - _cumulative(table, "nested")
    text = f"behind by {100 * gap.max().max():.0f} points at the most, ahead nowhere by more than 1"
    return text, gap.min().min() > -0.01


RECORDS = (
    Experiment(
        "li/fig2", "Collusion as copies are released", "Figure 2, Section 6.2",
        "With independent noise the error of the joint attack falls with every copy. With the paper's noise it falls only "
        "when a copy appears that is better than all before, and all copies together tell no more than the best one.",
        figure_2,
        (
            holds("nested: all copies together are as good as the best copy alone", "no difference", no_gain,
                  "1e-9"),
            holds("nested: the error drops only with a new best copy", "only then", drops_with_a_new_best, "exact"),
            holds("independent: the error falls with every copy", "falls", independent_falls, "5 standard errors"),
            holds("errors are those of Theorems 3 and 4", "they match", on_theorem_4, "5 standard errors"),
            holds("whose curve flattens: only the attacker who estimates the covariance of all copies. One who uses the "
                  "known structure of the noise is nearly as good as with perfect knowledge",
                  "anyone who estimates K_X", who_flattens, "structured within 5 %; raw rises by a fifth", CORRECTED),
            holds("larger samples help the raw attacker", "larger samples are better", samples_help, "in this order"),
        ),
        (ROWS, Parameter("samples", "Sample sizes", (400, 800, 1200), low=20, high=100_000,
                         help="Rows from which the attackers with partial knowledge estimate.")),
    ),
    Experiment(
        "li/fig3", "How close the guesses come", "Figure 3, Section 6.2",
        "With nested noise the distribution of errors hardly changes as copies are added; with independent noise more and "
        "more guesses are close.",
        figure_3,
        (
            holds("nested: curves for 5 to 30 copies almost coincide", "hardly differ", nested_stay, "3 points"),
            holds("independent: the curves approach the vertical axis", "they do", independent_approach,
                  "1 point of chance"),
            holds("nested curves rise more slowly than independent ones", "far slower", slower, "1 point of chance"),
        ),
        (ROWS,),
    ),
)  # fmt: skip
