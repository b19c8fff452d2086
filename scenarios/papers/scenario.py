"""What stands on the Papers page: which experiments are shown, or which one is open and what is set for it."""

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field, StrictFloat, StrictInt, StrictStr, field_validator

from trustscope.scenarios.papers.record import Experiment, Parameter
from trustscope.scenarios.papers.registry import EXPERIMENTS, find
from trustscope.scenarios.scenario import LARGEST_SEED, Data, Scenario
from trustscope.scenarios.value import Value

ALL: Final = "all"
SEED = 1  # the key of the results that come with the app
LARGEST = 10**12  # of a number that can be set: each parameter has narrower bounds of its own
Number = Annotated[StrictInt, Field(ge=-LARGEST, le=LARGEST)] | Annotated[StrictFloat, Field(ge=-LARGEST, le=LARGEST)]
# What a parameter may be: a whole number stays one, and a number with a point keeps it, also as JSON.
Setting = Number | Annotated[StrictStr, Field(max_length=100)] | Annotated[tuple[Number, ...], Field(max_length=50)]
Pair = tuple[Annotated[str, Field(max_length=64)], Setting]


class PapersData(Data):
    """The papers have their own data: there is nothing to choose."""

    name: Literal["papers"] = "papers"


class Settings(Value):
    """What is set for the experiment that is open.

    Attributes
    ----------
    values : tuple of (str, value)
        The parameters by name; one that is missing is at its quick size.
    """

    values: tuple[Pair, ...] = Field(default=(), max_length=20)


class View(Value):
    """What is looked at.

    Attributes
    ----------
    paper, kind, verdict : str
        What the gallery shows; "all" for everything.
    opened : str
        The id of the experiment that is open; empty: the gallery.
    """

    paper: Literal["all", "li", "xiao", "huang", "zhang", "giannella"] = ALL
    kind: Literal["all", "figures", "misprints"] = ALL
    verdict: Literal["all", "confirmed", "corrected", "differs", "stand-in", "not tested"] = ALL
    opened: str = Field(default="", max_length=64)

    @field_validator("opened")
    @classmethod
    def _known(cls, opened: str) -> str:
        return find(opened).id if opened else ""


class PapersScenario(Scenario):
    """The state of the Papers page."""

    page: ClassVar[str] = "papers"

    data: PapersData = PapersData()
    seed: int = Field(default=SEED, ge=0, le=LARGEST_SEED)
    settings: Settings = Settings()
    view: View = View()

    @property
    def experiment(self) -> Experiment | None:
        """The experiment that is open."""
        return EXPERIMENTS.get(self.view.opened)

    @property
    def run(self) -> tuple[Any, ...]:
        """What names a run: the experiment, its values, and the key where it takes one."""
        return self.view.opened, self.settings.values, self.seed

    def opening(self, id: str, values: tuple[Any, ...] | None = None, seed: int = SEED) -> "PapersScenario":
        """The same with an experiment opened, at these values or the quick size; an empty id closes it."""
        if values is None and id:
            values = preset(EXPERIMENTS[id])
        return self.replace({"view.opened": id, "settings.values": values or (), "seed": seed})

    def fit_to_experiment(self) -> "PapersScenario":
        """The scenario as far as it fits the experiment that is open: values that it knows, within their bounds."""
        experiment, given = self.experiment, dict(self.settings.values)
        if experiment is None:
            return self.opening("")
        values = tuple((p.name, _usable(p, given.get(p.name, p.quick))) for p in experiment.parameters)
        return self.opening(experiment.id, values, self.seed if "key" in experiment.takes else SEED)


def preset(experiment: Experiment, paper_size: bool = False) -> tuple[Any, ...]:
    """The values of the quick size, or of the paper's, as a scenario holds them."""
    return tuple(experiment.checked(experiment.preset(paper_size)).items())


def _usable(parameter: Parameter, value: Any) -> Any:
    try:
        return parameter.checked(value)
    except ValueError:
        return parameter.checked(parameter.quick)
