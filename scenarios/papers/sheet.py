"""The Papers page on paper."""

import pandas as pd

from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.papers.tally import settings as run_with
from trustscope.scenarios.sheet import Sheet
from trustscope.scenarios.whole import Whole

ASSUMED = (
    "Results are those that come with the app, run at the quick size; a run of your own may differ by chance.",
    "“Corrected” means that the paper is wrong there and the check shows it; “stand-in” that data which are not "
    "available were replaced, which says nothing about the paper.",
)


def sheet_of(found: Whole, figures: Metrics) -> Sheet:
    """What is open, its picture and its claims."""
    run = found.picture.run
    if run is None:
        shown = (("Shown", f"{len(found.picture.shown)} experiments of {len(PAPERS)} papers"),)
        return Sheet(shown, None, ASSUMED)
    e = run.result.experiment
    paper = PAPERS[e.paper]
    settings: tuple[tuple[str, str], ...] = (
        ("Experiment", f"{e.title} ({e.id}, {e.where})"),
        ("Paper", f"{paper.authors}: {paper.title}, {paper.venue}"),
        ("The paper says", e.claim),
        ("Run with", run_with(run.result)),
        ("Key", str(run.key)),
    )
    if e.misprint is not None:
        settings += (("Printed", e.misprint.printed), ("Right", e.misprint.right))
    return Sheet(settings, None, ASSUMED)


def frame_of(found: Whole) -> pd.DataFrame:
    """Nothing: the experiments make their own data."""
    return pd.DataFrame()
