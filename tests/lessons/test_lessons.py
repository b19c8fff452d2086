"""Every step of every lesson against the engine, and how it reads."""

import json
import re
from pathlib import Path

import pytest

from trustscope.app.categories.promises import PromisesView
from trustscope.app.cli import main
from trustscope.lessons import text as texts
from trustscope.lessons.check import check, check_step
from trustscope.lessons.facts import Facts
from trustscope.lessons.reader import FILES, find, read_text, shelf, texts_of
from trustscope.lessons.stage import scenario_at
from trustscope.looks import looks_of
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories.loading import fetch, load
from trustscope.scenarios.glossary import TERMS

WORDS = set((Path(__file__).parent / "words.txt").read_text().split())
STEPS = [
    pytest.param(lesson, place, id=f"{lesson.id}-{place + 1}")
    for lesson in shelf()
    for place in range(len(lesson.steps))
]


@pytest.fixture(scope="module")
def facts():
    """Figures are shared: many steps show the same scenario."""
    return Facts()


@pytest.mark.parametrize(("lesson", "place"), STEPS)
def test_everything_that_a_step_states_is_so(lesson, place, facts):
    assert not list(check_step(lesson, place, facts))


def changed(id, old, new):
    """A lesson of ours with something in it changed."""
    path = next(path for path in FILES.glob("*.json") if path.stem.endswith(id))
    text = path.read_text()
    assert old in text
    return read_text(text.replace(old, new, 1), path.name)


@pytest.mark.parametrize(
    ("id", "old", "new", "said"),
    [
        ("diagnosis", "{46 % = alone.right", "{47 % = alone.right", "step 3: the text says “47 %”, and alone.right"),
        ("diagnosis", "{10 = values | count}", "10", "step 1: the number 10 is not checked"),
        ("diagnosis", "alone.right | share", "alone.wrong | share", "no figure “alone.wrong”"),
        ("diagnosis", '"truth": 0.46', '"truth": 0.5', "step 2: the truth is stated as 0.5, and alone.right is 0.46"),
        ("diagnosis", '"right": "surer"', '"right": "same"', "step 4"),
        ("diagnosis", "abs(together.belief - alone.belief) < 0.0001", "together.belief > 0", "is reached before"),
        ("diagnosis", '"scheme": "nested"', '"scheme": "independent"', "does not reach the goal"),
        ("filtered", '"as-is",\n          "each"', '"each",\n          "as-is"', "“each” stands before “as-is”"),
        ("rotation", '"truth": 0.997', '"truth": 0.8', "at 9 the truth is stated as 0.8"),
    ],
)  # fmt: skip
def test_what_is_not_so_is_found(id, old, new, said, facts):
    found = check(changed(id, old, new), facts)
    assert any(said in sentence for sentence in found), found


def test_every_prediction_must_be_revealed_and_every_lesson_end(facts):
    lesson = find("diagnosis")
    steps = tuple(step for step in lesson.steps if getattr(step, "of", "") != "agree" and step.kind != "reveal")
    assert {s.kind for s in steps} >= {"predict"}
    cut = lesson.model_copy(update={"steps": steps, "learnt": "Of 3 copies two agree."})
    found = check(cut, facts)
    asked = [step.name for step in steps if step.kind == "predict"]
    for name in asked:
        (sentence,) = [one for one in found if f"“{name}” is never revealed" in one]
        assert f'write a later step with "kind": "reveal" and "of": "{name}"' in sentence
    assert any("“learnt” has the number 3" in one for one in found)
    assert check(lesson.model_copy(update={"learnt": ""}), facts) == [
        "“learnt” is missing: write what is learnt, in one sentence; the last page of the lesson says it."
    ]


def test_the_command(tmp_path, capsys):
    ours = next(FILES.glob("*diagnosis.json"))
    assert main(["lesson", "check", str(ours)]) == 0
    assert "6 steps, all checks passed" in capsys.readouterr().out
    wrong = tmp_path / "wrong.json"
    wrong.write_text(ours.read_text().replace("{46 % = alone.right", "{47 % = alone.right"))
    assert main(["lesson", "check", str(wrong)]) == 1
    assert "wrong.json, step 3" in capsys.readouterr().err
    wrong.write_text(json.dumps({"id": "x"}))
    assert main(["lesson", "check", str(wrong)]) == 2


# How it reads


def unknown(text):
    """Words that are neither on the list of plain words nor in the glossary."""
    for term in sorted(TERMS, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){re.escape(term)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return set(re.findall(r"[a-z][a-z'’-]*", text.lower())) - WORDS


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_only_plain_words_and_those_of_the_glossary(lesson):
    said = [lesson.title, lesson.about, lesson.learnt]
    for place in range(len(lesson.steps)):
        said += texts_of(lesson, place)
    assert not unknown(" ".join(map(texts.plain_text, said)))


def test_a_technical_word_is_seen():
    assert unknown("the eigenvalue of a homoscedastic copy") == {"homoscedastic"}


def test_the_glossary():
    assert all(sentence.endswith(".") and sentence.count(". ") == 0 for sentence in TERMS.values())
    for word in ("nested", "coalition", "breach", "retention", "LLSE", "eigenvalue", "trust level"):
        assert word in TERMS


def test_a_lesson_is_found_by_name():
    assert find("two-copies") is shelf()[0]
    assert find("nothing") is None


# Lessons whose subject is a weaker attacker, whom they name: linear guesses against the best one, and four who filter.
WEAKER = {"average-misleads", "filtered", "shaped"}


@pytest.mark.parametrize("lesson", [one for one in shelf() if one.page == "trust"], ids=lambda one: one.id)
def test_what_a_lesson_says_of_safety_is_said_of_the_strongest_attacker(lesson):
    steps = [scenario_at(lesson, place) for place in range(len(lesson.steps))]
    weaker = any("strongest" not in one.settings.attackers for one in steps)
    assert weaker == (lesson.id in WEAKER)


def test_the_lesson_about_promises_has_no_greek_in_front_of_students():
    lesson = next(one for one in shelf() if one.id == "guarantee")
    greek = re.compile(r"[\u0370-\u03ff]|\b(rho|gamma|delta)\b")
    view, card = PromisesView(lambda settings: None), cards_of("categories")["promises"]
    said = [view.rho1.label, view.rho2.label, view.delta.label]
    for place, step in enumerate(lesson.steps):
        said += map(texts.plain_text, texts_of(lesson, place))
        if "promises" in step.cards:
            scenario = scenario_at(lesson, place)
            model = load(fetch(scenario), scenario)
            picture = model.preview(model.fit_to_data(scenario))
            view.show_picture(picture, model)
            said += [pane.object for pane in view.words.values()]
            said += [mark.name for mark in looks_of(looks_of(card.table(picture, model)).more["curves"]).uprights]
            said.append(card.caption(picture, model))
            # What the step calls kept stands beside no cross, whatever else could be promised.
            kept = "So the promise is kept" in step.text
            assert not (kept and any("✗" in pane.object for pane in view.words.values()))
    assert not [one for one in said if greek.search(one)]
