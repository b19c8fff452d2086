"""The Rotation page on paper: the step that is open, and what both attackers make of the same release."""

import numpy as np
import pandas as pd

from trustscope import colours
from trustscope.scenarios.figures import Figures
from trustscope.scenarios.papers.picture import beams, dots, level, line, panel, rows, upright
from trustscope.scenarios.report.sheet import JUDGED, KEYED, Plot, Sheet, required, spoken
from trustscope.scenarios.rotation.picture import Kept, Known, Remedied
from trustscope.scenarios.rotation.sample import METHODS
from trustscope.scenarios.rotation.words import common, kept, known, remedy, sample
from trustscope.scenarios.whole import Whole, last
from trustscope.scenarios.words import count, share

TINTS = colours.ROTATION
STORIES = {
    "kept": "what is kept", "known": "an insider knows a few records", "sample": "a competitor has a sample",
    "remedy": "the remedy",
}  # fmt: skip
ASSUMED = (
    "One half of the data is private and released; samples and constant guesses come from the other half, which shares "
    "no row with it.",
    "Means and standard deviations are taken to be public: whoever analyses the release needs them.",
    "The insider's figures are expectations over all rotations that fit what is known; where there is no closed form, "
    "rotations were drawn.",
    "Guesses are judged on at most 1 000 records.",
)
MOST_ROWS = 40  # attributes with a row of their own


def sheet_of(found: Whole, figures: Figures) -> Sheet:
    """Settings, pictures, attackers and assumptions."""
    told = (
        "What both attackers recover of this release, by each of their ways; guessing a constant hits "
        f"{share(found.model.without(found.scenario.settings).rate)}."
    )
    return Sheet(
        (*_settings(found), *required(figures)),
        tuple(_plots(found, figures)),
        (told, _attackers(found)),
        (*ASSUMED, JUDGED, KEYED),
    )


def _settings(found):
    s, records = found.scenario.settings, found.model.records
    return (
        ("Step", STORIES[found.scenario.view.story]),
        ("Attributes", f"{'standardised' if s.standardised else 'in their own units'}. "
                       f"{common.STANDARDISED[s.standardised]}"),
        ("Shift", "a secret shift as well as the rotation" if s.shifted else "none"),
        ("Records that the insider knows", str(len(s.known))),
        ("Records in the competitor's sample", f"{count(s.sample)}, {sample.METHOD_NAMES[s.method]}"),
        ("Columns of the remedy", count(s.dimensions)),
        ("A hit", common.hit_line(s, records)),
        ("An honest analyst looks for", f"{s.clusters} clusters by {s.clustering}"),
        ("Seed", str(found.scenario.seed)),
    )  # fmt: skip


def _attackers(found) -> pd.DataFrame:
    """The insider's two guesses and the competitor's two methods, on the same release."""
    model, scenario = found.model, found.scenario
    insider = found.picture
    if not isinstance(insider, Known):
        insider = model.known.preview(scenario.having({"view.story": "known", "view.closer": ""})) or last(
            model.passes(scenario.having({"view.story": "known", "view.closer": ""}))
        )
    made = [
        {"attacker": f"insider, {name}", "recovered": insider.means[guess]}
        for guess, name in (("uniform", "any rotation that fits"), ("projection", "projection"))
    ]
    for method in METHODS:
        asked = scenario.having({"view.story": "sample", "view.closer": "", "settings.method": method})
        hits = model.sample.preview(asked).hits.rate
        made.append({"attacker": f"competitor, {sample.METHOD_NAMES[method]}", "recovered": hits})
    return pd.DataFrame(made).assign(**{"by guessing a constant": insider.without.rate})


def _plots(found, figures):
    picture, records = found.picture, found.model.records
    match picture:
        case Kept():
            caption, _ = kept.findings(picture, records)
            yield Plot("What an analyst finds", caption, _neighbours(picture))
        case Known():
            yield from _known(picture, found, figures)
        case Remedied():
            yield Plot("As more columns are released", remedy.lengths(picture), _lengths(picture, figures))
            yield _by_attribute(picture, found, figures)
            yield Plot("Privacy and use, side by side", remedy.sides(picture))
        case _:
            yield _by_attribute(picture, found, figures)
            yield Plot("By the size of the sample", spoken(sample.sizes(picture)), _sizes(picture, figures))
            yield Plot("When it fails, and why", spoken(f"{sample.when(picture)} {sample.reasons(picture)}".strip()))


def _known(picture, found, figures):
    records, close = found.model.records, known.closeness(picture, found.model.records)[0]
    both = (("any rotation that fits", TINTS["uniform"]), ("projection", TINTS["projection"]))

    def lines(title, x, **options):
        table = figures.tables[title]
        drawn = [line(table.iloc[:, 0], table[name], colour, name) for name, colour in both if name in table]
        return panel([*drawn, *options.pop("more", ())], x=x, y="recovered", shares=True, y_range=(0, 1.02), **options)

    if not figures.tables["As the insider knows more"].empty:
        yield Plot("As the insider knows more", spoken(known.growth(picture, records)),
                   lines("As the insider knows more", "records that the insider knows (dotted: a constant guess)",
                         more=(level(picture.without.rate, dash="dotted"), upright(len(picture.linked)))))  # fmt: skip
    yield _by_attribute(picture, found, figures)
    yield Plot("Who is exposed", spoken(known.exposed(picture, records)), lines("Who is exposed", "recovered at least"))
    near = lines("How close the guesses come", "how close is close", more=(upright(picture.settings.eps),))
    yield Plot("How close the guesses come", spoken(close), near)
    table = figures.tables["Printed and corrected"]
    drawn = [line(table["chord"], table["printed"], TINTS["printed"], "printed", dash="dashed"),
             line(table["chord"], table["corrected"], TINTS["corrected"], "corrected")]  # fmt: skip
    yield Plot("Printed and corrected", f"The chance of a hit by the chord, in {picture.view.freedom} free dimensions.",
               panel(drawn, x="chord, in units of the radius", y="chance of a hit", shares=True))  # fmt: skip


def _by_attribute(picture, found, figures) -> Plot:
    table = figures.tables["Attribute by attribute"].head(MOST_ROWS)
    places = np.arange(len(table))
    layers = [beams(table["recovered"], places, colours.GUESS, "recovered"),
              dots(table["by guessing a constant"], places, colours.NEUTRAL, "by guessing a constant")]  # fmt: skip
    caption = spoken(common.attributes(found.model.records, picture.settings))
    return Plot("Attribute by attribute", caption,
                rows(table["attribute"], layers, x="share of values recovered", top=1.0, shares=True))  # fmt: skip


def _neighbours(p):
    return rows([f"by chance: {share(p.by_chance)}", f"in the release: {share(p.neighbours)}"],
                [beams([p.by_chance, p.neighbours], [0, 1], colours.SCHEMES["nested"])],
                x=f"share of the {p.nearest} nearest neighbours that are kept", top=1.0, shares=True)  # fmt: skip


def _curves(table, names, more, x):
    layers = []
    for name, colour in names.items():
        if name in table:
            known_ = table.dropna(subset=[name])
            layers += [
                line(known_.iloc[:, 0], known_[name], colour, name),
                dots(known_.iloc[:, 0], known_[name], colour),
            ]
    return panel([*layers, *more], x=x, y="recovered", log="x", shares=True, y_range=(0, 1.02))


def _sizes(p, figures):
    names = {"improved": TINTS["improved"], "as in the paper": TINTS["paper"]}
    return _curves(figures.tables["By the size of the sample"], names, (level(p.without.rate, dash="dotted"),),
                   "records in the sample (dotted: a constant guess)")  # fmt: skip


def _lengths(p, figures):
    names = {"one matrix for all": TINTS["one"], "a fresh matrix for each": TINTS["fresh"]}
    more = (level(p.rotation.rate), level(p.without.rate, dash="dotted"))
    return _curves(figures.tables["As more columns are released"], names, more,
                   "released columns (dashed: plain rotation; dotted: a constant guess)")  # fmt: skip


def frame_of(found: Whole) -> pd.DataFrame:
    """The columns that are turned, with their statistics."""
    records = found.model.records
    return pd.DataFrame({
        "column": list(records.names), "unit": [records.units.get(name, "") for name in records.names],
        "mean": records.mean, "standard deviation": np.where(records.varying, records.sd, 0.0),
    })  # fmt: skip
