"""What can be looked at in the four steps of the Rotation page: tables, how they are drawn, what is said of them."""

from typing import Any

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.engine.arrays import Bools, Floats
from trustscope.engine.attacks.known_input import breach_probability, printed_breach_probability, simulated_breach
from trustscope.looks import Axis, Look, Looks, Mark, with_looks
from trustscope.scenarios.cards import Card
from trustscope.scenarios.grid import map_card
from trustscope.scenarios.rotation import help as texts
from trustscope.scenarios.rotation.judge import Hits
from trustscope.scenarios.rotation.kept import DRAWN
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Kept, Known, Rate, Remedied, RotationResult, Sampled
from trustscope.scenarios.rotation.scenario import FURTHEST
from trustscope.scenarios.rotation.words import common, kept, known, remedy, sample
from trustscope.scenarios.value import not_none

DOTS = 500  # records of which one attribute is shown
SHOWN = 6  # columns of the table of values
MOST_ROWS = 40  # attributes with a row of their own
CHORDS = np.linspace(0.0, 2.0, 41)
FINE = np.linspace(0.0, 2.0, 201)
DRAWS = 4_000  # rotations behind a dot
PLACES = (0.6, 1.0, 1.3, 1.41, 1.6, 1.85)  # chords at which rotations are drawn
TOLD = 1.3  # the chord at which both formulas are told in words
LEVELS = np.linspace(0, 1, 101)
NEAR = tuple(np.linspace(0, FURTHEST, 7).tolist())
TINTS = colours.ROTATION
KEPT = colours.SCHEMES["nested"]  # teal: nothing is lost
PAPER = {
    "any rotation that fits": Look(TINTS["uniform"], width=2.2),
    "projection": Look(TINTS["projection"], dash="dashed", width=2.2),
}
GUESSES = PAPER | {"with other people": Look(TINTS["others"], dash="dotdash", width=2.2)}
Story = Known | Sampled | Remedied  # those with an attacker
RECOVERED = Axis("values recovered", share=True, low=0.0, high=1.02)


def pair(picture: RotationResult, model: Model) -> list[int]:
    """The columns of the two attributes that are drawn."""
    return [model.records.index(picture.view.across), model.records.index(picture.view.upwards, 1)]


def _constant(picture: Story) -> Mark:
    return Mark(picture.without.rate, "guessing a constant", dash="dotted")


# What is kept


def _clouds(picture: RotationResult, model: Model) -> pd.DataFrame:
    """Some records in two attributes, and the same in two columns of the release."""
    records, (a, b) = model.records, pair(picture, model)
    own, turned = records.own_units(records.private[:DRAWN]), model.turned[:DRAWN]
    columns = {
        "record": [records.number(place) for place in range(len(own))],
        f"across: {records.names[a]}": own[:, a], f"upwards: {records.names[b]}": own[:, b],
        f"across: column {a + 1}": turned[:, a], f"upwards: column {b + 1}": turned[:, b],
    }  # fmt: skip
    if isinstance(picture, Kept) and picture.clusterings is not None:
        columns |= {"cluster in the data": picture.clusterings.original[: len(own)],
                    "cluster in the release": picture.clusterings.released[: len(own)]}  # fmt: skip
    return pd.DataFrame(columns)


def _pairs(before: Floats, after: Floats, same: Bools, told: str) -> pd.DataFrame:
    table = pd.DataFrame({"distance in the data": before, "distance in the release": after})
    return with_looks(table, Looks(
        "distance in the data", {told: Look(KEPT, mark="dot"), "further off": Look(colours.ORIGINAL, mark="dot")},
        Axis("distance in the data"), Axis("distance in the release"), more={"counts": same},
    ))  # fmt: skip


def _distances(p: Kept, model: Model) -> pd.DataFrame:
    longest = max(float(model.norms.max()), 1e-300)
    same = np.abs(p.after - p.before) <= 1e-6 * (longest + model.shift_length)
    return _pairs(p.before, p.after, same, "kept")


def _findings(p: Kept, model: Model) -> pd.DataFrame:
    table = pd.DataFrame([
        {"what": "largest change of a distance", "found": p.distance_error},
        {"what": f"{p.nearest} nearest neighbours kept", "found": p.neighbours},
        *({"what": f"records moved by {method}", "found": moved} for method, moved in p.moved.items()),
    ])  # fmt: skip
    more = {"nearest": p.nearest, "by chance": p.by_chance, "kept": p.neighbours}
    return with_looks(table, Looks("what", {"found": Look(KEPT, mark="block")}, more=more))


def _values(p: Kept, model: Model) -> pd.DataFrame:
    shown = min(SHOWN, model.records.columns)
    headings = ["record", *(f"{name} / column {i + 1}" for i, name in enumerate(model.records.names[:shown]))]
    rows = kept.value_rows(model.records, model.turned, shown)
    return pd.DataFrame([dict(zip(headings, row, strict=True)) for row in rows])


# An insider knows a few records


def _links(p: Known, model: Model) -> pd.DataFrame:
    rows = [{"record": model.records.number(place), "found in the release": found} for place, found in p.linked.items()]
    return pd.DataFrame(rows)


def _growth(p: Known, model: Model) -> pd.DataFrame:
    grown, most = p.growth, model.most_known
    if grown is None:
        return pd.DataFrame()
    table = pd.DataFrame({
        "known": grown.known, "any rotation that fits": grown.uniform, "projection": grown.projection,
        "with other people": grown.others, "most exposed record": grown.highest,
    })  # fmt: skip
    ticks = tuple(range(0, most + 1, max(1, -(-most // 8))))
    return with_looks(table, Looks(
        "known", GUESSES, Axis("records that the insider knows", low=-0.2, high=most + 0.2, ticks=ticks), RECOVERED,
        levels=(_constant(p),), uprights=(Mark(len(p.linked), "now"),),
    ))  # fmt: skip


def attributes(p: Story, model: Model) -> pd.DataFrame:
    """What is recovered of every attribute in which records differ."""
    records = model.records
    match p:
        case Known():
            shares = p.attributes[p.leader]
        case Remedied():
            shares = p.one_matrix.hits.attributes
        case _:
            shares = p.hits.attributes
    table = pd.DataFrame([
        {"attribute": records.names[i], "recovered": float(shares[i]),
         "by guessing a constant": float(p.without.attributes[i])}
        for i in np.flatnonzero(records.varying)
    ])  # fmt: skip
    return with_looks(table, Looks(
        "attribute",
        {"recovered": Look(colours.GUESS, mark="block"),
         "by guessing a constant": Look(colours.NEUTRAL, mark="dot", marker="diamond")},
        Axis("share of values recovered", share=True, low=0.0, high=1.0), more={"drawn": MOST_ROWS},
    ))  # fmt: skip


def _exposed(p: Known, model: Model) -> pd.DataFrame:
    """The share of the other records that are recovered at least so far."""
    found = {"recovered at least": LEVELS}
    for name, shares in zip(GUESSES, p.shares.values(), strict=False):
        judged = np.sort(shares[~np.isnan(shares)])
        if len(judged):
            found[name] = 1 - np.searchsorted(judged, LEVELS - 1e-12, side="left") / len(judged)
    return with_looks(pd.DataFrame(found), Looks(
        "recovered at least", {name: look for name, look in GUESSES.items() if name in found},
        Axis("recovered at least", share=True, low=0.0, high=1.0, ticks=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        Axis("share of the other records", share=True, low=0.0, high=1.02),
    ))  # fmt: skip


def _closeness(p: Known, model: Model) -> pd.DataFrame:
    close = p.closeness
    if close is None:
        return pd.DataFrame()
    table = pd.DataFrame({
        "within": close.eps, "any rotation that fits": close.lines["uniform"], "projection": close.lines["projection"],
    })  # fmt: skip
    return with_looks(table, Looks(
        "within", PAPER, Axis("how close is close", share=True, low=0.0, high=FURTHEST, ticks=NEAR), RECOVERED,
        uprights=(Mark(not_none(p.settings.eps), "a hit", dash="dotted"),), more={"dots": _drawn(p)},
    ))  # fmt: skip


def _drawn(p: Known) -> list[tuple[str, str, list[float | None], list[float], list[float]]]:
    """Name, colour, places, heights and standard errors of what was drawn at random."""
    drawn = not_none(p.closeness).drawn if p.closed else None
    if drawn is None:
        return []
    return [("drawn rotations", TINTS["uniform"], [p.settings.eps], [drawn.mean], [drawn.error])]


def _sphere(p: Known, model: Model) -> pd.DataFrame:
    place = p.exposed if p.view.record_as == "exposed" else p.typical
    return pd.DataFrame([] if place is None else [
        {"record": model.records.number(place), "length": float(p.norms[place]),
         "of it unknown": float(p.residuals[place]), "free dimensions": p.attack.freedom}
    ])  # fmt: skip


def _printed(p: Known, model: Model) -> pd.DataFrame:
    table = pd.DataFrame({
        "chord": CHORDS, "printed": printed_breach_probability(CHORDS, 1.0, 1.0, p.view.freedom),
        "corrected": breach_probability(CHORDS, 1.0, 1.0, p.view.freedom),
    })  # fmt: skip
    return with_looks(table, Looks("chord", {"printed": Look(TINTS["printed"])}, more={"curves": _formulas(p)}))


def drawn_rotations(freedom: int) -> pd.DataFrame:
    """The chance of a hit at a few chords, by rotations that are drawn, with its standard error."""
    rng = np.random.default_rng(freedom)
    found = [simulated_breach(chord, 1.0, 1.0, freedom, draws=DRAWS, rng=rng) for chord in PLACES]
    return pd.DataFrame({"chord": PLACES, "drawn rotations": [one[0] for one in found],
                         "standard error": [one[1] for one in found]})  # fmt: skip


def _formulas(p: Known) -> pd.DataFrame:
    """Both formulas finely, and the rotations that decide."""
    free, jump = p.view.freedom, np.sqrt(2)
    wrong = printed_breach_probability(FINE, 1.0, 1.0, free)
    # Apart at the jump: the printed formula has no line there.
    low = jump >= FINE
    table = pd.DataFrame({"chord": FINE, "printed, small chords": np.where(low, wrong, np.nan),
                          "printed, large chords": np.where(low, np.nan, wrong),
                          "corrected": breach_probability(FINE, 1.0, 1.0, free)})  # fmt: skip
    table = pd.concat([table, drawn_rotations(free)], ignore_index=True)
    printed = Look(TINTS["printed"], "printed", "dashed", 2.2)
    return with_looks(table, Looks(
        "chord",
        {"printed, small chords": printed, "printed, large chords": printed,
         "corrected": Look(TINTS["corrected"], width=2.6), "drawn rotations": Look(colours.GUESS, mark="dot")},
        Axis("chord, in units of the radius", low=0.0, high=2.02, ticks=(0.0, 0.5, 1.0, 1.5, 2.0)),
        Axis("chance of a hit", share=True, low=0.0, high=1.02), more={"errors": {"drawn rotations": "standard error"}},
    ))  # fmt: skip


def _printed_caption(p: Known, model: Model) -> str:
    free = p.view.freedom
    chance, error = drawn_rotations(free).set_index("chord").loc[TOLD].to_numpy(dtype=float)
    formulas = float(breach_probability(TOLD, 1, 1, free)), float(printed_breach_probability(TOLD, 1, 1, free))
    return known.printed(free, *formulas, (float(chance), float(error)), TOLD)


# One record, and one attribute


def _one(p: Story, model: Model) -> pd.DataFrame:
    one, records = p.one, model.records
    return pd.DataFrame([] if one is None else [
        {"record": records.number(one.place), "attribute": name, "true value": float(one.true[j]),
         "guess": float(one.guess[j]), "off by (standard deviations)":
         abs(float(one.guess[j] - one.true[j])) / float(records.sd[j]), "hit": bool(one.hit[j])}
        for j, name in enumerate(records.names)
    ])  # fmt: skip


def _match(estimate: np.ndarray, hits: Hits, p: RotationResult, model: Model) -> pd.DataFrame:
    """One attribute of some records as it was and as it was recovered, in its own units.

    What counts is single values, or whole records where those are judged.
    """
    records, column = model.records, pair(p, model)[0]
    rows = min(len(estimate), DOTS)
    was = f"{records.names[column]}, as it was"
    table = pd.DataFrame({
        "record": [records.number(place) for place in range(rows)],
        was: records.own_units(records.private[:rows, column], column),
        "recovered": records.own_units(estimate[:rows, column], column),
    })  # fmt: skip
    counts = hits.values[:rows, column] if p.settings.kind == "value" else hits.record[:rows] > 0
    looks = {"recovered": Look(colours.GUESS, mark="dot"), "not recovered": Look(colours.ORIGINAL, mark="dot")}
    axis, counts = Axis(f"{records.axis(column)}, as it was"), np.asarray(counts, dtype=bool)
    return with_looks(table, Looks(was, looks, axis, Axis("recovered"), more={"counts": counts}))


# A competitor has a sample


def _curve(curve: dict[str, dict[int, Rate]], first: str, names: dict[str, Look]) -> pd.DataFrame:
    """Mean shares along a curve with their standard errors."""
    rows = []
    for place in sorted({place for line in curve.values() for place in line}):
        row: dict[str, object] = {first: place}
        for key, look in names.items():
            if place in curve.get(key, {}):
                row |= {look.name: curve[key][place].mean, f"{look.name}, standard error": curve[key][place].error}
        rows.append(row)
    return pd.DataFrame(rows)


def _with_curves(
    table: pd.DataFrame, names: dict[str, Look], x: Axis, levels: tuple[Mark, ...], mark: Mark
) -> pd.DataFrame:
    there = {look.name: look for look in names.values() if look.name in table}
    errors = {name: f"{name}, standard error" for name in there}
    return with_looks(table, Looks(
        str(table.columns[0]) if len(table) else "", there, x, RECOVERED, levels=levels, uprights=(mark,),
        more={"errors": errors},
    ))  # fmt: skip


METHODS = {
    "improved": Look(TINTS["improved"], "improved", mark="points", width=2.2),
    "paper": Look(TINTS["paper"], "as in the paper", "dashed", mark="points", marker="square", width=2.2),
}
REMEDIES = {
    "one": Look(TINTS["one"], "one matrix for all", mark="points", width=2.2),
    "fresh": Look(TINTS["fresh"], "a fresh matrix for each", "dashed", mark="points", marker="square", width=2.2),
}


def _sizes(p: Sampled, model: Model) -> pd.DataFrame:
    axis = Axis("records in the sample", log=True, low=0.9 * p.sizes[0], high=1.1 * p.sizes[-1], ticks=tuple(p.sizes))
    return _with_curves(_curve(p.curve, "records in the sample", METHODS), METHODS, axis, (_constant(p),),
                        Mark(not_none(p.settings.sample), "now", dash="dotted"))  # fmt: skip


def _axes(p: Sampled, model: Model) -> pd.DataFrame:
    values, others = p.attack.sample_eigenvalues, p.attack.released_eigenvalues
    totals = [float(one.sum()) or 1.0 for one in (values, others)]
    return pd.DataFrame([
        {"axis": axis + 1, "share, sample": float(a) / totals[0], "share, release": float(b) / totals[1],
         "off by (degrees)": float(np.degrees(np.arccos(min(p.alignment[axis], 1.0)))),
         "direction right": bool(p.right[axis]),
         "certainty (standard errors)": None if p.certainty is None else float(p.certainty[axis])}
        for axis, (a, b) in enumerate(zip(values, others, strict=True))
    ])  # fmt: skip


# Twenty of them


WHO = {Known: "the insider", Sampled: "the competitor", Remedied: "the remedy"}


def _twenty(p: Story, model: Model) -> pd.DataFrame:
    seen = p.twenty
    if seen is None:
        return pd.DataFrame()
    who, by_value = WHO[type(p)], p.settings.kind == "value"
    cells = not_none(model.cells(p.settings.kind))
    columns: dict[str, Any] = {"record": seen.numbers}
    if by_value:
        columns |= {"attribute": [model.records.names[i] for i in cells.columns], "true value": seen.truth}
    columns |= {"guessing": seen.before, who: seen.after}
    gained = p.found > p.without.rate + common.GAIN
    return with_looks(pd.DataFrame(columns), Looks(
        "record", {"guessing": Look(colours.ORIGINAL, mark="dot"),
                   who: Look(colours.GUESS if gained else KEPT, mark="dot")},
        Axis("values, always in the same order" if by_value else "records, always in the same order"),
    ))  # fmt: skip


# The remedy


def _lengths(p: Remedied, model: Model) -> pd.DataFrame:
    ends = p.lengths[0], p.lengths[-1]
    axis = Axis("released columns", log=True, low=0.9 * ends[0], high=1.12 * ends[1], ticks=tuple(p.lengths[::2]))
    return _with_curves(_curve(p.curve, "released columns", REMEDIES), REMEDIES, axis,
                        (Mark(p.rotation.rate, "plain rotation"), _constant(p)),
                        Mark(not_none(p.settings.dimensions), "now", dash="dotted"))  # fmt: skip


def _sides(p: Remedied, model: Model) -> pd.DataFrame:
    sides = [
        {"release": REMEDIES[which].name, "recovered": part.hits.rate, "distances change by": part.spread,
         "keep their nearest neighbours": p.neighbours.get(which)}
        for which, part in (("one", p.one_matrix), ("fresh", p.fresh))
    ]  # fmt: skip
    sides.append({"release": "plain rotation", "recovered": p.rotation.rate, "distances change by": 0.0,
                  "keep their nearest neighbours": 1.0})  # fmt: skip
    return pd.DataFrame(sides)


def _spread(p: Remedied, model: Model) -> pd.DataFrame:
    before, after = p.one_matrix.before, p.one_matrix.after
    return _pairs(before, after, np.abs(after - before) <= 0.1 * before, "within 10 %")


KEPT_, KNOWN, SAMPLED, REMEDIED = (Kept,), (Known,), (Sampled,), (Remedied,)
CARDS = (
    Card("clouds", "The same records, before and after", _clouds, lambda p, m: kept.clouds(p),
         "rotation.clouds", texts.CLOUDS, live="twin", records=True, of=KEPT_, short=lambda p, m: kept.clouds_alone(p)),
    Card("pairs", "Every distance is kept", _distances, lambda p, m: kept.distances(p),
         "rotation.match", texts.DISTANCES, live="match", of=KEPT_),
    Card("findings", "What an analyst finds", _findings, lambda p, m: kept.findings(p, m.records)[0],
         "rotation.findings", texts.FINDINGS, live="table", of=KEPT_),
    Card("values", "What became of the values", _values,
         lambda p, m: kept.values(m.records, min(SHOWN, m.records.columns)),
         "charts.written", texts.VALUES, live="table", records=True, of=KEPT_),
    Card("links", "Known records, found in the release", _links,
         lambda p, m: known.links(p, m.records, m.most_known),
         "charts.written", texts.LINKS, live="twin", records=True, of=KNOWN),
    Card("growth", "As the insider knows more", _growth, lambda p, m: known.growth(p, m.records),
         "charts.curves", texts.GROWTH, live="lines", of=KNOWN),
    Card("recovered", "What the competitor recovers", lambda p, m: _match(p.estimate, p.hits, p, m),
         lambda p, m: sample.recovered(p, m.records, pair(p, m)[0]),
         "rotation.match", texts.RECOVERED, live="match", records=True, of=SAMPLED),
    Card("by_attribute", "Attribute by attribute", attributes, lambda p, m: common.attributes(m.records, p.settings),
         "charts.bars", texts.ATTRIBUTES, live="bars", of=SAMPLED),
    Card("projected", "Recovered through the remedy",
         lambda p, m: _match(p.one_matrix.estimate, p.one_matrix.hits, p, m),
         lambda p, m: remedy.recovered(p, m.records, pair(p, m)[0]),
         "rotation.match", texts.REMEDY, live="match", records=True, of=REMEDIED),
    Card("lengths", "As more columns are released", _lengths, lambda p, m: remedy.lengths(p),
         "charts.curves", texts.REMEDY, live="lines", of=REMEDIED),
    Card("record", "One record", _one, lambda p, m: common.record(p.one, m.records, p.settings),
         "charts.written", texts.RECORD, live="table", records=True, of=(Known, Sampled, Remedied)),
    Card("attributes", "Attribute by attribute", attributes, lambda p, m: common.attributes(m.records, p.settings),
         "charts.bars", texts.ATTRIBUTES, live="bars", of=(Known, Remedied)),
    Card("exposed", "Who is exposed", _exposed, lambda p, m: known.exposed(p, m.records),
         "charts.curves", texts.EXPOSED, live="lines", of=KNOWN),
    Card("closeness", "How close the guesses come", _closeness, lambda p, m: known.closeness(p, m.records)[0],
         "charts.curves", texts.CLOSENESS, live="lines", of=KNOWN),
    Card("sphere", "Why: chord and sphere", _sphere,
         lambda p, m: known.sphere(p, m.records, p.exposed if p.view.record_as == "exposed" else p.typical),
         "charts.written", texts.SPHERE, expert=True, live="cap", tab="Chord and sphere", records=True, of=KNOWN),
    Card("printed", "Printed and corrected", _printed, _printed_caption,
         "rotation.printed", texts.PRINTED, expert=True, live="lines", of=KNOWN),
    Card("sizes", "By the size of the sample", _sizes, lambda p, m: sample.sizes(p),
         "charts.curves", texts.SIZES, live="lines", of=SAMPLED),
    Card("axes", "Two sets of axes", _clouds, None,
         "rotation.clouds", texts.AXES, live="twin", records=True, of=SAMPLED),
    Card("when", "When it fails, and why", _axes, lambda p, m: f"{sample.when(p)} {sample.reasons(p)}".strip(),
         "charts.written", texts.WHEN, expert=True, live="table", tab="Eigenvalue ratios, and when it fails",
         of=SAMPLED),
    Card("sides", "Privacy and use, side by side", _sides, lambda p, m: remedy.sides(p),
         "charts.written", texts.REMEDY, live="table", of=REMEDIED),
    Card("distances", "What becomes of distances", _spread, lambda p, m: remedy.distances(p),
         "rotation.match", texts.REMEDY, live="match", of=REMEDIED),
    *(Card(f"twenty_{within}", "Twenty of them", _twenty,
           lambda p, m: common.twenty(p.twenty, p.settings, m.records, WHO[type(p)]),
           "charts.people", texts.TWENTY, live="twenty", records=True, within=within, of=of)
      for within, of in (("growth", KNOWN), ("by_attribute", SAMPLED), ("lengths", REMEDIED))),
    map_card(texts.MAP),
)  # fmt: skip
