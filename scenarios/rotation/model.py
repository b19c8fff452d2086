"""What the Rotation page computes: one release of the private half, and four stories about it.

Nothing here knows Panel. A model does not change but for what it remembers: it is shared between visitors.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from trustscope.engine.arrays import ArrayLike
from trustscope.engine.rotation import RotationRelease
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.judge import Hits, Judge
from trustscope.scenarios.rotation.kept import KeptStory
from trustscope.scenarios.rotation.known import KnownStory
from trustscope.scenarios.rotation.records import MOST, SHIFTED, Records
from trustscope.scenarios.rotation.remedy import RemedyStory
from trustscope.scenarios.rotation.result import RotationResult
from trustscope.scenarios.rotation.sample import LEAST, SampleStory
from trustscope.scenarios.rotation.scenario import MOST_KNOWN, USUAL, WIDEST, RotationScenario, Settings
from trustscope.scenarios.rotation.twenty import Cells, chosen
from trustscope.scenarios.value import not_none

LEAST_ROWS = 8  # that a dataset must have
FIRST_KNOWN = 4  # records that the insider knows at first
WIDER = 4  # times as many columns as attributes: what a projection releases at first
SHIFT = 3.0  # the length of a shift, in typical lengths of a record


class Model:
    """A private half, its release, and the other half of the data.

    Parameters
    ----------
    values : array, (rows, columns)
    names : sequence of str
        Of the columns.
    seed : int
        The key of the secret.
    shifted, standardised : bool
        Whether the records are shifted as well as turned, and standardised before.
    units, noun : mapping of str to str, str
        Units of columns where known, and what rows stand for.
    """

    def __init__(
        self,
        values: ArrayLike,
        names: Sequence[str],
        seed: int,
        *,
        shifted: bool = False,
        standardised: bool = True,
        units: Mapping[str, str] | None = None,
        noun: str = "records",
    ) -> None:
        most = SHIFTED if shifted else MOST
        self.records = Records(values, names, standardised=standardised, most=most, units=units, noun=noun)
        self.seed, self.shifted = seed, shifted
        private = self.records.private
        self.norms = np.linalg.norm(private, axis=1)
        self.shift_length = SHIFT * float(np.sqrt(np.mean(self.norms**2))) if shifted else 0.0
        self.release = RotationRelease(private, translation=self.shift_length, key=seed)
        self.row_of = self.release.secret.permutation
        self.turned = self.release.released[self.row_of]
        # Records to be known first: different ones, and not zero; in a random order, as the records are.
        _, first = np.unique(private, axis=0, return_index=True)
        different = np.sort(first[self.norms[first] > 0])
        self.usual_order = tuple(self.records.number(place) for place in different)
        self.most_known = min(self.records.columns + 2 + shifted, MOST_KNOWN, max(len(different) - 1, 1))
        self._without, self._cells = Memo(64), Memo(4)
        self.kept = KeptStory(self.records, self.turned)
        self.known: KnownStory = KnownStory(self)
        self.sample: SampleStory = SampleStory(self)
        self.remedy: RemedyStory = RemedyStory(self)

    # Pictures

    def preview(self, scenario: RotationScenario) -> RotationResult | None:
        """A picture at slider rate; None where nothing can be had at once."""
        return self._story(scenario).preview(scenario)

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """Pictures of ever more, the last one of all that is looked at."""
        return self._story(scenario).passes(scenario)

    def _story(self, scenario: RotationScenario) -> KeptStory | KnownStory | SampleStory | RemedyStory:
        story: KeptStory | KnownStory | SampleStory | RemedyStory = getattr(self, scenario.view.story)
        return story

    def without(self, settings: Settings) -> Hits:
        """What can be hit without any release, by the best constant guess."""
        key = (settings.kind, settings.eps)
        return self._without(key, lambda: Judge(self.records, settings.kind, not_none(settings.eps)).constant())

    def cells(self, kind: str, quick: bool = False) -> Cells | None:
        """The twenty values, or records, of which it is shown whether they are recovered; with `quick` only if they
        have been chosen before."""
        found: Cells | None = self._cells.get(kind) if quick else self._cells(kind, lambda: chosen(self, kind))
        return found

    # Who is known

    def order(self, settings: Settings) -> tuple[int, ...]:
        """Row numbers: the known records, then those that the insider would be told next."""
        known = not_none(settings.known)
        told = dict.fromkeys((*known, *settings.then))
        there = [number for number in told if self.records.place(number) is not None]
        most = max(self.most_known, len(known))
        usual = (number for number in self.usual_order if number not in told)
        return (*there, *usual)[:most]

    # Fitting a scenario to the data

    def fit_to_data(self, scenario: RotationScenario) -> RotationScenario:
        """The scenario as far as it fits these data: records and attributes that are there, numbers in range."""
        settings, view, records = scenario.settings, scenario.view, self.records
        pool = len(records.pool)
        sample = settings.sample or max(pool // 2, self.sample.least())
        sample = min(max(sample, min(LEAST, pool)), pool)
        widest = min(max(settings.dimensions or WIDER * records.columns, records.columns), WIDEST)
        return scenario.replace({
            "data.columns": records.names,
            "settings.known": self._known(settings.known),
            "settings.then": tuple(n for n in dict.fromkeys(settings.then) if records.place(n) is not None),
            "settings.eps": settings.eps or USUAL[settings.kind],
            "settings.sample": sample,
            "settings.block": min(settings.block, self.sample.samples(sample)),
            "settings.dimensions": widest,
            "view.across": records.names[records.index(view.across)],
            "view.upwards": records.names[records.index(view.upwards, 1)],
        })  # fmt: skip

    def _known(self, known: tuple[int, ...] | None) -> tuple[int, ...]:
        """The records that are known, as far as they are among the private ones; some where nobody has chosen."""
        if known is None:  # so many that something is left to guess
            few = max(1, min(FIRST_KNOWN, self.records.columns - 1, self.most_known))
            return self.usual_order[:few]
        there = [number for number in dict.fromkeys(known) if self.records.place(number) is not None]
        return tuple(there[: self.most_known])
