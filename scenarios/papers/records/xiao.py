"""Xiao, Tao and Chen 2009: figures and examples."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from trustscope.engine.arrays import Several
from trustscope.engine.experiments import xiao
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.scenarios.papers.judge import agrees, holds, near
from trustscope.scenarios.papers.record import STAND_IN, Experiment, Finder, Finding, Parameter
from trustscope.scenarios.words import count, plain, share

__all__ = ["RECORDS"]

SIMULATED = (
    Parameter("draws", "Draws of each distribution", 1_000_000, 10**10, low=10_000, high=10**10,
              help="A million takes about a third of a second; the paper's ten thousand millions take hours."),
    Parameter("scheme", "How the copies are made", "nested", options=("nested", "multi_pert", "independent"),
              help="The path, the paper's own algorithm, or separate draws (which fail)."),
)  # fmt: skip


# The worked examples


def _exact(short: str) -> Callable[[pd.DataFrame], float]:
    return lambda table: float(table.set_index("short")["exact"][short])


# Figure 4


def synthetic(table: pd.DataFrame) -> Finding:
    wide = table.pivot_table(index="value", columns="distribution", values="share")
    flat, bell = wide["uniform"], wide["gaussian"]
    text = f"uniform {share(flat.iloc[0])} each; Gaussian {share(bell.max())} in the middle"
    return text, flat.std() < 1e-12 and np.allclose(bell, bell[::-1])


def stands_in(table: pd.DataFrame) -> Finding:
    sizes = table.groupby("distribution").size()
    return f"others, over {sizes['salary']} and {sizes['occupation']} values", (
        sizes["salary"],
        sizes["occupation"],
    ) == (50, 27)


# Figures 5 and 6


def _simulation(function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    def run(draws: int, scheme: str, key: int, progress: Progress | None, cancelled: Cancelling | None) -> pd.DataFrame:
        return function(draws=draws, scheme=scheme, key=key, progress=progress, cancelled=cancelled)

    return run


figure_5, figure_6 = _simulation(xiao.figure_5), _simulation(xiao.figure_6)


def _largest(table: pd.DataFrame) -> pd.Series:
    """One number for each distribution: its distance, as a multiple of the distance that chance gives."""
    first = table.groupby("distribution", sort=False).first()
    return first["distance"] / first["chance"]


def _by_chance(limit: float) -> Finder:
    def measure(table: pd.DataFrame) -> Finding:
        ratio = _largest(table)
        return f"at most {ratio.max():.1f} times what chance alone gives", ratio.max() < limit

    return measure


def exactly(table: pd.DataFrame) -> Finding:
    worst = table["exact_distance"].max()
    return f"largest distance {plain(worst)}", worst < 1e-12


def stands_out(table: pd.DataFrame) -> Finding:
    rows = [part.set_index("value") for _, part in table.groupby("distribution", sort=False)]
    held = [part["alone"].idxmax() == part["y_c"].iloc[0] for part in rows]
    return f"in {sum(held)} of {len(held)} distributions", all(held)


# Figure 7


def figure_7(rows: int, draws: int, key: int, progress: Progress | None, cancelled: Cancelling | None) -> pd.DataFrame:
    codes = xiao.draw(xiao.distribution("salary"), rows, key=key)
    size = xiao.DISTRIBUTIONS["salary"]
    return xiao.figure_7(codes, size, draws=draws, key=key, progress=progress, cancelled=cancelled)


def _after_30(scheme: str, holds_for: Callable[[float], bool]) -> Finder:
    def measure(table: pd.DataFrame) -> Finding:
        found = table[(table["scheme"] == scheme) & (table["copies"] == 30)]["reconstruction"].iloc[0]
        return share(found), holds_for(found)

    return measure


def only_the_best(table: pd.DataFrame) -> Finding:
    part = table[table["scheme"] == "nested"]
    moved = part["reconstruction"].diff().fillna(1) != 0
    better = part["best"].diff().fillna(1) > 0
    return f"{int(moved.sum())} changes, {int(better.sum())} new best copies", moved.equals(better)


def beliefs_on_theory(table: pd.DataFrame) -> Finding:
    return agrees(table, "reconstruction", "theory", "standard_error", "theory_error")


# Figure 8


def figure_8(
    copies: Several, rows: int, key: int, progress: Progress | None, cancelled: Cancelling | None
) -> pd.DataFrame:
    return xiao.figure_8(copies=copies, rows=rows, key=key, progress=progress, cancelled=cancelled).assign(rows=rows)


def _history(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["method"] == "multi_pert"]


def bounded(table: pd.DataFrame) -> Finding:
    part = _history(table)
    largest = part["values"].max()
    return f"at most {plain(largest)}", largest < 7.3 and bool((part["values"] <= 1.05 * part["bound"]).all())


def random_most(table: pd.DataFrame) -> Finding:
    """Only while copies are few: in the end all orders have released the same levels."""
    part = _history(table)
    part = part[part["copies"].between(3, 300)]
    if part.empty:
        return None
    wide = part.pivot_table(index="copies", columns="order", values="values")
    text = ", ".join(f"{order} {plain(wide[order].iloc[-1])}" for order in ("random", "ascending", "descending"))
    ordered = (wide["random"] > wide["ascending"]) & (wide["ascending"] > wide["descending"])
    return f"after {wide.index[-1]} copies: {text}", bool(ordered.all())


def quick(table: pd.DataFrame) -> Finding:
    part = _history(table)
    slowest, rows = part["seconds"].max(), int(part["rows"].iloc[0])
    return f"{1000 * slowest:.1f} ms for {count(rows)} rows", slowest < 0.5


RECORDS = (
    Experiment(
        "xiao/examples", "The worked examples", "Examples 1 and 2, Section 5.1",
        "Alice's copy keeps a disease with probability 40 %. A copy at 20 % is made from hers, one at 80 % from hers and "
        "the original, by a coin whose sides have the printed chances.",
        xiao.examples,
        (
            near("Example 1: Bob, at 20 %, receives the true value", 0.28, _exact("Bob"), within=1e-9),
            near("Example 2: the value above is taken", 0.8, _exact("u"), within=1e-9),
            near("Example 2: the value below is taken", 0.178, _exact("v"), within=5e-4, show=lambda v: f"{v:.3f}"),
        ),
    ),
    Experiment(
        "xiao/fig4", "Four distributions of sensitive values", "Figure 4",
        "Uniform and Gaussian over 50 values, and Salary (50) and Occupation (27) of a census extract. The extract is not available: "
        "a log-normal and a geometric distribution stand in for the last two.",
        xiao.figure_4,
        (
            holds("the two synthetic distributions", "a picture", synthetic, "symmetric to rounding"),
            holds("the extract's own salaries and occupations", "a picture, over 50 and 27 values", stands_in, "none: other data", STAND_IN),
        ),
    ),
    Experiment(
        "xiao/fig5", "Three recipients together against the best of them", "Figure 5",
        "Whatever Alice, Bob and Charlie received, all three together believe what Charlie, who has the best copy, "
        "believes alone.",
        figure_5,
        (
            holds("even where they differ most, both beliefs agree", "almost the same", _by_chance(6),
                  "6 times the distance of chance"),
            holds("from the law itself, over all combinations, there is no difference", "0 (Theorem 1)", exactly, "1e-12"),
            holds("the value that Charlie received stands out in the belief", "in all four", stands_out, "exact"),
        ),
        SIMULATED,
    ),
    Experiment(
        "xiao/fig6", "Each copy alone is a uniform perturbation", "Figure 6",
        "Every recipient's copy, looked at alone, has exactly the law of plain uniform perturbation.",
        figure_6,
        (holds("even where they differ most, measured and theory agree", "the same", _by_chance(6),
               "6 times the distance of chance"),),
        SIMULATED,
    ),
    Experiment(
        "xiao/fig7", "Independent copies give the data away", "Figure 7",
        "When up to 30 recipients pool independent copies, nearly every value is reconstructed; from nested copies about "
        "30 % are, however many collude.",
        figure_7,
        (
            holds("independent copies of 30 recipients", "almost all", _after_30("independent", lambda v: v > 0.95),
                  "above 95 %"),
            holds("nested copies of 30 recipients", "around 30 %", _after_30("nested", lambda v: abs(v - 0.3) < 0.03),
                  "± 3 points"),
            holds("nested: only a better copy helps", "by Theorem 1", only_the_best, "exact"),
            holds("the shares are those of Appendix 2", "by Appendix 2", beliefs_on_theory, "5 standard errors"),
        ),
        (
            Parameter("rows", "Rows", 20_000, 600_000, low=500, high=10**6),
            Parameter("draws", "Records that simulate the theory", 20_000, low=500, high=10**6),
        ),
    ),
    Experiment(
        "xiao/fig8", "What copies on demand cost", "Figure 8",
        "The history of a record stays below seven values however many copies are released, and a copy takes less than "
        "half a second.",
        figure_8,
        (
            holds("values stored a record, in every order of release", "below 7", bounded,
                  "1 + ln(p_max / p_min), at most 7.2"),
            holds("while copies are few, random order stores most and descending order least",
                  "random most, descending least", random_most, "in this order, from 3 to 300 copies"),
            holds("time for a copy", "less than 0.5 s", quick, "at this number of rows"),
        ),
        (
            Parameter("copies", "Copies released", (1, 3, 10, 30, 100, 300),
                      (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000), low=1, high=10_000),
            Parameter("rows", "Rows", 2_000, 600_000, low=100, high=10**6),
        ),
        timed=("seconds",),
    ),
)  # fmt: skip
