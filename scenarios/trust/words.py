"""What the Trust dashboard says: the verdict and the captions, in plain words."""

from dataclasses import dataclass
from html import escape

from trustscope.scenarios.statement import Metric
from trustscope.scenarios.trust.model import leader_of
from trustscope.scenarios.trust.picture import Picture
from trustscope.scenarios.trust.settings import LINEAR, Settings
from trustscope.scenarios.words import count, listed, plain, share

GAIN = 0.002  # below this a difference in error is not worth a word
# How the attack of the verdict is called beside its figure; the linear ones on all copies go without saying.
WAYS = {
    "noise_distribution": ", as it is",
    "univariate": ", each attribute alone",
    "principal_components": ", strong components",
    "spectral_filter": ", filtered",
    "bayes": ", by Bayes' rule",
}
SCHEME_WORDS = {
    "nested": "Each copy is the next better one with more noise on top.",
    "independent": "Each copy gets fresh noise of its own.",
    "proportional": "All copies get the same noise, louder or softer.",
}


def shape_name(similarity: float) -> str:
    """What a place of the noise-shape slider is called."""
    names = {1: "the data's own", 0: "white", -1: "the opposite"}
    nearest = round(similarity, 2)
    if nearest in names:
        return names[nearest]
    return f"{abs(nearest):.0%} {'own' if nearest > 0 else 'opposite'}".replace("%", " %")


def shape(similarity: float) -> str:
    """What noise of this shape means to whoever attacks it."""
    nearest = round(similarity, 2)
    if nearest == 1:
        return "Noise varies as the data do: no direction is cleaner than another, and nothing can be filtered out."
    if nearest == 0:
        return "As much noise in every direction: where the data hardly vary it is all noise, and can be filtered out."
    if nearest == -1:
        return "Most noise where the data vary least: nearly all of it can be filtered out."
    between = "between the data's own shape and white" if nearest > 0 else "beyond white, towards the opposite"
    return f"As much noise in all, {between}. Less like the data, more of it can be filtered out."


@dataclass(frozen=True)
class Subject:
    """What is looked at: the attribute, its unit, and what a row stands for, as plain text."""

    attribute: str
    unit: str = ""
    noun: str = "records"

    @property
    def axis(self) -> str:
        """How an axis is called."""
        return f"{self.attribute} ({self.unit})" if self.unit else self.attribute

    def amount(self, value: float) -> str:
        """A value with its unit."""
        return f"{plain(value)} {self.unit}".strip()


def breach(settings: Settings, subject: Subject, ending: str = "s") -> str:
    """What a guess does when it is a breach: to follow "a guess", or "guesses" without the ending."""
    match settings.kind:
        case "absolute":
            return f"come{ending} within {subject.amount(settings.eps)}"
        case "euclidean":
            return f"come{ending} within {share(settings.eps)} of the record's size"
        case "entry":
            return f"hit{ending} some value to within {share(settings.eps)}"
        case _:
            return f"point{ending} within {plain(settings.eps)} of the record's direction"


def leader(picture: Picture):
    """Name and result of the attack that the verdict is about."""
    name = leader_of(picture.settings)
    return (name, picture.results[name]) if name in picture.results else (None, None)


def error(result) -> float:
    """The expected error, or the measured one where theory does not judge."""
    return result.tally.error if result.theory is None or result.approximate else result.theory


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
    return {"title": title, "text": text, "tone": tone, "metrics": _metrics(picture, subject, result)}


def _sentence(picture, subject, name, result):
    settings = picture.settings
    who, best = settings.coalition, settings.best
    together, alone = error(result), error(picture.results["single"])
    names = listed([r.name for r in who])
    rate, does = share(result.tally.breach_rate), breach(settings, subject)
    if len(who) == 1:
        hint = "Tick a second recipient to see them collude."
        return f"{best.name} alone.", f"Their guess {does} for {rate} of {subject.noun}. {hint}", "quiet"
    if alone <= 1e-9:
        return f"{best.name} holds the original.", "Nobody can add to that: there is nothing left to guess.", "quiet"
    if together <= 1e-9:
        why = "Copies of the same noise at different strengths subtract to nothing."
        return f"Together, {names} recover every value exactly.", why, "leak"
    gain = 1 - together / alone
    if name == "raw" and gain < -0.005:
        why = (
            f"Estimating everything from {count(settings.sample)} {subject.noun} misleads them; "
            "an attacker who knew more would not be misled."
        )
        return f"Together, {names} do worse than {best.name} could alone.", why, "safe"
    if gain > GAIN:
        little = "a little more" if gain < 0.02 else "more"
        why = (
            f"Their joint error is {together:.3f}, {best.name}'s alone {alone:.3f}. {_rates(picture, subject, result)}"
        )
        return f"Together, {names} learn {little} than any of them was allowed.", why, "leak"
    return (
        f"Together, {names} learn no more than {best.name} alone.",
        _otherwise(picture, subject, name, result),
        "safe",
    )


def _rates(picture, subject, result):
    """The shares of breaches, compared where there is something to compare."""
    together = share(result.tally.breach_rate)
    alone = share(picture.results["single"].tally.breach_rate)
    instead = "" if alone == together else f" instead of {alone}"
    return f"Their guess {breach(picture.settings, subject)} for {together} of {subject.noun}{instead}."


def _otherwise(picture, subject, name, result):
    """What the other scheme would have given away."""
    rival = picture.results.get("rival")
    now, then = error(result), error(rival) if rival else None
    tells = then is not None and then <= (1 - GAIN) * now and f"{now:.3f}" != f"{then:.3f}"
    if name in ("structured", "raw") or picture.settings.scheme != "nested" or not tells:
        return (
            f"Their guess {breach(picture.settings, subject)} for {share(result.tally.breach_rate)} of {subject.noun}."
        )
    text = f"With independent noise they would: their error would fall from {now:.3f} to {then:.3f}"
    more, less = rival.tally.breach_rate, result.tally.breach_rate
    if more - less < 0.01:
        return f"{text}."
    # "a guess that comes within": the rates are measured, the errors expected.
    return (
        f"{text}, and {share(more)} of guesses would {breach(picture.settings, subject, '')} instead of {share(less)}."
    )


def _metrics(picture, subject, result):
    settings, single = picture.settings, picture.results["single"]
    together, alone = error(result), error(single)
    gain = 0.0 if alone <= 1e-12 else 1 - together / alone
    gain = 0.0 if abs(gain) < 5e-4 else gain
    expected = "" if result.theory_breach is None else f"expected {share(result.theory_breach)}"
    return [
        _error_figure(result, f"coalition's error{WAYS.get(leader_of(settings), '')}"),
        _error_figure(single, f"best single: {settings.best.name}"),
        Metric(share(gain) if gain >= 0 else f"−{share(-gain)}", "gain by collusion", toned=True),
        Metric(share(result.tally.breach_rate), f"of guesses {breach(settings, subject, '')}", expected),
    ]


def _error_figure(result, name):
    if result.theory is None:
        return Metric(f"{result.tally.error:.3f}", name, "measured; no formula")
    if result.approximate:
        return Metric(f"{result.tally.error:.3f}", name, f"measured; about {result.theory:.3f} expected")
    return Metric(f"{result.theory:.3f}", name, f"measured {result.tally.error:.3f}", result.agrees)


# Captions


def held(picture: Picture, subject: Subject) -> str:
    """Caption of the copies."""
    settings = picture.settings
    lowest = min(settings.recipients, key=lambda r: r.trust)
    outside = 1 - picture.copies[lowest.number].sum() / max(picture.rows, 1)
    text = (
        f"{escape(subject.attribute)} of {count(picture.rows)} {subject.noun}: less trust, more noise, a flatter copy."
    )
    if outside > 0.02:
        text += f" {share(outside)} of {escape(lowest.name)}'s copy lies outside this view."
    return text


def closeness(picture: Picture, subject: Subject, cumulative: bool = True) -> str:
    """Caption of the error distribution: every attacker's figures, in words."""
    if not picture.results:
        return "Tick a recipient and an attacker."
    parts = []
    for name, result in picture.results.items():
        if name in LINEAR:
            mark = {True: " ✓", False: " ✗", None: ""}[result.agrees]
            theory = "" if result.theory is None else f", expected {result.theory:.3f}"
            parts.append(f"an attacker who {LINEAR[name]} errs by <b>{result.tally.error:.3f}</b>{theory}{mark}")
    what = "guess is that close" if cumulative else "guess is that far off"
    of = "" if picture.settings.kind == "absolute" else f", for {escape(subject.attribute)} alone"
    figures = f" Over all attributes, {'; '.join(parts)}." if parts else ""
    return f"Share of {subject.noun} whose {what}{of}.{figures}"


def coalitions(picture: Picture) -> str:
    """Caption of every coalition."""
    other = "proportional" if picture.settings.scheme == "proportional" else "independent"
    nested, rival = picture.coalitions["nested"], picture.coalitions[other]
    everyone = len(nested) - 1
    return (
        f"All {count(everyone)} possible coalitions and their expected error: 1 knows nothing, 0 knows all. "
        f"If everybody colludes: nested <b>{nested[everyone]:.3f}</b>, {other} <b>{rival[everyone]:.3f}</b>."
    )


def generated(picture: Picture, noun: str) -> str:
    """What the progress line says of a pass over the rows."""
    if picture.rows < picture.total:
        return f"{count(picture.rows)} of {count(picture.total)} {noun}"
    return f"{len(picture.settings.recipients)} copies of {count(picture.rows)} {noun}."
