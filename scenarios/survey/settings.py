"""What the person has set: immutable, and all that a run of the survey depends on beside its people."""

from dataclasses import dataclass

from trustscope.engine.survey import Kind, Mix

MINERS = ("honest", "outright", "hidden")


@dataclass(frozen=True)
class Part:
    """One kind: its name and colour, its weight among all (0 to 100), and the most that it accepts (None: anything)."""

    name: str
    colour: str
    weight: int
    level: int | None


@dataclass(frozen=True)
class Settings:
    """One state of the controls.

    Parameters
    ----------
    parts : kinds of respondents
    mu : eigenvalues up to this share of the largest are left out
    update_every : tuples between two guidances
    order : of the eigenvalues, "magnitude" or "signed"
    miner : of `MINERS`
    target : number of the question that a malicious miner is after
    extra_check : whether respondents bound the weight of single answers
    """

    parts: tuple[Part, ...]
    mu: float = 0.025
    update_every: int = 20
    order: str = "magnitude"
    miner: str = "honest"
    target: int = 0
    extra_check: bool = False

    @property
    def mix(self) -> Mix:
        """The kinds as the engine knows them."""
        total = sum(part.weight for part in self.parts)
        return Mix(tuple(Kind(part.name, part.weight / total, part.level) for part in self.parts))

    @property
    def malicious(self) -> bool:
        """Whether guidance is picked by hand."""
        return self.miner != "honest"
