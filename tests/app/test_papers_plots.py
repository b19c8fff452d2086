"""The page draws every stored picture as it is described."""

import numpy as np
import pytest
from bokeh.models import FixedTicker, Span

from trustscope.app.papers.plots import draw
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.picture import Level, Panel, Upright, dots, level, line, sticks, upright, whiskers
from trustscope.scenarios.papers.registry import EXPERIMENTS


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_the_page_can_draw_what_is_stored(id):
    picture = stored.result(id).plot()
    assert picture.panels
    assert all(colour.startswith("#") for _, colour, _ in picture.legend)
    for panel in picture.panels:
        figure = draw(panel)
        spans = sum(isinstance(layer, Level | Upright) for layer in panel.layers)
        assert len(figure.renderers) == len(panel.layers)
        assert len(figure.select({"type": Span})) == spans
        assert figure.html_attributes["aria-label"] == panel.label
        (x_low, x_high), (y_low, y_high) = panel.limits()
        assert (figure.x_range.start, figure.x_range.end) == (x_low, x_high)
        assert (figure.y_range.start, figure.y_range.end) == (y_low, y_high)


def test_every_layer_is_drawn_as_described():
    layers = (
        line([1, 2], [3, 4], "#111111", dash="dotted", width=3.0),
        dots([1, 2], [3, 4], "#222222", size=9, hollow=True),
        whiskers([1, 2], [3, 4], [1, np.nan], "#333333"),
        sticks([1, 2], [3, 4], "#444444", width=0.5, base=1.0),
        level(3.5, "#555555"),
        upright(1.5, "#666666"),
    )
    panel = Panel(layers, "x", "y", ticks=((1.0, "one"), (2.0, "two")), log="y", shares=True)
    curve, points, strokes, bars, across, down = draw(panel).renderers
    assert (curve.glyph.line_color, curve.glyph.line_dash, curve.glyph.line_width) == ("#111111", [2, 4], 3.0)
    assert (points.glyph.size, points.glyph.fill_color, points.glyph.line_color) == (9, None, "#222222")
    assert strokes.data_source.data["y0"] == [2.0, 4.0]
    assert strokes.data_source.data["y1"] == [4.0, 4.0]
    assert (bars.glyph.width, bars.glyph.bottom, bars.data_source.data["top"]) == (0.5, 1.0, [3.0, 4.0])
    assert (across.location, across.dimension) == (3.5, "width")
    assert (down.location, down.dimension) == (1.5, "height")
    figure = draw(panel)
    assert isinstance(figure.xaxis[0].ticker, FixedTicker)
    assert figure.xaxis.major_label_overrides == {1.0: "one", 2.0: "two"}
    assert "%" in figure.yaxis[0].formatter.format


def test_what_is_no_layer_is_refused():
    with pytest.raises(TypeError, match="_Stranger is not a layer"):
        draw(Panel((line([0, 1], [0, 1], "#111111"), _Stranger()), "x", "y"))


class _Stranger:
    """Something with an extent that no drawing knows."""

    def extent(self):
        return (), ()
