"""What the Papers page shows: the gallery of all experiments, or one of them with a result."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from trustscope.scenarios.papers import stored, words
from trustscope.scenarios.papers.record import UNTESTED, VERDICTS, Result
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS
from trustscope.scenarios.papers.scenario import ALL, SEED, PapersScenario, preset
from trustscope.scenarios.statement import Headline


@dataclass(frozen=True)
class KeyedResult:
    """A result, stored or of a person's own run, and the key that it was run with."""

    result: Result
    key: int


@dataclass(frozen=True)
class PapersResult:
    """What is to be shown.

    Attributes
    ----------
    scenario : PapersScenario
    headline : Headline
    shown : tuple of str
        The ids that the gallery shows; none while an experiment is open.
    run : KeyedResult or None
        The result that is shown, where an experiment is open and has one.
    exact : bool
        Whether the result was run with what is set.
    """

    scenario: PapersScenario
    headline: Headline
    shown: tuple[str, ...] = ()
    run: KeyedResult | None = None
    exact: bool = True


class Collection:
    """The stored results of all experiments, judged, and their tiles: the same for all visitors."""

    def __init__(self) -> None:
        self.results = stored.results()
        self.verdicts = {id: self.results[id].verdict if id in self.results else UNTESTED for id in EXPERIMENTS}
        self.tiles = [
            words.tile(e, self.results.get(id), stored.picture(id) if id in self.results else "")
            for id, e in EXPERIMENTS.items()
        ]
        self.info = f"{len(EXPERIMENTS)} experiments of {len(PAPERS)} papers"

    @property
    def present(self) -> tuple[str, ...]:
        """The verdicts that occur."""
        return tuple(v for v in VERDICTS if v in self.verdicts.values())

    def filtered_ids(self, scenario: PapersScenario) -> tuple[str, ...]:
        """The ids of the experiments that the filters leave."""
        view = scenario.view
        return tuple(
            id
            for id, e in EXPERIMENTS.items()
            if view.paper in (ALL, e.paper)
            and view.kind in (ALL, "misprints" if e.misprint else "figures")
            and view.verdict in (ALL, self.verdicts[id])
        )

    def is_own(self, run: KeyedResult) -> bool:
        """Whether a result is of somebody's own run, and not one that comes with the app."""
        return run.result is not self.results.get(run.result.experiment.id)

    def picture(self, scenario: PapersScenario, own: Iterable[KeyedResult] = ()) -> PapersResult:
        """The gallery, or the experiment that is open.

        Parameters
        ----------
        scenario : fitted
        own : the person's own runs of this experiment, the latest first

        Notes
        -----
        Shown is the run with what is set; where there is none the latest of the person's own, then the stored one.
        The gallery keeps to what is stored, whatever was run since: pictures, verdicts and counts belong together.
        """
        e = scenario.experiment
        if e is None:
            shown = self.filtered_ids(scenario)
            seen = [self.results[id] for id in shown if id in self.results]
            return PapersResult(scenario, words.overview(seen or self.results.values()), shown)
        own = tuple(own)
        kept = (KeyedResult(self.results[e.id], SEED),) if e.id in self.results else ()
        exact = [run for run in (*own, *kept) if _values(run) == scenario.settings.values and run.key == scenario.seed]
        run = next(iter((*exact, *own, *kept)), None)
        if run is None:
            return PapersResult(scenario, words.nothing(e), exact=False)
        said = words.verdict(run.result, self.is_own(run))
        return PapersResult(scenario, said, run=run, exact=bool(exact))


def demonstrates(scenario: PapersScenario) -> bool:
    """Whether what is open follows its controls: a misprint, which is quick to show but at the paper's size."""
    e = scenario.experiment
    if e is None or e.misprint is None:
        return False
    values = scenario.settings.values
    return values == preset(e) or values != preset(e, paper_size=True)


def _values(run: KeyedResult) -> tuple[Any, ...]:
    return tuple(run.result.experiment.checked(run.result.values).items())


@cache
def collection() -> Collection:
    """The one that all visitors share; reading and judging it takes a second."""
    return Collection()
