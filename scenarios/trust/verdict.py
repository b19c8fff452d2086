"""The headline of the Trust page: never kinder than the worst ticked attacker, nor than a guess without copies."""

from dataclasses import dataclass
from math import sqrt

from trustscope.scenarios.coalition import most_trusted
from trustscope.scenarios.statement import LEAK, QUIET, SAFE, Headline
from trustscope.scenarios.trust.result import AttackResult, TrustResult
from trustscope.scenarios.trust.scenario import ATTACKERS, Settings
from trustscope.scenarios.trust.words import Subject, hit, knowledge_in_words, these
from trustscope.scenarios.value import not_none
from trustscope.scenarios.words import sentence, share

GAIN = 0.002  # below this share a difference in error is not worth a word
APART = 0.02  # a linear guess that is so far behind the best one is told of
RECOGNISED, LITTLE = 0.5, 0.05  # somebody is recognised though the copies add little on average
EXPOSED = 0.25  # how far the most exposed hundredth is above the average where the headline names it
NOTHING = 1e-9


@dataclass(frozen=True)
class Hits:
    """The shares of hits that the headline is about.

    Attributes
    ----------
    without : float
        By the best constant guess, without any copy.
    alone, together : float
        By the most successful of the ticked attackers, on the best single copy and on all copies; whoever holds the
        copies may also ignore them, so neither is below `without`, and `together` is not below `alone`.
    attacker : str
        The most successful attacker on all copies.
    certain : bool
        Whether the difference between the two is more than sampling error.
    """

    without: float
    alone: float
    together: float
    attacker: str
    certain: bool

    @property
    def gain(self) -> float:
        """What pooling adds."""
        return self.together - self.alone


def hits(picture: TrustResult) -> Hits:
    """The worst case over everything that is ticked, and the baselines."""
    without = picture.baseline.rate
    attacker = max(picture.together, key=lambda name: picture.together[name].hits)
    best, single = picture.together[attacker], max(picture.alone.values(), key=lambda r: r.hits)
    alone = max(without, single.hits)
    together = max(alone, best.hits)
    exact = best.theory_breach is not None and single.theory_breach is not None
    tolerance = 0.0 if exact else best.hits_tolerance + single.hits_tolerance
    return Hits(without, alone, together, attacker, together - alone > tolerance + NOTHING)


def errors(picture: TrustResult) -> tuple[float, float]:
    """The least error over the ticked attackers, of the best copy alone and of all together."""
    alone = min(result.error for result in picture.alone.values())
    return alone, min(alone, *(result.error for result in picture.together.values()))


def leaks(picture: TrustResult) -> bool:
    """Whether pooling tells them more than the best copy alone, in error or in hits, beyond sampling error."""
    if len(picture.settings.coalition) < 2 or not picture.together:
        return False
    alone, together = errors(picture)
    found = hits(picture)
    return _clearly_less(picture, together, alone) or (found.certain and found.gain > GAIN)


def _clearly_less(picture: TrustResult, together: float, alone: float) -> bool:
    if alone <= NOTHING or together >= (1 - GAIN) * alone:
        return False
    best = min(picture.together.values(), key=lambda r: r.error)
    single = min(picture.alone.values(), key=lambda r: r.error)
    return alone - together > _doubt(best) + _doubt(single)


def _doubt(result: AttackResult) -> float:
    """Sampling error of the error that is compared: none where it is theory."""
    return 0.0 if result.theory is not None and not result.approximate else result.tolerance


def headline(picture: TrustResult, subject: Subject) -> Headline:
    """What the page says first."""
    settings = picture.settings
    who = settings.coalition
    if not who:
        return Headline("Nobody pools copies yet.", note="Tick recipients: they put their copies together.")
    best = most_trusted(who)
    found, (alone, together) = hits(picture), errors(picture)
    if alone <= NOTHING:
        return Headline(
            f"{best.name} holds the original: nothing is left to guess.", share(found.without), share(found.together),
            f"{hit(settings, subject)}: without any copy → with the original", tone=LEAK,
        )  # fmt: skip
    if len(who) == 1:
        return _single(picture, subject, found)
    label = f"{hit(settings, subject)}: best alone → together ({share(found.without)} without any copy)"
    number = share(found.alone), share(found.together), label
    if together <= NOTHING:
        return Headline("Together they recover every value exactly.", *number, note=_why_exact(settings), tone=LEAK)
    if leaks(picture):
        return Headline(_leak(picture), *number, note=_note(picture, found, subject), tone=LEAK)
    if share(found.alone) != share(found.together):  # measured on too few rows to be more than chance
        title = f"Too few {subject.noun} to tell whether pooling helps."
        return Headline(title, *number, note=_note(picture, found, subject), tone=QUIET)
    note = _note(picture, found, subject)
    if found.together <= found.without + GAIN:
        title = f"The copies add nothing: {share(found.without)} can be guessed without any."
        if exposed(picture):
            title = f"On average the copies add nothing; to some {subject.noun} they do."
        return Headline(title, *number, note=note, tone=QUIET)
    title = f"{sentence(these(who))} gain nothing by pooling their copies."
    return Headline(title, *number, note=note, tone=SAFE)


def exposed(picture: TrustResult) -> str:
    """Who is guessed far more often than the average, where that is so."""
    seen, settings = picture.judged, picture.settings
    if seen is None or seen.hits is None or seen.question.attribute < 0 or "strongest" not in picture.together:
        return ""
    level, eps, found = not_none(picture.together["strongest"].level), not_none(settings.eps), hits(picture)
    risk = float(seen.hits.exposed_at(level, eps))
    if risk > found.together + EXPOSED:
        return f"Of the most exposed hundredth {share(risk)} are guessed."
    worst = float(seen.hits.worst_at(level, eps))
    if worst > RECOGNISED and found.together < found.without + LITTLE:
        return f"Who stands out by a rare value is guessed in {share(worst)} of cases."
    return ""


def _single(picture: TrustResult, subject: Subject, found: Hits) -> Headline:
    best = not_none(picture.settings.best)
    label = f"{hit(picture.settings, subject)}: without any copy → with {best.name}'s copy"
    note = "Tick a second recipient to see them pool their copies."
    return Headline(f"{best.name} alone: nobody pools.", share(found.without), share(found.alone), label, note)


def _leak(picture: TrustResult) -> str:
    who = picture.settings.coalition
    return (
        f"{sentence(these(who))} learn more together than {'either' if len(who) == 2 else 'any of them'} was meant to."
    )


def _why_exact(settings: Settings) -> str:
    if settings.scheme == "proportional":
        return "Two copies of the same noise at different strengths: subtract one from the other and no noise is left."
    return "So many copies leave no noise."


def _note(picture: TrustResult, found: Hits, subject: Subject) -> str:
    """What they err by, what the other scheme would have made of it, and who guesses."""
    return f"{_erred(picture)}{_by(picture, found, subject)}"


def _erred(picture: TrustResult) -> str:
    alone, together = errors(picture)
    best = not_none(picture.settings.best)
    if leaks(picture):
        return (
            f"Together their typical error is {typical(together)} of a blind guess's; {best.name}'s alone is "
            f"{typical(alone)}."
        )
    rival = picture.rival
    if picture.settings.scheme == "nested" and rival is not None and rival.error <= (1 - GAIN) * together:
        return (
            f"Their typical error stays at {typical(together)} of a blind guess's; with independent noise it would "
            f"fall to {typical(rival.error)}."
        )
    return f"Their typical error is {typical(together)} of a blind guess's, as {best.name}'s alone."


def _by(picture: TrustResult, found: Hits, subject: Subject) -> str:
    """Against whom this is said."""
    settings, seen = picture.settings, picture.judged
    if seen is None or "strongest" not in picture.together:
        by = f" The most successful attacker {ATTACKERS[found.attacker]}." if len(settings.attackers) > 1 else ""
        return f"{by} Attackers who know more than means and covariances are not ticked." if by or seen is None else by
    if seen.preview:
        return " What whole rows give away is still being worked out: until then each column is guessed by itself."
    by = f" Judged by the best guess of somebody who knows {knowledge_in_words(settings, subject.noun)}"
    if picture.linear is not None and found.together > picture.linear + APART:
        by += f"; a linear guess would hit {share(picture.linear)}"
    return f"{by}. {exposed(picture)}".rstrip()


def typical(error: float) -> str:
    """A normalised mean square error as the size of a typical error, in per cent of that of guessing the average."""
    return share(sqrt(max(error, 0.0)))
