"""What the Rotation dashboard says: the verdict and the captions, in plain words."""

import numpy as np

from app.rotation.picture import Inputs, Kept, Remedied, Sampled
from app.words import count, listed, plain, share
from widgets.verdict import Figure

CERTAIN = 0.9995
WITHIN = {
    "euclidean": "to within {} of {} length",
    "entry": "to within {} in at least one value",
    "cosine": "to within {} in {} direction",
}


def within(settings, whose: str = "their") -> str:
    """What a breach means here."""
    return WITHIN[settings.kind].format(share(settings.eps), whose)


def chance(value: float) -> str:
    """A probability as a percentage, certain only where it is."""
    return "certain" if value > 1 - 1e-9 else share(value)


def agrees(expected, measured, error) -> bool:
    """Whether a measured mean is within four standard errors."""
    return abs(expected - measured) <= 4 * error + 2e-3


def ordinal(model, record: int) -> str:
    """The record by its number in the file."""
    return f"record {count(int(model.numbers[record]) + 1)}"


# What is kept


def kept_verdict(kept: Kept) -> dict:
    """What the analyst keeps."""
    if kept.clusterings is None:
        return {"title": "The release keeps every distance.", "text": "Comparing clusters …"}
    same = not any(kept.moved.values()) and kept.neighbours == 1
    title = (
        "To an analyst the release is as good as the data." if same else "The release changed what an analyst finds."
    )
    text = (
        "All values have changed, all distances are the same: clusters and neighbours come out exactly as from the "
        "original. That is what makes the release so useful. Now look at what attackers make of it."
    )
    figures = [
        Figure("0" if kept.distance_error < 1e-9 else plain(kept.distance_error), "largest change of a distance",
               measured=f"{kept.distance_error:.0e} by rounding", agrees=kept.distance_error < 1e-9),
        *(Figure(f"{moved} of {count(kept.rows)}", f"moved, {method}") for method, moved in kept.moved.items()),
        Figure(share(kept.neighbours), "same nearest neighbours"),
    ]  # fmt: skip
    return {"title": title, "text": text, "figures": figures, "tone": "safe" if same else "leak"}


def clouds(kept: Kept, distance: tuple[float, float]) -> str:
    """Two clouds, one distance."""
    before, after = (plain(one) for one in distance)
    text = f"The two marked records are <b>{before}</b> apart before and <b>{after}</b> after, over all attributes."
    if kept.clusterings is None:
        return text
    found = len(np.unique(kept.clusterings.original))
    same = "the same records in each" if not kept.clusterings.moved else f"{kept.clusterings.moved} records moved"
    return f"{text} Colours: {found} clusters by {kept.settings.method_of_clusters}, {same}."


# Known records


def inputs_verdict(p: Inputs, model) -> dict:
    """What the attacker who knows records can do."""
    s, number = p.settings, len(p.settings.known)
    linked = sum(p.linked.values())
    figures = [
        Figure(f"{linked} of {number}", "of her records found"),
        Figure(chance(_at(p.breach, p.top)), "most exposed other record", toned=_at(p.breach, p.top) > 0.05),
        Figure(share(p.mean), "mean of the others", *_measured(p)),
        Figure(share(p.projected), "certain by projection"),
    ]
    base = {"figures": figures}
    if not number:
        return {**base, "title": "Who knows nothing recovers nothing.",
                "text": "Without a single known record every rotation is equally likely. Let her know a few.",
                "tone": "safe"}  # fmt: skip
    if not linked:
        why = "two points can always be exchanged" if model.shifted and number < 3 else "several rows fit them"
        return {**base,
                "title": f"{_records(number)} {_verb(number, 'are', 'is')} not enough to find even one of them.",
                "text": f"She looks for rows at the right distances from one another, but {why}.",
                "tone": "safe"}  # fmt: skip
    top = _at(p.breach, p.top)
    if p.top is None:
        title = "Everybody is known."
    elif p.mean > CERTAIN:
        title = f"{_records(number)} {_verb(number, 'undo', 'undoes')} the rotation: every other record is recovered."
    elif top > CERTAIN:
        title = f"{_records(number)} {_verb(number, 'are', 'is')} enough to be certain of another one."
    elif p.projected > 0:
        title = f"{_records(number)} {_verb(number, 'give', 'gives')} {share(p.projected)} of all others away."
    else:
        title = f"{_records(number)} {_verb(number, 'give', 'gives')} little away yet."
    free = p.attack.freedom
    text = (
        f"She found {_found(linked, number)} among {count(model.rows)} shuffled rows by distances alone. That pins the "
        f"rotation down in {model.columns - free} of {model.columns} dimensions"
    )
    text += "." if free == 0 else f" and leaves {free} open."
    if p.top is not None and free and top > 0.005:
        sure = "for certain" if top > 1 - 1e-9 else f"with probability {share(top)}"
        text += f" She guesses {ordinal(model, p.top)} {within(s, 'its')} {sure}."
    return {**base, "title": title, "text": text, "tone": "leak" if top > 0.05 or p.projected > 0 else "quiet"}


def links(p: Inputs, model) -> str:
    """The lines between the clouds."""
    number, linked = len(p.linked), sum(p.linked.values())
    if not number:
        return "She knows no record. Click dots at the left, or move the slider, to tell her some."
    text = f"<b>{linked}</b> of her <b>{number}</b> records are linked, without doubt."
    if linked < number:
        text += f" The others could be one of {count(int(p.attack.links.candidates.max()))} rows."
    if not p.attack.links.complete:
        text += " The search was broken off: there may be more."
    return f"{text} Click a dot at the left to tell her, or to take it back."


def exposed(p: Inputs) -> str:
    """The distribution of breach probabilities."""
    judged = p.breach[~np.isnan(p.breach)]
    if not len(judged):
        return "There is nobody left to guess."
    half, all_but = np.mean(judged >= 0.5), np.mean(judged > CERTAIN)
    text = (
        f"Guessed uniformly, <b>{share(half)}</b> of the other records are breached with probability 50 % or more, "
        f"<b>{share(all_but)}</b> for certain. The projection breaches <b>{share(p.projected)}</b>."
    )
    return text if p.closed else f"{text} Measured on {count(len(judged))} records."


def sphere(p: Inputs, model, record: int | None) -> str:
    """What the picture means for one record."""
    if record is None:
        return "There is nobody left to guess."
    free = p.attack.freedom
    if not p.attack.informed:
        return "No link, no picture: she does not even know where the centre is."
    if free == 0:
        return f"{ordinal(model, record).capitalize()}: nothing is left to guess, the links determine the rotation."
    how = "two points are left" if free == 1 else f"a sphere in {free} dimensions is left"
    who = ordinal(model, record).capitalize()
    return f"{who}: of what is not known of it, {how}, and one guess is as good as another."


def growth(p: Inputs, by: str) -> str:
    """More known, or more allowed."""
    if by == "eps":
        return f"With {len(p.settings.known)} known records: the mean over the others, as guesses may be further off."
    if p.growth is None:
        return "Working out what more records, or fewer, would give away …"
    sure = next((a for a, top in zip(p.growth.known, p.growth.highest, strict=True) if top > CERTAIN), None)
    every = next((a for a, mean in zip(p.growth.known, p.growth.uniform, strict=True) if mean > CERTAIN), None)
    parts = [f"<b>{sure}</b> known records make one more certain"] if sure is not None else []
    parts += [f"<b>{every}</b> all of them"] if every is not None else []
    return f"{listed(parts)}." if parts else "Even the largest number here makes nobody certain."


def printed(freedom: int, corrected: float, wrong: float, drawn: tuple[float, float] | None, chord: float) -> str:
    """Which formula the drawn rotations side with."""
    text = f"At chord {chord:.2f} r in {freedom} dimensions: "
    text += f"right <b>{share(corrected)}</b>, printed <b>{share(wrong)}</b>"
    if drawn is None:
        return f"{text}."
    close = [abs(one - drawn[0]) <= 4 * drawn[1] + 1e-3 for one in (corrected, wrong)]
    side = {(True, False): "they side with the corrected one", (True, True): "here the two agree"}
    return f"{text}, drawn <b>{share(drawn[0])}</b>: {side.get(tuple(close), 'neither fits')}."


# A sample


def sample_verdict(p: Sampled, model) -> dict:
    """What the attacker with a sample recovers."""
    rate, s = p.rates[p.settings.method], p.settings
    wrong = int(np.count_nonzero(~p.right))
    ratio = p.attack.eigen_ratio
    if rate > 0.9:
        title = f"A sample of {count(s.sample)} strangers undoes the rotation."
    elif rate > 0.05:
        title = f"A sample of {count(s.sample)} strangers gives {share(rate)} of the records away."
    else:
        title = f"A sample of {count(s.sample)} strangers does not undo the rotation."
    text = (
        f"She knows none of these {count(model.rows)} records, only others of the same population, and recovers "
        f"{share(rate)} of them {within(s)}."
    )
    if rate < 0.9:
        reasons = []
        if wrong:
            reasons.append(f"{wrong} of {model.columns} axes {_verb(wrong, 'point', 'points')} the wrong way")
        if p.alignment.min() < 0.9:
            close = f" (neighbouring eigenvalues differ by as little as {share(ratio - 1)})" if ratio < 1.5 else ""
            worst = np.degrees(np.arccos(p.alignment.min()))
            reasons.append(f"the worst axis is {worst:.0f}° off{close}")
        text += f" It fails where it does because {listed(reasons)}." if reasons else ""
    other = "paper" if s.method == "improved" else "improved"
    names = {"improved": "improved", "paper": "as in the paper"}
    figures = [
        Figure(share(rate), f"recovered, {names[s.method]}", toned=rate > 0.05),
        Figure(share(p.rates[other]) if other in p.rates else "…", f"recovered, {names[other]}"),
        Figure(f"{model.columns - wrong} of {model.columns}", "axes point the right way"),
        Figure(plain(ratio) if np.isfinite(ratio) else "∞", "closest eigenvalues, ratio"),
    ]
    return {"title": title, "text": text, "figures": figures, "tone": "leak" if rate > 0.05 else "quiet"}


def axes(p: Sampled, drawn: int) -> str:
    """Two sets of arrows."""
    wrong = int(np.count_nonzero(~p.right))
    text = f"The {drawn} axes that are seen best across these attributes, in her sample and in the release."
    if not wrong:
        return f"{text} All {len(p.right)} directions are right."
    flipped = "1 direction is" if wrong == 1 else f"{wrong} directions are"
    return f"{text} <b>{flipped} wrong</b> (its arrow is dashed, where it is one of these)."


def recovered(p: Sampled) -> str:
    """Dots against the diagonal."""
    return (
        f"<b>{share(p.rates[p.settings.method])}</b> of {count(p.judged)} records looked at are recovered "
        f"{within(p.settings)}; on the dotted line a value is recovered exactly."
    )


def when(p: Sampled) -> str:
    """What hides an axis."""
    guesses = int(np.count_nonzero(p.certainty < 4))
    text = f"The closest two eigenvalues have ratio <b>{plain(p.attack.eigen_ratio)}</b>"
    text += " (near 1, axes are mixed up)." if p.attack.eigen_ratio < 1.5 else ", far enough from 1 to keep axes apart."
    if guesses:
        which = "one axis" if guesses == 1 else f"{guesses} axes"
        text += f" Mirrored along {which} the data look nearly the same: there the sign is all but a guess."
    return text


def sizes(p: Sampled, done: bool) -> str:
    """The curve by sample size."""
    return (
        "Share recovered by the size of the sample; the upright line is hers."
        if done
        else "Trying other sample sizes …"
    )


# The remedy


def remedy_verdict(p: Remedied | None, plain_rate: float = 0.0) -> dict:
    """Whether the remedy remedies."""
    if p is None:
        return {"title": "A random projection instead of a rotation.", "text": "Projecting and attacking …"}
    one, fresh = p.rates["one"], p.rates["fresh"]
    if plain_rate < 0.05:
        title = "Here the sample is too small to undo even a rotation."
    elif one > 0.05:
        title = "The proposed remedy does not remedy."
    else:
        title = f"So few columns hide more, at the price of distances that are {share(p.spread['one'])} off."
    text = (
        f"The attacker has a sample of {count(p.sample)}. One secret matrix for all gives {share(one)} of the records "
        f"away, a rotation {share(plain_rate)}. A fresh matrix for each record gives {share(fresh)} away, but then "
        f"distances change by {share(p.spread['fresh'])} and hardly a neighbour is kept: nothing is left to analyse."
    )
    figures = [
        Figure(share(one), "recovered, one matrix for all", toned=one > 0.05),
        Figure(share(fresh), "recovered, a fresh matrix each"),
        Figure(share(p.neighbours["one"]), "keep neighbours, one matrix"),
        Figure(share(p.neighbours["fresh"]), "keep neighbours, fresh ones"),
    ]
    return {"title": title, "text": text, "figures": figures, "tone": "leak" if one > 0.05 else "quiet"}


def remedy(p: Remedied) -> str:
    """Recovered through a projection."""
    return (
        f"{count(p.settings.dimensions)} released columns, one matrix for all: <b>{share(p.rates['one'])}</b> of the "
        f"records are recovered {within(p.settings)}."
    )


def _at(values, index) -> float:
    return 1.0 if index is None else float(values[index])


def _measured(p: Inputs):
    if p.measured is None:
        return "", None
    mean, error = p.measured
    if not p.closed:
        return f"drawn, of {count(len(p.breach))}", None
    return f"drawn {share(mean)}", agrees(p.mean, mean, error)


def _records(number):
    return "One known record" if number == 1 else f"{number} known records"


def _verb(number, many, one):
    return one if number == 1 else many


def _found(linked, number):
    if linked == number:
        return "it" if number == 1 else "all of them"
    return f"{linked} of {number}"
