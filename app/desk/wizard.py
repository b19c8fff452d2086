"""Taking in a person's own file: what was understood is shown before it is used."""

from html import escape

import panel as pn
import param

from trustscope import datasets
from trustscope.app.own import OwnData
from trustscope.app.problem import told
from trustscope.app.work import Lane, compute
from trustscope.scenarios.words import count
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, Card
from trustscope.widgets.choice import Choice
from trustscope.widgets.columns import Columns
from trustscope.widgets.dropper import Dropper

ENDINGS = ".csv,.tsv,.txt,.gz,.parquet,.xlsx,.xls,.xlsb,.ods"
MISSING = [("drop", "leave them out", ""), ("fill", "fill in the mean or the most frequent", "")]


def _html() -> pn.pane.HTML:
    return pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0))


class Wizard(pn.viewable.Viewer):
    """From a dropped file to data that serve on all pages.

    Parameters
    ----------
    own : OwnData
        Where accepted data are put.
    refuse : callable
        Gives a sentence where data cannot serve on this page, or None if they can.
    """

    accepted = param.Integer(default=0, doc="Counts the files that were accepted.")

    def __init__(self, own: OwnData, refuse, **params):
        super().__init__(**params)
        self.own, self._refuse = own, refuse
        self._inspection = None
        self._lane = Lane(self._failed)
        self.dropper = Dropper(
            label="Drop a CSV, Parquet or Excel file, or browse. It stays on this machine.",
            accept=ENDINGS, most=datasets.LIMITS.bytes, margin=(8, 0, 2, 0),
        )  # fmt: skip
        self.dropper.param.watch(lambda event: self.close(), "started")  # what was shown belongs to another file
        self.dropper.param.watch(self._received, "file")
        self.dropper.param.watch(self._too_large, "refused")
        self.limits = _html()
        self.limits.object = f"<p>{escape(datasets.limits_sentence())}</p>"
        self._build()

    def _build(self):
        self._table = Columns(label="Columns of the file")
        self._missing = Choice(label="Rows with missing values", label_shown=True, value="drop", options=MISSING)
        self._use = Action(text="Use these data", primary=True, margin=(0, 8, 0, 0))
        self._cancel = Action(text="Cancel")
        self._use.param.watch(lambda event: self._accept(), "clicks")
        self._cancel.param.watch(lambda event: self.close(), "clicks")
        self._problem = _html()
        self.card = Card(
            "Your file", self._problem, self._table, self._missing, pn.Row(self._use, self._cancel, margin=(8, 0))
        )
        self.view = pn.Column(self.card, visible=False, sizing_mode="stretch_width", margin=(0, 0, 12, 0))

    def _too_large(self, event):
        if event.new:
            name, size = event.new
            try:
                datasets.LIMITS.check_bytes(size, name)
            except datasets.DataProblem as problem:
                self._inspection = None
                self._failed(problem)

    def _received(self, event):
        if not event.new:
            return
        name, content = event.new
        self._inspection = None
        self._show(f"Reading {escape(name)} …")

        async def work():
            inspection = await compute(datasets.inspect, content, name)
            await self._lane.show(lambda: self._understood(inspection))

        self._lane.start(work)

    def _understood(self, inspection):
        self._inspection = inspection
        self._table.rows = [
            {
                "name": c.name,
                "kind": c.kind,
                "missing": count(c.missing),
                "example": c.example,
                "note": c.note,
                "usable": c.usable,
                "chosen": c.usable,
            }
            for c in inspection.columns
        ]
        missing = sum(c.missing for c in inspection.columns)
        notes = "".join(f"<p>{escape(note)}</p>" for note in inspection.notes)
        self._show(
            f"<b>{escape(inspection.filename)}</b>: {escape(inspection.format)}, {count(inspection.rows)} rows, "
            f"{len(inspection.columns)} columns, {count(missing)} missing values. This is what was understood:",
            notes, ready=True,
        )  # fmt: skip
        self._missing.visible = missing > 0

    def _show(self, caption, body="", ready=False):
        self.card.say(caption)
        self._problem.object = body
        self._table.visible = self._use.visible = ready
        self._missing.visible = self._missing.visible and ready
        self.view.visible = True

    def _accept(self):
        chosen = [row["name"] for row in self._table.rows if row["chosen"]]
        inspection, missing = self._inspection, self._missing.value

        async def work():
            dataset = await compute(lambda: inspection.dataset(columns=chosen, missing=missing))
            await self._lane.show(lambda: self._adopt(dataset))

        self._lane.start(work)

    def _adopt(self, dataset):
        if sentence := self._refuse(dataset):
            self._failed(datasets.DataProblem(sentence))
            return
        self._inspection = None
        self.view.visible = False
        self.own.dataset = dataset
        self.accepted += 1

    def _failed(self, error):
        _, sentence = told(error, "import")
        self._show("Your file was not used.", f"<p><b>{escape(sentence)}</b></p>", ready=self._inspection is not None)

    def close(self):
        """Leave the import."""
        self._lane.stop()
        self._inspection = None
        self.view.visible = False

    def __panel__(self):
        return self.view
