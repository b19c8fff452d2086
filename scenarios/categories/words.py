"""What the Categories dashboard says: the verdict and the captions, in plain words."""

from html import escape

from trustscope.scenarios.categories.column import Column
from trustscope.scenarios.categories.model import EXACT
from trustscope.scenarios.categories.picture import Picture
from trustscope.scenarios.categories.settings import Settings, retention
from trustscope.scenarios.statement import Metric
from trustscope.scenarios.words import count, listed, plain, share

GAIN = 0.002  # below this a difference in belief is not worth a word
SCHEME_WORDS = {
    "nested": "Every copy is read off one path: whoever keeps less starts from what a better copy holds.",
    "independent": "Every copy is drawn on its own.",
}
PRIOR_WORDS = {
    "uniform": "Beforehand the coalition holds every value to be equally likely.",
    "empirical": "Beforehand the coalition knows how frequent each value is.",
}


def short(label: str, most: int = 28) -> str:
    """A label that fits into a sentence."""
    return label if len(label) <= most else f"{label[: most - 1]}…"


def stays(p: float, size: int) -> float:
    """The probability that a value is released as itself (Eq. 1): 0.28 at p = 0.2 of 10 values."""
    return p + (1 - p) / size


def probability(value: float) -> str:
    """Three digits, but never 1.000 for what is not certain, nor 0.000 for what is possible."""
    if 0.9995 <= value < 1 - 1e-13:
        return "> 0.999"
    return "< 0.001" if 1e-12 < value < 0.0005 else f"{value:.3f}"


def choices(labels: dict[int, str]) -> dict[str, int]:
    """Options of a drop-down: short texts by code, told apart where cutting made them equal."""
    options = {}
    for code, label in labels.items():
        text = short(label, 60)
        options[text if text not in options else f"{text} ({code + 1})"] = code
    return options


def gamma(value: float) -> str:
    """A factor, with gaps where it is large."""
    return count(round(value)) if 1000 <= value < 1e9 else plain(value)


def mark(agrees: bool | None) -> str:
    """Whether theory and measurement agree."""
    return {True: " ✓", False: " ✗", None: ""}[agrees]


def together(settings: Settings) -> str:
    """Those who collude: by name if they are few."""
    who = settings.coalition
    if len(who) <= 4:
        return listed([r.name for r in who])
    return f"all {len(who)}" if len(who) == len(settings.recipients) else f"these {len(who)}"


def verdict(picture: Picture) -> dict:
    """Arguments for `Verdict.say`."""
    settings = picture.settings
    if not settings.coalition:
        return {
            "title": "Nobody colludes yet.",
            "text": "Tick two recipients or more: they put their copies together.",
        }
    title, text, tone = _sentence(picture)
    return {"title": title, "text": text, "tone": tone, "metrics": _metrics(picture)}


def _sentence(picture):
    settings, joint, single = picture.settings, picture.results["together"], picture.results["single"]
    who, best = together(settings), settings.best
    right = f"Their best guess is right for {share(joint.right.mean)} of people."
    if len(settings.coalition) == 1:
        return f"{best.name} alone.", f"{right.replace('Their', 'The')} Tick a second recipient.", "quiet"
    if best.trust == 100:
        return f"Together, {who} know every value.", f"{best.name} holds the original.", "quiet"
    gain = joint.theory / single.theory - 1
    if settings.scheme == "independent" and gain > GAIN:
        return (
            f"Together, {who} learn more than any of them was allowed.",
            f"{right} The true value gets {share(gain)} more of their belief than {best.name} alone could give it.",
            "leak",
        )
    if settings.scheme == "independent":
        return (
            f"Together, {who} learn hardly more than {best.name} alone.",
            f"{right} The other copies hold too little to add to {best.name}'s.",
            "quiet",
        )
    then, now = probability(picture.results["rival"].theory), probability(joint.theory)
    otherwise = f" With independent copies they would give the true value {then} of their belief instead of {now}."
    title = f"Together, {who} learn no more than {best.name} alone."
    return title, right if then == now else right + otherwise, "safe"


def _metrics(picture):
    settings, joint, single = picture.settings, picture.results["together"], picture.results["single"]
    gain = joint.theory / single.theory - 1
    gain = 0.0 if abs(gain) < GAIN else gain
    return [
        _figure(joint, "coalition's belief in the truth"),
        _figure(single, f"best single: {settings.best.name}"),
        Metric(share(gain), "gain by collusion", toned=True),
        Metric(share(joint.right.mean), "of best guesses are right", f"they expect {share(joint.sure.mean)}"),
    ]


def _figure(result, name):
    return Metric(probability(result.theory), name, f"measured {probability(result.tally.mean)}", result.agrees)


# Captions


def shares(column: Column, recipient, value: int, table, true_share: float, rows: int) -> str:
    """Caption of the distribution, for the value looked at; `table` is that of `engine.utility.frequencies`."""
    row = table.iloc[value]
    p = retention(recipient)
    expected = p * true_share + (1 - p) / column.size
    seen = row["released"]
    agrees = abs(seen - expected) <= 4 * (expected * (1 - expected) / rows) ** 0.5 + 1e-9
    return (
        f"{escape(short(column.labels[value]))}: was <b>{share(true_share)}</b>, "
        f"released by {escape(recipient.name)} as <b>{share(seen)}</b> (expected {share(expected)}{mark(agrees)}), "
        f"estimated back as <b>{share(max(row['estimate'], 0))}</b> ({share(row['low'])} to {share(row['high'])}). "
        f"{count(rows)} people."
    )


def race(picture: Picture) -> str:
    """Caption of the race."""
    joining = picture.joining
    if joining is None:
        return "Tick a recipient: nobody has joined yet."
    here, last = joining.here, len(joining.theory["nested"]) - 1
    parts = []
    for scheme in ("nested", "independent"):
        now, tally = joining.theory[scheme][here], joining.measured[scheme][-1]
        agrees = mark(tally.agrees(now, joining.error if scheme == "independent" else 0.0))
        parts.append(f"{scheme} <b>{probability(now)}</b> (measured {probability(tally.mean)}{agrees})")
    text = f"With {here} of them the true value gets: {', '.join(parts)}. "
    if last > here:
        further = f"With {last} at such levels: nested {probability(joining.theory['nested'][last])}, "
        text += further + f"independent {probability(joining.theory['independent'][last])}."
    return text


def coalitions(picture: Picture) -> str:
    """Caption of every coalition."""
    nested, rival = picture.coalitions["nested"], picture.coalitions["independent"]
    everyone = len(nested) - 1
    last = "counted when you let go" if rival[everyone] != rival[everyone] else f"<b>{probability(rival[everyone])}</b>"
    drawn = "" if len(picture.settings.recipients) <= EXACT else " Independent ones from draws."
    return (
        f"All {count(everyone)} possible coalitions, and the belief they have in the truth: 1 knows all. "
        f"If everybody colludes: nested <b>{probability(nested[everyone])}</b>, independent {last}.{drawn}"
    )


def memory(picture: Picture) -> str:
    """Caption of the memory."""
    kept, copies = picture.memory, len(picture.settings.recipients)
    return (
        f"Values kept for a person: <b>{plain(kept.stored)}</b> on the path (expected {plain(kept.expected)}"
        f"{mark(kept.agrees)}), at most <b>{plain(kept.bound)}</b>; in the paper's list {plain(kept.history)}; "
        f"with every copy kept {copies}."
    )


def person(column: Column, settings: Settings, truth: int, seen: dict, belief, otherwise=None) -> str:
    """Caption of one person: what is true, what each one holds, what is believed, and would be otherwise."""

    def label(code):
        return f"<b>{escape(short(column.labels[code]))}</b>"

    parts = [f"true value {label(truth)}"]
    parts += [f"{escape(r.name)} sees {label(seen[r])}" for r in settings.recipients[:5]]
    if len(settings.recipients) > 5:
        parts.append(f"{len(settings.recipients) - 5} more")
    if belief is not None:
        first = int(belief.argmax())
        parts.append(f"the coalition believes {label(first)} with <b>{probability(belief[first])}</b>")
        if first != truth:
            parts.append(f"the truth with {probability(belief[truth])}")
    if otherwise is not None:
        parts.append(f"were these copies independent, the truth with {probability(otherwise)}")
    return "; ".join(parts) + "."


def kept(settings: Settings, size: int) -> str:
    """How often a value is released as itself, for each recipient."""
    some = [f"{escape(r.name)} {stays(retention(r), size):.2f}" for r in settings.recipients[:5]]
    return f"A value stays itself with probability: {', '.join(some)}."


def counted(question: str, true_count: int, met: int, errors: dict) -> str:
    """Caption of the count: `errors` are (expected standard error, whether the estimate agrees) by recipient."""
    some = [f"{escape(r.name)} ± {plain(error)}{mark(agrees)}" for r, (error, agrees) in list(errors.items())[:5]]
    return f"{question}: <b>{count(true_count)}</b> of {count(met)}. Expected error: {', '.join(some)}."


def generated(picture: Picture) -> str:
    """What the progress line says of a pass over the rows."""
    if picture.rows < picture.total:
        return f"{count(picture.rows)} of {count(picture.total)} people"
    return f"{len(picture.settings.recipients)} copies of {count(picture.rows)} people."
