"""What the Trust dashboard computes: a picture of any settings, from a preview or from all rows.

Nothing here knows Panel. Rows are processed in chunks and only tallies are kept, but for the reconstructing
attackers, who look at a copy as a whole; a picture can be shown while it is being made.
"""

import copy

import numpy as np

from trustscope.engine import measures
from trustscope.engine.attacks.shaped import combined, combining_weights
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.noise import Noise, reconstructs
from trustscope.scenarios.trust.picture import Attack, Copying, Picture, Result
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.settings import LINEAR, RECONSTRUCTIONS, Settings, levels
from trustscope.scenarios.words import count

PREVIEW = (2_048, 5_000)  # fewest and most rows redrawn while a slider is dragged
PREVIEWED = 200_000  # values of them: of many attributes fewer rows
CHUNK = 32_768  # rows between two breaths of a full pass
ERROR_BINS = 60
THEORY = 2_000  # rows over which a closed form is averaged
KEPT = (16, 128)  # preview copies remembered: dragging back must be as cheap as standing still
ROOM = 8_000_000  # values of them (64 MB)
LEADING = (*LINEAR, "bayes", "principal_components", "univariate", "spectral_filter", "noise_distribution")
WHOLE = 16_000_000  # values (128 MB) that the reconstructing attackers are given at most


class Model:
    """A dataset, its keyed noise, and the attackers.

    Parameters
    ----------
    values : array, (rows, columns)
    seed : int
        The secret key of the noise.
    noun : str
        What rows stand for.
    common_unit : bool
        Whether all attributes have one unit.
    """

    def __init__(self, values: np.ndarray, seed: int, noun: str = "records", common_unit: bool = False):
        self.population = Population(values, noun, common_unit)
        self.rows = self.population.rows
        wide = self.population.columns
        self.preview_rows = min(self.rows, int(np.clip(PREVIEWED // wide, *PREVIEW)))
        self._kept = int(np.clip(ROOM // (self.preview_rows * wide), *KEPT))
        self._set_seed(seed)

    def _set_seed(self, seed):
        self.seed = seed
        self.recall = Memo(self._kept)
        self._noise = Noise(self.population, seed)
        self._shapes = Memo(4)

    def reseeded(self, seed: int) -> "Model":
        """The same data under other noise. A new object: work that is still under way keeps the old noise."""
        other = copy.copy(self)
        other._set_seed(seed)
        return other

    def noise(self, similarity: float = 1.0) -> Noise:
        """The noise of this similarity to the data."""
        return self._shapes(similarity, lambda: self._noise.shaped(similarity))

    # Pictures

    def preview(self, settings: Settings) -> Picture:
        """A picture from the first rows: at slider rate."""
        return _Run(self, settings, self.preview_rows).step(self.preview_rows)

    def stream(self, settings: Settings, chunk: int = CHUNK):
        """Pictures from ever more rows, the last one from all."""
        run = _Run(self, settings, self.rows)
        while run.done < self.rows:
            yield run.step(min(run.done + chunk, self.rows))

    def copying(self, settings: Settings, chunk: int):
        """Steps of making the copies one after the other, the order in which they were asked for."""
        a, people, noise = settings.attribute, self.population, self.noise(settings.similarity)
        edges = people.bin_edges(a)
        step = Copying(settings, edges, histogram(people.values[:, a], edges) / self.rows)
        for place, recipient in enumerate(settings.recipients):
            counts = 0
            for start in range(0, self.rows, chunk):
                stop = min(start + chunk, self.rows)
                held = noise.copy(recipient, settings.scheme, start, stop)[:, a]
                counts = counts + histogram(held, edges)
                step = step.with_copy(
                    recipient, counts / self.rows, place + stop / self.rows, f"{count(stop)} {people.noun}"
                )
                yield step

    def coalitions(self, settings: Settings) -> dict[str, np.ndarray]:
        """Expected error of every subset, nested beside independent (or the scheme at work)."""
        first = "proportional" if settings.scheme == "proportional" else "independent"
        noise = self.noise(settings.similarity)
        return {s: noise.coalitions(settings.recipients, s) for s in ("nested", first)}


def attacks_of(settings: Settings) -> dict[str, Attack]:
    """The guesses to compare: the mean, the best alone, the coalition by each attacker, and the rival scheme."""
    who = settings.coalition
    if not who:
        return {}
    # One who learns from a sample is compared with the best single recipient who need not.
    leader = leader_of(settings)
    alone = leader if leader in RECONSTRUCTIONS else "perfect"
    found = {"single": Attack((settings.best,), settings.scheme, alone)}
    for attacker in settings.attackers:
        found[attacker] = Attack(who, settings.scheme, attacker)
    if len(who) > 1:
        found["rival"] = Attack(who, settings.rival, alone)
    return found | {"guess": Attack(who, settings.scheme, "guess")}


def leader_of(settings: Settings) -> str | None:
    """The attacker whose guess is shown, and whom the verdict is about: of those ticked the one who knows most."""
    return next((name for name in LEADING if name in settings.attackers), None)


def histogram(values, edges) -> np.ndarray:
    """Counts between evenly spaced edges, by the fast route for those."""
    return np.histogram(values, len(edges) - 1, (edges[0], edges[-1]))[0]


class _Guess:
    """The baseline: the mean, whatever the copies say."""

    def __init__(self, mean):
        self.mean, self.weights = mean, np.zeros(1)

    def estimate(self, copies):
        return self.mean


class _Run:
    """A picture in the making."""

    def __init__(self, model: Model, settings: Settings, total: int):
        self.model, self.settings, self.total, self.done = model, settings, total, 0
        self.people, self.noise = model.population, model.noise(settings.similarity)
        self.preview = total <= model.preview_rows
        self.edges = self.people.bin_edges(settings.attribute)
        self.attacks = attacks_of(settings)
        self.leader = leader_of(settings) or ("single" if self.attacks else None)
        self.whole = min(total, max(PREVIEW[0], WHOLE // self.people.columns))
        self.linear = {name: self._fit(attack) for name, attack in self.attacks.items() if not reconstructs(attack)}
        self.results = {name: self._result(name, attack) for name, attack in self.attacks.items()}
        nothing = np.zeros(len(self.edges) - 1)
        self.original, self.guess = nothing.copy(), nothing.copy()
        self.copies = {r.number: nothing.copy() for r in settings.recipients}
        self.sample = {}
        self.spectrum = None
        self.together = self._begin_together()

    # Setting up

    def _fit(self, attack):
        if attack.attacker == "guess":
            return _Guess(self.people.mean)
        rows = min(self.settings.sample, self.people.rows)
        return self.noise.fit(attack, lambda: [self._preview_copy(r, attack.scheme, rows) for r in attack.who])

    def _result(self, name, attack):
        settings, a = self.settings, self.settings.attribute
        tally = measures.AttackTally(
            weights=self.people.weights, attribute=a, top=self.people.error_range(a), bins=ERROR_BINS,
            eps=settings.eps, kind=settings.kind,
        )  # fmt: skip
        breach = None
        if name == self.leader and settings.kind == "absolute" and attack.attacker in ("perfect", "structured"):
            breach = self.noise.breach(self.linear[name], a, settings.eps, THEORY)
        if reconstructs(attack):
            known = self.noise.reconstruction_error(attack)
            if settings.informed or attack.attacker == "noise_distribution":
                return Result(attack, known, breach, tally)
            theory = self.noise.reconstruction_error(attack, self.whole)
            return Result(attack, theory, breach, tally, approximate=True, informed=known)
        theory, slack = self._theory(attack)
        return Result(attack, theory, breach, tally, slack)

    def _theory(self, attack):
        """Expected error of a linear attack, and what one learning sample may add."""
        if attack.attacker == "guess":
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

    def _begin_together(self):
        """Room for the combined copies that are attacked as a whole, by who holds them."""
        asked = {(a.who, a.scheme) for a in self.attacks.values() if reconstructs(a)}
        if self.settings.coalition:
            asked.add((self.settings.coalition, self.settings.scheme))
        return {key: np.empty((self.whole, self.people.columns)) for key in asked}

    # Rows coming in

    def step(self, stop: int) -> Picture:
        """Take in the rows up to `stop` and show where things stand."""
        start, self.done = self.done, stop
        a, scheme = self.settings.attribute, self.settings.scheme
        x = self.people.values[start:stop]
        held = {}

        def copy(recipient, scheme):
            key = (recipient, scheme)
            if key not in held:
                if self.preview:
                    held[key] = self._preview_copy(recipient, scheme, stop)
                else:
                    held[key] = self.noise.copy(recipient, scheme, start, stop)
            return held[key]

        self.original += self._count(lambda: x[:, a], "original", stop)
        for r in self.settings.recipients:
            who = r.number if scheme == "independent" else None
            what = (self.noise.similarity, scheme, r.trust, who, stop)
            self.copies[r.number] += self._count(lambda r=r: copy(r, scheme)[:, a], *what)
        for name, linear in self.linear.items():
            attack = self.attacks[name]
            # Copies of no weight need not exist: nested coalitions rest on their best copy.
            uses = getattr(linear, "weights", np.ones(len(attack.who)))
            copies = [copy(r, attack.scheme) if use else None for r, use in zip(attack.who, uses, strict=False)]
            self._tally(name, x, linear.estimate(copies), start)
        self._gather(copy, start, stop)
        if not start:
            self.sample |= {"original": x[:800]} | {r.number: copy(r, scheme)[:800] for r in self.settings.recipients}
        if stop == self.total:
            self._reconstruct()
        return self.picture()

    def _gather(self, copy, start, stop):
        """Put these rows of the combined copies where the reconstructing attackers find them."""
        stop = min(stop, self.whole)
        if start >= stop:
            return
        for (who, scheme), room in self.together.items():
            weights = combining_weights(levels(who), scheme)
            copies = [copy(r, scheme) if use else None for r, use in zip(who, weights, strict=True)]
            room[start:stop] = combined(copies, weights)[: stop - start]

    def _reconstruct(self):
        x, informed = self.people.values[: self.whole], self.settings.informed
        for name, attack in self.attacks.items():
            if reconstructs(attack):
                room = self.together[attack.who, attack.scheme]
                self._tally(name, x, self.noise.reconstruct(attack, room, informed), 0)
        if self.settings.coalition:
            attack = Attack(self.settings.coalition, self.settings.scheme)
            self.spectrum = self.noise.spectrum(attack, self.together[attack.who, attack.scheme], informed)

    def _tally(self, name, x, estimate, start):
        self.results[name].tally.add(x, np.broadcast_to(estimate, x.shape))
        if name == self.leader:
            self.guess += histogram(estimate[:, self.settings.attribute], self.edges)
            if not start:
                self.sample |= {"guess": estimate[:800]}

    def _preview_copy(self, recipient, scheme, rows):
        who = recipient.number if scheme == "independent" else None
        key = (self.noise.similarity, scheme, recipient.trust, who, rows)
        return self.model.recall(key, lambda: self.noise.copy(recipient, scheme, 0, rows))

    def _count(self, values, *what):
        """Counts of values() between the edges; in a preview most of them are known from the step before."""
        if not self.preview:
            return histogram(values(), self.edges)
        key = ("counts", self.settings.attribute, *what)
        return self.model.recall(key, lambda: histogram(values(), self.edges))

    def picture(self) -> Picture:
        """The state so far."""
        return Picture(
            self.settings, self.done, self.total, self.edges, self.original, self.copies, self.guess, self.results,
            self.model.coalitions(self.settings), self.sample, self.spectrum, self.whole,
        )  # fmt: skip
