"""The home of the lessons: what this is in three sentences, a film, the lessons, and doors to the pages."""

from typing import Any

import panel as pn

from trustscope.app.learn.library import Library, served
from trustscope.app.pages import PAGES
from trustscope.lessons.film import FilmFigures
from trustscope.lessons.plan import course, minutes_of, plans
from trustscope.scenarios.words import number_word
from trustscope.widgets.esm import css
from trustscope.widgets.lessons.shelf import Shelf
from trustscope.widgets.scenes.film import Film, FilmScene, spread
from trustscope.widgets.term import explained

INTRODUCTION = (
    "One dataset is given to several people: the less a recipient is trusted, the more noise their copy gets. But "
    "recipients may pool their copies, and then noise that hid everybody can vanish. Here you see when that happens, "
    "why, and how to make copies that are worth no more together than the best of them."
)
DOORS = {
    "trust": "Numbers with noise, for people who are trusted differently.",
    "categories": "The same for answers, such as a diagnosis, and what can be promised.",
    "rotation": "Distances are kept, values are lost, until somebody knows four records.",
    "survey": "A survey that asks for less, and a miner who may cheat.",
    "papers": "Every figure of five papers, run again, misprints included.",
    "release": "Make copies of your own data for real.",
}


class Home(pn.viewable.Viewer):
    """The first thing that a newcomer sees.

    Parameters
    ----------
    library : the lessons on offer
    teachable : whether rooms for classes can be opened
    writable : whether own lessons can be opened and written
    """

    def __init__(self, library: Library, *, teachable: bool = False, writable: bool = True):
        super().__init__()
        self.film = Film()
        self.shelf = Shelf(
            lessons=_cards(library), plans=_plans() if teachable else [], teachable=teachable, writable=writable,
            doors=[{"name": name, "title": PAGES[name].title, "text": text} for name, text in DOORS.items()],
        )  # fmt: skip
        self._words = pn.pane.HTML(
            '<section data-working="false"><h1>Who learns what, when copies are pooled?</h1>'
            f"<p>{explained(INTRODUCTION)}</p></section>",
            stylesheets=[css("home.css")], sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        self._layout = pn.Column(
            self._words, self.film, self.shelf, sizing_mode="stretch_width", margin=0, max_width=1180,
            styles={"margin": "0 auto", "width": "100%"},
        )  # fmt: skip

    def renew(self, library: Library, *said: str, removed: str = "") -> None:
        """Show what is on offer now, what there is to say about a file, and what can be brought back."""
        self.shelf.put(lessons=_cards(library), said=list(said), removed=removed)

    def show_film(self, found: FilmFigures) -> None:
        """Show the film."""
        several = number_word(len(found.recipients))
        titles = {
            "independent": ("Each copy with fresh noise: pooling takes much of it away", "leak"),
            "nested": ("Nested noise: pooling gains nothing", "safe"),
        }
        first, last = found.beliefs["independent"][0], found.beliefs["independent"][-1]
        self.film.draw(
            [
                FilmScene(title, tone, [(one.guess, one.sd) for one in found.beliefs[scheme]])
                for scheme, (title, tone) in titles.items()
            ],
            truth=found.truth, unit=found.unit, recipients=[(r.initial, r.colour) for r in found.recipients],
            caption=f"What can be believed of one person's {found.attribute.lower()} as up to {several} recipients "
            "pool their copies, one circle for each. The ± holds nine cases in ten, and the dashed curve is what the "
            "first copy alone tells.",
            summary=f"With fresh noise in each copy it falls from {spread(first.sd)} to {spread(last.sd)} "
            f"{found.unit}; with nested noise it stays at {spread(first.sd)}.",
        )  # fmt: skip

    def __panel__(self):
        return self._layout


def _cards(library: Library) -> list[dict[str, Any]]:
    groups = {one.id: "server" for one in served()} | dict.fromkeys(library.own, "own")
    return [
        {
            "id": one.id, "title": one.title, "about": one.about, "minutes": one.minutes, "steps": len(one.steps),
            "group": groups.get(one.id, ""),
        }
        for one in library.all()
    ]  # fmt: skip


def _plans() -> list[dict[str, Any]]:
    return [
        {
            "id": one.id, "title": one.title, "about": one.about, "minutes": minutes_of(course(one)),
            "parts": len(one.parts),
        }
        for one in plans()
    ]  # fmt: skip
