"""Requirements: what must hold, as plain values that stand in a page's settings and go into its links."""

from typing import Literal

from pydantic import Field

from trustscope.scenarios.attackers import MeasureName
from trustscope.scenarios.value import Value

MOST = 6  # requirements that one page holds


class TrustRequirement(Value):
    """What must hold on the Trust page.

    Attributes
    ----------
    what : str
        "error": a coalition errs by at least `limit` (1: as much as guessing the average). "hits": a coalition
        guesses `attribute` within `distance` in at most this share of cases. "worst", "hundredth": the most exposed
        person, or hundredth of the people, are guessed so in at most this share. "found": a coalition finds at most
        this share of the people again among all records. "crowd": nine people in ten have at least so many records
        that fit as well as their own. "accuracy": `classifier` predicts
        `label` from a copy with at least this accuracy. "mean", "correlation", "histogram": a copy gives the mean
        of `attribute`, its correlation with `other`, its histogram with an error of at most this.
    limit : float
    attacker : str
        Whose error or hits they are.
    coalition, size, members : str, int, tuple of int
        "any" coalition, those up to a "size", or one "named" by the numbers of its members. For usefulness `members`
        are those whose copies must be useful; none: everybody's.
    attribute, other, distance : str, str, float or None
        No attribute: the one that is looked at; no distance: that of the page.
    classifier, label : str, str
    """

    what: Literal[
        "error", "hits", "worst", "hundredth", "found", "crowd", "accuracy", "mean", "correlation", "histogram"
    ]
    limit: float = Field(ge=0, le=1e15)
    attacker: MeasureName = "strongest"
    coalition: Literal["any", "size", "named"] = "any"
    size: int = Field(default=2, ge=1, le=12)
    members: tuple[int, ...] = Field(default=(), max_length=12)
    attribute: str = Field(default="", max_length=500)
    other: str = Field(default="", max_length=500)
    distance: float | None = Field(default=None, ge=0, le=1e15)
    classifier: Literal["tree", "svm"] = "tree"
    label: str = Field(default="", max_length=500)

    @property
    def protects(self) -> bool:
        """Whether it limits what attackers learn; otherwise it says what an analyst must get."""
        return self.what in ("error", "hits") or self.of_people

    @property
    def of_people(self) -> bool:
        """Whether it is about single people, whose risks are measured by the strongest attacker."""
        return self.what in ("worst", "hundredth", "found", "crowd")

    @property
    def at_least(self) -> bool:
        """Whether it is broken below its limit, and not above."""
        return self.what in ("error", "accuracy", "crowd")


class CategoriesRequirement(Value):
    """What must hold on the Categories page.

    Attributes
    ----------
    what : str
        "rho": what was believed less than `before` is never believed more than `limit`. "delta": no belief grows by
        more than `limit`. "right": the best guess of any coalition is right in at most this share of cases.
        "shares": every copy gives the share of any value with a standard error of at most `limit`.
    limit, before : float, float
        In per cent.
    """

    what: Literal["rho", "delta", "right", "shares"]
    limit: float = Field(ge=0, le=100)
    before: float = Field(default=10.0, ge=0.1, le=99.9)

    @property
    def protects(self) -> bool:
        """Whether it limits what attackers learn; otherwise it says what an analyst must get."""
        return self.what != "shares"


class RotationRequirement(Value):
    """What must hold on the Rotation page: at most this share of the records is breached.

    Attributes
    ----------
    what : str
        Who attacks: the insider with "known" records, the competitor with a "sample", or the insider against a
        release with added "noise".
    limit : float
        In per cent.
    """

    what: Literal["known", "sample", "noise"]
    limit: float = Field(ge=0, le=100)


class SurveyRequirement(Value):
    """What must hold on the Survey page: disclosure at most, or accuracy at least, `limit` per cent."""

    what: Literal["disclosure", "accuracy"]
    limit: float = Field(ge=0, le=100)
