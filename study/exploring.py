"""Sliders beside the pictures of a study, in a cell: by ipywidgets or by Panel, whichever reaches the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from trustscope.errors import TrustscopeError
from trustscope.extras import require
from trustscope.study import cell, channel
from trustscope.study.parts import ChoicePart, NumberPart, WholePart
from trustscope.study.problem import StudyProblem

BEFORE = ("scheme", "step", "miner")  # parts that stand above the others


@dataclass(frozen=True)
class Control:
    """What stands for one part of a study: a choice where there are `options`, a slider where there are `bounds`.

    Attributes
    ----------
    label : str
    help : str
    read : function of no arguments
        The value that stands.
    write : function of a value
    options : tuple, optional
    bounds : least, most and step, optional
    """

    label: str
    help: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    options: tuple[Any, ...] = ()
    bounds: tuple[float, float, float] | None = None


def controls(study: Any) -> list[Control]:
    """The controls of a study: a slider and a tick for each recipient, and whatever else has options or bounds."""
    names = sorted((name for name in study._parts() if name != "random_state"), key=lambda name: name not in BEFORE)
    plain = [made for name in names if (made := _of_part(study, name)) is not None]
    return [*plain[:1], *_recipients(study), *plain[1:]]


def _of_part(study: Any, name: str) -> Control | None:
    part = study.param[name]
    read, write = partial(getattr, study, name), partial(setattr, study, name)
    label = name.replace("_", " ")
    if isinstance(part, ChoicePart):
        options = tuple(part.objects)
        return Control(label, str(part.doc), read, write, options=options) if len(options) > 1 else None
    if not isinstance(part, NumberPart | WholePart) or read() is None:
        return None
    whole = isinstance(part, WholePart)
    least, most = part.bounds or (None, None)
    if name == "within":  # from nearly exact to three times as far
        least, most = 0, 3 * read()
    if least is None or most is None:
        return None
    return Control(label, str(part.doc), read, write, bounds=(least, most, 1 if whole else (most - least) / 100))


def _recipients(study: Any) -> Iterator[Control]:
    if "recipients" not in study.paths:
        return
    least, step = (1, 1) if study.page == "trust" else (0.1, 0.1)
    for name in study.recipients:
        yield Control(
            f"{name}, trust in %", f"How much {name} is trusted.",
            partial(_trust_of, study, name), partial(_trust, study, name), bounds=(least, 100, step),
        )  # fmt: skip
        yield Control(
            f"{name} pools", f"Whether {name} puts copies together with others.",
            partial(_is_pooled, study, name), partial(_pools, study, name), options=(True, False),
        )  # fmt: skip


def _trust_of(study: Any, name: str) -> Any:
    return study.recipients[name]


def _trust(study: Any, name: str, trust: float) -> None:
    study.recipients[name] = round(trust, 1) if study.page == "categories" else round(trust)


def _is_pooled(study: Any, name: str) -> bool:
    return name in study.pooled


def _pools(study: Any, name: str, member: bool) -> None:
    study.pooled = [one for one in study.recipients if (member if one == name else one in study.pooled)]


def html_of(study: Any) -> str:
    """The verdict and the pictures, or in a sentence why there are none."""
    try:
        return cell.study(study)
    except TrustscopeError as problem:
        return f'<p style="{cell.FONT}">{escape(str(problem))}</p>'


def explore(study: Any) -> Any:
    """What a cell shows of a study that can be changed with the hand."""
    require("app")
    found = channel.channel()
    if found == channel.NOWHERE:
        raise StudyProblem(channel.NO_CHANNEL)
    made = controls(study)
    return _by_widgets(study, made) if found == channel.WIDGETS else _by_panel(study, made)


class Link:
    """Controls and study follow one another, and the picture both; nothing is drawn twice for one change."""

    def __init__(
        self, study: Any, made: list[Control], put: Sequence[Callable[[Any], None]], draw: Callable[[str], None]
    ):
        self.study, self.made, self.put, self.draw = study, made, put, draw
        self.following = False
        study.param.watch(lambda event: self.follow(), "scenario")

    def moved(self, control: Control, value: Any) -> None:
        """Somebody moved a control."""
        if self.following or value == control.read():
            return
        try:
            control.write(value)  # the study then tells that its scenario is another one
        except TrustscopeError as problem:
            self.draw(f'<p style="{cell.FONT}">{escape(str(problem))}</p>')

    def follow(self) -> None:
        """The study is another: bring all controls up to it, and draw."""
        self.following = True
        try:
            for control, put in zip(self.made, self.put, strict=True):
                put(control.read())
        finally:
            self.following = False
        self.draw(html_of(self.study))


def _by_widgets(study: Any, made: list[Control]) -> Any:
    import ipywidgets

    class Explorer(ipywidgets.HBox):
        """Controls and pictures; where JupyterLab cannot show them, the pictures and a sentence."""

        def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
            bundle = super()._repr_mimebundle_(**options)
            told = f'<p style="{cell.FONT};font-weight:600">{escape(channel.NO_MANAGER)}</p>'
            return {**bundle, "text/html": told + picture.value} if isinstance(bundle, dict) else bundle

    style, wide = {"description_width": "10em"}, ipywidgets.Layout(width="25em")

    def widget(control: Control) -> Any:
        told = {"description": control.label, "tooltip": control.help, "value": control.read(), "layout": wide}
        if control.options == (True, False):
            return ipywidgets.Checkbox(**told, indent=True, style=style)
        if control.options:
            return ipywidgets.Dropdown(options=list(control.options), style=style, **told)
        least, most, step = control.bounds  # type: ignore[misc]
        kind = ipywidgets.IntSlider if step == 1 else ipywidgets.FloatSlider
        return kind(min=least, max=most, step=step, continuous_update=False, style=style, **told)

    widgets = [widget(control) for control in made]
    picture = ipywidgets.HTML(html_of(study), layout=ipywidgets.Layout(flex="1 1 auto", min_width="0"))
    put = [partial(setattr, one, "value") for one in widgets]
    link = Link(study, made, put, partial(setattr, picture, "value"))
    for control, one in zip(made, widgets, strict=True):
        one.observe(lambda change, control=control: link.moved(control, change["new"]), "value")
    return Explorer([ipywidgets.VBox(widgets, layout=ipywidgets.Layout(flex="0 0 auto")), picture])


def _by_panel(study: Any, made: list[Control]) -> Any:
    import panel as pn

    def widget(control: Control) -> Any:
        told = {"label": control.label, "value": control.read(), "width": 240}
        if control.options == (True, False):
            return pn.widgets.Checkbox(**told)
        if control.options:
            return pn.widgets.Select(options=list(control.options), description=control.help, **told)
        least, most, step = control.bounds  # type: ignore[misc]
        kind = pn.widgets.IntSlider if step == 1 else pn.widgets.FloatSlider
        return kind(start=least, end=most, step=step, **told)

    widgets = [widget(control) for control in made]
    # A pane would send its style sheets again with every picture, as links to a network; a text sends its text.
    picture = pn.widgets.StaticText(value=html_of(study), sizing_mode="stretch_width")
    put = [partial(setattr, one, "value") for one in widgets]
    link = Link(study, made, put, partial(setattr, picture, "value"))
    for control, one in zip(made, widgets, strict=True):
        # A slider is heard when it is let go: a picture takes about a second.
        heard = "value_throttled" if control.bounds else "value"
        one.param.watch(lambda event, control=control: link.moved(control, event.new), heard)
    return pn.Row(pn.Column(*widgets), picture, sizing_mode="stretch_width")
