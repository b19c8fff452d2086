"""What a deck of slides tells, slide by slide, whoever draws it: as HTML, or as PowerPoint.

Title, question, a slide for each scenario with the same pictures on the same axes, what changed and by how much, what
to do, and what is assumed.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from trustscope.handouts.report.comparing import Comparison, compare
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.part import Part
from trustscope.handouts.report.version import OURS
from trustscope.looks import changed, looks_of
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.differences import differences
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.sheet import plain_caption
from trustscope.scenarios.words import counted

PICTURES = 2  # of a slide
VALUES = 5  # categories of one person
PERSON = "person"
RECORD = "The person is a record of a built-in dataset. Slides of a file of your own show no single record."


@dataclass(frozen=True, eq=False)
class Slide:
    """One slide.

    Attributes
    ----------
    kind : str
        title, question, scenario, comparison, advice or assumed.
    title : str
    texts : tuple of str
        Sentences below the title.
    notes : tuple of str
        What the speaker says.
    before, after, label : str
        The number of a scenario, and what it is.
    pictures : tuple of Drawn
    bars : DataFrame or None
        The numbers of all scenarios, to be drawn.
    """

    kind: str
    title: str
    texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    label: str = ""
    pictures: tuple[Drawn, ...] = ()
    bars: pd.DataFrame | None = None


def story(parts: Sequence[Part]) -> list[Slide]:
    """All slides of these scenarios."""
    parts = list(parts)
    several = compare(parts) if len(parts) > 1 else None
    middle = [_scenario(part, pictures, len(parts) > 1) for part, pictures in zip(parts, _pictures(parts), strict=True)]
    advice = several.advice if several else parts[0].brief.advice
    assumed = several.assumed if several else parts[0].brief.assumed
    return [
        _title(parts), _question(parts), *middle, *([_comparison(parts, several)] if several else []),
        Slide("advice", "What to do", advice, ("Say what is decided today, and by whom.", *advice)),
        Slide("assumed", "What is assumed", assumed, ("Keep this slide for questions.", *_all_assumed(parts))),
    ]  # fmt: skip


def _title(parts: list[Part]) -> Slide:
    data = dict.fromkeys(part.found.data.title for part in parts if part.found.data is not None)
    about = " and ".join(data) if 0 < len(data) <= 2 else ""
    what = {"rotation": "what a rotated release gives away", "survey": "what guided answers give away",
            "papers": "what the papers say, and what we find"}  # fmt: skip
    every = {what.get(part.scenario.page, "what copies give away when they are pooled") for part in parts}
    told = every.pop() if len(every) == 1 else "what released data give away"
    return Slide(
        "title", f"{about}: {told}" if about else told[:1].upper() + told[1:],
        (*([counted(len(parts), "scenario")] if len(parts) > 1 else []), f"Made with Trustscope {OURS}"),
        ("Say who asked, and what they have to decide.", RECORD if _shows_person(parts) else ""),
    )  # fmt: skip


def _question(parts: list[Part]) -> Slide:
    questions = tuple(dict.fromkeys(part.brief.question for part in parts))
    told: tuple[str, ...] = ()
    if len(parts) > 1 and len({part.scenario.page for part in parts}) == 1:
        rows = differences([part.scenario for part in parts])[:3]
        told = tuple(
            f"{part.letter}: {', '.join(f'{name} {texts[place]}' for name, texts in rows)}"
            for place, part in enumerate(parts) if rows
        )  # fmt: skip
    notes = ("Let people guess the answer before you go on.", *(line for part in parts[:1] for line in _settings(part)))
    if len(questions) == 1:
        return Slide("question", questions[0], told, notes)
    return Slide("question", "The questions", questions[:5], notes)


def _settings(part: Part) -> list[str]:
    return [f"{name}: {text}" for name, text in part.sheet.settings]


def _scenario(part: Part, pictures: tuple[Drawn, ...], several: bool) -> Slide:
    figures = part.figures
    notes = (*part.brief.answer, figures.note, *(f"{one.title}: {one.caption}" for one in pictures if one.caption))
    title = f"{part.letter}: {figures.verdict}" if several else figures.verdict
    return Slide(
        "scenario", title, (), tuple(dict.fromkeys(filter(None, notes))), figures.before, figures.after, figures.label,
        pictures,
    )  # fmt: skip


def _comparison(parts: list[Part], several: Comparison) -> Slide:
    told = several.answer
    if several.bars is None:
        numbers = (f"{p.letter}: {p.figures.verdict}{f' ({p.number})' if p.number else ''}" for p in parts[:5])
        told = (*several.answer[:-1], *numbers)
    return Slide("comparison", several.question, told, (*several.answer, *several.advice), bars=several.bars)


def _all_assumed(parts: list[Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for part in parts for text in part.sheet.assumptions))


# The same pictures for every scenario, on the same axes


def _pictures(parts: list[Part]) -> list[tuple[Drawn, ...]]:
    chosen = [_chosen(part) for part in parts]
    together = defaultdict(list)
    for part, pictures in zip(parts, chosen, strict=True):
        for one in pictures:
            together[part.scenario.page, one.card.key].append(one.table)
    shared = {key: _limits(key[1], tables) for key, tables in together.items()}
    return [
        tuple(replace(one, table=_within(one.table, *shared[part.scenario.page, one.card.key])) for one in pictures)
        for part, pictures in zip(parts, chosen, strict=True)
    ]


def _shows_person(parts: list[Part]) -> bool:
    return any(one.card.key == PERSON for part in parts for one in _chosen(part))


def _chosen(part: Part) -> tuple[Drawn, ...]:
    """One person where nobody's own data are shown, and the plot that goes with the answer."""
    main = part.main
    others = [one for one in part.drawn if one.drawn and one is not main]
    person = _person(part)
    return tuple(filter(None, (*([person, main] if person else [main, *others]),)))[:PICTURES]


def _person(part: Part) -> Drawn | None:
    card = cards_of(part.scenario.page).get(PERSON)
    if card is None or card.caption is None or part.scenario.data.name == OWN:
        return None
    table = _believed(card.table(part.found.picture, part.found.model))
    return Drawn(card, plain_caption(card.caption(part.found.picture, part.found.model)), table) if len(table) else None


def _believed(table: pd.DataFrame) -> pd.DataFrame:
    """One person without what each recipient was given: from the back row, the truth and the beliefs are enough.

    Of many categories those that are believed most, and the true one, without what was believed before: more of them
    could not be read.
    """
    if "true" in table:
        looks = looks_of(table)
        shown = dict([*looks.series.items()][1:] or looks.series)
        most = table[[*shown][-1]] + 2 * table["true"]
        kept = table.loc[most.nlargest(VALUES).index.sort_values()].reset_index(drop=True)
        return changed(kept, series=shown)
    if "what" not in table:
        return table
    return table[~table["what"].str.startswith("given to")].reset_index(drop=True)


def _limits(key: str, tables: list[pd.DataFrame]) -> tuple:
    """The ends of both axes that hold all of these tables: None where a table leaves an end to what is drawn."""
    every = [looks_of(table) for table in tables]
    ends = [
        None if any(getattr(getattr(looks, axis), end) is None for looks in every)
        else best(getattr(getattr(looks, axis), end) for looks in every)
        for axis in ("x", "y") for end, best in (("low", min), ("high", max))
    ]  # fmt: skip
    if key == PERSON and all("low" in table and "value" in table for table in tables):  # what is believed of a number
        values = np.concatenate([table[["value", "low", "high"]].to_numpy(dtype=float).ravel() for table in tables])
        ends[0], ends[1] = min(ends[0], np.nanmin(values)), max(ends[1], np.nanmax(values))
        ends[3] = max(map(_peak, tables))
    return tuple(ends)


def _peak(table: pd.DataFrame) -> float:
    """A little above the highest belief of one person, as it is drawn."""
    densities = looks_of(table).more["densities"].values()
    return 1.08 * max(map(max, densities), default=0.0) or 1.0


def _within(table: pd.DataFrame, left, right, bottom, top) -> pd.DataFrame:
    looks = looks_of(table)
    if not table.attrs.get("looks"):
        return table
    return changed(table, x=replace(looks.x, low=left, high=right), y=replace(looks.y, low=bottom, high=top))
