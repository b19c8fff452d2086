"""What is said of the first step: everything that depends on distances is kept."""

import numpy as np

from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import Kept
from trustscope.scenarios.rotation.words.common import Cell, ordinal
from trustscope.scenarios.statement import LEAK, SAFE, Headline
from trustscope.scenarios.words import alike, count, counted, plain, share


def headline(kept: Kept, records: Records) -> Headline:
    """What an honest analyst gets."""
    if kept.neighbours is None:
        return Headline(
            "Every value changes, and every distance stays.",
            note="Looking for neighbours and clusters in both …",
        )
    label = f"{records.noun} keeping their {kept.nearest} nearest neighbours: by chance → in the release"
    number = share(kept.by_chance), share(kept.neighbours), label
    if kept.exact and kept.neighbours == 1 and not any(kept.moved.values()):
        note = (
            "All records are turned together around one point: an analyst finds the same neighbours and clusters as in "
            "the data, and cannot read a single value. Now look at what attackers make of it."
        )
        return Headline("Every value changes, and every distance stays.", *number, note=note, tone=SAFE)
    return Headline("The release changed what an analyst finds.", *number, tone=LEAK)


def clouds(kept: Kept) -> str:
    """Two clouds, one distance."""
    before, after = (plain(one) for one in kept.apart)
    text = f"The two marked records are <b>{before}</b> apart before and <b>{after}</b> after, over all attributes."
    if kept.clusterings is None:
        return text
    found = len(np.unique(kept.clusterings.original))
    moved = kept.clusterings.moved
    same = "the same records in each" if not moved else f"{counted(moved, 'record')} moved"
    return f"{text} Colours: {counted(found, 'cluster')} by {kept.settings.clustering}, {same}."


def clouds_alone(kept: Kept) -> str:
    """The same in a lesson, without how groups were found."""
    before, after = (plain(one) for one in kept.apart)
    groups = "" if kept.clusterings is None else " Colours: groups of records that are alike."
    return f"The two marked records are <b>{before}</b> apart before and <b>{after}</b> after.{groups}"


def distances(kept: Kept) -> str:
    """Caption of distances before and after."""
    return (
        f"Each dot is a pair of records: {count(len(kept.before))} pairs. On the dotted line their distance is the "
        "same before and after."
    )


def findings(kept: Kept, records: Records) -> tuple[str, list[list[Cell]]]:
    """Caption and rows of what an analyst finds."""
    if kept.neighbours is None:
        return "Looking for neighbours and clusters in both …", []
    exact = f"equal ✓, largest change {_power(kept.distance_error)} of the longest record, by rounding"
    rows: list[list[Cell]] = [
        [
            "distances",
            "as they were",
            (exact, "good") if kept.exact else (f"changed by up to {_power(kept.distance_error)} of it", "bad"),
        ],
        [
            f"{kept.nearest} nearest neighbours",
            f"of each of the {records.noun}",
            (f"{share(kept.neighbours)} the same", "good" if kept.neighbours == 1 else "bad"),
        ],
    ]
    for method, moved in kept.moved.items():
        verdict = ("identical ✓", "good") if not moved else (f"{counted(moved, 'record')} moved", "bad")
        rows.append([method, counted(kept.settings.clusters, "cluster"), verdict])
    return (
        f"The same algorithms on both, compared record by record on {count(kept.rows)} {records.noun}. k-means gathers "
        "records around means; single link joins whatever is nearest, step by step, so that a cluster is a chain of "
        "neighbours.",
        rows,
    )


def _power(value: float) -> str:
    """A very small number as a power of ten, such as 10⁻¹⁵."""
    if value <= 0:
        return "0"
    return "10" + str(int(np.ceil(np.log10(value)))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def values(records: Records, shown: int) -> str:
    """Caption of the values before and after."""
    hidden = records.columns - shown
    more = f" {counted(hidden, 'more column')} {'is' if hidden == 1 else 'are'} not shown." if hidden > 0 else ""
    how = "standardised" if records.standardised else "in their own units"
    return (
        f"Values {how}, and what is released. A released column mixes all attributes, and the rows are shuffled as "
        f"well.{more}"
    )


def value_rows(records: Records, turned: np.ndarray, shown: int) -> list[list[Cell]]:
    """The rows of their table: three records, each as it is and as it is released."""
    places, tables = range(min(3, records.rows)), {"data": records.private, "release": turned}
    names = [f"{ordinal(records, place)}, {title}" for place in places for title in tables]
    columns = [alike(table[place, column] for place in places for table in tables.values()) for column in range(shown)]
    return [list(row) for row in zip(names, *columns, strict=True)]
