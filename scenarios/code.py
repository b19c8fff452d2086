"""A scenario as short Python: a script, or a notebook, that needs the engine and the datasets alone.

Every page says what its script consists of (`scenarios/PAGE/script.py`): cells, each with a sentence and some lines.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pprint import pformat
from typing import Any

from trustscope.datasets import Dataset
from trustscope.engine.preparation import Step
from trustscope.scenarios.link import query_of
from trustscope.scenarios.preparation.steps import Prepared
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import OWN, Scenario

SCRIPTED = ("trust", "categories", "rotation", "survey", "papers")


@dataclass(frozen=True)
class Cell:
    """A few lines of Python, and the sentence above them."""

    text: str
    code: str


def script(scenario: Scenario, own: Dataset | None = None) -> str:
    """The scenario as a Python script that prints its figures as JSON."""
    cells, fitted = _cells(scenario, own)
    head = f'"""{_title(fitted)}\n\n{_made_by()}\n"""\n'
    body = "\n".join(f"\n# {cell.text}\n{cell.code.strip()}\n" for cell in cells)
    return f"{head}{body}"


def notebook(scenario: Scenario, own: Dataset | None = None) -> str:
    """The same as a notebook."""
    cells, fitted = _cells(scenario, own)
    made = [_cell(0, "markdown", f"# {_title(fitted)}\n\n{_made_by()} `/?{query_of(fitted)}` opens it in the app.")]
    for cell in cells:
        made.append(_cell(len(made), "markdown", cell.text))
        made.append(_cell(len(made), "code", cell.code.strip()))
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    content = {"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _cells(scenario: Scenario, own: Dataset | None) -> tuple[list[Cell], Scenario]:
    if scenario.page not in SCRIPTED:
        raise ScenarioProblem(f"There is no script of the page {scenario.page}: its figures are those of a ledger.")
    made, fitted = import_module(f"trustscope.scenarios.{scenario.page}.script").cells(scenario, own)
    every = "\n".join(cell.code for cell in made)
    return [Cell(cell.text, _used(cell.code, every)) for cell in made], fitted


def _used(code: str, every: str) -> str:
    """The lines without imports of names that no line uses."""
    body = re.sub(r"^from .*?(?:\(.*?\)|$)", "", every, flags=re.MULTILINE | re.DOTALL)

    def kept(found: re.Match[str]) -> str:
        names = [name for name in re.findall(r"\w+", found[2]) if re.search(rf"\b{name}\b", body)]
        return f"from {found[1]} import {', '.join(names)}\n" if names else ""

    return re.sub(r"^from (\S+) import (\([^)]*\)|[^\n(]+)\n", kept, code, flags=re.MULTILINE)


def _title(scenario: Scenario) -> str:
    name = "a file of your own" if scenario.data.name == OWN else f"the dataset “{scenario.data.name}”"
    # Nothing of the scenario may end the docstring that this stands in.
    return re.sub(r"[\\\"]", "", f"What stands on the {scenario.page.capitalize()} page for {name}.")


def _made_by() -> str:
    return f"Made by Trustscope {version('trustscope')}. It prints the figures of the page as JSON."


# What scripts have in common


def filled(template: str, **values: object) -> str:
    """A template with its words in capitals between «» replaced: «NAME» by what Python writes for the value."""
    return re.sub(r"«(\w+)»", lambda found: literal(values[found[1]]), template)


def literal(value: object) -> str:
    """A value as Python writes it; a long list or table in several lines."""
    text = repr(value)
    return text if len(text) <= 72 else pformat(value, width=80, compact=True, sort_dicts=False)


def preparation_code(steps: Iterable[Prepared]) -> str:
    """The lines that prepare columns of numbers; nothing where nothing is done."""
    kept = [one for one in steps if one.step.keeps_numbers]
    if not kept:
        return ""
    # The name of a column must not be taken for a word of the template that this stands in.
    lines = [f"    ({one.column!r}, {_written(one.step)}),\n".replace("«", "\\u00ab") for one in kept]
    return (
        f"for name, step in [  # before the noise\n{''.join(lines)}]:\n"
        "    data.frame[name] = step.apply(data.frame[name])"
    )


def _written(step: Step) -> str:
    """A step as Python writes it, without what it does not need."""
    needed = {"top": ("share",), "bottom": ("share",), "logarithm": ("unit",), "round": ("grid",)}[step.action]
    if step.limit is not None and "share" in needed:
        needed = ("limit",)
    return f"Step({step.action!r}, {', '.join(f'{name}={getattr(step, name)!r}' for name in needed)})"


def dataset_code(scenario: Scenario, made: str = "") -> str:
    """The line that gets the data: `made`, where the page makes them itself."""
    if made:
        return f"data = {made}"
    if scenario.data.name != OWN:
        return f"data = datasets.load({scenario.data.name!r})"
    name = "data.csv" if scenario.data.file is None else scenario.data.file.name
    return f'data = datasets.inspect({name!r}).dataset(missing="keep")  # the file that the scenario was made with'
