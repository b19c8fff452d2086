"""Take the README's pictures: `python -m tests.pictures FOLDER` (or `make pictures`)."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.app.conftest import free_port, running
from tests.chromium import FLAGS, find


def trust_nested(page):
    """Three recipients, nested noise."""
    page.get_by_role("button", name="+ add a recipient").click()
    page.wait_for_timeout(1500)


def trust_independent(page):
    """The same with independent noise."""
    trust_nested(page)
    page.get_by_role("radio", name="independent", exact=True).check(force=True)
    page.wait_for_timeout(1500)


def categories(page):
    """The paper's patients, as they stand."""
    page.get_by_role("button", name="Categories", exact=True).click()
    page.get_by_role("heading", name="As recipients join").wait_for()
    page.wait_for_timeout(3000)


def attackers(page):
    """Data made to order, white noise, all attackers."""
    page.get_by_role("radio", name="2 more components").check(force=True)
    page.get_by_text("100 of 100 numeric columns").wait_for()
    page.wait_for_timeout(6000)
    page.get_by_role("heading", name="What an honest analyst").scroll_into_view_if_needed()
    page.wait_for_timeout(500)


def papers(page):
    """The gallery of experiments."""
    page.get_by_role("button", name="Papers", exact=True).click()
    page.get_by_role("button", name="Alice and Bob").wait_for()
    page.wait_for_timeout(1500)


def survey(page):
    """Votes, a few hundred respondents in."""
    page.get_by_role("button", name="Survey", exact=True).click()
    page.get_by_role("heading", name="Respondents arriving").wait_for()
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(4000)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(1500)


def rotation(page):
    """Four letters are known, and their links found."""
    page.get_by_role("button", name="Rotation", exact=True).click()
    page.get_by_role("heading", name="Her records in the release").wait_for()
    page.wait_for_timeout(4000)


PICTURES = {
    "trust-light.png": ("", False, trust_nested),
    "trust-dark.png": ("", True, trust_independent),
    "attackers-light.png": ("?dataset=gaussian", False, attackers),
    "categories-light.png": ("", False, categories),
    "rotation-light.png": ("", False, rotation),
    "survey-light.png": ("", False, survey),
    "papers-light.png": ("", False, papers),
}


def main(folder: str) -> None:
    """Take them all."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command = [sys.executable, "-m", "trustscope", "--port", str(port), "--no-open"]
    with running(command, port) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find(), args=FLAGS)
        for name, (path, dark, prepare) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark" if dark else "light")
            page.goto(address + path)
            page.get_by_role("heading", level=1).wait_for()
            page.wait_for_timeout(2500)
            prepare(page)
            page.screenshot(path=target / name)
            page.close()
            print(target / name)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
