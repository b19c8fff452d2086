"""What stands on the Categories page: the data, the recipients, the copies, the attacker, and what is looked at."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from trustscope.scenarios.categories.column import BINS
from trustscope.scenarios.coalition import CoalitionSettings, Recipient, recipients
from trustscope.scenarios.preparation.steps import MOST_STEPS, NumberPreparation
from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.solve.requirement import MOST, CategoriesRequirement
from trustscope.scenarios.value import Value

SMALLEST = 0.01  # the least retention probability that a slider can be set to
SCHEMES = ("nested", "independent")
# What the attacker knows beforehand.
PRIORS = {"statistics": "how frequent each value is", "nothing": "nothing"}


class CategoriesData(Data):
    """Which data, and which column of them is sensitive.

    Attributes
    ----------
    column : str
        The sensitive column, by name; empty for the first, of own data for the first with few different values. The
        others are carried along as they are.
    bins : int
        Into how many bins its values are put where they are numbers.
    preparation : tuple of NumberPreparation
        What is done to columns of numbers before they are put into bins.
    """

    name: str = Field(default="patients", max_length=64)
    column: str = Field(default="", max_length=500)
    bins: int = Field(default=10, ge=BINS[0], le=BINS[1])
    preparation: tuple[NumberPreparation, ...] = Field(default=(), max_length=MOST_STEPS)


class Promise(Value):
    """What the owner promises, in per cent.

    Attributes
    ----------
    rho1, rho2 : int
        What was believed less than `rho1` is never believed more than `rho2`.
    delta : int
        No belief grows by more than this.
    """

    rho1: int = Field(default=10, ge=1, le=98)
    rho2: int = Field(default=50, ge=2, le=99)
    delta: int = Field(default=30, ge=1, le=99)

    @model_validator(mode="after")
    def _rises(self) -> "Promise":
        if self.rho1 >= self.rho2:
            raise ValueError("rho1 must be below rho2: it is what becomes rho2 at the most")
        return self


class Settings(CoalitionSettings):
    """All that a picture depends on beside the data and the seed.

    Attributes
    ----------
    recipients : tuple of Recipient
        Their `trust` is the retention probability in per cent.
    scheme : str
        Whether all copies are read off one path, or each is drawn on its own.
    prior : str
        What the attacker knows beforehand, of `PRIORS`.
    knowledge, others : str, int or None
        Whose records the attacker knows: those of a "sample" of other people, of so many (None: half of the table), or
        of "everybody", but not whose they are.
    known : tuple of str
        Other columns that the attacker knows exactly of everybody.
    promise : Promise
    requirements : tuple of CategoriesRequirement
        What must hold.
    """

    recipients: tuple[Recipient, ...] = Field(default=recipients(30, 25, 25, 20, 20, 20), min_length=1, max_length=12)
    scheme: Literal["nested", "independent"] = "independent"
    prior: Literal["statistics", "nothing"] = "statistics"
    knowledge: Literal["sample", "everybody"] = "sample"
    others: int | None = Field(default=None, ge=100)
    known: tuple[str, ...] = Field(default=(), max_length=200)
    promise: Promise = Promise()
    requirements: tuple[CategoriesRequirement, ...] = Field(default=(), max_length=MOST)


class Tradeoff(Value):
    """What the trade-off is drawn in: a measure of privacy, and one of usefulness."""

    private: Literal["right", "belief", "growth"] = "right"
    useful: Literal["share", "kept"] = "share"


class MapView(Value):
    """What the map is drawn of: a figure over two parameters, and where a line is drawn, in per cent."""

    figure: Literal["right", "belief", "raised", "grown"] = "right"
    across: Literal["trust", "recipients", "rho1"] = "trust"
    upwards: Literal["trust", "recipients", "rho1"] = "recipients"
    limit: int = Field(default=50, ge=0, le=100)


class DifferentialView(Value):
    """How much may go wrong where two values must not be told apart: the power of ten of delta, 0 for nothing."""

    delta: int = Field(default=0, ge=0, le=12)


class View(Value):
    """What is looked at.

    Attributes
    ----------
    person : int or None
        Counted from 1 in the order of the data; None: one with whom neither scheme is lucky (`typical.py`).
    person_as : str
        The picture of the person: what is believed of them, or the path of their value.
    closer : str
        The view that is open under "Look closer"; empty: none.
    whose : str
        The recipient, by name, whose copy or whose promise is shown; empty for the first.
    value : str
        The value that is counted, by its label; empty for the first.
    among, label : str, str
        The condition of the count, "those whose `among` is `label`"; empty for everybody.
    tradeoff, map, differential : Tradeoff, MapView, DifferentialView
        What these views are drawn of.
    """

    person: int | None = Field(default=None, ge=1)
    person_as: Literal["belief", "path"] = "belief"
    closer: Literal[
        "", "everyone", "evidence", "coalitions", "promises", "usefulness", "tradeoff", "map", "differential",
        "joining", "memory", "exposed"
    ] = "everyone"  # fmt: skip
    whose: str = Field(default="", max_length=24)
    value: str = Field(default="", max_length=500)
    among: str = Field(default="", max_length=500)
    label: str = Field(default="", max_length=500)
    tradeoff: Tradeoff = Tradeoff()
    map: MapView = MapView()
    differential: DifferentialView = DifferentialView()


class CategoriesScenario(Scenario):
    """The state of the Categories page."""

    page: ClassVar[str] = "categories"

    data: CategoriesData = CategoriesData()
    settings: Settings = Settings()
    view: View = View()


# The example of the paper: ten diseases, Alice keeps 40 %, Bob 20 %, nobody knows anything beforehand, and both copies
# of a patient say HIV: three of four such patients have it, and so has this one.
PAPER = CategoriesScenario(
    settings=Settings(
        recipients=(Recipient(number=0, name="Alice", trust=40), Recipient(number=1, name="Bob", trust=20)),
        scheme="independent",
        prior="nothing",
    ),
    view=View(person=11_734),
)


def retention(recipient: Recipient) -> float:
    """The recipient's p: the only place where trust becomes a probability."""
    return recipient.trust / 100


def retentions(who: Sequence[Recipient]) -> list[float]:
    """The retention probabilities of these recipients."""
    return [retention(r) for r in who]
