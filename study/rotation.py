"""A study of a rotation: all distances stay, no value can be read, and who knows a few records undoes it."""

from __future__ import annotations

from typing import Any, ClassVar

from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.rotation import map as maps
from trustscope.scenarios.rotation.result import Kept, Known, Remedied, Sampled
from trustscope.scenarios.rotation.scenario import KINDS, STORIES, RotationScenario
from trustscope.scenarios.solve.lines import on_rotation_map
from trustscope.scenarios.solve.requirement import RotationRequirement
from trustscope.scenarios.solve.rotation import solve
from trustscope.scenarios.whole import last
from trustscope.study.base import BaseStudy
from trustscope.study.coalition import joined, names_of, one_of, seed, share
from trustscope.study.parts import ChoicePart, NumberPart, ValuePart, WholePart
from trustscope.study.problem import StudyProblem
from trustscope.study.solved import Answers
from trustscope.study.source import source_of

STEPS = {
    Kept: "kept",
    Known: "known",
    Sampled: "sample",
    Remedied: "remedy",
}  # the step that makes each kind of picture


class Rotation(BaseStudy):
    """Records that are released turned by one secret rotation, and who undoes it.

    Parameters
    ----------
    data : table, path, str or Dataset
        A pandas, polars or Arrow table, the path of a file, the name of a built-in dataset, or a dataset.
    **parts
        Any part, to begin with: `step`, `columns`, `known`, `within`, `hit`, `sample`, `method`, `standardised`,
        `shifted`, `dimensions`, `clusters`, `random_state`.

    Examples
    --------
    >>> import trustscope as ts
    >>> study = ts.Rotation("iris", step="known")
    >>> study.step
    'known'
    """

    page: ClassVar[str] = "rotation"
    paths: ClassVar = {
        "random_state": "seed",
        "columns": "data.columns",
        "standardised": "settings.standardised",
        "shifted": "settings.shifted",
        "step": "view.story",
        "hit": "settings.kind",
        "within": "settings.eps",
        "known": "settings.known",
        "sample": "settings.sample",
        "method": "settings.method",
        "dimensions": "settings.dimensions",
        "clusters": "settings.clusters",
    }

    step = ChoicePart(default="kept", objects=list(STORIES), doc="What is kept; known records; a sample; the remedy.")
    columns = ValuePart(doc="The columns that are released.")
    standardised = ValuePart(doc="Whether attributes are brought to one scale before the records are turned.")
    shifted = ValuePart(doc="Whether the records are shifted as well as turned.")
    hit = ChoicePart(default="value", objects=list(KINDS), doc="What must come close.")
    within = NumberPart(default=None, allow_None=True, doc="How close a guess must come.")
    known = ValuePart(doc="The records that an insider knows, by row number counted from 1.")
    sample = WholePart(default=None, allow_None=True, doc="How many records of the same kind a competitor has.")
    method = ChoicePart(default="improved", objects=["improved", "paper"], doc="How the sample is used.")
    dimensions = WholePart(default=None, allow_None=True, doc="Columns that the random projection releases.")
    clusters = WholePart(default=3, bounds=(2, 8), doc="What an honest analyst looks for.")
    random_state = WholePart(default=12, doc="The key of the rotation. It protects nothing: everybody can try it.")

    def __init__(self, data: Any, **parts: Any):
        source = source_of(data)
        named = RotationScenario().replace({f"data.{key}": one for key, one in source.part.items()})
        super().__init__(source, named, **{name: value for name, value in parts.items() if value is not None})

    def put(self, scenario: RotationScenario, name: str, value: Any) -> RotationScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        if name == "columns":
            value = names_of(value, self._loaded(scenario).data.numeric, "column of numbers")
            if len(value) < 1:
                raise StudyProblem("Name at least one column of numbers.")
        if name == "step":
            one_of(value, STORIES, "step")
        if name == "random_state":
            value = seed(value)
        if name == "hit":
            return scenario.replace({"settings.kind": one_of(value, KINDS, "kind of hit"), "settings.eps": None})
        if name == "known":
            value = self._known(scenario, value)
        made: RotationScenario = super().put(scenario, name, value)
        return made

    def _known(self, scenario: RotationScenario, value: Any) -> tuple[int, ...]:
        records = self._loaded(scenario).model.records
        numbers = tuple(int(one) for one in value)
        for one in numbers:
            if records.place(one) is None:
                some = joined(map(str, sorted(self._loaded(scenario).model.usual_order)[:4]))
                raise StudyProblem(
                    f"Row {one}, counted from 1, is not among the released records, of which the competitor has no "
                    f"sample: rows such as {some} are."
                )
        return numbers

    def release(self) -> Any:
        """The turned records as they are released, in another order: a table of the kind that came in.

        For looking at, not for handing out: whoever tries `random_state` turns them back.
        """
        released = self._model.release.released
        return self._source.like({f"turned {place + 1}": column for place, column in enumerate(released.T)}, None)

    def solve(
        self, *, max_known: float | None = None, max_sample: float | None = None, max_noise: float | None = None
    ) -> Answers:
        """What keeps at most this share of the records from being breached.

        Parameters
        ----------
        max_known, max_sample, max_noise : float
            By an insider with known records, by a competitor with a sample, by an insider where noise is added.
        """
        asked = {"max_known": ("known", max_known), "max_sample": ("sample", max_sample),
                 "max_noise": ("noise", max_noise)}  # fmt: skip
        required = tuple(
            RotationRequirement(what=what, limit=100 * share(limit, name))  # type: ignore[arg-type]
            for name, (what, limit) in asked.items() if limit is not None
        )  # fmt: skip
        if not required and not self.scenario.settings.requirements:
            raise StudyProblem(f"Say what must hold: {joined(asked)}, as in solve(max_known=0.2).")
        wanted = self.scenario.replace({"settings.requirements": required}) if required else self.scenario
        return Answers(self, solve(self._model, wanted))

    # Plots

    def picture_of(self, key: str, scenario: RotationScenario) -> Any:
        """What the table of a card is made from: the step that shows it, whichever is open."""
        model = self._loaded(scenario).model
        if key == "map":
            if scenario.view.story == "kept":
                scenario = scenario.replace({"view.story": "known"})
            limit = on_rotation_map(scenario, maps.figure_of(scenario))
            return last(maps.grid(model, scenario, scenario.view.map.limit / 100 if limit is None else limit.value))
        shown = [STEPS[kind] for kind in cards_of("rotation")[key].of]
        if shown and scenario.view.story not in shown:
            scenario = scenario.replace({"view.story": shown[0]})
        return super().picture_of(key, scenario)

    def __repr__(self) -> str:
        loaded = self._loaded(self.scenario)
        rows = len(loaded.model.records.private)
        return f"Rotation of {loaded.data.title}: {rows} records, {joined(self.columns)}; step {self.step!r}."
