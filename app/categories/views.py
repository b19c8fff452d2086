"""What the Categories page shows to whoever looks closer; each view is made when it is first opened."""

from typing import Any

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.cards import CardView
from trustscope.looks import looks_of
from trustscope.scenarios.categories import exposure, usefulness, words
from trustscope.scenarios.categories.cards import copy_caption, copy_of, titles
from trustscope.scenarios.categories.result import Copying, Measure
from trustscope.scenarios.words import count, counted, plain, share
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.scenes.bars import Bars, Mark
from trustscope.widgets.tables.texttable import Marked, TextTable

MOST_OFFERED = 200  # values in a drop-down
EVERYBODY = "everybody"


def value_options(scenario, model) -> dict[str, str]:
    """The values of the sensitive column to choose from: the most frequent, and the one that is chosen."""
    labels = model.column.labels
    common = np.argsort(-model.shares, kind="stable")[:MOST_OFFERED].tolist()
    codes = sorted({*common, model.code(scenario.view.value)})
    return words.choices({labels[code]: labels[code] for code in codes})


class EveryoneView(CardView):
    """The distribution as it was, as one recipient holds it, and as it can be estimated back."""

    def __init__(self):
        self.whose = Choice(label="Whose copy", options=[])
        self.value = dropdown("Value looked at", [""])
        bars = Bars(label="Share of each value: as it was, as released, as estimated back", tallest=320)
        super().__init__("categories", "everyone", bars, control=self.whose, above=(self.value,))

    def offer(self, scenario, model):
        """Offer the recipients and the values."""
        options = [(r.name, r.name, f"Show {r.name}'s copy") for r in scenario.settings.recipients]
        if self.whose.options != options:
            self.whose.options = options
        if (values := value_options(scenario, model)) != self.value.options:
            self.value.options = values

    def draw(self, table, picture, model):
        """Draw the copy of the recipient that is picked."""
        looks = looks_of(table)
        drawn = np.arange(len(table)) < looks.more["drawn"]
        (was, its), (released, its_copy), (back, its_guess) = looks.series.items()
        ranges = np.maximum(table[["low", back, "high"]].to_numpy(), 0)
        self.plot.draw(
            table["value"],
            [
                Mark("as it was", "bar", its.colour, np.where(drawn, table[was], -1)),
                Mark("as released", "thin", its_copy.colour, np.where(drawn, table[released], -1)),
                Mark("as estimated back", "range", its_guess.colour, np.where(drawn[:, None], ranges, -1)),
            ],
            top=looks.x.high, texts=[f"{share(a)} → {share(b)}" for a, b in zip(table[was], ranges[:, 1], strict=True)],
            flagged=[looks.more["flagged"]], fill=300,
        )  # fmt: skip

    def show_copying(self, step: Copying, model):
        """Draw a copy in the making."""
        made: tuple[Any, ...] = step.held, step.original, step.recipient, model, step.scenario.view
        table = copy_of(*made)
        self.draw(table, None, model)
        self.card.say(copy_caption(*made), self.legend(table))


class ExposedView(CardView):
    """How people's risks are spread, and who is most exposed."""

    HEAD = ("person", "value", "guessed with", "believed beforehand", "believed at worst", "why")

    def __init__(self):
        self.people = TextTable("The most exposed people who are not guessed without any copy")
        bars = Bars(label="People by their chance to be guessed", tallest=320)
        super().__init__("categories", "exposed", bars, below=(self.people,))

    def draw(self, table, picture, model):
        """Draw the risks and write who is most exposed."""
        looks = looks_of(table)
        marks = [Mark(name, "thin" if place else "bar", look.colour, table[name])
                 for place, (name, look) in enumerate(looks.series.items())]  # fmt: skip
        total = table[[*looks.series]].sum(axis=1)
        self.plot.draw(table["chance to be guessed"], marks, top=looks.x.high, texts=[share(float(v)) for v in total])
        rows = exposure.listed_rows(exposure.most_exposed(picture, model))
        self.people.draw(self.HEAD if rows else (), rows)


class EvidenceView(CardView):
    """Theory beside measurement: right guesses and belief, of the best alone, together, and in the other scheme."""

    has_legend = False  # it is a table
    HEAD = ("who guesses", "right guesses, expected", "measured", "belief in the truth, expected", "measured")

    def __init__(self):
        super().__init__("categories", "evidence", TextTable("Right guesses and belief, expected and measured"))

    def draw(self, table, picture, model):
        """Write the table."""
        if not picture.results:
            self.plot.draw((), [])
            return
        rows = [[titles(picture)[name], *_cells(result)] for name, result in picture.results.items()]
        without = picture.joining.without
        rows.append(["without any copy", share(without.right), "", share(without.belief), ""])
        self.plot.draw(self.HEAD, rows, keys=[*picture.results, "without"])


def _cells(result) -> list:
    """What was expected and measured, of right guesses and of the belief."""
    cells = []
    for one in (result.right, result.belief):
        cells += [f"{share(one.expected)}{f' {words.points(2 * one.error)}' if one.error else ''}", _measured(one)]
    return cells


def _measured(one: Measure) -> str | Marked:
    """A measured figure with its mark, and the tolerance that made it."""
    if one.agrees is None:
        return "–"
    allowed = f"± {100 * one.tolerance:.1f} points"
    by = {
        True: allowed,
        False: f"{100 * abs(one.tally.mean - one.expected):.1f} points, allowed {allowed}",
        "few": counted(one.tally.rows, "row"),
    }[one.agrees]
    return Marked(share(one.tally.mean), one.agrees, by)


class UsefulnessView(CardView):
    """What an honest analyst still gets: a count with a condition, from each copy."""

    def __init__(self):
        self.value = dropdown("Count those with", [""])
        self.among = dropdown("among", {EVERYBODY: ""})
        self.label = dropdown("whose value is", [""])
        for one in (self.value, self.among, self.label):
            one.margin = (0, 8, 4, 0)
        row = pn.Row(self.value, self.among, self.label, sizing_mode="stretch_width", margin=(4, 0))
        bars = Bars(label="The count, estimated from each copy")
        super().__init__("categories", "usefulness", bars, above=(row,))

    def offer(self, scenario, model):
        """Offer the values, the other columns, and the values of the one that is chosen."""
        labels = model.labels_of(scenario.view.among)[:MOST_OFFERED] if scenario.view.among else []
        offered = {
            self.value: value_options(scenario, model),
            self.among: {EVERYBODY: ""} | {name: name for name in model.others},
            self.label: words.choices({label: label for label in labels}) or {"": ""},
        }
        for widget, options in offered.items():
            if widget.options != options:
                widget.options = options
        self.among.visible, self.label.visible = bool(model.others), bool(labels)

    def draw(self, table, picture, model):
        """Draw the estimates from every copy, as shares of those who meet the condition."""
        met = table["among"].iloc[0]
        found = usefulness.counted(model, picture, model.code(picture.scenario.view.value))
        looks = looks_of(table)
        self.plot.draw(
            [f"{e.recipient.name}, {e.recipient.trust} %" for e in found.estimates],
            [
                Mark("true share", "bar", colours.ORIGINAL, table["true count"] / met),
                Mark("estimated share", "range", looks.series["estimate"].colour,
                     table[["low", "estimate", "high"]].to_numpy() / met),
            ],
            top=looks.x.high / met, texts=[_estimated(e) for e in found.estimates],
        )  # fmt: skip


def _estimated(one) -> str:
    """An estimate, its range, and whether that is as far from the truth as it may be."""
    low, middle, high = (count(round(v)) for v in (one.low, one.middle, one.high))
    mark = {True: f"✓ ± {plain(one.tolerance)}", False: "✗", "few": "~ too few rows"}[one.agrees]
    return f"{middle} ({low} to {high}) {mark}"


class MemoryView(CardView):
    """What must be kept: values for one person, on the path, in the paper's list, as copies."""

    ticks = ("bound",)

    def __init__(self):
        super().__init__("categories", "memory", Bars(label="Values kept for one person"))

    def draw(self, table, picture, model):
        """Draw what each way keeps, and the bound."""
        looks, values = looks_of(table), table["values for one person"].to_numpy(dtype=float)
        bound = looks.uprights[0]
        self.plot.draw(
            table["kept"],
            [
                Mark("values for one person", "solid", looks.series["values for one person"].colour, values),
                Mark("bound", "tick", bound.colour, np.full(len(values), bound.value)),
            ],
            top=looks.x.high, texts=[plain(v) for v in values],
        )  # fmt: skip
