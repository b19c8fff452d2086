"""The format of lessons: what is read, what is refused and with which sentence, and the small language inside."""

import json
import tracemalloc

import pytest

from trustscope.lessons import reader
from trustscope.lessons import text as texts
from trustscope.lessons.expression import evaluate, names, parsed
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import MOST_WORDS
from trustscope.lessons.reader import FILES, LessonProblem, read, read_text, shelf
from trustscope.lessons.stage import merged, only_at, scenario_at
from trustscope.scenarios.trust.scenario import TrustScenario


def lesson(**changes):
    """A small lesson that is right, with some parts changed."""
    question = {
        "kind": "choice", "ask": "Which?", "right": "yes", "said": {"close": "So it is.", "far": "It is not."},
        "options": [{"value": "yes", "text": "Yes", "when": "1 < 2"}, {"value": "no", "text": "No", "when": "2 < 1"}],
    }  # fmt: skip
    return {
        "id": "small", "title": "Small", "about": "A small one.", "minutes": 2, "page": "trust",
        "scenario": {"data": {"name": "iris"}, "view": {"closer": ""}},
        "steps": [
            {"kind": "look", "title": "Look", "text": "Here.", "cards": ["headline"], "controls": ["noise"]},
            {"kind": "predict", "title": "Say", "text": "Well?", "name": "it", "question": question},
            {"kind": "reveal", "title": "See", "text": "There.", "of": "it"},
        ],
    } | changes  # fmt: skip


def broken(**changes):
    """The sentences about a lesson."""
    with pytest.raises(LessonProblem) as found:
        read_text(json.dumps(lesson(**changes)), "small.json")
    return found.value.sentences


def with_step(place, **changes):
    steps = lesson()["steps"]
    steps[place] = steps[place] | changes
    return {"steps": steps}


def test_a_right_lesson_is_read():
    found = read_text(json.dumps(lesson()), "small.json")
    assert [step.kind for step in found.steps] == ["look", "predict", "reveal"]
    assert only_at(found, 0) == {"headline", "noise"}
    assert scenario_at(found, 0) == TrustScenario.from_dict({"data": {"name": "iris"}, "view": {"closer": ""}})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"page": "nowhere"}, ["small.json, page"]),
        ({"steps": []}, ["small.json, steps"]),
        ({"extra": 1}, ["small.json, extra"]),
        (with_step(0, text="word " * (MOST_WORDS + 1)), ["small.json, step 1", f"{MOST_WORDS + 1} words"]),
        (with_step(0, cards=["pie"]), ["small.json, step 1", "no card “pie”", "headline"]),
        (with_step(0, controls=["pie"]), ["small.json, step 1", "no group of controls “pie”"]),
        (with_step(0, cards=["attackers"]), ["small.json, step 1", "closer"]),
        (with_step(0, scenario={"settings": {"scheme": "loud"}}), ["small.json, step 1", "settings → scheme"]),
        (with_step(0, scenario={"page": "release"}), ["small.json, step 1", "no page “release”"]),
        (with_step(0, scenario={"page": ["trust"]}), ["small.json, step 1", "no page “['trust']”"]),
        (with_step(0, text="{51 %}"), ["small.json, step 1", "not a checked figure"]),
        (with_step(0, text="{51 % = hits | loud}"), ["small.json, step 1", "format “loud”"]),
        (with_step(0, kind="dance"), ["small.json, step 1", "dance"]),
        (with_step(2, of="other"), ["small.json", "step 3", "“other”"]),
        (with_step(1, name="It!"), ["small.json, step 2, name"]),
    ],
)
def test_broken_lessons_get_sentences_with_file_and_step(changes, said):
    sentences = broken(**changes)
    assert any(all(part in sentence for part in said) for sentence in sentences), sentences
    assert all(sentence.endswith(".") for sentence in sentences)


def with_number(**changes):
    question = {
        "kind": "number", "ask": "How much?", "start": 0, "end": 1, "step": 0.01, "figure": "hits.together",
        "truth": 0.5, "close": 0.1, "said": {"close": "So it is.", "far": "It is not."},
    }  # fmt: skip
    return with_step(1, question=question | changes)


def with_curve(**changes):
    question = {
        "kind": "curve", "ask": "How?", "x_label": "trust", "y_label": "hits", "figure": "hits.together", "close": 0.1,
        "points": [{"x": x, "truth": 0} for x in (1, 2, 3)], "said": {"close": "So it is.", "far": "It is not."},
    }  # fmt: skip
    return with_step(1, question=question | changes)


def test_a_slider_of_one_step_and_of_a_million_is_taken():
    for step in (1, 0.1, 0.000001):
        read_text(json.dumps(lesson(**with_number(step=step))), "small.json")
    read_text(json.dumps(lesson(**with_number(end=45_222, step=1, truth=31_000, close=1_000))), "people.json")
    read_text(json.dumps(lesson(**with_number(start=0.1, end=0.3, step=0.2, truth=0.2))), "small.json")
    read_text(json.dumps(lesson(**with_curve())), "small.json")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (with_number(step=1e-300), "1 to 1 000 000 steps of the slider"),
        (with_number(step=2), "1 to 1 000 000 steps of the slider"),
        (with_number(start=-1e308, end=1e308), "too small: write -1e+12 or more"),
        (with_curve(y_start=-1e308, y_end=1e308), "too large: write 1e+12 or less"),
        (with_curve(y_start=0, y_end=0), "y_start must lie below y_end"),
    ],
)
def test_axes_that_nothing_can_be_computed_on_are_refused(changes, said):
    assert any(said in sentence for sentence in broken(**changes)), broken(**changes)


def test_a_lesson_that_holds_far_more_than_any_is_not_looked_at():
    many = {f"k{n}": 0 for n in range(10_000)}
    far = "small.json holds far more than any lesson does: leave out what its steps do not need."
    assert broken(scenario=many) == broken(**many) == [far]
    deep = {}
    for _ in range(100):
        deep = {"more": deep}
    assert broken(scenario=deep) == [far]


def test_of_what_is_wrong_in_hundreds_of_places_one_sentence_is_said():
    many = {f"k{n}": 0 for n in range(1_000)}
    assert broken(**many) == ["small.json is wrong in more than 200 places: begin with a file that is right."]
    (sentence,) = broken(scenario={"view": many})
    assert sentence == "small.json, the scenario of all steps, scenario: more than 200 things in it cannot be used."


def test_steps_are_looked_at_until_there_is_enough_to_say(monkeypatch):
    looked = []
    scenario_of_step = reader.scenario_at
    monkeypatch.setattr(reader, "scenario_at", lambda *where: looked.append(where[1]) or scenario_of_step(*where))
    step = lesson()["steps"][0] | {"scenario": {"view": {f"k{n}": 0 for n in range(15)}}}
    assert len(broken(steps=[step] * 30)) == reader.MOST_PROBLEMS
    assert max(looked) == 1
    looked.clear()
    broken(scenario={"view": {"k": 0}}, steps=[lesson()["steps"][0]] * 30)
    assert looked == [], "a fault of all steps is looked for once"


LIBRARY = ("input should", "field required", "value error", "extra inputs", "pydantic", "valid ", "union", "literal")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"minutes": "long"}, "small.json, minutes: “long” is not possible here: write a whole number."),
        ({"minutes": 0}, "small.json, minutes: 0 is too small: write 1 or more."),
        ({"title": ""}, "small.json, title: this is empty: write a text."),
        ({"page": "nowhere"}, "small.json, page: “nowhere” is not possible here: write "
            "trust, categories, rotation, survey or papers."),
        ({"extra": 1}, "small.json, extra: there is no such thing here: leave it out, or look for a slip of the pen."),
        (with_step(1, question={"kind": "riddle"}),
         "small.json, step 2, question: “riddle” is not a kind: write choice, number, curve, ranking."),
        (with_step(0, title=3), "small.json, step 1, title: “3” is not possible here: write a text."),
        (with_step(0, cards="headline"),
         "small.json, step 1, cards: “headline” is not possible here: write a list in [ ]."),
        (with_step(0, scenario={"settings": {"scheme": "loud"}}),
         "small.json, step 1, scenario → settings → scheme: “loud” is not possible here: write "
         "nested, independent or proportional."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_once_in_our_own_words(changes, said):
    sentences = broken(**changes)
    assert sentences == [said]
    assert not [word for word in LIBRARY if word in " ".join(sentences).lower()]


def test_a_fault_of_all_steps_is_said_once():
    (sentence,) = broken(scenario={"settings": {"scheme": "loud"}})
    assert sentence.startswith("small.json, the scenario of all steps, scenario → settings → scheme")


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "line 1"), ("[]", "not a lesson"), ("[" * 100_000, "nested"), ('{"id": 1' + "0" * 5_000 + "}", "digits")],
)
def test_what_is_no_lesson_at_all(text, said):
    with pytest.raises(LessonProblem, match=said):
        read_text(text, "small.json")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(LessonProblem, match="cannot be read"):
        read(tmp_path / "nowhere.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LessonProblem, match="UTF-8"):
        read(tmp_path / "binary.json")


def test_the_lessons_that_come_with_the_app():
    assert len(shelf()) >= 12
    assert len({one.id for one in shelf()}) == len(shelf()) == len(list(FILES.glob("*.json")))
    assert all(3 <= len(one.steps) <= 9 for one in shelf())
    kinds = {step.kind for one in shelf() for step in one.steps}
    assert kinds == {"look", "try", "predict", "reveal", "explain"}
    asked = {step.question.kind for one in shelf() for step in one.steps if step.kind == "predict"}
    assert asked == {"choice", "number", "curve", "ranking"}


def test_texts():
    text = "It is {51 % = coalition.hits | share}, {twice as often = a > 2 * b}, *really* <b>."
    assert texts.plain_text(text) == "It is 51 %, twice as often, really <b>."
    assert texts.html(text) == "<p>It is <b>51\u202f%</b>, <b>twice as often</b>, <em>really</em> &lt;b&gt;.</p>"
    assert list(texts.claims(text)) == [("51 %", "coalition.hits", "share"), ("twice as often", "a > 2 * b", "")]
    assert texts.loose_numbers("In 2012 {4 = 2 + 2 | count} of 3.") == ["2012", "3."]
    assert texts.words("One, {two = 1 < 2} and *three* don't.") == 5


def test_expressions():
    known = {"a.b": 3, "settings.recipients": (1, 2), "share.Start-up": 0.5}

    def value(text):
        return evaluate(text, lambda name, at: known[name] if at is None else -at)

    assert value("2 * a.b + 1 == 7 and not a.b < 2") is True
    assert value("1 < a.b < 4 or 1 / 0 > 2") is True
    assert value("len(settings.recipients) + abs(-2) + max(1, 5)") == 9
    assert value('figure("share.Start-up") + at(4, a.b)') == -3.5
    assert value('"ab" in "cabs"') is True
    assert names('a.b > len(settings.recipients) + figure("x y")') == {"a.b", "settings.recipients", "x y"}


def test_parts_of_values():
    scenario = TrustScenario()
    assert evaluate("settings.recipients[1].trust", lambda name, at: scenario.at(name)) == 45
    for bad in (
        "settings.recipients[99].trust",
        "settings.recipients[0].model_fields",
        "settings.recipients[0].replace",
    ):
        with pytest.raises(ValueError):
            evaluate(bad, lambda name, at: scenario.at(name))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "open('x')",
        "(lambda: 1)()",
        "[x for x in y]",
        "a ** 9",
        "f'{a}'",
        "a.b()",
        "x := 1",
        "None",
        "9" * 500,
    ],
)
def test_nothing_else_is_understood(text):
    with pytest.raises(ValueError):
        parsed(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('len("x" * 700000000) > 1', "only numbers"),
        ("len((1,) * 400000000) > 1", "only numbers"),
        ('"x" + "y"', "only numbers"),
        ('-"a"', "only numbers"),
        ("settings.at.__code__.co_filename", "has no setting"),
        ("settings.model_dump", "has no setting"),
        ("settings.recipients.__class__", "has no setting"),
        ('figure("settings.at.__code__.co_filename")', "has no setting"),
        ("-" * 390 + "1", "inside one another"),
        ("seed < settings.scheme", "its kind"),
        ("len(3)", "its kind"),
        ("min()", "its kind"),
        ("1 / 0", "by zero"),
        ("9" * 390 + " * 1.5", "too large"),
    ],
)
def test_what_a_stranger_writes_reaches_nothing_takes_no_memory_and_gets_a_sentence(text, sentence):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=sentence):
            Facts().evaluate(text, TrustScenario())
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_merging_leaves_what_is_merged_as_it_was():
    first, second = {"a": {"b": 1, "c": [1]}}, {"a": {"c": [2]}}
    assert merged(first, second) == {"a": {"b": 1, "c": [2]}}
    assert first == {"a": {"b": 1, "c": [1]}}
