"""The Rotation dashboard: a release that keeps every distance, and those who undo it."""

import asyncio
from dataclasses import replace
from functools import partial

import numpy as np
import panel as pn
import param

from trustscope import datasets
from trustscope.app.background import Background, compute
from trustscope.app.rotation.controls import Controls
from trustscope.app.rotation.desk import RotationDesk
from trustscope.app.rotation.inputs import InputsView
from trustscope.app.rotation.kept import KeptView
from trustscope.app.rotation.remedy import RemedyView
from trustscope.app.rotation.sample import SampleView
from trustscope.scenarios.rotation import words
from trustscope.scenarios.rotation.model import LEAST, Model
from trustscope.scenarios.words import count
from trustscope.widgets.card import heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.verdict import Verdict

OPENING = "letter"
PAUSE = 0.03  # seconds for which a slider rests before axes are matched
LARGEST, SMALLEST = 1e100, 1e-100  # sizes of values whose squares can be added up
STORIES = [
    ("kept", "what is kept", "An analyst finds the same clusters"),
    ("inputs", "someone knows a few records", "Finds them in the release, and others with them"),
    ("sample", "someone has a sample", "Matches principal axes, knowing nobody in the data"),
    ("remedy", "the remedy", "A random projection instead, and why it does not help"),
]
VIEWS = {"kept": KeptView, "inputs": InputsView, "sample": SampleView, "remedy": RemedyView}


class RotationDashboard(pn.viewable.Viewer):
    """Rotation, what it keeps, two attackers and a remedy.

    Parameters
    ----------
    dataset : name of the built-in dataset to start with; the app's first one stands for the letters
    """

    info = param.String(default="", doc="What is loaded, for the bar.")

    def __init__(self, dataset: str = OPENING, **params):
        super().__init__(**params)
        offered = dataset in datasets.names()[1:] and dataset != "votes"
        self.desk = RotationDesk(dataset if offered else OPENING)
        self.controls = Controls()
        self.verdict = Verdict(least=178)
        self.model, self._remedied = None, False
        self._background = Background(self._failed)
        self._build()
        self._load()
        self._wire()

    # Layout

    def _build(self):
        self.which = Choice(label="What to look at", options=STORIES, value="inputs", margin=(12, 0, 0, 0))
        self._made = {}
        self._views = {
            name: pn.Column(sizing_mode="stretch_width", margin=0, visible=name == self.story) for name in VIEWS
        }
        self._body = pn.Column(self.which, *self._views.values(), sizing_mode="stretch_width", margin=0)
        self.sidebar = pn.Column(heading("Data"), self.desk, self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.desk.import_view, self.verdict, self._body, sizing_mode="stretch_width", margin=0)
        self.controls.story(self.story)

    def __panel__(self):
        side = pn.Column(self.sidebar, width=290, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width")

    def _wire(self):
        self.desk.param.watch(lambda e: self._load(), "changed")
        self.which.param.watch(lambda e: self._turn_to(), "value")
        self.controls.param.watch(lambda e: self._live(), "live")
        self.controls.param.watch(lambda e: self._settle(), "settled")
        self.controls.param.watch(lambda e: self._load(keep=True), "secret")

    def view(self, name: str):
        """The view of a story, made when it is first looked at."""
        if name not in self._made:
            view = self._made[name] = VIEWS[name]()
            self._views[name].append(view)
            if name == "inputs":
                view.param.watch(lambda e: e.new >= 0 and self.controls.toggle(e.new), "clicked")
        return self._made[name]

    @property
    def story(self) -> str:
        """What is looked at."""
        return self.which.value

    # What changes

    def _load(self, keep=False):
        data, columns = self.desk.dataset, self.desk.columns
        self._background.stop()
        self.info = f"{data.title}, {count(data.rows)} rows"
        refusal = self._refusal(data, columns)
        self._body.visible = refusal is None
        if refusal:
            self.model = None
            self.desk.split()
            self.verdict.say(*refusal)
            return
        self.model = Model(self.desk.values(), self.controls.seed.value, self.controls.shift.value == "yes")
        self.desk.split(self.model.rows, len(self.model.pool))
        self._remedied = False
        self.controls.load(self.model, columns, keep=keep)
        self._live()
        self._settle()

    def _refusal(self, data, columns):
        """Why these data cannot be turned, a title and a sentence, or None."""
        if not columns or data.rows < LEAST:
            return (
                "There is nothing here to turn.",
                f"Rotation needs numeric columns and at least {LEAST} rows. Choose another dataset, or drop a file.",
            )
        values = self.desk.values()
        if not np.ptp(values, axis=0).any():
            return "All records are the same.", "There are no distances to keep: choose other columns."
        sizes = np.abs(values).max(axis=0)
        if sizes.max() > LARGEST:
            which = columns[int(np.argmax(sizes))]
            return (
                "These values are too large.",
                f"Column {which} has values around {sizes.max():.0e}: express it in a larger unit, or leave it out.",
            )
        if sizes.max() < SMALLEST:
            return (
                "These values are too small.",
                f"None is larger than {sizes.max():.0e}: express them in a smaller unit, or choose other columns.",
            )
        return None

    def _turn_to(self):
        for name, view in self._views.items():
            view.visible = name == self.story
        self.controls.story(self.story)
        self._live()
        self._settle()

    def _live(self):
        """While something is dragged: what can be had at once."""
        if self.model is None:
            return
        self._background.stop()
        settings = self.controls.settings(self.story)
        with pn.io.hold():
            self._preview(settings)

    def _preview(self, settings):
        model = self.model
        match settings.story:
            case "kept":
                self._show_kept(model.kept(settings, live=True))
            case "inputs":
                # Links under a shift take a while: those are worked out beside the page.
                if not model.shifted or model.ready(settings):
                    self._show_inputs(model.inputs(settings, live=True))
            case "sample":
                if model.sampled_ready(settings):
                    self._show_sample(model.sampled(settings, live=True))
                else:
                    self._background.start(partial(self._soon, model, settings))
            case "remedy" if not self._remedied:
                self.verdict.say(**words.remedy_verdict(None))

    def _settle(self):
        """When it is let go: everything, beside the page."""
        if self.model is None:
            return
        model, settings = self.model, self.controls.settings(self.story)

        async def work():
            match settings.story:
                case "kept":
                    picture = await compute(model.kept, settings)
                    await self._background.show(partial(self._show_kept, picture))
                case "inputs":
                    if model.shifted:
                        picture = await compute(partial(model.inputs, settings, live=True))
                        await self._background.show(partial(self._show_inputs, picture))
                    picture = await compute(model.inputs, settings)
                    await self._background.show(partial(self._show_inputs, picture))
                case "sample":
                    await self._sample_work(model, settings)
                case "remedy":
                    await self._remedy_work(model, settings)

        self._background.start(work)

    async def _soon(self, model, settings):
        """Match axes beside the page, unless the slider moves on at once."""
        await asyncio.sleep(PAUSE)
        picture = await compute(partial(model.sampled, settings, live=True))
        await self._background.show(partial(self._show_sample, picture))

    async def _sample_work(self, model, settings):
        if not model.sampled_ready(settings):
            await self._soon(model, settings)
        picture = await compute(model.sampled, settings)
        await self._background.show(partial(self._show_sample, picture))
        curve = {}
        for size in model.sizes():
            for method, rate in (await compute(model.sample_curve, settings, size)).items():
                curve.setdefault(method, {})[size] = rate
            grown = replace(picture, curve={method: dict(one) for method, one in curve.items()})
            await self._background.show(partial(self.view("sample").show_curve, grown, model))

    async def _remedy_work(self, model, settings):
        names = self.desk.columns
        if model.shifted:  # the remedy is compared with a plain rotation
            model = Model(self.desk.values(), model.seed, False)
        picture = await compute(model.remedied, settings)
        await self._background.show(partial(self._show_remedy, picture, model, names))
        curve = {}
        for length in model.lengths():
            for which, rate in (await compute(model.remedy_curve, settings, length)).items():
                curve.setdefault(which, {})[length] = rate
            grown = replace(picture, curve={which: dict(one) for which, one in curve.items()})
            await self._background.show(partial(self.view("remedy").show_curve, grown, model))

    # Drawing

    def _show_kept(self, picture):
        self.verdict.say(**words.kept_verdict(picture))
        self.view("kept").show(picture, self.model, self.desk.columns)

    def _show_inputs(self, picture):
        self.verdict.say(**words.inputs_verdict(picture, self.model))
        self.view("inputs").show(picture, self.model, self.desk.columns)

    def _show_sample(self, picture):
        self.verdict.say(**words.sample_verdict(picture, self.model))
        self.view("sample").show(picture, self.model, self.desk.columns)

    def _show_remedy(self, picture, model, names):
        self._remedied = True
        self.verdict.say(**words.remedy_verdict(picture))
        self.view("remedy").show(picture, model, names)

    def _failed(self, error):
        self.verdict.say(
            "That did not work.", f"{error}" if isinstance(error, ValueError) else
            f"{type(error).__name__}: {error}. Change a setting to try again.", tone="leak",
        )  # fmt: skip
