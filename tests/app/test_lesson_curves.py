"""A curve that is to be predicted is drawn on the axes of the plot that is then revealed, and the prediction in it."""

import json

import pytest
from bokeh.models import FixedTicker

from trustscope.app.learn.player import Player
from trustscope.lessons.lesson import CurveQuestion, Lesson, Predict, Reveal
from trustscope.lessons.prediction import truth
from trustscope.lessons.reader import FILES, read_text, shelf
from trustscope.widgets.beside import plots_of
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.scenes.pooling import Pooling


def with_bars():
    """The first lesson with the bars of the page, where one writes a lesson that shows them."""
    content = json.loads(next(FILES.glob("*two-copies.json")).read_text())
    content["steps"][3]["question"]["card"] = "pooling"
    content["steps"][4]["cards"] = ["headline", "pooling"]
    return read_text(json.dumps(content), "bars.json")


LESSONS = {lesson.id: lesson for lesson in (*shelf(), with_bars())}
CURVES = [
    (lesson.id, number, step)
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps, 1)
    if isinstance(step, Predict) and isinstance(step.question, CurveQuestion)
]
AIR = 1.02  # plots of shares end a little above their highest number


def revealed(id, step):
    """The number of the step that shows what came out."""
    steps = LESSONS[id].steps
    return next(n for n, one in enumerate(steps, 1) if isinstance(one, Reveal) and one.of == step.name)


def told(player, name, values):
    player.recall({**player.predictions, name: values})


def opened(id, number, step, drawn=None):
    """The lesson where the truth is shown, what asks, and the plot that is named."""
    asking = Player(LESSONS[id], step=number).question
    player = Player(LESSONS[id])
    if drawn is not None:
        told(player, step.name, drawn)
    player.step = revealed(id, step)
    plots = [plot for _, plot in plots_of(player.dashboard.view(step.question.card))] if step.question.card else []
    return player, asking, plots


def on_axes(plot):
    """Names, ranges, ticks and units of a plot, as far as it has them."""
    match plot:
        case Lines():
            across, up = plot.figure.xaxis[0], plot.figure.yaxis[0]
            assert isinstance(across.ticker, FixedTicker)
            return {
                "x_label": across.axis_label, "y_label": up.axis_label, "x_ticks": list(across.ticker.ticks),
                "x_span": (plot.x_range.start, plot.x_range.end), "y_start": plot.y_range.start,
                "y_end": plot.y_range.end / AIR, "share": "%" in up.formatter.format,
            }  # fmt: skip
        case Pooling():
            ticks = [value for value, _ in plot.scale]
            share = all(text.endswith("%") for _, text in plot.scale)
            return {"y_ticks": ticks, "y_start": 0.0, "y_end": plot.top, "share": share}
    raise TypeError(plot)


@pytest.mark.parametrize(("id", "number", "step"), CURVES, ids=lambda one: one if isinstance(one, str) else "")
def test_the_axes_are_those_of_the_plot_that_is_revealed(id, number, step):
    player, asking, plots = opened(id, number, step)
    shown = player.question
    axes = ("x_label", "y_label", "x_span", "x_ticks", "y_start", "y_end", "y_ticks", "share", "places")
    assert [getattr(shown, name) for name in axes] == [getattr(asking, name) for name in axes]
    assert shown.truth == truth(step.question)
    assert bool(plots) == bool(step.question.card)
    for plot in plots:
        for name, value in on_axes(plot).items():
            assert getattr(asking, name) == pytest.approx(value), name  # texts must be equal


def test_the_true_curve_is_what_the_plot_shows():
    """The bars of the page, row by row; of the rotation the highest of the plot's lines."""
    *_, (bars,) = opened(*next(one for one in CURVES if one[0] == "two-copies"))
    rows = len(bars.frame["masks"])
    asked = next(step for id, _, step in CURVES if id == "two-copies")
    assert bars.values[:rows] == pytest.approx(truth(asked.question), rel=0.006)
    *_, (lines,) = opened(*next(one for one in CURVES if one[0] == "rotation"))
    drawn, asked = lines.columns_shown("lines"), next(step for id, _, step in CURVES if id == "rotation")
    *guesses, constant = drawn["ys"]
    assert len(guesses) == 3
    for point in asked.question.points:
        place = drawn["xs"][0].index(point.x)
        assert max(*(line[place] for line in guesses), constant[0]) == pytest.approx(point.truth, rel=0.006)


def test_what_was_drawn_is_drawn_in_the_plot():
    id, number, step = next(one for one in CURVES if one[0] == "rotation")
    guess = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
    player, _, (plot,) = opened(id, number, step, guess)
    assert plot.columns_shown("expected") == {"x": [0, 3, 6, 9, 12, 15], "y": guess}
    assert "expected: 10" in plot.summary()
    told(player, step.name, guess[::-1])
    assert plot.columns_shown("expected")["y"] == guess[::-1]
    player.free = True  # the whole page is another one
    (plot,) = [plot for _, plot in plots_of(player.dashboard.view("growth"))]
    assert plot.columns_shown("expected")["y"] == []
    id, number, step = next(one for one in CURVES if one[0] == "two-copies")
    _, _, (bars,) = opened(id, number, step, [0.2] * 6)
    assert bars.expected == [0.2] * 6
    _, _, (bars,) = opened(id, number, step)
    assert bars.expected == []


def test_axes_that_do_not_hold_the_curve_are_found():
    text = next(FILES.glob("*rotation.json")).read_text()
    for old, new, said in (
        ('"x_end": 18.2', '"x_end": 12.2', "outside of the axis"),
        ('"y_end": 1.0', '"y_end": 0.9', "leaves the axes"),
    ):
        assert old in text
        with pytest.raises(ValueError, match=said):
            read_text(text.replace(old, new, 1), "rotation.json")
    assert isinstance(read_text(text, "rotation.json"), Lesson)
