"""Scenarios of older versions are carried forward step by step; those of newer ones get a sentence.

When the form of a scenario changes, `VERSION` grows by one, and `STEPS` gets an entry for the version before: a
function with a name that says what it does, which takes the content of a file of that version and gives that of the
next one.
"""

from collections.abc import Callable
from typing import Any

from trustscope.scenarios.problem import ScenarioProblem

VERSION = 1
Step = Callable[[dict[str, Any]], dict[str, Any]]
STEPS: dict[int, Step] = {}
NEWER = (
    "This scenario is of version {}, and this Trustscope knows versions up to {}: open it with a newer Trustscope, or "
    "save it again there."
)


def version_of(content: dict[str, Any]) -> int:
    """The version that a scenario says it has; the present one where it says nothing."""
    version = content.get("trustscope", VERSION)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ScenarioProblem("The version of a scenario, “trustscope”, is a whole number from 1 on.")
    return version


def carried_forward(content: dict[str, Any]) -> dict[str, Any]:
    """The content in the form of the present version.

    Raises
    ------
    ScenarioProblem
        Where the version is a newer one, or none.
    """
    version = version_of(content)
    if version > VERSION:
        raise ScenarioProblem(NEWER.format(version, VERSION))
    while version < VERSION:
        content = STEPS[version](content)
        version += 1
    return content
