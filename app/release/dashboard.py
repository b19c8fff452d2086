"""The Release page: what is out, what one more copy would change, and the copies made for real."""

from functools import partial
from html import escape
from typing import ClassVar

import panel as pn

from trustscope.app.cards import pictures, tabs
from trustscope.app.controls import Field
from trustscope.app.dashboard import Dashboard
from trustscope.app.problem import Unusable
from trustscope.app.release import shelf
from trustscope.app.release.controls import ReleaseControls
from trustscope.app.release.handing import Handing
from trustscope.app.release.job import Job
from trustscope.app.release.opened import Opened
from trustscope.app.release.pictures import HoldingView, PooledView
from trustscope.app.release.stewardship import FoundView, KeyView, RowsView, RulesView
from trustscope.app.release.telling import without_paths
from trustscope.app.release.views import BeforeView, CheckView, CoalitionsView, CopiesView, HistoryView, ReportView
from trustscope.release import Problem
from trustscope.scenarios.release import words
from trustscope.scenarios.release.scenario import ReleaseScenario
from trustscope.scenarios.words import count, counted
from trustscope.widgets.frame.card import TEXT_CSS, TOOL_CSS

UNREADABLE = "This ledger cannot be opened."
NOT_NOW = "The ledger cannot be read now."


VIEWS = {
    "copies": CopiesView,
    "coalitions": CoalitionsView,
    "before": BeforeView,
    "history": HistoryView,
    "check": CheckView,
}


class ReleaseDashboard(Dashboard):
    """Copies for real, from a ledger of the server's folder or in a rehearsal.

    Parameters
    ----------
    scenario : what to open
    rehearsals : those of another dashboard of the same visitor; they are closed there
    """

    page = "release"
    kind = ReleaseScenario
    pictures: ClassVar = pictures("release")
    closers: ClassVar = tabs("release", VIEWS) | {"report": ("Report", ReportView)}
    experts: ClassVar = {
        "rules": ("Rules", RulesView),
        "found": ("A found file", FoundView),
        "rows": ("New rows", RowsView),
        "key": ("The key", KeyView),
    }
    groups: ClassVar = {
        "ledger": "Ledger", "copy": "The copy to consider", "make": "Make the copy", "more": "Issuer and file",
    }  # fmt: skip
    controls: ReleaseControls
    shares = False  # a rehearsal is its visitor's own, and a ledger is read anew each time

    def __init__(self, scenario: ReleaseScenario | None = None, rehearsals: shelf.Rehearsals | None = None, **params):
        self._folder = shelf.folder()
        self._lent = rehearsals is not None
        self._rehearsals = rehearsals or shelf.Rehearsals()
        super().__init__(scenario, **params)

    @classmethod
    def scenario_to_open(cls, scenario):
        if scenario is not None:
            return scenario
        there = shelf.names(shelf.folder())
        return ReleaseScenario().replace({"data.ledger": there[0]} if there else {})

    # Layout

    def make_controls(self, scenario):
        return ReleaseControls(scenario, shelf.names(self._folder))

    def build(self):
        self.holding, self.pooled = HoldingView(), PooledView()
        self.closer = self.make_closer()
        self.banner = pn.pane.HTML(
            "", stylesheets=[TEXT_CSS, TOOL_CSS], sizing_mode="stretch_width", margin=(0, 0, 8, 0)
        )
        self.body = pn.Column(
            self.make_pictures(self.holding, self.pooled), self.closer, sizing_mode="stretch_width", margin=0
        )
        self.main = pn.Column(self.banner, self.headline, self.body, sizing_mode="stretch_width", margin=0)
        self.controls.add(Field("view.measure", self.pooled.measure))
        self._making = Job(self.controls.make, "Making the copy")
        self.controls.make.param.watch(lambda event: self._make_copy(), "starts")
        self.controls.skip.param.watch(lambda event: self._next(), "clicks")

    def _made(self, key, kind):
        view = kind(self) if key in self.experts else kind()
        if key == "copies":
            self._giving = Handing(view.give, "Fetching the file …", partial(self._not_given, view))
            view.give.param.watch(lambda event: self._give_copy(view), "clicks")
        if key == "check":
            self._checking = Job(view.task, "Reading the data")
            view.task.param.watch(lambda event: self._check(view), "starts")
        if key == "coalitions":
            self._measuring = Job(view.task, "Measuring", "columns")
            view.task.param.watch(lambda event: self._measure(), "starts")
        if key == "report":
            self._reporting = Handing(view.give, "Writing the report …", self.fail)
            view.give.param.watch(lambda event: self._give_report(), "clicks")
        return self.opened(key, view)

    def twin(self, scenario):
        return ReleaseDashboard(scenario, own=self.own, shown=self.shown, rehearsals=self._rehearsals)

    # Ledgers

    def model_key(self, scenario):
        data = scenario.data
        return ("ledger", data.ledger) if data.ledger else ("rehearsal", data.name)

    def fetch(self, scenario):
        """Nothing: a ledger knows its data, and a rehearsal writes its own."""

    def load(self, data, scenario):
        if not scenario.data.ledger:
            return self._rehearsals.open(scenario.data.name)
        try:
            return Opened.at(shelf.find(self._folder, scenario.data.ledger))
        except Problem as problem:
            known = [] if self._folder is None else [self._folder / scenario.data.ledger]
            raise Unusable(UNREADABLE, without_paths(problem, known)) from None

    def fit_to_data(self, scenario, model):
        return scenario.fit_to_ledger(numbers=bool(model.numbers), categories=bool(model.categories))

    def arrived(self):
        self.controls.load(self.model)
        self.controls.secret.forget()
        self.banner.object = _banner(self.model.rehearsal, self._folder is not None)
        self.body.visible = True

    def open(self, scenario, **options):
        # A request that comes from elsewhere may leave out what this ledger needs.
        super().open(self.fit_if_loaded(scenario), **options)

    # Pictures

    def preview(self, model, scenario):
        return model.picture(scenario)

    def passes(self, model, scenario):
        yield self.preview(model, scenario)

    def draw_picture(self, picture):
        self.headline.say(**vars(words.headline(picture)))
        self.controls.say(picture)
        self.holding.show_picture(picture, None)
        self.pooled.show_picture(picture, None)
        self.show_closer(picture)
        kind = "Rehearsal" if picture.rehearsal else picture.title
        self.info = f"{kind}, {count(picture.rows)} rows, {counted(len(picture.first_issued), 'copy', 'copies')} out"

    def fail(self, error):
        if isinstance(error, Problem):  # such as a ledger that is being written to: the next look may succeed
            self._working(False)
            self.say(NOT_NOW, self._told(error))
        else:
            super().fail(error)

    def _told(self, problem):
        return without_paths(problem) if self.model is None else self.model.told(problem)

    def cleared(self):
        super().cleared()
        self.banner.object = ""
        self.controls.close()

    # Copies

    def _make_copy(self):
        if self.model is None or self._making.running:
            return
        model, settings = self.model, self.scenario.settings
        call = partial(model.copy, settings, self.controls.secret.text())
        self._making.start(call, partial(self._copied, model, settings), model.told)

    def _copied(self, model, settings, made) -> str:
        """A copy is out: the next request stands, and what is out is shown anew."""
        copy, notes = made
        if not settings.waiting:
            self.controls.secret.forget()  # kept only for as long as there are more to be made
        if model is self.model and settings.request == self.scenario.settings.request:
            self._next()
        else:
            self._draw(settled=True)
        return words.copy_in_words(copy, (*notes, *copy.notes))

    def _next(self):
        self.controls.change(self.scenario.next_request())

    def _give_copy(self, view):
        if self.model is not None and view.chosen.value:
            view.say("")
            self._giving.start(partial(self.model.file, view.chosen.value))

    def _not_given(self, view, error):
        if isinstance(error, Problem):
            view.say(self._told(error))
        else:
            self.fail(error)

    # What a steward does besides

    @property
    def request(self):
        """The copy that is considered."""
        return self.scenario.settings.request

    def do(self, job, call, said):
        """Do something with the ledger in a thread; then what is out, and what the rules say, is shown anew."""
        if self.model is None:
            return

        def done(result):
            self._draw(settled=True)
            return said(result)

        asked = partial(call, self.model, self.controls.secret.text(), self.scenario.settings.by)
        job.start(asked, done, self.model.told)

    # Check and report

    def _check(self, view):
        if self.model is not None:
            self._checking.start(partial(self.model.check, self.controls.secret.text()), view.tell, self.model.told)

    def _measure(self):
        if self.model is None:
            return

        def done(_):
            self._draw(settled=True)
            return "Measured."

        self._measuring.start(partial(self.model.measure, self.scenario.settings), done, self.model.told)

    def _give_report(self):
        if self.model is not None:
            model = self.model
            self._reporting.start(lambda: ("release-report.html", model.report().encode(), "text/html"))

    def stop(self):
        super().stop()
        self._making.stop()
        if not self._lent:
            self._rehearsals.close()


def _banner(rehearsal: bool, served: bool) -> str:
    """What has to be said before anything else: that this is a rehearsal, and how to work for real."""
    if not rehearsal:
        return ""
    start = f"start the server with a folder for ledgers: <code>{escape(words.START)}</code>"
    return (
        '<p role="note"><b>Rehearsal.</b> Everything works as it would for real, on built-in data; the ledger, its key '
        "and all copies are deleted when you leave. To work for real, "
        f"{'choose a ledger among the controls' if served else start}.</p>"
    )
