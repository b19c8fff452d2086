"""What all plots have in common: only changes are sent, they say what they draw, and an earlier state stays visible."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from bokeh.document import Document
from bokeh.models import Whisker

from trustscope import colours
from trustscope.looks import Axis, Look, Looks, with_looks
from trustscope.numbers import format_number
from trustscope.widgets.contrast import contrast, ink
from trustscope.widgets.live import plot as plot_module
from trustscope.widgets.live.cap import Cap
from trustscope.widgets.live.cloud import Cloud
from trustscope.widgets.live.journey import Journey, Path, Stop
from trustscope.widgets.live.lines import Dots, Lines, PlotLine
from trustscope.widgets.live.spectrum import SpectrumPlot
from trustscope.widgets.scenes.match import Match
from trustscope.widgets.scenes.twin import Side, Twin

X = np.linspace(0, 2, 5)
POINTS = np.array([[1.0, 10.0], [2.0, 30.0], [4.0, 20.0]])
BELIEF = {"truth": 33, "belief": 35, "interval": (30, 40), "y_label": "Age", "lowest": 8, "y_range": (0, 60)}
SIDE = Side("original", POINTS, ["#111111"] * 3, ("a", "b"))
ERRORS = {"nested": np.array([1, 0.5, 0.8, 0.5]), "independent": np.array([1, 0.5, 0.8, 4 / 9])}


def spectrum_table(slope):
    """Two components."""
    table = pd.DataFrame({"component": [1, 2], "combined copy": [4, 2 * slope], "data in it": [3.0, 1],
                          "noise in it": [1.0, 1], "kept": [True, True]})  # fmt: skip
    return with_looks(table, Looks(
        "component", {"kept": Look("#112233")}, Axis("component", low=0.4, high=2.6),
        Axis("variance", log=True, low=0.1, high=8), band=(0.5, 1.5, "noise"),
        more={"floor": 0.2, "strips": {"kept": 0.15}, "kept": {"kept": np.array([1, 0.5])}},
    ))  # fmt: skip


def cloud_table(slope):
    """The original, a copy and a guess."""
    parts = {"original": POINTS, "Press": POINTS * slope, "best guess": POINTS}
    table = pd.concat([pd.DataFrame({"series": name, "Age": p[:, 0], "Income": p[:, 1]}) for name, p in parts.items()])
    looks = {name: Look("#112233") for name in parts}
    return with_looks(table, Looks("series", looks, Axis("Age", low=0, high=5), Axis("Income", low=0, high=40)))


def draw(plot, slope=1.0):
    """One state of every kind of plot, in which only `slope` varies."""
    y = slope * X
    if isinstance(plot, Lines):
        plot.draw([PlotLine("a", "#112233", X, y)], [Dots("d", "#112233", [1], [0.5], [0.1])], x_range=(0, 2), mark=1)
    elif isinstance(plot, SpectrumPlot):
        plot.show_table(spectrum_table(slope))
    elif isinstance(plot, Cloud):
        plot.show_table(cloud_table(slope), copy="Press")
    elif isinstance(plot, Match):
        plot.draw(POINTS[:, 0], POINTS[:, 0] * slope, np.array([True, False, True]), x_label="Age")
    elif isinstance(plot, Journey):
        plot.draw([Path("#112233", X, y)], [Stop("M", "#112233", 50, 30 * slope)], **BELIEF)
    elif isinstance(plot, Twin):
        other = Side("released", POINTS + slope, ["#111111"] * 3, ("c", "d"))
        marked = [(0, None if slope == 1 else 1, "#333333")]
        plot.draw(SIDE, other, links=[(0, 1, "#222222", "solid")], marked=marked)
    else:
        plot.draw(3, 1.0, [0.1, 1.0 * slope, 3.0])


KINDS = [Lines, SpectrumPlot, Cloud, Journey, Cap]
SCENES = [Match, Twin]


def messages(plot, change):
    """What a change sends to the browser."""
    document, events = Document(), []
    document.add_root(plot.outer)
    document.on_change(events.append)
    change()
    document.remove_root(plot.outer)
    return events[:-1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_again_sends_nothing(kind):
    plot = kind("name")
    draw(plot)
    assert messages(plot, lambda: draw(plot)) == []
    assert messages(kind("name"), lambda: None) == []
    changed = messages(plot2 := kind("other"), lambda: draw(plot2))
    assert changed  # the events are seen where there are some


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_is_drawn_and_the_browser_holds_the_same(kind):
    plot = kind("name")
    draw(plot)
    events = messages(plot, lambda: draw(plot, slope=1.5))
    assert events
    for name, source in plot.sources.items():
        for column, values in plot.columns_shown(name).items():
            assert list(source.data[column]) == list(values), (name, column)


@pytest.mark.parametrize("kind", KINDS)
def test_every_plot_tells_the_browser_its_name_and_its_sentence(kind):
    plot = kind("Its name")
    draw(plot)
    attributes = plot.outer.html_attributes
    assert attributes["role"] == "img"
    assert attributes["aria-label"] == "Its name"
    assert attributes["aria-description"] == plot.summary()


@pytest.mark.parametrize("kind", KINDS + SCENES)
def test_every_plot_has_a_sentence(kind):
    plot = kind("Its name")
    draw(plot)
    assert plot.label == "Its name"
    said = plot.summary_text if kind in SCENES else plot.summary()
    assert said.endswith(".")
    assert any(character.isdigit() for character in said)
    assert "nan" not in said


@pytest.mark.parametrize("kind", KINDS)
def test_a_kept_scenario_is_drawn_faintly_behind(kind):
    plot, kept = kind("name"), kind("kept")
    draw(kept, slope=1.1)
    draw(plot)
    assert not any(len(column) for column in plot.columns_shown("ghost").values())
    plot.beside = kept
    draw(plot)
    assert all(len(column) for column in plot.columns_shown("ghost").values())
    order = [renderer.data_source for renderer in plot.figure.renderers]
    front = {"cap": "cap", "coalitiondots": "dots", "cloud": "guess", "journey": "paths",
             "spectrumplot": "released"}.get(kind.__name__.lower(), "lines")  # fmt: skip
    assert order.index(plot.sources["ghost"]) < order.index(plot.sources[front])
    plot.beside = None
    draw(plot)
    assert not any(len(column) for column in plot.columns_shown("ghost").values())


@pytest.mark.parametrize("kind", SCENES)
def test_a_scene_is_sent_where_it_changed_alone(kind):
    plot, sent = kind("name"), []
    plot.param.watch(lambda *events: sent.extend(events), ["drawn", "summary_text"])
    draw(plot)
    assert {event.name for event in sent} == {"drawn", "summary_text"}
    sent.clear()
    draw(plot)
    assert sent == []
    draw(plot, slope=1.5)
    assert "drawn" in {event.name for event in sent}


@pytest.mark.parametrize("kind", SCENES)
def test_a_kept_scenario_is_in_the_scene(kind):
    plot, kept = kind("name"), kind("name")
    draw(plot)
    assert plot.scene["ghost"] is None
    draw(kept, slope=1.1)
    plot.beside = kept
    draw(plot)
    assert plot.scene["ghost"]["x"]
    plot.beside = None
    draw(plot)
    assert plot.scene["ghost"] is None


def test_a_plot_that_was_hidden_can_be_seen_again():
    pane = Lines("name").__panel__()
    for wanted in (False, True, False, True):
        pane.visible = wanted
        assert pane.visible == wanted
        assert pane.object.visible == wanted


def test_stops_that_would_cover_one_another_move_apart():
    plot = Journey("name")
    stops = [Stop(who, "#112233", trust, value) for who, trust, value in
             (("A", 40, 30), ("B", 40, 30), ("C", 39, 30.5), ("D", 40, 55), ("E", 80, 30))]  # fmt: skip
    plot.draw([], stops, **BELIEF)
    assert plot.columns_shown("stops")["x"] == [40, 36.6, 32.2, 40, 80]
    assert plot.columns_shown("stops")["trust"] == [40, 40, 39, 40, 80]  # as they are


def test_a_belief_on_the_path_has_its_tone():
    plot = Journey("name")
    source = plot.sources["belief"]
    (believed,) = (one.glyph for one in plot.figure.renderers if one.data_source is source)
    (whisker,) = (one for one in plot.figure.select(Whisker) if one.source is source)
    draw(plot)
    assert believed.fill_color == whisker.line_color == colours.GUESS
    plot.draw([], [], **BELIEF, tone="safe")
    assert believed.fill_color == whisker.line_color == colours.SCHEMES["nested"]


def test_only_the_lines_that_changed_are_sent():
    plot = Lines("name")
    still, moved = PlotLine("still", "#111111", X, X), PlotLine("moved", "#222222", X, 2 * X)
    plot.draw([still, moved], x_range=(0, 2))
    shown = [still, PlotLine("moved", "#222222", X, 3 * X)]
    events = messages(plot, lambda: plot.draw(shown, x_range=(0, 2)))
    patches = [event.patches for event in events if hasattr(event, "patches")]
    assert patches == [{"ys": [(1, (3 * X).tolist())]}]
    # One column of dots is sent alone.
    dots = {"x": [1, 2], "y": [0.1, 0.2]}
    plot.draw([still], [Dots("d", "#111111", **dots)], x_range=(0, 2))
    dots["x"] = [1, 3]
    events = messages(plot, lambda: plot.draw([still], [Dots("d", "#111111", **dots)], x_range=(0, 2)))
    assert [list(event.cols) for event in events if hasattr(event, "cols")] == [["x"]]


@pytest.mark.parametrize("kind", KINDS)
def test_type_is_large_enough_to_read(kind):
    for axis in kind("name").figure.axis:
        assert float(axis.major_label_text_font_size.removesuffix("px")) >= 14
        assert float(axis.axis_label_text_font_size.removesuffix("px")) >= 14


def test_plots_that_hear_no_pointer_are_no_stop_of_the_tab_key():
    assert "inert" in Lines("name").figure.html_attributes


def test_on_a_page_a_plot_says_itself_when_nothing_changes_any_more(monkeypatch):
    now, timers = [100.0], []
    page = SimpleNamespace(
        session_context=True, add_timeout_callback=lambda act, milliseconds: timers.append((act, milliseconds))
    )
    monkeypatch.setattr(plot_module.pn, "state", SimpleNamespace(curdoc=page))
    monkeypatch.setattr(plot_module.time, "monotonic", lambda: now[0])
    plot = Lines("name")
    draw(plot)
    said_at_first = plot.outer.html_attributes["aria-description"]
    assert said_at_first == plot.summary()  # a plot that has said nothing yet does so at once
    for slope in (1.5, 2.0):  # as while a slider is dragged
        draw(plot, slope=slope)
        now[0] += 0.5
    ((act, after),) = timers
    assert after == 600
    act()  # the last change is half a second old
    assert plot.outer.html_attributes["aria-description"] == said_at_first
    act, after = timers.pop()
    assert after == pytest.approx(101, abs=2)
    now[0] += 0.2
    act()
    assert plot.outer.html_attributes["aria-description"] == plot.summary() != said_at_first
    draw(plot, slope=2.5)
    assert len(timers) == 2  # and it listens again


def test_numbers_in_sentences():
    assert format_number(50_000) == "50\u202f000"
    assert format_number(-1234.5) == "−1\u202f234" or format_number(-1234.5) == "−1\u202f235"
    assert (format_number(0), format_number(-0.0), format_number(0.5), format_number(0.012345)) == (
        "0",
        "0",
        "0.5",
        "0.0123",
    )
    assert format_number(0.514, share=True) == "51.4\u202f%"
    assert format_number(np.nan) == "unknown"


def test_a_summary_names_ends_and_peak():
    plot = Lines("name")
    plot.draw([PlotLine("a", "#111111", [0, 1, 2], [0.1, 0.9, 0.2])], x_range=(0, 2), y_top=1)
    assert plot.summary() == "a: 10\u202f% at 0 to 20\u202f% at 2, highest 90\u202f% at 1."


def test_contrast_by_its_definition():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777", "#777777") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)  # the grey that the guidelines name
    for colour in colours.RECIPIENTS:
        assert contrast(ink(colour), colour) >= 4.2
