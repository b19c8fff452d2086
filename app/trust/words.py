"""What the Trust dashboard says: the verdict and the captions, in plain words."""

from dataclasses import dataclass
from html import escape

from app.trust.model import Picture
from app.trust.settings import ATTACKERS, Settings
from app.words import count, listed, plain, share
from widgets.verdict import Figure

SCHEME_WORDS = {
    "nested": "Each copy is the next better one with more noise on top.",
    "independent": "Each copy gets fresh noise of its own.",
    "proportional": "All copies get the same noise, louder or softer.",
}


@dataclass(frozen=True)
class Subject:
    """What is looked at: the attribute and its unit, as plain text."""

    attribute: str
    unit: str = ""

    @property
    def axis(self) -> str:
        """How an axis is called."""
        return f"{self.attribute} ({self.unit})" if self.unit else self.attribute

    def amount(self, value: float) -> str:
        """A value with its unit."""
        return f"{plain(value)} {self.unit}".strip()


def breach(settings: Settings, subject: Subject) -> str:
    """When a guess counts as a breach, to follow "a guess"."""
    match settings.kind:
        case "absolute":
            return f"within {subject.amount(settings.eps)}"
        case "euclidean":
            return f"within {share(settings.eps)} of the record's size"
        case "entry":
            return f"within {share(settings.eps)} on some value"
        case _:
            return f"pointing within {plain(settings.eps)} of the record's direction"


def leader(picture: Picture):
    """Name and result of the attack that the verdict is about: the ticked attacker that knows most."""
    name = next((a for a in picture.settings.attackers if a in picture.results), None)
    return (name, picture.results[name]) if name else (None, None)


def error(result) -> float:
    """The expected error, or the measured one where there is no closed form."""
    return result.tally.error if result.theory is None else result.theory


def verdict(picture: Picture, subject: Subject) -> dict:
    """Arguments for `Verdict.say`."""
    settings = picture.settings
    if not settings.coalition:
        return {
            "title": "Nobody colludes yet.",
            "text": "Tick two recipients or more: they put their copies together.",
        }
    name, result = leader(picture)
    if result is None:
        return {
            "title": "Nobody attacks yet.",
            "text": "Tick an attacker: it turns the coalition's copies into guesses.",
        }
    title, text, tone = _sentence(picture, subject, name, result)
    return {"title": title, "text": text, "tone": tone, "figures": _figures(picture, subject, result)}


def _sentence(picture, subject, name, result):
    settings = picture.settings
    who, best = settings.coalition, settings.best
    single = picture.results["single"]
    rate = share(result.tally.breach_rate)
    close = breach(settings, subject)
    if len(who) == 1:
        return (
            f"{best.name} alone.",
            f"A guess of {best.name}'s comes {close} for {rate} of people. Tick a second recipient.",
            "quiet",
        )
    together, alone = error(result), error(single)
    if together <= 1e-9:
        why = (
            "Copies of the same noise at different strengths subtract to nothing."
            if settings.scheme == "proportional"
            else "One of them holds the original."
        )
        tone = "leak" if alone > 1e-9 else "quiet"
        return f"Together, {listed([r.name for r in who])} recover every value exactly.", why, tone
    gain = 1 - together / alone
    if name == "raw" and gain < -0.005:
        return (
            f"Together, {listed([r.name for r in who])} do worse than {best.name} could alone.",
            f"Estimating everything from {count(settings.sample)} people misleads them; "
            "an attacker who knew more would not be misled.",
            "safe",
        )
    if gain > 0.005:
        return (
            f"Together, {listed([r.name for r in who])} learn more than any of them was allowed.",
            f"Their guess comes {close} for {rate} of people; "
            f"{best.name}'s alone for {share(single.tally.breach_rate)}.",
            "leak",
        )
    return (
        f"Together, {listed([r.name for r in who])} learn no more than {best.name} alone.",
        _otherwise(picture, close, rate),
        "safe",
    )


def _otherwise(picture, close, rate):
    """What the other scheme would have given away."""
    rival = picture.results.get("rival")
    if rival is None or picture.settings.scheme != "nested":
        return f"Their guess comes {close} for {rate} of people."
    return (
        f"With independent noise they would: their guess would come {close} "
        f"for {share(rival.tally.breach_rate)} of people instead of {rate}."
    )


def _figures(picture, subject, result):
    settings, single = picture.settings, picture.results["single"]
    together, alone = error(result), error(single)
    gain = 0.0 if alone <= 1e-12 else 1 - together / alone
    gain = 0.0 if abs(gain) < 5e-4 else gain
    expected = "" if result.theory_breach is None else f"expected {share(result.theory_breach)}"
    return [
        _error_figure(result, "coalition's error"),
        _error_figure(single, f"best single: {settings.best.name}"),
        Figure(share(gain) if gain >= 0 else f"−{share(-gain)}", "gain by collusion", toned=True),
        Figure(share(result.tally.breach_rate), f"of guesses {breach(settings, subject)}", expected),
    ]


def _error_figure(result, name):
    if result.theory is None:
        return Figure(f"{result.tally.error:.3f}", name, "measured; no formula")
    return Figure(f"{result.theory:.3f}", name, f"measured {result.tally.error:.3f}", result.agrees)


# Captions


def held(picture: Picture, subject: Subject) -> str:
    """Caption of the copies."""
    settings = picture.settings
    lowest = min(settings.recipients, key=lambda r: r.trust)
    outside = 1 - picture.copies[lowest.number].sum() / max(picture.rows, 1)
    text = f"{escape(subject.attribute)} of {count(picture.rows)} people: less trust, more noise, a flatter copy."
    if outside > 0.02:
        text += f" {share(outside)} of {escape(lowest.name)}'s copy lies outside this view."
    return text


def closeness(picture: Picture, subject: Subject) -> str:
    """Caption of the error distribution: every attacker's figures, in words."""
    if not picture.results:
        return "Tick a recipient and an attacker."
    parts = []
    for name, result in picture.results.items():
        if name in ATTACKERS:
            mark = {True: " ✓", False: " ✗", None: ""}[result.agrees]
            theory = "" if result.theory is None else f", expected {result.theory:.3f}"
            parts.append(f"An attacker who {ATTACKERS[name]}: error <b>{result.tally.error:.3f}</b>{theory}{mark}")
    return "Share of people whose guess is that close. " + "; ".join(parts).replace("; An", "; an") + "."


def coalitions(picture: Picture) -> str:
    """Caption of every coalition."""
    other = "proportional" if picture.settings.scheme == "proportional" else "independent"
    nested, rival = picture.coalitions["nested"], picture.coalitions[other]
    everyone = len(nested) - 1
    return (
        f"All {count(everyone)} possible coalitions and their expected error: 1 knows nothing, 0 knows all. "
        f"If everybody colludes: nested <b>{nested[everyone]:.3f}</b>, {other} <b>{rival[everyone]:.3f}</b>."
    )


def generated(picture: Picture) -> str:
    """What the progress line says of a pass over the rows."""
    if picture.rows < picture.total:
        return f"{count(picture.rows)} of {count(picture.total)} people"
    return f"{len(picture.settings.recipients)} copies of {count(picture.rows)} people."
