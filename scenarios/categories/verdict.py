"""The headline of the Categories page: never kinder than what a coalition can do, nor than a guess without copies."""

from dataclasses import dataclass

from trustscope.engine.attacks.agreement import Insight
from trustscope.scenarios.categories.result import CategoriesResult, Joining
from trustscope.scenarios.categories.scenario import Settings
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.categories.words import points, these
from trustscope.scenarios.coalition import most_trusted
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import sentence, share

FAR = 0.2  # above the average: what the most exposed are named for
GAIN = 0.002  # below this a difference is not worth a word
DOUBT = 2  # standard errors that are stated where figures are drawn: right 19 times in 20

RIGHT, BELIEF = "right", "belief"


def value(figures: Insight, measure: str) -> float:
    """The figure that is measured."""
    return min(figures.right if measure == RIGHT else figures.belief, 1.0)


def doubt(figures: Insight, measure: str) -> float:
    """How uncertain it is; 0 where it is exact."""
    return DOUBT * (figures.right_error if measure == RIGHT else figures.belief_error)


def measure_of(joining: Joining) -> str:
    """Which number tells what pooling does: best guesses that are right, or the belief in the truth.

    Right guesses are understood at once. But where independent copies make nobody guess another value, they still say
    *which* guesses to trust: then only the belief shows it. The answer does not depend on the scheme at work, so that
    switching it compares like with like.
    """
    alone, pooled = joining.alone, joining.last("independent")
    if pooled.right - alone.right > GAIN + doubt(pooled, RIGHT):
        return RIGHT
    return BELIEF if pooled.belief - alone.belief > GAIN + doubt(pooled, BELIEF) else RIGHT


@dataclass(frozen=True)
class Found:
    """The numbers that the headline is about, all of one measure."""

    measure: str
    without: float
    alone: float
    together: float
    rival: float
    doubt: float

    @property
    def gain(self) -> float:
        """What pooling adds."""
        return self.together - self.alone


def headline_numbers(picture: CategoriesResult) -> Found:
    """What the best copy alone and all copies together achieve."""
    joining, settings = not_none(picture.joining), picture.settings
    measure = measure_of(joining)
    pooled, rival = joining.last(settings.scheme), joining.last(settings.rival)
    alone = value(joining.alone, measure)
    return Found(
        measure,
        value(joining.without, measure),
        alone,
        # More copies never tell less: whoever holds them may leave some out. Draws could say otherwise.
        max(alone, value(pooled, measure)),
        max(alone, value(rival, measure)),
        max(doubt(pooled, measure), doubt(rival, measure)),
    )


def leaks(picture: CategoriesResult) -> bool:
    """Whether pooling tells them more than the best copy alone, in right guesses or in belief."""
    joining, settings = picture.joining, picture.settings
    if joining is None or len(settings.coalition) < 2:
        return False
    alone, pooled = joining.alone, joining.last(settings.scheme)
    return any(
        value(pooled, measure) - value(alone, measure) > GAIN + doubt(pooled, measure) for measure in (RIGHT, BELIEF)
    )


def label(measure: str, noun: str) -> str:
    """What the number is."""
    return f"of {noun} guessed right" if measure == RIGHT else "mean belief in the true value"


def headline(picture: CategoriesResult, noun: str) -> Headline:
    """What the page says first."""
    settings = picture.settings
    if picture.joining is None:
        return Headline("Nobody pools copies yet.", note="Tick recipients: they put their copies together.")
    who, best = settings.coalition, most_trusted(settings.coalition)
    numbers = headline_numbers(picture)
    what = label(numbers.measure, noun)
    if best.trust == 100:
        return Headline(
            f"{best.name} holds the original: nothing is left to guess.", share(numbers.without), share(1.0),
            f"{what}: without any copy → with the original", _judged(settings), tone=LEAK,
        )  # fmt: skip
    if len(who) == 1:
        return Headline(
            f"{best.name} alone: nobody pools.", share(numbers.without), share(numbers.alone),
            f"{what}: without any copy → with {best.name}'s copy",
            f"{_judged(settings)} Tick a second recipient to see them pool their copies.",
        )  # fmt: skip
    error = f", {points(numbers.doubt)}" if numbers.doubt else ""
    text = f"{what}: best alone → together ({share(numbers.without)} without any copy{error})"
    number = share(numbers.alone), share(numbers.together), text
    judged = _judged(settings)
    if leaks(picture):
        note = f"{judged} {_leak_note(picture, numbers)}{exposure(picture)}"
        return Headline(_leak(settings), *number, note=note, tone=LEAK)
    if settings.scheme == "independent":
        title = f"Pooling adds hardly anything to what {best.name} knows."
        note = f"{judged} The other copies keep too little to add to it. That is no protection: more copies would."
        return Headline(title, *number, note=note, tone=QUIET)
    if numbers.together <= numbers.without + 1e-9 and _changes_nothing(picture):
        title = f"The copies change no guess: {share(numbers.without)} is guessed without any."
        return Headline(title, *number, note=f"{judged} {_safe_note(picture, numbers)}", tone=QUIET)
    title = f"{sentence(these(who))} gain nothing by pooling their copies."
    return Headline(title, *number, note=f"{judged} {_safe_note(picture, numbers)}{exposure(picture)}", tone=SAFE)


def _changes_nothing(picture: CategoriesResult) -> bool:
    """Whether the copies make nobody guess another value of anybody: equal averages alone do not say so where
    something else is believed of each person."""
    if picture.exposed is not None:
        return picture.exposed.worst == 0
    return not picture.settings.known and picture.settings.others is None


def exposure(picture: CategoriesResult) -> str:
    """A sentence where some people are far more exposed than the average; empty elsewhere."""
    risk = picture.exposed
    if risk is None or risk.hundredth < risk.average + FAR:
        return ""
    return f" The most exposed hundredth is guessed for {share(risk.hundredth)}."


def _judged(settings: Settings) -> str:
    """Who guesses: all figures are those of the best guess of somebody who knows as much."""
    return f"Guessed by somebody who {attacker_in_words(settings)}."


def _leak(settings: Settings) -> str:
    who = sentence(these(settings.coalition))
    return f"{who} learn more together than {'either' if len(settings.coalition) == 2 else 'any of them'} was meant to."


def _leak_note(picture: CategoriesResult, numbers: Found) -> str:
    joining, best = not_none(picture.joining), most_trusted(picture.settings.coalition)
    pooled = joining.last(picture.settings.scheme)
    if numbers.measure == BELIEF:
        return (
            f"Their best guess is right for {share(pooled.right)}, as often as {best.name}'s alone; but together they "
            "know better which guesses to trust."
        )
    return (
        f"On average they give the true value a {share(pooled.belief)} chance; {best.name} alone gives it "
        f"{share(joining.alone.belief)}."
    )


def _safe_note(picture: CategoriesResult, numbers: Found) -> str:
    best = most_trusted(picture.settings.coalition)
    if numbers.rival - numbers.alone <= GAIN:
        return f"They are no wiser than {best.name} alone."
    if numbers.measure == BELIEF:
        return f"With independent copies they would give the true value a {share(numbers.rival)} chance on average."
    return f"With independent copies {share(numbers.rival)} would be guessed right."
