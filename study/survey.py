"""A study of a survey: respondents disclose as much as they accept, and a miner learns to tell two classes apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trustscope.scenarios.solve.lines import on_survey_map
from trustscope.scenarios.solve.requirement import SurveyRequirement
from trustscope.scenarios.solve.survey import solve
from trustscope.scenarios.survey import map as maps
from trustscope.scenarios.survey.frontier import frontier
from trustscope.scenarios.survey.scenario import END, MINERS, Part, SurveyScenario
from trustscope.scenarios.whole import last
from trustscope.study.base import BaseStudy
from trustscope.study.coalition import joined, one_of, seed, share
from trustscope.study.parts import ChoicePart, NumberPart, ValuePart, WholePart
from trustscope.study.problem import StudyProblem
from trustscope.study.solved import Answers
from trustscope.study.source import source_of

KINDS_HINT = (
    'Kinds of respondents are a share in per cent and a number of directions: {"careful": (70, 1), "open": (30, 9)}.'
)


class Survey(BaseStudy):
    """People who are asked, and disclose as much as they accept.

    Parameters
    ----------
    data : table, path, str or Dataset
        A pandas, polars or Arrow table, the path of a file, the name of a built-in dataset, or a dataset.
    **parts
        Any part, to begin with: `label`, `value`, `secret`, `kinds`, `arrived`, `miner`, `mu`, `update_every`, `order`,
        `extra_check`, `rival`, `random_state`.

    Examples
    --------
    >>> import trustscope as ts
    >>> ts.Survey("votes").kinds["pragmatists"]
    (56, 3)
    """

    page: ClassVar[str] = "survey"
    paths: ClassVar = {
        "random_state": "seed",
        "label": "data.label",
        "value": "data.value",
        "secret": "settings.target",
        "kinds": "settings.parts",
        "miner": "settings.miner",
        "mu": "settings.mu",
        "update_every": "settings.update_every",
        "order": "settings.order",
        "extra_check": "settings.extra_check",
        "rival": "settings.rival",
        "arrived": "view.arrived",
    }

    label = ValuePart(doc="The column whose value the miner learns.")
    value = ValuePart(doc="The value of it that is told from all others.")
    secret = ValuePart(doc="The question that is watched.")
    kinds = ValuePart(doc="Kinds of respondents: their share in per cent, and the most directions that they follow.")
    miner = ChoicePart(default="honest", objects=list(MINERS), doc="Who asks.")
    mu = NumberPart(default=0.025, bounds=(0, 0.5), doc="Directions weaker than this are left out.")
    update_every = WholePart(default=20, bounds=(1, 500), doc="Answers between two guidances.")
    order = ChoicePart(default="magnitude", objects=["magnitude", "signed"], doc="Of the directions.")
    extra_check = ValuePart(doc="Whether respondents bound the weight of single answers.")
    rival = ValuePart(doc="Whether a randomisation that gives away as much is computed beside it.")
    arrived = WholePart(default=200, bounds=(0, END), doc="How many have answered.")
    random_state = WholePart(default=12, doc="The key of who comes when, and of what is sent.")

    def __init__(self, data: Any, **parts: Any):
        source = source_of(data)
        named = SurveyScenario().replace({f"data.{key}": one for key, one in source.part.items()})
        super().__init__(source, named, **{name: value for name, value in parts.items() if value is not None})

    def part(self, name: str) -> Any:
        """A part of the scenario by its name here."""
        if name == "kinds":
            return {part.name: (part.weight, part.level) for part in self.scenario.settings.parts}
        return super().part(name)

    def put(self, scenario: SurveyScenario, name: str, value: Any) -> SurveyScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        if name == "kinds":
            value = _kinds(value)
        if name == "random_state":
            value = seed(value)
        if name == "miner":
            one_of(value, MINERS, "miner")
        if name == "label":
            value = one_of(value, self._loaded(scenario).data.categorical, "column of categories")
            return scenario.replace({"data.label": value, "data.value": "", "settings.target": ""})
        if name == "secret":
            value = one_of(value, self._loaded(scenario).model.people.encoding.questions, "question")
        made: SurveyScenario = super().put(scenario, name, value)
        return made

    def solve(self, *, max_disclosure: float | None = None, min_accuracy: float | None = None) -> Answers:
        """The most that respondents may be asked for, in two ways of setting it.

        Parameters
        ----------
        max_disclosure, min_accuracy : float
            What respondents may give away on average; the share of people whose class the miner must find.
        """
        asked = {"max_disclosure": ("disclosure", max_disclosure), "min_accuracy": ("accuracy", min_accuracy)}
        required = tuple(
            SurveyRequirement(what=what, limit=100 * share(limit, name))  # type: ignore[arg-type]
            for name, (what, limit) in asked.items() if limit is not None
        )  # fmt: skip
        if not required and not self.scenario.settings.requirements:
            raise StudyProblem(f"Say what must hold: {joined(asked)}, as in solve(max_disclosure=0.2).")
        wanted = self.scenario.replace({"settings.requirements": required}) if required else self.scenario
        return Answers(self, solve(self._model, wanted))

    # Plots

    def picture_of(self, key: str, scenario: SurveyScenario) -> Any:
        """What the table of a card is made from."""
        model = self._loaded(scenario).model
        if key == "tradeoff":
            return last(frontier(model, scenario))
        if key == "map":
            limit = on_survey_map(scenario)
            return last(maps.grid(model, scenario, scenario.view.map.limit / 100 if limit is None else limit.value))
        return super().picture_of(key, scenario)

    def __repr__(self) -> str:
        loaded = self._loaded(self.scenario)
        return f"Survey of {loaded.data.title}: {self.arrived} respondents, {self.label} learnt, {self.secret} watched."


def _kinds(value: Any) -> tuple[Part, ...]:
    if not isinstance(value, Mapping):
        raise StudyProblem(KINDS_HINT)
    made = []
    for name, one in value.items():
        try:
            weight, level = one
            made.append(Part(name=name, weight=weight, level=level))
        except (TypeError, ValueError):
            raise StudyProblem(f"{KINDS_HINT} {name!r} is {one!r}.") from None
    return tuple(made)
