"""What the Categories dashboard computes: a picture of any settings, from a preview or from all rows.

Nothing here knows Panel. Rows are processed in chunks and only tallies are kept; what has a closed form never
waits for rows.
"""

import copy
from dataclasses import replace

import numpy as np

from trustscope.engine.attacks import posterior
from trustscope.engine.uniform import UniformRelease, expected_history, history_bound
from trustscope.scenarios.categories.column import Column
from trustscope.scenarios.categories.picture import Copying, Held, Joining, Memory, Picture, Result, Tally
from trustscope.scenarios.categories.settings import SMALLEST, Settings, retention, retentions
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.words import count

PREVIEW = 5_000  # rows redrawn while a slider is dragged
CHUNK = 32_768  # rows between two breaths of a full pass
JOINING = 12  # recipients up to which the race is drawn
FURTHER = 2_000  # rows on which further recipients are imagined
DRAWS = 4_000  # records simulated where a coalition is too large to enumerate
KEPT = 512  # figures remembered: dragging back must be as cheap as standing still
EXACT = 4  # up to this many recipients every coalition gets its exact figure, while dragging too
LIVE = 5  # up to this many, a figure from few draws while dragging; beyond, when let go
SCHEMES = ("nested", "independent")


class Model:
    """A sensitive column, its keyed copies, and who looks at them.

    Parameters
    ----------
    column : Column
    seed : int
        The secret key of the copies.
    """

    def __init__(self, column: Column, seed: int):
        self.column, self.size, self.rows = column, column.size, len(column.codes)
        # Rows in random order, always the same: any leading part is then a fair sample.
        self.order = np.random.default_rng(20_090_801).permutation(self.rows)
        self.codes = column.codes[self.order]
        self.codes.flags.writeable = False
        self.shares = posterior.empirical_prior(self.codes, self.size)
        self._theory = Memo(KEPT)
        self._set_condition(None)
        self._set_seed(seed)

    def reseeded(self, seed: int) -> "Model":
        """The same data under other noise. A new object: work that is still under way keeps the old copies."""
        other = copy.copy(self)
        other._set_seed(seed)
        return other

    def _set_seed(self, seed):
        self.seed = seed
        self._full = {}
        self._measured = Memo(KEPT)
        self.releases = {
            scheme: UniformRelease(self.codes, self.size, scheme=scheme, key=seed, smallest=SMALLEST)
            for scheme in SCHEMES
        }

    def conditioned(self, values, column: str | None, label: str | None) -> "Model":
        """The same copies, counted only where `values`, labels in the order of the data, are `label`."""
        other = copy.copy(self)
        other._set_condition(None if column is None else (np.asarray(values) == label)[self.order])
        return other

    def _set_condition(self, where):
        self._where, self._full = where, {}
        self.original = self.nothing().plus(self.codes, where, self.size)

    def copy(self, recipient, scheme: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """What a recipient holds of these rows."""
        return self.releases[scheme].copy(retention(recipient), start, stop, recipient=recipient.number)

    def prior(self, settings: Settings) -> np.ndarray | None:
        """What is believed beforehand; None stands for uniform."""
        return self.shares if settings.prior == "empirical" else None

    def place(self, person: int) -> int:
        """Where the person with this number stands among the shuffled rows."""
        return int(np.flatnonzero(self.order == person)[0])

    def where(self, start: int, stop: int):
        """Which of these rows meet the condition; None for all."""
        return None if self._where is None else self._where[start:stop]

    # Closed forms

    def expected(self, ps, scheme: str, settings: Settings) -> tuple[float, float]:
        """Expected reconstruction probability of copies at these p, and the standard error of its draws.

        With a uniform prior every value is found equally often, whatever the shares; otherwise the prior is the
        law of the rows. So in both cases theory speaks of these very rows.
        """
        ps = (max(ps),) if scheme == "nested" else tuple(sorted(ps))
        key = (ps, scheme if len(ps) > 1 else None, settings.prior)
        prior = self.prior(settings)
        return self._theory(
            key, lambda: posterior.expected_reconstruction(ps, self.size, scheme=scheme, prior=prior, draws=DRAWS)
        )

    def coalitions(self, settings: Settings, live: bool) -> dict[str, np.ndarray]:
        """Figures of every subset under both schemes; not a number where they are not known yet."""
        ps = retentions(settings.recipients)
        prior, many = self.prior(settings), len(ps)
        found = {"nested": posterior.coalitions(ps, self.size, prior=prior)}
        if many <= EXACT:
            chosen = [[p for i, p in enumerate(ps) if mask >> i & 1] for mask in range(1, 2**many)]
            rest = [self.expected(some, "independent", settings)[0] for some in chosen]
            return found | {"independent": np.array([found["nested"][0], *rest])}
        key = ("all", tuple(ps), settings.prior)
        if live and many > LIVE and key not in self._theory:
            return found | {"independent": np.full(2**many, np.nan)}
        draws = 1_000 if many <= LIVE else 400
        found["independent"] = self._theory(
            key, lambda: posterior.coalitions(ps, self.size, scheme="independent", prior=prior, draws=draws)
        ).copy()
        found["independent"][-1] = self.expected(ps, "independent", settings)[0]  # the figure of the other views
        return found

    def joining(self, settings: Settings, measured) -> Joining | None:
        """The race of the coalition, carried on with further recipients at the same levels, one after the other."""
        who = settings.coalition
        if not who:
            return None
        own = retentions(who)
        ps = [own[i % len(own)] for i in range(max(JOINING, len(own)))]
        beforehand = 1 / self.size if settings.prior == "uniform" else float(self.shares @ self.shares)
        lines = {}
        for scheme in SCHEMES:
            here = [self.expected(own[: m + 1], scheme, settings)[0] for m in range(len(own))]
            further = self._further(ps, settings)[len(own) :] if scheme == "independent" else []
            lines[scheme] = np.array([beforehand, *here, *further, *[here[-1]] * (len(ps) - len(here) - len(further))])
        return Joining(lines, measured, len(who), self.expected(own, "independent", settings)[1])

    def _further(self, ps, settings):
        """What ever more independent copies at these p would give away, on some rows."""

        def measure():
            codes = self.codes[: min(FURTHER, self.rows)]
            release = UniformRelease(codes, self.size, scheme="independent", key=self.seed)
            copies = [release.copy(p, recipient=1000 + number) for number, p in enumerate(ps)]
            prior = self.prior(settings)
            return posterior.reconstruction_curve(codes, copies, ps, self.size, scheme="independent", prior=prior)[0]

        return self._measured(("further", tuple(ps), settings.prior), measure)

    def memory(self, settings: Settings) -> Memory:
        """Values kept for a person once these copies are released, nested, in a release of its own."""
        ps = tuple(sorted(set(retentions(settings.recipients))))

        def measure():
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

        return self._measured(("memory", ps), measure)

    # Pictures

    def preview(self, settings: Settings) -> Picture:
        """A picture from the first rows: at slider rate."""
        rows = min(PREVIEW, self.rows)
        return _Run(self, settings, rows).step(rows)

    def stream(self, settings: Settings, chunk: int = CHUNK):
        """Pictures from ever more rows, the last one from all."""
        run = _Run(self, settings, self.rows)
        while run.done < self.rows:
            yield run.step(min(run.done + chunk, self.rows))
        # What all rows say of those who are not touched next.
        self._full = {_key(r, settings): run.held[r.number] for r in settings.recipients}

    def known(self, recipient, settings: Settings) -> Held | None:
        """What this recipient holds of all rows, if that was counted last."""
        return self._full.get(_key(recipient, settings))

    def copying(self, settings: Settings, chunk: int):
        """Steps of making the copies one after the other, the order in which they were asked for."""
        held = {}
        for place, recipient in enumerate(settings.recipients):
            held[recipient.number] = self.nothing()
            for start in range(0, self.rows, chunk):
                stop = min(start + chunk, self.rows)
                codes = self.copy(recipient, settings.scheme, start, stop)
                held[recipient.number] = held[recipient.number].plus(codes, self.where(start, stop), self.size)
                done = min((place + stop / self.rows) / len(settings.recipients), 1.0)
                text = f"{recipient.name}'s copy: {count(stop)} people"
                yield Copying(settings, recipient, dict(held), done, text, _where(recipient, settings))

    def nothing(self) -> Held:
        """No rows counted yet."""
        return Held(0, np.zeros(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64))


def _key(recipient, settings):
    who = recipient.number if settings.scheme == "independent" else None
    return settings.scheme, recipient.trust, who


def _where(recipient, settings) -> str:
    """How a new copy comes to stand among those made before it."""
    if settings.scheme != "nested":
        return f"{recipient.name}'s copy is drawn afresh, whatever the others hold."
    before = settings.recipients[: settings.recipients.index(recipient)]
    above = [r for r in before if r.trust >= recipient.trust]
    below = [r for r in before if r.trust < recipient.trust]
    left = min(above, key=lambda r: r.trust).name if above else "the truth"
    if not below:
        return f"{recipient.name} reads the path beyond {left}: more values are redrawn."
    right = max(below, key=lambda r: r.trust).name
    return f"{recipient.name} reads the path between {left} and {right}: the redraws are there already."


class _Run:
    """A picture in the making."""

    def __init__(self, model: Model, settings: Settings, total: int):
        self.model, self.settings, self.total, self.done = model, settings, total, 0
        self.held = {r.number: model.nothing() for r in settings.recipients}
        self.measured = {s: [Tally() for _ in settings.coalition] for s in SCHEMES}
        self.results = self._results()

    def _results(self):
        settings = self.settings
        who = settings.coalition
        if not who:
            return {}
        asked = {"single": ((settings.best,), settings.scheme), "together": (who, settings.scheme)}
        if len(who) > 1:
            asked["rival"] = (who, settings.rival)
        return {
            name: Result(some, scheme, *self.model.expected(retentions(some), scheme, settings))
            for name, (some, scheme) in asked.items()
        }

    def step(self, stop: int) -> Picture:
        """Take in the rows up to `stop` and show where things stand."""
        model, settings, start, self.done = self.model, self.settings, self.done, stop
        for r in settings.recipients:
            codes = model.copy(r, settings.scheme, start, stop)
            self.held[r.number] = self.held[r.number].plus(codes, model.where(start, stop), model.size)
        if settings.coalition:
            self._attack(start, stop)
        return self._picture()

    def _attack(self, start, stop):
        model, settings, rows = self.model, self.settings, stop - start
        truth, prior, who = model.codes[start:stop], model.prior(settings), settings.coalition
        for scheme in SCHEMES:
            copies = [model.copy(r, scheme, start, stop) for r in who]
            means, errors = posterior.reconstruction_curve(
                truth, copies, retentions(who), model.size, scheme=scheme, prior=prior
            )
            for tally, mean, error in zip(self.measured[scheme], means, errors, strict=True):
                tally.add(mean, error, rows)
            if scheme == settings.scheme:
                guess, sure = posterior.best_guess(copies, retentions(who), model.size, scheme=scheme, prior=prior)
                together = self.results["together"]
                together.right.add(float(np.mean(guess == truth)), 0.0, rows)
                together.sure.add(float(sure.mean()), 0.0, rows)
        for result in self.results.values():
            if len(result.who) > 1:
                result.tally = self.measured[result.scheme][-1]
            else:
                copy = [model.copy(result.who[0], result.scheme, start, stop)]
                found = posterior.reconstruction_probability(
                    truth, copy, retentions(result.who), model.size, scheme=result.scheme, prior=prior
                )
                result.tally.add(float(found.mean()), float(found.std() / np.sqrt(rows)), rows)

    def _picture(self):
        model, settings = self.model, self.settings
        live = self.total < model.rows
        held = dict(self.held)
        if live:
            for r in settings.recipients:  # who was not touched does not flicker
                held[r.number] = model.known(r, settings) or held[r.number]
        return Picture(
            settings=settings,
            rows=self.done,
            total=self.total,
            original=model.original,
            held=held,
            results={name: replace(result) for name, result in self.results.items()},
            joining=model.joining(settings, self.measured),
            coalitions=model.coalitions(settings, live or self.done < self.total),
            memory=model.memory(settings),
        )
