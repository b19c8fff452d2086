"""The brief of the Trust page."""

import numpy as np

from trustscope import schemes
from trustscope.handouts.brief.base import Brief, Row, figures_by_name
from trustscope.looks import of_schemes
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.trust.scenario import ATTACKERS
from trustscope.scenarios.trust.verdict import hits, leaks
from trustscope.scenarios.trust.words import knowledge_in_words, subject_of, these
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import plain, sentence, share

STRONGER = 0.005  # an attacker who is not ticked and does so much better is named in the answer
STANDS_OUT = 0.1  # how far above the average the most exposed hundredth is where it is pointed out
NESTED = "nested noise (each copy is the next more trusted one with more noise)"
FRESH = {"independent": " (fresh for every copy)"}
KEYS = (
    "The attackers know how the copies were made: the levels, the scheme and the shape of the noise. Only the noise "
    "itself is secret.",
    "What could be guessed without any copy is part of every figure: a copy is not to blame for it.",
    "These copies are a rehearsal, made with a known seed. A real release uses a secret key of its own.",
)


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The question whether copies can be given to people who may pool them."""
    picture, title = found.picture, found.title
    subject = subject_of(found.model.population, picture.settings.attribute)
    asked, counts = _hit(picture.settings, subject)
    if not picture.together:
        who = these(picture.settings.recipients)
        return Brief(
            f"What can {who} learn from their copies of {title}?", (figures.verdict, *_sentences(figures.note)),
            "Variance that each one's copy explains", _explained(picture, figures),
            ("Say who may pool their copies, and look at this report again.",), KEYS, "coalitions",
        )  # fmt: skip
    who = these(picture.settings.coalition)
    verb = "pool" if len(picture.settings.coalition) > 1 else "uses"
    copies = "their copies" if len(picture.settings.coalition) > 1 else "the copy"
    stronger = _stronger(picture)
    answer = (figures.verdict, _counted(picture, subject, counts), stronger or _otherwise(picture, figures))
    return Brief(
        f"{asked} if {who} {verb} {copies} of {title}?", tuple(filter(None, answer)),
        sentence(f"{subject.noun} who {counts}" if subject.noun == "people" else f"{subject.noun} that {counts}"),
        tuple(_rows(picture, figures, subject)), tuple(_advice(picture, figures, stronger)),
        _assumed(picture, subject), "pooling",
    )  # fmt: skip


def _hit(settings, subject) -> tuple[str, str]:
    """How the question begins, and what follows "61 % of records"."""
    size = share(settings.eps)
    match settings.kind:
        case "absolute":
            amount = subject.amount(settings.eps)
            return f"How often is {subject.attribute} guessed within {amount}", f"are guessed within {amount}"
        case "euclidean":
            return (
                f"How often is a whole row guessed within {size} of its size",
                f"are guessed within {size} of their size",
            )
        case "entry":
            return f"How often is any one value guessed within {size}", f"have a value that is guessed within {size}"
        case _:
            near = plain(settings.eps)
            return (
                f"How often is the direction of a row guessed within {near}",
                f"have a direction guessed within {near}",
            )


def _guesser(picture, subject, attacker: str) -> str:
    if attacker == "strongest":
        return f"by the best guess of somebody who knows {knowledge_in_words(picture.settings, subject.noun)}"
    return f"by somebody who {ATTACKERS[attacker]}"


def _assumed(picture, subject) -> tuple[str, ...]:
    by = _guesser(picture, subject, hits(picture).attacker)
    return f"Values are guessed {by}, and how the copies were made. Whoever knows more may guess better.", *KEYS[1:]


def _counted(picture, subject, counts: str) -> str:
    """The figures of the headline, with the attacker and what they know."""
    found, settings = hits(picture), picture.settings
    by = _guesser(picture, subject, found.attacker)
    if len(settings.coalition) == 1:
        beside = f"against {share(found.without)} without any copy"
        return f"With this copy {share(found.together)} of {subject.noun} {counts}, {beside}, {by}."
    beside = f"against {share(found.alone)} with the best copy alone and {share(found.without)} without any copy"
    return f"With all copies together {share(found.together)} of {subject.noun} {counts}, {beside}, {by}."


def _stronger(picture) -> str:
    """A sentence about the most successful attacker of those who are not ticked, where that one does better."""
    if not picture.unticked:
        return ""
    name = max(picture.unticked, key=lambda one: picture.unticked[one].hits)
    better = picture.unticked[name].hits
    if better <= hits(picture).together + STRONGER:
        return ""
    return f"Somebody who {ATTACKERS[name]}, an attacker that is not ticked, would reach {share(better)}."


def _pooled(figures: Metrics) -> dict[str, float]:
    """What pooling gives under each scheme that was worked out."""
    known_ = figures_by_name(figures)
    return {s: known_[f"pooled.{s}"].value for s in of_schemes(schemes.NAMES) if f"pooled.{s}" in known_}


def _otherwise(picture, figures) -> str:
    """What another scheme would make of the same levels."""
    if len(picture.settings.coalition) < 2:
        return ""
    scheme, pooled = picture.settings.scheme, _pooled(figures)
    if scheme != "nested" and "nested" in pooled:
        return (
            f"With nested noise, at the same levels of trust, pooling would give {share(pooled['nested'])}, as the "
            "best copy alone."
        )
    if "independent" in pooled and scheme == "nested":
        return (
            f"With independent noise, at the same levels of trust, pooling would give {share(pooled['independent'])}."
        )
    return ""


def _rows(picture, figures, subject):
    found, settings, pooled = hits(picture), picture.settings, _pooled(figures)
    yield Row("Guessed without any copy", share(found.without))
    if len(settings.coalition) == 1:
        yield Row(f"With {settings.best.name}'s copy", share(found.together))
    else:
        yield Row(
            f"With the best copy alone ({settings.best.name}, trust {settings.best.trust:g} %)", share(found.alone)
        )
        noise = f"{schemes.adjective(settings.scheme)} noise{FRESH.get(settings.scheme, '')}"
        yield Row(f"All copies together, as planned: {noise}", share(found.together))
        for scheme, value in pooled.items():
            if scheme != settings.scheme:
                yield Row(f"All copies together, if the noise were {schemes.adjective(scheme)}", share(value))
    if picture.exposed is not None and not np.isnan(picture.exposed.uncommon):
        worst = share(picture.exposed.exposure.hundredth)
        told = ", all copies together" if len(settings.coalition) > 1 else ""
        yield Row(f"The most exposed hundredth, of {subject.noun} whose value is not common{told}", worst)
    if _stronger(picture):
        best = max(picture.unticked.values(), key=lambda one: one.hits)
        yield Row("By the strongest attacker that is not ticked", share(best.hits))


def _advice(picture, figures, stronger: str):
    found, settings, pooled = hits(picture), picture.settings, _pooled(figures)
    if stronger:  # figures of weaker attackers would promise too much
        yield f"Do not decide by the ticked attackers: tick the strongest one and make this again. {stronger}"
        if leaks(picture) and settings.scheme != "nested":
            yield f"Give the copies with {NESTED}: pooling then gives no more than the best copy alone."
        return
    if leaks(picture) and settings.scheme != "nested":
        yield (
            f"Give the copies with {NESTED}: pooling then gives {share(pooled.get('nested', found.alone))}, no more "
            "than the best copy alone."
        )
        yield (
            f"Copies with {schemes.adjective(settings.scheme)} noise that are already out cannot be called back: for "
            f"them, count on "
            f"{share(found.together)}."
        )
    elif len(settings.coalition) > 1 and settings.scheme == "nested":
        other = pooled.get("independent")
        told = "" if other is None else f": with independent noise pooling would give {share(other)}"
        yield f"Make every further copy with {NESTED}{told}."
    if found.alone > found.without + STRONGER:
        yield (
            f"If {share(found.alone)} is too much, lower the trust of {settings.best.name}: no scheme protects better "
            "than the best copy alone."
        )
    if picture.exposed is not None and picture.exposed.exposure.hundredth > found.together + STANDS_OUT:
        worst = share(picture.exposed.exposure.hundredth)
        yield f"Look at those who stand out by a value that is not common: {worst} of the most exposed are guessed."


def _explained(picture, figures) -> tuple[Row, ...]:
    every = [(r.name, figures_by_name(figures)[f"share.{r.name}"].value) for r in picture.settings.recipients]
    return tuple(Row(name, share(value)) for name, value in every[:6])


def _sentences(note: str) -> tuple[str, ...]:
    return (note,) if note else ()
