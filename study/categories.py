"""A study of categories: a value is kept with the probability that a recipient's trust says, and redrawn otherwise."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from trustscope.scenarios.categories import map as maps
from trustscope.scenarios.categories.attacked import attacked
from trustscope.scenarios.categories.column import BINS
from trustscope.scenarios.categories.frontier import frontier
from trustscope.scenarios.categories.scenario import PRIORS, SCHEMES, SMALLEST, CategoriesScenario
from trustscope.scenarios.grid import pair
from trustscope.scenarios.preparation import prepared
from trustscope.scenarios.solve.categories import solve
from trustscope.scenarios.solve.lines import on_categories_map
from trustscope.scenarios.solve.requirement import CategoriesRequirement
from trustscope.scenarios.whole import last
from trustscope.study import cell
from trustscope.study.coalition import Study, joined, members_of, one_of, one_trust, recipients_named, share
from trustscope.study.parts import ChoicePart, WholePart
from trustscope.study.problem import StudyProblem
from trustscope.study.solved import Solved


@dataclass(frozen=True, eq=False)
class Guessed:
    """What a coalition guesses of every person.

    Attributes
    ----------
    pooled : tuple of str
        Whose copies.
    estimate : table
        The guesses, of the kind that the data came in, with values as copies have them.
    hits : float
        The share of them that is right, measured.
    baseline : float
        The same without any copy.
    """

    pooled: tuple[str, ...]
    estimate: Any
    hits: float
    baseline: float

    def __repr__(self) -> str:
        return (
            f"{joined(self.pooled)} guess right {self.hits:.1%} of {len(self.estimate)} values "
            f"({self.baseline:.1%} without any copy)."
        )

    def _repr_html_(self) -> str:
        table = pd.DataFrame({"hits": [self.hits], "baseline": [self.baseline]}, index=[" + ".join(self.pooled)])
        return cell.table(table, repr(self))


class CategoriesStudy(Study):
    """A study of categories: a value is kept with the probability that trust says, and redrawn otherwise."""

    page: ClassVar[str] = "categories"
    empty: ClassVar = CategoriesScenario
    schemes: ClassVar = SCHEMES
    paths: ClassVar = {
        "random_state": "seed",
        "secret": "data.column",
        "bins": "data.bins",
        "recipients": "settings.recipients",
        "pooled": "settings.recipients",
        "scheme": "settings.scheme",
        "prior": "settings.prior",
        "knowledge": "settings.knowledge",
        "known": "settings.known",
    }

    scheme = ChoicePart(default="independent", objects=list(SCHEMES), doc="How the copies hang together.")
    bins = WholePart(default=10, bounds=BINS, doc="Into how many bins numbers are put, where the secret is numbers.")
    prior = ChoicePart(default="statistics", objects=list(PRIORS), doc="What the attacker knows beforehand.")

    # Parts

    def fit_to_data(self, scenario: CategoriesScenario) -> CategoriesScenario:
        """The scenario as far as it fits the data."""
        made: CategoriesScenario = super().fit_to_data(scenario)
        self.param.secret.objects = list(self._every(made))
        return made

    def _every(self, scenario: CategoriesScenario) -> tuple[str, ...]:
        data = prepared(self._loaded(scenario).data, scenario.data.preparation)
        return (*data.categorical, *data.numeric)

    def columns_of(self, scenario: CategoriesScenario) -> tuple[str, ...]:
        """The columns that can be known: all but the secret."""
        beside: tuple[str, ...] = self._loaded(scenario).model.beside
        return beside

    def trust_of(self, name: str, trust: Any) -> float:
        """A trust in per cent, to a tenth."""
        return one_trust(name, trust, least=100 * SMALLEST, whole=False)

    def put(self, scenario: CategoriesScenario, name: str, value: Any) -> CategoriesScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        if name == "secret":
            value = one_of(value, self._every(scenario), "column")
            known = tuple(one for one in scenario.settings.known if one != value)
            # What was looked at belongs to the column before.
            return scenario.replace({"data.column": value, "settings.known": known, "view.value": ""})
        if name == "prior":
            one_of(value, PRIORS, "prior")
        if name == "bins":
            try:
                value = operator.index(value)
            except TypeError:
                raise StudyProblem(f"`bins` is a whole number from {BINS[0]} to {BINS[1]}, not {value!r}.") from None
        made: CategoriesScenario = super().put(scenario, name, value)
        return made

    # Tables

    def _rows(self) -> np.ndarray:
        """Which rows of the data are released: those that have a value of the secret."""
        data = prepared(self._loaded(self.scenario).data, self.scenario.data.preparation)
        return np.asarray(data.frame[self.secret].notna())

    def _values(self) -> Callable[[np.ndarray], Any]:
        """From codes to what copies hold: the values of the table that came in, or their labels."""
        model = self._model
        if self.secret not in [step.column for step in self.scenario.data.preparation]:
            found = self._source.values_of(self.secret, np.flatnonzero(self._rows()), model.column.codes, model.size)
            if found is not None:
                return found
        return np.array(model.column.labels, dtype=object).__getitem__

    def copies(self) -> dict[str, Any]:
        """What each recipient holds of the secret, by name.

        Returns
        -------
        dict of str to table
            Of the kind that came in, with its index. Values are those of the table that came in, in their own type;
            labels where these are of a file, and where one label is several of them: numbers in bins, and texts that
            are one but for how they are written. Rows without a value are left out. For looking at, not for handing
            out: whoever tries `random_state` finds the values. `ts.Ledger` makes copies that can be handed out.
        """
        model, settings, rows, made = self._model, self.scenario.settings, self._rows(), {}
        values = self._values()
        for recipient in settings.recipients:
            codes = np.empty(model.rows, dtype=np.int64)
            codes[model.order] = model.copy(recipient, settings.scheme, first=settings.first)
            made[recipient.name] = self._source.like({self.secret: values(codes)}, rows)
        return made

    def coalitions(self) -> pd.DataFrame:
        """What every coalition gets, with the copies of the study.

        Returns
        -------
        pandas.DataFrame
            `members`; `belief`, what is believed of the true value on average; `hits`, the share of people whose value
            is guessed right; `baseline`, the same without any copy.
        """
        settings, model = self._model.fit_to_data(self.scenario).settings, self._model
        every = model.coalitions(settings, live=False)[settings.scheme]
        who = settings.recipients
        subsets = self._subsets()
        insights = [every[sum(1 << who.index(r) for r in subset)] for subset in subsets]
        return pd.DataFrame({
            "members": members_of(subsets), "belief": [one.belief for one in insights],
            "hits": [one.right for one in insights], "baseline": model.without(settings).right,
        })  # fmt: skip

    def attack(self, *, pooled: Any = None) -> Guessed:
        """The best guess of every person's value from copies.

        Parameters
        ----------
        pooled : names, optional
            Whose copies; by default of those who pool in the study.
        """
        scenario = self.scenario if pooled is None else self._with_pooled(self.scenario, pooled)
        settings, model = scenario.settings, self._model
        if not settings.coalition:
            raise StudyProblem("Nobody pools: name at least one recipient, as in pooled=['Ministry'].")
        found = attacked(model, settings)
        estimate = self._source.like({self.secret: self._values()(found.codes)}, self._rows())
        who = tuple(r.name for r in settings.coalition)
        return Guessed(who, estimate, found.right, model.without(settings).right)

    def solve(  # type: ignore[override]  # every kind names its own targets
        self, *, max_hits: float | None = None, max_belief: float | None = None, before: float = 0.1,
        max_growth: float | None = None, max_share_error: float | None = None, keep: Any = (),
    ) -> Solved:  # fmt: skip
        """The highest trusts that keep a target, scheme by scheme; every one that is named must hold.

        Parameters
        ----------
        max_hits : float
            The share of people whose value any coalition may guess right.
        max_belief, before : float
            What was believed less than `before` is never believed more than this.
        max_growth : float
            No belief may grow by more than this.
        max_share_error : float
            The standard error of any value's share, in every copy.
        keep : names
            Who holds a copy already, whose trust does not change.

        All are shares between 0 and 1. Without any target those that stand in the scenario are solved.
        """
        asked = {
            "max_hits": ("right", max_hits), "max_belief": ("rho", max_belief), "max_growth": ("delta", max_growth),
            "max_share_error": ("shares", max_share_error),
        }  # fmt: skip
        required = tuple(
            CategoriesRequirement(what=what, limit=100 * share(limit, name), before=100 * share(before, "before"))  # type: ignore[arg-type]
            for name, (what, limit) in asked.items() if limit is not None
        )  # fmt: skip
        scenario = self.scenario
        if not required and not scenario.settings.requirements:
            raise StudyProblem(f"Say what must hold: {joined(asked)}, as in solve(max_hits=0.35).")
        changes: dict[str, Any] = {"settings.locked": recipients_named(scenario.settings, keep)}
        if required:
            changes["settings.requirements"] = required
        model = self._model
        return Solved(self, solve(model, model.fit_to_data(scenario.replace(changes))))

    # Plots

    def picture_of(self, key: str, scenario: CategoriesScenario) -> Any:
        """What the table of a card is made from."""
        model = self._loaded(scenario).model
        fitted = model.fit_to_data(scenario)
        if key == "tradeoff":
            return last(frontier(model, fitted))
        if key == "map":
            view = fitted.view.map
            limit = on_categories_map(fitted, pair(view.across, view.upwards, maps.offered(fitted)))
            return last(maps.grid(model, fitted, view.limit / 100 if limit is None else limit.value))
        return super().picture_of(key, scenario)

    def _about(self) -> str:
        model = self._model
        return f"{model.rows} {model.noun}, {self.secret} with {model.size} values"
