"""Taking in a person's own file: what was understood is shown before it is used."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

import panel as pn
import param
from bokeh.events import ClientReconnected

from trustscope import datasets
from trustscope.app.jobs import Job
from trustscope.app.own import OwnData
from trustscope.app.problem import explain_error
from trustscope.app.serving.budget import BudgetMet, visitor
from trustscope.app.silence import Silence
from trustscope.app.work import TaskSlot, compute
from trustscope.datasets import Dataset
from trustscope.datasets.inspection import Inspection
from trustscope.datasets.wanted import Wanted
from trustscope.scenarios.preparation import Preparation, offered, words
from trustscope.scenarios.preparation.steps import Offer
from trustscope.scenarios.source import noun_of
from trustscope.scenarios.words import count, counted
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice, Choices
from trustscope.widgets.controls.columns import Columns
from trustscope.widgets.controls.dropper import Dropper
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.frame.card import TEXT_CSS, Card

ENDINGS = ".csv,.tsv,.txt,.gz,.parquet,.xlsx,.xls,.xlsb,.ods"
LEAVE_OUT = "leave out"
MISSING = [
    ("keep", "leave them out where they matter", "Each page leaves out the rows with gaps in the columns that it uses"),
    ("fill", "fill in the mean or the most frequent", "Every gap gets the mean, or the most frequent value"),
]

SECRET = "Which column are attackers after?"
MOST_OFFERS = 6
KEPT = 50_000_000  # bytes of a dataset up to which it is kept beside what it is made of, until it is used
BEFORE = (
    "Noise does not hide everything. Tick what is to be done before it is added; it can be changed later, under Data:"
)
DATES = "No page makes copies of dates. Choose “number” to work with days."


def _html() -> pn.pane.HTML:
    return pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0))


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


class Wizard(pn.viewable.Viewer):
    """From a dropped file to data that serve on all pages.

    Parameters
    ----------
    own : OwnData
        Where accepted data are put.
    refuse : callable
        Gives a sentence where data cannot serve on this page, or None if they can.
    secrets : callable, optional
        Gives the columns that attackers may be after on this page, the likeliest first.
    """

    accepted = param.Integer(default=0, doc="Counts the files that were accepted.")

    def __init__(
        self, own: OwnData, refuse, secrets: Callable[[Dataset], Sequence[str]] | None = None, **params
    ):  # fmt: skip
        super().__init__(**params)
        self.own, self._refuse, self._secrets = own, refuse, secrets
        self._notes = ""
        self._inspection: Any = None  # an Inspection, as long as a file is looked at
        self._read: Wanted | None = None  # the file that is being read
        self._unread = ""  # the name of one whose reading ended when the connection was lost
        self._offers: tuple[Offer, ...] = ()
        self._made: tuple = ()  # the dataset that was made last, and from which corrections
        self.preparation: tuple[Preparation, ...] = ()  # what was ticked for the data that were accepted
        self._budget = visitor()
        self._claim = self._budget.claim()  # for the file from its first piece until it is in use
        self._limits = replace(datasets.LIMITS, kept=self._claim.most)
        self._silence = Silence()
        # In threads of their own kinds: a file may take seconds, and nobody's picture waits behind it.
        self._reading = Job(self._failed, kind="file")
        if pn.state.curdoc is not None:
            pn.state.curdoc.on_event(ClientReconnected, lambda event: self._back())
        self._slot, self._counts, self._looks = (TaskSlot(self._failed, kind="columns") for _ in range(3))
        self.dropper = Dropper(
            label="Drop a CSV, Parquet or Excel file, or browse. It stays on this machine.",
            accept=ENDINGS, most=datasets.LIMITS.bytes, margin=(8, 0, 2, 0), may_keep=self._claim.refusal,
        )  # fmt: skip
        self.dropper.param.watch(lambda event: self.close(), "started")  # what was shown belongs to another file
        self.dropper.param.watch(self._received, "file")
        self.dropper.param.watch(self._too_large, "refused")
        self.dropper.param.watch(lambda event: event.new and self._failed(datasets.DataProblem(event.new)), "declined")
        self.limits = _html()
        self.limits.object = f"<p>{escape(datasets.limits_sentence(self._limits))}</p>"
        self.card: Card | None = None  # few visitors bring a file: it is made when there is something to show
        self.view = pn.Column(visible=False, sizing_mode="stretch_width", margin=(0, 0, 12, 0))

    def _build(self) -> Card:
        self._table = Columns(label="Columns of the file")
        self._table.param.watch(lambda event: self._silence or self._corrected(), "rows")
        self._missing = Choice(label="Rows with missing values", label_shown=True, value="keep", options=MISSING)
        self._missing.param.watch(lambda event: self._look(), "value")
        self.secret = dropdown(SECRET, [""], visible=False, max_width=420, margin=(8, 0, 4, 0))
        self.before = Choices(label="Before the noise", label_shown=True, visible=False, margin=(8, 0, 0, 0))
        self._before_words = _html()
        self.use = Action(text="Use these data", primary=True, margin=(0, 8, 0, 0))
        self._cancel = Action(text="Cancel")
        self.use.param.watch(lambda event: self._accept(), "clicks")
        self._cancel.param.watch(lambda event: self.close(), "clicks")
        self.problem = _html()
        return Card(
            "Your file", self.problem, self._table, self._missing, self.secret, self.before, self._before_words,
            pn.Row(self.use, self._cancel, margin=(8, 0)),
            styles={"--ts-least": "0"},  # what is wrong stands right below "correct what is wrong"
        )  # fmt: skip

    def _too_large(self, event):
        if event.new:
            name, size = event.new
            try:
                datasets.LIMITS.check_bytes(size, name)
            except datasets.DataProblem as problem:
                self.close()  # the one before may still be being read
                self._failed(problem)

    def _received(self, event):
        if not event.new:
            return
        name, content = event.new
        self._inspection, self._unread = None, ""
        try:
            self._budget.upload(len(content))
        except BudgetMet as met:
            self._failed(datasets.DataProblem(str(met)))
            return
        self._show(f"Reading {escape(name)} …")

        self._slot.stop()
        file = self._read = Wanted()
        self._reading.start(
            lambda run: file.call(datasets.inspect, content, name, limits=self._limits),
            lambda run, inspection: None if run.cancelled else self._understood(inspection),
            stop=partial(self._ended, file, name),
        )  # fmt: skip

    def _ended(self, file, name):
        """Nobody waits for a file any more. If nothing came of it the connection was lost, and nothing can be said."""
        file.stop()
        if file is self._read:
            self._read, self._unread = None, name
            self._claim.free()

    def _back(self):
        """The connection is there again, after a while."""
        if self._unread:
            self._failed(datasets.DataProblem(f"The connection was lost while {self._unread} was read: drop it again."))

    def _understood(self, inspection):
        self._read = None
        if sentence := self._claim.refusal(inspection.size):  # a small file can unfold into very much
            self._failed(datasets.DataProblem(sentence))
            return
        self._inspection = inspection
        with self._silence:
            self._table.rows = [
                {
                    "name": c.name,
                    "kind": c.kind,
                    "choices": list(dict.fromkeys((c.kind, *c.choices, LEAVE_OUT))),
                    "missing": count(c.missing),
                    "codes": "",
                    "unit": c.unit,
                    "example": c.example,
                    "note": f"{c.note or c.reason} {DATES}" if c.kind == "date" else c.note or c.reason,
                    "usable": c.usable,
                    "chosen": c.usable,
                }
                for c in inspection.columns
            ]
        self._notes = "".join(f"<p>{escape(note)}</p>" for note in inspection.notes)
        self._show(
            f"<b>{escape(inspection.filename)}</b>: {escape(inspection.format)}, {count(inspection.rows)} rows, "
            f"{counted(len(inspection.columns), 'column')}. This is what was understood; correct what is wrong:",
            ready=True,
        )
        self._corrected()

    def _corrected(self):
        """Something is understood otherwise now."""
        self._count()
        self._look()

    def _corrections(self, inspection: Inspection) -> dict:
        """What the person changed, as `Inspection.dataset` takes it."""
        rows = [row for row in self._table.rows if row["chosen"] and row["kind"] != LEAVE_OUT]
        was = {c.name: c.kind for c in inspection.columns}
        codes = {row["name"]: [code.strip() for code in row["codes"].split(",") if code.strip()] for row in rows}
        return {
            "columns": [row["name"] for row in rows],
            "kinds": {row["name"]: row["kind"] for row in rows if row["kind"] != was[row["name"]]},
            "missing_codes": {name: found for name, found in codes.items() if found},
        }

    def _count(self):
        """Say how many rows would be left out if a page used all the chosen columns; counted in a thread."""
        if self._inspection is None:
            return
        inspection = self._inspection
        corrections = self._corrections(inspection)

        def made():
            try:
                return inspection.left_out(**corrections)
            except datasets.DataProblem as problem:
                return problem

        self._counts.latest(made, self._counted)

    def _counted(self, found):
        if isinstance(found, datasets.DataProblem):
            self.problem.object = f"{self._notes}<p><b>{escape(str(found))}</b></p>"
            return
        self._missing.visible = found.rows > 0
        where = " Each page leaves out only the rows with a gap in the columns that it uses." if found.rows else ""
        self.problem.object = f"{self._notes}<p><b>{escape(found.sentence)}</b>{where}</p>"

    def _look(self):
        """See what the chosen columns have that noise does not hide; in a thread, on the data that are then used."""
        if self._inspection is None:
            return
        make = self._maker()

        def made():
            try:
                dataset = make()
                return dataset, offered(dataset, dataset.numeric)
            except datasets.DataProblem:
                return None, ()  # said by `_counted`

        self._looks.latest(made, self._looked)

    def _looked(self, found):
        dataset, offers = found
        secrets = [] if dataset is None or self._secrets is None else list(self._secrets(dataset))
        if secrets != list(self.secret.options):
            chosen = self.secret.value if self.secret.value in secrets else ""
            self.secret.param.update(options=secrets or [""], value=chosen or next(iter(secrets), ""))
        self.secret.visible = len(secrets) > 1 and self.use.visible
        able = [offer for offer in offers if offer.preparation]
        first = {offer.column: offer for offer in reversed(able)}
        self._offers = tuple(offer for offer in able if first[offer.column] is offer)[:MOST_OFFERS]
        options = [
            (str(place), f"{offer.column}: {_small(words.button(offer.preparation))}", words.does(offer.preparation))
            for place, offer in enumerate(self._offers)
            if offer.preparation
        ]
        if options != self.before.options:
            self.before.param.update(options=options, value=[])
        said = "" if dataset is None else "".join(map(self._told(dataset), self._offers))
        self._before_words.object = f"<p>{BEFORE}</p>{said}<p>{words.AWAY}</p>" if said else ""
        self.before.visible = bool(said) and self.use.visible

    @staticmethod
    def _told(dataset):
        """What is said of a column, and what the step would change."""
        noun = noun_of(dataset)

        def told(offer):
            unit = dataset.units.get(offer.column, "")
            return f"<p>{escape(f'{words.has(offer, noun, unit)} {words.would(offer, unit)}'.strip())}</p>"

        return told

    def _maker(self):
        """How the dataset is made of what stands; a small one is made once, however often it is asked for."""
        inspection, missing = self._inspection, self._missing.value
        corrections = self._corrections(inspection)
        units = {row["name"]: row["unit"].strip() for row in self._table.rows if row["unit"].strip()}
        key = (id(inspection), missing, units, corrections)

        def make():
            known, dataset = self._made or (None, None)
            if known != key:
                size = inspection.size_of(**corrections)
                try:
                    self._budget.could_own(size)
                except BudgetMet as met:
                    raise datasets.DataProblem(str(met)) from None
                dataset = inspection.dataset(missing=missing, units=units, **corrections)
                self._made = (key, dataset) if size <= KEPT else ()
            return dataset

        return make

    def _show(self, caption, body="", ready=False):
        if self.card is None:
            self.card = self._build()
            self.view[:] = [self.card]
        self.card.say(caption)
        self.problem.object = body
        self._table.visible = self.use.visible = ready
        self._missing.visible = self._missing.visible and ready
        self.secret.visible = self.secret.visible and ready
        self.before.visible = self.before.visible and ready
        self._before_words.visible = ready
        self.view.visible = True

    def _accept(self):
        if self._inspection is None:  # a click that came after another file: what it was about is not shown any more
            return
        make = self._maker()
        ticked = tuple(self._offers[int(place)].preparation for place in self.before.value)
        secret = self.secret.value if self.secret.visible else ""

        async def work():
            dataset = await compute(make, kind="columns")
            await self._slot.show(lambda: self._adopt(dataset, ticked, secret))

        self._slot.start(work)

    def _adopt(self, dataset, ticked, secret):
        if sentence := self._refuse(dataset):
            self._failed(datasets.DataProblem(sentence))
            return
        try:
            self._budget.own_data(int(dataset.frame.memory_usage(deep=True).sum()))
        except BudgetMet as met:
            self._failed(datasets.DataProblem(str(met)))
            return
        self._inspection, self._made, self.preparation = None, (), ticked
        self._claim.free()
        self.view.visible = False
        self.own.param.update(dataset=dataset, secret=secret)
        self.accepted += 1

    def _failed(self, error):
        self._read, self._unread = None, ""
        if self._inspection is None:
            self._claim.free()
        _, sentence = explain_error(error, "import")
        self._show("Your file was not used.", f"<p><b>{escape(sentence)}</b></p>", ready=self._inspection is not None)

    def close(self):
        """Leave the import."""
        self._reading.drop()
        self._slot.stop()
        self._counts.stop()
        self._looks.stop()
        self._inspection, self._made = None, ()
        self._read, self._unread = None, ""
        self._claim.free()
        self.view.visible = False

    def __panel__(self):
        return self.view
