"""Scenarios as files: readable JSON, checked as a whole when it is read.

The app uses what can be used of a file and says what it left out. Who works without a page gets the scenario that the
file describes, or one sentence: figures of another scenario would be taken for those of this one.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from trustscope.scenarios import files, pages
from trustscope.scenarios.base import BaseScenario, Reading
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.value import wrong

MOST_BYTES = 1_000_000  # of a file: no scenario is larger
ANSWER = "Correct it, or open the file in the app, which leaves out what it cannot use."


def read(path: str | Path) -> Any:
    """The scenario in a file; a ScenarioProblem, in a sentence, where it holds anything else."""
    name = Path(path).name
    return scenario_of(content_of(_text(path), name), name)


def usable(path: str | Path) -> Reading:
    """What can be used of a file, and a sentence for each thing that cannot; a ScenarioProblem where it is nothing."""
    content = content_of(_text(path), Path(path).name)
    reading: Reading = pages.kind_of(content.get("page")).read(content)
    return reading


def _text(path: str | Path) -> str:
    """The text of a file that may be a scenario."""
    path = Path(path)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise ScenarioProblem(f"{path.name} is a folder: name a scenario file in it.")
        if size > MOST_BYTES:
            raise ScenarioProblem(f"{path.name} has {size / 1e6:.1f} MB, and no scenario is larger than 1 MB.")
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ScenarioProblem(f"{path.name} cannot be read ({problem.strerror}): check its name and place.") from None
    except UnicodeDecodeError:
        raise ScenarioProblem(f"{path.name} is not a scenario of Trustscope: it is not text.") from None


def content_of(text: str, name: str) -> dict[str, Any]:
    """What a text holds that looks like a scenario; `name` is what the sentences call it."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise ScenarioProblem(f"{name} is not a scenario of Trustscope: it is not JSON.") from None
    if not isinstance(content, dict) or "page" not in content:
        raise ScenarioProblem(f"{name} is not a scenario of Trustscope: it names no page.")
    return content


def scenario_of(content: dict[str, Any], name: str = "This scenario") -> Any:
    """The scenario that `to_dict` gave, of whichever page."""
    try:
        return pages.kind_of(content.get("page")).from_dict(content)
    except ValidationError as error:
        where, what = wrong(error.errors(include_url=False, include_context=False)[0])
        raise ScenarioProblem(f"{name} cannot be used as it is: {where}: {what.rstrip('.')}. {ANSWER}") from None
    except ScenarioProblem as problem:
        raise ScenarioProblem(f"{name} cannot be used. {problem}") from None


def write(scenario: BaseScenario, path: str | Path) -> Path:
    """Write a scenario; the file is there whole or not at all."""
    path = Path(path)
    files.write(path, json.dumps(scenario.to_dict(), indent=2, ensure_ascii=False) + "\n")
    return path
