"""The picture of one person that the Categories page opens with."""

from functools import partial

import numpy as np
import panel as pn

from trustscope.app.copied import PersonCard
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.result import Person
from trustscope.scenarios.categories.verdict import leaks
from trustscope.widgets.frame.place import Place
from trustscope.widgets.scenes.candidates import Candidate, Candidates, Given
from trustscope.widgets.scenes.steps import Stand, Step, Steps

# What the two cards hold ends at about the same height (below the person there are a legend's row and the twenty
# people), and both pictures are in view on a screen of 1280 by 720.
PERSON, POOLING = 290, 334
LISTED = 6  # values with a row of their own; the others are put together
ROWS = 6  # values that the picture of the path leaves room for
WRAPS_CSS = ":host { flex-wrap: wrap; row-gap: 4px; max-width: calc(100% - 34px); }"


class PersonView(PersonCard):
    """The view people remember."""

    def __init__(self):
        self.candidates = Candidates("One person: how far each value is believed", tall=PERSON)
        self.steps = None
        row = partial(pn.Row, margin=0, stylesheets=[WRAPS_CSS])
        super().__init__("categories", Place(self.candidates), row)

    def _show_belief(self, picture, model, shown, believed):
        seen, settings, column = picture.person, picture.settings, model.column
        several = believed and len(settings.coalition) > 1
        codes = listed(seen, column.size)
        candidates = [self._candidate(seen, [c], column.labels[c], shown, several, believed) for c in codes]
        rest = np.setdiff1d(np.arange(column.size), codes)
        if rest.size:
            label = column.labels[rest[0]] if rest.size == 1 else f"{rest.size} other values"
            candidates.append(self._candidate(seen, rest, label, shown, several, believed))
        names = {"before": "without any copy"}
        if believed and seen.alone is not None:
            names["alone"] = f"{settings.best.name} alone"
        if several:
            names["together"] = "together"
        self.plot.put(self.candidates)
        self.candidates.draw(
            candidates, names=names, tone="leak" if leaks(picture) else "safe",
            told=words.person_told(seen, settings, column),
        )  # fmt: skip

    @staticmethod
    def _candidate(seen: Person, codes, label, shown, several, believed):
        def total(belief):
            return None if belief is None else float(belief[codes].sum())

        return Candidate(
            words.short(label, 40), total(seen.before), total(seen.alone) if believed else None,
            total(seen.together) if several else None,
            [Given(r.initial, r.name, r.colour, r.member) for r in shown if seen.seen[r.number] in codes],
            true=len(codes) == 1 and codes[0] == seen.truth,
        )  # fmt: skip

    def _show_path(self, picture, model, shown, believed):
        seen, settings, column = picture.person, picture.settings, model.column
        if self.steps is None:
            self.steps = Steps(label="One person's value on its path from full trust to little")
        lowest = max(min(8, min(r.trust for r in settings.recipients) - 2), 0)
        order, steps = [seen.truth], []
        if seen.path is not None:
            at, codes = seen.path
            keep = 100 * at > lowest
            at, codes = 100 * at[keep], codes[keep].tolist()
            order += codes
        order = list(dict.fromkeys([*order, *(seen.seen[r.number] for r in shown)]))
        rows = {code: row for row, code in enumerate(order)}
        if seen.path is not None:
            steps = [Step(a, b, rows[c]) for a, b, c in zip(at, [*at[1:], lowest], codes, strict=True)]
        self.plot.put(self.steps)
        self.steps.draw(
            [words.short(column.labels[code], 40) for code in order], steps,
            [Stand(r.initial, r.colour, r.trust, rows[seen.seen[r.number]], r.member) for r in shown],
            lowest=float(lowest), rows=ROWS,
        )  # fmt: skip


def listed(seen: Person, size: int) -> list[int]:
    """The values with a row of their own: the truth first, then what was given, then what is likely beforehand.

    They stay where they are while something is dragged: after the truth they stand in the order of the column.
    """
    belief = seen.before if seen.together is None else seen.together
    given = sorted(set(seen.seen.values()) - {seen.truth}, key=lambda code: -belief[code])
    likely = np.argsort(-seen.before, kind="stable")[: LISTED + len(given) + 1].tolist()
    most = size if size == LISTED + 1 else LISTED  # one value left over needs no heap of its own
    chosen = list(dict.fromkeys([seen.truth, *given, *likely]))[:most]
    return [seen.truth, *sorted(code for code in chosen if code != seen.truth)]
