"""The Papers page: a gallery of every experiment of the five papers, and one of them opened."""

from collections import OrderedDict
from functools import cached_property
from typing import ClassVar

import panel as pn

from trustscope.app.dashboard import Dashboard
from trustscope.app.papers.controls import PapersControls
from trustscope.app.papers.detail import Detail
from trustscope.app.papers.runner import Runner
from trustscope.app.problem import Unusable, explain_error
from trustscope.app.serving import log
from trustscope.scenarios.papers import words
from trustscope.scenarios.papers.collection import KeyedResult, collection, demonstrates
from trustscope.scenarios.papers.record import Result
from trustscope.scenarios.papers.registry import EXPERIMENTS
from trustscope.scenarios.papers.scenario import PapersScenario
from trustscope.scenarios.papers.worker import ExperimentBroken, ExperimentJob, prepare
from trustscope.widgets.frame.card import TEXT_CSS

MOST_RUNS = 40  # results of a person's own that are kept
READING = "<p>The stored results are being read …</p>"
NONE = "<p>No experiment is of this kind. Choose other filters.</p>"


class PapersDashboard(Dashboard):
    """Every figure and table of the five papers, with what is printed beside what comes out.

    Parameters
    ----------
    scenario : what to open
    runs : what another dashboard of the same visitor ran
    """

    page = "papers"
    kind = PapersScenario
    pictures: ClassVar = {
        "gallery": "All experiments", "plots": "What comes out", "claims": "What the paper says, and what we find",
        "table": "The table", "code": "In a notebook",
    }  # fmt: skip
    groups: ClassVar = {"filters": "Which experiments", "settings": "Settings of one experiment, and running it"}

    def __init__(
        self, scenario: PapersScenario | None = None, runs: OrderedDict[tuple, KeyedResult] | None = None, **params
    ):
        self._runs: OrderedDict[tuple, KeyedResult] = OrderedDict() if runs is None else runs
        self._told = ""
        super().__init__(scenario, **params)

    @classmethod
    def scenario_to_open(cls, scenario):
        return (scenario or PapersScenario()).fit_to_experiment()

    def make_controls(self, scenario):
        return PapersControls(scenario)

    def build(self):
        self.runner = Runner(self._show_task, self._finished, self._failed)
        self.gallery, self.task = self.controls.gallery, self.controls.task
        self.body = pn.Column(sizing_mode="stretch_width", margin=0)
        self.instead = pn.pane.HTML(READING, stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(16, 4))
        all_of_them = "gallery" in self.shown
        shelf = [pn.Spacer(height=14), self.instead, self.gallery] if all_of_them else []
        self.shelf = pn.Column(*shelf, sizing_mode="stretch_width", margin=0)
        if not all_of_them:
            self.controls.stay()
        self.main = pn.Column(self.headline, self.shelf, self.body, sizing_mode="stretch_width", margin=0)
        self.task.param.watch(lambda event: self._start(), "starts")
        self.task.param.watch(lambda event: self.runner.stop(), "stops")
        self.controls.parameters.param.watch(lambda event: self._show_task(), "problem")

    @cached_property
    def detail(self) -> Detail:
        """The views of one experiment, made when the first one is opened."""
        detail = Detail(self.shown)
        detail.only(self.seen)
        self.body[:] = [detail]
        return detail

    def only(self, keys):
        super().only(keys)
        if "detail" in self.__dict__:
            self.detail.only(keys)

    def views(self):
        return {"detail": self.detail} if "detail" in self.__dict__ else {}

    def twin(self, scenario):
        return PapersDashboard(scenario, own=self.own, shown=self.shown, runs=self._runs)

    def alongside(self, kept):
        return kept if kept.view.opened == self.scenario.view.opened != "" else None

    # The results that come with the app

    def model_key(self, scenario):
        return self.page  # whatever is set, they are the same

    def fetch(self, scenario):
        return None  # the experiments make their own data

    def load(self, data, scenario):
        prepare()  # a first run need not wait for it
        return collection()

    def fit_to_data(self, scenario, model):
        return scenario.fit_to_experiment()

    def arrived(self):
        self.controls.load(self.model)
        self.instead.object = NONE
        self._turn(self.scenario)

    def place(self, scenario):
        return scenario.view.opened

    # Pictures

    def preview(self, model, scenario):
        return None  # every change is settled: nothing here follows a drag

    def _opening_key(self, scenario):
        # What a visitor has run is drawn into their pictures alone.
        return None if self._runs else super()._opening_key(scenario)

    def passes(self, model, scenario):
        own = [run for key, run in reversed(self._runs.items()) if key[0] == scenario.view.opened]
        return (model.picture(one, own) for one in (scenario,))

    def keepable(self, picture):
        return None if picture.run is not None and self.model.is_own(picture.run) else picture

    def draw_picture(self, picture):
        self.headline.say(**vars(picture.headline))
        opened = picture.scenario.view.opened
        if not opened:
            self.gallery.shown = list(picture.shown)
            self.instead.visible = not picture.shown
        elif picture.run is not None:
            self.detail.show_result(picture.run.result, picture.run.key)
        self.shelf.visible, self.body.visible = not opened, picture.run is not None
        if not picture.exact and demonstrates(picture.scenario) and not self._runs_already:
            self._start()
        self._show_task()

    def cleared(self):
        self.shelf.visible = self.body.visible = False

    # Running

    def _moved(self):
        self._turn(self.controls.scenario)
        super()._moved()

    def open(self, scenario, **options):
        self._turn(scenario)
        super().open(scenario, **options)

    def _turn(self, scenario):
        """What was told is past; where another experiment is opened, or none, the old views go at once."""
        self._told = ""
        opened = scenario.experiment
        self.info = opened.title if opened else "" if self.model is None else self.model.info
        if self.picture is not None and scenario.view.opened != self.picture.scenario.view.opened:
            self.shelf.visible, self.body.visible = not scenario.view.opened, False
            if scenario.experiment is not None:
                self.headline.say(scenario.experiment.title, note=scenario.experiment.claim)

    def _start(self):
        if self.controls.parameters.problem or self._busy_elsewhere:
            self._show_task()
            return
        self._told = ""
        id, values, key = self.scenario.run
        self.runner.start(ExperimentJob(id, dict(values), key))

    @property
    def _runs_already(self):
        job = self.runner.job
        return job is not None and (job.id, tuple(job.values.items()), job.key) == self.scenario.run

    @property
    def _busy_elsewhere(self):
        job = self.runner.job
        return job is not None and job.id != self.scenario.view.opened

    def _show_task(self):
        job = self.runner.job
        if job is not None and not self._busy_elsewhere:
            self.task.param.update(running=True, fraction=job.fraction, text=job.text)
            return
        shown = self.picture is not None and self.picture.scenario == self.scenario
        waits = shown and not self.picture.exact and self.picture.run is not None
        text = self.controls.parameters.problem or (words.busy(job.id) if job else "")
        text = text or self._told or (words.changed() if waits else "")
        self.task.param.update(running=False, fraction=float(self._told.startswith("Done")), text=text)

    def _finished(self, job, table):
        if table is None:
            self._tell(job, "Stopped.")
            return
        run = KeyedResult(Result(EXPERIMENTS[job.id], job.values, table), job.key)
        self._runs[job.id, tuple(job.values.items()), job.key] = run
        while len(self._runs) > MOST_RUNS:
            self._runs.popitem(last=False)
        self._tell(job, f"Done: {run.result.verdict}.")
        if job.id == self.scenario.view.opened:
            self._opening = None  # what others are shown when they open the same is without it
            self._pass()

    def _failed(self, job, error):
        if isinstance(error, ExperimentBroken):
            reference = log.reference()
            log.get(__name__).error("error %s in the experiment %s: %s", reference, job.id, error)
            self._tell(job, f"Something went wrong that should not have. The log has the cause: {reference}.")
        elif isinstance(error, RuntimeError | Unusable):
            self._tell(job, str(error))
        else:
            self._tell(job, " ".join(explain_error(error, "an experiment")))

    def _tell(self, job, text):
        """Said of the experiment that is open; of another its name is said too."""
        self._told = text if job.id == self.scenario.view.opened else f"{job.id}: {text}"
        self._show_task()

    def stop(self):
        super().stop()
        self.runner.leave()
