"""All experiments, paper by paper.

To add one, write one function and one record: the page, the command and the documentation then show it.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatch

from trustscope.scenarios.papers.record import Experiment, Paper
from trustscope.scenarios.papers.records import (
    giannella,
    giannella_misprints,
    giannella_samples,
    huang,
    huang_misprints,
    li,
    li_data,
    li_misprints,
    li_use,
    xiao,
    xiao_misprints,
    zhang,
    zhang_misprints,
)

PAPERS = {
    paper.name: paper
    for paper in (
        Paper(
            "li", "Li, Chen, Li and Zhang", "Enabling multilevel trust in privacy preserving data mining", "TKDE 2012"
        ),
        Paper("xiao", "Xiao, Tao and Chen", "Optimal random perturbation at multiple privacy levels", "VLDB 2009"),
        Paper("huang", "Huang, Du and Chen", "Deriving private information from randomized data", "SIGMOD 2005"),
        Paper(
            "zhang",
            "Zhang, Wang and Zhao",
            "A new scheme on privacy-preserving data classification",
            "KDD 2005",
        ),
        Paper(
            "giannella",
            "Giannella, Liu and Kargupta",
            "On the privacy of Euclidean distance preserving data perturbation",
            "2009",
        ),
    )
}
RECORDS = (
    *(li_data, li, li_use, li_misprints),
    *(xiao, xiao_misprints),
    *(huang, huang_misprints),
    *(zhang, zhang_misprints),
    *(giannella, giannella_samples, giannella_misprints),
)
EXPERIMENTS: dict[str, Experiment] = {e.id: e for module in RECORDS for e in module.RECORDS}


def find(id: str) -> Experiment:
    """The experiment with this id; a ValueError suggests ids that are similar."""
    if id not in EXPERIMENTS:
        near = get_close_matches(id, EXPERIMENTS, n=3, cutoff=0.6)
        hint = f"did you mean {' or '.join(near)}?" if near else "`trustscope list` shows all."
        raise ValueError(f"there is no experiment called {id!r}; {hint}")
    return EXPERIMENTS[id]


def select(patterns: Iterable[str]) -> list[Experiment]:
    """What ids, names of papers or patterns (li/*) stand for, in the order of the registry; without any, all."""
    chosen = set()
    for pattern in patterns:
        several = pattern if "/" in pattern or "*" in pattern else f"{pattern}/*"
        found = [id for id in EXPERIMENTS if fnmatch(id, several)]
        chosen.update(found or [find(pattern).id])
    return [e for id, e in EXPERIMENTS.items() if not patterns or id in chosen]
