"""The shapes that plots consist of: the limits of their axes, their legends, and how both backends draw them."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import holoviews as hv
import numpy as np
import pandas as pd
import pytest
from bokeh.document import Document
from bokeh.io.doc import patch_curdoc
from bokeh.models import FixedTicker, HoverTool, Plot
from bokeh.themes import Theme

from trustscope.looks import Axis, Look, Looks, with_looks
from trustscope.plots import backends, draw, papers, theme
from trustscope.plots import elements as e
from trustscope.plots.charts import _offsets, bars, beams_with_values
from trustscope.plots.draw import Around, svg
from trustscope.plots.elements import (
    area,
    at,
    band,
    beams,
    columns_of,
    dots,
    extent,
    level,
    line,
    panel,
    row,
    rows,
    steps,
    sticks,
    texts,
    upright,
    whiskers,
)
from trustscope.plots.theme import DARK
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.registry import EXPERIMENTS

RED, BLUE = "#d9541e", "#12809c"


def limits(*layers, **options):
    frame = draw.frame_of(panel(layers, x="x", y="y", **options))
    return frame.x, frame.y


def test_a_twentieth_is_left_free_on_each_side():
    x, y = limits(line([0, 10], [2, 4], RED), dots([20], [np.nan], RED))
    assert x == pytest.approx((-1, 21))
    assert y == pytest.approx((1.9, 4.1))


def test_a_logarithmic_axis_is_padded_by_a_factor():
    x, y = limits(line([1, 100], [0, 1], RED), log="x")
    assert x == pytest.approx((10**-0.1, 10**2.1))
    assert y == pytest.approx((-0.05, 1.05))
    assert limits(line([1, 2], [0, 100], RED), dots([1], [1], RED), log="y")[1] == pytest.approx((10**-0.1, 10**2.1))


def test_ends_that_are_given_are_kept():
    assert limits(line([0, 1], [0, 10], RED), y_range=(-3, None), x_range=(0, 7)) == ((0, 7), (-3, 10.5))


def test_lines_across_do_not_widen_the_axes():
    assert limits(line([0, 1], [0, 1], RED)) == limits(line([0, 1], [0, 1], RED), level(9), upright(-5), band(3, 4))


def test_bars_and_whiskers_are_seen_whole():
    x, y = limits(sticks([1, 2], [5, 10], RED, width=1.0))
    assert (x, y) == (pytest.approx((0.4, 2.6)), pytest.approx((-0.5, 10.5)))
    _, y = limits(whiskers([1, 2], [0.1, 0.9], [0.3, np.nan], RED, within=(0, 1)), y_range=(None, None))
    assert y == pytest.approx((-0.045, 0.945))  # cut off at 0; a spread that is not known is none


@pytest.mark.parametrize(("layers", "log"), [([dots([3], [0], RED)], ""), ([dots([3], [4], RED)], "xy"), ([], "")])
def test_an_axis_always_has_a_length(layers, log):
    for low, high in limits(*layers, log=log):
        assert np.isfinite([low, high]).all()
        assert low < high


def test_steps_outline_a_histogram():
    x, y = extent(steps([0, 1], [1, 2], [5, 7], RED))
    assert x.tolist() == [0, 1, 1, 2]
    assert y.tolist() == [5, 5, 7, 7]


def test_the_legend_names_each_series_once():
    first = panel(
        [line([0, 1], [0, 1], RED, "a", "dashed"), dots([0], [0], RED), sticks([0], [0], BLUE, "b")], x="", y=""
    )
    second = panel([dots([0], [0], RED, "a"), dots([0], [0], BLUE, "c"), level(1)], x="", y="")
    assert draw.entries(row(first, second)) == [("a", RED, "dashed"), ("b", BLUE, "block"), ("c", BLUE, "dot")]


@pytest.mark.parametrize(("panels", "columns"), [(1, 1), (2, 2), (3, 3), (4, 2), (5, 3)])
def test_panels_stand_in_rows(panels, columns):
    assert columns_of(panels) == columns


def test_a_panel_says_what_it_shows():
    assert draw.label_of(panel([dots([1], [1], RED)], x="rows", y="error", title="Age")) == "Age error by rows"
    assert draw.label_of(panel([dots([1], [1], RED)], x="", y="error")) == "error"


def test_ticks_of_a_logarithmic_axis_do_not_crowd():
    assert at([500, 1000, 1100, 2000, 2500]) == [(500, "500"), (1000, "1k"), (2000, "2k")]


LAYERS = [
    lambda: line([1, 2], [1, 2], "#111111", "a line", "dotted", 3.0),
    lambda: dots([1, 2], [1, 2], "#222222", hollow=True),
    lambda: dots([1, 2], [1, 2], "#333333", size=9),
    lambda: whiskers([1, 2], [1, 2], [1, 1], "#444444"),
    lambda: sticks([1, 2], [1, 2], "#555555"),
    lambda: level(1.5, "#666666", "dotted"),
    lambda: upright(1.5, "#777777"),
    lambda: area([1, 2], [1, 2], "#888888"),
    lambda: band(1, 2, "#999999"),
]


def test_every_layer_is_drawn_into_files():
    layers = [make() for make in LAYERS]
    text = svg(panel(layers, x="across", y="up", title="above", ticks=[(1, "one"), (2, "two")], shares=True))
    assert set(re.findall(r"#([1-9])\1{5}\b", text)) == set("123456789")
    written = {node.text for node in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
    assert {"across", "up", "above", "one", "two", "a line", "100 %"} <= written
    fewer = svg(panel(layers[1:], x="", y=""))
    assert "#111111" not in fewer


def test_every_layer_is_drawn_by_bokeh():
    layers = [make() for make in LAYERS]
    (fig,) = draw.bokeh(panel(layers, x="x", y="y", ticks=((1.0, "one"), (2.0, "two")), shares=True))
    colours = {glyph.line_color for glyph in (getattr(one, "glyph", None) for one in fig.renderers)
               if hasattr(glyph, "line_color")}  # fmt: skip
    assert {"#111111", "#222222", "#333333", "#444444"} <= colours
    assert isinstance(fig.xaxis[0].ticker, FixedTicker)
    assert fig.xaxis[0].major_label_overrides == {1.0: "one", 2.0: "two"}
    assert "%" in fig.yaxis[0].formatter.format
    (hover,) = fig.select({"type": HoverTool})
    assert dict(hover.tooltips)["y"] == "$snap_y{0.[0] %}"
    assert not any(legend.visible and legend.items for legend in fig.legend)


def test_rows_have_names_from_the_top_on():
    made = rows(
        ["first", "second"], [beams([0.2, 0.4], [0, 1], RED, "a"), texts([0.2], [0], ["20 %"])], x="hits", top=1.0
    )
    assert draw.frame_of(made).y == (1.5, -0.5)
    text = svg(made)
    assert text.index(">first<") < text.index(">second<")
    (fig,) = draw.bokeh(made)
    assert (fig.y_range.start, fig.y_range.end) == (1.5, -0.5)


def test_every_panel_is_drawn():
    text = svg(row(*(panel([line([0, 1], [0, 1], RED)], x=f"axis {n}", y="") for n in range(4))))
    assert all(f"axis {n}" in text for n in range(4))
    assert len(re.findall(r'id="axes_\d+"', text)) == 4


def test_light_and_dark_differ_in_their_surface_alone():
    made = panel([line([0, 1], [0, 1], RED, "a")], x="x", y="y")
    light, dark = (svg(made, theme=theme, around=Around("T")) for theme in ("light", "dark"))
    assert re.findall(r"<text.*?>(.*?)</text>", light) == re.findall(r"<text.*?>(.*?)</text>", dark)
    assert len(light) == pytest.approx(len(dark), rel=0.01)
    assert "#161d29" in dark
    assert "#161d29" not in light


def test_a_kept_scenario_is_drawn_faintly_behind():
    now, kept = (panel([line([0, 1], [0, end], RED, "a")], x="x", y="y", y_range=(0, 2)) for end in (1, 2))
    both = draw.with_behind(now, kept)
    assert [type(layer) for layer in both] == [hv.Curve, hv.Curve]
    assert [layer.label for layer in both] == ["", "a"]
    assert draw.options_of(both)["xlabel"] == "x"
    assert draw.options_of(next(iter(both)))["alpha"] == draw.GHOST_ALPHA
    (fig,) = draw.bokeh(now, behind=kept)
    assert len(fig.renderers) == 2


def test_a_page_that_is_open_while_something_is_drawn_is_left_alone():
    page = Document()
    page.theme = theme = Theme(json={})
    hooks = set(page.callbacks.session_destroyed_callbacks)
    with patch_curdoc(page):
        (fig,) = draw.bokeh(panel([line([0, 1], [0, 1], RED)], x="", y=""))
    assert page.theme is theme
    assert set(page.callbacks.session_destroyed_callbacks) == hooks
    assert fig.document is None  # it can be put on any page


def test_in_large_type_a_legend_does_not_make_the_panel_small():
    def width(*names):
        lines = [line([0, 1], [0, place], RED, name) for place, name in enumerate(names)]
        return int.from_bytes(draw.png(panel(lines, x="x", y="y"), larger=1.75)[16:20])  # as the file's head says

    short = width("alone", "together")
    assert width("believed by the hospital alone", "believed by all of them together") < 1.25 * short


def test_plots_that_stand_side_by_side_keep_their_axes():
    """HoloViews would give both one axis, because their dimensions have the same names, and so would Panel."""
    one, other = (panel([line([1, top], [1, top], "#111111")], x="x", y="y") for top in (10, 1_000))
    backends.load()
    together = hv.render(one + other, backend="bokeh")
    ranges = [(fig.x_range, fig.y_range) for fig in together.select({"type": Plot})]
    assert len({id(x) for x, _ in ranges}) == len({id(y) for _, y in ranges}) == 2
    assert not any(part.tags for pair in ranges for part in pair)


@pytest.mark.parametrize(
    ("names", "columns"),
    [(["a", "b"], 2), (["a name of thirty letters, about"] * 2, 1), (["original", "Ministry", "Press", "a guess"], 3)],
)
def test_a_legend_has_as_many_names_in_a_line_as_fit(names, columns):
    assert theme.names_in_a_line(names) == columns


def test_nothing_of_holoviews_is_changed_for_others():
    before = hv.Store.current_backend
    for backend, given in (("bokeh", 2), ("matplotlib", 2)):  # as HoloViews itself has them
        style = hv.Store.lookup_options(backend, hv.Curve([1, 2]), "style").kwargs
        assert {style.get("line_width"), style.get("linewidth")} == {given, None}
        assert not hv.Store.lookup_options(backend, hv.Overlay([hv.Curve([1, 2])]), "plot").kwargs.get("hooks")
    svg(panel([line([0, 1], [0, 1], RED)], x="", y=""))
    draw.bokeh(panel([line([0, 1], [0, 1], RED)], x="", y=""))
    assert hv.Store.current_backend == before


@pytest.mark.sweep
@pytest.mark.parametrize("id", EXPERIMENTS)
def test_every_experiment_is_drawn_and_axes_show_all_of_it(id):
    """Data lie within the axes, but where a plot cuts an axis short on purpose; both backends draw all panels."""
    element = papers.plot(id, stored.result(id).table)
    figures = draw.bokeh(element)
    assert len(figures) == len(draw.panels_of(element))
    for panel_, figure in zip(draw.panels_of(element), figures, strict=True):
        frame = draw.frame_of(panel_)
        assert (figure.x_range.start, figure.x_range.end) == pytest.approx(frame.x)
        values = np.concatenate([extent(layer)[0] for layer in panel_])
        values = values[np.isfinite(values)]
        assert ((values >= frame.x[0] - 1e-9) & (values <= frame.x[1] + 1e-9)).mean() > 0.9
    assert all(colour.startswith("#") for _, colour, _ in draw.entries(element))


def test_paper_is_the_same_whichever_backend_somebody_chose():
    """After `ts.extension()` Bokeh is chosen: its default colour of a band must not be drawn on paper."""
    plot = panel([line([0, 1], [0, 1], RED), band(0.2, 0.4, BLUE)], x="x", y="y")
    plain, before = svg(plot), hv.Store.current_backend
    try:
        hv.Store.current_backend = "bokeh"
        assert svg(plot) == plain
        assert hv.Store.current_backend == "bokeh"
    finally:
        hv.Store.current_backend = before


def test_the_scale_of_a_map_stands_beside_it():
    """In the colours of the theme, in per cent, and not over the shades."""
    values = np.linspace(0, 1, 12).reshape(3, 4)
    shown = e.panel([e.shades(values)], x="x", y="y", x_range=(-0.5, 3.5), y_range=(-0.5, 2.5))
    made = draw.figure(shown, theme="dark")
    made.canvas.draw()
    panel = made.axes[0]
    (scale,) = panel.child_axes
    assert scale.get_window_extent().x0 > panel.get_window_extent().x1
    assert [label.get_text() for label in scale.get_yticklabels()][-1] == "100 %"
    assert {label.get_color() for label in scale.get_yticklabels()} == {DARK.text}


def test_names_below_a_panel_do_not_touch():
    names = ["original", "Ministry's copy", "University's copy", "Press's copy"]
    shown = e.panel([e.dots(range(4), range(4), "#123456", "a")], x="", y="y", x_range=(-0.5, 3.5), y_range=(0, 4),
                    ticks=list(enumerate(names)))  # fmt: skip
    made = draw.figure(shown)
    made.canvas.draw()
    boxes = [label.get_window_extent() for label in made.axes[0].get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_values_stand_apart_from_their_bars_in_a_browser_too():
    looks = Looks("who", {"share": Look("#000000", mark="block")}, Axis("", share=True))
    drawn = svg(bars(with_looks(pd.DataFrame({"who": ["a"], "share": [0.5]}), looks)))
    assert re.search(">\N{NO-BREAK SPACE}50[^<]*<", drawn)


def test_no_range_crosses_the_value_of_a_bar():
    at = np.arange(4.0), 0.8
    low, high = np.array([0.1, 0.42, 0.7, 0.2]), np.array([0.6, 0.5, 0.9, 0.3])
    _, values = beams_with_values([0.4, 0.4, 0.4, 0.4], at, Look("#000000"), "", Axis(""), [(low, high)])
    assert values.dimension_values(0).tolist() == [0.6, 0.5, 0.4, 0.4]


@pytest.mark.parametrize("larger", [1.0, 1.4])
def test_values_beside_bars_do_not_lie_over_one_another(larger):
    places = np.arange(3.0)
    layers = [texts(places, places + offset, ["12 %"] * 3) for offset in np.linspace(-0.4, 0.4, 6)]
    made = draw._figure(rows(["a", "b", "c"], layers, x="share"), larger, theme.LIGHT, None)
    heights = sorted((box.y0, box.y1) for box in (text.get_window_extent() for text in made.axes[0].texts))
    assert len(heights) == 18
    assert all(below[1] <= above[0] + 1 for below, above in pairwise(heights))


@pytest.mark.parametrize("larger", [1.0, 1.75])
def test_no_bar_lies_over_the_value_of_a_shorter_one_below(larger):
    series = {"long": Look("#aa0000", mark="block"), "short": Look("#0000aa", mark="block")}
    table = pd.DataFrame({"who": list("abcdef"), "long": 0.9, "short": 0.3})
    made = draw._figure(bars(with_looks(table, Looks("who", series, Axis("", share=True)))), larger, theme.LIGHT, None)
    made.canvas.draw()
    panel = made.axes[0]
    row = abs(np.diff(panel.transData.transform([(0, 0), (0, 1)])[:, 1])[0])
    (digit,) = {text.get_fontsize() for text in panel.texts}
    tall = 0.73 * digit * made.dpi / 72  # of a digit
    (above, broad), (below, _) = _offsets(6, 0, 2), _offsets(6, 1, 2)
    apart = row * (below[0] - above[0] - broad / 2)  # from the middle of a value to the edge of the bar above
    assert apart >= 0.7 * tall
