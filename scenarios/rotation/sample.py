"""The third step: a competitor who has a sample of similar records matches principal axes."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trustscope.engine.arrays import Floats
from trustscope.engine.attacks import known_sample
from trustscope.engine.attacks.known_sample import KnownSampleAttack
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.rotation.certainty import certainty
from trustscope.scenarios.rotation.judge import JUDGED, Hits, Judge
from trustscope.scenarios.rotation.known import examples, one_record
from trustscope.scenarios.rotation.records import Records
from trustscope.scenarios.rotation.result import One, Rate, RotationResult, Sampled
from trustscope.scenarios.rotation.scenario import SAMPLES, RotationScenario, Settings
from trustscope.scenarios.rotation.twenty import StoryModel, twenty
from trustscope.scenarios.value import not_none

METHODS = ("improved", "paper")
PAIRS = 120_000  # pairs of rows behind every choice of signs
TRIED = 6  # sample sizes along the curve
LEAST = 4  # records that a sample must have


class SampleStory:
    """Axes of sample and release, and what is recovered by matching them.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: StoryModel) -> None:
        self._model, self.records = model, model.records
        self.judged = min(JUDGED, self.records.rows)
        self._memo = Memo(96)

    # Which samples there are

    def least(self) -> int:
        """The smallest sample that is tried."""
        return min(max(10, self.records.columns + 1), len(self.records.pool))

    def sizes(self) -> tuple[int, ...]:
        """Sample sizes along the curve."""
        return tuple(sorted({round(float(q)) for q in np.geomspace(self.least(), len(self.records.pool), TRIED)}))

    def samples(self, size: int) -> int:
        """How many samples of a size without a record in common are tried."""
        return max(min(len(self.records.pool) // size, SAMPLES), 1)

    def sample(self, size: int, block: int) -> Floats:
        """The records of one sample; blocks are counted from 1."""
        return self.records.pool[(block - 1) * size : block * size]

    # Pictures

    def preview(self, scenario: RotationScenario) -> Sampled:
        """With the chosen sample."""
        return self._picture(scenario)

    def passes(self, scenario: RotationScenario) -> Iterator[RotationResult]:
        """With the other samples of this size, and with what is looked at closer."""
        settings, closer = scenario.settings, scenario.view.closer
        if not self._ready(not_none(settings.sample), settings.method, settings.block):
            yield RotationResult(
                scenario, waiting="The competitor matches the axes of the sample with those of the release …"
            )
        yield self._picture(scenario)
        picture = replace(
            self._picture(scenario), others=self.rate(settings, not_none(settings.sample), settings.method)
        )
        if closer == "when":
            picture = replace(picture, certainty=self._certainty(settings, picture.attack))
        yield picture
        if closer == "sizes":
            for size in self.sizes():
                for method in METHODS:
                    self.rate(settings, size, method)
                yield replace(picture, curve=self._curve(settings))

    def _picture(self, scenario: RotationScenario) -> Sampled:
        settings = scenario.settings
        found = self.match(not_none(settings.sample), settings.method, settings.block)
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        true, estimate = self.records.private[: self.judged], found.estimate(self._model.turned[: self.judged])
        cosine = np.sum((self._model.release.secret.matrix @ found.sample_axes) * found.released_axes, axis=0)
        hits, without = judge.hits(true, estimate), self._model.without(settings)
        picture = Sampled(
            scenario, found, hits, without, estimate,
            np.minimum(np.abs(cosine), 1.0), np.sign(cosine) == found.signs, self.samples(not_none(settings.sample)),
            curve=self._curve(settings) if scenario.view.closer == "sizes" else {}, sizes=self.sizes(),
            twenty=twenty(self._model, settings, without, hits.rate, hits.record, hits.values),
        )  # fmt: skip
        if scenario.view.closer == "record":
            return replace(picture, one=chosen(picture, picture.hits, estimate, self.records))
        return picture

    # The attack

    def match(self, size: int, method: str, block: int) -> KnownSampleAttack:
        """The attack with one sample."""
        return self._memo(
            (size, method, block),
            lambda: known_sample.attack(
                self.sample(size, block), self._model.release.released, translated=self._model.shifted,
                method=method, search="polynomial", pairs=PAIRS,
            ),
        )  # fmt: skip

    def _ready(self, size: int, method: str, block: int | None = None) -> bool:
        blocks = [block] if block else range(1, self.samples(size) + 1)
        return all((size, method, one) in self._memo for one in blocks)

    def rate(self, settings: Settings, size: int, method: str) -> Rate:
        """Shares of hits with all samples of a size."""
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        true, turned = self.records.private[: self.judged], self._model.turned[: self.judged]
        matches = (self.match(size, method, block) for block in range(1, self.samples(size) + 1))
        return Rate(tuple(judge.hits(true, one.estimate(turned)).rate for one in matches))

    def recovered(self, settings: Settings, size: int) -> float:
        """The share of hits with one sample of another size; never less than without the release."""
        block = min(settings.block, self.samples(size))
        found = self.match(size, settings.method, block)
        judge = Judge(self.records, settings.kind, not_none(settings.eps))
        true, turned = self.records.private[: self.judged], self._model.turned[: self.judged]
        return max(self._model.without(settings).rate, judge.hits(true, found.estimate(turned)).rate)

    def _curve(self, settings: Settings) -> dict[str, dict[int, Rate]]:
        """What is known by now of all sizes."""
        found = {}
        for method in METHODS:
            ready = [size for size in self.sizes() if self._ready(size, method)]
            found[method] = {size: self.rate(settings, size, method) for size in ready}
        return found

    def _certainty(self, settings: Settings, found: KnownSampleAttack) -> Floats:
        """By how many standard errors each axis fits worse the other way round."""
        s, y = self.sample(not_none(settings.sample), settings.block), self._model.turned
        if self._model.shifted:
            s, y = s - s.mean(axis=0), y - y.mean(axis=0)
        return certainty(s @ (found.sample_axes * found.signs), y @ found.released_axes)


def chosen(picture: RotationResult, hits: Hits, estimate: Floats, records: Records) -> One:
    """The record that is looked at by itself: the one recovered best, or one in the middle."""
    true = records.private[: len(estimate)]
    off = np.linalg.norm((estimate - true) * records.scale / records.sd, axis=1)
    best, middle = examples(hits.record, off)
    place = not_none(best if picture.view.record_as == "exposed" else middle)
    judge = Judge(records, picture.settings.kind, not_none(picture.settings.eps))
    return one_record(records, judge, place, estimate[place])
