"""A ledger as it is read: what is recorded, what coalitions could do, and what the strongest attacker gets."""

import contextlib
from pathlib import Path
from typing import Any, Self

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.release import coalitions as _coalitions
from trustscope.release import risk as _risk
from trustscope.release import sample, words
from trustscope.release.chain import Event
from trustscope.release.coalitions import Coalition
from trustscope.release.kept import Kept
from trustscope.release.moments import as_numbers
from trustscope.release.plan import Data, data_of
from trustscope.release.policy import decided_settings
from trustscope.release.problems import Problem
from trustscope.release.recipe import Recipe
from trustscope.release.record import Copy, Record, recipient, thousandths
from trustscope.release.risk import Risk
from trustscope.release.store import FILE, Store
from trustscope.release.types import Cancel, PathLike, Progress, Rules, Setting


class RecordedLedger:
    """What can be asked of a ledger without its key; `Ledger` writes to it, too."""

    def __init__(
        self, folder: PathLike, *, passphrase: str | None = None, data: PathLike | None = None, wait: float = 0
    ) -> None:
        self.folder = Path(folder).absolute()
        self._wait = check_wait(wait)
        self.notes: list[str] = []
        self._passphrase = passphrase
        self._moved = data
        self._store = Store(self.folder)
        self._key: bytes | None = None

    def close(self) -> None:
        """Let go of the ledger's file and key."""
        self._store.close()
        self._key = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    # ------------------------------------------------------------------ what is recorded
    @property
    def record(self) -> Record:
        """The `Record` of all events, read anew whenever it is asked for."""
        return Record(self._store.events())

    @property
    def history(self) -> list[Event]:
        """All events, the oldest first: `number`, `time`, `kind`, `body`, `digest`."""
        return self.record.events

    @property
    def copies(self) -> list[Copy]:
        """All issued copies, a list of `Copy`."""
        return self.record.copies

    @property
    def head(self) -> str:
        """Digest of the last event: it fixes all that came before."""
        return self.record.head

    def recipe(self) -> Recipe:
        """What copies are made by; needs the data to be there."""
        record = self.record
        return Recipe.from_record(record.created["recipe"], self._data(record))

    def for_same_data(self) -> list[Path]:
        """Other ledgers in the folder that this one is in, for data at the same place: their folders."""
        found, mine = [], self.record.data["path"]
        for folder in sorted(file.parent for file in self.folder.parent.glob(f"*/{FILE}")):
            # One that cannot be read is no reason to refuse work on this one.
            with contextlib.suppress(Problem), RecordedLedger(folder) as other:
                if folder != self.folder and other.record.data["path"] == mine:
                    found.append(folder)
        return found

    def holders(self) -> dict[str, list[Copy]]:
        """Copies by recipient, a dict of str to list of `Copy`."""
        return self.record.holders()

    def coalitions(self) -> list[Coalition]:
        """What each coalition can do with what is out, a list of `Coalition`."""
        return self._table()

    def what_if(self, to: str, trust: float | None = None, retention: float | None = None) -> list[Coalition]:
        """`coalitions` as they would be with one more copy."""
        recipe = self.recorded_recipe
        setting = self._setting(recipe, trust, retention)
        return self._table((recipient(to, self.holders()), setting))

    def _table(self, more: tuple[str, Setting] | None = None) -> list[Coalition]:
        return _coalitions.table(self.recorded_recipe, self._settings(more))

    def _settings(self, more: tuple[str, Setting] | None = None) -> dict[str, list[Setting]]:
        """Settings of the copies that each recipient holds, with one more, (name, setting)."""
        held = {name: [copy.setting for copy in copies] for name, copies in self.holders().items()}
        if more:
            held.setdefault(more[0], []).append(more[1])
        return held

    # ------------------------------------------------------------------ what the strongest attacker gets
    def risk(
        self,
        to: str | None = None,
        trust: float | None = None,
        retention: float | None = None,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Risk | None:
        """What the strongest attacker gets from all copies that are out, a `Risk`; None where none are.

        With a recipient, a trust and a retention in per cent: what they would get with one more copy. The first look
        at a setting takes some seconds for each column; figures are kept in the ledger's folder.
        """
        more = None if to is None else (to, self._setting(self.recorded_recipe, trust, retention))
        settings = [setting for held in self._settings(more).values() for setting in held]
        if not settings:
            return None
        return self.risks().at(_coalitions.best_setting(settings), progress=progress, cancel=cancel)

    def each_risk(
        self, *, measure: bool = True, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> list[tuple[Risk, tuple[str, ...]]]:
        """What every coalition gets: a list of (`Risk`, names of those who get it by themselves).

        The best copy decides, so there is one entry for each setting that a coalition can have, all together first.
        """
        risks, wanted = self.risks(), _coalitions.distinct_settings(self._settings())
        if not measure and any(risks.known(setting) is None for setting, _ in wanted):
            raise Problem("What the strongest attacker gets has not been measured yet.")
        found = []
        for place, (setting, names) in enumerate(wanted):
            part = _part(progress, place, len(wanted)) if progress else None
            found.append((risks.at(setting, progress=part, cancel=cancel), names))
        return found

    def risks(self, key: bytes | None = None) -> _risk.Risks:
        """The `Risks` of the data; with the key only figures under its seal are believed."""
        record = self.record
        return _risk.Risks(
            self.recorded_recipe, lambda: self._data(record), record.data, self.folder, key
        )  # fmt: skip

    def _risks_if_ready(self, setting: Setting) -> _risk.Risks | None:
        """The `Risks`, if all that the rules ask for with one more copy at this setting is worked out, or None."""
        out = [one for held in self._settings().values() for one in held]
        everyone, *fewer = decided_settings(self.policy, out, setting)
        risks = self.risks()
        ready = risks.is_ready(self.policy, everyone) and all(risks.known(one) is not None for one in fewer)
        return risks if ready else None

    def known_risk(
        self, to: str | None = None, trust: float | None = None, retention: float | None = None
    ) -> Risk | None:
        """As `risk`, if it has been measured before; None otherwise."""
        more = None if to is None else (to, self._setting(self.recorded_recipe, trust, retention))
        settings = [setting for held in self._settings(more).values() for setting in held]
        return self.risks().known(_coalitions.best_setting(settings)) if settings else None

    def old_floor(self) -> str:
        """What has to be said of a floor that was set against the best linear guess, and how it reads now."""
        everyone = self.coalitions()[-1:]
        return words.old_floor(self.policy, self.risk(), everyone[0].error if everyone else None)

    def numbers(self) -> dict[str, Floats]:
        """A sample of the numbers as they would be released without noise, by column: what may stand out in them."""
        record, recipe = self.record, self.recorded_recipe
        names = recipe.roles.numbers
        if not names:
            return {}
        table = sample.draw(self._data(record), recipe, record.data["rows"], record.data["digest"], columns=names)
        found = {name: as_numbers(table, name) for name in names}
        return {name: values[~np.isnan(values)] for name, values in found.items()}

    @property
    def kept(self) -> Kept | None:
        """Whom kept columns single out, a `Kept` as it was found when the ledger was created; None of an older one."""
        return Kept.from_record(self.record.created.get("kept"))

    @property
    def recorded_recipe(self) -> Recipe:
        """The `Recipe` without looking at the data: enough for all but making copies."""
        return Recipe.from_record(self.record.created["recipe"])

    @property
    def policy(self) -> Rules:
        """The rules for copies, a dictionary; see `trustscope.release.policy`."""
        return self.record.policy

    # ------------------------------------------------------------------ inside
    def _setting(self, recipe: Recipe, trust: float | None, retention: float | None) -> Setting:
        return (
            thousandths(trust, "trust", bool(recipe.roles.numbers)),
            thousandths(retention, "retention", bool(recipe.roles.categories)),
        )

    def _data(self, record: Record) -> Data:
        return data_of(record, self._moved)


def _part(progress: Progress, place: int, parts: int) -> Progress:
    """The progress of one part of several that take about as long: `progress` is told of all of it."""
    return lambda done, total: progress(place * (total or 1) + done, parts * (total or 1))


def check_wait(seconds: Any) -> float:
    """Seconds to wait for another program, or what is wrong with them."""
    try:
        number = float(seconds)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise Problem(f"The time to wait for another program is a number of seconds from 0, not {seconds!r}.")
    return number
