"""The controls of one experiment: its parameters, the two presets, the seed, and the button that runs it."""

import panel as pn
import param

from trustscope.scenarios.papers.record import Experiment, Parameter
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.inputs import textbox
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.slider import Slider
from trustscope.widgets.task import Task

PRESETS = [
    ("quick", "quick", "A size that takes seconds"),
    ("paper", "paper size", "The size that the paper used; it may take hours"),
]


class Controls(pn.viewable.Viewer):
    """`changed` counts what the person sets; `values` gives it."""

    changed = param.Integer(default=0, doc="Counts changes of a parameter or the seed.")

    def __init__(self, **params):
        super().__init__(**params)
        self.experiment = None
        self._inputs, self._quiet = {}, False
        self.back = Action(text="← All experiments", margin=(0, 0, 4, 0))
        self.preset = Choice(label="Size", options=PRESETS, value="quick", margin=(0, 0, 8, 0))
        self.seed = WholeNumber(label="Seed", value=1, margin=(4, 0, 8, 0))
        self.task = Task(label="Experiment run", start_text="Run it", stop_text="Stop")
        self._fields = pn.Column(sizing_mode="stretch_width", margin=0)
        self._nothing = pn.pane.HTML("<p>There is nothing to set.</p>", stylesheets=[TEXT_CSS], margin=0)
        self.preset.param.watch(lambda e: self._take_preset(), "value")
        self.seed.param.watch(lambda e: self._count(), "value")
        self._layout = pn.Column(
            self.back, heading("Settings"), self.preset, self._fields, self.seed, heading("Run"), self.task,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def open(self, experiment: Experiment, values: dict, key: int) -> None:
        """Show the parameters of this experiment at these values."""
        self.experiment, self._quiet = experiment, True
        self._inputs = {p.name: _input(p, values[p.name]) for p in experiment.parameters}
        for control in self._inputs.values():
            control.param.watch(lambda e: self._count(), "value_throttled" if isinstance(control, Slider) else "value")
            if isinstance(control, Slider):
                control.param.watch(_read_out, "value")
        fields = []
        for p in experiment.parameters:
            fields += [self._inputs[p.name], *([_hint(p.help)] if p.help else [])]
        self._fields[:] = fields or [self._nothing]
        self.preset.visible = experiment.preset(True) != experiment.preset()
        self._tick(values)
        self.seed.visible = "key" in experiment.takes
        self.seed.value = key
        self._quiet = False

    def values(self) -> dict:
        """What is set, checked; a ValueError says what is wrong."""
        return self.experiment.checked({name: _value(control) for name, control in self._inputs.items()})

    def _tick(self, values):
        """Tick the size that these values are; none, where they are neither."""
        sizes = [n for n, paper in (("quick", False), ("paper", True)) if self.experiment.preset(paper) == values]
        self.preset.value = sizes[0] if sizes else None

    def _take_preset(self):
        if self._quiet or self.experiment is None or not self.preset.value:
            return
        self._quiet = True
        for name, value in self.experiment.preset(self.preset.value == "paper").items():
            _set(self._inputs[name], value)
        self._quiet = False
        if self.preset.value == "quick":  # the other may take hours: not before it is asked for
            self._count()

    def _count(self):
        if self._quiet:
            return
        self._quiet = True
        try:
            self._tick(self.values())
        except ValueError:  # said when it is run
            self._tick(None)
        self._quiet = False
        self.changed += 1

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
            slider.readout = f"{value:g}"
            return slider


def _magnitude(number):
    return len(str(int(number))) - 1 if number >= 1 else -1


def _read_out(event):
    event.obj.readout = f"{event.new:.3g}"


def _hint(text):
    return pn.pane.HTML(f"<p>{text}</p>", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(0, 0, 6, 0))


def _listed(values):
    return ", ".join(f"{v:g}" for v in values)


def _value(control):
    return control.value


def _set(control, value):
    if isinstance(control, Choice):
        control.value = value
    else:
        control.value = _listed(value) if isinstance(value, tuple) else value
