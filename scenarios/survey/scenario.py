"""What stands on the Survey page: who is asked, by which miner, what is watched, and how many have answered."""

from typing import ClassVar, Literal

from pydantic import Field, field_validator

from trustscope import colours
from trustscope.engine.survey import Kind, Mix
from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.solve.requirement import MOST, SurveyRequirement
from trustscope.scenarios.value import Value

MINERS = ("honest", "outright", "hidden")
LEVELS = (0, 1, 2, 3, 5, 7, 9, 12, None)  # directions that a kind may follow; None: all that are asked for
MUS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5)
INTERVALS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
SPEEDS = (5, 100, 1_000, 10_000)
END = 100_000  # people after whom a survey rests
FIRST = 200  # people who have answered when the page opens
MOST_OWN = 12  # directions that one may follow oneself
# Shares as found among Internet users in 1999, and what each accepts at first.
KINDS = (("fundamentalists", 17, 1), ("pragmatists", 56, 3), ("marginally concerned", 27, 9))


class Part(Value):
    """One kind of respondent: its weight among all (0 to 100), and the most directions that it follows."""

    name: str = Field(min_length=1, max_length=40)
    weight: int = Field(ge=0, le=100)
    level: int | None = Field(default=None, ge=0, le=1000)

    @property
    def colour(self) -> str:
        """The kind's colour in every view."""
        names = [name for name, *_ in KINDS]
        return colours.KINDS[names.index(self.name)] if self.name in names else colours.CLEAR


START = tuple(Part(name=name, weight=weight, level=level) for name, weight, level in KINDS)


class SurveyData(Data):
    """Which data, and what is to be learnt of them.

    Attributes
    ----------
    label : str
        The column whose value is learnt; empty: what the data are usually used for.
    value : str
        The value of it that is told from all others; empty: the most frequent one.
    """

    name: str = Field(default="votes", max_length=64)
    label: str = Field(default="", max_length=500)
    value: str = Field(default="", max_length=500)


class Settings(Value):
    """All that a survey depends on beside its people and the seed.

    Attributes
    ----------
    parts : tuple of Part
    mu : float
        Directions weaker than this share of the strongest are left out.
    update_every : int
        Answers between two guidances.
    order : str
        Of the directions, by "magnitude" or "signed".
    miner : str
        Of `MINERS`.
    target : str
        The question that is watched, and that a malicious miner is after; empty: one that the class tells little of.
    extra_check : bool
        Whether respondents bound the weight of single answers.
    rival : bool
        Whether a randomisation that gives away as much is shown beside it.
    requirements : tuple of SurveyRequirement
        What must hold.
    """

    parts: tuple[Part, ...] = Field(default=START, min_length=1, max_length=6)
    mu: float = Field(default=0.025, ge=0, le=0.5)
    update_every: int = Field(default=20, ge=1, le=500)
    order: Literal["magnitude", "signed"] = "magnitude"
    miner: Literal["honest", "outright", "hidden"] = "honest"
    target: str = Field(default="", max_length=500)
    extra_check: bool = False
    rival: bool = False
    requirements: tuple[SurveyRequirement, ...] = Field(default=(), max_length=MOST)

    @field_validator("parts")
    @classmethod
    def _somebody(cls, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        if not any(part.weight for part in parts):
            raise ValueError("somebody must answer: all weights are 0")
        if len({part.name for part in parts}) < len(parts):
            raise ValueError("two kinds have the same name")
        return parts

    @property
    def mix(self) -> Mix:
        """The kinds as the engine knows them."""
        total = sum(part.weight for part in self.parts)
        return Mix(tuple(Kind(part.name, part.weight / total, part.level) for part in self.parts))

    @property
    def malicious(self) -> bool:
        """Whether guidance is picked by hand."""
        return self.miner != "honest"


class Own(Value):
    """One's own answers: by question, the number of directions followed, the class, and which draw of what is sent."""

    level: int = Field(default=3, ge=0, le=MOST_OWN)
    of_class: str = Field(default="", max_length=500)
    answers: tuple[tuple[str, str], ...] = Field(default=(), max_length=200)
    draw: int = Field(default=1, ge=1, le=10**6)


class Tradeoff(Value):
    """What the trade-off is drawn in: a measure of privacy, and one of usefulness."""

    private: Literal["disclosure", "answer"] = "disclosure"
    useful: Literal["accuracy"] = "accuracy"


class MapView(Value):
    """What the map is drawn of: a figure over two parameters, and where a line is drawn, in per cent."""

    figure: Literal["accuracy", "disclosed", "guess"] = "accuracy"
    across: Literal["accepted", "arrived", "mu", "update_every"] = "arrived"
    upwards: Literal["accepted", "arrived", "mu", "update_every"] = "accepted"
    limit: int = Field(default=80, ge=0, le=100)


class View(Value):
    """What is looked at.

    Attributes
    ----------
    arrived : int
        How many have answered.
    speed : int
        Respondents a second while they stream in.
    closer : str
        The view that is open under "Look closer"; empty: none.
    own : Own
    tradeoff, map : Tradeoff, MapView
        What these two views are drawn of.
    """

    arrived: int = Field(default=FIRST, ge=0, le=END)
    speed: Literal[5, 100, 1000, 10000] = 100
    closer: Literal["", "accuracy", "disclosure", "own", "tradeoff", "map", "guidance", "level"] = "accuracy"
    own: Own = Own()
    tradeoff: Tradeoff = Tradeoff()
    map: MapView = MapView()


class SurveyScenario(Scenario):
    """The state of the Survey page."""

    page: ClassVar[str] = "survey"

    data: SurveyData = SurveyData()
    settings: Settings = Settings()
    view: View = View()
