"""What the Trust page computes: a picture of any scenario, from a preview or from all rows.

Rows are processed in chunks and only tallies are kept, but for the reconstructing attackers, who look at a copy as a
whole; a picture can be shown while it is being made. What is not looked at is not computed.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Unpack

import numpy as np

from trustscope.engine import measures
from trustscope.engine.arrays import Floats
from trustscope.engine.attacks.combining import effective_levels
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.trust.baseline import Constants
from trustscope.scenarios.trust.judge import STRONGEST, Judge, Judged, judged
from trustscope.scenarios.trust.noise import Noise, OwnShape, noise_of, origin
from trustscope.scenarios.trust.person import paths_of, person
from trustscope.scenarios.trust.population import Population
from trustscope.scenarios.trust.result import Copying, Person, TrustResult
from trustscope.scenarios.trust.run import Run, RunOptions
from trustscope.scenarios.trust.scenario import Settings, TrustScenario, levels
from trustscope.scenarios.trust.threshold import threshold
from trustscope.scenarios.trust.twenty import Copies, chosen, twenty
from trustscope.scenarios.trust.typical import typical
from trustscope.scenarios.twenty import Twenty
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import last
from trustscope.scenarios.words import count

PREVIEW = (2_048, 5_000)  # fewest and most rows redrawn while a slider is dragged
PREVIEWED = 200_000  # values of them: of many attributes fewer rows
CHUNK = 32_768  # rows of one step of a full pass
KEPT = (16, 128)  # preview copies remembered: dragging back must be as cheap as standing still
TRAINED = 2_048  # accuracies and overlaps remembered
ROOM = 2_000_000  # values of them (16 MB, for each of the models that visitors share)
REQUIRED = 32  # requirements whose figures are remembered: they do not depend on anybody's trust
WHOLE = 16_000_000  # values (128 MB) that the reconstructing attackers are given at most


class Model:
    """A dataset, its keyed noise, and the attackers.

    Parameters
    ----------
    values : array, (rows, columns)
    names : sequence of str
        Of the columns.
    seed : int
        The secret key of the noise.
    units : mapping of str to str, optional
        Units of columns, where known.
    noun : str
        What rows stand for.
    common_unit : bool
        Whether all attributes have one unit.
    """

    def __init__(
        self,
        values: np.ndarray,
        names: Sequence[str],
        seed: int,
        *,
        units: Mapping[str, str] | None = None,
        noun: str = "records",
        common_unit: bool = False,
    ) -> None:
        self.population = Population(values, names, units, noun, common_unit)
        self.rows = self.population.rows
        wide = self.population.columns
        self.preview_rows = min(self.rows, int(np.clip(PREVIEWED // wide, *PREVIEW)))
        self.whole_rows = max(PREVIEW[0], WHOLE // wide)
        self.constants = Constants(self.population)
        self.judge = Judge(self.population, self.noise, normal=common_unit)
        self._kept = int(np.clip(ROOM // (self.preview_rows * wide), *KEPT))
        self._set_seed(seed)

    def _set_seed(self, seed: int) -> None:
        self.seed = seed
        self.recall = Memo(self._kept)
        self._own = OwnShape(self.population, seed)
        self._shapes, self._paths = Memo(24), Memo(8)
        self._twenty = Memo(12)
        self.trained = Memo(TRAINED)  # how useful copies are, which takes long
        self.required = Memo(REQUIRED)
        self.distances = Memo(REQUIRED)  # of two rows, in units of the noise

    def reseeded(self, seed: int) -> "Model":
        """The same data under other noise. A new object: work that is still under way keeps the old noise."""
        other = copy.copy(self)
        other._set_seed(seed)
        return other

    def noise(self, similarity: float = 1.0) -> Noise:
        """The noise of this similarity to the data."""
        return self._shapes(similarity, lambda: noise_of(self._own, similarity))

    # Pictures

    def preview(self, scenario: TrustScenario) -> TrustResult:
        """A picture from the first rows: at slider rate."""
        return Run(self, scenario, self.preview_rows, at_once=True).step(self.preview_rows)

    def stream(
        self, scenario: TrustScenario, chunk: int = CHUNK, **wanted: Unpack[RunOptions]
    ) -> Iterator[TrustResult]:
        """Pictures from ever more rows, the last one from all; `wanted` are the last parameters of `Run`."""
        run = Run(self, scenario, self.rows, **wanted)
        while run.done < self.rows:
            yield run.step(min(run.done + chunk, self.rows))
        if run.waits:
            yield run.judge()

    def at_rest(self, scenario: TrustScenario) -> TrustResult:
        """The last picture of `stream`; what has a closed form, and is not looked at row by row, is not measured.

        So it takes little longer than a preview, for whoever wants pictures of very many scenarios.
        """
        run = Run(self, scenario, self.rows, at_once=True)
        if not run.closed:
            picture: TrustResult = last(self.stream(scenario))
            return picture
        picture = run.step(self.rows)
        return run.judge() if run.waits else picture

    def copying(self, settings: Settings, chunk: int) -> Iterator[Copying]:
        """Steps of making the copies one after the other, the order in which they were asked for."""
        people, noise = self.population, self.noise(settings.similarity)
        a = people.index(settings.attribute)
        edges = people.bin_edges(a)
        step = Copying(settings, edges, measures.even_counts(people.values[:, a], edges) / self.rows)
        for place, recipient in enumerate(settings.recipients):
            counts = np.zeros(len(edges) - 1, dtype=int)
            for start in range(0, self.rows, chunk):
                stop = min(start + chunk, self.rows)
                held = noise.copy(recipient, settings.scheme, start, stop, among=settings.recipients)[:, a]
                counts = counts + measures.even_counts(held, edges)
                step = step.with_copy(
                    recipient, counts / self.rows, place + stop / self.rows, f"{count(stop)} {people.noun}"
                )
                yield step

    def coalitions(self, settings: Settings) -> dict[str, np.ndarray]:
        """Expected error of every subset, nested beside independent (or the scheme at work)."""
        schemes = ("nested", settings.beside_nested)
        attacked = STRONGEST in settings.attackers and settings.coalition
        seen = judged(self, settings, wait=False) if attacked else None
        if seen is None or seen.errors is None:
            noise = self.noise(settings.similarity)
            return {scheme: noise.coalitions(settings.recipients, scheme) for scheme in schemes}
        held = np.array(levels(settings.recipients))
        masks = np.arange(2 ** len(held))
        every = np.where(masks[:, None] >> np.arange(len(held)) & 1, held, np.inf)
        return {scheme: not_none(seen.error_at(effective_levels(every, scheme))) for scheme in schemes}

    def person(self, scenario: TrustScenario, seen: Judged | None = None) -> Person | None:
        """The person that is looked at; `seen` are the curves of the strongest attacker, where they are at hand."""
        settings, number = scenario.settings, scenario.view.person
        if number is None:
            return None
        noise = self.noise(settings.similarity)
        origins = tuple(origin(r, settings.scheme, settings.recipients) for r in settings.recipients)
        key = (number, settings.scheme, settings.similarity, origins)
        paths = self._paths(key, lambda: paths_of(noise, settings, number))
        believes = None
        if STRONGEST in settings.attackers and settings.kind == "absolute":
            read = seen or judged(self, settings, wait=False)

            def believes(level: float, row: int, released: Floats) -> tuple[Floats, Floats]:
                hits, eps = not_none(read.hits), not_none(settings.eps)
                return self.judge.belief(read.question, hits, eps, level, row, released)

        return person(noise, settings, number, self.population.index(settings.attribute), paths, believes)

    def twenty(self, settings: Settings, seen: Judged | None) -> Twenty | None:
        """Who of twenty people is caught alone, and who together; `seen` are the curves of the strongest attacker."""
        noise, attribute = self.noise(settings.similarity), self.population.index(settings.attribute)
        rows = self._twenty(("rows", attribute), lambda: chosen(self._own, attribute, self.seed))
        if not len(rows):
            return None
        copies = self._twenty((attribute, settings.similarity), lambda: Copies(noise, rows, attribute))
        return twenty(self, settings, copies, seen)

    # Fitting a scenario to the data

    def fit_to_data(self, scenario: TrustScenario) -> TrustScenario:
        """The scenario as far as it fits these data: attributes that are there, distances that suit them."""
        settings, view, people = scenario.settings, scenario.view, self.population
        attribute = people.names[people.index(settings.attribute)]
        changes = {
            "data.columns": people.names,
            "settings.attribute": attribute,
            "settings.sample": min(settings.sample, max(2, self.rows)),
        }
        if people.columns == 1:
            changes["settings.similarity"] = 1.0
        if settings.others is not None and settings.others >= self.rows // 2:
            changes["settings.others"] = None
        known = tuple(name for name in people.names if name in settings.known and name != attribute)
        if known != settings.known:
            changes["settings.known"] = known
        scale = threshold(people, attribute, settings.kind)
        if settings.eps is None or attribute != settings.attribute or settings.eps > scale.end:
            changes["settings.eps"] = scale.usual
        found = scenario.replace(changes)
        if view.person is None or view.person > self.rows:
            noise = self.noise(found.settings.similarity)
            found = found.replace({"view.person": typical(noise, found.settings, people.index(attribute))})
        return found
