"""How a notebook's controls reach the kernel: by Panel's extension of JupyterLab, by ipywidgets, or not at all."""

from __future__ import annotations

import os
import sys
import warnings
from importlib.util import find_spec
from typing import Any

PANEL, WIDGETS, NOWHERE = "panel", "ipywidgets", ""

NO_CHANNEL = (
    "Controls in this notebook cannot reach its kernel. Install ipywidgets where the kernel runs "
    "(pip install ipywidgets), and restart the kernel."
)
NO_MANAGER = (
    "These controls do not reach the kernel, because JupyterLab has no extension that shows them. Where JupyterLab "
    "itself runs: pip install jupyterlab_widgets; then reload this page and run the cell again."
)
NO_PANEL = (
    "Pages in this notebook cannot reach its kernel, because JupyterLab runs in an environment without Panel's "
    "extension: clicks would change nothing. Install Panel there (pip install panel), and start JupyterLab again; or "
    "write study.explore()."
)


def shell() -> Any:
    """What runs the cells, if anything does: IPython, which is then imported already."""
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


def in_kernel() -> bool:
    """Whether a notebook runs this."""
    return getattr(shell(), "kernel", None) is not None


def channel() -> str:
    """What carries a click to this kernel; outside of notebooks Panel, whose servers have a way of their own.

    Panel's extension sets a variable of the environment in the program that serves JupyterLab, and kernels get it from
    there. VS Code and Colab have no extension of Panel's, and both understand ipywidgets.
    """
    if not in_kernel() or (os.environ.get("_PYVIZ_COMMS_INSTALLED") and not _elsewhere()):
        return PANEL
    return WIDGETS if find_spec("ipywidgets") is not None else NOWHERE


def _elsewhere() -> bool:
    return "google.colab" in sys.modules or bool({"VSCODE_CWD", "VSCODE_PID"} & os.environ.keys())


def warn_unheard() -> None:
    """Say so where a page of Panel would be shown and not be heard."""
    if channel() != PANEL and not _elsewhere():
        warnings.warn(NO_PANEL, stacklevel=3)
