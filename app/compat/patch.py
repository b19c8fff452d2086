"""What a patch is, how it is put on and taken off, and how it is told that what it replaces has changed."""

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import panel
from bokeh.settings import settings

HERE = Path(__file__).parent
LONGEST = 200_000  # characters of a class in a script
MISSING = object()  # a class that has a part only by inheritance


@dataclass(frozen=True)
class Part:
    """A private part of a framework that a patch replaces or relies on, as it was when the patch was tried.

    Attributes
    ----------
    place : a module and a name in it (`panel.reactive:Syncable._process_param_change`), or a class and a method of
        Bokeh's script (`bokeh.js:LayoutDOMView.compute_layout`)
    digest : of its text
    later : of its text in later versions for which the patch was tried, where it is another there
    """

    place: str
    digest: str
    later: str = ""

    def text(self) -> str:
        """Its text in the installed version; empty where there is no such part."""
        module, _, name = self.place.partition(":")
        if module.endswith(".js"):
            return _method(module, *name.split("."))
        try:
            found: Any = import_module(module)
            for one in name.split("."):
                found = inspect.getattr_static(found, one)
            return inspect.getsource(inspect.unwrap(getattr(found, "fget", found)))
        except (ImportError, AttributeError, TypeError, OSError):
            return ""

    def now(self) -> str:
        """The digest of its text in the installed version."""
        return hashlib.sha256(self.text().encode()).hexdigest()[:12]

    @property
    def known(self) -> bool:
        """Whether its text is one for which the patch was tried."""
        return self.now() in (self.digest, self.later)


@cache
def _script(name: str) -> str:
    """The text of a script as Bokeh or Panel ships it: `bokeh.js` or `panel.js`."""
    folder = Path(settings.bokehjs_path()) / "js" if name == "bokeh.js" else Path(panel.__file__).parent / "dist"
    return (folder / name).read_text()


def _method(script: str, kind: str, name: str) -> str:
    """The text of a method of a class in a script; empty where there is none."""
    text = _script(script)
    if (start := re.search(rf"\bclass {kind} ", text)) is None:
        return ""
    body = text[start.start() : start.start() + LONGEST]
    found = re.search(rf"^([ ]+)(?:async |get )?{name}\(.*?(?:^\1\}}|\{{ \}}$)", body, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


@dataclass
class Patch:
    """One patch.

    Attributes
    ----------
    name : of its file, and of its text in docs/upstream
    gain : what it is for, and how much of that it takes away
    versions : by package the first version for which it was tried, and the first for which it was not
    parts : what it replaces or relies on
    replace : by owner and name what is put in place of a part: a function that gets the old one
    script : the file with its JavaScript, which a page runs before it is put together
    """

    name: str
    gain: str
    versions: Mapping[str, tuple[str, str]]
    parts: tuple[Part, ...]
    replace: Mapping[tuple[Any, str], Callable[[Any], Any]] = field(default_factory=dict)
    script: str = ""

    def __post_init__(self) -> None:
        self._before: dict[tuple[Any, str], Any] = {}
        self.on = False

    @property
    def fits(self) -> bool:
        """Whether it was tried with the versions that are installed."""
        return all(_number(low) <= _number(version(p)) < _number(high) for p, (low, high) in self.versions.items())

    def put_on(self) -> None:
        """Replace the parts; once is as good as twice."""
        if self.on:
            return
        self.on = True
        for (owner, name), made in self.replace.items():
            self._before[owner, name] = vars(owner).get(name, MISSING)
            setattr(owner, name, made(getattr(owner, name)))

    def take_off(self) -> None:
        """Put everything back as it was."""
        if not self.on:
            return
        self.on = False
        for (owner, name), old in self._before.items():
            delattr(owner, name) if old is MISSING else setattr(owner, name, old)
        self._before.clear()

    def text(self) -> str:
        """Its JavaScript."""
        return (HERE / self.script).read_text() if self.script else ""


def _number(text: str) -> tuple[int, ...]:
    """The numbers of a version: what comes before a release counts as the release."""
    return tuple(int(one) for one in re.match(r"[\d.]+\d|\d+", text)[0].split("."))  # type: ignore[index]
