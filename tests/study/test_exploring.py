"""Sliders beside the pictures, by ipywidgets and by Panel; tests/notebooks/test_lab.py moves them in JupyterLab."""

import ipywidgets
import panel as pn
import param
import pytest

import trustscope as ts
from trustscope.plots import draw
from trustscope.study import channel, exploring


@pytest.fixture(params=[channel.WIDGETS, channel.PANEL])
def way(request, monkeypatch):
    monkeypatch.setattr(channel, "channel", lambda: request.param)
    return request.param


def two():
    return ts.Study("iris", secret="Petal length", recipients={"Ministry": 60, "Press": 20}, attackers=["perfect"])


def parts(shown, way):
    """The controls by their labels, and a function that gives what is shown beside them."""
    if way == channel.WIDGETS:
        column, picture = shown.children
        return {one.description: one for one in column.children}, lambda: picture.value
    column, picture = shown
    return {one.label: one for one in column}, lambda: picture.value


def move(control, value):
    """Move a control as a hand does: Panel tells a slider's end by another parameter."""
    if isinstance(control, pn.widgets.IntSlider | pn.widgets.FloatSlider):
        with param.edit_constant(control):
            control.param.update(value=value, value_throttled=value)
    else:
        control.value = value


def test_controls_and_study_follow_one_another(way, monkeypatch):
    monkeypatch.setattr(draw, "inline", lambda *arguments: "<svg></svg>")  # test_study.py looks at drawings
    study = two()
    found, picture = parts(study.explore(), way)
    assert {"scheme", "Ministry, trust in %", "Press pools", "within"} <= found.keys()
    before = picture()
    assert study.verdict in before
    assert "<svg" in before

    move(found["Ministry, trust in %"], 90)
    assert study.recipients == {"Ministry": 90, "Press": 20}
    assert picture() != before

    move(found["Press pools"], False)
    assert study.pooled == ("Ministry",)
    move(found["scheme"], "nested")
    assert study.scheme == "nested"
    assert study.verdict in picture()

    study.recipients = {"Ministry": 30, "Press": 20}
    assert found["Ministry, trust in %"].value == 30
    assert study.verdict in picture()


def test_one_change_is_drawn_once(way, monkeypatch):
    study = two()
    found, _ = parts(study.explore(), way)
    drawn = []
    monkeypatch.setattr(exploring, "html_of", lambda study: drawn.append(study.scenario) or "")
    move(found["Ministry, trust in %"], 35)
    assert len(drawn) == 1


@pytest.mark.parametrize(
    ("study", "labels"),
    [
        (lambda: ts.Study("votes", recipients={"A": 40.5}), {"scheme", "A, trust in %", "A pools"}),
        (lambda: ts.Rotation("iris"), {"step", "clusters"}),
        (lambda: ts.Survey("votes"), {"miner", "arrived", "mu"}),
    ],
)
def test_every_kind_of_study_has_controls(study, labels):
    made = study()
    found = exploring.controls(made)
    assert labels <= {control.label for control in found}
    for control in found:
        control.write(control.read())  # what stands can be put


def test_where_lab_shows_no_widgets_the_pictures_stand_with_a_sentence(monkeypatch):
    monkeypatch.setattr(channel, "channel", lambda: channel.WIDGETS)
    bundle = two().explore()._repr_mimebundle_()
    assert "pip install jupyterlab_widgets" in bundle["text/html"]
    assert "<svg" in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_the_channel(monkeypatch):
    monkeypatch.delenv("_PYVIZ_COMMS_INSTALLED", raising=False)
    for name in ("VSCODE_CWD", "VSCODE_PID"):
        monkeypatch.delenv(name, raising=False)
    assert channel.channel() == channel.PANEL  # no notebook: a server of Panel's
    monkeypatch.setattr(channel, "in_kernel", lambda: True)
    assert channel.channel() == channel.WIDGETS
    with pytest.warns(UserWarning, match="pip install panel"):
        channel.warn_unheard()
    monkeypatch.setattr(channel, "find_spec", lambda name: None)
    assert channel.channel() == channel.NOWHERE
    with pytest.raises(ts.TrustscopeError, match="pip install ipywidgets"):
        two().explore()
    monkeypatch.setenv("_PYVIZ_COMMS_INSTALLED", "1")
    assert channel.channel() == channel.PANEL
    monkeypatch.setenv("VSCODE_PID", "1")
    assert channel.channel() == channel.NOWHERE


def test_ipywidgets_are_those_of_a_notebook(monkeypatch):
    monkeypatch.setattr(channel, "channel", lambda: channel.WIDGETS)
    assert isinstance(two().explore(), ipywidgets.HBox)
