"""Studies side by side: what differs in what is set, and in what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from trustscope.scenarios.differences import differences
from trustscope.scenarios.metrics import as_json
from trustscope.study.base import BaseStudy
from trustscope.study.problem import StudyProblem


def compare(studies: Mapping[str, BaseStudy], *more: BaseStudy) -> pd.DataFrame:
    """A table of what differs between studies.

    Parameters
    ----------
    studies : mapping of str to study
        Several of one page, by the names that they have in the table.
    *more
        Refused: studies without names could not be told apart in the table.

    Returns
    -------
    pandas.DataFrame
        A column for each study; rows are the verdict, the settings that differ, and the figures that differ.
    """
    if more or not isinstance(studies, Mapping) or len(studies) < 2:
        raise StudyProblem('Several studies are compared by name: write ts.compare({"A": study, "B": other}).')
    for name, study in studies.items():
        if not isinstance(study, BaseStudy):
            raise StudyProblem(f"{name!r} is no study, but a {type(study).__name__}.")
    if len({study.page for study in studies.values()}) > 1:
        raise StudyProblem("Only studies of one kind can be compared: all of numbers, or all of categories.")
    figures = {name: study.figures() for name, study in studies.items()}
    rows: dict[tuple[str, str], list[Any]] = {("verdict", ""): [one.verdict for one in figures.values()]}
    for name, texts in differences([study.scenario for study in studies.values()]):
        rows["setting", name] = list(texts)
    every = {name: {one.name: as_json(one.value) for one in found.figures} for name, found in figures.items()}
    for name in dict.fromkeys(name for found in every.values() for name in found):
        values = [found.get(name) for found in every.values()]
        if any(value != values[0] for value in values):
            rows["figure", name] = values
    index = pd.MultiIndex.from_tuples(rows, names=["what", "name"])
    return pd.DataFrame(list(rows.values()), index=index, columns=list(studies))
