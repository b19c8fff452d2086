"""What stands on the Rotation page: the data, how they are turned, the attackers, and what is looked at."""

from collections.abc import Hashable
from typing import ClassVar, Literal

from pydantic import Field

from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.solve.requirement import MOST, RotationRequirement
from trustscope.scenarios.value import Value

STORIES = ("kept", "known", "sample", "remedy")
KINDS = {
    "value": "each value",
    "euclidean": "whole record",
    "entry": "any one value",
    "cosine": "its direction",
}
USUAL = {"value": 0.25, "euclidean": 0.15, "entry": 0.15, "cosine": 0.05}  # how close is close, unless said otherwise
CLOSEST, FURTHEST = 0.01, 0.6  # what can be asked of a guess
WIDEST = 10_000  # columns of a projection, at most
MOST_KNOWN = 40  # records that an insider is told, at most
SAMPLES = 4  # of one size, without a record in common, over which a figure is averaged


class RotationData(Data):
    """Which data."""

    name: str = Field(default="breast", max_length=64)


class Settings(Value):
    """All that a picture depends on beside the data, the seed and what is looked at.

    Attributes
    ----------
    standardised : bool
        Whether every attribute is brought to mean 0 and standard deviation 1 before the records are turned.
    shifted : bool
        Whether the records are shifted by a secret vector as well as turned.
    known : tuple of int, or None
        The records that the insider knows, by row number of the data, counted from 1; None: the page chooses.
    then : tuple of int
        The records that the insider would be told next, in this order; after them, others that are always the same.
    eps : float or None
        How close a guess must come; None: what is usual for the kind.
    kind : str
        What must come close: each value by itself, or a record in one of the paper's three ways.
    sample : int or None
        How many records of the same population the competitor has; None: half of what there is.
    block : int
        Which of the samples of this size, counted from 1.
    method : str
        How the competitor uses the sample.
    clusters, clustering : int, str
        What an honest analyst looks for.
    dimensions : int or None
        Columns that the random projection releases; None: a few times as many as there are attributes.
    requirements : tuple of RotationRequirement
        What must hold.
    """

    standardised: bool = True
    shifted: bool = False
    known: tuple[int, ...] | None = Field(default=None, max_length=MOST_KNOWN)
    then: tuple[int, ...] = Field(default=(), max_length=MOST_KNOWN)
    eps: float | None = Field(default=None, ge=CLOSEST, le=FURTHEST)
    kind: Literal["value", "euclidean", "entry", "cosine"] = "value"
    sample: int | None = Field(default=None, ge=2)
    block: int = Field(default=1, ge=1, le=SAMPLES)
    method: Literal["improved", "paper"] = "improved"
    clusters: int = Field(default=3, ge=2, le=8)
    clustering: Literal["k-means", "single link"] = "k-means"
    dimensions: int | None = Field(default=None, ge=1, le=WIDEST)
    requirements: tuple[RotationRequirement, ...] = Field(default=(), max_length=MOST)


class MapView(Value):
    """What the map is drawn of: a figure over two parameters, and where a line is drawn, in per cent."""

    figure: Literal["recovered", "exposed"] = "recovered"
    across: Literal["eps", "known", "sample", "dimensions"] = "eps"
    upwards: Literal["eps", "known", "sample", "dimensions"] = "known"
    limit: int = Field(default=50, ge=0, le=100)


class View(Value):
    """What is looked at.

    Attributes
    ----------
    story : str
        The step: what is kept, an insider knows a few records, a competitor has a sample, the remedy.
    across, upwards : str
        The two attributes that are drawn, by name; empty: the first two.
    closer : str
        The view that is open under "Look closer"; empty: none.
    record_as : str
        Which record is looked at by itself: the most exposed one, or one in the middle of all.
    freedom : int
        Dimensions in which the printed formula is held against the corrected one.
    map : MapView
        What the map is drawn of.
    """

    story: Literal["kept", "known", "sample", "remedy"] = "kept"
    across: str = Field(default="", max_length=500)
    upwards: str = Field(default="", max_length=500)
    closer: Literal[
        "", "findings", "values", "record", "attributes", "exposed", "closeness", "sphere", "printed", "sizes", "axes",
        "when", "sides", "distances", "map",
    ] = ""  # fmt: skip
    record_as: Literal["exposed", "typical"] = "exposed"
    freedom: int = Field(default=3, ge=2, le=20)
    map: MapView = MapView()


class RotationScenario(Scenario):
    """The state of the Rotation page."""

    page: ClassVar[str] = "rotation"

    data: RotationData = RotationData()
    settings: Settings = Settings()
    view: View = View()

    @property
    def model_key(self) -> tuple[Hashable, ...]:
        """The release is a part of the model, so that how it was made counts too."""
        return *super().model_key, self.settings.shifted, self.settings.standardised
