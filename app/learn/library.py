"""The lessons that a visitor can take: those that come along, those of the server's folder, and the visitor's own."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from trustscope.app.serving.plan import current
from trustscope.lessons import reader
from trustscope.lessons.lesson import Lesson
from trustscope.lessons.reader import LessonProblem

MOST_OWN = 8  # lessons of a visitor
MOST_OWN_TEXT = 400_000  # characters of all of them
MOST_SERVED = 100  # lessons of a folder
MOST_NAMED = 3  # lessons that cannot be shown


@cache
def lessons_in(path: str) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The lessons of a folder, or of one file, and sentences about files that cannot be used."""
    place = Path(path)
    files = sorted(place.glob("*.json"))[:MOST_SERVED] if place.is_dir() else [place]
    found: dict[str, Lesson] = {}
    problems: list[str] = []
    for file in files:
        try:
            lesson = reader.read(file)
            if lesson.id in reader.shelf_ids() or lesson.id in found:
                raise LessonProblem(
                    [f"{file.name}: another lesson has the id “{lesson.id}” already: choose another id."]
                )
            found[lesson.id] = lesson
        except LessonProblem as problem:
            problems += problem.sentences
    return tuple(found.values()), tuple(problems)


def served() -> tuple[Lesson, ...]:
    """The lessons that this server was started with, beside those that come along."""
    plan = current()
    return lessons_in(plan.lessons)[0] if plan is not None and plan.lessons else ()


def offered(id: str) -> Lesson | None:
    """The lesson of this name that every visitor of this server can take."""
    return reader.find(id) or next((one for one in served() if one.id == id), None)


def read_own(text: str, name: str) -> Lesson:
    """A visitor's own lesson; one that is too long to be kept is not looked at. It may take a while: in a thread."""
    if len(text) > MOST_OWN_TEXT:
        raise LessonProblem(
            [f"{name} has {len(text)} characters, and {MOST_OWN_TEXT} is the most that a browser keeps: shorten it."]
        )
    return reader.read_text(text, name)


def read_kept(texts: Iterable[str]) -> list[tuple[Lesson, str]]:
    """The lessons among texts that a browser kept, each with its text; what is none is left out."""
    found = []
    for text in texts:
        with suppress(LessonProblem):
            found.append((read_own(text, "a lesson of this browser"), text))
    return found


def keepable(texts: Iterable[str]) -> list[str]:
    """The first of these texts, as far as a browser of ours keeps as many and as long ones."""
    found: list[str] = []
    for text in texts:
        if len(found) == MOST_OWN or sum(map(len, found)) + len(text) > MOST_OWN_TEXT:
            break
        found.append(text)
    return found


def not_shown(names: Collection[str]) -> list[str]:
    """What there is to say about lessons that a browser keeps and that cannot be shown."""
    if not names:
        return []
    listed = [f"“{name[:48]}”" for name in list(names)[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        listed.append(f"and {len(names) - MOST_NAMED} more")
    return [
        f"Of the lessons that this browser keeps, these cannot be shown: {', '.join(listed)}. They stay there as long "
        "as there is room; opening a lesson of the same id replaces one."
    ]


class Library:
    """What one visitor finds on the shelf."""

    def __init__(self) -> None:
        self.own: dict[str, Lesson] = {}
        self.texts: dict[str, str] = {}  # of the own ones, as they were given
        self._unread: dict[str, str] = {}  # what the browser keeps and cannot be shown

    def all(self) -> tuple[Lesson, ...]:
        """All lessons in their order."""
        return (*reader.shelf(), *served(), *self.own.values())

    def find(self, id: str) -> Lesson | None:
        """The lesson of this name."""
        return self.own.get(id) or offered(id)

    def after(self, lesson: Lesson) -> Lesson | None:
        """The lesson that follows; after those that come along there is none, and none after an own one."""
        shelf = reader.shelf() if lesson in reader.shelf() else served()
        places = [k for k, one in enumerate(shelf) if one.id == lesson.id]
        return shelf[places[0] + 1] if places and places[0] + 1 < len(shelf) else None

    def known(self, text: str) -> bool:
        """Whether this text is here already."""
        return text in self.texts.values()

    def add(self, lesson: Lesson, text: str, name: str) -> None:
        """Take in a visitor's own lesson that was read from a text, in place of an earlier one of the same id."""
        if offered(lesson.id) is not None:
            raise LessonProblem([f"{name}: another lesson has the id “{lesson.id}” already: choose another id."])
        others = {id: one for id, one in self.texts.items() if id != lesson.id}
        if len(others) >= MOST_OWN or sum(map(len, others.values())) + len(text) > MOST_OWN_TEXT:
            raise LessonProblem([f"{name}: this browser keeps at most {MOST_OWN} lessons: remove one first."])
        self.own[lesson.id], self.texts[lesson.id] = lesson, text

    def remove(self, id: str) -> tuple[Lesson, str]:
        """Forget an own lesson; it comes back with what this returns."""
        return self.own.pop(id), self.texts.pop(id)

    def taken(self) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of the lessons that everybody finds here, and of all lessons."""
        offered = reader.shelf_ids() | {one.id for one in served()}
        return offered, offered | self.own.keys()

    def leave(self, texts: Mapping[str, str]) -> list[str]:
        """Of the texts that a browser keeps, leave to it what is not here: another version may read it. Their names."""
        here = set(self.texts.values())
        self._unread = {name: text for name, text in texts.items() if name not in self.texts and text not in here}
        return list(self._unread)

    def kept(self) -> dict[str, str]:
        """What the browser is to keep: the own lessons, and of what was left to it as much as there is room for."""
        kept = dict(self.texts)
        room = MOST_OWN_TEXT - sum(map(len, kept.values()))
        for name, text in self._unread.items():
            if name not in kept and len(name) + len(text) <= room:
                kept[name] = text
                room -= len(name) + len(text)
        return kept
