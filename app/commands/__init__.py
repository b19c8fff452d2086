"""The subcommands of `trustscope`: each module here is one, found by its presence.

A module has `add_parser(commands)`, which adds its parser to argparse's subparsers under the module's own name (a
trailing underscore is for Python's sake: `class_.py` is `trustscope class`), and `run(args) -> int`, which does the
work and gives the exit code. `trustscope --help` imports all of them: what is heavy (Panel, scikit-learn, pandas) is
imported inside `run`.
"""

import importlib
import pkgutil
from types import ModuleType


def find_commands() -> dict[str, ModuleType]:
    """The subcommands by name, in alphabetical order."""
    names = sorted(entry.name for entry in pkgutil.iter_modules(__path__))
    return {name.rstrip("_"): importlib.import_module(f"{__name__}.{name}") for name in names}
