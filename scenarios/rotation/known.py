"""The second step: an insider who knows some of the records finds them in the release, and others with them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from trustscope.engine.arrays import Bools, Floats, Integers
from trustscope.engine.attacks import known_input
from trustscope.engine.attacks.known_input import KnownInputAttack, KnowsOthers, value_chances
from trustscope.engine.measures import breach_size
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.judge import JUDGED, Judge
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import Closeness, Growth, Known, One, Rate, RotationResult, mean_of
from trustscope.scenarios.rotation.scenario import FURTHEST, USUAL, RotationScenario, Settings
from trustscope.scenarios.rotation.twenty import StoryModel, twenty
from trustscope.scenarios.value import not_none

ROUNDING = 1e-12  # of the largest length: what is nearer than this is the same
DRAWS = 60  # rotations drawn where there is no closed form, and to hold the closed form against
EPS = np.array([0.002, 0.005, 0.01, *np.linspace(0.02, FURTHEST, 30)])
PAPER = known_input.ATTACKERS  # ("uniform", "projection")
GUESSES = (*PAPER, "others")
HOW = {
    "uniform": "one guess at random of all that are still possible",
    "projection": "by projection",
    "others": "by what is known of other people",
}
PICTURED = 3 * len(GUESSES)  # chances of pictures: one is made anew for each card that is opened, and at each pass
TOGETHER = 4  # numbers of known records that are worked out before somebody may call it off


class KnownStory:
    """Links, what they give away of all others, and what more or fewer known records would.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: StoryModel) -> None:
        self._model, self.records = model, model.records
        self.judged = min(JUDGED, self.records.rows)
        self._slack = ROUNDING * (float(model.norms.max()) + model.shift_length)
        self._attacks, self._kept, self._drawn, self._knowing = Memo(64), Memo(6_144), Memo(8), Memo(64)
        self._pictured, self._best = Memo(PICTURED), Memo(64)

    # Pictures

    def preview(self, scenario: RotationScenario) -> Known | None:
        """At slider rate; None where a shift hides lengths and the links have not been found before."""
        return None if self._hidden(scenario) else self._picture(scenario, quick=True)

    def _hidden(self, scenario: RotationScenario) -> bool:
        return self._model.shifted and ("attack", self._places(scenario)) not in self._attacks

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """With what other numbers of known records would give away, one by one, and what is looked at closer."""
        if self._hidden(scenario):
            yield RotationResult(
                scenario, waiting="The insider looks for rows at the right distances from one another …"
            )
        picture = self._picture(scenario)
        if scenario.view.closer == "closeness":
            picture = replace(picture, closeness=self._closeness(picture))
        yield picture
        for guesses, together in ((PAPER, None), (GUESSES, TOGETHER)):
            for number, places in enumerate(self._prefixes(scenario), start=1):
                self._shares(places, scenario.settings, guesses)
                if together and number % together == 0:
                    yield replace(picture, growth=self._growth(scenario))
            yield replace(picture, growth=self._growth(scenario))

    def _picture(self, scenario: RotationScenario, quick: bool = False) -> Known:
        """`quick`: without the guess of who knows others, unless that has been worked out before."""
        settings, places = scenario.settings, self._places(scenario)
        found = self.attack(places)
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        without = self._model.without(settings)
        wait = quick and self._key(places, settings, "others") not in self._kept
        chances = {
            guess: self._pictured(self._asked(found, judge, guess), partial(self._chances, places, judge, guess))
            for guess in (PAPER if wait else GUESSES)
        }
        known = found.linked_rows[self._model.row_of][: self.judged]
        shares = {guess: np.where(known, np.nan, share) for guess, (share, _) in chances.items()}
        attributes = {guess: _by_attribute(values, known, self.records) for guess, (_, values) in chances.items()}
        residuals, norms = found.residuals[self._model.row_of], found.norms[self._model.row_of]
        relative = residuals[: self.judged] / np.where(norms[: self.judged] > 0, norms[: self.judged], 1)
        exposed, typical = examples(np.maximum.reduce(list(shares.values())), relative)
        closed = self._closed(settings.kind)
        picture = Known(
            scenario, found, {place: bool(found.links.rows[n] >= 0) for n, place in enumerate(places)},
            shares["uniform"], shares["projection"], shares.get("others"), attributes, without,
            residuals, norms, exposed, typical, closed,
            0 if closed or not (found.informed and found.freedom) else DRAWS, self._growth(scenario),
        )  # fmt: skip
        rate, (record, values) = picture.means[picture.leader], chances[picture.leader]
        # Who is known is recovered, however the others are guessed.
        record, values = np.where(known, 1.0, record), np.where(known[:, None], 1.0, values)
        picture = replace(picture, twenty=twenty(self._model, settings, without, rate, record, values, quick=quick))
        return replace(picture, one=self._one(picture)) if scenario.view.closer == "record" else picture

    # The attack

    def attack(self, places: tuple[int, ...]) -> KnownInputAttack:
        """What follows from knowing these records."""

        def make() -> KnownInputAttack:
            model = self._model
            norms = None
            if model.shifted:  # an audit uses the true lengths, in the order of the released rows
                norms = np.empty(self.records.rows)
                norms[model.row_of] = model.norms
            found = known_input.attack(
                self.records.private[list(places)], model.release.released, translated=model.shifted, norms=norms
            )
            # Of a record of length 0 no rounding would be small enough.
            return replace(found, residuals=np.where(found.residuals > self._slack, found.residuals, 0.0))

        return self._attacks(("attack", places), make)

    def _places(self, scenario: RotationScenario) -> tuple[int, ...]:
        known = not_none(scenario.settings.known)
        return tuple(place for number in known if (place := self.records.place(number)) is not None)

    def _closed(self, kind: str) -> bool:
        return kind in ("value", "euclidean") or (kind == "cosine" and not self._model.shifted)

    def _rest(self, found: KnownInputAttack, rows: Integers) -> Floats:
        """What of the records behind some released rows lies outside of what the links tell."""
        return self.records.private[: len(rows)] - found.estimate(rows, attacker="projection")

    def _chances(self, places: tuple[int, ...], judge: Judge, guess: str) -> tuple[Floats, Floats]:
        """Expected share of hits of each record judged, and the probability of each value."""
        found, rows = self.attack(places), self._model.row_of[: self.judged]
        if guess == "others":
            return self._by_others(places, judge)
        if not found.informed:
            return np.zeros(self.judged), np.zeros((self.judged, self.records.columns))
        rest = self._rest(found, rows)
        if guess == "uniform":
            values = value_chances(rest, found.residuals[rows], found.complement, judge.reach)
        else:
            values = (np.abs(rest) <= judge.reach).astype(float)
        if judge.kind == "value":
            return values[:, self.records.varying].mean(axis=1), values
        return self._records(found, judge, guess, rows), values

    @staticmethod
    def _asked(found: KnownInputAttack, judge: Judge, guess: str) -> tuple[tuple[int, ...], str, float, str]:
        return tuple(found.links.rows), judge.kind, judge.eps, guess

    def _by_others(self, places: tuple[int, ...], judge: Judge) -> tuple[Floats, Floats]:
        """The same for who knows the other half of the data."""
        hits = judge.hits(self.records.private[: self.judged], self.guess_by_others(places, judge))
        return hits.record, hits.values.astype(float)

    def guess_by_others(self, places: tuple[int, ...], judge: Judge) -> Floats:
        """What who knows the other half of the data guesses of the records judged: of all ways the one that hits most,
        of each column by itself where values are judged.

        One more link can turn axes that were matched rightly the wrong way: nobody has to use it, so what follows from
        fewer of them is among the ways.
        """

        def make() -> Floats:
            rows = self._model.row_of[: self.judged]
            guesses = self.knows_others(self.attack(places), judge.kind).guesses(rows, reach_of(judge))
            if places:
                guesses.append(self.guess_by_others(places[:-1], judge))
            return best_of(guesses, self.records.private[: self.judged], judge)

        found: Floats = self._best((places, judge.kind, judge.eps), make)
        return found

    def knows_others(self, found: KnownInputAttack, kind: str) -> KnowsOthers:
        """The insider who also knows other people."""
        reach, key = usual_reach(self.records, kind), (tuple(found.links.rows), kind == "value")
        return self._knowing(key, lambda: KnowsOthers(found, self.records.pool, reach))

    def _records(self, found: KnownInputAttack, judge: Judge, guess: str, rows: Integers) -> Floats:
        """Probability that each whole record is hit."""
        if self._closed(judge.kind):
            return np.asarray(found.breach_of(rows, judge.eps, attacker=guess, kind=judge.kind))
        shares: Floats = np.mean(self._sizes(found, guess, judge.kind) <= judge.eps, axis=0)
        return shares

    def _sizes(self, found: KnownInputAttack, guess: str, kind: str) -> Floats:
        """How far drawn guesses are off, (draws, records): the eps at which they are hits."""

        def make() -> Floats:
            true = self.records.private[: self.judged]
            near = (np.where(np.abs(one - true) > self._slack, one, true) for one in self._guesses(found, guess))
            return np.array([breach_size(true, one, kind) for one in near])

        return self._drawn((tuple(found.links.rows), guess, kind), make)

    def _guesses(self, found: KnownInputAttack, guess: str) -> Iterator[Floats]:
        """Guesses of all records judged, by rotations drawn at random; the projection is always the same."""
        rng, rows = np.random.default_rng(7), self._model.row_of[: self.judged]
        for _ in range(DRAWS if guess == "uniform" and found.freedom else 1):
            yield found.estimate(rows, attacker=guess, rng=rng)

    # Other numbers of known records

    def order(self, scenario: RotationScenario) -> tuple[int, ...]:
        """The places of the known records, then of those that would be told next."""
        return tuple(not_none(self.records.place(number)) for number in self._model.order(scenario.settings))

    def rates(self, scenario: RotationScenario) -> Growth:
        """What every number of known records gives away."""
        for places in self._prefixes(scenario):
            self._shares(places, scenario.settings, GUESSES)
        return not_none(self._growth(scenario))

    def _prefixes(self, scenario: RotationScenario) -> list[tuple[int, ...]]:
        order = self.order(scenario)
        return [order[:count] for count in range(len(order) + 1)]

    def _shares(self, places: tuple[int, ...], settings: Settings, guesses: Sequence[str]) -> tuple[float, ...]:
        """Mean shares of hits by these guesses, and the highest of a record, when these are known."""

        def make(guess: str) -> tuple[float, float]:
            found, judge = self.attack(places), Judge(self.records, settings.kind, not_none(settings.eps))
            known = found.linked_rows[self._model.row_of][: self.judged]
            ready = self._pictured.get(self._asked(found, judge, guess))
            share = np.where(known, np.nan, (ready or self._chances(places, judge, guess))[0])
            return mean_of(share), 1.0 if known.all() else float(np.nanmax(share))

        every = [self._kept(self._key(places, settings, guess), partial(make, guess)) for guess in guesses]
        means, highest = zip(*every, strict=True)
        return (*means, max(highest))

    @staticmethod
    def _key(
        places: tuple[int, ...], settings: Settings, guess: str
    ) -> tuple[str, tuple[int, ...], str, float | None, str]:
        return "shares", places, settings.kind, settings.eps, guess

    def recovered(self, places: tuple[int, ...], settings: Settings) -> tuple[float, float]:
        """The share of hits by the best kind of guess when these are known, and that of the most exposed record."""
        *means, highest = self._shares(places, settings, GUESSES)
        return max(self._model.without(settings).rate, *means), highest

    def _growth(self, scenario: RotationScenario) -> Growth | None:
        """The curve, where the paper's guesses are known by now; of who knows others, as far as it is."""
        settings, every = scenario.settings, []
        for places in self._prefixes(scenario):
            known = [guess for guess in GUESSES if self._key(places, settings, guess) in self._kept]
            if not set(PAPER) <= set(known):
                return None
            *means, highest = self._shares(places, settings, known)
            every.append((*means, *[np.nan] * (len(GUESSES) - len(known)), highest))
        return Growth(list(range(len(every))), *(list(line) for line in zip(*every, strict=True)))

    # What is looked at closer

    def _closeness(self, picture: Known) -> Closeness:
        """Shares of hits by eps for the paper's guesses, and what rotations that were really drawn give."""
        settings, found, places = picture.settings, picture.attack, self._places(picture.scenario)
        grid = EPS if settings.kind != "value" else EPS[::2]
        lines: dict[str, list[float]] = {guess: [] for guess in PAPER}
        known = found.linked_rows[self._model.row_of][: self.judged]
        for eps in grid:
            judge = Judge(self.records, settings.kind, float(eps))
            for guess in PAPER:
                share = np.where(known, np.nan, self._chances(places, judge, guess)[0])
                lines[guess].append(mean_of(share))
        return Closeness(
            grid, {guess: np.array(line) for guess, line in lines.items()}, self._measured(picture, known),
            picture.means["uniform"], int(np.count_nonzero(~known)),
        )  # fmt: skip

    def _measured(self, picture: Known, known: Bools) -> Rate | None:
        """Shares of hits of the uniform guess in rotations that were drawn; None where there is nothing to guess."""
        found, settings = picture.attack, picture.settings
        if not found.informed or known.all():
            return None
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        true = self.records.private[: self.judged]
        if settings.kind == "value":
            drawn: Iterable[np.ndarray] = (judge.hits(true, guess).record for guess in self._guesses(found, "uniform"))
        else:
            drawn = self._sizes(found, "uniform", settings.kind) <= judge.eps
        return Rate(tuple(float(np.mean(one[~known])) for one in drawn))

    def _one(self, picture: Known) -> One | None:
        """The record that is looked at: guessed by whichever way hits more often."""
        place = picture.exposed if picture.view.record_as == "exposed" else picture.typical
        if place is None or not (picture.attack.informed or picture.leader == "others"):
            return None
        rows = self._model.row_of[[place]]
        judge = Judge(self.records, picture.settings.kind, not_none(picture.settings.eps))
        if picture.leader == "others":
            guess = self.guess_by_others(self._places(picture.scenario), judge)[place]
        else:
            rng = np.random.default_rng(place)
            guess = picture.attack.estimate(rows, attacker=picture.leader, rng=rng)[0]
        how = HOW[picture.leader]
        return one_record(self.records, judge, place, guess, how if picture.attack.freedom else "")


def usual_reach(records: Records, kind: str) -> Floats | None:
    """The closeness at which who knows others finds out how to guess; None where records are judged whole."""
    return records.reach(USUAL["value"]) if kind == "value" else None


def reach_of(judge: Judge) -> Floats | None:
    """How close the guesses of who knows others must come; None where records are judged whole."""
    return judge.reach if judge.kind == "value" else None


def best_of(guesses: Sequence[Floats], true: Floats, judge: Judge) -> Floats:
    """Of several guesses the one that hits most often, the first of equals; of each column by itself where values are
    judged."""
    hits = [judge.hits(true, guess) for guess in guesses]
    if judge.kind == "value":
        best: Floats = np.choose(np.argmax([one.values.mean(axis=0) for one in hits], axis=0), guesses)
        return best
    return guesses[int(np.argmax([one.rate for one in hits]))]


def one_record(records: Records, judge: Judge, place: int, guess: Floats, how: str = "") -> One:
    """A record and a guess of it, in the data's own units."""
    true = records.private[place]
    hit = np.abs(guess - true) <= judge.reach
    return One(place, records.own_units(true), records.own_units(guess), hit, how)


def examples(share: Floats, relative: Floats) -> tuple[int | None, int | None]:
    """The most exposed record and one in the middle: by its share of hits, then by how little of it is unknown."""
    unknown = np.flatnonzero(~np.isnan(share))
    if not len(unknown):
        return None, None
    order = unknown[np.lexsort((relative[unknown], -share[unknown]))]
    return int(order[0]), int(order[len(order) // 2])


def _by_attribute(values: Floats, known: Bools, records: Records) -> Floats:
    """Mean probability of a hit of each attribute over the records that are not known."""
    if known.all():
        return np.where(records.varying, 1.0, np.nan)
    return np.where(records.varying, values[~known].mean(axis=0), np.nan)
