"""An HTML hand-out as a PDF, printed by a browser of the Chromium family that is installed."""

import os
import subprocess
import tempfile
from pathlib import Path

from trustscope.app.desktop.choice import NAMED, find_browser
from trustscope.app.serving import log
from trustscope.scenarios.problem import ScenarioProblem

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")  # they draw no windows, so they are faster
PAPERS = {"a4": "A4", "letter": "letter"}
SECONDS = 120  # the longest that a browser may take
NONE = (
    "A PDF is printed by a browser, and none of the Chromium family is installed where Trustscope runs. Install "
    f"Chromium, Chrome or Edge there, name one in the variable {NAMED}, or take the report as HTML and print that."
)


def pdf(text: str, paper: str = "a4") -> bytes:
    """The PDF of an HTML text, everything that is folded in it opened.

    Parameters
    ----------
    text : str
        A report.
    paper : str
        a4 or letter.

    Raises
    ------
    ScenarioProblem
        Where there is no browser, or it prints nothing.
    """
    browser = found_browser()
    with tempfile.TemporaryDirectory(prefix="trustscope-") as folder:
        page, out = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(for_paper(text, paper), encoding="utf-8")
        try:
            told = subprocess.run(_command(browser, page, out), capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise ScenarioProblem(f"The browser that prints did not end within {SECONDS} seconds.") from None
        if not out.is_file() or not out.stat().st_size:
            last = told.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            reference = log.reference()  # what it says names places of this machine: not for a page
            log.get(__name__).error("error %s: %s printed nothing and says: %s", reference, browser, last or "nothing")
            raise ScenarioProblem(f"The browser that prints has printed nothing. The log has the cause: {reference}.")
        return out.read_bytes()


def found_browser() -> str:
    """The browser that prints; `ScenarioProblem` where there is none: to be asked before a report is worked out."""
    browser = find_browser(SHELLS)
    if browser is None:
        raise ScenarioProblem(NONE)
    return browser


def for_paper(text: str, paper: str) -> str:
    """The same page for this size of paper, with nothing folded."""
    return text.replace("@page { size: A4;", f"@page {{ size: {PAPERS[paper]};", 1).replace(
        "<details>", "<details open>"
    )


def _command(browser: str, page: Path, out: Path) -> list[str]:
    # Root may not use the sandbox; the page is our own and runs no scripts.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [
        browser, "--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", *root,
        f"--user-data-dir={page.parent / 'profile'}", f"--print-to-pdf={out}", page.as_uri(),
    ]  # fmt: skip
