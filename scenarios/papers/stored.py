"""Results at the quick size that come with the app: what the gallery shows before anything is run.

A table and a thumbnail for each experiment. Verdicts are not stored: they are judged from the table each time, so
they cannot disagree with it. The thumbnail says which table it was drawn from.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

import pandas as pd

from trustscope.scenarios.papers.record import Experiment, Result
from trustscope.scenarios.papers.registry import EXPERIMENTS

HERE = Path(__file__).parent / "stored"


@cache
def result(id: str) -> Result:
    """The stored result of one experiment; it is shared, and must not be changed."""
    experiment = EXPERIMENTS[id]
    return Result(experiment, experiment.preset(), read(HERE / f"{experiment.file}.csv"))


@cache
def picture(id: str) -> str:
    """Its thumbnail, as SVG text."""
    return (HERE / f"{EXPERIMENTS[id].file}.svg").read_text(encoding="utf-8")


def results() -> dict[str, Result]:
    """All of them, by id; an experiment of which nothing is stored is left out."""
    absent = {e.id for e in missing()}
    return {id: result(id) for id in EXPERIMENTS if id not in absent}


def csv(table: pd.DataFrame) -> str:
    """A table as CSV, with as many digits as anybody needs."""
    return table.to_csv(index=False, float_format="%.10g", lineterminator="\n")


def read(path: Path) -> pd.DataFrame:
    """A table from a file that holds what `csv` gave."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def digest(path: Path) -> str:
    """A short name for the content of a file, which changes when the content does."""
    return sha256(path.read_bytes()).hexdigest()[:16]


def stale() -> list[str]:
    """Files that belong to no experiment."""
    known = {e.file for e in EXPERIMENTS.values()}
    return sorted(path.name for path in HERE.iterdir() if path.stem not in known)


def missing() -> list[Experiment]:
    """Experiments of which nothing is stored."""
    return [e for e in EXPERIMENTS.values() if not all((HERE / f"{e.file}.{kind}").exists() for kind in ("csv", "svg"))]
