"""The trade-off and the map, each alone: what they draw."""

import numpy as np
import pytest

from tests.messages import tell
from trustscope.widgets.scenes.heatmap import PALETTE, HeatMap, contour
from trustscope.widgets.scenes.scale import Scale
from trustscope.widgets.scenes.tradeoff import Spot, Tradeoff, Way

# The line at a limit


def test_a_line_goes_through_places_of_its_height():
    y, x = np.mgrid[0:30, 0:40]
    far = np.hypot(x - 20, y - 14)
    pieces = contour(far, 9.5)
    ends = pieces.reshape(-1, 2)
    assert np.allclose(np.hypot(ends[:, 0] - 20, ends[:, 1] - 14), 9.5, atol=0.05)
    # The pieces together are as long as the circle.
    length = np.hypot(pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1]).sum()
    assert length == pytest.approx(2 * np.pi * 9.5, rel=0.01)


def test_every_end_of_a_line_is_met_by_another_but_at_the_edge():
    rng = np.random.default_rng(3)
    values = rng.random((12, 15))  # many saddles
    pieces = contour(values, 0.5)
    ends = np.round(pieces.reshape(-1, 2), 9)
    found, counts = np.unique(ends, axis=0, return_counts=True)
    inside = (found[:, 0] > 0) & (found[:, 0] < 14) & (found[:, 1] > 0) & (found[:, 1] < 11)
    assert (counts[inside] == 2).all()
    assert (counts[~inside] == 1).all()


def test_no_line_where_nothing_is_known_or_everything_is_on_one_side():
    assert len(contour(np.full((4, 4), np.nan), 0.5)) == 0
    assert len(contour(np.ones((4, 4)), 0.5)) == 0
    assert len(contour(np.ones((1, 4)), 0.5)) == 0
    half = np.array([[0.0, 1.0, np.nan], [0.0, 1.0, np.nan]])
    assert sorted(contour(half, 0.25)[0].reshape(2, 2).tolist()) == [[0.25, 0], [0.25, 1]]


# Axes


def test_places_along_an_axis():
    axis = Scale("x", share=True).over([0.2, 0.8])
    assert axis.place(0.5) == pytest.approx(0.5)
    backwards = Scale("x", less=True, log=True).over([0.01, 1.0])
    assert backwards.place(0.1) == pytest.approx(0.5)
    assert backwards.place(0.01) > backwards.place(1.0)
    places = [place for place, _ in backwards.ticks]
    assert places == sorted(places)
    assert {"0.01", "0.1", "1"} <= {text for _, text in backwards.ticks}
    assert all(0 <= place <= 1 for place in places)


def test_an_axis_over_one_figure_or_none():
    for values in ([], [0.5], [0.0], [np.nan, np.inf]):
        axis = Scale("x").over(values)
        assert axis.high > axis.low
        assert axis.ticks


# The trade-off


def shown():
    plot = Tradeoff("Trade-off")
    plot.draw(
        [Way("nested", "#123456", [0.1, np.nan, 0.9], [0.9, 0.5, 0.1], ["a", "b", "c"])],
        [Spot("you are here", 0.1, 0.9, "a")], Scale("use", share=True), Scale("privacy", share=True), limit=0.5,
    )  # fmt: skip
    return plot


def test_points_that_are_not_known_are_not_drawn_but_keep_their_number():
    plot = shown()
    assert [point[2:] for point in plot.scene["lines"][0]["points"]] == [[0, "a"], [2, "c"]]
    assert 0 < plot.scene["limit"] < 1


def test_only_points_that_are_there_can_be_picked():
    plot = shown()
    tell(plot, {"line": 0, "point": 2})
    assert (plot.picks, plot.picked) == (1, (0, 2))
    for line, point in ((1, 0), (0, 3), (-1, 0), (0, -1)):
        tell(plot, {"line": line, "point": point})
    assert plot.picks == 1


# The map


def mapped():
    plot = HeatMap("Map")
    values = np.array([[0.11, 0.5, np.nan], [0.3, 0.7, 0.9]])
    plot.draw(values, x=["a", "b", "c"], y=["1", "2"], x_label="trust", y_label="many", figure="hits", here=(1, 0.5),
              limit=0.4)  # fmt: skip
    return plot, values


def test_shades_run_from_dark_to_light():
    plot, values = mapped()
    assert plot.shades[2] == -1
    known = [shade for shade in plot.shades if shade >= 0]
    assert np.argsort(known).tolist() == np.argsort(values[np.isfinite(values)]).tolist()
    assert plot.frame["ends"] == ["10\u202f%", "90\u202f%"]
    assert plot.shades[5] == len(PALETTE) - 1
    assert plot.lines


def test_the_colours_differ_in_lightness_alone_too():
    def lightness(colour):
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert (np.diff([lightness(colour) for colour in PALETTE]) > -0.5).all()
    assert lightness(PALETTE[-1]) - lightness(PALETTE[0]) > 150


def test_only_cells_that_are_there_can_be_picked():
    plot, _ = mapped()
    assert plot.told == ["11\u202f%", "50\u202f%", "not known yet", "30\u202f%", "70\u202f%", "90\u202f%"]
    tell(plot, {"column": 2, "row": 1})
    assert plot.picked == (2, 1)
    tell(plot, {"column": 3, "row": 0})
    assert plot.picks == 1
