"""A folder for any web server. Lessons and scenarios are files that need no server; all else is plain HTML."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from trustscope.handouts.site import docs, html, papers
from trustscope.handouts.site.gallery import Exhibit
from trustscope.lessons.lesson import Lesson
from trustscope.scenarios import files
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.whole import Cancel, Progress, stop
from trustscope.scenarios.words import counted

HERE = Path(__file__).parent
ABOUT = (
    "One dataset is given to several people: the less a recipient is trusted, the more noise their copy gets. But "
    "recipients may pool their copies, and then noise that hid everybody can vanish. Here you see when that happens, "
    "why, and how to make copies that are worth no more together than the best of them."
)
MISSING = (
    "Your own data cannot be looked at: nothing is computed here, everything was worked out beforehand.",
    "Controls move in steps, and there are three of them at most; the app has all of them, and every value.",
    "There is no free play, no class room, no code to hand in, no comparing, no target to be solved for.",
    "The pages Rotation and Survey are here as lessons alone, and experiments of the papers are not run again.",
    "Copies for a real release are made by the app and by the command, never by a web page.",
)


@dataclass(frozen=True)
class Makers:
    """What makes the files that the app's views are needed for.

    Attributes
    ----------
    lesson : callable
        Of a lesson, the address of all lessons, and title and address of the next one, or None.
    exhibit : callable
        Of a scenario of the gallery.
    theme : str
        The colours of the app, light and dark.
    """

    lesson: Callable[[Lesson, str, tuple[str, str] | None], str]
    exhibit: Callable[[Exhibit], str]
    theme: str


def site(
    folder: Path, makers: Makers, *, lessons: Iterable[Lesson], gallery: Iterable[Exhibit], source: Path | None,
    names: tuple[str, ...] = tuple(PAPERS), progress: Progress | None = None, cancel: Cancel | None = None,
) -> list[Path]:  # fmt: skip
    """Write a site into a folder that is empty, or holds an earlier one; the files that were written.

    Parameters
    ----------
    folder : path
    makers : Makers
    lessons, gallery : what is to be tried
    source : path or None
        The folder with the documentation in Markdown; None: there is none.
    names : names of papers
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    """
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()) and not (folder / "site.css").exists():
        raise ScenarioProblem(f"{folder} holds other files: name an empty folder, or one with an earlier site.")
    for name in ("lessons", "try", "papers", "docs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    files.write(folder / "site.css", style(makers.theme))  # first: it says whose folder this is
    told = progress or (lambda share, text: None)
    taught, shown = list(lessons), list(gallery)
    work = len(taught) + len(shown)
    sections = {}
    tiles = []
    for place, lesson in enumerate(taught):
        stop(cancel)
        told(place / work, f"Lesson {place + 1} of {len(taught)}: {lesson.title}")
        after = taught[place + 1] if place + 1 < len(taught) else None
        following = None if after is None else (after.title, f"{after.id}.html")
        files.write(folder / "lessons" / f"{lesson.id}.html", makers.lesson(lesson, "../index.html#lessons", following))
        tiles.append((f"lessons/{lesson.id}.html", lesson.title, lesson.about, f"{counted(lesson.minutes, 'minute')}"))
    sections["lessons"] = tiles
    tiles = []
    for place, exhibit in enumerate(shown):
        stop(cancel)
        told((len(taught) + place) / work, f"Scenario {place + 1} of {len(shown)}: {exhibit.title}")
        files.write(folder / "try" / f"{exhibit.name}.html", makers.exhibit(exhibit))
        tiles.append((f"try/{exhibit.name}.html", exhibit.title, exhibit.about, ""))
    sections["try"] = tiles
    sections["papers"] = papers.write(folder, names)
    sections["docs"] = docs.write(folder, source) if source is not None else []
    files.write(folder / "index.html", _home(sections))
    told(1.0, "Done")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def style(theme: str) -> str:
    """The style sheet: the app's colours, dark where the reader has it dark; no script is needed for that."""
    dark = re.findall(r':root\[data-theme="dark"\] \{(.*?)\}', theme, re.DOTALL)[0]
    light = theme[: theme.index(":root[data-theme")]
    own = (HERE / "site.css").read_text(encoding="utf-8")
    return f"{light}@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}\n{own}"


def _home(sections: dict[str, list]) -> str:
    heads = {
        "lessons": ("Learn", "Each lesson asks for a prediction, shows what comes out, and lets you try."),
        "try": ("Try", "Move the controls: figures and words follow as they do in the app."),
        "papers": ("The five papers", "Every figure and table, run again, with what is misprinted."),
        "docs": ("Documentation", "How the app works, how to run it, and what is assumed."),
    }
    made = "".join(
        f'<section id="{key}"><h2>{escape(title)}</h2>\n<p>{escape(text)}</p>\n{html.tiles(sections[key])}</section>\n'
        for key, (title, text) in heads.items()
        if sections[key]
    )
    missing = "".join(f"<li>{escape(one)}</li>\n" for one in MISSING)
    body = (
        f"<h1>Who learns what, when copies are pooled?</h1>\n<p>{escape(ABOUT)}</p>\n{made}"
        f'<section id="missing"><h2>What does not work here</h2>\n<ul>\n{missing}</ul>\n'
        "<p>All of that is in the app, which runs on your own machine.</p></section>\n"
    )
    return html.page("Who learns what, when copies are pooled?", body)
