"""What a page says: the numbers of a verdict, and the lines of a table of claims."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """A number of the verdict: its value, what it is, what was measured, and whether that agrees."""

    value: str
    name: str
    measured: str = ""
    agrees: bool | None = None
    toned: bool = False


@dataclass(frozen=True)
class Claim:
    """One line: what is claimed, the printed figure, ours, what counts as agreement, the verdict and its tone."""

    claim: str
    printed: str
    found: str
    tolerance: str
    verdict: str
    tone: str
