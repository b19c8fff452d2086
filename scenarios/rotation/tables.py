"""A table for each card of the step of the Rotation page that is open."""

import numpy as np

from trustscope.engine.attacks.known_input import breach_probability, printed_breach_probability
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.picture import Kept, Known, Picture, Remedied, Sampled
from trustscope.scenarios.rotation.words import kept as kept_words

# Cards that show single records.
RECORDS = {
    "The same records, before and after", "What became of the values", "Known records, found in the release",
    "One record", "Why: chord and sphere", "What the competitor recovers", "Recovered through the remedy",
    "Two sets of axes",
}  # fmt: skip
DOTS = 500  # records of which one attribute is shown
SHOWN = 6  # columns of the table of values
CHORDS = np.linspace(0.0, 2.0, 41)
LEVELS = np.linspace(0, 1, 101)


def tables(picture: Picture, model: Model) -> dict[str, object]:
    """What the cards show, by their titles; each is what a DataFrame is made of."""
    match picture:
        case Kept():
            return _kept(picture, model)
        case Known():
            return _known(picture, model)
        case Sampled():
            return _sampled(picture, model)
        case Remedied():
            return _remedied(picture, model)
    return {}


def attributes(shares: np.ndarray, picture, model) -> list[dict]:
    """What is recovered of every attribute in which records differ."""
    records = model.records
    return [
        {"attribute": records.names[i], "recovered": float(shares[i]),
         "by guessing a constant": float(picture.without.attributes[i])}
        for i in np.flatnonzero(records.varying)
    ]  # fmt: skip


def _pair(picture, model) -> list[int]:
    return [model.records.index(picture.view.across), model.records.index(picture.view.upwards, 1)]


def _clouds(picture, model) -> dict:
    """Some records in two attributes, and the same in two columns of the release."""
    records, (a, b) = model.records, _pair(picture, model)
    own, turned = records.own_units(records.private[:DRAWN]), model.turned[:DRAWN]
    return {
        "record": [records.number(place) for place in range(len(own))],
        f"across: {records.names[a]}": own[:, a], f"upwards: {records.names[b]}": own[:, b],
        f"across: column {a + 1}": turned[:, a], f"upwards: column {b + 1}": turned[:, b],
    }  # fmt: skip


def _kept(p: Kept, model) -> dict[str, object]:
    findings = [
        {"what": "largest change of a distance", "found": p.distance_error},
        {"what": f"{p.nearest} nearest neighbours kept", "found": p.neighbours},
        *({"what": f"records moved by {method}", "found": moved} for method, moved in p.moved.items()),
    ]
    clouds = _clouds(p, model)
    if p.clusterings is not None:
        drawn = len(clouds["record"])
        clouds |= {"cluster in the data": p.clusterings.original[:drawn],
                   "cluster in the release": p.clusterings.released[:drawn]}  # fmt: skip
    shown = min(SHOWN, model.records.columns)
    headings = ["record", *(f"{name} / column {i + 1}" for i, name in enumerate(model.records.names[:shown]))]
    rows = kept_words.value_rows(model.records, model.turned, shown)
    return {
        "The same records, before and after": clouds,
        "Every distance is kept": {"distance in the data": p.before, "distance in the release": p.after},
        "What an analyst finds": findings,
        "What became of the values": [dict(zip(headings, row, strict=True)) for row in rows],
    }


def _known(p: Known, model) -> dict[str, object]:
    records = model.records
    grown = p.growth
    growth = {} if grown is None else {
        "known": grown.known, "any rotation that fits": grown.uniform, "projection": grown.projection,
        "most exposed record": grown.highest,
    }  # fmt: skip
    close = p.closeness
    return {
        "Known records, found in the release": [
            {"record": records.number(place), "found in the release": found} for place, found in p.linked.items()
        ],
        "As the insider knows more": growth,
        "One record": _one(p, model),
        "Attribute by attribute": attributes(p.attributes[p.leader], p, model),
        "Who is exposed": _exposed(p),
        "How close the guesses come": {} if close is None else {
            "within": close.eps, "any rotation that fits": close.lines["uniform"],
            "projection": close.lines["projection"],
        },
        "Why: chord and sphere": _sphere(p, model),
        "Printed and corrected": {
            "chord": CHORDS, "printed": printed_breach_probability(CHORDS, 1.0, 1.0, p.view.freedom),
            "corrected": breach_probability(CHORDS, 1.0, 1.0, p.view.freedom),
        },
    }  # fmt: skip


def _exposed(p: Known) -> dict:
    """The share of the other records that are recovered at least so far."""
    found = {"recovered at least": LEVELS}
    for name, shares in (("any rotation that fits", p.uniform), ("projection", p.projection)):
        judged = np.sort(shares[~np.isnan(shares)])
        if len(judged):
            found[name] = 1 - np.searchsorted(judged, LEVELS - 1e-12, side="left") / len(judged)
    return found


def _sphere(p: Known, model) -> list[dict]:
    place = p.exposed if p.view.record_as == "exposed" else p.typical
    if place is None:
        return []
    return [
        {"record": model.records.number(place), "length": float(p.norms[place]),
         "of it unknown": float(p.residuals[place]), "free dimensions": p.attack.freedom}
    ]  # fmt: skip


def _one(p, model) -> list[dict]:
    one, records = p.one, model.records
    if one is None:
        return []
    return [
        {"record": records.number(one.place), "attribute": name, "true value": float(one.true[j]),
         "guess": float(one.guess[j]), "off by (standard deviations)":
         abs(float(one.guess[j] - one.true[j])) / float(records.sd[j]), "hit": bool(one.hit[j])}
        for j, name in enumerate(records.names)
    ]  # fmt: skip


def _match(estimate: np.ndarray, picture, model) -> dict:
    """One attribute of some records as it was and as it was recovered, in its own units."""
    records, column = model.records, _pair(picture, model)[0]
    rows = min(len(estimate), DOTS)
    return {
        "record": [records.number(place) for place in range(rows)],
        f"{records.names[column]}, as it was": records.own_units(records.private[:rows, column], column),
        "recovered": records.own_units(estimate[:rows, column], column),
    }


def _curve(curve: dict, first: str, names: dict[str, str]) -> list[dict]:
    """Mean shares along a curve with their standard errors."""
    places = sorted({place for line in curve.values() for place in line})
    rows = []
    for place in places:
        row: dict[str, object] = {first: place}
        for key, name in names.items():
            if place in curve.get(key, {}):
                row |= {name: curve[key][place].mean, f"{name}, standard error": curve[key][place].error}
        rows.append(row)
    return rows


def _sampled(p: Sampled, model) -> dict[str, object]:
    values, others = p.attack.sample_eigenvalues, p.attack.released_eigenvalues
    totals = [float(one.sum()) or 1.0 for one in (values, others)]
    axes = [
        {"axis": axis + 1, "share, sample": float(a) / totals[0], "share, release": float(b) / totals[1],
         "off by (degrees)": float(np.degrees(np.arccos(min(p.alignment[axis], 1.0)))),
         "direction right": bool(p.right[axis]),
         "certainty (standard errors)": None if p.certainty is None else float(p.certainty[axis])}
        for axis, (a, b) in enumerate(zip(values, others, strict=True))
    ]  # fmt: skip
    return {
        "What the competitor recovers": _match(p.estimate, p, model),
        "Attribute by attribute": attributes(p.hits.attributes, p, model),
        "One record": _one(p, model),
        "By the size of the sample": _curve(
            p.curve, "records in the sample", {"improved": "improved", "paper": "as in the paper"}
        ),
        "Two sets of axes": _clouds(p, model),
        "When it fails, and why": axes,
    }


def _remedied(p: Remedied, model) -> dict[str, object]:
    sides = [
        {"release": name, "recovered": part.hits.rate, "distances change by": part.spread,
         "keep their nearest neighbours": p.neighbours.get(which)}
        for which, name, part in (
            ("one", "one matrix for all", p.one_matrix), ("fresh", "a fresh matrix for each", p.fresh)
        )
    ]  # fmt: skip
    sides.append({"release": "plain rotation", "recovered": p.rotation.rate, "distances change by": 0.0,
                  "keep their nearest neighbours": 1.0})  # fmt: skip
    return {
        "Recovered through the remedy": _match(p.one_matrix.estimate, p, model),
        "As more columns are released": _curve(
            p.curve, "released columns", {"one": "one matrix for all", "fresh": "a fresh matrix for each"}
        ),
        "One record": _one(p, model),
        "Attribute by attribute": attributes(p.one_matrix.hits.attributes, p, model),
        "Privacy and use, side by side": sides,
        "What becomes of distances": {
            "distance in the data": p.one_matrix.before, "distance in the release": p.one_matrix.after
        },
    }  # fmt: skip
