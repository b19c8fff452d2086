"""A picture of the Trust page in the making: rows come in, tallies grow."""

from collections.abc import Callable, Hashable, Iterable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Protocol, TypedDict

import numpy as np

from trustscope import schemes
from trustscope.engine import measures
from trustscope.engine.arrays import Floats, Integers, Several
from trustscope.engine.attacks.combining import combined, combining_weights
from trustscope.engine.attacks.reconstruction import Spectrum
from trustscope.engine.path import PathRelease
from trustscope.scenarios import attackers
from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.baseline import Constants
from trustscope.scenarios.trust.exposed import Exposed, exposed
from trustscope.scenarios.trust.joining import CopyOf, joining
from trustscope.scenarios.trust.judge import STRONGEST, Judged, judged
from trustscope.scenarios.trust.noise import Linear, ModelWithNoise, combines, origin, reconstructs
from trustscope.scenarios.trust.own_attackers import guesses, is_own
from trustscope.scenarios.trust.result import Attack, AttackResult, Held, Joining, Person, TrustResult, Usefulness
from trustscope.scenarios.trust.scenario import LEARNED, LEVELS, Settings, TrustScenario, levels
from trustscope.scenarios.trust.usefulness import usefulness
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none

ERROR_BINS = 60
JOINING_ROWS = 2_000  # rows on which hits of whole records are measured for every size of coalition
SAMPLED = 800  # rows shown as dots
MEASURED = {"closeness", "attackers"}  # views of what was measured row by row
ALONE, TOGETHER, RIVAL, GUESS, UNTICKED, DRAWN = "alone", "together", "rival", "guess", "unticked", "drawn"
ATTACKED = (1_024, 8_192)  # rows on which the strongest attacker is measured: at slider rate, and of all
LEARNT = (1_024, 16_384)  # people from whom is learned, likewise
Key = tuple[str, str]  # what an attack is for, and the attacker
READ = 0.02  # how far the error that is read off a curve may lie from the one measured, beside sampling error


def leader_of(settings: Settings) -> str:
    """The attacker whose guess is drawn: of those ticked the one who knows most."""
    return min(settings.attackers, key=lambda name: attackers.of(name).rank, default="")


def attacks_of(settings: Settings, unticked: Iterable[str] = ()) -> dict[tuple[str, str], Attack]:
    """The guesses to compare, by what they are for and by attacker.

    The coalition and its best member alone, each by every attacker that is ticked; the coalition under the rival
    scheme; the average, whatever the copies say; and, for a report, the coalition by attackers that are not ticked.
    """
    who = settings.coalition
    if not who:
        return {}
    found = {}
    for attacker in settings.attackers:
        found[ALONE, attacker] = Attack((not_none(settings.best),), settings.scheme, attacker)
        found[TOGETHER, attacker] = Attack(who, settings.scheme, attacker)
    leader = leader_of(settings)
    if len(who) > 1:
        found[RIVAL, leader] = Attack(who, settings.rival, leader)
    found[GUESS, GUESS] = Attack(who, settings.scheme, GUESS)
    if leader == STRONGEST:  # its guesses take too long to be drawn at slider rate: a linear one is drawn
        found[DRAWN, "perfect"] = Attack(who, settings.scheme, "perfect")
    for attacker in unticked:
        found[UNTICKED, attacker] = Attack(who, settings.scheme, attacker)
    return found


def _slow(attack: Attack) -> bool:
    """Whether an attack takes longer than a slider's step."""
    return attack.attacker != GUESS and attackers.of(attack.attacker).slow


class RunOptions(TypedDict, total=False):
    """What a picture is wanted with, as `Run` takes it."""

    opened: Iterable[str] | None
    unticked: Iterable[str]
    at_once: bool


class PictureModel(ModelWithNoise, Protocol):
    """A model, as far as pictures need it."""

    preview_rows: int
    whole_rows: int
    constants: Constants
    recall: Memo

    def coalitions(self, settings: Settings) -> dict[str, Floats]:
        """Expected error of every subset."""

    def person(self, scenario: TrustScenario, seen: Judged | None = None) -> Person | None:
        """The person that is looked at."""

    def twenty(self, settings: Settings, seen: Judged | None) -> Twenty | None:
        """Who of twenty people is caught."""


class _Average:
    """The baseline: the average, whatever the copies say."""

    def __init__(self, mean: Floats) -> None:
        self.mean, self.weights = mean, np.zeros(1)

    def estimate(self, copies: Several) -> Floats:
        return self.mean


class Run:
    """One picture in the making.

    Parameters
    ----------
    model : Model
    scenario : TrustScenario
        Fitted to the data.
    total : int
        Rows to take in.
    opened : names of views, optional
        What is looked at; the view that is open, unless several are wanted at once.
    unticked : names of attackers
        Who attacks as well, for a report.
    at_once : bool
        What has a closed form is not measured, unless that is looked at: for a picture at slider rate.
    """

    def __init__(
        self,
        model: PictureModel,
        scenario: TrustScenario,
        total: int,
        opened: Iterable[str] | None = None,
        unticked: Iterable[str] = (),
        at_once: bool = False,
    ) -> None:
        self.model, self.scenario, self.settings = model, scenario, scenario.settings
        self.total, self.done = total, 0
        self.people, self.noise = model.population, model.noise(self.settings.similarity)
        self.attribute = self.people.index(self.settings.attribute)
        self.preview, self.at_once = total <= model.preview_rows, at_once
        self.attacks = attacks_of(self.settings, unticked)
        if at_once and len(self.settings.attackers) > 1:  # growing trees takes longer than a slider's step
            self.attacks = {key: attack for key, attack in self.attacks.items() if not _slow(attack)}
        self.leader = leader_of(self.settings)
        self.whole = min(total, model.whole_rows)
        self.linear = {
            key: self._fit(attack) for key, attack in self.attacks.items() if not (combines(attack) or is_own(attack))
        }
        asked = any(attack.attacker == STRONGEST for attack in self.attacks.values())
        self.judged = judged(model, self.settings, wait=False) if asked else None
        self.readings = self._read()
        self.results = {key: self._result(key, attack) for key, attack in self.attacks.items()}
        self.opened = {scenario.view.closer} if opened is None else set(opened)
        self.edges = self.people.bin_edges(self.attribute)
        nothing = np.zeros(len(self.edges) - 1)
        self.original, self.guess = nothing.copy(), nothing.copy()
        self.copies = {r.number: nothing.copy() for r in self.settings.recipients}
        self.sample: dict[str | int, np.ndarray] = {}
        self.spectrum: Spectrum | None = None
        self.together = self._begin_together()
        wide = (self.whole, self.people.columns)
        analysed = self.settings.recipients if "usefulness" in self.opened else ()
        self.analysed = {r.number: np.empty(wide) for r in analysed}

    @property
    def closed(self) -> bool:
        """Whether all that is said of the attackers has a closed form, and nobody looks at what is measured."""
        told = (result for (what, _), result in self.results.items() if what in (ALONE, TOGETHER, RIVAL))
        known = all(not (r.theory is None or r.theory_breach is None or r.approximate) for r in told)
        return known and not self.opened & {*MEASURED, "usefulness", "spectrum", "exposed"}

    # Setting up

    def _fit(self, attack: Attack) -> Linear:
        if attack.attacker == GUESS:
            return _Average(self.people.mean)
        rows = min(self.settings.sample, self.people.rows)
        return self.noise.fit(attack, lambda: [self.preview_copy(r, attack.scheme, rows) for r in attack.who])

    def _result(self, key: Key, attack: Attack) -> AttackResult:
        settings, a, tally = self.settings, self.attribute, self._tally_of_nothing()
        if attack.attacker == STRONGEST:
            read, hits, doubt, level = self.readings[key]
            return AttackResult(attack, read, hits, tally, READ, level=level, doubt=doubt)
        hits = None
        if settings.kind == "absolute" and attack.attacker in ("perfect", "structured"):
            hits = self.noise.breach(self.linear[key], a, not_none(settings.eps))
        if reconstructs(attack):
            known = self.noise.reconstruction_error(attack)
            if settings.informed or attack.attacker == "noise_distribution":
                return AttackResult(attack, known, hits, tally)
            theory = self.noise.reconstruction_error(attack, self.whole)
            return AttackResult(attack, theory, hits, tally, approximate=True, informed=known)
        if attack.attacker in LEARNED or is_own(attack):
            return AttackResult(attack, None, None, tally)
        theory, slack = self._theory(attack)
        return AttackResult(attack, theory, hits, tally, slack)

    def _tally_of_nothing(self) -> measures.AttackTally:
        a, settings = self.attribute, self.settings
        return measures.AttackTally(
            weights=self.people.weights, attribute=a, top=self.people.error_range(a), bins=ERROR_BINS,
            eps=not_none(settings.eps), kind=settings.kind,
        )  # fmt: skip

    def _read(self) -> dict[tuple[str, str], tuple[float, float | None, float, float]]:
        """What the strongest attacker achieves, read off its curves for all its attacks in one go.

        Error (a linear one until the curve of it stands), share of hits, its standard error, and level, by attack.
        """
        if self.judged is None:
            return {}
        mine = {key: attack for key, attack in self.attacks.items() if attack.attacker == STRONGEST}
        held = np.array([self.noise.level(attack.who, attack.scheme) for attack in mine.values()])
        eps = not_none(self.settings.eps)
        errors, hits = self.judged.error_at(held), self.judged.hits_at(held, eps)
        if errors is None:
            errors = np.array([self.noise.error(attack.who, attack.scheme) for attack in mine.values()])
        none = [None] * len(held)
        doubts = 0 * held if hits is None else not_none(self.judged.hits).doubt_at(held, eps)
        found = zip(errors, none if hits is None else hits, doubts, held, strict=True)
        return {
            key: (float(error), None if hit is None else float(hit), float(doubt), float(level))
            for key, (error, hit, doubt, level) in zip(mine, found, strict=True)
        }

    def _theory(self, attack: Attack) -> tuple[float | None, float]:
        """Expected error of a linear attack, and what one learning sample may add."""
        if attack.attacker == GUESS:
            # The variances that make it 1 have divisor rows - 1.
            return (1 - 1 / self.people.rows if self.people.weights.any() else 0.0), 0.0
        if attack.attacker == "raw":
            return None, 0.0
        error = self.noise.error(attack.who, attack.scheme)
        if attack.attacker == "perfect":
            return error, 0.0
        excess = self.noise.excess(attack.who, attack.scheme, min(self.settings.sample, self.people.rows))
        # The estimated mean adds a squared normal, whose average is in the theory: at most 12 times that average,
        # but once in 2 000.
        return error + excess, 12 * excess

    def _begin_together(self) -> dict[tuple[tuple[Recipient, ...], str], Floats]:
        """Room for the combined copies that are attacked as a whole, by who holds them."""
        asked = {(a.who, a.scheme) for key, a in self.attacks.items() if combines(a) and self._measured(key)}
        if self.settings.coalition and "spectrum" in self.opened:
            asked.add((self.settings.coalition, self.settings.scheme))
        return {key: np.empty((self.whole, self.people.columns)) for key in asked}

    # Rows coming in

    def step(self, stop: int) -> TrustResult:
        """Take in the rows up to `stop` and show where things stand."""
        start, self.done = self.done, stop
        x = self.people.values[start:stop]
        held: dict[tuple[Recipient, str], Floats] = {}

        def copy(recipient: Recipient, scheme: str) -> Floats:
            key = (recipient, scheme)
            if key not in held:
                if self.preview:
                    held[key] = self.preview_copy(recipient, scheme, stop)
                else:
                    held[key] = self.noise.copy(recipient, scheme, start, stop, among=self.settings.recipients)
            return held[key]

        for key, linear in self.linear.items():
            attack = self.attacks[key]
            if attack.attacker == GUESS and self.at_once:
                self._recall_guess(key, x)
                continue
            if not (self._measured(key) or self._drawn(key)):
                continue
            # Copies of no weight need not exist: nested coalitions rest on their best copy.
            uses = getattr(linear, "weights", np.ones(len(attack.who)))
            copies = [copy(r, attack.scheme) if use else None for r, use in zip(attack.who, uses, strict=False)]
            self._tally(key, x, linear.estimate(copies), start)
        self._gather(copy, start, stop)
        self._keep(copy, start, stop)
        if "everyone" in self.opened:
            self._hold(copy, x, start, stop)
        if stop == self.total:
            self._reconstruct()
        return self._picture()

    def _measured(self, key: Key) -> bool:
        """Whether an attack is measured: at slider rate not where closed forms say all that is looked at."""
        result = self.results[key]
        closed = not (result.theory is None or result.theory_breach is None or result.approximate)
        return key[0] != DRAWN and (not (self.at_once and closed) or bool(self.opened & MEASURED))

    def _drawn(self, key: Key) -> bool:
        """Whether the guesses themselves are drawn."""
        drawn = (DRAWN, "perfect") if self.leader == STRONGEST else (TOGETHER, self.leader)
        return key == drawn and "everyone" in self.opened

    def _recall_guess(self, key: Key, x: Floats) -> None:
        """What the average hits, which no copy changes: at slider rate it is counted once."""
        result, settings = self.results[key], self.settings

        def counted() -> measures.AttackTally:
            result.tally.add(x, np.broadcast_to(self.people.mean, x.shape))
            return result.tally

        known = ("average", self.attribute, settings.eps, settings.kind, len(x))
        self.results[key] = replace(result, tally=self.model.recall(known, counted))

    def _hold(self, copy: CopyOf, x: Floats, start: int, stop: int) -> None:
        """The histograms of the copies, and some rows of them."""
        a, scheme = self.attribute, self.settings.scheme
        self.original += self._count(lambda: x[:, a], "original", stop)
        for r in self.settings.recipients:
            what = (self.noise.similarity, r.trust, origin(r, scheme, self.settings.recipients), stop)
            self.copies[r.number] += self._count(partial(lambda r: copy(r, scheme)[:, a], r), *what)
        if not start:
            rows = {r.number: copy(r, scheme)[:SAMPLED] for r in self.settings.recipients}
            self.sample |= {"original": x[:SAMPLED]} | rows

    def _keep(self, copy: CopyOf, start: int, stop: int) -> None:
        """Put these rows of the copies where the honest analyst finds them."""
        stop = min(stop, self.whole)
        if self.analysed and start < stop:
            for r in self.settings.recipients:
                self.analysed[r.number][start:stop] = copy(r, self.settings.scheme)[: stop - start]

    def _gather(self, copy: CopyOf, start: int, stop: int) -> None:
        """Put these rows of the combined copies where the reconstructing attackers find them."""
        stop = min(stop, self.whole)
        if start >= stop:
            return
        for (who, scheme), room in self.together.items():
            weights = combining_weights(levels(who), scheme)
            copies = [copy(r, scheme) if use else None for r, use in zip(who, weights, strict=True)]
            room[start:stop] = combined(copies, weights)[: stop - start]

    def _reconstruct(self) -> None:
        x, informed = self.people.values[: self.whole], self.settings.informed
        for key, attack in self.attacks.items():
            if attack.attacker == STRONGEST and self._measured(key):
                self._attack(key, attack)
            elif attack.attacker in LEARNED:
                self._learn(key, attack)
            elif is_own(attack):
                self._ask(key, attack)
            elif reconstructs(attack):
                room = self.together[attack.who, attack.scheme]
                self._tally(key, x, self.noise.reconstruct(attack, room, informed), 0)
        if self.settings.coalition and "spectrum" in self.opened:
            attack = Attack(self.settings.coalition, self.settings.scheme)
            self.spectrum = self.noise.spectrum(attack, self.together[attack.who, attack.scheme], informed)

    def _attack(self, key: Key, attack: Attack) -> None:
        """Measure the strongest attacker on the combined copy, on people whom it does not know."""
        rows = np.arange(min(self.whole, ATTACKED[not self.at_once]))
        released = self.together[attack.who, attack.scheme][: len(rows)]
        level = self.noise.level(attack.who, attack.scheme)
        seen, eps = not_none(self.judged), not_none(self.settings.eps)
        mine, estimates, windows = self.model.judge.guesses(seen, level, rows, released, eps)
        self.results[key].tally.add(self.people.values[rows][mine], estimates[mine], windows[mine])

    def _learn(self, key: Key, attack: Attack) -> None:
        """Measure somebody who learns, on people whom they do not know."""
        rows = np.arange(min(self.whole, ATTACKED[not self.at_once]))
        released = self.together[attack.who, attack.scheme][: len(rows)]
        level, question = self.noise.level(attack.who, attack.scheme), self.model.judge.question(self.settings)
        mine, estimates, windows = self.model.judge.learned(
            question, attack.attacker, level, rows, released, not_none(self.settings.eps), LEARNT[not self.at_once]
        )
        self.results[key].tally.add(self.people.values[rows][mine], estimates[mine], windows[mine])

    def _ask(self, key: Key, attack: Attack) -> None:
        """Measure somebody who was registered, on people whom they do not know."""
        rows = min(self.whole, ATTACKED[not self.at_once])
        mine, estimates = guesses(self.model, self.settings, attack, rows, LEARNT[not self.at_once])
        self.results[key].tally.add(self.people.values[: len(mine)][mine], estimates[mine])

    @property
    def waits(self) -> bool:
        """Whether a curve that the strongest attacker is judged by does not stand yet."""
        return self.judged is not None and self.judged.preview

    def judge(self) -> TrustResult:
        """Wait for the curves, and show what they say."""
        self.judged = judged(self.model, self.settings, wait=True)
        for key, (theory, hits, doubt, _) in self._read().items():
            # What was measured while the curve was not there yet is of other guesses than the curve is.
            tally = self.results[key].tally
            fresh = self._tally_of_nothing() if tally.rows else tally
            self.results[key] = replace(self.results[key], theory=theory, theory_breach=hits, doubt=doubt, tally=fresh)
            if tally.rows:
                self._attack(key, self.attacks[key])
        return self._picture()

    def _tally(self, key: Key, x: Floats, estimate: Floats, start: int) -> None:
        if self._measured(key):
            self.results[key].tally.add(x, np.broadcast_to(estimate, x.shape))
        if self._drawn(key):
            self.guess += measures.even_counts(estimate[:, self.attribute], self.edges)
            if not start:
                self.sample |= {"guess": estimate[:SAMPLED]}

    def preview_copy(self, recipient: Recipient, scheme: str, rows: int) -> Floats:
        """The copy of the first rows, quick while its trust is dragged, and the release's own to the last bit."""
        among, similarity = self.settings.recipients, self.noise.similarity
        drawn_from = origin(recipient, scheme, among)
        key = (similarity, recipient.trust, drawn_from, rows)

        def make() -> Floats:
            if drawn_from == ("nested",):
                return self.noise.copy(recipient, scheme, 0, rows, among=among)
            if not schemes.of(scheme).house:
                return self._joint_copy(recipient, self.noise.release(scheme, among), rows)
            # While a trust is dragged the noise is drawn once, and only its size changes.
            drawn = ("drawn", similarity, drawn_from, rows)
            one, level = self.model.recall(drawn, lambda: self.noise.drawn_once(recipient, scheme, rows, among=among))
            return one * sqrt(LEVELS[recipient.trust] / level) + self.people.values[:rows]

        return self.model.recall(key, make)

    def _joint_copy(self, recipient: Recipient, release: PathRelease, rows: int) -> Floats:
        """The same under a scheme that was registered: normals are drawn once, and only their weights change."""
        first, noise = self.settings.first, np.zeros((rows, self.people.columns))
        for number, weight in release.parts(LEVELS[recipient.trust], recipient.number):
            drawn = ("unit", self.noise.similarity, first.trust if number == first.number else (number,), rows)
            noise += weight * self.model.recall(drawn, partial(release.unit, number, 0, rows))
        return noise + self.people.values[:rows]

    def _count(self, values: Callable[[], Floats], *what: Hashable) -> Integers:
        """Counts of values() between the edges; in a preview most of them are known from the step before."""
        if not self.preview:
            return measures.even_counts(values(), self.edges)
        key = ("counts", self.attribute, *what)
        return self.model.recall(key, lambda: measures.even_counts(values(), self.edges))

    # The picture

    def _picture(self) -> TrustResult:
        """The state so far."""
        settings = self.settings
        baseline = self.model.constants.best(self.attribute, not_none(settings.eps), settings.kind)
        # What is reconstructed from all rows comes last.
        shown = {
            key: result for key, result in self.results.items()
            if result.tally.rows or key in self.linear or self.attacks[key].attacker == STRONGEST
        }  # fmt: skip
        if self.done < self.total:  # a picture is a value: the steps that follow count on in tallies of their own
            shown = {key: replace(result, tally=deepcopy(result.tally)) for key, result in shown.items()}
        return TrustResult(
            scenario=self.scenario, rows=self.done, total=self.total,
            together={name: r for (what, name), r in shown.items() if what == TOGETHER},
            alone={name: r for (what, name), r in shown.items() if what == ALONE},
            rival=shown.get((RIVAL, self.leader)), guess=shown.get((GUESS, GUESS)),
            baseline=baseline, joining=self._joining(baseline.rate),
            person=self.model.person(self.scenario, self.judged),
            held=self._held(), coalitions=self.model.coalitions(settings) if "coalitions" in self.opened else None,
            spectrum=self.spectrum, usefulness=self._usefulness(), reconstructed=self.whole,
            unticked={name: r for (what, name), r in shown.items() if what == UNTICKED}, judged=self.judged,
            linear=self._linear_hits(), exposed=self._exposed(), twenty=self.model.twenty(settings, self.judged),
        )  # fmt: skip

    def _exposed(self) -> Exposed | None:
        """Who is exposed: measured on many people, so that it waits until all rows are in."""
        settings = self.settings
        wanted = "exposed" in self.opened and settings.coalition and settings.kind == "absolute"
        if not wanted or self.done < self.model.rows:
            return None
        return exposed(self.model, settings, self.noise.level(settings.coalition, settings.scheme))

    def _linear_hits(self) -> float | None:
        """What a linear guess of the coalition hits, to be set beside the best guess."""
        settings = self.settings
        if self.judged is None or settings.kind != "absolute" or not settings.coalition:
            return None
        level = np.array([self.noise.level(settings.coalition, settings.scheme)])
        return float(self.noise.hits_at(level, self.attribute, not_none(settings.eps), np.zeros(1))[0])

    def _usefulness(self) -> Usefulness | None:
        if "usefulness" not in self.opened or self.done < self.total:
            return None
        return usefulness(self.noise, self.settings, self.attribute, self.whole, self.analysed)

    def _held(self) -> Held | None:
        if "everyone" not in self.opened:
            return None
        copies = {number: counts.copy() for number, counts in self.copies.items()}
        return Held(self.edges, self.original.copy(), copies, self.guess.copy(), dict(self.sample))

    def _joining(self, without: float) -> Joining | None:
        if not self.settings.coalition:
            return None
        rows = min(JOINING_ROWS, self.model.preview_rows)

        def copy(recipient: Recipient, scheme: str) -> Floats:
            return self.preview_copy(recipient, scheme, self.model.preview_rows)

        read = self.judged if STRONGEST in self.settings.attackers else None
        eps = not_none(self.settings.eps)
        return joining(self.noise, self.settings, self.attribute, eps, without, copy, rows, read)
