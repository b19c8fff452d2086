"""Li, Chen, Li and Zhang 2012: the example, the algorithms and the data."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine.experiments import li
from trustscope.scenarios.papers.judge import holds, near
from trustscope.scenarios.papers.record import STAND_IN, Experiment, Finding, Parameter
from trustscope.scenarios.words import plain

__all__ = ["RECORDS", "ROWS"]

ROWS = Parameter("rows", "Rows", 10_000, 100_000, low=100, high=10**6, help="Records of Age and Income that are drawn.")


# The example of the introduction


def _example(who: str, scheme: str) -> Callable[[pd.DataFrame], float]:
    return lambda table: float(table.set_index("who")[scheme][who])


# Table 2


def table_2(rows: int, key: int) -> pd.DataFrame:
    return li.measured_table_2(rows=rows, key=key)


def resists(table: pd.DataFrame) -> Finding:
    gain = (table["alone"] - table["together"]) / table["standard_error"]
    ours = table["resists_collusion"].astype(bool)
    text = f"gain of colluding: at most {plain(gain[ours].max())} standard errors; independent {gain[~ours].max():.0f}"
    return text, gain[ours].max() < 5 and gain[~ours].min() > 5


# Table 3 and Figure 1: the data


def table_3(rows: int, key: int) -> pd.DataFrame:
    return li.table_3(li.census(rows, key=key), paper_size=True)


def figure_1(rows: int, bins: int, key: int) -> pd.DataFrame:
    return li.figure_1(li.census(rows, key=key), bins=bins, paper_size=True)


def moments_found(table: pd.DataFrame) -> Finding:
    gap = np.abs(table[["mean", "variance"]].to_numpy() / table[["printed_mean", "printed_variance"]].to_numpy() - 1)
    text = "; ".join(f"{r.attribute} {r.mean:.2f} and {r.variance:.2f}" for r in table.itertuples())
    return f"{text}: drawn so", gap.max() < 1e-6


def shapes_found(table: pd.DataFrame) -> Finding:
    skewness = {}
    for name, part in table.groupby("attribute", sort=False):
        middle, share = (part["left"] + part["right"]) / 2, part["count"] / part["count"].sum()
        centred = middle - (middle * share).sum()
        skewness[name] = (centred**3 * share).sum() / (centred**2 * share).sum() ** 1.5
    text = f"assumed: skewness of Age {skewness['Age']:.1f}, of Income {skewness['Income']:.1f}"
    return text, abs(skewness["Age"]) < 0.5 < skewness["Income"]


RECORDS = (
    Experiment(
        "li/example", "Alice and Bob", "Sections 1 and 4",
        "The noise in Alice's copy has the variance of the data, the noise in Bob's copy four times that. With independent noise the two "
        "together guess better than Alice; with properly correlated noise they do not.",
        li.example,
        (
            near("Alice alone", 0.5, _example("Alice", "nested"), within=1e-9),
            near("Bob alone", 0.8, _example("Bob", "nested"), within=1e-9),
            near("together, independent noise", 4 / 9, _example("together", "independent"), within=1e-9,
                 show=lambda v: f"{v:.4f}"),
            near("together, nested noise", 0.5, _example("together", "nested"), within=1e-9),
        ),
    ),
    Experiment(
        "li/table2", "What the three algorithms can do", "Table 2, Theorems 6 to 8",
        "All three algorithms give copies that resist collusion; they differ in what must be known beforehand.",
        table_2,
        (
            holds("copies of algorithms 1, 2 and 3 tell no more together than the best one", "no gain", resists,
                  "5 standard errors"),
        ),
        (Parameter("rows", "Rows", 10_000, 100_000, low=500, high=10**6),),
    ),
    Experiment(
        "li/table3", "Mean and variance of Age and Income", "Table 3",
        "The data are the first 100 000 rows of a census extract. It is not available; the data here are drawn "
        "with the printed means and variances.",
        table_3,
        (holds("the printed moments", "50.06 and 303.03; 16.57 and 219.92", moments_found, "one in a million",
               STAND_IN),),
        (ROWS,),
    ),
    Experiment(
        "li/fig1", "How Age and Income are distributed", "Figure 1",
        "A picture of the two distributions, without numbers. The rows are not available; "
        "the shapes here are assumed, and no "
        "normalised error depends on them.",
        figure_1,
        (holds("the census extract's own distribution", "a picture", shapes_found, "none: other data", STAND_IN),),
        (ROWS, Parameter("bins", "Bins", 40, low=5, high=200)),
    ),
)  # fmt: skip
