"""Giannella, Liu and Kargupta 2009: the attacker who knows some records."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from trustscope import colours, datasets
from trustscope.engine.arrays import Floats
from trustscope.engine.experiments import giannella
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.scenarios.papers.judge import holds
from trustscope.scenarios.papers.record import Experiment, Finding, Parameter
from trustscope.scenarios.words import share

__all__ = ["RECORDS", "adult", "letters", "on"]

PAPER, BETTER = colours.SCHEMES["independent"], colours.SCHEMES["nested"]
ADULT_ROWS = 32_561  # the paper uses the training part of Adult


@cache
def letters() -> Floats:
    """The numeric columns of Letter Recognition."""
    data = datasets.load("letter")
    return data.frame[list(data.numeric)].to_numpy(float)


@cache
def adult() -> Floats:
    """Age, years of education and hours per week of Adult."""
    frame = datasets.load("adult").frame[["Age", "Years of education", "Hours per week"]]
    return frame.to_numpy(float)[:ADULT_ROWS]


def on(data: Callable[[], Floats], function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    """An experiment on these data."""

    def run(key: int, progress: Progress | None, cancelled: Cancelling | None, **values: Any) -> pd.DataFrame:
        return function(data(), **values, key=key, progress=progress, cancelled=cancelled)

    return run


def all_linked(table: pd.DataFrame) -> Finding:
    return f"{table['linked'].sum():.0f} of {table['known'].sum()} on average", bool(
        (table["linked"] == table["known"]).all()
    )


def sharp(table: pd.DataFrame) -> Finding:
    part = table.set_index("known")["breach"].sort_index()
    if part.iloc[0] >= 0.5 or part.iloc[-1] <= 0.5:
        return None
    last = int((part > 0.5).to_numpy().argmax())
    low, high = part.index[last - 1], part.index[last]
    middle = low + (high - low) * (0.5 - part[low]) / (part[high] - part[low])
    text = ", ".join(f"{share(v)} with {a}" for a, v in part.items())
    return f"one half at {middle:.0f}: {text}", 55 <= middle <= 68 and part.iloc[0] < 0.05 and part.iloc[-1] > 0.99


def nearly_all_linked(table: pd.DataFrame) -> Finding:
    part = table[table["known"] >= 3]
    few = table[table["known"] < 3]
    missed = part.loc[part["linked"] < part["known"], "known"]
    first = "3" if missed.empty else f"beyond {missed.max()}"
    return f"all from {first} on; {few['linked'].sum():.1f} of {few['known'].sum()} below", missed.empty


def four_suffice(table: pd.DataFrame) -> Finding:
    found = float(table.set_index("known")["breach"][4])
    return share(found), found > 0.99


def fairly_high(table: pd.DataFrame) -> Finding:
    part = table[np.isclose(table["eps"], 0.07)]["breach"].iloc[0]
    return share(part), part > 0.5


def linear(table: pd.DataFrame) -> Finding:
    """The letter data are small: much of the time does not depend on the number of rows."""
    powers: dict[str, float] = {}
    least = {"gaussian": 0.5, "letter": 0.2}
    for name, part in table.groupby("data", sort=False):
        if len(part) < 2 or part["rows"].max() < 15_000:
            return None
        powers[str(name)] = np.polyfit(np.log(part["rows"]), np.log(part["fastest"]), 1)[0]
    text = " and ".join(f"{power:.1f} ({name})" for name, power in powers.items())
    return f"time grows as rows to the power {text}", all(least[name] <= p <= 1.6 for name, p in powers.items())


def all_16_quickly(table: pd.DataFrame) -> Finding:
    most = float(table.set_index("known")["seconds"][16])
    return f"{1000 * most:.0f} ms", most < 45


REPETITIONS = Parameter("repetitions", "Repetitions", 3, 10, low=1, high=100)
RECORDS = (
    Experiment(
        "giannella/fig1", "A few known records, normal data", "Figure 1, Section IV-E",
        "Someone who knows some of the records finds all of them in the release, and with about 60 of 100 dimensions known "
        "all other records become exposed at once.",
        giannella.figure_1,
        (
            holds("all known records are found in the release", "all", all_linked, "exact"),
            holds("the breach probability goes from 0 to 1 sharply around 60", "around 60", sharp, "passes one half at 55 to 68"),
        ),
        (Parameter("known", "Known records", (50, 55, 60, 65, 70, 75), (10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 90, 100), low=1, high=100),
         Parameter("rows", "Rows", 10_000, 100_000, low=200, high=200_000), REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig2", "A few known records, letter data", "Figure 2, Section IV-E",
        "On real data nearly all known records are found, and four of them are enough to expose another record with certainty.",
        on(letters, giannella.figure_2),
        (
            holds("known records are found in the release", "almost all", nearly_all_linked, "all, from 3 known on"),
            holds("with 4 known records the breach probability is 1", "1", four_suffice, "above 99 %"),
            holds("time to find 16 known records", "under 45 s", all_16_quickly, "45 s"),
        ),
        (Parameter("known", "Known records", (1, 2, 3, 4, 6, 8, 12, 16), tuple(range(1, 17)), low=1, high=16), REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig3", "How close a guess must be, letter data", "Figure 3, Section IV-E",
        "With four known letters the breach probability stays high down to an error of 7 %.",
        on(letters, giannella.figure_3),
        (holds("breach probability at 7 %", "high", fairly_high, "above one half"),),
        (Parameter("eps", "Errors", (0.01, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2), tuple(i / 100 for i in range(1, 21)), low=0.001, high=1),
         REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig4", "Time to find the known records", "Figure 4, Section IV-E",
        "The time to link grows linearly with the number of rows.",
        on(letters, giannella.figure_4),
        (
            holds("linear in the number of rows, normal data and letters", "linear", linear, "power 0.5 to 1.6; letters, which are few, 0.2 to 1.6"),
        ),
        (Parameter("rows", "Rows of normal data", (20_000, 40_000, 80_000), tuple(range(10_000, 100_001, 10_000)), low=500, high=200_000),
         REPETITIONS),
        timed=("seconds", "seconds_sd", "fastest"),
    ),
)  # fmt: skip
