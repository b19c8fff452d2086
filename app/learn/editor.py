"""Writing a lesson on Learn: a form over a draft, checked while one writes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from trustscope.app.jobs import Job, Run
from trustscope.app.pages import PAGES
from trustscope.app.parts import CARD
from trustscope.app.problem import explain_error
from trustscope.lessons import draft as drafts
from trustscope.lessons.check import check
from trustscope.lessons.draft import Draft, DraftProblem
from trustscope.lessons.facts import Facts
from trustscope.lessons.lesson import MOST_STEPS
from trustscope.lessons.reader import LessonProblem, read_text
from trustscope.scenarios.metrics import as_json
from trustscope.scenarios.parts import HEADLINE, PARTS
from trustscope.scenarios.scenario import Scenario
from trustscope.widgets.lessons.editor import Editor

facts = Facts(40)  # for all who write: most of them begin with what a page opens with
FILE = "the lesson"  # what sentences call it
MOST_FIGURES = 60
TOO_LARGE = "This is larger than a lesson may be: shorten it. What was written before is kept."


class LessonEditor(pn.viewable.Viewer):
    """The form.

    Parameters
    ----------
    keep : called with the text of the draft whenever it has changed
    play : called with the text of the lesson when the person wants to take it
    leave : called when the person wants to leave; the draft stays
    """

    def __init__(self, keep: Callable[[str], None], play: Callable[[str], None], leave: Callable[[], None]):
        super().__init__()
        self._keep, self._play, self._leave = keep, play, leave
        self.draft: Draft = drafts.blank()
        self.form = Editor(parts=_parts(), given=[self.draft, 0, 0])
        self._checking = Job(self._fail, kind="check")  # pictures of others never wait behind it
        self.form.param.watch(lambda event: self._changed(event.new[0]), "changed")
        self.form.param.watch(lambda event: self._asked(*event.new[:2]), "asked")

    def open(self, draft: Draft) -> None:
        """Go on with a draft."""
        self._show(draft)

    def add(self, scenario: Scenario) -> None:
        """Make a step of what stands on a page."""
        self._grow(lambda: drafts.with_page(self.draft, scenario))

    def _grow(self, grown: Callable[[], Draft]) -> None:
        """Show the draft with one step more, or say why there can be none."""
        try:
            self._show(grown())
        except DraftProblem as problem:
            self._checking.drop()  # a check that is under way would write over it
            self.form.param.update(problems=[str(problem)], checking=False)

    def stop(self) -> None:
        """End all work."""
        self._checking.drop()

    # What the person does

    def _changed(self, draft: Draft) -> None:
        """The form has another draft: it is kept and checked, and the form stays as it is."""
        if not drafts.is_small(draft):
            self._checking.drop()
            self.form.param.update(problems=[TOO_LARGE], checking=False)
            return
        self.draft = draft
        self._keep(drafts.as_text(draft))
        self._check()

    def _asked(self, what: str, place: int) -> None:
        match what:
            case "question":
                self._grow(lambda: drafts.with_question(self.draft, place))
            case "fill":
                self._fill()
            case "save":
                self.form.give(f"{drafts.tidied(self.draft)['id'] or 'lesson'}.json", drafts.as_text(self.draft))
            case "play":
                self._play(drafts.as_text(self.draft))
            case "clear":
                self._show(drafts.blank())
            case "leave":
                self._leave()

    def _show(self, draft: Draft) -> None:
        self.draft = draft
        self.form.replace(draft)
        self._keep(drafts.as_text(draft))
        self._check()

    def _fill(self) -> None:
        draft = self.draft
        self.form.checking = True
        self._checking.start(
            lambda run: drafts.filled(draft, facts, lambda: run.cancelled),
            lambda run, found: None if run.cancelled else self._show(found),
        )

    # The live check

    def _check(self) -> None:
        draft = self.draft
        self.form.checking = True
        self._checking.start(partial(_judged, draft), self._told)

    def _told(self, run: Run, found: tuple[list[str], list[list[list[Any]]]] | None) -> None:
        """Show what was found; of a check that was overtaken nothing."""
        if found is not None and not run.cancelled:
            self.form.param.update(problems=found[0], figures=found[1], checking=False)

    def _fail(self, error: Exception) -> None:
        self.form.param.update(problems=[" ".join(explain_error(error, "learn"))], checking=False)

    def __panel__(self):
        return self.form


def _judged(draft: Draft, run: Run) -> tuple[list[str], list[list[list[Any]]]]:
    """What is still wrong with a draft, and by step the figures that its questions can ask for."""
    figures = [[] if run.cancelled else _figures(draft, step) for step in drafts.tidied(draft)["steps"][:MOST_STEPS]]
    try:
        lesson = read_text(drafts.as_text(draft), FILE)
    except LessonProblem as problem:
        return [sentence.removeprefix(f"{FILE}, ") for sentence in problem.sentences], figures
    return check(lesson, facts, lambda: run.cancelled), figures


def _figures(draft: Draft, step: Draft) -> list[list[Any]]:
    try:
        found = facts.figures(drafts.scenario_of(draft, step))
    except (ValueError, TypeError, AttributeError):  # said by the reader
        return []
    values = [(one, as_json(one.value)) for one in found.figures]
    return [
        [one.name, one.label, value, one.unit]
        for one, value in values
        if isinstance(value, int | float) and not isinstance(value, bool)
    ][:MOST_FIGURES]


def _parts() -> dict[str, dict[str, list[list[str]]]]:
    """By page the cards and the groups of controls that a step can show, with their titles."""
    found = {}
    for page in PARTS:
        parts = PAGES[page].kind().parts()
        named = {part.key: part for part in parts}
        found[page] = {
            "cards": [[HEADLINE, "Headline"]] + [[p.key, p.title] for p in parts if p.kind == CARD],
            "controls": [[key, named[key].title] for key in PARTS[page].controls if key in named],
        }
    return found
