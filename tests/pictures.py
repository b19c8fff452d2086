"""Take the README's pictures: `python -m tests.pictures FOLDER` (or `make pictures`)."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.app.conftest import free_port, running
from tests.app.pages import scheme, settled
from tests.chromium import FLAGS, find
from tests.waiting import LONG, expect
from trustscope.handouts.film import film
from trustscope.scenarios.trust.scenario import TrustScenario


def nested(page):
    """One switch, and the leak is gone."""
    scheme(page, "nested")
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("gain nothing")


def insider(page):
    """Somebody knows a few records."""
    page.get_by_role("radio", name="2 An insider knows a few").check(force=True)
    expect(page.get_by_role("heading", name="Known records, found in the release")).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def as_it_opens(page):
    """Nothing is touched."""


# File name: query, what is done, size, dark.
PICTURES = {
    "learn-light": ("", as_it_opens, (1440, 900), False),
    "trust-light": ("?page=trust", as_it_opens, (1440, 900), False),
    "trust-dark": ("?page=trust", nested, (1440, 900), True),
    "trust-phone": ("?page=trust", as_it_opens, (390, 844), False),
    "categories-light": ("?page=categories", as_it_opens, (1440, 900), False),
    "rotation-light": ("?page=rotation", insider, (1440, 900), False),
    "survey-light": ("?page=survey", as_it_opens, (1440, 900), False),
    "papers-light": ("?page=papers", as_it_opens, (1440, 900), False),
}


def main(folder: Path) -> None:
    """Film pooling; then photograph each page in a window of its own, when its figures are final."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pooling.gif").write_bytes(film(TrustScenario(), ".gif"))
    port = free_port()
    command = [sys.executable, "-m", "trustscope", "--port", str(port), "--no-open"]
    with running(command, port) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find(), args=FLAGS)
        for name, (query, act, size, dark) in PICTURES.items():
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )  # fmt: skip
            page = context.new_page()
            page.set_default_timeout(LONG)
            page.goto(address + query)
            settled(page)
            act(page)
            settled(page)
            page.wait_for_timeout(1500)  # canvases paint a frame later
            page.screenshot(path=folder / f"{name}.png")
            context.close()
            print(folder / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
