"""What the desktop program remembers, in the user's folder for settings."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST, MOST = 320, 10_000  # pixels of a side that are believed


@dataclass(frozen=True)
class Size:
    """Of the window, in pixels."""

    width: int = 1360
    height: int = 900


def settings_folder(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """Where this user's programs keep their settings, by the rules of the platform; it need not exist."""
    if platform == "win32":
        above = environment.get("APPDATA") or Path.home() / "AppData" / "Roaming"
    elif platform == "darwin":
        above = Path.home() / "Library" / "Application Support"
    else:
        above = environment.get("XDG_CONFIG_HOME") or ""
        if not Path(above).is_absolute():  # the rules say that anything else is to be ignored
            above = Path.home() / ".config"
    return Path(above) / "trustscope"


def read_size(folder: Path) -> Size:
    """The size that the window had when it was closed; the usual one where nothing can be read."""
    try:
        found = json.loads((folder / "window.json").read_text(encoding="utf-8"))
        sides = [found["width"], found["height"]]
    except (OSError, ValueError, KeyError, TypeError):
        return Size()
    return _believed(*sides)


def read_browser_size(profile: Path) -> Size:
    """The size that a browser's app window had when it was closed, from the profile that the browser keeps.

    A browser of the Chromium family writes it down under the address, whose dots it takes for steps into a tree, so
    that it does not find it again itself.
    """
    try:
        found = json.loads((profile / "Default" / "Preferences").read_text(encoding="utf-8"))
        found = found["browser"]["app_window_placement"]
        while "bottom" not in found:
            found = next(one for one in found.values() if isinstance(one, dict))
        return _believed(found["right"] - found["left"], found["bottom"] - found["top"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return Size()


def _believed(*sides: Any) -> Size:
    """These sides where they can be those of a window; else the usual ones."""
    good = all(isinstance(side, int) and not isinstance(side, bool) and LEAST <= side <= MOST for side in sides)
    return Size(*sides) if good else Size()


def write_size(folder: Path, size: Size) -> None:
    """Remember it; a folder that cannot be written is no reason to fail."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "window.json").write_text(json.dumps({"width": size.width, "height": size.height}), encoding="utf-8")
    except OSError:
        return
