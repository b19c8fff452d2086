"""What the Rotation dashboard says: the verdict and the captions, in plain words."""

import numpy as np

from trustscope.scenarios.rotation.picture import Inputs, Kept, Remedied, Sampled
from trustscope.scenarios.statement import Metric
from trustscope.scenarios.words import count, listed, plain, share

CERTAIN = 0.9995
WITHIN = {
    "euclidean": "to within {} of {} length",
    "entry": "to within {} in at least one value",
    "cosine": "to within {} in {} direction",
}


def within(settings, whose: str = "their") -> str:
    """What a breach means here."""
    return WITHIN[settings.kind].format(share(settings.eps), whose)


def chance(value: float, draws: int = 0) -> str:
    """A probability as a percentage, certain only where it is: not by however many draws."""
    return "certain" if value > 1 - 1e-9 and not draws else share(value)


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
    metrics = [
        Metric("0" if kept.exact else plain(kept.distance_error), "largest change of a distance",
               measured=f"{kept.distance_error:.0e} by rounding", agrees=kept.exact),
        *(Metric(f"{moved} of {count(kept.rows)}", f"moved, {method}") for method, moved in kept.moved.items()),
        Metric(share(kept.neighbours), "same nearest neighbours"),
    ]  # fmt: skip
    return {"title": title, "text": text, "metrics": metrics, "tone": "safe" if same else "leak"}


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
    number, linked, top = len(p.settings.known), sum(p.linked.values()), _at(p.breach, p.top)
    drawn = f"in all {p.draws} drawn rotations" if p.draws and top > CERTAIN else ""
    metrics = [
        Metric(f"{linked} of {number}", "of her records found"),
        Metric(chance(top, p.draws), "most exposed other record", drawn, toned=top > 0.05),
        Metric(share(p.mean), "mean of the others", *_measured(p)),
        Metric(share(p.projected), "certain by projection"),
    ]
    say = _found_some if linked else _found_none
    tone = "leak" if top > 0.05 or p.projected > 0 else "quiet" if linked else "safe"
    return {**say(p, model, number, linked, top), "metrics": metrics, "tone": tone}


def _found_none(p, model, number, linked, top):
    """Title and text where no record was found; something may be guessed all the same."""
    s = p.settings
    exposed = top > 0.05 and p.top is not None
    if not number:
        title = "Who knows nothing can still guess." if exposed else "Who knows nothing recovers nothing."
        text = "Without a single known record every rotation is equally likely."
        text += "" if exposed else " Let her know a few."
    else:
        if exposed:
            which = "the one that she knows" if number == 1 else f"one of the {number} that she knows"
            title = f"She does not find {which}, but can guess."
        else:
            title = f"{_records(number)} {_verb(number, 'are', 'is')} not enough to find even one of them."
        why = "two points can always be exchanged" if model.shifted and number < 3 else "several rows fit them"
        text = f"She looks for rows at the right distances from one another, but {why}."
    if exposed:
        text += f" Yet a guess at random is {within(s)} for {share(p.mean)} of the others, on average"
        text += f"; {ordinal(model, p.top)} {_sure(top, p.draws)}{_because(p, model)}."
    return {"title": title, "text": text}


def _found_some(p, model, number, linked, top):
    """Title and text where some were found."""
    s, who, free = p.settings, _records(number), p.attack.freedom
    often = f"in all {p.draws} drawn rotations" if p.draws else ""
    if p.top is None:
        title = "Everybody is known."
    elif p.mean > CERTAIN and not free:
        title = f"{who} {_verb(number, 'undo', 'undoes')} the rotation: every other record is recovered."
    elif p.mean > CERTAIN:
        title = f"{who} {_verb(number, 'give', 'gives')} every other record away {within(s)}{_tail(often)}."
    elif top > CERTAIN and often:
        title = f"{who} {_verb(number, 'give', 'gives')} another one away {often}."
    elif top > CERTAIN:
        title = f"{who} {_verb(number, 'are', 'is')} enough to be certain of another one."
    elif p.projected > 0:
        title = f"{who} {_verb(number, 'give', 'gives')} {share(p.projected)} of all others away."
    elif top > 0.05:
        title = f"{who} {_verb(number, 'let', 'lets')} her guess another one with probability {share(top)}."
    else:
        title = f"{who} {_verb(number, 'give', 'gives')} little away yet."
    text = (
        f"She found {_found(linked, number)} among {count(model.rows)} shuffled rows by distances alone. That pins the "
        f"rotation down in {model.columns - free} of {model.columns} dimensions"
    )
    text += "." if free == 0 else f" and leaves {free} open."
    if p.top is not None and free and top > 0.005:
        text += f" She guesses {ordinal(model, p.top)} {within(s, 'its')} {_sure(top, p.draws)}{_because(p, model)}."
    return {"title": title, "text": text}


def _sure(top, draws):
    if top > 1 - 1e-9:
        return f"in all {draws} drawn rotations" if draws else "for certain"
    return f"with probability {share(top)}"


def _because(p, model):
    """Why the most exposed record is so easy, where it is not by what is known of others."""
    record = model.private[p.top]
    if not record.any() and not model.shifted:
        return " (it is all zeros, and turned it stays so)"
    if any(np.array_equal(record, model.private[i]) for i in p.settings.known):
        return " (it is the same as one that she knows)"
    return ""


def _tail(text):
    return f", {text}" if text else ""


def links(p: Inputs, model) -> str:
    """The lines between the clouds."""
    number, linked = len(p.linked), sum(p.linked.values())
    if not number:
        return "She knows no record. Click dots at the left, or move the slider, to tell her some."
    if number == 1:
        text = f"Her record is <b>{'linked</b>, without doubt' if linked else 'not linked</b>'}."
    else:
        text = f"<b>{linked}</b> of her <b>{number}</b> records {_verb(linked, 'are', 'is')} linked, without doubt."
    if linked < number:
        others = "It" if number == 1 else "The other" if number - linked == 1 else "Each other"
        text += f" {others} could be one of {count(int(p.attack.links.candidates.max()))} rows."
    if not p.attack.links.complete:
        text += " The search was broken off: there may be more."
    if number >= model.most_known:
        return f"{text} More need not be known here: click a blue dot at the left to take one back."
    return f"{text} Click a dot at the left to tell her, or to take it back."


def exposed(p: Inputs) -> str:
    """The distribution of breach probabilities."""
    judged = p.breach[~np.isnan(p.breach)]
    if not len(judged):
        return "There is nobody left to guess."
    half, all_but = np.mean(judged >= 0.5), np.mean(judged > CERTAIN)
    always = f"in all {p.draws} drawn rotations" if p.draws else "for certain"
    text = (
        f"Guessed uniformly, <b>{share(half)}</b> of the other records are breached with probability 50 % or more, "
        f"<b>{share(all_but)}</b> {always}. The projection breaches <b>{share(p.projected)}</b>."
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
        return f"{_records(len(p.settings.known))}: the mean over the others, as guesses may be further off."
    if p.growth is None:
        return "Working out what more records, or fewer, would give away …"
    sure, every = (
        next((a for a, chance_ in zip(p.growth.known, line, strict=True) if chance_ > CERTAIN), None)
        for line in (p.growth.highest, p.growth.uniform)
    )
    if sure is None:
        return "Even the largest number here makes nobody certain."
    how = f"come out in all {p.draws} draws" if p.draws else "certain"
    if sure == 0:
        text = f"{'Everybody' if every == 0 else 'Somebody'} is certain even if she knows no record"
    elif every == sure:
        return f"<b>{_records(every)}</b> {_verb(every, 'make', 'makes')} all others {how}."
    else:
        text = f"<b>{_records(sure)}</b> {_verb(sure, 'make', 'makes')} one more {how}"
    return f"{text}, <b>{every}</b> all of them." if every else f"{text}."


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


def sample_verdict(p: Sampled | None, model) -> dict:
    """What the attacker with a sample recovers."""
    if p is None:
        return {"title": "A sample of strangers instead of known records.", "text": "Matching axes …"}
    s, rate, mean = p.settings, p.rates[p.settings.method], p.mean
    wrong = int(np.count_nonzero(~p.right))
    if mean > 0.9:
        title = f"A sample of {count(s.sample)} strangers undoes the rotation."
    elif mean > 0.05:
        title = f"A sample of {count(s.sample)} strangers gives {share(mean)} of the records away."
    else:
        title = f"A sample of {count(s.sample)} strangers does not undo the rotation."
    text = f"She knows none of these {count(model.rows)} records, only others like them. "
    many = p.samples > 1 and s.method in p.spread
    if many:
        text += (
            f"Over {p.samples} samples that share no record she recovers {share(mean)} ± "
            f"{share(p.spread[s.method][1])} {within(s)}; with this one, {share(rate)}."
        )
    else:
        text += f"With this one sample she recovers {share(rate)} of the records {within(s)}."
    reasons = _reasons(p, model, wrong) if rate < 0.9 else []
    text += f" It fails where it does because {listed(reasons)}." if reasons else ""
    other = "paper" if s.method == "improved" else "improved"
    names = {"improved": "improved", "paper": "as in the paper"}
    against = p.spread.get(other, (p.rates.get(other), None))[0]
    metrics = [
        Metric(share(mean), f"recovered, {names[s.method]}", f"this sample {share(rate)}" if many else "one sample",
               toned=mean > 0.05),
        Metric("…" if against is None else share(against), f"recovered, {names[other]}"),
        Metric(f"{model.columns - wrong} of {model.columns}", "axes point the right way"),
        Metric(ratio(p.ratio), "closest eigenvalues, ratio"),
    ]  # fmt: skip
    return {"title": title, "text": text, "metrics": metrics, "tone": "leak" if mean > 0.05 else "quiet"}


def ratio(value: float) -> str:
    """A ratio of eigenvalues, of which the smaller may be nothing."""
    return "∞" if not np.isfinite(value) else plain(value) if value < 1e6 else "> 1 000 000"


def _reasons(p, model, wrong):
    """Why this sample does not recover everything."""
    reasons = []
    if wrong:
        mirrored = int(np.count_nonzero(~p.right & p.doubtful))
        text = f"{wrong} of {model.columns} axes {_verb(wrong, 'point', 'points')} the wrong way"
        if mirrored:
            along = "" if mirrored == wrong else f" {mirrored} of"
            these = "it" if wrong == 1 else "them"
            text += f" (mirrored along{along} {these} the data look nearly the same)"
        reasons.append(text)
    if p.alignment.min() < 0.9:
        close = f" (two eigenvalues differ by only {share(p.ratio - 1)})" if p.ratio < 1.5 else ""
        worst = np.degrees(np.arccos(p.alignment.min()))
        reasons.append(f"the worst axis is {worst:.0f}° off{close}")
    return reasons


def axes(p: Sampled, drawn: int) -> str:
    """Two sets of arrows."""
    wrong = int(np.count_nonzero(~p.right))
    which = "The axis" if len(p.right) == 1 else f"The {drawn} axes that are seen best across these attributes"
    text = f"{which}, in her sample and in the release."
    if not wrong:
        return f"{text} {'Its direction is' if len(p.right) == 1 else f'All {len(p.right)} directions are'} right."
    flipped = "1 direction is" if wrong == 1 else f"{wrong} directions are"
    return f"{text} <b>{flipped} wrong</b> ({_verb(wrong, 'their arrows are', 'its arrow is')} dashed, where shown)."


def recovered(p: Sampled) -> str:
    """Dots against the diagonal."""
    return (
        f"<b>{share(p.rates[p.settings.method])}</b> of {count(p.judged)} records looked at are recovered "
        f"{within(p.settings)}; on the dotted line a value is recovered exactly."
    )


def when(p: Sampled) -> str:
    """What hides an axis."""
    guesses = int(np.count_nonzero(p.doubtful))
    text = ""
    if len(p.right) > 1:
        about = ", measured from the origin," if p.attack.about_origin else ""
        text = f"The closest two eigenvalues of her sample{about} have ratio <b>{ratio(p.ratio)}</b>"
        text += " (near 1, axes are mixed up)." if p.ratio < 1.5 else ", far enough from 1 to keep axes apart."
    if guesses:
        which = "one axis" if guesses == 1 else f"{guesses} axes"
        text += f" Mirrored along {which} the data look nearly the same: there the sign is all but a guess."
    return text or "A single axis: only its direction is to be found."


def sizes(p: Sampled, done: bool) -> str:
    """The curve by sample size."""
    if not done:
        return "Trying other sample sizes …"
    return "Share recovered by the size of the sample, over samples that share no record; the upright line is hers."


# The remedy


def remedy_verdict(p: Remedied | None) -> dict:
    """Whether the remedy remedies."""
    if p is None:
        return {"title": "A random projection instead of a rotation.", "text": "Projecting and attacking …"}
    one, fresh = p.rates["one"], p.rates["fresh"]
    if p.rotation < 0.05:
        why = "Mirrored, these data look the same" if p.doubtful else "Here the axes are hard to tell apart"
        title = f"{why}: this sample does not undo even a rotation."
    elif one > p.rotation / 2:
        title = "The proposed remedy does not remedy."
    elif one > 0.05:
        title = "The proposed remedy helps a little, and does not remedy."
    else:
        title = f"So few columns hide more, at the price of distances that are {_off(p.spread['one'])}."
    text = (
        f"With a sample of {count(p.sample)} one secret matrix for all gives {share(one)} of the records away, a "
        f"rotation {share(p.rotation)}, on average. A fresh matrix for each record gives {share(fresh)} away; then "
        f"distances are {_off(p.spread['fresh'])} and {_neighbours(p.neighbours['fresh'])}."
    )
    metrics = [
        Metric(share(one), "recovered, one matrix", toned=one > 0.05),
        Metric(share(fresh), "recovered, fresh ones", toned=fresh > 0.05),
        Metric(share(p.neighbours["one"]), "neighbours kept, one"),
        Metric(share(p.neighbours["fresh"]), "neighbours kept, fresh"),
    ]
    return {"title": title, "text": text, "metrics": metrics, "tone": "leak" if max(one, fresh) > 0.05 else "quiet"}


def change(spread: float) -> str:
    """A relative change; beyond ten times a percentage says nothing."""
    return share(spread) if spread < 2 else f"{plain(round(spread, 1))} times" if spread < 10 else "many times"


def _off(spread):
    return f"off by {change(spread)}" + (" their size" if spread >= 2 else "")


def _neighbours(kept):
    if kept < 0.1:
        return "hardly a neighbour is kept: nothing is left to analyse"
    return f"{share(kept)} of the neighbours are kept"


def remedy(p: Remedied) -> str:
    """Recovered through a projection."""
    return (
        f"{count(p.settings.dimensions)} released columns, one matrix for all: <b>{share(p.rates['one'])}</b> of the "
        f"records are recovered {within(p.settings)}."
    )


def sides(p: Remedied) -> str:
    """What is kept, and what it costs."""
    if p.neighbours["fresh"] < 0.1 and p.rates["fresh"] < 0.05:
        return (
            "What keeps distances keeps the axes that the attacker matches; what hides the axes has lost the distances."
        )
    return "What keeps distances keeps the axes that the attacker matches."


def lengths(p: Remedied, done: bool) -> str:
    """The curve by the number of released columns."""
    if not done:
        return "Trying other numbers of columns …"
    return "The more columns, the better distances are kept, and the nearer one matrix comes to a plain rotation."


def _at(values, index) -> float:
    return 1.0 if index is None else float(values[index])


def _measured(p: Inputs):
    if p.measured is None:
        return "", None
    mean, error = p.measured
    if not p.closed:
        how = f"{p.draws} draws, " if p.draws else ""
        return f"{how}{count(len(p.breach))} records", None
    return f"drawn {share(mean)}", agrees(p.mean, mean, error)


def _records(number):
    return {0: "No known record", 1: "One known record"}.get(number, f"{number} known records")


def _verb(number, many, one):
    return one if number == 1 else many


def _found(linked, number):
    if linked == number:
        return "it" if number == 1 else "all of them"
    return f"{linked} of {number}"
