"""What the Categories page shows to whoever looks closer; each view is made when it is first opened."""

import numpy as np
import panel as pn

from trustscope import colours
from trustscope.app.categories import help as texts
from trustscope.app.categories.pictures import ceiling
from trustscope.app.categories.promises import recipient_of
from trustscope.scenarios.categories import everyone, usefulness, words
from trustscope.scenarios.categories.picture import ENOUGH, Copying, Measure, Picture
from trustscope.scenarios.categories.run import ALONE, RIVAL, TOGETHER
from trustscope.scenarios.categories.scenario import SCHEMES, retention
from trustscope.scenarios.categories.verdict import doubt, measure_of, value
from trustscope.scenarios.words import count, counted, plain, share
from trustscope.widgets.bars import Bars, Mark
from trustscope.widgets.card import Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.pooling import Pooling, every_coalition
from trustscope.widgets.race import Race, Runner
from trustscope.widgets.texttable import Marked, TextTable

MOST_OFFERED = 200  # values in a drop-down
EVERYBODY = "everybody"


def value_options(scenario, model) -> dict[str, str]:
    """The values of the sensitive column to choose from: the most frequent, and the one that is chosen."""
    labels = model.column.labels
    common = np.argsort(-model.shares, kind="stable")[:MOST_OFFERED].tolist()
    codes = sorted({*common, model.code(scenario.view.value)})
    return words.choices({labels[code]: labels[code] for code in codes})


class EveryoneView(pn.viewable.Viewer):
    """The distribution as it was, as one recipient holds it, and as it can be estimated back."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Share of each value: as it was, as released, as estimated back", tallest=320)
        self.whose = Choice(label="Whose copy", options=[])
        self.value = dropdown("Value looked at", [""])
        self.card = Card(
            "Everyone at once", self.value, self.bars, control=self.whose, help_text=texts.EVERYONE, saved=self.bars
        )

    def offer(self, scenario, model):
        """Offer the recipients and the values."""
        options = [(r.name, r.name, f"Show {r.name}'s copy") for r in scenario.settings.recipients]
        if self.whose.options != options:
            self.whose.options = options
        if (values := value_options(scenario, model)) != self.value.options:
            self.value.options = values

    def show(self, picture: Picture, model):
        """Draw the copy of the recipient that is picked."""
        if picture.held:
            self._draw(picture.held, picture.original, recipient_of(picture), model, picture.scenario.view)

    def show_copying(self, step: Copying, model):
        """Draw a copy in the making."""
        self._draw(step.held, step.original, step.recipient, model, step.scenario.view)

    def _draw(self, held, original, recipient, model, view):
        mine, code = held[recipient.number], model.code(view.value)
        found = everyone.shares(model, mine, original, recipient, code)
        drawn = np.arange(len(found.labels)) < found.drawn
        tallest = max(part[drawn].max() for part in (found.true, found.released, found.ranges[:, 1]))
        self.bars.show(
            found.labels,
            [
                Mark("as it was", "bar", colours.ORIGINAL, np.where(drawn, found.true, -1)),
                Mark("as released", "thin", recipient.colour, np.where(drawn, found.released, -1)),
                Mark("as estimated back", "range", colours.GUESS,
                     np.where(drawn[:, None], np.maximum(found.ranges, 0), -1)),
            ],
            top=_steps(tallest),
            texts=[f"{share(a)} → {share(max(b, 0))}" for a, b in zip(found.true, found.ranges[:, 1], strict=True)],
            flagged=[found.flagged],
            fill=300,
        )  # fmt: skip
        true = original.counts[code] / original.rows
        seen, expected, tolerance = words.copy_check(mine, code, retention(recipient), true)
        few = mine.rows < ENOUGH
        state = "few" if few else bool(abs(seen - expected) <= tolerance)
        mark = words.verdict_mark(state, counted(mine.rows, "row") if few else f"± {100 * tolerance:.1f} points")
        self.card.say(
            f"{words.shares(model.column, recipient, code, found.table, true)} Expected in the copy: {share(expected)} "
            f"({mark}). {words.covered(found.inside, model.size)}",
            [
                ("as it was", colours.ORIGINAL, "area"),
                (f"as {recipient.name} holds it", recipient.colour, "block"),
                ("estimated back", colours.GUESS, "dot"),
            ],
        )

    def __panel__(self):
        return self.card.__panel__()


class EvidenceView(pn.viewable.Viewer):
    """Theory beside measurement: right guesses and belief, of the best alone, together, and in the other scheme."""

    HEAD = ("who guesses", "right guesses, expected", "measured", "belief in the truth, expected", "measured")

    def __init__(self):
        super().__init__()
        self.table = TextTable("Right guesses and belief, expected and measured")
        self.card = Card("Theory and measurement", self.table, help_text=texts.EVIDENCE, saved=self.table)

    def show(self, picture: Picture, model):
        """Write the table."""
        if not picture.results:
            self.table.show((), [])
            self.card.say("Tick a recipient: nobody has put a copy in the pool.")
            return
        settings = picture.settings
        titles = {
            ALONE: f"{settings.best.name} alone",
            TOGETHER: f"together, {settings.scheme} copies",
            RIVAL: f"together, if copies were {settings.rival}",
        }
        rows = [[titles[name], *_cells(result)] for name, result in picture.results.items()]
        without = picture.joining.without
        rows.append(["without any copy", share(without.right), "", share(without.belief), ""])
        self.table.show(self.HEAD, rows, keys=[*picture.results, "without"])
        counted_rows = next(iter(picture.results.values())).right_tally.rows
        self.card.say(
            f"Measured on the copies of {count(counted_rows)} {model.noun}. ✓ means: no further off than chance would "
            "explain in all but one of 16 000 cases."
        )

    def __panel__(self):
        return self.card.__panel__()


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


class CoalitionsView(pn.viewable.Viewer):
    """Every coalition, by the number that the headline is about."""

    def __init__(self):
        super().__init__()
        self.plot = Pooling("What every coalition finds out", tall=420)
        self.card = Card("Every coalition", self.plot, help_text=texts.COALITIONS, saved=self.plot)

    def show(self, picture: Picture, model):
        """Draw all subsets of the recipients."""
        if picture.coalitions is None:
            self.card.say("All coalitions are judged when you let go.")
            return
        who = picture.settings.recipients
        measure = "right" if picture.joining is None else measure_of(picture.joining)
        chosen = every_coalition(len(who))
        schemes = sorted(SCHEMES, key=lambda scheme: scheme == "nested")
        series = {s: [value(picture.coalitions[s][mask], measure) for mask in chosen] for s in schemes}
        without = value(picture.coalitions["nested"][0], measure)
        self.plot.show(
            who, chosen, {s: (colours.SCHEMES[s], values) for s, values in series.items()},
            chosen=picture.settings.mask, baseline=without, top=ceiling(max(without, *map(max, series.values()))),
        )  # fmt: skip
        error = max(doubt(one, measure) for one in picture.coalitions["independent"])
        self.card.say(words.coalitions(picture, measure, model.noun, error))

    def __panel__(self):
        return self.card.__panel__()


class UsefulnessView(pn.viewable.Viewer):
    """What an honest analyst still gets: a count with a condition, from each copy."""

    def __init__(self):
        super().__init__()
        self.value = dropdown("Count those with", [""])
        self.among = dropdown("among", {EVERYBODY: ""})
        self.label = dropdown("whose value is", [""])
        for one in (self.value, self.among, self.label):
            one.margin = (0, 8, 4, 0)
        self.bars = Bars(label="The count, estimated from each copy")
        row = pn.Row(self.value, self.among, self.label, sizing_mode="stretch_width", margin=(4, 0))
        self.card = Card("What an honest analyst gets", row, self.bars, help_text=texts.USEFULNESS, saved=self.bars)

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

    def show(self, picture: Picture, model):
        """Draw the estimates from every copy, as shares of those who meet the condition."""
        if not picture.held:
            return
        code = model.code(picture.scenario.view.value)
        found = usefulness.counted(model, picture, code)
        self.bars.visible = bool(found.estimates)
        if found.estimates:
            spans = np.array([[e.low, e.middle, e.high] for e in found.estimates]) / found.met
            true = found.true / found.met
            self.bars.show(
                [f"{e.recipient.name}, {e.recipient.trust} %" for e in found.estimates],
                [
                    Mark("true share", "bar", colours.ORIGINAL, np.full(len(spans), true)),
                    Mark("estimated share", "range", colours.GUESS, spans),
                ],
                top=_steps(max(true, spans[:, 2].max())),
                texts=[_estimated(e) for e in found.estimates],
            )
        self.card.say(
            usefulness.caption(found, model, picture, code),
            [("true count", colours.ORIGINAL, "area"), ("estimated, with its range", colours.GUESS, "dot")],
        )

    def __panel__(self):
        return self.card.__panel__()


def _estimated(one) -> str:
    """An estimate, its range, and whether that is as far from the truth as it may be."""
    low, middle, high = (count(round(v)) for v in (one.low, one.middle, one.high))
    mark = {True: f"✓ ± {plain(one.tolerance)}", False: "✗", "few": "~ too few rows"}[one.agrees]
    return f"{middle} ({low} to {high}) {mark}"


class FurtherView(pn.viewable.Viewer):
    """If ever more joined: the race of both schemes."""

    def __init__(self):
        super().__init__()
        self.race = Race("Belief in the true value as ever more recipients join", height=260, x_label="how many pool")
        self.card = Card("If ever more joined", self.race, help_text=texts.FURTHER, saved=self.race)

    def show(self, picture: Picture, model):
        """Draw the race."""
        found = picture.further
        if found is None:
            empty = not picture.settings.coalition
            self.card.say("Tick a recipient: nobody has joined yet." if empty else "Counted when you let go.")
            return
        self.race.show(
            [
                Runner(colours.SCHEMES[s], found.expected[s], [t.mean for t in found.measured[s]], s)
                for s in reversed(SCHEMES)
            ],
            found.here,
        )
        self.card.say(words.further(found), [
            *((s, colours.SCHEMES[s], "line") for s in SCHEMES),
            ("measured", colours.NEUTRAL, "dot"), ("if more joined", colours.NEUTRAL, "dashed"),
        ])  # fmt: skip

    def __panel__(self):
        return self.card.__panel__()


class MemoryView(pn.viewable.Viewer):
    """What must be kept: values for one person, on the path, in the paper's list, as copies."""

    def __init__(self):
        super().__init__()
        self.bars = Bars(label="Values kept for one person")
        self.card = Card("What must be kept", self.bars, help_text=texts.MEMORY, saved=self.bars)

    def show(self, picture: Picture, model):
        """Draw what each way keeps, and the bound."""
        kept = picture.memory
        if kept is None:
            return
        amounts = {
            "the path, measured": kept.stored,
            "the path, expected": kept.expected,
            "the paper's list": kept.history,
            "the copies themselves": len({r.trust for r in picture.settings.recipients}),
            "the paper's bound": kept.bound,
        }
        values = np.array(list(amounts.values()), dtype=float)
        self.bars.show(
            list(amounts),
            [
                Mark("values for one person", "solid", colours.NEUTRAL, values),
                Mark("bound", "tick", colours.GUESS, np.full(len(values), kept.bound)),
            ],
            top=float(np.ceil(values.max())),
            texts=[plain(v) for v in values],
        )
        by = counted(kept.rows, "row") if kept.agrees == "few" else f"± {plain(float(f'{kept.tolerance:.1g}'))}"
        self.card.say(
            f"{words.memory(kept, picture.settings)} Expected {plain(kept.expected)} "
            f"({words.verdict_mark(kept.agrees, by)}).",
            [("values kept", colours.NEUTRAL, "block"), ("bound", colours.GUESS, "dot")],
        )

    def __panel__(self):
        return self.card.__panel__()


def _steps(top: float) -> float:
    """Headroom in steps, so that the scale does not tremble with the copies."""
    step = 10.0 ** np.floor(np.log10(max(top, 1e-6))) / 2
    return float(np.ceil(1.02 * top / step) * step)
