"""What is installed besides the core: every room may ask for it, and what is missing is named with the command."""

from dataclasses import dataclass
from importlib.util import find_spec
from sys import modules

from trustscope.errors import TrustscopeError


@dataclass(frozen=True)
class Extra:
    """Packages that belong together: what they are for, and the names by which they are imported."""

    use: str
    imports: tuple[str, ...]


_FILES = ("charset_normalizer", "pyarrow", "python_calamine")
_RELEASE = (*_FILES, "cryptography", "keyring")
_PAPER = ("PIL", "bokeh", "holoviews", "markdown_it", "matplotlib", "panel", "pptx")
_APP = (*_RELEASE, *_PAPER, "psutil", "segno", "tornado")

# By the name in pyproject.toml, which a test holds to this table.
EXTRAS = {
    "files": Extra("Data of your own (tables and files)", _FILES),
    "release": Extra("Real copies with a ledger", _RELEASE),
    "paper": Extra("Plots, reports and slides", _PAPER),
    "app": Extra("The pages of the app", _APP),
    "serve": Extra("Metrics of a server", (*_APP, "prometheus_client")),
}


class MissingExtra(TrustscopeError, ImportError):
    """Packages are needed that a small installation leaves out; the text has the command that brings them."""


def require(name: str) -> None:
    """Go on if the packages of an extra are installed.

    Parameters
    ----------
    name : str
        One of `EXTRAS`.

    Raises
    ------
    MissingExtra
        With what needs them, which are missing, and the command.
    """
    extra = EXTRAS[name]
    missing = [one for one in extra.imports if one not in modules and find_spec(one) is None]
    if missing:
        raise MissingExtra(
            f'{extra.use} need packages that are not installed ({_listed(missing)}): pip install "trustscope[{name}]"'
        )


def _listed(names: list[str]) -> str:
    """The first three names, and how many more there are."""
    return ", ".join(names) if len(names) < 5 else f"{', '.join(names[:3])} and {len(names) - 3} more"
