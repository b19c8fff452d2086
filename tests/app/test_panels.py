"""Plots that are drawn beside the loop."""

import pytest

from trustscope.app import panels
from trustscope.plots.elements import line, panel


@pytest.fixture
def drawing(monkeypatch):
    """A view whose work waits: what it was given to do, and what it says of a failure."""
    view, said = panels.Panels(), []
    monkeypatch.setattr(view._slot, "latest", lambda *work: said.append(work))
    monkeypatch.setattr(panels, "explain_error", lambda error, name: said.append(error))
    return view, said


def test_until_the_first_plot_stands_the_page_says_that_it_is_drawn(drawing):
    view, said = drawing
    view.put(lambda: panel([line([1, 2], [1, 2], "red")], x="x", y="y"))
    assert [one.object for one in view._layout] == [panels.WAITING]
    draw, show = said.pop()
    show(draw())
    assert len(view._layout) == len(view.figures) == 1
    view.put(lambda: None)
    assert panels.WAITING not in [one.object for one in view._layout], "the plot before stays until the next one"


def test_of_a_plot_that_cannot_be_drawn_nothing_is_awaited(drawing):
    view, said = drawing
    view.put(lambda: None)
    view._failed(error := ValueError("no plot"))
    assert not len(view._layout)
    assert said[-1] is error
