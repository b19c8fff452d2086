"""What stands on the Trust page: the data, the recipients, the noise, the attackers, and what is looked at."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, field_validator
from pydantic_core import PydanticCustomError

from trustscope import schemes
from trustscope.engine.gaussian import level_from_trust
from trustscope.scenarios import attackers
from trustscope.scenarios.attackers import AttackerName
from trustscope.scenarios.coalition import CoalitionSettings, Recipient, recipients
from trustscope.scenarios.preparation.steps import MOST_STEPS, Preparation
from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.solve.requirement import MOST, TrustRequirement
from trustscope.scenarios.value import Value

# Every place a trust slider can stand at has its level: trust 99 % to 1 % on the path, 100 % is the original.
LEVELS: dict[float, float] = {100: 0.0, **{trust: float(level_from_trust(trust)) for trust in range(99, 0, -1)}}
LADDER = tuple(LEVELS[trust] for trust in range(99, 0, -1))

# What they do, to follow "an attacker who", by how they are run; `ATTACKERS` grows with what is registered.
BEST, LINEAR = attackers.Words(attackers.BEST), attackers.Words(attackers.LINEAR)
RECONSTRUCTIONS, LEARNED = attackers.Words(attackers.RECONSTRUCTION), attackers.Words(attackers.LEARNED)
ATTACKERS, MEASURES = attackers.ATTACKERS, attackers.MEASURES
KINDS = {
    "absolute": "this value",
    "euclidean": "whole record",
    "entry": "any one value",
    "cosine": "direction",
}
SCHEMES = schemes.NAMES


def _registered(name: str) -> str:
    """A scheme that is there; otherwise a sentence."""
    if name not in SCHEMES:
        offered = f"{', '.join([*SCHEMES][:-1])} or {[*SCHEMES][-1]}"
        told = {"sentence": schemes.unknown(name), "offered": offered}
        raise PydanticCustomError("scheme", "{sentence}", told)
    return name


_SPELLED = {"pattern": f"^{schemes.NAME}$", "examples": list(schemes.HOUSE)}
SchemeName = Annotated[str, Field(max_length=48, json_schema_extra=_SPELLED), AfterValidator(_registered)]
SAMPLES = (50, 100, 200, 400, 800, 1200, 2000, 5000)
MADE = "gaussian"  # the built-in set that is made to order


class Order(Value):
    """Normal data made to order: so many attributes on few strong components (Huang's experiments, by hand)."""

    attributes: int = Field(default=20, ge=2, le=100)
    components: int = Field(default=5, ge=1, le=100)
    small: float = Field(default=4.0, ge=0, le=99)
    records: int = Field(default=10_000, ge=200, le=50_000)
    experiment: Literal["1", "2", "3", "4"] | None = None


class TrustData(Data):
    """Which data; where they are made to order, the order; and what is done to columns before noise is added.

    Attributes
    ----------
    preparation : tuple of Preparation
        One step after the other. All figures are those of the columns after them.
    """

    name: str = Field(default="census", max_length=64)
    order: Order = Order()
    preparation: tuple[Preparation, ...] = Field(default=(), max_length=MOST_STEPS)


class Settings(CoalitionSettings):
    """All that a picture depends on beside the data and the seed.

    Attributes
    ----------
    attackers : tuple of str
        Which attackers are at work, of `ATTACKERS`.
    knowledge, others : str, int or None
        What the strongest attacker knows: a "sample" of other people, of so many (None: half of the table), or the
        values of "everybody", but not whose they are.
    known : tuple of str
        Attributes that the strongest attacker knows exactly of everybody.
    sample : int
        Rows from which the linear attackers with partial knowledge estimate.
    attribute : str
        The attribute that is looked at; empty for the first.
    eps, kind : float or None, str
        When a guess is a hit; no eps: a distance that suits the attribute.
    similarity : float
        Of the noise's shape to the data's: 1 its own, 0 white, -1 the opposite.
    informed : bool
        Whether the reconstructing attackers know the data's mean and covariance, or estimate them.
    requirements : tuple of TrustRequirement
        What must hold.
    given : str
        What a target gives: the "most" to everybody, trusts "scaled" together so that their order stays, or only
        those "lowered" that are too high.
    """

    recipients: tuple[Recipient, ...] = Field(default=recipients(50, 45, 40, 40, 35, 35), min_length=1, max_length=12)
    scheme: SchemeName = "independent"
    attackers: tuple[AttackerName, ...] = Field(default=("strongest",), min_length=1, max_length=24)
    knowledge: Literal["sample", "everybody"] = "sample"
    others: int | None = Field(default=None, ge=100)
    known: tuple[str, ...] = Field(default=(), max_length=200)
    sample: int = Field(default=400, ge=2, le=5000)
    attribute: str = Field(default="", max_length=500)
    eps: float | None = Field(default=None, ge=0)
    kind: Literal["absolute", "euclidean", "entry", "cosine"] = "absolute"
    similarity: float = Field(default=1.0, ge=-1, le=1)
    informed: bool = False
    requirements: tuple[TrustRequirement, ...] = Field(default=(), max_length=MOST)
    given: Literal["most", "scaled", "lowered"] = "most"

    @field_validator("recipients")
    @classmethod
    def _whole(cls, value: tuple[Recipient, ...]) -> tuple[Recipient, ...]:
        """Noise has a level for every whole per cent of trust."""
        return tuple(r if isinstance(r.trust, int) else r.replace({"trust": round(r.trust)}) for r in value)


class Tradeoff(Value):
    """What the trade-off is drawn in: a measure of privacy, and one of usefulness."""

    private: Literal["error", "hits"] = "error"
    useful: Literal["values", "histogram", "mean", "tree", "svm"] = "histogram"


class MapView(Value):
    """What the map is drawn of: a figure over two parameters, and where a line is drawn, in per cent."""

    figure: Literal["explained", "hits", "gain", "learnt"] = "explained"
    across: Literal["trust", "recipients", "similarity", "eps", "sample"] = "trust"
    upwards: Literal["trust", "recipients", "similarity", "eps", "sample"] = "recipients"
    limit: int = Field(default=50, ge=0, le=100)


class DifferentialView(Value):
    """What must not be told apart, and how much may go wrong.

    Attributes
    ----------
    about : str
        Two "values" of the attribute, the ends of its "range", or any two whole rows ("row").
    apart : float or None
        How far apart the two values are; None: a distance that suits the attribute.
    delta : int
        The power of ten of delta: 6 for a millionth.
    """

    about: Literal["values", "range", "row"] = "values"
    apart: float | None = Field(default=None, ge=0)
    delta: int = Field(default=6, ge=1, le=12)


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
    copies_as, cloud_of : str, str
        The copies as histograms, or one recipient's, by name, as a scatter plot.
    errors_as : str
        How close the guesses come, cumulated or as a histogram.
    label : str
        What the classifiers on the usefulness card predict; empty: what the data are usually used for.
    tradeoff, map, differential : Tradeoff, MapView, DifferentialView
        What these views are drawn of.
    """

    person: int | None = Field(default=None, ge=1)
    person_as: Literal["belief", "path"] = "belief"
    closer: Literal[
        "",
        "everyone",
        "exposed",
        "closeness",
        "coalitions",
        "attackers",
        "usefulness",
        "tradeoff",
        "map",
        "differential",
        "spectrum",
    ] = "everyone"
    copies_as: Literal["histogram", "scatter"] = "histogram"
    cloud_of: str = Field(default="", max_length=24)
    errors_as: Literal["cumulative", "histogram"] = "cumulative"
    label: str = Field(default="", max_length=500)
    tradeoff: Tradeoff = Tradeoff()
    map: MapView = MapView()
    differential: DifferentialView = DifferentialView()


class TrustScenario(Scenario):
    """The state of the Trust page."""

    page: ClassVar[str] = "trust"

    data: TrustData = TrustData()
    settings: Settings = Settings()
    view: View = View()


def levels(who: Iterable[Recipient]) -> list[float]:
    """The noise levels of these recipients: the only place where trust becomes a level."""
    return [LEVELS[r.trust] for r in who]
