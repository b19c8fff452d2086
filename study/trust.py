"""A study of numbers: noise is added to them, as much as a recipient is not trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from trustscope.scenarios.coalition import MOST, Recipient
from trustscope.scenarios.grid import pair
from trustscope.scenarios.measures import registered as registered_measures
from trustscope.scenarios.preparation import prepared
from trustscope.scenarios.solve.lines import on_trust_map
from trustscope.scenarios.solve.requirement import TrustRequirement
from trustscope.scenarios.solve.trust import labels_of, solve
from trustscope.scenarios.trust import closed
from trustscope.scenarios.trust import map as maps
from trustscope.scenarios.trust.attacked import attacked
from trustscope.scenarios.trust.frontier import USEFUL, frontier
from trustscope.scenarios.trust.judge import STRONGEST, judged
from trustscope.scenarios.trust.loading import FIRST
from trustscope.scenarios.trust.scenario import ATTACKERS, KINDS, MADE, SCHEMES, Settings, TrustScenario
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.trust.usefulness import accuracies
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import last
from trustscope.scenarios.words import plain
from trustscope.schemes import HOUSE
from trustscope.study import cell
from trustscope.study.coalition import (
    Study,
    amount,
    joined,
    members_of,
    names_of,
    number,
    one_of,
    one_trust,
    recipients_named,
    share,
    shown,
)
from trustscope.study.parts import ChoicePart, NumberPart, ValuePart
from trustscope.study.problem import StudyProblem
from trustscope.study.solved import Solved

PERFECT = "perfect"  # the attacker whose error has a closed form, and hits where one value is guessed

# What a target can be about: the word for it here, the requirement, and whether its limit is a share.
TARGETS = {
    "max_hits": ("hits", True),
    "min_error": ("error", True),
    "max_worst": ("worst", True),
    "max_hundredth": ("hundredth", True),
    "max_found": ("found", True),
    "min_crowd": ("crowd", False),
    "max_mean_error": ("mean", False),
    "max_histogram_error": ("histogram", True),
}


def _size(value: Any) -> int:
    """Of how many a coalition is at most."""
    given = number(value)
    if given is None or not 1 <= given <= MOST or given != int(given):
        raise StudyProblem(f"at_most is how many may pool, a whole number from 1 to {MOST}, not {shown(value)}.")
    return int(given)


@dataclass(frozen=True, eq=False)
class Attacked:
    """What an attacker made of a coalition's copies.

    Attributes
    ----------
    attacker : str
    pooled : tuple of str
        Whose copies.
    estimate : table
        The guesses of least square error, of the kind that the data came in. Rows of people whom the attacker knows
        are not attacked, and not in it.
    guess : numpy.ndarray
        Guesses of the secret that hit most often, in the order of `estimate`.
    error, hits : float
        Measured on these rows: the error as a share of the variance (1: as guessing the average), and the share of
        guesses that are hits.
    baseline : float
        The share of hits without any copy.
    measures : dict of str to float
        What measures that were registered say of these guesses.
    """

    attacker: str
    pooled: tuple[str, ...]
    estimate: Any
    guess: np.ndarray
    error: float
    hits: float
    baseline: float
    measures: dict[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        more = "".join(f", {name} {plain(value)}" for name, value in self.measures.items())
        return (
            f"{joined(self.pooled)}, attacked by one who {ATTACKERS[self.attacker]}: error {plain(self.error)}, "
            f"hits {self.hits:.1%} ({self.baseline:.1%} without any copy){more}, {len(self.guess)} rows."
        )

    def _repr_html_(self) -> str:
        found = {"error": self.error, "hits": self.hits, "baseline": self.baseline} | self.measures
        return cell.table(pd.DataFrame([found], index=[" + ".join(self.pooled)]), repr(self))


class TrustStudy(Study):
    """A study of numbers: noise is added to them, as much as a recipient is not trusted."""

    page: ClassVar[str] = "trust"
    empty: ClassVar = TrustScenario
    schemes: ClassVar = SCHEMES
    paths: ClassVar = {
        "random_state": "seed",
        "columns": "data.columns",
        "secret": "settings.attribute",
        "hit": "settings.kind",
        "within": "settings.eps",
        "recipients": "settings.recipients",
        "pooled": "settings.recipients",
        "scheme": "settings.scheme",
        "attackers": "settings.attackers",
        "knowledge": "settings.knowledge",
        "known": "settings.known",
        "similarity": "settings.similarity",
    }

    scheme = ChoicePart(
        default="independent", objects=list(HOUSE), check_on_set=False, doc="How the copies hang together."
    )
    columns = ValuePart(doc="The columns that are released.")
    within = NumberPart(default=None, allow_None=True, bounds=(0, None), doc="How close a guess must come to be a hit.")
    hit = ChoicePart(default="absolute", objects=list(KINDS), doc="What must be guessed: one value, or a record.")
    attackers = ValuePart(doc="Who attacks; the verdict is the worst over them.")
    similarity = NumberPart(default=1.0, bounds=(-1, 1), doc="Of the noise to the data: 1 its shape, 0 white.")

    # Parts

    def fit_to_data(self, scenario: TrustScenario) -> TrustScenario:
        """The scenario as far as it fits the data."""
        made: TrustScenario = super().fit_to_data(scenario)
        self.param.secret.objects = list(made.data.columns)
        self.param.scheme.objects = list(SCHEMES)
        return made

    def columns_of(self, scenario: TrustScenario) -> tuple[str, ...]:
        """The columns that are released."""
        names: tuple[str, ...] = self._loaded(scenario).model.population.names
        return names

    def trust_of(self, name: str, trust: Any) -> float:
        """A whole trust in per cent."""
        return one_trust(name, trust, least=1, whole=True)

    def put(self, scenario: TrustScenario, name: str, value: Any) -> TrustScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        if name == "columns":
            return self._with_columns(scenario, value)
        if name == "secret":
            return self._with_secret(scenario, value)
        if name == "hit":
            return scenario.replace({"settings.kind": one_of(value, KINDS, "kind of hit"), "settings.eps": None})
        if name == "within":
            value = self._distance(scenario, value)
        if name == "attackers":
            value = names_of(value, ATTACKERS, "attacker")
            if not value:
                raise StudyProblem(f"Somebody must attack: name one of {joined(ATTACKERS)}.")
        made: TrustScenario = super().put(scenario, name, value)
        return made

    def _with_columns(self, scenario: TrustScenario, value: Any) -> TrustScenario:
        numeric = prepared(self._loaded(scenario).data, scenario.data.preparation).numeric
        columns = names_of(value, numeric, "column of numbers")
        if not columns:
            raise StudyProblem(f"Name at least one column: there are {joined(numeric)}.")
        return scenario.replace({"data.columns": columns})

    def _with_secret(self, scenario: TrustScenario, value: Any) -> TrustScenario:
        loaded = self._loaded(scenario)
        numeric = prepared(loaded.data, scenario.data.preparation).numeric
        value = one_of(value, numeric, "column of numbers")
        if value not in loaded.model.population.names:
            if scenario.data.columns:
                raise StudyProblem(f"The column {value!r} is not released: add it to `columns`, which are "
                                   f"{joined(scenario.data.columns)}.")  # fmt: skip
            first = {*numeric[: FIRST - 1], value}
            scenario = scenario.replace({"data.columns": tuple(name for name in numeric if name in first)})
        # A distance belongs to the column that it was said for.
        known = tuple(name for name in scenario.settings.known if name != value)
        return scenario.replace({"settings.attribute": value, "settings.eps": None, "settings.known": known})

    def _distance(self, scenario: TrustScenario, value: Any) -> float | None:
        if value is None:
            return None
        settings = scenario.settings
        people = self._loaded(scenario).model.population
        scale = threshold(people, settings.attribute, settings.kind)
        given = number(value)
        if given is None or not 0 <= given <= scale.end:
            unit = people.unit_names.get(settings.attribute, "") if settings.kind == "absolute" else ""
            raise StudyProblem(f"`within` is how close a guess must come, from 0 to {plain(scale.end)} {unit}".rstrip()
                               + f" here, not {shown(value)}.")  # fmt: skip
        return given

    # Models: attackers learn on the data, whatever the noise is keyed by

    def _model_key(self, scenario: TrustScenario) -> Any:
        return scenario.data

    def _seeded(self, model: Any, scenario: TrustScenario) -> Any:
        return model if model.seed == scenario.seed else model.reseeded(scenario.seed)

    # Tables

    def _rows(self) -> np.ndarray:
        """Which rows of the data are released: those with a value in every released column."""
        data = prepared(self._loaded(self.scenario).data, self.scenario.data.preparation)
        return ~data.frame[list(self.scenario.data.columns)].isna().any(axis=1).to_numpy()

    def copies(self) -> dict[str, Any]:
        """What each recipient holds, by name.

        Returns
        -------
        dict of str to table
            Of the kind that came in, with its index. Rows that lack a value in a released column are left out. For
            looking at, not for handing out: whoever tries `random_state` takes the noise off again. `ts.Ledger` makes
            copies that can be handed out.
        """
        scenario, model = self.scenario, self._model
        people, noise = model.population, model.noise(scenario.settings.similarity)
        rows, made = self._rows(), {}
        for recipient in scenario.settings.recipients:
            values = np.empty((people.rows, people.columns))
            values[people.order] = noise.copy(
                recipient, scenario.settings.scheme, 0, people.rows, among=scenario.settings.recipients
            )
            columns = {name: values[:, place] for place, name in enumerate(people.names)}
            made[recipient.name] = self._source.like(columns, rows)
        return made

    def coalitions(self, *, measures: Any = (), attacker: str | None = None) -> pd.DataFrame:
        """What every coalition gets, with the noise of the study.

        Parameters
        ----------
        measures : names
            Measures that were registered (`ts.measure`): a column for each, measured on the copies of every coalition.
        attacker : str, optional
            By whom, of those whom `attack` takes. Of "strongest", and of "perfect" where one value is guessed, errors
            and hits are expected ones. All others have no closed form: they attack the copies of every coalition, and
            what they achieve is measured, which takes as long as so many attacks. By default the strongest, or where
            that one does not attack the best linear guess of somebody who knows the statistics; measures are then of
            the first who attacks.

        Returns
        -------
        pandas.DataFrame
            `members`; `error`, as a share of the variance (1: as guessing the average); `hits`, the share of people
            whose secret is guessed; `baseline`, the same without any copy. By default hits are missing where whole
            records are guessed and the strongest does not attack: a linear guess of them has no closed form.
        """
        asked = names_of(measures, tuple(registered_measures()), "registered measure")
        settings, subsets = self._fitted().settings, self._subsets()
        by = settings.attackers[0] if attacker is None else one_of(attacker, ATTACKERS, "attacker")
        closed_form = attacker in (None, STRONGEST) or (attacker == PERFECT and settings.kind == "absolute")
        every = [self.attack(by, pooled=who) for who in members_of(subsets)] if asked or not closed_form else []
        if closed_form:
            told = settings if attacker is None else settings.replace({"attackers": (by,)})
            errors, hits, baseline = self._expected(told, subsets)
        else:
            errors, hits = np.array([one.error for one in every]), np.array([one.hits for one in every])
            baseline = every[0].baseline
        table = pd.DataFrame({"members": members_of(subsets), "error": errors, "hits": hits, "baseline": baseline})
        return table.assign(**{name: [one.measures[name] for one in every] for name in asked})

    def _expected(
        self, settings: Settings, subsets: list[tuple[Recipient, ...]]
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Errors and hits of coalitions by closed forms and curves, and the hits without any copy."""
        model = self._model
        if STRONGEST in settings.attackers:
            judged(model, settings, wait=True)
        noise = model.noise(settings.similarity)
        level = np.array([noise.level(who, settings.scheme) for who in subsets])
        attribute, eps = model.population.index(settings.attribute), not_none(settings.eps)
        baseline = model.constants.best(attribute, eps, settings.kind).rate
        if settings.kind == "absolute" or STRONGEST in settings.attackers:
            hits = np.maximum(baseline, closed.judged_hits(model, settings, level, attribute, eps))
        else:
            hits = np.full(len(subsets), np.nan)  # a linear guess of whole records has no closed form
        return closed.judged_errors(model, settings, level), hits, baseline

    def _fitted(self) -> TrustScenario:
        fitted: TrustScenario = self._model.fit_to_data(self.scenario)
        return fitted

    def attack(self, attacker: str = STRONGEST, *, pooled: Any = None) -> Attacked:
        """What an attacker makes of copies, row by row.

        Parameters
        ----------
        attacker : str
            One of "strongest", "perfect", "structured", "raw", "noise_distribution", "univariate",
            "principal_components", "spectral_filter", "bayes", "neighbours" and "boosting", or one that was registered.
        pooled : names, optional
            Whose copies; by default of those who pool in the study.
        """
        one_of(attacker, ATTACKERS, "attacker")
        scenario = self.scenario if pooled is None else self._with_pooled(self.scenario, pooled)
        settings, model = self._model.fit_to_data(scenario).settings, self._model
        if not settings.coalition:
            raise StudyProblem("Nobody pools: name at least one recipient, as in pooled=['Ministry'].")
        found = attacked(model, settings, attacker)
        columns = {name: found.estimates[:, place] for place, name in enumerate(model.population.names)}
        estimate = self._source.like(columns, np.flatnonzero(self._rows())[found.rows])
        baseline = model.constants.best(model.population.index(settings.attribute), settings.eps, settings.kind).rate
        who = tuple(r.name for r in settings.coalition)
        error, hits = found.tally.error, found.tally.breach_rate
        return Attacked(attacker, who, estimate, found.guesses, error, hits, baseline, found.measures)

    def solve(  # type: ignore[override]  # every kind names its own targets
        self, *, max_hits: float | None = None, min_error: float | None = None, max_worst: float | None = None,
        max_hundredth: float | None = None, max_found: float | None = None, min_crowd: float | None = None,
        max_mean_error: float | None = None, max_histogram_error: float | None = None,
        pooled: Any = None, at_most: int | None = None, keep: Any = (), given: str = "most",
    ) -> Solved:  # fmt: skip
        """The highest trusts that keep a target, scheme by scheme; every one that is named must hold.

        Parameters
        ----------
        max_hits, min_error : float
            The share of people whose secret a coalition may guess; the error that it must make.
        max_worst, max_hundredth : float
            How often the secret of the most exposed person, or hundredth, may be guessed.
        max_found, min_crowd : float
            The share of people who may be found again; how many records must fit as well as a person's own.
        max_mean_error, max_histogram_error : float
            How exact the mean of the secret, or its histogram, must be in every copy.
        pooled, at_most : names, int
            The coalition that limits are about: these, or any of at most so many; any by default.
        keep : names
            Who holds a copy already, whose trust does not change.
        given : {"most", "scaled", "lowered"}
            The most for everybody, all scaled together, or only those lowered that are too high.

        Without any target those that stand in the scenario are solved.
        """
        asked = {
            "max_hits": max_hits, "min_error": min_error, "max_worst": max_worst, "max_hundredth": max_hundredth,
            "max_found": max_found, "min_crowd": min_crowd, "max_mean_error": max_mean_error,
            "max_histogram_error": max_histogram_error,
        }  # fmt: skip
        scenario = self.scenario
        required = tuple(
            self._required(name, limit, pooled, at_most) for name, limit in asked.items() if limit is not None
        )
        if not required and not scenario.settings.requirements:
            raise StudyProblem(f"Say what must hold: {joined(asked)}, as in solve(max_hits=0.35).")
        one_of(given, ("most", "scaled", "lowered"), "way to give trust")
        changes = {"settings.given": given, "settings.locked": recipients_named(scenario.settings, keep)}
        if required:
            changes["settings.requirements"] = required
        loaded = self._loaded(scenario)
        wanted = loaded.model.fit_to_data(scenario.replace(changes))
        found = solve(loaded.model, wanted, labels_of(loaded.data, loaded.model))
        return Solved(self, found)

    def _required(self, name: str, limit: float, pooled: Any, at_most: int | None) -> TrustRequirement:
        what, is_share = TARGETS[name]
        limit = share(limit, name) if is_share else amount(limit, name)
        about: dict[str, Any] = {}
        if what not in ("mean", "histogram"):
            if pooled is not None:
                about = {"coalition": "named", "members": recipients_named(self.scenario.settings, pooled)}
            elif at_most is not None:
                about = {"coalition": "size", "size": _size(at_most)}
        return TrustRequirement(what=what, limit=limit, **about)  # type: ignore[arg-type]

    # Plots

    def picture_of(self, key: str, scenario: TrustScenario) -> Any:
        """What the table of a card is made from."""
        loaded = self._loaded(scenario)
        fitted = loaded.model.fit_to_data(scenario)
        if STRONGEST in fitted.settings.attackers and key in ("tradeoff", "map"):
            judged(loaded.model, fitted.settings, wait=True)  # what is drawn is read off its curves
        if key == "exposed":
            return last(loaded.model.stream(fitted, opened=("exposed",)))
        if key == "tradeoff":
            return self._tradeoff(loaded, fitted)
        if key == "map":
            return self._map(loaded, fitted)
        if key == "classifiers":
            return self._classifiers(loaded, fitted)
        return super().picture_of(key, scenario)

    def _label(self, loaded: Any) -> tuple[np.ndarray | None, str]:
        """What classifiers predict, in the order of the data, and its name."""
        data = loaded.data
        name = self.scenario.view.label or data.label or next(iter(data.categorical), None)
        there = name is not None and data.rows == loaded.model.rows
        return (data.frame[name].to_numpy(), str(name)) if there else (None, "")

    def _tradeoff(self, loaded: Any, scenario: TrustScenario) -> Any:
        labels, name = self._label(loaded)
        if USEFUL[scenario.view.tradeoff.useful].measured and labels is None:
            raise StudyProblem(
                "There is no classifier to try: these data have no column to predict, or rows with gaps."
            )
        order = loaded.model.population.order
        return last(frontier(loaded.model, scenario, None if labels is None else labels[order], name))

    def _map(self, loaded: Any, scenario: TrustScenario) -> Any:
        _, axes = maps.offered(loaded.model, scenario)
        view = scenario.view.map
        drawn = pair(view.across, view.upwards, axes)
        limit = on_trust_map(loaded.model.population, scenario, maps.figure_of(scenario), drawn)
        return maps.grid(loaded.model, scenario, view.limit / 100 if limit is None else limit.value)

    def _classifiers(self, loaded: Any, scenario: TrustScenario) -> pd.DataFrame:
        labels, _ = self._label(loaded)
        if labels is None:
            raise StudyProblem(
                "There is no classifier to try: these data have no column to predict, or rows with gaps."
            )
        return accuracies(loaded.model, scenario.settings, labels)

    def _about(self) -> str:
        settings, people = self.scenario.settings, self._model.population
        unit = people.unit_names.get(settings.attribute, "")
        near = f"{plain(settings.eps)} {unit}".rstrip()
        made = " made to order" if self.scenario.data.name == MADE else ""
        return f"{people.rows} {people.noun}{made}, {settings.attribute} to be guessed within {near}"
