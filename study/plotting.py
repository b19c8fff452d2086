"""The plots of a study: those of the cards of its page, as HoloViews elements or as figures of Matplotlib."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.sheet import plain_caption
from trustscope.study.problem import StudyProblem

BACKENDS = ("bokeh", "matplotlib")
OTHER_NAMES = {"copies": "everyone"}  # what a person may call a card


class Plots:
    """The plots of a study by the keys of its page's cards: ``study.plot.coalitions()``."""

    def __init__(self, study: Any):
        self._study = study

    def __getattr__(self, key: str) -> Plot:
        named = OTHER_NAMES.get(key, key)
        if key.startswith("_") or named not in cards_of(self._study.page):
            raise AttributeError(f"There is no plot called {key!r}; there are {', '.join(dir(self))}.")
        return Plot(self._study, named)

    def __dir__(self) -> list[str]:
        cards = cards_of(self._study.page)
        return [*(name for name, key in OTHER_NAMES.items() if key in cards), *cards]

    def __repr__(self) -> str:
        lines = (f"  .{key}()  {card.title}" for key, card in cards_of(self._study.page).items())
        return "\n".join(["Plots of this study:", *lines])


class Plot:
    """One of them: called, it is drawn."""

    def __init__(self, study: Any, key: str):
        self._study, self._key = study, key
        card = cards_of(study.page)[key]
        self.__doc__ = f"{card.title}. {plain_caption(card.help)}".strip()

    def __call__(self, *, backend: str = "bokeh", **view: Any) -> Any:
        """The plot.

        Parameters
        ----------
        backend : {"bokeh", "matplotlib"}
            A HoloViews element, or for paper a figure of Matplotlib, which has `savefig`.
        **view
            How it is looked at, where the scenario says something else: ``plot.tradeoff(private="hits")``.
        """
        from trustscope import plots

        if backend not in BACKENDS:
            raise StudyProblem(f"A plot is drawn by {' or '.join(BACKENDS)}, not by {backend!r}.")
        table = self._study.card_table(self._key, **view)
        card = cards_of(self._study.page)[self._key]
        if not len(table):
            raise StudyProblem(f"There is nothing to draw: {self.caption() or f'{card.title} is empty here.'}")
        element = plots.plot(card.plot, table)
        if backend == "bokeh":
            return element
        from trustscope.plots import draw

        return draw.figure(element, title=card.title)

    def save(
        self, path: str | Path, *, size: str = "2x", title: bool = True, caption: bool = False, source: bool = False,
        theme: str = "light", **view: Any,
    ) -> Path:  # fmt: skip
        """Write the plot as a file, as the app saves it.

        Parameters
        ----------
        path : str or path
            That ends with .svg or .png.
        size : {"1x", "2x", "print"}
            How fine a PNG is: 96, 192 or 300 dots an inch.
        title, caption, source : bool
            Which words stand around it: the title, what the page says below it, and the data with Trustscope's version.
        theme : {"light", "dark"}
        **view
            How it is looked at.
        """
        from trustscope.plots import draw
        from trustscope.scenarios import files

        path, form = Path(path), Path(path).suffix.lower()
        if form not in (".svg", ".png"):
            raise StudyProblem(f"A plot is saved as .svg or .png, not as {form or 'a file without ending'}.")
        if size not in draw.SIZES:
            raise StudyProblem(f"The size of a picture is {', '.join(draw.SIZES)}, not {size!r}.")
        data = self._study._loaded(self._study.scenario).data
        about = "" if data is None else f"{data.title}. "
        around = draw.Around(
            cards_of(self._study.page)[self._key].title if title else "", self.caption() if caption else "",
            f"{about}Made with Trustscope {version('trustscope')}." if source else "",
        )  # fmt: skip
        element = self(**view)
        how: dict[str, Any] = {"theme": theme, "around": around}
        files.write(
            path, draw.svg(element, **how) if form == ".svg" else draw.png(element, dots=draw.SIZES[size], **how)
        )
        return path

    def table(self, **view: Any) -> Any:
        """The figures that are drawn, as a DataFrame."""
        return self._study.card_table(self._key, **view)

    def caption(self) -> str:
        """What the page says below it."""
        card = cards_of(self._study.page)[self._key]
        if card.caption is None or card.asked:
            return ""
        scenario = self._study.scenario
        return plain_caption(
            card.caption(self._study.picture_of(self._key, scenario), self._study._loaded(scenario).model)
        )

    def __repr__(self) -> str:
        return f"<plot {self._key}: {cards_of(self._study.page)[self._key].title}; call it to draw it>"
