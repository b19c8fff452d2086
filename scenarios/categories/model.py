"""What the Categories page computes: a picture of any scenario, from a preview or from all rows.

Rows are processed in chunks and only counts are kept. What has a closed form never waits for rows, and what is not
looked at is not computed.
"""

import threading
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from trustscope.datasets import Dataset
from trustscope.engine.arrays import Bools, Integers
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.attacks.agreement import Insight
from trustscope.engine.attacks.optimal import Beforehand
from trustscope.engine.attacks.optimal.beforehand import Exposed
from trustscope.engine.uniform import UniformRelease, expected_history, history_bound
from trustscope.scenarios.categories.column import Column
from trustscope.scenarios.categories.person import person
from trustscope.scenarios.categories.promise import gamma
from trustscope.scenarios.categories.result import CategoriesResult, Copying, Held, Joining, Memory, Person
from trustscope.scenarios.categories.run import Run
from trustscope.scenarios.categories.scenario import (
    SCHEMES,
    SMALLEST,
    CategoriesScenario,
    Settings,
    View,
    retention,
    retentions,
)
from trustscope.scenarios.categories.side import alike, known_columns, personal, side_of
from trustscope.scenarios.categories.twenty import chosen, twenty
from trustscope.scenarios.categories.typical import typical
from trustscope.scenarios.coalition import MOST, Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import last
from trustscope.scenarios.words import count

PREVIEW = 5_000  # rows redrawn while a slider is dragged
CHUNK = 32_768  # rows of one step of a full pass
KEPT = 512  # figures remembered: dragging back must be as cheap as standing still
LIVE = 7  # recipients up to which every coalition is judged while something is dragged; beyond, when it is let go
WORK = 8_000_000  # draws, times coalitions, times recipients, where all coalitions are judged on draws
FEWEST_DRAWS = 2_000
SIDES = 6  # what is believed beforehand by different knowledge, that is remembered
LISTED_LIVE = 300_000  # combinations of values, times the size of the domain, listed while something is dragged


class Model:
    """A sensitive column, its keyed copies, and who looks at them.

    Parameters
    ----------
    dataset : Dataset
        Whose other columns are carried along: conditions of a count are about them.
    column : Column
        The sensitive one.
    seed : int
        The secret key of the copies.
    noun : str
        What rows stand for.
    """

    def __init__(self, dataset: Dataset, column: Column, seed: int, noun: str = "records") -> None:
        self.dataset, self.column, self.seed, self.noun = dataset, column, seed, noun
        self.size, self.rows = column.size, len(column.codes)
        # Rows in random order, always the same: any leading part is then a fair sample.
        self.order: Integers = np.random.default_rng(20_090_801).permutation(self.rows)
        self.codes: Integers = column.codes[self.order]
        self.codes.flags.writeable = False
        self.shares = posterior.empirical_prior(self.codes, self.size)
        self.releases = {
            scheme: UniformRelease(self.codes, self.size, scheme=scheme, key=seed, smallest=SMALLEST)
            for scheme in SCHEMES
        }
        self._figures, self._memory = Memo(KEPT), Memo(KEPT)
        self._conditions, self._previewed, self._few = Memo(16), Memo(128), Memo(KEPT)
        self._sides, self._risks, self._lock = Memo(SIDES), Memo(128), threading.Lock()
        self.losses = Memo(KEPT)  # laws of the likelihood ratio of two values

    @property
    def preview_rows(self) -> int:
        """Rows that a preview takes in."""
        return min(PREVIEW, self.rows)

    @property
    def others(self) -> tuple[str, ...]:
        """The other categorical columns, about which a condition can be."""
        return tuple(name for name in self.dataset.categorical if name != self.column.name)

    @property
    def beside(self) -> tuple[str, ...]:
        """The other columns of categories or numbers, which an attacker may know."""
        return tuple(name for name in (*self.dataset.categorical, *self.dataset.numeric) if name != self.column.name)

    def labels_of(self, name: str) -> list[str]:
        """The values of another categorical column, the most frequent first."""
        counts = self.dataset.frame[name].value_counts()
        return [str(label) for label in counts.index[counts.to_numpy() > 0]]

    def code(self, label: str) -> int:
        """The code of a value, by its label; the first where there is no such value."""
        return self.column.labels.index(label) if label in self.column.labels else 0

    def copy(
        self, recipient: Recipient, scheme: str, start: int = 0, stop: int | None = None, *, first: Recipient
    ) -> np.ndarray:
        """What a recipient holds of these rows.

        `first` is the most trusted of all: the copy of that one is read off the path under every scheme, so that only
        the others' change when the scheme does. The others' draws are independent of the path, so the law of
        independent copies stays as it is.
        """
        release = self.releases["nested" if recipient.number == first.number else scheme]
        return release.copy(retention(recipient), start, stop, recipient=recipient.number)

    def copy_of(self, recipient: Recipient, scheme: str, rows: np.ndarray, *, first: Recipient) -> np.ndarray:
        """What a recipient holds of a few people, always the same ones; most of it is known from the step before."""
        who = recipient.number if scheme == "independent" and recipient.number != first.number else None
        stop = int(rows.max()) + 1
        return self._few((recipient.trust, who), lambda: self.copy(recipient, scheme, 0, stop, first=first)[rows])

    def believed_of(self, rows: np.ndarray, settings: Settings) -> np.ndarray:
        """What is believed of these few people beforehand, where it is something else of each, shape (rows, size)."""
        side = self.side(settings)
        known = ("believed", self.knowledge(settings))
        return self._few(known, lambda: np.stack([not_none(side).of(int(row)) for row in rows]))

    def twenty(self, settings: Settings, joining: Joining | None) -> Twenty | None:
        """Whose value is guessed of twenty people, alone and together."""
        rows = self._few("rows", lambda: chosen(self))
        return twenty(self, settings, joining, rows)

    def prior(self, settings: Settings) -> np.ndarray | None:
        """What is believed beforehand; None stands for uniform."""
        return self.shares if settings.prior == "statistics" else None

    def place(self, number: int) -> int:
        """Where the person with this number, counted from 1, stands among the shuffled rows."""
        return int(np.flatnonzero(self.order == number - 1)[0])

    def where(self, view: View) -> np.ndarray | None:
        """Which rows meet the condition of the count; None for all."""
        if not view.among:
            return None

        def found() -> Bools:
            return (self.dataset.frame[view.among].astype(str) == view.label).to_numpy()[self.order]

        return self._conditions((view.among, view.label), found)

    # What the attacker knows beside the copies

    def knowledge(self, settings: Settings) -> tuple[Hashable, ...]:
        """All that figures depend on of what the attacker knows."""
        if not personal(self, settings):
            return (settings.prior,)
        return settings.prior, settings.knowledge, settings.others, known_columns(self, settings)

    def side(self, settings: Settings) -> Beforehand | None:
        """What is believed of single people beforehand; None where it is the same for everybody."""
        if not personal(self, settings):
            return None
        with self._lock:  # who asks meanwhile waits rather than work it out again
            return self._sides(self.knowledge(settings), lambda: side_of(self, settings))

    def people(self, settings: Settings) -> Beforehand:
        """What is believed of people beforehand, whether or not it is the same for everybody."""
        side = self.side(settings)
        return self._sides(("alike", settings.prior), lambda: alike(self, settings)) if side is None else side

    def exposed(self, settings: Settings) -> Exposed | None:
        """Who is exposed by the copies of the coalition; None where nobody pools."""
        if not settings.coalition:
            return None
        ps, scheme = tuple(sorted(retentions(settings.coalition), reverse=True)), settings.scheme
        return self._risks((ps, scheme, self.knowledge(settings)), lambda: self.people(settings).exposed(ps, scheme))

    def worst_belief(self, settings: Settings) -> float:
        """The most that the coalition can come to believe of a value of anybody."""
        return self.people(settings).worst(gamma(settings.coalition, settings.scheme, self.size))

    # Closed forms

    def growing(self, ps: Sequence[float], scheme: str, settings: Settings) -> tuple[Insight, ...]:
        """Expected figures of the first copy, the first two, and so on.

        With a uniform prior every value is found equally often, whatever the shares; otherwise the prior is the law
        of the rows. So in both cases theory speaks of these very rows.
        """
        ps = tuple(ps)
        key = (ps, scheme, self.knowledge(settings))
        prior = self.prior(settings)

        def found() -> tuple[Insight, ...]:
            side = self.side(settings)
            if side is None:
                return tuple(agreement.growing(ps, self.size, scheme=scheme, prior=prior))
            plain = self.growing(ps, scheme, _plain(settings)) if settings.others is None else [None] * len(ps)
            return tuple(map(_no_less, side.growing(ps, scheme), plain))

        return self._figures(key, found)

    def without(self, settings: Settings) -> Insight:
        """What is possible without any copy: naming the most frequent value, and what is believed beforehand."""
        side = self.side(settings)
        if side is not None:
            return _no_less(side.nobody, None if settings.others else self.without(_plain(settings)))
        before = agreement.nobody(self.size, self.prior(settings))
        return Insight(before.belief, float(self.shares.max()))

    def joining(self, settings: Settings) -> Joining | None:
        """The coalition, its best copy first, then the next best ..."""
        if not settings.coalition:
            return None
        order = tuple(sorted(settings.coalition, key=lambda r: -r.trust))
        without = self.without(settings)
        figures = {
            scheme: tuple(_at_least(without, one) for one in self.growing(retentions(order), scheme, settings))
            for scheme in SCHEMES
        }
        return Joining(order, figures, without)

    def coalitions(self, settings: Settings, live: bool) -> dict[str, list[Insight]] | None:
        """Figures of every subset under both schemes; None where they take too long while something is dragged.

        While it is dragged fewer combinations are listed and fewer records drawn. The coalition at work has the
        figures of the other views.
        """
        ps, many = tuple(retentions(settings.recipients)), len(settings.recipients)
        key = ("all", ps, self.knowledge(settings))
        if key in self._figures or not live:
            draws = int(np.clip(WORK / (many * 2**many), FEWEST_DRAWS, agreement.DRAWS))
            found = self._figures(key, lambda: self._every(ps, settings, draws, agreement.LISTED_FOR_ALL))
        elif many <= LIVE:
            found = self._every(ps, settings, FEWEST_DRAWS, LISTED_LIVE)
        else:
            return None
        joining = self.joining(settings)
        if joining is None:
            return found
        return {s: [joining.last(s) if mask == settings.mask else one for mask, one in enumerate(every)]
                for s, every in found.items()}  # fmt: skip

    def _every(self, ps: Sequence[float], settings: Settings, draws: int, cells: int) -> dict[str, list[Insight]]:
        without, prior, side = self.without(settings), self.prior(settings), self.side(settings)
        found = {}
        for scheme in SCHEMES:
            if side is not None:
                every = side.coalitions(ps, scheme)
                if settings.others is None:
                    plain = self._every(ps, _plain(settings), draws, cells)[scheme]
                    every = list(map(_no_less, every, plain))
                found[scheme] = [_at_least(without, one) for one in every]
                continue
            every = agreement.coalitions(ps, self.size, scheme=scheme, prior=prior, draws=draws, cells=cells)
            found[scheme] = [_at_least(without, one) for one in every]
        return found

    def further(self, settings: Settings, live: bool) -> dict[str, tuple[Insight, ...]] | None:
        """The coalition and further recipients at the same levels, one after the other, in both schemes."""
        own = sorted(retentions(settings.coalition), reverse=True)
        ps = tuple(own[i % len(own)] for i in range(max(MOST, len(own))))
        if live and (ps, "independent", self.knowledge(settings)) not in self._figures:
            return None
        return {scheme: self.growing(ps, scheme, settings) for scheme in SCHEMES}

    def memory(self, settings: Settings) -> Memory:
        """Values kept for a person once these copies are released, nested, in a release of its own."""
        ps = tuple(sorted(set(retentions(settings.recipients))))

        def measure() -> Memory:
            release = UniformRelease(self.codes[:PREVIEW], self.size, key=self.seed, smallest=SMALLEST)
            perturbed = [p for p in reversed(ps) if p < 1]  # the original needs no redraws
            for p in perturbed:
                release.copy(p)
            return Memory(
                release.values_stored,
                UniformRelease.expected_values(perturbed[-1], perturbed[0]) if perturbed else 0.0,
                expected_history(ps, self.size),
                float(history_bound(ps[-1], ps[0])),
                len(release),
            )

        return self._memory(ps, measure)

    # Pictures

    def preview(self, scenario: CategoriesScenario) -> CategoriesResult:
        """A picture from the first rows: at slider rate."""
        return Run(self, scenario, self.preview_rows, live=True).step(self.preview_rows)

    def stream(
        self, scenario: CategoriesScenario, chunk: int = CHUNK, opened: tuple[str, ...] | None = None
    ) -> Iterator[CategoriesResult]:
        """Pictures from ever more rows, the last one from all, with the views that are `opened`."""
        run = Run(self, scenario, self.rows, opened=opened)
        while run.done < self.rows:
            yield run.step(min(run.done + chunk, self.rows))

    def at_rest(self, scenario: CategoriesScenario) -> CategoriesResult:
        """The last picture of `stream`; what has a closed form, and is not looked at row by row, is not measured.

        So it takes little longer than a preview, for whoever wants pictures of very many scenarios.
        """
        if scenario.view.closer:
            picture: CategoriesResult = last(self.stream(scenario))
            return picture
        picture = Run(self, scenario, self.rows, live=True).step(self.rows)
        return replace(picture, exposed=self.exposed(scenario.settings))

    def person(self, scenario: CategoriesScenario) -> Person | None:
        """The person that is looked at."""
        number = scenario.view.person
        return None if number is None else person(self, scenario.settings, number)

    def nothing(self) -> Held:
        """No rows counted yet."""
        none = np.zeros(self.size, dtype=np.int64)
        return Held(0, none, none)

    def original(self, view: View) -> Held:
        """The column as it was, counted."""
        return self._conditions(("original", view.among, view.label), lambda: self.nothing().plus(
            self.codes, self.where(view)
        ))  # fmt: skip

    def preview_held(self, recipient: Recipient, scheme: str, view: View, *, first: Recipient) -> Held:
        """What a recipient holds of the first rows, counted; most of it is known from the step before."""
        who = recipient.number if scheme == "independent" and recipient.number != first.number else None
        rows = self.preview_rows

        def counted() -> Held:
            where = self.where(view)
            codes = self.copy(recipient, scheme, 0, rows, first=first)
            return self.nothing().plus(codes, None if where is None else where[:rows])

        return self._previewed((recipient.trust, who, view.among, view.label), counted)

    def copying(self, scenario: CategoriesScenario, chunk: int) -> Iterator[Copying]:
        """Steps of making the copies one after the other, the order in which they were asked for."""
        settings, view = scenario.settings, scenario.view
        where = self.where(view)
        step = Copying(scenario, self.original(view))
        for place, recipient in enumerate(settings.recipients):
            held = self.nothing()
            for start in range(0, self.rows, chunk):
                stop = min(start + chunk, self.rows)
                codes = self.copy(recipient, settings.scheme, start, stop, first=settings.first)
                held = held.plus(codes, None if where is None else where[start:stop])
                done = place + stop / self.rows
                step = step.with_copy(recipient, held, done, f"{count(stop)} {self.noun}")
                yield step

    # Fitting a scenario to the data

    def fit_to_data(self, scenario: CategoriesScenario) -> CategoriesScenario:
        """The scenario as far as it fits these data: values, columns and people that are there."""
        view = scenario.view
        names = [r.name for r in scenario.settings.recipients]
        among = view.among if view.among in self.others else ""
        labels = self.labels_of(among) if among else []
        found = scenario.replace({
            "data.columns": (),
            "data.column": self.column.name,
            "view.value": self.column.labels[self.code(view.value)],
            "settings.known": known_columns(self, scenario.settings),
            "view.whose": view.whose if view.whose in names else names[0],
            "view.among": among,
            "view.label": view.label if view.label in labels else next(iter(labels), ""),
        })  # fmt: skip
        if view.person is None or view.person > self.rows:
            found = found.replace({"view.person": typical(self, found.settings)})
        return found


def _plain(settings: Settings) -> Settings:
    """The same for somebody who knows the shares of the values and nothing of single people."""
    return settings.replace({"knowledge": "sample", "others": None, "known": ()})


def _no_less(one: Insight, plain: Insight | None) -> Insight:
    """Who knows more need not use it: the figures are at least those of who knows the shares alone."""
    if plain is None:
        return one
    right, belief = max((one, plain), key=lambda i: i.right), max((one, plain), key=lambda i: i.belief)
    return Insight(belief.belief, right.right, belief.belief_error, right.right_error)


def _at_least(without: Insight, one: Insight) -> Insight:
    """Nobody has to use a copy that does not help: the most frequent value can be named whatever the copies say."""
    if one.right >= without.right:
        return one
    return Insight(one.belief, without.right, one.belief_error)
