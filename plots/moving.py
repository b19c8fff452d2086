"""Moving pictures: one person's belief and what ever larger coalitions find out, scene after scene.

Drawn by Matplotlib on one surface, without HoloViews: a hundred frames take a second or two. The same scenes give
the same bytes.
"""

import io
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from trustscope.colours import GUESS, ORIGINAL
from trustscope.numbers import format_number, share
from trustscope.plots.backends import LOCK
from trustscope.plots.theme import LIGHT, plain

SIZE, DOTS = (800, 450), 100  # pixels, and dots of an inch
FINE = 150  # dots of an inch of a picture that stands still: 1200 pixels wide
FRAMES = 96  # of all changes together, so that many recipients make no larger file
COLOURS = 128  # of a picture that stands still
FEWEST, MOST = 7, 14  # frames of one change
STEP, REST, END = 50, 1_300, 3_200  # milliseconds: of a frame within a change, of a scene, and of the last one
INK, DEEP = "#1d2733", "#b3430a"  # of words, and of words about what is believed
QUANTILES = np.concatenate([np.geomspace(1e-4, 0.05, 24), np.linspace(0.06, 0.94, 120),
                            1 - np.geomspace(0.05, 1e-4, 24)])  # fmt: skip


class Density(NamedTuple):
    """What is believed of a number: heights at ascending values, and the range that holds nine in ten."""

    x: np.ndarray
    heights: np.ndarray
    interval: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Scene:
    """What stands still for a moment.

    Attributes
    ----------
    caption : str
    bars : array
        What the first of them finds out, the first two, and so on; not a number: they have not joined yet.
    colour : str
        Of the bars.
    behind : array or None
        What the bars were before, drawn faintly.
    belief, alone : Density, array or None
        Of all who have joined, and of the first one: of a number, or shares of categories.
    """

    caption: str
    bars: np.ndarray
    colour: str
    behind: np.ndarray | None = None
    belief: Any = None
    alone: Any = None


@dataclass(frozen=True, eq=False)
class Stage:
    """What stays the same in all scenes.

    Attributes
    ----------
    title, source : str
        What stands above and below.
    names : tuple of str
        Who joins, in this order.
    measure : str
        What the bars count; without names, the number that is written large.
    without, top : float
        What is found out without any copy, and where the scale of the bars ends.
    person : str
        What stands above the belief; empty where no person is shown.
    axis : str
        What is believed.
    truth : float
        The value, or the place of the category.
    values : tuple of str
        The categories; none where the belief is of a number.
    """

    title: str
    source: str
    names: tuple[str, ...]
    measure: str
    without: float
    top: float
    person: str = ""
    axis: str = ""
    truth: float = 0.0
    values: tuple[str, ...] = ()


# From scene to scene


def frames(
    stage: Stage, scenes: list[Scene], told: Callable[[float], None] = lambda done: None
) -> Iterator[tuple[Image.Image, int]]:  # fmt: skip
    """All frames with how long each stands, in milliseconds; `told` is called with the share that is drawn."""
    many = max(len(scenes) - 1, 1)
    within = int(np.clip(FRAMES // many, FEWEST, MOST))
    surface = _Surface(stage, _limits(stage, scenes))
    surface.begin(scenes[0])
    yield surface.draw(scenes[0]), REST
    for place, (before, after) in enumerate(pairwise(scenes)):
        surface.begin(after)
        last = END if after is scenes[-1] else REST
        for step in range(1, within + 1):
            part = step / within
            eased = part * part * (3 - 2 * part)
            told((place + part) / many)
            yield surface.draw(_between(before, after, eased, stage.without)), last if step == within else STEP


def still(stage: Stage, scene: Scene) -> bytes:
    """One scene as a PNG, 1200 pixels wide; without anybody who joins it is words alone."""
    stream = io.BytesIO()
    surface = _Surface(stage, _limits(stage, [scene]), FINE)
    surface.begin(scene)
    surface.draw(scene).quantize(COLOURS).save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def _between(before: Scene, after: Scene, part: float, without: float) -> Scene:
    """A scene on its way: words are those of the next one at once, and who joins begins where the others stood."""
    begun = np.where(np.isnan(before.bars), np.nanmax([without, *before.bars]), before.bars)
    bars = (1 - part) * begun + part * after.bars
    return Scene(after.caption, bars, after.colour, after.behind, _mixed(before.belief, after.belief, part),
                 _mixed(before.alone, after.alone, part))  # fmt: skip


def _mixed(before: Any, after: Any, part: float) -> Any:
    if after is None or part == 1:
        return after
    if not isinstance(after, Density):
        return part * after if before is None else (1 - part) * before + part * after
    if before is None:  # it grows out of the axis
        return Density(after.x, part * after.heights, after.interval)
    return _moved(before, after, part)


def _moved(before: Density, after: Density, part: float) -> Density:
    """The law whose quantiles lie in between: a belief narrows and moves, where a mixture would have two humps."""
    (x, f), (y, g) = _at_quantiles(before), _at_quantiles(after)
    with np.errstate(divide="ignore"):
        heights = 1 / ((1 - part) / f + part / g)
    return Density((1 - part) * x + part * y, heights, after.interval)


def _at_quantiles(belief: Density) -> tuple[np.ndarray, np.ndarray]:
    """Where each quantile lies, and the height there."""
    grown = np.concatenate([[0.0], np.cumsum((belief.heights[1:] + belief.heights[:-1]) / 2 * np.diff(belief.x))])
    x = np.interp(QUANTILES * grown[-1], grown, belief.x)
    return x, np.interp(x, belief.x, belief.heights)


# One frame


def _limits(stage: Stage, scenes: list[Scene]) -> tuple[float, float, float]:
    """The ends of the axis of what is believed, and the highest belief, over all scenes."""
    every = [one for scene in scenes for one in (scene.belief, scene.alone) if isinstance(one, Density)]
    if not every:
        return 0.0, 1.0, 1.0
    seen = [one.x[one.heights > 0.004 * one.heights.max()] for one in every]
    low, high = min(stage.truth, *(x[0] for x in seen)), max(stage.truth, *(x[-1] for x in seen))
    return float(low), float(high), 1.22 * max(float(one.heights.max()) for one in every)


class _Surface:
    """The picture in three layers: words and axes are drawn once, what a scene says when it begins, the rest each time.

    Whatever changes is made once as well, and moved: making it anew for every frame would take longer than drawing it.
    """

    def __init__(self, stage: Stage, limits: tuple[float, float, float], dots: int = DOTS):
        with LOCK:
            made = Figure(figsize=(SIZE[0] / DOTS, SIZE[1] / DOTS), dpi=dots, facecolor=LIGHT.surface)
            self._canvas = FigureCanvasAgg(made)
            made.text(0.03, 0.025, plain(textwrap.shorten(stage.source, 130, placeholder=" …")), fontsize=8.6,
                      color=LIGHT.text)  # fmt: skip
            self._wide = 80 if stage.names else 64  # letters of a line of the caption
            self._caption = _write(made, stage) if stage.names else _write_large(made, stage)
            self.parts: list[Any] = [_Bars(made, stage)] if stage.names else []
            if stage.person:
                self.parts.append(_Shares(made, stage) if stage.values else _Density(made, stage, limits))
            self._canvas.draw()  # without anything that is animated
            self._empty = self._still = self._canvas.copy_from_bbox(made.bbox)

    def begin(self, scene: Scene) -> None:
        """Draw what stays until the next scene begins."""
        with LOCK:
            caption = textwrap.fill(scene.caption, self._wide, max_lines=2, placeholder=" …")
            self._caption.set_text(plain(caption))
            self._draw_upon(self._empty, [self._caption, *(one for part in self.parts for one in part.begin(scene))])
            self._still = self._canvas.copy_from_bbox(self._canvas.figure.bbox)

    def draw(self, scene: Scene) -> Image.Image:
        """The picture with what moves."""
        with LOCK:
            self._draw_upon(self._still, [one for part in self.parts for one in part.move(scene)])
            return Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")

    def _draw_upon(self, below: Any, artists: list[Any]) -> None:
        self._canvas.restore_region(below)
        renderer = self._canvas.get_renderer()
        for one in artists:
            one.draw(renderer)


def _write_large(made: Figure, stage: Stage) -> Any:
    """Words alone: the title, the number, and what it is, which is returned without its words."""
    title = textwrap.fill(stage.title, 38, max_lines=3, placeholder=" …")
    made.text(0.05, 0.9, plain(title), fontsize=25, fontweight="bold", color=INK, va="top", linespacing=1.3)
    made.text(0.05, 0.3, plain(stage.measure), fontsize=36, fontweight="bold", color=DEEP)
    return made.text(0.05, 0.25, "", fontsize=14, color=INK, va="top", linespacing=1.3, animated=True)


def _write(made: Figure, stage: Stage) -> Any:
    """The title, and below it the caption, which is returned without its words."""
    title = textwrap.fill(stage.title, 68, max_lines=2, placeholder=" …")
    made.text(0.03, 0.955, plain(title), fontsize=14, fontweight="bold", color=INK, va="top")
    below = 0.875 - 0.055 * title.count("\n")
    return made.text(0.03, below, "", fontsize=12.5, color=INK, va="top", animated=True)


def _bare(axes: Any, label: str) -> None:
    """Axes with nothing but a bottom line."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LIGHT.edge)
    axes.set_facecolor("none")
    axes.tick_params(colors=LIGHT.text, labelsize=10, length=3)
    axes.set_xlabel(plain(label), fontsize=10.5, color=LIGHT.text)


def _rows(axes: Any, names: tuple[str, ...], size: float) -> None:
    """A row for each name, from the top on; few rows stay as slim as many."""
    axes.set_yticks(np.arange(len(names)), [plain(name) for name in names], fontsize=size)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(max(len(names), 4) - 0.5, -0.5)


# What moves: each part gives what is to be drawn when a scene begins, and in each of its frames, from the lowest on


class _Bars:
    """What ever more recipients find out."""

    def __init__(self, made: Figure, stage: Stage):
        left = 0.5 if stage.person else 0.03
        left += 0.0125 * max(map(len, stage.names))
        self.axes = axes = made.add_axes((left, 0.2, 0.965 - left, 0.45))
        made.text(0.51 if stage.person else 0.03, 0.683, plain(stage.measure), fontsize=11, color=LIGHT.text)
        _bare(axes, f"dashed: {share(stage.without)} without any copy")
        axes.xaxis.label.set(horizontalalignment="right", x=1.0)  # long names leave a narrow axis: the words go left
        size = 10.5 if len(stage.names) <= 8 else 9
        _rows(axes, stage.names, size)
        axes.yaxis.set_animated(True)  # names change their colours
        axes.set_xlim(0, stage.top)
        axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
        places = range(len(stage.names))
        none = np.zeros(len(places))
        self._behind = axes.barh(places, none, 0.66, color="none", edgecolor=LIGHT.edge, linewidth=1.2, animated=True)
        self._bars = axes.barh(places, none, 0.66, animated=True)
        self._without = axes.axvline(stage.without, color=INK, linestyle="--", linewidth=1.2, animated=True)
        self.numbers = [axes.text(0, place, "", va="center", fontsize=size, color=INK, animated=True)
                        for place in places]  # fmt: skip

    def begin(self, scene: Scene) -> list[Any]:
        """The names, and frames of what the bars were before."""
        for label, value in zip(self.axes.get_yticklabels(), scene.bars, strict=True):
            label.set(color=LIGHT.edge if np.isnan(value) else INK)
        for bar in self._bars:
            bar.set_facecolor(scene.colour)
        if scene.behind is None:
            return [self.axes.yaxis]
        for bar, value in zip(self._behind, scene.behind, strict=True):
            bar.set_width(value)
        return [self.axes.yaxis, *self._behind]

    def move(self, scene: Scene) -> list[Any]:
        """Bars and numbers of all who have joined."""
        ends = scene.bars if scene.behind is None else np.fmax(scene.bars, scene.behind)  # no frame crosses a number
        joined = np.flatnonzero(np.isfinite(scene.bars))
        for place in joined:
            self._bars[place].set_width(scene.bars[place])
            self.numbers[place].set(x=ends[place], text=f" {share(scene.bars[place])}")
        return [*(self._bars[place] for place in joined), self._without, *(self.numbers[place] for place in joined)]


class _Density:
    """What is believed of a number."""

    def __init__(self, made: Figure, stage: Stage, limits: tuple[float, float, float]):
        low, high, top = limits
        self.axes = axes = made.add_axes((0.03, 0.2, 0.425, 0.45))
        made.text(0.03, 0.683, plain(stage.person), fontsize=11, color=LIGHT.text)
        _bare(axes, stage.axis)
        axes.xaxis.label.set(horizontalalignment="left", x=0.0)
        axes.set(xlim=(low, high), ylim=(0, top), yticks=[])
        (self._alone,) = axes.plot([], [], color=ORIGINAL, linestyle="--", linewidth=1.6, animated=True)
        self._area = axes.fill_between([], [], color=GUESS, alpha=0.25, linewidth=0, animated=True)
        (self._line,) = axes.plot([], [], color=GUESS, linewidth=2.2, animated=True)
        self._interval = axes.text(0.0, 0.985, "", transform=axes.transAxes, va="top", fontsize=10.5, color=DEEP,
                                   animated=True)  # fmt: skip
        right = stage.truth > low + 0.7 * (high - low)
        text = f"{'' if right else ' '}true value {format_number(stage.truth)}{' ' if right else ''}"
        self._true_value = axes.text(stage.truth, 0.94 * top, text, ha="right" if right else "left", fontsize=10.5,
                                     color=INK, animated=True)  # fmt: skip
        self._truth = axes.axvline(stage.truth, color=INK, linestyle=":", linewidth=1.6, animated=True)

    def begin(self, scene: Scene) -> list[Any]:
        """Words: the limits leave room for them above the highest belief, so that no belief is drawn across them."""
        if scene.belief is None:
            return [self._true_value]
        self._interval.set_text(f"nine in ten:\n{' to '.join(map(format_number, scene.belief.interval))}")
        return [self._interval, self._true_value]

    def move(self, scene: Scene) -> list[Any]:
        """The belief of the first one, the belief of all, and the truth."""
        artists: list[Any] = []
        if scene.alone is not None:
            self._alone.set_data(scene.alone.x, scene.alone.heights)
            artists.append(self._alone)
        if scene.belief is not None:
            self._area.set_data(scene.belief.x, scene.belief.heights, 0)
            self._line.set_data(scene.belief.x, scene.belief.heights)
            artists += [self._area, self._line]
        return [*artists, self._truth]


class _Shares:
    """What is believed of a category."""

    def __init__(self, made: Figure, stage: Stage):
        self._true = int(stage.truth)
        names = tuple(f"{name} (true)" if place == self._true else name for place, name in enumerate(stage.values))
        left = 0.03 + 0.0125 * max(map(len, names))
        self.axes = axes = made.add_axes((left, 0.2, 0.455 - left, 0.45))
        made.text(0.03, 0.683, plain(stage.person), fontsize=11, color=LIGHT.text)
        _bare(axes, stage.axis)
        _rows(axes, names, 10)
        axes.get_yticklabels()[self._true].set(color=INK)
        axes.set(xlim=(0, 1), xticks=[0, 0.5, 1])
        axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
        self._bars = axes.barh(range(len(names)), np.zeros(len(names)), 0.66, color=GUESS, animated=True)
        self._marks = axes.vlines([], [], [], color=INK, linewidth=1.6, animated=True)
        self._number = axes.text(0, self._true, "", va="center", fontsize=10.5, color=INK, animated=True)

    def begin(self, scene: Scene) -> list[Any]:
        """Nothing: all of it moves."""
        return []

    def move(self, scene: Scene) -> list[Any]:
        """Bars, a mark across each for what the first one believes alone, and the share of the truth."""
        if scene.belief is None:
            return []
        for bar, value in zip(self._bars, scene.belief, strict=True):
            bar.set_width(value)
        end = value = scene.belief[self._true]
        marks = []
        if scene.alone is not None:
            ends = [[(x, y - 0.42), (x, y + 0.42)] for y, x in enumerate(scene.alone)]
            self._marks.set_segments(ends)
            marks, end = [self._marks], max(value, scene.alone[self._true])
        self._number.set(x=end, text=f"  {share(value)}")
        return [*self._bars, *marks, self._number]
