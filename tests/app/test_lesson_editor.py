"""The form in which a lesson is written, without a browser: what it keeps, checks, computes and brings back."""

import asyncio
import json
import threading

import pytest

from tests.app.test_learn_page import OWN, SHORT, opened, until
from tests.messages import tell
from trustscope.app import jobs
from trustscope.app.jobs import Run
from trustscope.app.learn import editor
from trustscope.app.page import Frame
from trustscope.lessons import draft as drafts
from trustscope.lessons.lesson import MOST_STEPS


def test_a_draft_that_is_larger_than_a_lesson_is_neither_kept_nor_copied(monkeypatch):
    kept = []
    written = editor.LessonEditor(kept.append, lambda text: None, lambda: None)
    monkeypatch.setattr(editor.drafts, "kept_text", lambda draft: "kept")
    tell(written.form, {"kind": "draft", "draft": {"steps": [], "title": "Mine"}})
    tell(written.form, {"kind": "draft", "draft": {"steps": [{}] * 20_000}})
    assert written.draft == {"steps": [], "title": "Mine"}
    assert (kept, written.form.problems, written.form.checking) == (["kept"], [editor.TOO_LARGE], False)


def test_the_form_is_told_which_change_its_draft_has():
    """A draft of the server replaces nothing that was typed after it."""
    written = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
    step = {"kind": "explain", "title": "So", "text": "It is."}
    given = []
    written.form.param.watch(lambda event: given.append(event.new[:2]), "given")
    tell(written.form, {"kind": "draft", "draft": {"steps": [step]}, "change": 4})
    tell(written.form, {"kind": "question", "place": 0})
    tell(written.form, {"kind": "draft", "draft": {"steps": []}, "change": 5})
    tell(written.form, {"kind": "clear", "place": 0})
    assert [change for _, change in given] == [4, 5]


def test_what_was_typed_into_an_empty_form_can_be_thrown_away():
    """The server gives the draft that it gave before: the form must hear of it."""
    written = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
    given = []
    written.form.param.watch(lambda event: given.append(event.new[0]), "given")
    tell(written.form, {"kind": "draft", "draft": {**drafts.blank(), "title": "Typed"}, "change": 1})
    tell(written.form, {"kind": "clear", "place": 0})
    assert given == [drafts.blank()]


def test_a_step_too_many_is_said_and_no_check_writes_over_it(monkeypatch):
    begun, may_end = threading.Event(), threading.Event()

    def slow(draft, offered, run):
        begun.set()
        may_end.wait(60)
        return ["What the check found."], []

    monkeypatch.setattr(editor, "_judged", slow)

    async def main():
        written = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
        step = {"kind": "explain", "title": "So", "text": "It is."}
        tell(written.form, {"kind": "draft", "draft": {"steps": [step] * MOST_STEPS}})
        await until(begun.is_set)
        tell(written.form, {"kind": "question", "place": 0})
        may_end.set()
        await asyncio.sleep(2 * jobs.LOOK)
        assert (written.form.problems, written.form.checking) == ([drafts.FULL], False)

    asyncio.run(main())


def test_an_overtaken_check_ends_between_two_steps():
    run, seen = Run(), []

    def look(lesson, facts, cancelled):
        seen.append(cancelled())
        run.cancel()
        seen.append(cancelled())
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(editor, "check", look)
        editor._judged(json.loads(SHORT), frozenset(), run)
    assert seen == [False, True]


def test_a_page_is_made_a_step_and_the_lesson_is_taken():
    frame = Frame("page=trust")
    tell(frame.bar, {"kind": "take", "what": "step"})
    page = frame.dashboard
    assert frame.bar.page == "Learn"
    assert page.editor is None, "the browser has not said yet what was written last"
    tell(page.browser, {"found": {}, "draft": json.dumps({**drafts.blank(), "title": "Begun"})})
    form = page.editor.form
    assert form.draft["title"] == "Begun"
    assert [step["kind"] for step in form.draft["steps"]] == ["look"]
    assert any("step 1, title: this is empty" in one for one in form.problems)
    assert [name for name, *_ in form.figures[0] if name == "hits.together"] == ["hits.together"]
    draft = {**form.draft, "title": "My page", "about": "Mine.", "learnt": "Something."}
    draft["steps"] = [{**form.draft["steps"][0], "title": "Look", "text": "Here."}]
    tell(form, {"kind": "draft", "draft": draft})
    assert form.problems == []
    assert json.loads(page.browser.kept_draft)["id"] == ""
    tell(form, {"kind": "play", "place": 0})
    assert json.loads(page.browser.kept_draft)["id"] == "my-page"
    assert (page.editor, page.settled.view.lesson) == (None, "my-page")
    tell(page.home.shelf, {"kind": "edit", "name": "my-page"})
    assert page.editor.draft["title"] == "My page"
    assert page.editor.form.before == {}, "it is what was written last"
    assert page.player is None
    tell(page.editor.form, {"kind": "question", "place": 0})
    assert [step["kind"] for step in page.editor.form.draft["steps"]] == ["predict", "reveal"]
    tell(page.editor.form, {"kind": "leave", "place": 0})
    assert page.editor is None


def test_whatever_takes_the_place_of_a_draft_sets_it_aside():
    page = opened()
    unfinished = {**drafts.blank(), "title": "Unfinished"}
    tell(page.browser, {"found": {}, "lessons": {"my-own": OWN}, "draft": json.dumps(unfinished)})
    tell(page.home.shelf, {"kind": "edit", "name": "my-own"})
    assert page.editor.draft["id"] == "my-own"
    assert page.editor.form.before == unfinished
    assert json.loads(page.browser.kept_before) == unfinished
    tell(page.editor.form, {"kind": "clear", "place": 0})
    assert json.loads(page.browser.kept_before)["id"] == "my-own"
    tell(page.editor.form, {"kind": "leave", "place": 0})
    tell(page.home.shelf, {"kind": "remove", "name": "my-own"})
    assert ("my-own" in page.browser.kept_lessons, page.home.shelf.removed) == (False, json.loads(OWN)["title"])
    tell(page.home.shelf, {"kind": "restore", "name": ""})
    assert page.browser.kept_lessons["my-own"] == OWN
    assert page.home.shelf.removed == ""


def test_what_is_wrong_is_said_with_the_names_that_the_form_has():
    written = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
    draft = drafts.with_question(json.loads(SHORT) | {"id": "No id"}, 0)
    tell(written.form, {"kind": "draft", "draft": draft})
    said = " ".join(written.form.problems)
    for named in ("name in links: “No id”", "step 1, question: this is empty", "step 1, said to whoever is close:"):
        assert named in said
    assert "→ ask" not in said


def test_all_lessons_are_all_lessons_also_while_one_is_written():
    page = opened()
    tell(page.browser, {"found": {}})
    tell(page.home.shelf, {"kind": "write", "name": ""})
    page.controls.change(page.scenario.replace({"view.lesson": "rotation"}))  # as Undo and links do
    assert page.body[0] is page.player.room
    tell(page.player.room, {"kind": "leave"})
    assert (page.player, page.editor) == (None, None)
    assert page.body[0] is page.home.__panel__()


def test_an_id_that_everybodys_lesson_has_is_refused_while_one_writes():
    page = opened()
    tell(page.browser, {"found": {}})
    tell(page.home.shelf, {"kind": "write", "name": ""})
    form = page.editor.form
    tell(form, {"kind": "draft", "draft": json.loads(SHORT) | {"id": "two-copies"}})
    assert form.problems == [editor.TAKEN.format("two-copies")]
    tell(form, {"kind": "draft", "draft": json.loads(SHORT) | {"id": ""}})
    assert form.problems == []


def test_what_is_typed_while_what_is_true_is_computed_stands_and_is_computed(monkeypatch):
    begun, may_end, drafted = threading.Event(), threading.Event(), []
    filled = drafts.filled

    def slow(draft, *more):
        drafted.append(draft["title"])
        begun.set()
        may_end.wait(60)
        return filled(draft, *more)

    monkeypatch.setattr(editor.drafts, "filled", slow)

    async def main():
        written = editor.LessonEditor(lambda text: None, lambda text: None, lambda: None)
        tell(written.form, {"kind": "draft", "draft": json.loads(SHORT), "change": 1})
        tell(written.form, {"kind": "fill", "place": 0})
        await until(begun.is_set)
        tell(written.form, {"kind": "draft", "draft": json.loads(SHORT) | {"title": "Typed"}, "change": 2})
        may_end.set()
        await until(lambda: written.form.given[2] > 0 and not written.form.checking)
        assert written.form.given[:2] == [written.draft, 2]
        assert (written.draft["title"], drafted[-1]) == ("Typed", "Typed")

    asyncio.run(main())


def test_a_link_that_shows_one_page_has_no_editor():
    frame = Frame("page=trust&show=headline")
    tell(frame.bar, {"kind": "take", "what": "step"})
    assert frame.bar.page == "Trust"
