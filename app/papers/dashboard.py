"""The Papers dashboard: a gallery of every experiment, and one of them opened."""

import asyncio

import panel as pn
import param

from app.background import Background, compute
from app.papers import stored, words
from app.papers.controls import Controls
from app.papers.detail import Detail
from app.papers.record import VERDICTS, Result
from app.papers.registry import EXPERIMENTS, PAPERS
from app.papers.worker import Run, prepare
from widgets.card import TEXT_CSS, heading
from widgets.choice import Choice
from widgets.gallery import Gallery
from widgets.verdict import Verdict

ALL = "all"
KINDS = [
    (ALL, "everything", "Figures, tables and misprints"),
    ("figures", "figures and tables", "What the papers show"),
    ("misprints", "misprints", "What is wrong in print"),
]


class PapersDashboard(pn.viewable.Viewer):
    """Every figure and table of the five papers, with what is printed beside what comes out.

    Parameters
    ----------
    dataset : taken like every dashboard's, and not used: the papers have their own data
    """

    info = param.String(default="", doc="What is loaded, for the bar.")

    def __init__(self, dataset: str | None = None, **params):
        super().__init__(**params)
        self.results = stored.results()
        self._own, self._keys, self._id, self._run = set(), {}, None, None
        self._background = Background(self._failed)
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
        tiles = [words.tile(result, stored.picture(id)) for id, result in self.results.items()]
        self.gallery = Gallery(groups=words.groups(), tiles=tiles, shown=list(self.results))
        papers = [(ALL, ALL, "All five papers")]
        papers += [
            (p.name, p.short, p.title) for p in PAPERS.values() if any(e.paper == p.name for e in EXPERIMENTS.values())
        ]
        self.paper = Choice(label="Paper", options=papers, value=[ALL])
        self.kind = Choice(label="Kind", options=KINDS, value=[ALL])
        present = {result.verdict for result in self.results.values()}
        verdicts = [(ALL, ALL, "Any verdict"), *((v, v, words.EXPLAINED[v]) for v in VERDICTS if v in present)]
        self.of_verdict = Choice(label="Verdict", options=verdicts, value=[ALL])
        for choice in (self.paper, self.kind, self.of_verdict):
            choice.param.watch(lambda e: self._filter(), "value")
        text = "<p>Nothing of that kind: choose more at the left.</p>"
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

    def _filter(self):
        paper, kind, verdict = self.paper.picked, self.kind.picked, self.of_verdict.picked
        shown = [
            id
            for id, result in self.results.items()
            if paper in (ALL, result.experiment.paper)
            and kind in (ALL, "misprints" if result.experiment.misprint else "figures")
            and verdict in (ALL, result.verdict)
        ]
        self.gallery.shown = shown
        self._none.visible = not shown
        self.verdict.say(**words.overview([self.results[id] for id in shown] or self.results.values()))

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
        self.controls._layout.visible = self.detail._layout.visible = opened

    # One experiment

    def open(self, id: str):
        """Show one experiment, as it was last run."""
        self._id = id
        result = self.results[id]
        with pn.io.hold():
            self.controls.open(result.experiment, result.values, self._keys.get(id, 1))
            self._show_task()
            self._show(result)
            self._show_page()
        self.info = id

    def _show(self, result: Result):
        id = result.experiment.id
        self.verdict.say(**words.verdict(result, id in self._own))
        self.detail.show(result, self._keys.get(id, 1))

    def _show_task(self):
        run = self._run
        here = run is not None and run.id == self._id
        text = run.text if here else "" if run is None else f"{run.id} is running."
        self.controls.task.param.update(running=here, fraction=run.fraction if here else 0.0, text=text)

    def _changed(self):
        """The demonstration of a misprint is quick: it follows the controls. Anything else waits for Run."""
        if self._id is None:
            return
        if EXPERIMENTS[self._id].misprint is not None:
            self._start()
        elif self._run is None:
            self.controls.task.text = "Set; press Run it."

    def _start(self):
        try:
            values = self.controls.values()
        except ValueError as problem:
            self.controls.task.param.update(running=False, fraction=0.0, text=str(problem))
            return
        self._run = run = Run(self._id, values, self.controls.seed.value)
        self._show_task()

        async def work():
            job = asyncio.ensure_future(compute(run))
            try:
                while not job.done():
                    await asyncio.wait([job], timeout=0.2)
                    await self._background.show(self._show_task)
                await self._background.show(lambda: self._finished(run, job.result()))
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
            self.controls.task.text = "Stopped."
            return
        result = Result(EXPERIMENTS[run.id], run.values, table)
        self.results = self.results | {run.id: result}
        self._own.add(run.id)
        self._keys[run.id] = run.key
        if run.id == self._id:
            self._show(result)
            self.controls.task.param.update(fraction=1.0, text=f"Done: {result.verdict}.")

    def _failed(self, error):
        self._run = None
        self.controls.task.param.update(running=False, fraction=0.0, text=str(error))
