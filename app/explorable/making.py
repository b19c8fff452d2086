"""An explorable of a scenario, by the page's own views."""

from collections.abc import Sequence

from trustscope.app.explorable.recorder import PageRecorder, input_styles
from trustscope.datasets import Dataset
from trustscope.handouts.brief import brief_of
from trustscope.handouts.explorable import build
from trustscope.handouts.explorable.lever import MOST_POSITIONS
from trustscope.handouts.explorable.levers import PAGES, chosen
from trustscope.scenarios import pages
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Loaded, Progress

PREPARED = 0.05  # the share of the work that is done before the first position


def explorable(
    scenario: Scenario, *, controls: Sequence[str] = (), cards: Sequence[str] = (), title: str = "", address: str = "",
    home: str = "", most: int = MOST_POSITIONS, own: Dataset | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> str:  # fmt: skip
    """One HTML file in which a reader moves up to three controls of a page, and sees what the page would show.

    Parameters
    ----------
    scenario : Scenario
        Of the page Trust or Categories.
    controls : sequence of str
        What is moved: "pool", "many", "scheme", "trust:NAME", and what else the page has; each perhaps with its
        positions, as in "trust:Press=10,30,50". By default how many pool, the scheme, and the trust of the most trusted
        one.
    cards : sequence of str
        What is shown, by the cards' names, "headline" among them; by default what the page opens with.
    title : str
        What stands above it; by default what the page is about.
    address : str
        Where an app runs in which readers can open the scenario.
    home : str
        The address of the site that it is a part of.
    most : int
        Positions of all controls together.
    own : Dataset, optional
        The person's own data, where the scenario names some; then no single record is shown.
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised

    Raises
    ------
    Stopped, ScenarioProblem, Unusable or DataProblem
    """
    if scenario.page not in PAGES:
        raise ScenarioProblem(f"An explorable is of the page {' or '.join(PAGES)}, not of {scenario.page}.")
    told = progress or (lambda fraction, text: None)
    told(0.0, "Reading the data")
    recorder = PageRecorder(scenario, tuple(cards), own)
    levers = chosen(recorder.scenario, recorder.model, controls, most)
    work = pages.work_of(scenario)
    found = work.whole(recorder.scenario, own, loaded=Loaded(recorder.data, recorder.model), cancel=cancel)
    brief = brief_of(found, work.metrics_of(found))
    return build.explorable(
        recorder, levers, brief, title=title, about=recorder.dashboard.info, address=address, home=home,
        input_styles=input_styles(), cancel=cancel,
        progress=lambda share, text: told(PREPARED + (1 - PREPARED) * share, text),
    )  # fmt: skip
