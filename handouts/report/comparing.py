"""Several scenarios beside one another: what differs between them, by how much, and what follows."""

from dataclasses import dataclass

import pandas as pd

from trustscope import plots
from trustscope.colours import GUESS, ORIGINAL
from trustscope.handouts.report.part import Part
from trustscope.looks import Axis, Look, Looks, with_looks
from trustscope.numbers import as_number, difference
from trustscope.scenarios.differences import NAMES, differences
from trustscope.scenarios.words import counted, listed, sentence

MOST_ROWS = 6
TOLD_IN_FULL, SHORT = 2, 40  # settings whose values are told in a sentence, and letters of such a value
NOISE = NAMES["settings.scheme"]
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is said of several scenarios.

    Attributes
    ----------
    question : str
    answer : tuple of str
        At most three sentences: what differs, by how much the number differs, which one gives away least.
    table : pandas.DataFrame
        At most six rows: the headline, its number, and settings that differ; a column for each scenario.
    bars : pandas.DataFrame or None
        The numbers of the headlines, to be drawn; None where they are not of one kind.
    advice, assumed : tuple of str
    """

    question: str
    answer: tuple[str, ...]
    table: pd.DataFrame
    bars: pd.DataFrame | None
    advice: tuple[str, ...]
    assumed: tuple[str, ...]

    def drawing(self, name: str, larger: float = 1.0) -> tuple[str, str]:
        """The bars as a part of an HTML page, and what is said below them; nothing where they are not of one kind."""
        if self.bars is None:
            return "", ""
        from trustscope.plots import draw

        label = self.bars.attrs["label"]
        return draw.inline(plots.plot("charts.bars", self.bars), name, label, larger), label


def compare(parts: list[Part]) -> Comparison:
    """What differs between the scenarios of a report or of a deck."""
    letters = [part.letter for part in parts]
    rows = _settings(parts)
    bars = _bars(parts)
    called = "number of the headline" if bars is None else parts[0].figures.label.partition("(")[0].removeprefix("of ")
    number = [(called.strip(), [part.number or "–" for part in parts])]
    verdicts = [("verdict", [part.figures.verdict for part in parts])]
    shown = [*verdicts, *number, *rows][:MOST_ROWS]
    table = pd.DataFrame([{"": sentence(name), **dict(zip(letters, texts, strict=True))} for name, texts in shown])
    answer = (_differing(rows, letters), *_noise(parts, rows), *_changes(parts, bars))
    advice = tuple(dict.fromkeys(_best(parts, bars) or [text for part in parts for text in part.brief.advice]))[:4]
    assumed = tuple(dict.fromkeys(text for part in parts for text in part.brief.assumed))[:4]
    return Comparison(f"What differs between {listed(letters)}?", answer, table, bars, advice, assumed)


def _settings(parts: list[Part]) -> list[tuple[str, list[str]]]:
    found = [(name, list(texts)) for name, texts in differences([part.scenario for part in parts])]
    if _of_one_page(parts):
        return found
    every = [("page", [part.scenario.page for part in parts])]
    titles = ["–" if part.found.data is None else part.found.data.title for part in parts]
    # How copies hang together says more than whose copies, or with which seed.
    shared = sorted((row for row in found if row[0] not in ("data", "seed")), key=lambda row: row[0] != NOISE)
    return every + ([("data", titles)] if len(set(titles)) > 1 else []) + shared


def _of_one_page(parts: list[Part]) -> bool:
    return len({part.scenario.page for part in parts}) == 1


def _noise(parts: list[Part], rows: list[tuple[str, list[str]]]) -> tuple[str, ...]:
    """Of several pages, how the noise of their copies differs: their headlines cannot be held against one another."""
    texts = [] if _of_one_page(parts) else next((texts for name, texts in rows if name == NOISE), [])
    told = [f"{text} in {part.letter}" for text, part in zip(texts, parts, strict=False) if text != "–"]
    return (f"The {NOISE} is {listed(told)}.",) if told else ()


def _differing(rows: list[tuple[str, list[str]]], letters: list[str]) -> str:
    """In what; where that is one or two things, also how."""
    names, who = [name for name, _ in rows], listed(letters)
    if not names:
        return f"{who} are set alike in all that figures depend on."
    if len(rows) <= TOLD_IN_FULL and all(len(text) <= SHORT for _, texts in rows for text in texts):
        each = [
            f"{name} ({listed([f'{text} in {letter}' for letter, text in zip(letters, texts, strict=True)])})"
            for name, texts in rows
        ]
        return f"{who} differ in {listed(each)}."
    more = len(names) - 3
    told = names if more <= 1 else [*names[:3], counted(more, "more setting")]
    return f"{who} differ in {listed(told)}."


def _of_one_kind(parts: list[Part]) -> bool:
    """Whether the numbers of all headlines are shares that count the same thing."""
    numbers = [as_number(part.figures.after) for part in parts]
    return (
        _of_one_page(parts)
        and all(number is not None and number[1] == "%" for number in numbers)
        and len({_measure(part) for part in parts}) == 1
    )


def _measure(part: Part) -> str:
    """What the number of the headline is, without what was compared with what."""
    return part.figures.label.partition(":")[0].strip().removeprefix("of ")


def _bars(parts: list[Part]) -> pd.DataFrame | None:
    if not _of_one_kind(parts):
        return None
    labels = {part.figures.label.partition(":")[2].partition("(")[0].strip() for part in parts}
    before, _, after = (labels.pop() if len(labels) == 1 else "").partition(" → ")
    series = {BEFORE: Look(ORIGINAL, before or "before", mark="block", hatch="////"),
              AFTER: Look(GUESS, after or "after", mark="block")}  # fmt: skip
    value = {part.letter: [as_number(text) for text in (part.figures.before, part.figures.after)] for part in parts}
    table = pd.DataFrame([
        {"scenario": letter} | {name: number[0] / 100 for name, number in zip(series, both, strict=True) if number}
        for letter, both in value.items()
    ])  # fmt: skip
    shown = {name: look for name, look in series.items() if name in table and table[name].notna().all()}
    top = min(1.0, max(0.1, float(table[list(shown)].to_numpy().max()) * 1.15))
    with_looks(table, Looks("scenario", shown, Axis(_measure(parts[0]), share=True, low=0.0, high=top)))
    table.attrs["label"] = f"{sentence(parts[0].figures.label.removeprefix('of '))}."
    return table


def _changes(parts: list[Part], bars) -> tuple[str, ...]:
    """By how much the numbers differ, where they count the same thing."""
    if bars is None:
        return ("Their headlines count different things, so no difference is told.",)
    first, *others = parts
    told = [_change(first, other) for other in others]
    alike = len(set(part.figures.verdict for part in parts)) == 1
    return (
        f"{sentence(_measure(first))}: {first.figures.after} in {first.letter}, {listed(told)}.",
        "All of them say the same: " + first.figures.verdict if alike
        else f"{_least(parts)[0].letter}: {_least(parts)[0].figures.verdict}",
    )  # fmt: skip


def _change(first: Part, other: Part) -> str:
    by = difference(other.figures.after, first.figures.after)
    return f"{other.figures.after} in {other.letter} ({in_words(by)})"


def in_words(by: str) -> str:
    """ "+18 points" as "18 points more"."""
    if by.startswith("+"):
        return f"{by[1:]} more"
    return f"{by[1:]} less" if by.startswith("−") else by or "not comparable"


def _least(parts: list[Part]) -> list[Part]:
    """Those whose headline's number is the lowest."""
    numbers = [(number[0], part) for part in parts if (number := as_number(part.figures.after))]
    lowest = min(number for number, _ in numbers)
    return [part for number, part in numbers if number == lowest]


def _best(parts: list[Part], bars) -> list[str]:
    """Which one to choose, where a lower number means that less is given away."""
    if bars is None or parts[0].scenario.page == "papers" or _kept_is_good(parts):
        return []
    least = _least(parts)
    if len(least) == len(parts):
        return ["By this number none of them protects better: decide by the settings."]
    which = f"Choose {listed([part.letter for part in least])}: {'it gives' if len(least) == 1 else 'they give'}"
    return [f"{which} away least ({least[0].figures.after}).", *least[0].brief.advice[:2]]


def _kept_is_good(parts: list[Part]) -> bool:
    """On the first step of Rotation the number is what an honest analyst keeps."""
    return any(getattr(part.scenario.view, "story", "") == "kept" for part in parts)
