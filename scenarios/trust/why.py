"""Why the verdict of the Trust page is what it is: which copy carries the information, who wins, and what if not.

Every sentence holds figures of its own, which can be checked: nothing is said that they could contradict.
"""

from trustscope import schemes
from trustscope.engine.attacks.combining import combining_weights, expected_error
from trustscope.scenarios import attackers
from trustscope.scenarios.coalition import Recipient, most_trusted
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.noise import Noise
from trustscope.scenarios.trust.result import TrustResult
from trustscope.scenarios.trust.scenario import ATTACKERS, Settings, levels
from trustscope.scenarios.trust.verdict import hits
from trustscope.scenarios.trust.words import knowledge_in_words
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import count, number_word, share


def why(picture: TrustResult, model: Model, binding: str = "") -> str:
    """At most three sentences; empty where nobody pools.

    Parameters
    ----------
    picture : TrustResult
    model : Model
        That the picture is of.
    binding : str
        A sentence on the requirement that binds, where there is one; it takes the place of the third.
    """
    settings = picture.settings
    if not settings.coalition or not picture.together:
        return ""
    if not model.population.weights.any():
        return "All records have the same values, so that there is nothing to guess."
    told = [
        _carries(settings),
        _wins(picture, model.rows, model.population.noun),
        binding or _otherwise(picture, model),
    ]
    return " ".join(sentence for sentence in told if sentence)


def _carries(settings: Settings) -> str:
    """Which copy carries the information."""
    who, best = settings.coalition, most_trusted(settings.coalition)
    if best.trust == 100:
        return f"{best.name}'s copy carries everything: at 100 % trust it is the original, without noise."
    if len(who) == 1:
        return f"{best.name}'s copy at {best.trust} % trust is the only one in the pool."
    lowest = min(who, key=lambda r: r.trust)
    if lowest.trust == best.trust and settings.scheme in ("nested", "proportional"):
        return "All copies in the pool are one and the same, because they have the same trust and share their noise."
    if settings.scheme == "nested":
        return (
            f"{best.name}'s copy carries all the information: with nested noise every other copy in the pool is that "
            "one, or that one with more noise on top."
        )
    if settings.scheme == "proportional":
        return (
            f"{best.name}'s and {lowest.name}'s copies carry the same noise at two strengths, so that one taken from "
            "the other in the right proportion leaves none."
        )
    weights = combining_weights(levels(who), settings.scheme)
    if settings.scheme != "independent":
        heaviest = who[int(weights.argmax())].name
        noise = schemes.adjective(settings.scheme)
        return (
            f"The noise of the {number_word(len(who))} copies hangs together as {noise} noise does: {heaviest}'s copy "
            f"weighs most ({share(float(weights.max()))}), and together they act as one copy at "
            f"{share(_together(who, settings.scheme))} trust."
        )
    return (
        f"Each of the {number_word(len(who))} copies has noise of its own, which averaging takes away: none weighs "
        f"more than {best.name}'s ({share(float(weights.max()))} of the average), and together they act as one copy at "
        f"{share(_together(who, 'independent'))} trust."
    )


def _together(who: tuple[Recipient, ...], scheme: str) -> float:
    """The trust of the one copy that says as much as all of these: tau = 1 / (1 + s)."""
    return 1 - expected_error(levels(who), scheme)


def _wins(picture: TrustResult, rows: int, noun: str) -> str:
    """Which attacker wins, and through which assumption."""
    found, settings = hits(picture), picture.settings
    rate = picture.together[found.attacker].hits
    if rate <= found.without:
        which = "No ticked attacker" if len(picture.together) > 1 else f"The attacker who {ATTACKERS[found.attacker]}"
        verb = "hits" if len(picture.together) > 1 else "does not hit"
        return (
            f"{which} {verb} more often with these copies than the best constant guess does without any "
            f"({share(found.without)})."
        )
    assumes = attackers.of(found.attacker).assumes.format(
        rows=count(min(settings.sample, rows)), known=knowledge_in_words(settings, noun)
    )
    if found.attacker == "bayes":
        assumes += (
            ", and is told the mean and covariance of the data" if settings.informed else ", and estimates the rest"
        )
    if len(picture.together) == 1:
        return f"The attacker who {ATTACKERS[found.attacker]} hits {share(rate)}, and {assumes}."
    return (
        f"No ticked attacker hits more often than the one who {ATTACKERS[found.attacker]} ({share(rate)}): "
        f"somebody who {assumes}."
    )


def _otherwise(picture: TrustResult, model: Model) -> str:
    """What the same copies would tell under the other scheme."""
    settings = picture.settings
    who, rival = settings.coalition, settings.rival
    if len(who) == 1 or most_trusted(who).trust == 100:
        return ""
    noise = model.noise(settings.similarity)
    here, there = (share(1 - _error(picture, noise, who, scheme)) for scheme in (settings.scheme, rival))
    guess = "best guess" if _judged(picture) else "best linear guess"
    rival = schemes.adjective(rival)
    if here == there:
        return f"With {rival} noise the {guess} would explain as much of the variance ({here})."
    return f"With {rival} noise the {guess} would explain {there} of the variance instead of {here}."


def _judged(picture: TrustResult) -> bool:
    """Whether the errors of the strongest attacker can be read."""
    return "strongest" in picture.together and picture.judged is not None and picture.judged.errors is not None


def _error(picture: TrustResult, noise: Noise, who: tuple[Recipient, ...], scheme: str) -> float:
    if not _judged(picture):
        return noise.error(who, scheme)
    return float(not_none(not_none(picture.judged).error_at(noise.level(who, scheme))))
