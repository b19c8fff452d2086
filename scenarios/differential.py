"""Differential privacy on the pages: what both kinds of copies have in common, and the limits said beside it."""

from dataclasses import dataclass, replace
from html import escape

import numpy as np
import pandas as pd

from trustscope import colours, schemes
from trustscope.looks import Axis, Look, Looks, of_schemes, with_looks
from trustscope.numbers import RAISED, plain, share
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.words import number_word

TITLE = "In terms of differential privacy"
DELTAS = (3, 4, 5, 6, 7, 8, 9, 10, 12)  # delta is ten to the minus one of these
ALARMS = np.concatenate([[0, 0.001, 0.002, 0.005], np.linspace(0.01, 1, 100)])  # false alarms at which a curve is drawn
ONE_IN_TWENTY = 0.05  # false alarms of the test that captions speak of
LIMITS = (
    "Rows themselves are released, each with noise of its own (“local” differential privacy): figures are much larger "
    "than where only statistics of many people are published.",
    "The shape and the size of the noise, and the values that are possible, are taken from the data: what is said here "
    "holds for this table, and is no promise about how they were found.",
)
UNBOUNDED = (
    "A column has no bounds of its own: the whole range is from the smallest to the largest value here, and somebody "
    "beyond it would have no finite figure. Coding both ends before the noise makes such bounds."
)


@dataclass(frozen=True, eq=False)
class Growth:
    """epsilon as more recipients pool, best copy first.

    Attributes
    ----------
    order : tuple of Recipient
    epsilon : dict of str to array, (recipients,)
        By scheme, of the first copy, of the first two together, and so on.
    misses : dict of str to array, (places,)
        By scheme, of all of them together: the least share of misses at each of `ALARMS`; "alone" for the best copy.
    delta : int
        The power of ten; 0 for no delta at all.
    """

    order: tuple[Recipient, ...]
    epsilon: dict[str, np.ndarray]
    misses: dict[str, np.ndarray]
    delta: int

    @property
    def rival(self) -> str:
        """The scheme that is compared with nested copies."""
        return next(scheme for scheme in self.epsilon if scheme != "nested")

    @property
    def alone(self) -> float:
        """Of the best copy alone: the same in all schemes."""
        return float(self.epsilon["nested"][0])

    def together(self, scheme: str) -> float:
        """Of all of them."""
        return float(self.epsilon[scheme][-1])


def power_of_ten(power: int) -> str:
    """delta as it is written: 10⁻⁶."""
    return f"10{str(-power).translate(RAISED)}"


def at(delta: int) -> str:
    """Under which delta an epsilon holds; nothing where there is none."""
    return f" at δ = {power_of_ten(delta)}" if delta else ""


def growth_table(told: Growth | None) -> pd.DataFrame:
    """epsilon as one after the other joins, one column for each scheme; nan where it has no bound, and no rows where
    nobody pools."""
    if told is None:
        return pd.DataFrame()
    table = pd.DataFrame({
        "pooling": np.arange(1, len(told.order) + 1), "who joins": [r.name for r in told.order],
        "trust": [r.trust for r in told.order],
    } | {f"epsilon, {scheme}": np.where(np.isinf(every), np.nan, every) for scheme, every in told.epsilon.items()}
    )  # fmt: skip
    finite = [every[np.isfinite(every)] for every in told.epsilon.values()]
    top = max([1.0, *(float(every.max()) for every in finite if every.size)])
    series = {f"epsilon, {scheme}": replace(look, mark="line", width=3.0)
              for scheme, look in of_schemes(told.epsilon).items()}  # fmt: skip
    if len(told.order) == 1:
        series = {column: replace(look, mark="dot") for column, look in series.items()}
    many = len(told.order)
    return with_looks(table, Looks(
        "pooling", series, Axis("recipients who pool", low=0.7, high=many + 0.3, ticks=tuple(range(1, many + 1))),
        Axis(f"ε{at(told.delta)}", low=0.0, high=1.08 * top),
    ))  # fmt: skip


def alarms_table(told: Growth | None) -> pd.DataFrame:
    """False alarms and misses of the best test, of the best copy alone and of all together in each scheme."""
    if told is None:
        return pd.DataFrame()
    table = pd.DataFrame({
        "false alarms": ALARMS, "guessing": 1 - ALARMS, "misses, best copy alone": told.misses["alone"],
    } | {f"misses, {scheme}": told.misses[scheme] for scheme in told.epsilon})  # fmt: skip
    series = {
        "guessing": Look(colours.NEUTRAL, "whoever guesses", "dotted", 1.5),
        "misses, best copy alone": Look(colours.ORIGINAL, f"{told.order[0].name} alone", width=6.0),
    } | {
        f"misses, {scheme}": replace(look, name=f"together, {look.name}", mark="line", dash="dashed", width=2.5)
        for scheme, look in of_schemes(told.epsilon).items()
    }  # fmt: skip
    return with_looks(table, Looks(
        "false alarms", series, Axis("false alarms", share=True, low=0.0, high=1.0),
        Axis("misses", share=True, low=0.0, high=1.02),
    ))  # fmt: skip


def pooled(told: Growth, names: str) -> str:
    """epsilon alone and together, as a sentence of HTML; `names` says what copies of a scheme are called."""
    best, many = escape(told.order[0].name), len(told.order)
    alone = f"{best} alone: <b>ε = {plain(told.alone)}</b>{at(told.delta)}."
    if many == 1:
        return alone
    rival = schemes.adjective(told.rival)
    return (
        f"{alone} All {number_word(many)} together: <b>{plain(told.together('nested'))}</b> if {names} nested, as the "
        f"best of them; <b>{plain(told.together(told.rival))}</b> if {names} {rival}."
    )


def best_test(told: Growth) -> str:
    """What a test finds, as a sentence of HTML."""
    best, many = escape(told.order[0].name), len(told.order)
    finds = {name: f"<b>{share(share_found(misses))}</b>" for name, misses in told.misses.items()}
    alone = (
        f"The best test with one false alarm in twenty finds {finds['alone']} of those it looks for with {best}'s copy"
    )
    if many == 1:
        return f"{alone}; whoever guesses finds 5 %."
    return (
        f"{alone}, {finds['nested']} with all copies if they are nested, {finds[told.rival]} if they are "
        f"{schemes.adjective(told.rival)}; whoever guesses finds 5 %."
    )


def share_found(misses: np.ndarray) -> float:
    """How many of those it looks for a test finds that has one false alarm in twenty."""
    return 1 - float(np.interp(ONE_IN_TWENTY, ALARMS, misses))
