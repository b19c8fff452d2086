"""A picture of the Categories page in the making: rows come in, counts grow."""

from dataclasses import replace

from trustscope.engine.attacks import agreement, posterior
from trustscope.scenarios.categories.result import CategoriesResult, CoalitionResult, Further, Tally
from trustscope.scenarios.categories.scenario import SCHEMES, CategoriesScenario, Settings, retentions

ALONE, TOGETHER, RIVAL = "alone", "together", "rival"
COUNTED = {"everyone", "usefulness"}  # the views that count what each one holds
MEASURED = {"evidence", "joining"}  # the views that show what was measured, also while something is dragged


def attacks_of(settings: Settings) -> dict[str, tuple[tuple, str]]:
    """Whose guesses are measured: the best copy alone, all together, and all together under the other scheme."""
    who = settings.coalition
    if not who:
        return {}
    order = tuple(sorted(who, key=lambda r: -r.trust))
    found: dict[str, tuple[tuple, str]] = {ALONE: (order[:1], settings.scheme), TOGETHER: (order, settings.scheme)}
    return found | {RIVAL: (order, settings.rival)} if len(who) > 1 else found


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

    def __init__(self, model, scenario: CategoriesScenario, total: int, *, live: bool = False, opened=None):
        self.model, self.scenario, self.settings = model, scenario, scenario.settings
        self.total, self.done, self.live = total, 0, live
        self.opened = {scenario.view.closer} if opened is None else set(opened)
        self.joining = model.joining(self.settings)
        self.results = {} if self.joining is None else self._results()
        self.held = {r.number: model.nothing() for r in self.settings.recipients} if self.opened & COUNTED else {}
        self.curve = {s: [Tally() for _ in self.settings.coalition] for s in SCHEMES}
        self.where = model.where(scenario.view)

    def _results(self):
        figures = {ALONE: self.joining.alone}
        figures |= {TOGETHER: self.joining.last(self.settings.scheme), RIVAL: self.joining.last(self.settings.rival)}
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

    def _measure(self, start, stop):
        model, settings = self.model, self.settings
        side = model.side(settings)
        if side is not None:
            self._measure_people(side, start, stop)
            return
        truth, prior = model.codes[start:stop], model.prior(settings)
        copies = {}

        def held(who, scheme):
            for r in who:
                if (r, scheme) not in copies:
                    copies[r, scheme] = model.copy(r, scheme, start, stop, first=settings.first)
            return [copies[r, scheme] for r in who]

        def believed(who, scheme):
            return posterior.reconstruction_probability(
                truth, held(who, scheme), retentions(who), model.size, scheme=scheme, prior=prior
            )

        for name, result in self.results.items():
            guess = self._guess(held(result.who, result.scheme), result, prior)
            self.results[name] = replace(
                result,
                right_tally=result.right_tally.plus(guess == truth),
                belief_tally=result.belief_tally.plus(believed(result.who, result.scheme)),
            )
        if "joining" in self.opened and self.results:
            order = self.results[TOGETHER].who
            for scheme in SCHEMES:
                grown = [believed(order[: k + 1], scheme) for k in range(len(order))]
                self.curve[scheme] = [t.plus(values) for t, values in zip(self.curve[scheme], grown, strict=True)]

    def _measure_people(self, side, start, stop):
        """The same where something else is believed of each person beforehand: of those who are not in the sample."""
        rows = side.people[(side.people >= start) & (side.people < stop)]

        def found(who, scheme):
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

    def _guess(self, copies, result, prior):
        """The best guess; the most frequent value where that is right more often than the copies are."""
        model = self.model
        without = model.without(self.settings)
        if result.figures.right <= without.right and prior is None:
            return int(model.shares.argmax())
        return agreement.best_values(copies, retentions(result.who), model.size, scheme=result.scheme, prior=prior)

    def _count(self, start, stop):
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

    def _further(self):
        if not self.results:
            return None
        figures = self.model.further(self.settings, self.live)
        if figures is None:
            return None
        before = self.joining.without.belief
        return Further(
            {scheme: (before, *(one.belief for one in some)) for scheme, some in figures.items()},
            {scheme: tuple(tallies) for scheme, tallies in self.curve.items()},
            (0.0, *(one.belief_error for one in figures["independent"])),
            len(self.settings.coalition),
        )
