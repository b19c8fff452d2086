"""Moving all kinds of respondents at once along the ladder of directions that they may follow."""

from trustscope.scenarios.survey.scenario import LEVELS, Part


def _rung(level: int | None) -> int:
    """The place of a level on the ladder, or of the nearest one below."""
    if level is None:
        return len(LEVELS) - 1
    return max(n for n, rung in enumerate(LEVELS) if rung is not None and rung <= level)


def moved(parts: tuple[Part, ...], steps: int) -> tuple[Part, ...]:
    """Every kind so many rungs up (more is followed) or down; nobody leaves the ladder."""
    if not steps:
        return parts
    most = len(LEVELS) - 1
    return tuple(part.replace({"level": LEVELS[min(max(_rung(part.level) + steps, 0), most)]}) for part in parts)


def steps(parts: tuple[Part, ...]) -> list[int]:
    """The steps that make a difference, from nobody following anything to everybody following everything."""
    there = [_rung(part.level) for part in parts if part.weight]
    most = len(LEVELS) - 1
    return list(range(-max(there), most - min(there) + 1))


def levels_in_words(parts: tuple[Part, ...]) -> str:
    """What each kind that is there follows at the most: 1/3/9."""
    return "/".join("all" if part.level is None else str(part.level) for part in parts if part.weight)
