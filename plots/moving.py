"""Moving pictures: one person's belief and what ever larger coalitions find out, scene after scene.

Drawn by Matplotlib on one surface, without HoloViews: a hundred frames take seconds. The same scenes give the same
bytes.
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
    limits = _limits(stage, scenes)
    yield _Surface(stage, scenes[0], limits).draw(scenes[0]), REST
    for place, (before, after) in enumerate(pairwise(scenes)):
        surface, last = _Surface(stage, after, limits), END if after is scenes[-1] else REST
        for step in range(1, within + 1):
            part = step / within
            eased = part * part * (3 - 2 * part)
            told((place + part) / many)
            yield surface.draw(_between(before, after, eased, stage.without)), last if step == within else STEP


def still(stage: Stage, scene: Scene) -> bytes:
    """One scene as a PNG, 1200 pixels wide; without anybody who joins it is words alone."""
    stream = io.BytesIO()
    drawn = _Surface(stage, scene, _limits(stage, [scene]), FINE).draw(scene)
    drawn.quantize(COLOURS).save(stream, format="PNG", optimize=True)
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
    """What stands still while one scene becomes the next, drawn once; what moves is drawn upon it."""

    def __init__(self, stage: Stage, scene: Scene, limits: tuple[float, float, float], dots: int = DOTS):
        self._stage, self._limits, self._dots = stage, limits, dots
        with LOCK:
            self._make(scene)

    def _make(self, scene: Scene) -> None:
        stage = self._stage
        made = Figure(figsize=(SIZE[0] / DOTS, SIZE[1] / DOTS), dpi=self._dots, facecolor=LIGHT.surface)
        made.text(0.03, 0.025, plain(textwrap.shorten(stage.source, 130, placeholder=" …")), fontsize=8.6,
                  color=LIGHT.text)  # fmt: skip
        write = self._write if stage.names else self._write_large
        write(made, scene)
        self._person = self._beside(made) if stage.person else None
        self._bars = self._pooling(made, scene) if stage.names else None
        self._canvas = FigureCanvasAgg(made)
        self._canvas.draw()
        self._still = self._canvas.copy_from_bbox(made.bbox)

    def _write_large(self, made: Figure, scene: Scene) -> None:
        """Words alone: the title, the number, and what it is."""
        stage = self._stage
        title = textwrap.fill(stage.title, 38, max_lines=3, placeholder=" …")
        made.text(0.05, 0.9, plain(title), fontsize=25, fontweight="bold", color=INK, va="top", linespacing=1.3)
        made.text(0.05, 0.3, plain(stage.measure), fontsize=36, fontweight="bold", color=DEEP)
        caption = textwrap.fill(scene.caption, 64, max_lines=2, placeholder=" …")
        made.text(0.05, 0.25, plain(caption), fontsize=14, color=INK, va="top", linespacing=1.3)

    def _write(self, made: Figure, scene: Scene) -> None:
        stage = self._stage
        title = textwrap.fill(stage.title, 68, max_lines=2, placeholder=" …")
        made.text(0.03, 0.955, plain(title), fontsize=14, fontweight="bold", color=INK, va="top")
        below = 0.875 - 0.055 * title.count("\n")
        caption = textwrap.fill(scene.caption, 80, max_lines=2, placeholder=" …")
        made.text(0.03, below, plain(caption), fontsize=12.5, color=INK, va="top")

    def _pooling(self, made: Figure, scene: Scene) -> Any:
        stage = self._stage
        left = 0.5 if stage.person else 0.03
        left += 0.0125 * max(map(len, stage.names))
        axes = made.add_axes((left, 0.2, 0.965 - left, 0.45))
        made.text(0.51 if stage.person else 0.03, 0.683, plain(stage.measure), fontsize=11, color=LIGHT.text)
        _frame_bars(axes, stage, scene)
        return axes

    def _beside(self, made: Figure) -> Any:
        stage = self._stage
        names = _value_names(stage)
        left = 0.03 + 0.0125 * max(map(len, names), default=0)
        axes = made.add_axes((left, 0.2, 0.455 - left, 0.45))
        made.text(0.03, 0.683, plain(stage.person), fontsize=11, color=LIGHT.text)
        _bare(axes, stage.axis)
        if not stage.values:
            axes.xaxis.label.set(horizontalalignment="left", x=0.0)
        if stage.values:
            _rows(axes, names, 10)
            axes.get_yticklabels()[int(stage.truth)].set(color=INK)
            axes.set(xlim=(0, 1), xticks=[0, 0.5, 1])
            axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
        else:
            axes.set(xlim=self._limits[:2], ylim=(0, self._limits[2]), yticks=[])
        return axes

    def draw(self, scene: Scene) -> Image.Image:
        """The picture with what moves."""
        with LOCK:
            return self._move(scene)

    def _move(self, scene: Scene) -> Image.Image:
        self._canvas.restore_region(self._still)
        moving = [] if self._bars is None else [(self._bars, one) for one in _bars(self._bars, self._stage, scene)]
        if self._person is not None:
            made = _shares if self._stage.values else _density
            moving += [(self._person, one) for one in made(self._person, self._stage, scene)]
        for axes, one in moving:
            axes.draw_artist(one)
            one.remove()
        return Image.fromarray(np.array(self._canvas.buffer_rgba())).convert("RGB")


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


def _value_names(stage: Stage) -> tuple[str, ...]:
    return tuple(f"{name} (true)" if place == stage.truth else name for place, name in enumerate(stage.values))


def _frame_bars(axes: Any, stage: Stage, scene: Scene) -> None:
    _bare(axes, f"dashed: {share(stage.without)} without any copy")
    axes.xaxis.label.set(horizontalalignment="right", x=1.0)  # long names leave a narrow axis: the words go left
    _rows(axes, stage.names, 10.5 if len(stage.names) <= 8 else 9)
    for label, value in zip(axes.get_yticklabels(), scene.bars, strict=True):
        label.set(color=LIGHT.edge if np.isnan(value) else INK)
    axes.set_xlim(0, stage.top)
    axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")


# What moves


def _bars(axes: Any, stage: Stage, scene: Scene) -> Iterator[Any]:
    places = np.arange(len(stage.names))
    if scene.behind is not None:
        yield from list(axes.barh(places, scene.behind, 0.66, color="none", edgecolor=LIGHT.edge, linewidth=1.2))
    yield from list(axes.barh(places, np.nan_to_num(scene.bars), 0.66, color=scene.colour))
    yield axes.axvline(stage.without, color=INK, linestyle="--", linewidth=1.2)
    ends = scene.bars if scene.behind is None else np.fmax(scene.bars, scene.behind)  # no frame crosses a number
    for place, value, end in zip(places, scene.bars, ends, strict=True):
        if np.isfinite(value):
            size = 10.5 if len(places) <= 8 else 9
            yield axes.text(end, place, f" {share(value)}", va="center", fontsize=size, color=INK)


def _density(axes: Any, stage: Stage, scene: Scene) -> Iterator[Any]:
    if scene.alone is not None:
        yield axes.plot(scene.alone.x, scene.alone.heights, color=ORIGINAL, linestyle="--", linewidth=1.6)[0]
    if scene.belief is not None:
        x, heights, interval = scene.belief
        yield axes.fill_between(x, heights, color=GUESS, alpha=0.25, linewidth=0)
        yield axes.plot(x, heights, color=GUESS, linewidth=2.2)[0]
        text = f"nine in ten:\n{' to '.join(map(format_number, interval))}"
        yield axes.text(0.0, 0.985, text, transform=axes.transAxes, va="top", fontsize=10.5, color=DEEP)
    yield axes.axvline(stage.truth, color=INK, linestyle=":", linewidth=1.6)
    low, high = axes.get_xlim()
    right = stage.truth > low + 0.7 * (high - low)
    text = f"{'' if right else ' '}true value {format_number(stage.truth)}{' ' if right else ''}"
    yield axes.text(stage.truth, 0.94 * axes.get_ylim()[1], text, ha="right" if right else "left", fontsize=10.5,
                    color=INK)  # fmt: skip


def _shares(axes: Any, stage: Stage, scene: Scene) -> Iterator[Any]:
    places = np.arange(len(stage.values))
    if scene.belief is not None:
        yield from list(axes.barh(places, scene.belief, 0.66, color=GUESS))
    if scene.alone is not None:  # what the first one believes alone, as a mark across the bar
        yield axes.vlines(scene.alone, places - 0.42, places + 0.42, color=INK, linewidth=1.6)
    if scene.belief is not None:
        for place, value in zip(places, scene.belief, strict=True):
            if place == stage.truth:
                end = max(value, 0.0 if scene.alone is None else scene.alone[place])
                yield axes.text(end, place, f"  {share(value)}", va="center", fontsize=10.5, color=INK)
