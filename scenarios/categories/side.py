"""What the attacker of the Categories page knows beside the copies: other people's records, and other columns.

With nothing but the shares of the values, what is believed beforehand is the same for everybody and figures are exact.
Somebody who knows other columns of people believes something else of each of them
(`engine.attacks.optimal.beforehand`): that is worked out once, and then every coalition and every slider is a look-up.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from trustscope.datasets import Dataset
from trustscope.engine.arrays import Floats, Integers
from trustscope.engine.attacks import posterior
from trustscope.engine.attacks.optimal import Beforehand, Knowledge, Known, beforehand
from trustscope.engine.uniform import UniformRelease
from trustscope.scenarios.categories.column import Column
from trustscope.scenarios.categories.scenario import Settings
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.words import count, listed

KEY = 20_090_801  # decides whom the attacker knows: the same people for everybody who looks
PEOPLE = 4_096  # people whose risks are worked out, at most
BELIEFS = 2_000_000  # beliefs of them that are held
NAMED = 3  # columns that are named where they are told; of more there is a number


class ColumnModel(Protocol):
    """A model, as far as it is asked by what it is made of."""

    dataset: Dataset
    column: Column
    seed: int
    size: int
    rows: int
    order: Integers
    codes: Integers
    shares: Floats
    releases: dict[str, UniformRelease]

    def place(self, number: int) -> int:
        """Where a person stands among the shuffled rows."""

    def prior(self, settings: Settings) -> Floats | None:
        """What is believed beforehand."""

    def side(self, settings: Settings) -> Beforehand | None:
        """What is believed of single people beforehand."""

    def believed_of(self, rows: Integers, settings: Settings) -> Floats:
        """The same of these few."""

    def copy(
        self, recipient: Recipient, scheme: str, start: int = 0, stop: int | None = None, *, first: Recipient
    ) -> Integers:
        """What a recipient holds of these rows."""

    def copy_of(self, recipient: Recipient, scheme: str, rows: Integers, *, first: Recipient) -> Integers:
        """The same of a few people."""


def known_columns(model: ColumnModel, settings: Settings) -> tuple[str, ...]:
    """The columns that the attacker knows of everybody, of those that there are."""
    there = {*model.dataset.categorical, *model.dataset.numeric} - {model.column.name}
    return tuple(name for name in settings.known if name in there)


def personal(model: ColumnModel, settings: Settings) -> bool:
    """Whether the attacker believes something else of each person beforehand than what is most frequent."""
    if settings.prior == "nothing":
        return False
    return bool(known_columns(model, settings)) or (settings.knowledge == "sample" and settings.others is not None)


def side_of(model: ColumnModel, settings: Settings) -> Beforehand:
    """What is believed of people beforehand by what is known of them: of those who are not in the sample."""
    names = known_columns(model, settings)
    what = Knowledge(settings.others, settings.knowledge == "everybody")
    return beforehand(model.codes, model.size, _known(model, names), knowledge=what, key=KEY)


def alike(model: ColumnModel, settings: Settings) -> Beforehand:
    """The same where nothing but the shares is known, or nothing at all: one belief for everybody."""
    prior = model.prior(settings)
    shares = posterior.uniform_prior(model.size) if prior is None else prior
    people = np.arange(min(model.rows, PEOPLE, max(64, BELIEFS // model.size)))
    return Beforehand(people, model.codes[people], np.tile(shares, (len(people), 1)), KEY)


def _known(model: ColumnModel, names: Sequence[str]) -> Known:
    frame = model.dataset.frame
    there = [frame[name].to_numpy(dtype=float) for name in names if name in model.dataset.numeric]
    numbers = [_numbers(values) for values in there]
    # Who knows a column knows of whom it has no number, too, and that may tell more than the numbers do.
    codes = [np.isnan(values).astype(np.int64) for values in there if np.isnan(values).any()]
    sizes = [2] * len(codes)
    for name in names:
        if name in model.dataset.categorical:
            column = frame[name].cat.codes.to_numpy().astype(np.int64)
            gaps = column < 0
            values = len(frame[name].cat.categories)
            codes.append(np.where(gaps, values, column))
            sizes.append(max(values + int(gaps.any()), 2))
    rows = np.zeros((model.rows, 0))
    return Known(
        np.column_stack([rows, *numbers])[model.order],
        np.column_stack([rows, *codes])[model.order].astype(np.int64),
        tuple(sizes),
    )


def _numbers(values: Floats) -> Floats:
    """Numbers without gaps: who has none is taken for the middle one."""
    gaps = np.isnan(values)
    if gaps.all():
        return np.zeros(len(values))
    return np.where(gaps, np.median(values[~gaps]), values) if gaps.any() else values


# In words


def columns_in_words(names: tuple[str, ...]) -> str:
    """Sex and Ward; eight other columns."""
    return listed(list(names)) if len(names) <= NAMED else f"{count(len(names))} other columns"


def attacker_in_words(settings: Settings) -> str:
    """Who is meant by the attacker: to follow "somebody who"."""
    if settings.prior == "nothing":
        return "knows nothing beforehand"
    columns = f" and {columns_in_words(settings.known)} of everybody" if settings.known else ""
    if settings.knowledge == "everybody":
        knows = columns.replace(" and", " and knows", 1)
        return f"has everybody's records but not their names{knows}"
    if settings.others is not None:
        return f"knows the records of {count(settings.others)} other people{columns}"
    if settings.known:
        return f"knows the records of half of the people{columns}"
    return "knows how frequent each value is, and no other column"
