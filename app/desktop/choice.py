"""Which window to open: pywebview's, an app window of an installed browser, or the ordinary browser."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from trustscope.app.desktop.folder import read_browser_size

NAMED = "TRUSTSCOPE_BROWSER"  # the variable that names a browser of the Chromium family
# The Chromium family, as commands, and where macOS and Windows put them.
COMMANDS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "microsoft-edge-stable",
    "brave-browser", "vivaldi", "chrome", "msedge",
)  # fmt: skip
APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
PROGRAMS = (
    "Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe",
    "BraveSoftware/Brave-Browser/Application/brave.exe", "Chromium/Application/chrome.exe",
)  # fmt: skip


@dataclass(frozen=True)
class Window:
    """One way to show the app: what it is called, and the command that lasts as long as the window is open.

    Without a command it is the ordinary browser, of which nobody learns when the page is closed.
    """

    kind: str
    command: tuple[str, ...] = ()


def windows(
    link: str, folder: Path, *, platform: str = sys.platform, environment: Mapping[str, str] = os.environ,
    has: Callable[[str], bool] | None = None, which: Callable[[str], str | None] = shutil.which,
) -> Iterator[Window]:  # fmt: skip
    """All ways that there are here, the best first; the last one is always the ordinary browser.

    Parameters
    ----------
    link : the address of the app
    folder : where settings are kept; a browser's app window has its own profile there
    platform, environment, has, which : what stands for this machine; `has` says whether a Python module is installed
    """
    has = has or (lambda name: importlib.util.find_spec(name) is not None)
    if has("webview") and (platform in ("darwin", "win32") or has("gi") or has("qtpy")):
        yield Window("pywebview", (sys.executable, "-m", "trustscope.app.desktop.pane", link))
    browser = find_browser(platform=platform, environment=environment, which=which)
    if browser is not None:
        yield Window("browser app window", _app_window(browser, link, folder / "browser"))
    yield Window("browser")


def find_browser(
    first: tuple[str, ...] = (), *, platform: str = sys.platform, environment: Mapping[str, str] = os.environ,
    which: Callable[[str], str | None] = shutil.which,
) -> str | None:  # fmt: skip
    """The first browser of the family that is installed; commands in `first` are looked for before all others."""
    if environment.get(NAMED):
        return which(environment[NAMED])
    if path := next((path for name in first if (path := which(name))), None):
        return path
    places = []
    if platform == "darwin":
        places = [Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in APPLICATIONS]
    elif platform == "win32":
        above = [environment.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
        places = [Path(one) / program for program in PROGRAMS for one in above if one]
    found = next((str(place) for place in places if place.is_file()), None)
    return found or next((path for name in COMMANDS if (path := which(name))), None)


def _app_window(browser: str, link: str, profile: Path) -> tuple[str, ...]:
    """With a profile of its own the browser's process lasts as long as the window."""
    size = read_browser_size(profile)
    return (
        browser, f"--app={link}", f"--user-data-dir={profile}", "--no-first-run", "--no-default-browser-check",
        "--disable-background-mode", f"--window-size={size.width},{size.height}",
    )  # fmt: skip
