"""The Survey page in a real browser, found and used by role and name, as a person would."""

import re

import pytest

from tests.app.pages import fits, look_closer, settled, tick, unfold, verdict
from tests.waiting import expect

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror=document.title='hacked'>"


@pytest.fixture
def page(go_to):
    return go_to("?page=survey")


def status(page):
    return page.get_by_role("status").filter(has_text="respondent")


def respondents(page):
    return int(re.sub(r"\D", "", status(page).inner_text().split("respondent")[0]))


def pick(page, name):
    tick(page.get_by_role("radio", name=name, exact=True))


def test_it_tells_its_story_before_anything_is_pressed(page):
    expect(page.get_by_text("Votes in the US House of Representatives, 1984, 435 rows")).to_be_visible()
    expect(verdict(page)).to_contain_text(re.compile(r"The miner tells Democrat from Republican for 8\d\.\d\s% of"))
    expect(verdict(page)).to_contain_text("by the class alone")
    assert respondents(page) == 200
    for heading in ("Respondents arriving", "How often one answer is guessed", "How good the classifier gets"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    cell = page.get_by_role("cell", name=re.compile("^[YN]$")).first
    assert re.match(r"Handicapped infants: (Yes|No); sent: ", cell.get_attribute("title"))


def test_play_pause_step_and_restart(page):
    page.get_by_role("button", name="One more").click()
    expect(status(page)).to_have_text("201 respondents")
    pick(page, "1 000 a second")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(status(page)).to_have_text(re.compile(r"^[1-9]\d?\s\d{3} respondents"))
    # The page stays live meanwhile: another one opens and comes back.
    page.get_by_role("button", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Who learns what")).to_be_visible()
    page.get_by_role("button", name="Survey", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    paused = respondents(settled(page))
    assert paused > 1_000
    page.get_by_role("button", name="One more").click()
    expect(status(page)).to_have_text(re.compile(rf"^{(paused + 1) // 1000}\s{(paused + 1) % 1000:03d} respondents"))
    page.get_by_role("button", name="Restart").click()
    expect(status(page)).to_have_text("0 respondents")
    expect(verdict(page)).to_contain_text("Nobody has been asked yet")


def test_how_many_are_of_a_kind_can_be_typed(page):
    box = page.get_by_role("textbox", name="How many are fundamentalists, typed")
    expect(box).to_have_value("17")
    box.fill("50 %")
    box.press("Enter")
    expect(page.get_by_role("slider", name="How many are fundamentalists")).to_have_value("50")
    expect(page.get_by_role("textbox", name="How many are pragmatists, typed")).to_have_value("34")
    box.fill("many")
    box.press("Enter")
    expect(box).to_have_value("50")


def test_own_answers_and_what_is_sent_of_them(page):
    """`test_survey_page.py` has what a link to them opens."""
    look_closer(page, "Your own answers")
    expect(page.get_by_text(re.compile(r"a miner guesses \d+ of your 16 answers right"))).to_be_visible()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Immigration"))
    answer = "No" if row.get_by_role("radio", name="Immigration: Yes").is_checked() else "Yes"
    before = page.url
    tick(row.get_by_role("radio", name=f"Immigration: {answer}"))
    expect(page).not_to_have_url(before)
    page.get_by_role("slider", name="Directions that I follow").press("Home")
    expect(page.get_by_text("You send nothing but your Party")).to_be_visible()
    expect(row).to_contain_text("no answer")
    for title in ("Your own answers", "What each kind gives away"):
        look_closer(page, title)
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        for wide, high in ((1440, 900), (1024, 768), (390, 844)):
            fits(page, wide, high)
        page.set_viewport_size({"width": 1440, "height": 900})


def test_other_data_data_without_a_class_and_markup_for_names(page, tmp_path):
    unfold(page, "Data")
    expect(page.get_by_label("Class to be learnt")).to_be_visible()
    page.get_by_label("Dataset").select_option("Iris")
    page.get_by_label("which value, against all others").select_option("Virginica")
    expect(verdict(page)).to_contain_text("Virginica from all others")
    numbers, people = tmp_path / "numbers.csv", tmp_path / "people.csv"
    numbers.write_text("A,B\n" + "".join(f"{i * 0.37:.3f},{i * i % 101 + 0.5}\n" for i in range(300)))
    page.locator(".dropzone input[type=file]").set_input_files(numbers)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("there is no class to learn")).to_be_visible()
    expect(verdict(page)).to_contain_text("Virginica from all others")  # nothing has changed
    rows = "".join(f"{'a' + NASTY if i % 3 else 'b'},{NASTY if i % 2 else 'y'},{i % 7}\n" for i in range(300))
    people.write_text(f"Class {NASTY},Kind {NASTY},Number\n{rows}")
    page.locator(".dropzone input[type=file]").set_input_files(people)
    expect(page.get_by_role("checkbox", name="Use Number")).to_be_visible()  # until then the first file is shown
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("people.csv").first).to_be_visible()
    look_closer(page, "Your own answers")
    expect(page.get_by_role("rowheader", name=re.compile("Kind <img")).last).to_be_visible()
    assert page.title().startswith(("Trustscope", "Survey"))


def test_a_questionnaire_with_a_question_that_follows_on_another(page, tmp_path):
    """Who does not smoke is not asked how much: nobody without a gap is one of them, and another class is learnt."""
    file = tmp_path / "smokers.csv"
    rows = ("no,,never\n", "yes,few,often\n", "no,,often\n", "yes,many,never\n", "yes,many,often\n")
    file.write_text("smoker,cigarettes,sport\n" + "".join(rows) * 40)
    unfold(page, "Data")
    page.locator(".dropzone input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("120 people, who have no gap, can be asked.")).to_be_visible()
    expect(verdict(page)).to_contain_text(re.compile("What respondents send"))
