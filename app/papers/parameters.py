"""The parameters of one experiment, as one control: a box, a slider or pills for each."""

import panel as pn
import param

from trustscope.app.silence import Silence
from trustscope.scenarios.papers.record import Experiment, Parameter
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import TEXT_CSS


class Parameters(pn.viewable.Viewer):
    """`value` is what is set. It stays as it was where nonsense is typed: `problem` then says what is wrong."""

    value = param.ClassSelector(class_=tuple, default=(), doc="Pairs of a parameter's name and its checked value.")
    problem = param.String(default="", doc="What is wrong with what was typed last; empty if nothing is.")

    def __init__(self, **params):
        super().__init__(**params)
        self.experiment: Experiment | None = None
        self.inputs: dict = {}
        self._silence = Silence()
        self._nothing = pn.pane.HTML("<p>There is nothing to set.</p>", stylesheets=[TEXT_CSS], margin=0)
        self._layout = pn.Column(sizing_mode="stretch_width", margin=0)
        self.param.watch(lambda event: self.show_value(), "value")

    def ask(self, experiment: Experiment, values: tuple) -> None:
        """Offer the parameters of this experiment, at these values."""
        if experiment is not self.experiment:
            self.experiment = experiment
            self.inputs = {p.name: self._input(p, dict(values)[p.name]) for p in experiment.parameters}
            fields = []
            for p in experiment.parameters:
                fields += [self.inputs[p.name], *([_hint(p.help)] if p.help else [])]
            self._layout[:] = fields or [self._nothing]
        self.value = values
        if self.problem:
            self.show_value()

    def show_value(self) -> None:
        """Bring the inputs up to the value; what was typed wrongly gives way."""
        with self._silence:
            for name, value in self.value:
                text = _listed(value) if isinstance(value, tuple) else value
                if name in self.inputs and self.inputs[name].value != text:
                    self.inputs[name].value = text
        self.problem = ""

    def _input(self, parameter, value):
        control = _input(parameter, value)
        control.param.watch(
            lambda event: self._changed(), "value_throttled" if isinstance(control, Slider) else "value"
        )
        if isinstance(control, Slider):
            control.param.watch(_read_out, "value")
        return control

    def _changed(self):
        if self._silence or (experiment := self.experiment) is None:
            return
        try:
            values = experiment.checked({name: control.value for name, control in self.inputs.items()})
        except ValueError as problem:
            self.problem = str(problem)
            return
        self.problem = ""
        self.value = tuple(values.items())

    def __panel__(self):
        return self._layout


def _input(p: Parameter, value):
    match p.kind:
        case "choice":
            options = [(name, name.replace("_", "-"), p.help) for name in p.options]
            return Choice(label=p.label, label_shown=True, options=options, value=value, margin=(0, 0, 6, 0))
        case "series":
            return textbox(p.label, _listed(value))
        case "whole":
            return WholeNumber(label=p.label, value=value, start=int(p.low), end=int(p.high), margin=(0, 0, 4, 0))
        case _:
            step = 10.0 ** round(_magnitude(p.high - p.low) - 2)
            slider = Slider(label=p.label, value=value, start=p.low, end=p.high, step=step, margin=(0, 0, 4, 0))
            slider.readout = f"{value:.3g}"
            return slider


def _magnitude(number):
    return len(str(int(number))) - 1 if number >= 1 else -1


def _read_out(event):
    event.obj.readout = f"{event.new:.3g}"


def _hint(text):
    return pn.pane.HTML(f"<p>{text}</p>", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(0, 0, 6, 0))


def _listed(values) -> str:
    """Numbers as they are typed; with all digits where they need them, so that reading gives the same numbers."""
    return ", ".join(short if float(short := f"{v:g}") == v else repr(v) for v in values)
