"""The Survey dashboard in a real browser, found and used by role and name, as a person would."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.app.pages import verdict

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


@pytest.fixture(autouse=True, scope="module")
def patience():
    """Every change replays a survey: on a busy machine that takes longer than the usual five seconds."""
    expect.set_options(timeout=20_000)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def page(open_page):
    page = open_page()
    page.get_by_role("button", name="Survey", exact=True).click()
    page.get_by_role("heading", name="Respondents arriving").wait_for()
    page.get_by_role("row").filter(has_text="follows").first.wait_for(state="attached")
    return page


def respondents(page):
    text = page.get_by_role("status").filter(has_text="respondents").inner_text()
    return int(text.split(" respondents")[0].replace(" ", ""))


def pick(page, name):
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def test_it_tells_its_story_before_anything_is_pressed(page):
    expect(page.get_by_text("Votes in the US House of Representatives, 1984, 435 rows")).to_be_visible()
    expect(verdict(page)).to_contain_text(re.compile(r"The miner tells Democrat from Republican for 8\d % of people"))
    assert respondents(page) == 200
    expect(page.get_by_role("region", name=re.compile("How much every direction"))).to_be_visible()
    expect(page.get_by_role("rowheader", name=re.compile("Physician fee freeze"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"number of directions fell from \d+ to \d"))).to_be_visible()
    for kind in ("fundamentalists", "pragmatists", "marginally concerned"):
        expect(page.get_by_role("rowheader", name=kind, exact=True)).to_be_visible()
    cell = page.get_by_role("cell", name=re.compile("^[YN]$")).first
    assert re.match(r"Handicapped infants: (Yes|No); sent: ", cell.get_attribute("title"))


def test_play_pause_step_and_restart(page):
    page.get_by_role("button", name="One more").click()
    expect(page.get_by_text("201 respondents")).to_be_visible()
    pick(page, "1 000")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    start, before = time.monotonic(), respondents(page)
    page.wait_for_timeout(3_000)
    rate = (respondents(page) - before) / (time.monotonic() - start)
    # The stream keeps its pace, and the page stays live meanwhile: another page opens and comes back.
    assert rate > 300
    page.get_by_role("button", name="Categories", exact=True).click()
    page.get_by_role("heading", name="What is guaranteed").wait_for()
    page.get_by_role("button", name="Survey", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    paused = respondents(page)
    assert paused > 1_000
    page.wait_for_timeout(800)
    assert respondents(page) == paused
    page.get_by_role("button", name="Restart").click()
    expect(page.get_by_text("0 respondents", exact=True)).to_be_visible()
    expect(verdict(page)).to_contain_text("Nobody has been asked yet")


def test_settings_replay_the_same_people(page):
    first = page.get_by_role("row").filter(has_text="200").first.inner_text()
    slider = page.get_by_role("slider", name="Leave out below this share of the strongest")
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile("directions (stays at 2|fell from 3 to 2)"))).to_be_visible()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(re.compile(r"directions fell from 10 to"))).to_be_visible()
    page.wait_for_timeout(600)
    assert page.get_by_role("row").filter(has_text="200").first.inner_text() == first
    pick(page, "signed")
    expect(verdict(page)).to_contain_text("In signed order")
    expect(verdict(page)).not_to_contain_text(re.compile("for 8[5-9] % of people"))
    page.get_by_label("Follow: fundamentalists").select_option("nothing")
    expect(
        page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="fundamentalists", exact=True))
    ).to_contain_text("nothing")


def test_the_malicious_miner_the_extra_check_and_randomisation_beside_it(page):
    pick(page, "asks outright")
    expect(verdict(page)).to_contain_text("The miner reads the answer to “Physician fee freeze” of everybody.")
    page.get_by_role("checkbox", name="extra check").check(force=True)
    expect(verdict(page)).to_contain_text("Everybody refuses: nothing leaves.")
    expect(page.get_by_text("So they refuse: nothing is sent.")).to_be_visible()
    pick(page, "hides it")
    expect(verdict(page)).to_contain_text("The guidance passes, and finds “Physician fee freeze”")
    page.get_by_label("The one question to watch").select_option("10. Immigration")
    expect(verdict(page)).to_contain_text("Immigration")
    page.get_by_role("checkbox", name="extra check").uncheck(force=True)
    pick(page, "honest")
    expect(verdict(page)).to_contain_text("The miner tells Democrat from Republican")
    page.get_by_role("checkbox", name="randomisation beside it").check(force=True)
    expect(page.get_by_text(re.compile(r"Noise that gives away as much .* reaches \d+\.\d %"))).to_be_visible()
    expect(page.get_by_role("rowheader", name="randomised")).to_be_visible()


def test_your_own_answers(page):
    pick(page, "your own answers")
    expect(verdict(page)).to_contain_text(re.compile(r"a miner guesses \d+ of your 16 answers right"))
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Immigration"))
    before = row.inner_text()
    yes = row.get_by_role("radio", name="Immigration: Yes")
    other = row.get_by_role("radio", name="Immigration: No") if yes.is_checked() else yes
    other.check(force=True)
    expect(row).not_to_have_text(before)
    expect(other).to_be_checked()
    level = page.get_by_role("slider", name="Directions that I follow")
    level.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(verdict(page)).to_contain_text("You send nothing but your Party")
    expect(row).to_contain_text("no answer")
    page.keyboard.press("End")
    expect(verdict(page)).to_contain_text("From what you would send")
    page.get_by_role("button", name="Answer like somebody else").click()
    page.get_by_role("button", name="Draw again").click()
    expect(verdict(page)).to_contain_text("answers sent truly")


def test_other_data_and_a_file_with_markup_for_names(page, tmp_path):
    page.get_by_label("Dataset").select_option("Iris")
    expect(page.get_by_text("4 questions, 16 answers.")).to_be_visible()
    page.get_by_label("which value, against all others").select_option("Virginica")
    expect(verdict(page)).to_contain_text("Virginica from all others")
    rows = "".join(f"{'a' + NASTY if i % 3 else 'b'},{NASTY if i % 2 else 'y'},{i % 7}\n" for i in range(300))
    path = tmp_path / "people.csv"
    path.write_text(f"Class {NASTY},Kind {NASTY},Number\n{rows}")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("people.csv").first).to_be_visible()
    expect(page.get_by_role("rowheader", name=re.compile("Kind <img")).first).to_be_visible()
    pick(page, "your own answers")
    expect(page.get_by_role("rowheader", name=re.compile("Kind <img")).last).to_be_visible()
    assert page.title() == "Trustscope"


def test_nothing_is_cut_off(page):
    for width, height in ((1440, 900), (1024, 768), (700, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for view in ("your own answers", "the survey"):
            pick(page, view)
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
            for part in ("aside", "main"):
                assert page.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth"), (part, width)
