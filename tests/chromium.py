"""Find a Chromium for the browser tests, or get one: `python -m tests.chromium`.

A system Chromium is used where there is one; otherwise it comes by apt (root on Debian) or by Playwright.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
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
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Make sure that there is one; say which, or what to do."""
    if not find():
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
