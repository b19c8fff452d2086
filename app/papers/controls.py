"""The controls of the Papers page: what the gallery shows, or the settings of the experiment that is open."""

import panel as pn

from trustscope.app.controls import Controls, Field
from trustscope.app.papers.parameters import Parameters
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.collection import Collection
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS
from trustscope.scenarios.papers.scenario import ALL, PapersScenario, preset
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.number import WholeNumber
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import heading
from trustscope.widgets.frame.gallery import Gallery

KINDS = [
    (ALL, "everything", "Figures, tables and misprints"),
    ("figures", "figures and tables", "What the papers show"),
    ("misprints", "misprints", "What is wrong in the papers, with the correction"),
]
QUICK, PAPER = "quick", "paper"
SIZES = [
    (QUICK, "quick", "A size that takes seconds"),
    (PAPER, "paper size", "The size that the paper used; it may take hours"),
]


class PapersControls(Controls):
    """The table of fields; the gallery is one of them, for it says what is open."""

    def __init__(self, scenario: PapersScenario):
        self._kept: dict[str, tuple] = {}
        self._make_widgets()
        self._lay_out()
        super().__init__(self._fields(), scenario)
        self.size.param.watch(lambda event: self._resize(), "value")
        self.back.param.watch(lambda event: self.change(self.scenario.opening("")), "clicks")

    def _make_widgets(self):
        papers = [(p.name, p.short, p.title) for p in PAPERS.values()]
        self.paper = Choice(label="Paper", options=[(ALL, ALL, "All five papers"), *papers])
        self.kind = Choice(label="Kind", options=KINDS)
        self.verdict = Choice(label="Verdict", options=[(ALL, ALL, "Any verdict")])
        self.gallery = Gallery(groups=words.groups())
        self.back = Action(text="← All experiments", margin=(0, 0, 4, 0))
        self.size = Choice(label="Size", options=SIZES, margin=(0, 0, 8, 0))
        self.parameters = Parameters()
        self.seed = WholeNumber(label="Seed", margin=(4, 0, 8, 0))
        self.task = Task(label="Experiment run", start_text="Run it", stop_text="Stop")

    def _fields(self):
        yield Field("view.paper", self.paper)
        yield Field("view.kind", self.kind)
        yield Field("view.verdict", self.verdict)
        yield Field("view.opened", self.gallery, live="opened")
        yield Field("settings.values", self.parameters)
        yield Field("seed", self.seed)

    def follow(self, scenario, path):
        if path == "view.opened":  # as it was last set
            return scenario.opening(scenario.view.opened, *self._kept.get(scenario.view.opened, ()))
        return scenario

    def load(self, collection: Collection) -> None:
        """The results are here: what the gallery holds, and which verdicts occur."""
        self.gallery.tiles = collection.tiles
        present = [(v, v, words.EXPLAINED[v]) for v in collection.present]
        self.verdict.options = [(ALL, ALL, "Any verdict"), *present]

    def describe(self, scenario):
        experiment = scenario.experiment
        self._finder.visible, self._settings.visible = experiment is None, experiment is not None
        if experiment is None:
            return
        values = scenario.settings.values
        self._kept[experiment.id] = values, scenario.seed
        self.parameters.ask(experiment, values)
        self.seed.visible = "key" in experiment.takes
        sizes = {QUICK: preset(experiment), PAPER: preset(experiment, paper_size=True)}
        self.size.visible = sizes[QUICK] != sizes[PAPER]
        self.size.value = next((name for name, size in sizes.items() if size == values), None)

    def _resize(self):
        experiment = EXPERIMENTS.get(self.scenario.view.opened)
        if self._silence or experiment is None or self.size.value is None:
            return
        self.change(self.scenario.replace({"settings.values": preset(experiment, self.size.value == PAPER)}))

    # Layout

    def _lay_out(self):
        self._finder = pn.Column(
            heading("Paper"), self.paper, heading("Show"), self.kind, heading("Verdict"), self.verdict,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        self._settings = pn.Column(
            self.back, heading("Settings"), self.size, self.parameters, self.seed, heading("Run"), self.task,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip
        self._layout = self.laid_out({"filters": [self._finder], "settings": [self._settings]})

    def stay(self) -> None:
        """The experiment that is open is the only one to be seen: there is no way back to the others."""
        self._settings.remove(self.back)
