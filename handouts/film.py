"""A moving picture of a scenario: recipients pool one after the other, a belief narrows, and the noise is switched."""

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from trustscope import colours, schemes
from trustscope.datasets import Dataset
from trustscope.handouts.report.version import OURS
from trustscope.looks import joining_names, looks_of
from trustscope.plots.moving import SIZE, STEP, Density, Scene, Stage, frames, still
from trustscope.scenarios import pages
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories import verdict
from trustscope.scenarios.categories.scenario import CategoriesData
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.problem import ScenarioProblem
from trustscope.scenarios.scenario import OWN, Scenario
from trustscope.scenarios.trust import words as trust_words
from trustscope.scenarios.trust.verdict import headline
from trustscope.scenarios.whole import Cancel, Progress, stop
from trustscope.scenarios.words import number_word, sentence, share

if TYPE_CHECKING:
    from PIL.Image import Image

FILMED = ("trust", "categories")  # the pages with recipients who pool
FORMS = {".apng": "image/apng", ".png": "image/apng", ".gif": "image/gif", ".webm": "video/webm"}
COLOURS = 96  # of all frames of an APNG or a GIF
WHITE = 246  # what is no darker than this is white
MOST_VALUES = 8  # categories that are shown of one person
DRAWN = 0.5  # the share of the work that is drawing: two thirds for a GIF, less than half for an APNG
NO_FFMPEG = (
    "A WebM film is made by ffmpeg, which is not installed here. Install it, or end the name with .apng or .gif."
)


def film(
    scenario: Scenario, form: str = ".apng", *, title: str = "", own: Dataset | None = None,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> bytes:  # fmt: skip
    """A film of a scenario, 800 pixels wide and below 2 MB.

    Parameters
    ----------
    scenario : Scenario
        Of the page Trust or Categories. Those who pool join one after the other, the most trusted first; where fewer
        than two pool, all recipients do.
    form : str
        .apng, .gif or .webm (which needs ffmpeg).
    title : str
        What stands above it.
    own : Dataset, optional
        The person's own data, where the scenario names some; then no single record is shown.
    progress : called with a share from 0 to 1 and what is being done, now and then
    cancel : asked now and then; where it says True, `Stopped` is raised

    Raises
    ------
    Stopped, ScenarioProblem, Unusable or DataProblem
    """
    if form not in FORMS:
        raise ScenarioProblem(f"The name of a film ends with .apng, .gif or .webm, not with {form or 'nothing'}.")
    if form == ".webm" and shutil.which("ffmpeg") is None:
        raise ScenarioProblem(NO_FFMPEG)
    told = progress or (lambda fraction, text: None)
    told(0.0, "Reading the data")
    stage, scenes = story(scenario, title=title, own=own)

    def drawn(done: float) -> None:
        stop(cancel)
        told(DRAWN * done, "Drawing")

    made = encoded(frames(stage, scenes, drawn), form)
    told(1.0, "Done")
    return made


# What is told


def poster(scenario: Scenario, cancel: Cancel | None = None) -> bytes:
    """A picture that stands for a link to a scenario: its headline, its number, and who pools, where somebody does.

    A PNG of 1200 by 675 pixels. Arguments and errors are those of `film`; a scenario of somebody's own data has none.
    """
    pooling = scenario.page in FILMED and len(scenario.settings.coalition) > 1
    if not pooling:
        work = pages.work_of(scenario)
        said = work.metrics_of(work.whole(scenario, cancel=cancel))
        words = Stage(said.verdict, f"Made with Trustscope {OURS}.", (), _number(said), 0.0, 1.0)
        return still(words, Scene(said.label, np.zeros(0), colours.NEUTRAL))
    stage, scenes = story(scenario)
    model = pages.work_of(scenario).make_model(scenario).model
    picture = model.at_rest(model.fit_to_data(scenario.replace({"view.closer": ""})))
    said = headline(picture, trust_words.subject_of(model.population, picture.settings.attribute)) if (
        scenario.page == "trust"
    ) else verdict.headline(picture, model.noun)  # fmt: skip
    return still(replace(stage, title=said.title), replace(scenes[-2], caption=f"{_number(said)} {said.label}"))


def _number(said: Any) -> str:
    """The number of a headline."""
    return " → ".join(filter(None, (said.before, said.after)))


def story(scenario: Scenario, *, title: str = "", own: Dataset | None = None) -> tuple[Stage, list[Scene]]:
    """What stays, and scene by scene what is seen: nobody has a copy, one, two and so on, and the other scheme."""
    if scenario.page not in FILMED:
        raise ScenarioProblem(f"A film is of the page {' or '.join(FILMED)}, not of {scenario.page}.")
    data, model = pages.work_of(scenario).make_model(scenario, own)
    scenario = model.fit_to_data(_pooling(scenario).replace({"view.closer": ""}))
    settings = scenario.settings
    picture = model.at_rest(scenario)  # it has the bars of every size, under both schemes
    bars = cards_of(scenario.page)["pooling"].table(picture, model)
    rates = {scheme: _column(bars, scheme) for scheme in (settings.scheme, settings.rival)}
    order = [r for name in bars["who joins"] for r in settings.recipients if r.name == name]
    what = "copies" if scenario.page == "categories" else "noise"
    measure, guesser = _words(scenario, picture, model)
    without = float(bars["without any copy"].iloc[0])

    def believed(scheme: str, many: int) -> pd.DataFrame:
        """One person, as the page shows them where so many pool."""
        if scenario.data.name == OWN:
            return pd.DataFrame()
        there = _with_members(scenario, {r.number for r in order[:many]}).replace({"settings.scheme": scheme})
        return cards_of(scenario.page)["person"].table(
            replace(picture, scenario=there, person=model.person(there)), model
        )

    steps = [(settings.scheme, many) for many in range(1, len(order) + 1)] + [(settings.rival, len(order))]
    people = [believed(*step) for step in steps]
    show = _person(people)
    scenes = [Scene(f"Without any copy: {share(without)} {measure}.", np.full(len(order), np.nan), colours.NEUTRAL)]
    for (scheme, many), person in zip(steps, people, strict=True):
        found = rates[scheme]
        other = scheme != settings.scheme
        caption = _switched(rates, settings, order, what) if other else (
            _joined(order, many, found, measure, f"{schemes.adjective(scheme)} {what}")
        )  # fmt: skip
        scenes.append(Scene(
            caption,
            np.where(np.arange(len(order)) < many, found, np.nan), schemes.of(scheme).colour,
            rates[settings.scheme] if other else None, *show.beliefs(person, many),
        ))  # fmt: skip
    stage = Stage(
        title or f"{data.title}: what pooled copies give away",
        f"{guesser} Made with Trustscope {OURS}.", tuple(joining_names([r.name for r in order])),
        f"{sentence(measure.removeprefix('of '))}, as they pool", without, _top(bars), **show.stage(scenario),
    )  # fmt: skip
    return stage, scenes


def _pooling(scenario: Scenario) -> Scenario:
    """The scenario, in which at least two pool."""
    settings = scenario.settings
    if len(settings.recipients) < 2:
        raise ScenarioProblem("A film shows recipients who pool their copies: this scenario has a single one.")
    if len(settings.coalition) > 1:
        return scenario
    return _with_members(scenario, {r.number for r in settings.recipients})


def _with_members(scenario: Scenario, numbers: set[int]) -> Scenario:
    who = tuple(r.replace({"member": r.number in numbers}) for r in scenario.settings.recipients)
    return scenario.replace({"settings.recipients": who})


def _column(table: pd.DataFrame, scheme: str) -> np.ndarray:
    return next(table[name].to_numpy(dtype=float) for name in table if str(name).endswith(f", {scheme}"))


def _top(bars: pd.DataFrame) -> float:
    """Where the scale ends: there is room for a value behind the longest bar."""
    return 1.2 * float(looks_of(bars).x.high or 1.0)


def _words(scenario: Scenario, picture: Any, model: Any) -> tuple[str, str]:
    """What the shares count, and who guesses."""
    settings = scenario.settings
    if scenario.page == "categories":
        measure = verdict.measure_of(picture.joining)
        return verdict.label(measure, model.noun), (f"Guessed by somebody who {attacker_in_words(settings)}.")
    subject = trust_words.subject_of(model.population, settings.attribute)
    by = "the best linear guess"
    if picture.judged is not None and picture.judged.hits is not None:
        by = f"somebody who knows {trust_words.knowledge_in_words(settings, subject.noun)}"
    return trust_words.hit(settings, subject), f"Guessed by {by}."


def _joined(order, many: int, found: np.ndarray, measure: str, noise: str) -> str:
    if many == 1:
        return f"{order[0].name} holds a copy: {share(found[0])} {measure}."
    return f"{order[many - 1].name} joins, with {noise}: {number_word(many)} copies together {share(found[many - 1])}."


def _switched(rates: dict[str, np.ndarray], settings, order, what: str) -> str:
    """What the other scheme makes of the same levels."""
    here, there = (share(rates[scheme][-1]) for scheme in (settings.scheme, settings.rival))
    alone = share(rates[settings.rival][0])
    told = f"With {schemes.adjective(settings.rival)} {what} instead: all {number_word(len(order))} together {there}"
    if there == alone:
        return f"{told}, no more than {order[0].name} alone."
    return f"{told}." if here == there else f"{told}, not {here}."


class _Shown:
    """One person, whose value is a number or a category; nobody, where there is nothing to show."""

    def stage(self, scenario: Scenario) -> dict[str, Any]:
        """What of the stage is about the person."""
        return {}

    def beliefs(self, table: pd.DataFrame, many: int) -> tuple[Any, Any]:
        """What all believe, and beside it what the first one believes alone, where there are several."""
        return None, None


class _Number(_Shown):
    def __init__(self, tables: list[pd.DataFrame]):
        self._first = tables[0]

    def stage(self, scenario: Scenario) -> dict[str, Any]:
        """The true value, and the axis."""
        truth: Any = self._first.set_index("what").loc["true value", "value"]
        axis = f"{looks_of(self._first).x.label}; dashed: {scenario.settings.best.name} alone"
        person = f"One person's {scenario.settings.attribute}: what is believed"
        return {"person": person, "axis": axis, "truth": float(truth)}

    def beliefs(self, table: pd.DataFrame, many: int) -> tuple[Any, Any]:
        """As densities."""
        looks = looks_of(table)
        rows = table.set_index("what")
        found = {}
        for what, heights in looks.more["densities"].items():
            ends = float(rows.loc[what, "low"]), float(rows.loc[what, "high"])
            found["together" in what] = Density(np.array(looks.more["x"]), np.array(heights), ends)
        return found.get(True), found.get(False) if many > 1 else None


class _Category(_Shown):
    def __init__(self, tables: list[pd.DataFrame]):
        self._first = tables[0]
        # Those that are believed most in any scene; the truth is among them.
        most = np.max([self._shares(table, "together") for table in tables], axis=0) + 2.0 * self._first["true"]
        self._kept = np.sort(np.argsort(-most.to_numpy(), kind="stable")[:MOST_VALUES])

    @staticmethod
    def _shares(table: pd.DataFrame, ending: str) -> np.ndarray:
        return next(table[name].to_numpy(dtype=float) for name in table if str(name).endswith(ending))

    def stage(self, scenario: Scenario) -> dict[str, Any]:
        """The values, and which one is true."""
        kept, data = self._first.iloc[self._kept], cast(CategoriesData, scenario.data)
        return {
            "person": f"One person's {data.column}: what is believed",
            "axis": f"belief; mark: {scenario.settings.best.name} alone",
            "truth": int(np.flatnonzero(kept["true"])[0]), "values": tuple(kept["value"].astype(str)),
        }  # fmt: skip

    def beliefs(self, table: pd.DataFrame, many: int) -> tuple[Any, Any]:
        """As shares."""
        alone = self._shares(table, " alone")[self._kept] if many > 1 else None
        return self._shares(table, "together")[self._kept], alone


def _person(tables: list[pd.DataFrame]) -> _Shown:
    if not len(tables[0]):
        return _Shown()
    return _Number(tables) if "what" in tables[0] else _Category(tables)


# As a file


def encoded(drawn: Iterable[tuple["Image", int]], form: str) -> bytes:
    """Frames, each with how long it stands in milliseconds, as a film of one of `FORMS`."""
    from PIL.Image import Dither

    pictures, times = zip(*drawn, strict=True)
    if form == ".webm":
        return _webm(pictures, times)
    palette = _palette(pictures)
    flat = [one.quantize(palette=palette, dither=Dither.NONE) for one in pictures]
    stream = io.BytesIO()
    how = {"format": "GIF", "optimize": False} if form == ".gif" else {"format": "PNG", "optimize": True}
    flat[0].save(stream, save_all=True, append_images=flat[1:], duration=list(times), loop=0, **how)
    return stream.getvalue()


def _palette(pictures: tuple["Image", ...]) -> "Image":
    """The colours of some of the frames, one below the other: one palette, so that nothing flickers."""
    from PIL import Image

    few = pictures[:: max(1, len(pictures) // 12)]
    tall = Image.new("RGB", (SIZE[0], SIZE[1] * len(few)))
    for place, one in enumerate(few):
        tall.paste(one, (0, place * SIZE[1]))
    found = tall.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    every = np.array(found.getpalette()).reshape(-1, 3)
    every[every.min(axis=1) >= WHITE] = 255  # the surface is white, and not nearly white
    found.putpalette(every.ravel().tolist())
    return found


def _webm(pictures: tuple["Image", ...], times: tuple[int, ...]) -> bytes:
    """By ffmpeg, at an even rate: what stands still is repeated."""
    raw = b"".join(one.tobytes() * max(1, round(ms / STEP)) for one, ms in zip(pictures, times, strict=True))
    with tempfile.TemporaryDirectory(prefix="trustscope-") as folder:  # a file, because a pipe gets no length
        out = Path(folder) / "film.webm"
        command = [
            "ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{SIZE[0]}x{SIZE[1]}",
            "-r", str(1_000 // STEP), "-i", "-", "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32", "-cpu-used", "5",
            "-row-mt", "1", "-pix_fmt", "yuv420p", str(out),
        ]  # fmt: skip
        made = subprocess.run(command, input=raw, capture_output=True, check=False)
        if made.returncode or not out.is_file():
            last = made.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise ScenarioProblem(f"ffmpeg made no WebM film. It says: {last or 'nothing'}")
        return out.read_bytes()
