"""Find a Chromium for the browser tests, or get one: `python -m tests.chromium`.

The headless shell is the best one: a whole Chromium also draws its own windows, which nobody sees, and takes eight
times as long for a page. It comes by apt (root on Debian); elsewhere a system's Chromium is used, or Playwright brings
one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (
    SHELL,
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")

# Headless, as root, on a machine without a network or a graphics card.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# For many short pages on cores that others want too: scripts are run as they are first compiled, without threads beside
# them. Tests take a twelfth less of the processors; benchmarks are made with a browser as people have it.
FOR_TESTS = [*FLAGS, "--js-flags=--single-threaded --no-opt"]


def find() -> str | None:
    """Path of a Chromium that is here already, or None."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if MAC.exists():
        return str(MAC)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = play.chromium.executable_path
    return path if Path(path).exists() else None


def fetch() -> None:
    """Get a Chromium the way this machine allows."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        for package in (SHELL, "chromium"):
            if subprocess.run(["apt-get", "install", "-y", "-qq", package], check=False).returncode == 0:
                break
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Make sure that there is one; say which, or what to do."""
    known = find()
    if not known or (shutil.which("apt-get") and os.geteuid() == 0 and not shutil.which(SHELL)):
        fetch()
    path = find()
    if path:
        print(f"browser tests use {path}")
        return 0
    print(
        "The browser tests need a Chromium and none could be installed. "
        "Install one (Debian: apt install chromium), then run make test again.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
