"""Pictures as plain values: the limits of their axes, their legends, and how they are drawn into files."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.picture import (
    Panel,
    Picture,
    at,
    dots,
    level,
    line,
    panel,
    row,
    steps,
    sticks,
    upright,
    whiskers,
)
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.svg import drawn

RED, BLUE = "#d9541e", "#12809c"


def limits(*layers, **options):
    (made,) = panel(layers, x="x", y="y", **options).panels
    return made.limits()


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
    assert limits(line([0, 1], [0, 1], RED)) == limits(line([0, 1], [0, 1], RED), level(9), upright(-5))


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
    outline = steps([0, 1], [1, 2], [5, 7], RED)
    assert outline.x.tolist() == [0, 1, 1, 2]
    assert outline.y.tolist() == [5, 5, 7, 7]


def test_the_legend_names_each_series_once():
    first = panel([line([0], [0], RED, "a", "dashed"), dots([0], [0], RED), sticks([0], [0], BLUE, "b")], x="", y="")
    second = panel([dots([0], [0], RED, "a"), dots([0], [0], BLUE, "c"), level(1)], x="", y="")
    picture = row(first, second)
    assert picture.legend == [("a", RED, "dashed"), ("b", BLUE, "block"), ("c", BLUE, "dot")]


@pytest.mark.parametrize(("panels", "columns"), [(1, 1), (2, 2), (3, 3), (4, 2), (5, 3)])
def test_panels_stand_in_rows(panels, columns):
    assert row(*[panel([line([0, 1], [0, 1], RED)], x="", y="")] * panels).columns == columns


def test_a_panel_says_what_it_shows():
    assert Panel((), "rows", "error", "Age").label == "Age error by rows"
    assert Panel((), "", "error").label == "error"


def test_ticks_of_a_logarithmic_axis_do_not_crowd():
    assert at([500, 1000, 1100, 2000, 2500]) == [(500, "500"), (1000, "1k"), (2000, "2k")]


# In files


def test_every_layer_is_drawn():
    layers = [
        line([1, 2], [1, 2], "#111111", "a line"),
        dots([1, 2], [1, 2], "#222222", hollow=True),
        dots([1, 2], [1, 2], "#333333"),
        whiskers([1, 2], [1, 2], [1, 1], "#444444"),
        sticks([1, 2], [1, 2], "#555555"),
        level(1.5, "#666666", "dotted"),
        upright(1.5, "#777777"),
    ]
    text = drawn(panel(layers, x="across", y="up", title="above", ticks=[(1, "one"), (2, "two")], shares=True))
    assert set(re.findall(r"#([1-7])\1{5}\b", text)) == set("1234567")
    written = {node.text for node in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
    assert {"across", "up", "above", "one", "two", "a line", "100 %"} <= written
    for missing in range(len(layers)):
        fewer = drawn(panel(layers[:missing] + layers[missing + 1 :], x="", y=""))
        assert f"#{str(missing + 1) * 6}" not in fewer


def test_every_panel_is_drawn():
    picture = row(*(panel([line([0, 1], [0, 1], RED)], x=f"axis {n}", y="") for n in range(4)))
    text = drawn(picture)
    assert all(f"axis {n}" in text for n in range(4))
    assert len(re.findall(r'id="axes_\d+"', text)) == 4


def test_a_notebook_shows_the_drawing():
    picture = Picture(panel([line([0, 1], [0, 1], RED)], x="", y="").panels)
    assert picture._repr_svg_() == drawn(picture)


def test_what_is_no_layer_is_refused():
    class Stranger:
        name = ""

        def extent(self):
            return (), ()

    with pytest.raises(TypeError, match="Stranger is not a layer"):
        drawn(panel([line([0, 1], [0, 1], RED), Stranger()], x="", y=""))


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_axes_show_all_that_is_stored(id):
    """Data lie within the axes, but where a record cuts an axis short on purpose."""
    for one in stored.result(id).plot().panels:
        limits = one.limits()
        for layer in one.layers:
            for values, (low, high), given in zip(layer.extent(), limits, (one.x_range, one.y_range), strict=True):
                values = np.asarray(values, dtype=float)
                assert given[0] is not None or not (values[np.isfinite(values)] < low).any()
                assert given[1] is not None or not (values[np.isfinite(values)] > high).any()
