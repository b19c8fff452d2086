"""Writing a lesson on Learn: a form over a draft, checked while one writes."""

import re
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
LABELS = {
    "id": "name in links", "learnt": "what is learnt", "done": "said when it is done",
    "question → ask": "question", "question → figure": "figure", "question → close": "still close within",
    "question → said → close": "said to whoever is close", "question → said → far": "said to whoever is not",
    "question → x_label": "name of the axis below", "question → y_label": "name of the axis at the left",
    "question → options": "answers", "question → items": "things",
}  # fmt: skip
TAKEN = "Another lesson has the name “{}” in links already: write another one."
TOO_LARGE = "This is larger than a lesson may be: shorten it. What was written before is kept."


class LessonEditor(pn.viewable.Viewer):
    """The form.

    Parameters
    ----------
    keep : called with the text of the draft whenever it has changed
    play : called with the text of the lesson when the person wants to take it
    leave : called when the person wants to leave; the draft stays
    set_aside : called with the text of a draft that another one takes the place of
    taken : the ids of other lessons: of those that everybody finds, and of all
    draft, before : what was written last, and what it took the place of
    """

    def __init__(
        self, keep: Callable[[str], None], play: Callable[[str], None], leave: Callable[[], None],
        set_aside: Callable[[str], None] = lambda text: None,
        taken: Callable[[], tuple[frozenset[str], frozenset[str]]] = lambda: (frozenset(), frozenset()),
        draft: Draft | None = None, before: Draft | None = None,
    ):  # fmt: skip
        super().__init__()
        self._keep, self._play, self._leave = keep, play, leave
        self._set_aside, self._taken = set_aside, taken
        self.draft: Draft = drafts.blank() if draft is None else draft
        self.form = Editor(parts=_parts(), given=[self.draft, 0, 0])
        if before is not None and not drafts.is_blank(before):
            self.form.before = before
        self._filling = False  # whether the person waits for what is true to be computed
        self._checking = Job(self._fail, kind="check")  # pictures of others never wait behind it
        self.form.param.watch(lambda event: self._changed(event.new[0]), "changed")
        self.form.param.watch(lambda event: self._asked(*event.new[:3]), "asked")
        if draft is not None:
            self._check()

    def open(self, draft: Draft) -> None:
        """Go on with another draft; the one before can be brought back."""
        if not drafts.is_blank(self.draft):
            if drafts.tidied(self.draft) == drafts.tidied(draft):  # only what helps to write it is not in its file
                draft = self.draft
            else:
                self.form.before = self.draft
                self._set_aside(drafts.kept_text(self.draft))
        self._show(draft)

    def add(self, scenario: Scenario) -> None:
        """Make a step of what stands on a page."""
        self._grow(lambda: drafts.with_page(self.draft, scenario))

    def _grow(self, grown: Callable[[], Draft]) -> None:
        """Show the draft with one step more, or say why there can be none."""
        try:
            self._show(grown())
        except DraftProblem as problem:
            self._filling = False
            self._checking.drop()  # a check that is under way would write over it
            self.form.param.update(problems=[str(problem)], checking=False)

    def stop(self) -> None:
        """End all work."""
        self._checking.drop()

    # What the person does

    def _changed(self, draft: Draft) -> None:
        """The form has another draft: it is kept and checked, and the form stays as it is."""
        if not drafts.is_small(draft):
            self._filling = False
            self._checking.drop()
            self.form.param.update(problems=[TOO_LARGE], checking=False)
            return
        self.draft = draft
        self._keep(drafts.kept_text(draft))
        self._check()

    def _asked(self, what: str, place: int, other: int = 0) -> None:
        match what:
            case "question":
                self._grow(lambda: drafts.with_question(self.draft, place))
            case "example":
                self._grow(lambda: drafts.with_example(self.draft, place, other))
            case "fill":
                self._fill()
            case "save":
                self._name()
                self.form.give(f"{self.draft['id']}.json", drafts.as_text(self.draft))
            case "play":
                self._name()
                self._play(drafts.as_text(self.draft))
            case "clear":
                self.open(drafts.blank())
            case "leave":
                self._leave()

    def _name(self) -> None:
        """From now on the lesson has the id that it goes out with: what is changed in it later replaces it."""
        _, taken = self._taken()
        self.draft = {**self.draft, "id": drafts.tidied(self.draft, taken=taken)["id"]}
        self._keep(drafts.kept_text(self.draft))

    def _show(self, draft: Draft, *said: str) -> None:
        self.draft = draft
        self.form.replace(draft)
        self._keep(drafts.kept_text(draft))
        self._check(*said)

    def _fill(self) -> None:
        draft = self.draft
        self._filling = self.form.checking = True
        self._checking.start(lambda run: drafts.filled(draft, facts, lambda: run.cancelled), self._filled)

    def _filled(self, run: Run, found: tuple[Draft, list[str]]) -> None:
        if not run.cancelled:
            self._filling = False
            self._show(found[0], *found[1])

    # The live check

    def _check(self, *said: str) -> None:
        if self._filling:  # it was changed meanwhile: what the person typed stands, and is computed
            self._fill()
            return
        draft, (offered, _) = self.draft, self._taken()
        self.form.checking = True
        self._checking.start(partial(_judged, draft, offered), partial(self._told, said))

    def _told(
        self, said: tuple[str, ...], run: Run, found: tuple[list[str], list[list[list[Any]]]] | None
    ) -> None:  # fmt: skip
        """Show what was found, after what is said already; of a check that was overtaken nothing."""
        if found is not None and not run.cancelled:
            self.form.param.update(problems=list(dict.fromkeys([*said, *found[0]])), figures=found[1], checking=False)

    def _fail(self, error: Exception) -> None:
        self._filling = False
        self.form.param.update(problems=[" ".join(explain_error(error, "learn"))], checking=False)

    def __panel__(self):
        return self.form


def _judged(draft: Draft, offered: frozenset[str], run: Run) -> tuple[list[str], list[list[list[Any]]]]:
    """What is still wrong with a draft, and by step the figures that its questions can ask for."""
    problems = [TAKEN.format(draft["id"])] if draft.get("id") in offered else []
    figures = [[] if run.cancelled else _figures(draft, step) for step in drafts.tidied(draft)["steps"][:MOST_STEPS]]
    try:
        lesson = read_text(drafts.as_text(draft), FILE)
    except LessonProblem as problem:
        sentences = [_as_in_the_form(sentence.removeprefix(f"{FILE}, ")) for sentence in problem.sentences]
        return [*problems, *sentences], figures
    return [*problems, *drafts.stale(draft), *check(lesson, facts, lambda: run.cancelled)], figures


def _as_in_the_form(sentence: str) -> str:
    """What is wrong, with the names that the form has for the parts of a lesson."""
    for name, label in LABELS.items():
        sentence = re.sub(rf"^((?:step \d+, )?){re.escape(name)}(?=[: ])", rf"\g<1>{label}", sentence)
    return sentence


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
