"""A picture of the Categories page in the making: rows come in, counts grow."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.agreement import Insight
from trustscope.engine.attacks.optimal.beforehand import Beforehand, Exposed
from trustscope.scenarios.categories.result import (
    CategoriesResult,
    CoalitionResult,
    Further,
    Held,
    Joining,
    Memory,
    Person,
    Tally,
)
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario, Settings, View, retentions
from trustscope.scenarios.categories.side import ColumnModel
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none

ALONE, TOGETHER, RIVAL = "alone", "together", "rival"
COUNTED = {"everyone", "usefulness"}  # the views that count what each one holds
MEASURED = {"evidence", "joining"}  # the views that show what was measured, also while something is dragged


def attacks_of(settings: Settings) -> dict[str, tuple[tuple[Recipient, ...], str]]:
    """Whose guesses are measured: the best copy alone, all together, and all together under the other scheme."""
    who = settings.coalition
    if not who:
        return {}
    order = tuple(sorted(who, key=lambda r: -r.trust))
    found: dict[str, tuple[tuple[Recipient, ...], str]] = {
        ALONE: (order[:1], settings.scheme),
        TOGETHER: (order, settings.scheme),
    }
    return found | {RIVAL: (order, settings.rival)} if len(who) > 1 else found


class PictureModel(ColumnModel, Protocol):
    """A model, as far as pictures need it."""

    def nothing(self) -> Held:
        """No rows counted yet."""

    def where(self, view: View) -> Bools | None:
        """Which rows meet the condition of the count."""

    def original(self, view: View) -> Held:
        """The column as it was, counted."""

    def preview_held(self, recipient: Recipient, scheme: str, view: View, *, first: Recipient) -> Held:
        """What a recipient holds of the first rows, counted."""

    def without(self, settings: Settings) -> Insight:
        """What is possible without any copy."""

    def joining(self, settings: Settings) -> Joining | None:
        """The coalition, its best copy first."""

    def coalitions(self, settings: Settings, live: bool) -> dict[str, list[Insight]] | None:
        """Figures of every subset."""

    def further(self, settings: Settings, live: bool) -> dict[str, tuple[Insight, ...]] | None:
        """The coalition and further recipients."""

    def memory(self, settings: Settings) -> Memory:
        """Values kept for a person."""

    def exposed(self, settings: Settings) -> Exposed | None:
        """Who is exposed."""

    def person(self, scenario: CategoriesScenario) -> Person | None:
        """The person that is looked at."""

    def twenty(self, settings: Settings, joining: Joining | None) -> Twenty | None:
        """Whose value is guessed of twenty people."""


class Run:
    """One picture in the making.

    Parameters
    ----------
    model : Model
    scenario : CategoriesScenario
        Fitted to the data.
    total : int
        Rows to take in.
    live : bool
        Whether something is being dragged: then only what is seen is measured.
    opened : names of views, optional
        What is looked at; the view that is open, unless several are wanted at once.
    """

    def __init__(
        self,
        model: PictureModel,
        scenario: CategoriesScenario,
        total: int,
        *,
        live: bool = False,
        opened: tuple[str, ...] | None = None,
    ) -> None:
        self.model, self.scenario, self.settings = model, scenario, scenario.settings
        self.total, self.done, self.live = total, 0, live
        self.opened = {scenario.view.closer} if opened is None else set(opened)
        self.joining = model.joining(self.settings)
        self.results = {} if self.joining is None else self._results()
        self.held = {r.number: model.nothing() for r in self.settings.recipients} if self.opened & COUNTED else {}
        self.curve = {s: [Tally() for _ in self.settings.coalition] for s in SCHEMES}
        self.where = model.where(scenario.view)

    def _results(self) -> dict[str, CoalitionResult]:
        joining = not_none(self.joining)
        figures = {ALONE: joining.alone}
        figures |= {TOGETHER: joining.last(self.settings.scheme), RIVAL: joining.last(self.settings.rival)}
        return {
            name: CoalitionResult(who, scheme, figures[name])
            for name, (who, scheme) in attacks_of(self.settings).items()
        }

    # Rows coming in

    def step(self, stop: int) -> CategoriesResult:
        """Take in the rows up to `stop` and show where things stand."""
        start, self.done = self.done, stop
        if not self.live or self.opened & MEASURED:
            self._measure(start, stop)
        if self.opened & COUNTED:
            self._count(start, stop)
        return self._picture()

    def _measure(self, start: int, stop: int) -> None:
        model, settings = self.model, self.settings
        side = model.side(settings)
        if side is not None:
            self._measure_people(side, start, stop)
            return
        truth, prior = model.codes[start:stop], model.prior(settings)
        copies = {}

        def held(who: Sequence[Recipient], scheme: str) -> list[Integers]:
            for r in who:
                if (r, scheme) not in copies:
                    copies[r, scheme] = model.copy(r, scheme, start, stop, first=settings.first)
            return [copies[r, scheme] for r in who]

        def believed(who: Sequence[Recipient], scheme: str) -> Floats:
            return posterior.reconstruction_probability(
                truth, held(who, scheme), retentions(who), model.size, scheme=scheme, prior=prior
            )

        for name, result in self.results.items():
            guess = self._guess(held(result.who, result.scheme), result, prior)
            self.results[name] = replace(
                result,
                right_tally=result.right_tally.plus(np.asarray(guess == truth)),
                belief_tally=result.belief_tally.plus(believed(result.who, result.scheme)),
            )
        if "joining" in self.opened and self.results:
            order = self.results[TOGETHER].who
            for scheme in SCHEMES:
                grown = [believed(order[: k + 1], scheme) for k in range(len(order))]
                self.curve[scheme] = [t.plus(values) for t, values in zip(self.curve[scheme], grown, strict=True)]

    def _measure_people(self, side: Beforehand, start: int, stop: int) -> None:
        """The same where something else is believed of each person beforehand: of those who are not in the sample."""
        rows = side.people[(side.people >= start) & (side.people < stop)]

        def found(who: Sequence[Recipient], scheme: str) -> tuple[Floats, Floats]:
            best = who[:1] if scheme == "nested" else who
            first = self.settings.first
            copies = [self.model.copy(r, scheme, start, stop, first=first)[rows - start] for r in best]
            return side.measured(rows, copies, retentions(best))

        for name, result in self.results.items():
            right, belief = found(result.who, result.scheme)
            self.results[name] = replace(
                result, right_tally=result.right_tally.plus(right), belief_tally=result.belief_tally.plus(belief)
            )
        if "joining" in self.opened and self.results:
            order = self.results[TOGETHER].who
            for scheme in SCHEMES:
                grown = [found(order[: k + 1], scheme)[1] for k in range(len(order))]
                self.curve[scheme] = [t.plus(values) for t, values in zip(self.curve[scheme], grown, strict=True)]

    def _guess(self, copies: list[Integers], result: CoalitionResult, prior: Floats | None) -> Integers | int:
        """The best guess; the most frequent value where that is right more often than the copies are."""
        model = self.model
        without = model.without(self.settings)
        if result.figures.right <= without.right and prior is None:
            return int(model.shares.argmax())
        return agreement.best_values(copies, retentions(result.who), model.size, scheme=result.scheme, prior=prior)

    def _count(self, start: int, stop: int) -> None:
        model, scheme, first = self.model, self.settings.scheme, self.settings.first
        where = None if self.where is None else self.where[start:stop]
        for r in self.settings.recipients:
            if self.live:
                self.held[r.number] = model.preview_held(r, scheme, self.scenario.view, first=first)
            else:
                copy = model.copy(r, scheme, start, stop, first=first)
                self.held[r.number] = self.held[r.number].plus(copy, where)

    # The picture

    def _picture(self) -> CategoriesResult:
        """The state so far."""
        model, settings, opened = self.model, self.settings, self.opened
        return CategoriesResult(
            scenario=self.scenario, rows=self.done, total=self.total, joining=self.joining,
            person=model.person(self.scenario), results=dict(self.results),
            original=model.original(self.scenario.view) if opened & COUNTED else None, held=dict(self.held),
            coalitions=model.coalitions(settings, self.live) if "coalitions" in opened else None,
            further=self._further() if "joining" in opened else None,
            memory=model.memory(settings) if "memory" in opened else None,
            exposed=model.exposed(settings) if "exposed" in opened or not self.live else None,
            twenty=model.twenty(settings, self.joining),
        )  # fmt: skip

    def _further(self) -> Further | None:
        if not self.results:
            return None
        figures = self.model.further(self.settings, self.live)
        if figures is None:
            return None
        before = not_none(self.joining).without.belief
        return Further(
            {scheme: (before, *(one.belief for one in some)) for scheme, some in figures.items()},
            {scheme: tuple(tallies) for scheme, tallies in self.curve.items()},
            (0.0, *(one.belief_error for one in figures["independent"])),
            len(self.settings.coalition),
        )
