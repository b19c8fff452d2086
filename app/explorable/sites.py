"""The static site, with what the app's own views make of lessons and scenarios."""

from collections.abc import Iterable
from pathlib import Path

from trustscope.app.explorable.lessons import lesson_page
from trustscope.app.explorable.making import explorable
from trustscope.app.explorable.recorder import theme
from trustscope.handouts.site import build
from trustscope.handouts.site.gallery import GALLERY, Exhibit
from trustscope.lessons.lesson import Lesson
from trustscope.lessons.reader import shelf
from trustscope.scenarios.papers.registry import PAPERS
from trustscope.scenarios.whole import Cancel, Progress

DOCS = Path(__file__).parents[2] / "docs"  # in a checkout


def site(
    folder: Path, *, lessons: Iterable[Lesson] | None = None, gallery: Iterable[Exhibit] = GALLERY,
    papers: tuple[str, ...] = tuple(PAPERS), docs: Path | None = None, address: str = "",
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> list[Path]:  # fmt: skip
    """Write a static site into a folder; the files that were written.

    Parameters
    ----------
    folder : path
        Empty, or with an earlier site.
    lessons : iterable of Lesson, optional
        By default all that come with Trustscope.
    gallery : iterable of Exhibit
    papers : names of papers
    docs : path, optional
        The folder with the documentation; by default that of a checkout, and none where there is no checkout.
    address : str
        Where an app runs in which readers can open the scenarios.
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised
    """
    source = docs or (DOCS if DOCS.is_dir() else None)

    def lesson(one: Lesson, home: str, following: tuple[str, str] | None) -> str:
        return lesson_page(one, home=home, following=following, cancel=cancel)

    def exhibit(one: Exhibit) -> str:
        return explorable(
            one.scenario, controls=one.controls, title=one.title, home="../index.html#try", address=address,
            cancel=cancel,
        )  # fmt: skip

    return build.site(
        Path(folder), build.Makers(lesson, exhibit, theme()), lessons=shelf() if lessons is None else lessons,
        gallery=gallery, source=source, names=papers, progress=progress, cancel=cancel,
    )  # fmt: skip
