"""The Papers dashboard: a gallery of every experiment, and one of them opened."""

import asyncio
import contextlib
from functools import partial

import panel as pn
import param

from trustscope.app.background import Background, compute
from trustscope.app.papers.controls import Controls
from trustscope.app.papers.detail import Detail
from trustscope.scenarios.papers import stored, words
from trustscope.scenarios.papers.record import UNTESTED, VERDICTS, Result
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS
from trustscope.scenarios.papers.worker import ExperimentJob, prepare
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.gallery import Gallery
from trustscope.widgets.verdict import Verdict

ALL = "all"
KINDS = [
    (ALL, "everything", "Figures, tables and misprints"),
    ("figures", "figures and tables", "What the papers show"),
    ("misprints", "misprints", "What is wrong in the papers, with the correction"),
]


class PapersDashboard(pn.viewable.Viewer):
    """Every figure and table of the five papers, with what is printed beside what comes out.

    Parameters
    ----------
    dataset, own : taken like every dashboard's, and not used: the papers have their own data
    """

    info = param.String(default="", doc="What is loaded, for the bar.")

    def __init__(self, dataset: str | None = None, own=None, **params):
        super().__init__(**params)
        self.results = stored.results()
        self._own, self._set, self._id, self._run = {}, {}, None, None
        self._background = Background(lambda error: self._failed(None, error))
        self.verdict, self.detail, self.controls = Verdict(), Detail(), Controls()
        self._build_gallery()
        self.sidebar = pn.Column(self._finder, self.controls, sizing_mode="stretch_width", margin=0)
        self.main = pn.Column(self.verdict, self._shelf, self.detail, sizing_mode="stretch_width", margin=0)
        self.gallery.param.watch(lambda e: self.open(self.gallery.opened), "presses")
        self.controls.back.param.watch(lambda e: self.close(), "clicks")
        self.controls.task.param.watch(lambda e: self._start(), "starts")
        self.controls.task.param.watch(lambda e: self._stop(), "stops")
        self.controls.param.watch(lambda e: self._changed(), "changed")
        self.close()
        prepare()  # a first run need not wait for it

    # Layout

    def _build_gallery(self):
        tiles = [
            words.tile(e, self.results.get(id), stored.picture(id) if id in self.results else "")
            for id, e in EXPERIMENTS.items()
        ]
        self.gallery = Gallery(groups=words.groups(), tiles=tiles, shown=list(EXPERIMENTS))
        papers = [(ALL, ALL, "All five papers")]
        papers += [
            (p.name, p.short, p.title) for p in PAPERS.values() if any(e.paper == p.name for e in EXPERIMENTS.values())
        ]
        self.paper = Choice(label="Paper", options=papers, value=ALL)
        self.kind = Choice(label="Kind", options=KINDS, value=ALL)
        present = {self._verdict(id) for id in EXPERIMENTS}
        verdicts = [(ALL, ALL, "Any verdict"), *((v, v, words.EXPLAINED[v]) for v in VERDICTS if v in present)]
        self.of_verdict = Choice(label="Verdict", options=verdicts, value=ALL)
        for choice in (self.paper, self.kind, self.of_verdict):
            choice.param.watch(lambda e: self._filter(), "value")
        text = "<p>No experiment is of this kind. Choose other filters at the left.</p>"
        self._none = pn.pane.HTML(text, stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(16, 4))
        self._shelf = pn.Column(pn.Spacer(height=14), self._none, self.gallery, sizing_mode="stretch_width", margin=0)
        self._finder = pn.Column(
            heading("Paper"), self.paper, heading("Show"), self.kind, heading("Verdict"), self.of_verdict,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def __panel__(self):
        side = pn.Column(self.sidebar, width=290, margin=(0, 14, 0, 0))
        return pn.Row(side, self.main, sizing_mode="stretch_width")

    # The gallery

    def _verdict(self, id):
        return self.results[id].verdict if id in self.results else UNTESTED

    def _filter(self):
        """The gallery shows what is stored, whatever was run since: pictures, verdicts and counts belong together."""
        paper, kind, verdict = self.paper.value, self.kind.value, self.of_verdict.value
        shown = [
            id
            for id, e in EXPERIMENTS.items()
            if paper in (ALL, e.paper)
            and kind in (ALL, "misprints" if e.misprint else "figures")
            and verdict in (ALL, self._verdict(id))
        ]
        self.gallery.shown = shown
        self._none.visible = not shown
        seen = [self.results[id] for id in shown if id in self.results]
        self.verdict.say(**words.overview(seen or self.results.values()))

    def close(self):
        """Back to the gallery."""
        self._id = None
        with pn.io.hold():
            self._show_page()
            self._filter()
        self.info = f"{len(EXPERIMENTS)} experiments of {len({e.paper for e in EXPERIMENTS.values()})} papers"

    def _show_page(self):
        opened = self._id is not None
        self._finder.visible = self._shelf.visible = not opened
        self.controls._layout.visible = opened
        self.detail._layout.visible = opened and self.result(self._id)[0] is not None

    # One experiment

    def open(self, id: str):
        """Show one experiment as it was last run, its controls as they were last set."""
        self._id = id
        with pn.io.hold():
            self.controls.open(EXPERIMENTS[id], *self._set.get(id, (EXPERIMENTS[id].preset(), 1)))
            self._show_task()
            self._show(id)
            self._show_page()
        self.info = id

    def result(self, id: str) -> tuple[Result | None, int]:
        """The person's own result, or the stored one, or None where there is neither; and its key."""
        return self._own.get(id, (self.results.get(id), 1))

    def _show(self, id):
        result, key = self.result(id)
        if result is None:
            self.verdict.say(**words.nothing(EXPERIMENTS[id]))
        else:
            self.verdict.say(**words.verdict(result, id in self._own))
            self.detail.show(result, key)

    def _show_task(self):
        run = self._run
        if run is None:
            self.controls.task.param.update(running=False, fraction=0.0, text="")
        elif run.id == self._id:
            self.controls.task.param.update(running=True, fraction=run.fraction, text=run.text)
        else:
            self.controls.task.param.update(running=False, fraction=0.0, text=words.busy(run.id))

    def _changed(self):
        """The demonstration of a misprint is quick: it follows the controls. Anything else waits for Run."""
        if self._id is None:
            return
        with contextlib.suppress(ValueError):  # said when it is run
            self._set[self._id] = self.controls.values(), self.controls.seed.value
        if self._run is not None and self._run.id != self._id:
            self._show_task()  # what runs elsewhere goes on; what was set is kept
        elif EXPERIMENTS[self._id].misprint is not None:
            self._start()
        elif self._run is None:
            self.controls.task.text = "The settings have changed: press Run it."

    def _start(self):
        if self._run is not None and self._run.id != self._id:
            self._show_task()
            return
        try:
            values = self.controls.values()
        except ValueError as problem:
            self.controls.task.param.update(running=False, fraction=0.0, text=str(problem))
            return
        self._run = run = ExperimentJob(self._id, values, self.controls.seed.value)
        self._set[run.id] = run.values, run.key
        self._show_task()

        async def work():
            job = asyncio.ensure_future(compute(run))
            try:
                while not job.done():
                    await asyncio.wait([job], timeout=0.2)
                    await self._background.show(self._show_task)
                await self._background.show(lambda: self._finished(run, job.result()))
            except Exception as error:
                await self._background.show(partial(self._failed, run, error))
            finally:  # another one was started, or the page was left
                run.stop()

        self._background.start(work)

    def _stop(self):
        if self._run is not None:
            self._run.stop()

    def _finished(self, run, table):
        self._run = None
        self._show_task()
        if table is None:
            self._tell(run, "Stopped.")
            return
        result = Result(EXPERIMENTS[run.id], run.values, table)
        self._own[run.id] = result, run.key
        if run.id == self._id:
            self._show(run.id)
            self._show_page()
            self.controls.task.fraction = 1.0
        self._tell(run, f"Done: {result.verdict}.")

    def _failed(self, run, error):
        self._run = None
        self._show_task()
        self._tell(run, str(error))

    def _tell(self, run, text):
        """Said of the experiment that is open; of another its name is said too."""
        self.controls.task.text = text if run is None or run.id == self._id else f"{run.id}: {text}"
