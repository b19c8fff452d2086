"""What the Trust dashboard computes: a picture of any settings, from a preview or from all rows.

Nothing here knows Panel. Rows are processed in chunks and only tallies are kept, so memory does not grow with
the number of recipients, and a picture can be shown while it is being made.
"""

import copy
from dataclasses import dataclass, field, replace

import numpy as np

from app.memo import Memo
from app.trust.settings import LADDER, LEVELS, Settings, levels
from app.words import count
from engine import measures
from engine.attacks import llse
from engine.path import PathRelease

PREVIEW = 5_000  # rows redrawn while a slider is dragged
CHUNK = 32_768  # rows between two breaths of a full pass
BINS = (24, 80)  # fewest and most bins of a histogram: few people, few bins
ERROR_BINS = 60
THEORY = 2_000  # rows over which a closed form is averaged
KEPT = 128  # preview copies remembered: dragging back must be as cheap as standing still


@dataclass(frozen=True)
class Attack:
    """One guess at the data: by whom, on copies of which scheme, knowing what."""

    who: tuple
    scheme: str
    attacker: str = "perfect"


@dataclass
class Result:
    """How well an attack did: theory where there is a closed form, and measurement."""

    attack: Attack
    theory: float | None
    theory_breach: float | None
    tally: measures.AttackTally
    slack: float = 0.0

    @property
    def agrees(self) -> bool | None:
        """Whether the measured error lies within sampling error (4 standard errors) of theory.

        `slack` is what one drawn learning sample may add to what theory expects of many.
        """
        if self.theory is None or self.tally.rows < 30:
            return None
        return bool(abs(self.tally.error - self.theory) <= 4 * self.tally.standard_error + self.slack + 1e-9)


@dataclass
class Picture:
    """All that the views show, but for the person."""

    settings: Settings
    rows: int
    total: int
    edges: np.ndarray
    original: np.ndarray
    copies: dict[int, np.ndarray]
    guess: np.ndarray
    results: dict[str, Result]
    coalitions: dict[str, np.ndarray]
    sample: dict[str | int, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Copying:
    """Copies in the making: the histograms so far (shares of all rows), and what is going on, in words."""

    settings: Settings
    edges: np.ndarray
    original: np.ndarray
    copies: dict[int, np.ndarray] = field(default_factory=dict)
    fraction: float = 0.0
    text: str = ""
    where: str = ""

    def with_copy(self, recipient, heights, done, rows: str):
        """The next step: this recipient's copy has these heights by now."""
        return replace(
            self,
            copies=self.copies | {recipient.number: heights},
            fraction=min(done / len(self.settings.recipients), 1.0),
            text=f"{recipient.name}'s copy: {rows}",
            where=_where(recipient, self.settings),
        )


def _where(recipient, settings) -> str:
    """How a new copy comes to stand among those made before it."""
    before = settings.recipients[: settings.recipients.index(recipient)]
    if settings.scheme != "nested":
        return {
            "independent": f"{recipient.name}'s noise is drawn afresh, whatever the others hold.",
            "proportional": f"{recipient.name} gets the common noise at their own strength.",
        }[settings.scheme]
    above = [r for r in before if r.trust >= recipient.trust]
    below = [r for r in before if r.trust < recipient.trust]
    left = min(above, key=lambda r: r.trust).name if above else "the truth"
    if not below:
        return f"{recipient.name}'s level drops onto the path beyond {left}: more noise on top."
    right = max(below, key=lambda r: r.trust).name
    return f"{recipient.name}'s level drops onto the path between {left} and {right}: a bridge."


class Model:
    """A dataset, its keyed noise, and the attackers.

    Parameters
    ----------
    values : array, (rows, columns)
    seed : int
        The secret key of the noise.
    noun : str
        What rows stand for.
    """

    def __init__(self, values: np.ndarray, seed: int, noun: str = "records"):
        self.noun = noun
        self.rows, self.columns = values.shape
        # Rows in random order, always the same: any leading part is then a fair sample.
        self.order = np.random.default_rng(20_120_901).permutation(self.rows)
        self.values = np.asarray(values, dtype=float)[self.order]
        self.values.flags.writeable = False
        self.mean = self.values.mean(axis=0)
        self.covariance = np.atleast_2d(np.cov(self.values, rowvar=False))
        self.sd = np.sqrt(np.diag(self.covariance))
        self._edges = {}
        self._set_seed(seed)

    def _set_seed(self, seed):
        self.seed = seed
        self.recall = Memo(KEPT)
        self.releases = {
            scheme: PathRelease(self.values, scheme=scheme, covariance=self.covariance, ladder=LADDER, key=seed)
            for scheme in ("nested", "independent", "proportional")
        }

    def reseeded(self, seed: int) -> "Model":
        """The same data under other noise. A new object: work that is still under way keeps the old noise."""
        other = copy.copy(self)
        other._set_seed(seed)
        return other

    def copy(self, recipient, scheme: str, start: int, stop: int) -> np.ndarray:
        """What a recipient holds of these rows."""
        return self.releases[scheme].copy(LEVELS[recipient.trust], start, stop, recipient=recipient.number)

    def _preview_copy(self, recipient, scheme, rows):
        who = recipient.number if scheme == "independent" else None
        return self.recall((scheme, recipient.trust, who, rows), lambda: self.copy(recipient, scheme, 0, rows))

    # What is looked at

    def view_range(self, attribute: int) -> tuple[float, float]:
        """The values that histograms show: wide enough for the noise of usual trust, and for nearly all data."""
        middle, spread = self.mean[attribute], self.sd[attribute]
        low, high = np.quantile(self.values[:PREVIEW, attribute], [0.001, 0.999])
        return min(middle - 4 * spread, low), max(middle + 4 * spread, high)

    def bin_edges(self, attribute: int) -> np.ndarray:
        """Edges of the histograms; whole numbers get bins of whole numbers, or the bars would beat."""
        if attribute not in self._edges:
            self._edges[attribute] = self._find_edges(attribute)
        return self._edges[attribute]

    def _find_edges(self, attribute):
        low, high = self.view_range(attribute)
        values = self.values[:PREVIEW, attribute]
        bins = int(np.clip(3 * np.cbrt(self.rows), *BINS))
        if not np.array_equal(values, np.round(values)) or high - low < 4:
            return np.linspace(low, high, bins + 1)
        width = max(1, round((high - low) / bins))
        return np.arange(np.floor(low), high + width, width) - 0.5

    def error_range(self, attribute: int) -> float:
        """The largest error that the views show: three standard deviations."""
        return 3 * self.sd[attribute]

    # Pictures

    def preview(self, settings: Settings) -> Picture:
        """A picture from the first rows: at slider rate."""
        rows = min(PREVIEW, self.rows)
        return self._begin(settings, rows).step(rows)

    def stream(self, settings: Settings, chunk: int = CHUNK):
        """Pictures from ever more rows, the last one from all."""
        run = self._begin(settings, self.rows)
        while run.done < self.rows:
            yield run.step(min(run.done + chunk, self.rows))

    def copying(self, settings: Settings, chunk: int):
        """Steps of making the copies one after the other, the order in which they were asked for."""
        a = settings.attribute
        edges = self.bin_edges(a)
        step = Copying(settings, edges, histogram(self.values[:, a], edges) / self.rows)
        for place, recipient in enumerate(settings.recipients):
            counts = 0
            for start in range(0, self.rows, chunk):
                stop = min(start + chunk, self.rows)
                held = self.copy(recipient, settings.scheme, start, stop)[:, a]
                counts = counts + histogram(held, edges)
                step = step.with_copy(
                    recipient, counts / self.rows, place + stop / self.rows, f"{count(stop)} {self.noun}"
                )
                yield step

    def _begin(self, settings, total):
        return _Run(self, settings, total)

    def coalitions(self, settings: Settings) -> dict[str, np.ndarray]:
        """Expected error of every subset, nested beside independent (or the scheme at work)."""
        first = "proportional" if settings.scheme == "proportional" else "independent"
        return {s: llse.coalitions(levels(settings.recipients), s) for s in ("nested", first)}

    def attacks(self, settings: Settings) -> dict[str, Attack]:
        """The guesses to compare: the best alone, the coalition by each attacker, and the rival scheme."""
        who = settings.coalition
        if not who:
            return {}
        found = {"single": Attack((settings.best,), settings.scheme)}
        for attacker in settings.attackers:
            found[attacker] = Attack(who, settings.scheme, attacker)
        if len(who) > 1:
            found["rival"] = Attack(who, settings.rival)
        return found

    def fit(self, attack: Attack, settings: Settings):
        """The attack as a function of the copies; the partial-knowledge ones learn from a sample of rows."""
        at = levels(attack.who)
        if attack.attacker == "perfect":
            return llse.perfect(at, attack.scheme, self.mean)
        rows = min(settings.sample, self.rows)
        held = [self._preview_copy(r, attack.scheme, rows) for r in attack.who]
        if attack.attacker == "structured":
            return llse.structured(held, at, attack.scheme)
        return llse.raw(held, at)

    def theory(self, attack: Attack, settings: Settings) -> float | None:
        """The expected normalised error, where there is a closed form."""
        at = levels(attack.who)
        if attack.attacker == "perfect":
            return float(llse.expected_error(at, attack.scheme))
        if attack.attacker == "structured":
            return float(llse.expected_error_structured(at, attack.scheme, min(settings.sample, self.rows)))
        return None

    def slack(self, attack: Attack, settings: Settings) -> float:
        """How far one learning sample may lie from the average over samples.

        The estimated mean adds a squared normal, whose average is in the theory: at most 12 times that average, but
        once in 2 000.
        """
        if attack.attacker != "structured":
            return 0.0
        return 12 * (self.theory(attack, settings) - float(llse.expected_error(levels(attack.who), attack.scheme)))

    def theory_breach(self, linear, attack: Attack, settings: Settings, rows: int) -> float | None:
        """The expected share of breaches among the first rows, where there is a closed form: for one value."""
        if settings.kind != "absolute" or attack.attacker == "raw":
            return None
        a = settings.attribute
        return float(
            measures.gaussian_breach(
                self.values[:rows, a],
                mean=linear.mean[a],
                variance=self.covariance[a, a],
                shrink=linear.shrink,
                noise_variance=linear.noise_variance,
                eps=settings.eps,
                kind="absolute",
            )[0]
        )

    # One person

    def place(self, person: int) -> int:
        """Where the person with this number stands among the shuffled rows."""
        return int(np.flatnonzero(self.order == person)[0])


def histogram(values, edges) -> np.ndarray:
    """Counts between evenly spaced edges, by the fast route for those."""
    return np.histogram(values, len(edges) - 1, (edges[0], edges[-1]))[0]


class _Run:
    """A picture in the making."""

    def __init__(self, model: Model, settings: Settings, total: int):
        self.model, self.settings, self.total, self.done = model, settings, total, 0
        self.preview = total <= PREVIEW
        a = settings.attribute
        self.edges = model.bin_edges(a)
        self.attacks = model.attacks(settings)
        self.linear = {name: model.fit(attack, settings) for name, attack in self.attacks.items()}
        trace = float(np.trace(model.covariance))
        self.results = {
            name: Result(
                attack,
                model.theory(attack, settings),
                model.theory_breach(self.linear[name], attack, settings, THEORY) if name == self.leader else None,
                measures.AttackTally(
                    total_variance=trace,
                    attribute=a,
                    top=model.error_range(a),
                    bins=ERROR_BINS,
                    eps=settings.eps,
                    kind=settings.kind,
                ),
                model.slack(attack, settings),
            )
            for name, attack in self.attacks.items()
        }
        nothing = np.zeros(len(self.edges) - 1)
        self.original, self.guess = nothing.copy(), nothing.copy()
        self.copies = {r.number: nothing.copy() for r in settings.recipients}
        self.sample = {}

    def step(self, stop: int) -> Picture:
        """Take in the rows up to `stop` and show where things stand."""
        start, self.done = self.done, stop
        a = self.settings.attribute
        x = self.model.values[start:stop]
        held = {}

        def copy(recipient, scheme):
            key = (recipient, scheme)
            if key not in held:
                if self.preview:
                    held[key] = self.model._preview_copy(recipient, scheme, stop)
                else:
                    held[key] = self.model.copy(recipient, scheme, start, stop)
            return held[key]

        self.original += self._count(lambda: x[:, a], "original", stop)
        scheme = self.settings.scheme
        for r in self.settings.recipients:
            who = r.number if scheme == "independent" else None
            self.copies[r.number] += self._count(lambda r=r: copy(r, scheme)[:, a], scheme, r.trust, who, stop)
        for name, attack in self.attacks.items():
            linear = self.linear[name]
            # Copies of no weight need not exist: nested coalitions rest on their best copy.
            uses = getattr(linear, "weights", np.ones(len(attack.who)))
            copies = [copy(r, attack.scheme) if use else None for r, use in zip(attack.who, uses, strict=True)]
            estimate = linear.estimate(copies)
            self.results[name].tally.add(x, estimate)
            if name == self.leader:
                self.guess += histogram(estimate[:, a], self.edges)
                if not start:
                    self.sample = {"guess": estimate[:800]}
        if not start:
            self.sample |= {"original": x[:800]} | {
                r.number: copy(r, self.settings.scheme)[:800] for r in self.settings.recipients
            }
        return self.picture()

    @property
    def leader(self) -> str | None:
        """The attack whose guess is shown: the first ticked attacker's."""
        return next(
            (name for name in self.settings.attackers if name in self.attacks),
            "single" if self.attacks else None,
        )

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
            self.model.coalitions(self.settings), self.sample,
        )  # fmt: skip
