"""The fourth step: the remedy that the paper proposes, a random projection, and why it is none."""

from trustscope import colours
from trustscope.app.rotation.common import HEIGHT, TALLER, CurvesView, MatchView, TableView
from trustscope.scenarios.rotation.cards import KEPT, REMEDIES
from trustscope.scenarios.rotation.words import remedy as words

NAMES = {key: (look.name, look.colour) for key, look in REMEDIES.items()} | {
    "rotation": ("plain rotation", colours.NEUTRAL)
}


class ProjectedView(MatchView):
    """What is recovered of one attribute through one matrix."""

    def __init__(self):
        super().__init__("projected", "Recovered through one projection, against original values",
                         height=HEIGHT + TALLER, counted="recovered closely")  # fmt: skip


class LengthsView(CurvesView):
    """By the number of released columns: one matrix, a fresh one for each, and a plain rotation."""

    def __init__(self):
        super().__init__("lengths", "Share recovered by the number of released columns", twenty=True, log=True)


class SidesView(TableView):
    """Privacy and use, side by side."""

    HEADINGS = ("release", "recovered", "distances change by", "keep their nearest neighbours")

    def __init__(self):
        super().__init__("sides", "One projection for all, a fresh one for each, and a rotation", self._rows)

    def _rows(self, picture, model):
        return self.HEADINGS, [[NAMES[which], *cells] for which, cells in words.side_rows(picture)]


class SpreadView(MatchView):
    """Distances of pairs of records before and after one projection for all."""

    def __init__(self):
        super().__init__("distances", "Distances of pairs of records before and after the projection",
                         after="distance in the release", counted="within 10 %", colour=KEPT)  # fmt: skip
