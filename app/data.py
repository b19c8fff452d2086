"""The data desk: choose a built-in dataset or drop a file, see what was understood, choose columns."""

from html import escape

import panel as pn
import param

from trustscope import datasets
from trustscope.app.background import Background, compute
from trustscope.scenarios.words import count
from trustscope.widgets.action import Action
from trustscope.widgets.card import TEXT_CSS, Card
from trustscope.widgets.choice import Choice, Choices
from trustscope.widgets.columns import Columns
from trustscope.widgets.dropper import Dropper
from trustscope.widgets.inputs import dropdown

OWN = "own"
FIRST = 6  # attributes released at first; more on request
TITLES = {
    "census": "Census (synthetic)",
    "adult": "Adult: income survey",
    "iris": "Iris",
    "wine": "Wine",
    "breast": "Breast cancer, diagnostic",
    "breast-original": "Breast cancer, original",
    "letter": "Letter recognition",
    "votes": "Votes in Congress, 1984",
    "diabetes": "Diabetes",
    "gaussian": "Gaussian (synthetic)",
}


class DataDesk(pn.viewable.Viewer):
    """What is loaded. `dataset` and `columns` change together, through `changed`.

    As it stands it is a desk for numbers, any number of columns at once. A dashboard that needs something else
    of its data says so in a subclass: see the methods under "What a dashboard needs".

    Parameters
    ----------
    dataset : name of the built-in dataset to start with
    """

    changed = param.Integer(default=0, doc="Counts the times that dataset or columns have changed.")

    def __init__(self, dataset: str = "census", **params):
        super().__init__(**params)
        self.dataset = self._open(dataset)
        self.columns = self._first(self.dataset)
        self._own = None
        self._inspection = None
        self._quiet = False
        self.select = dropdown("Dataset", self._choices(), value=dataset)
        self.select.param.watch(self._pick, "value")
        self.chooser = self._make_chooser()
        self._about = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0, 6, 0))
        self.dropper = Dropper(
            label="Drop a CSV, Parquet or Excel file, or browse",
            accept=".csv,.tsv,.txt,.gz,.parquet,.xlsx,.xls,.xlsb,.ods",
            most=datasets.LIMITS.bytes,
            margin=(8, 0, 2, 0),
        )
        self.dropper.param.watch(self._close, "started")  # what was shown belongs to another file
        self.dropper.param.watch(self._received, "file")
        self.dropper.param.watch(self._too_large, "refused")
        self._limits = pn.pane.HTML(
            f"<p>{escape(datasets.limits_sentence())}</p>",
            stylesheets=[TEXT_CSS],
            sizing_mode="stretch_width",
            margin=0,
        )
        self._background = Background(self._failed)
        self._build_import()
        self._show_dataset()

    def _choices(self):
        own = {} if self._own is None else {self._own.title: OWN}
        return own | self._built_in()

    # What a dashboard needs

    def _built_in(self) -> dict[str, str]:
        """Titles and names of the sets that can be chosen."""
        return {TITLES[name]: name for name in datasets.names()}

    def _open(self, name: str):
        """The set of this name."""
        return datasets.load(name)

    def _first(self, dataset) -> tuple[str, ...]:
        """The columns to begin with."""
        return dataset.numeric[:FIRST]

    def _make_chooser(self):
        """The control that chooses columns."""
        self.attributes = Choices(label="Attributes that are released")
        self.attributes.param.watch(self._choose_columns, "value")
        return self.attributes

    def _show_chooser(self):
        """The columns have changed: so must what the control offers."""
        numeric = self.dataset.numeric
        self.attributes.param.update(
            options=[(str(i), name, f"Release {name} in every copy") for i, name in enumerate(numeric)],
            value=[str(i) for i, name in enumerate(numeric) if name in self.columns],
        )

    def _released(self) -> str:
        """How much of the data is released, in words that follow "12 rows, "; escaped."""
        return f"{len(self.columns)} of {len(self.dataset.numeric)} numeric columns released."

    def _refusal(self, dataset) -> str | None:
        """Why a file cannot serve here, or None if it can."""
        if dataset.numeric:
            return None
        return (
            "None of the chosen columns holds numbers, and noise can only be added to numbers: "
            "choose a numeric column, or another file."
        )

    # Choosing

    def _pick(self, event):
        if self._quiet:
            return
        self._close(event)
        self.use(self._own if event.new == OWN else self._open(event.new))

    def use(self, dataset):
        """Make this dataset the one that everything shows."""
        self.dataset = dataset
        self.columns = self._first(dataset)
        self._show_dataset()
        self.changed += 1

    def _choose_columns(self, event):
        chosen = tuple(self.dataset.numeric[int(i)] for i in event.new)
        if self._quiet or chosen == self.columns:
            return
        if not chosen:  # one attribute must stay
            self._show_columns()
            return
        self._take(chosen)

    def _take(self, columns):
        """Release these columns from now on."""
        self.columns = columns
        self._show_about()
        self.changed += 1

    def _show_columns(self):
        self._quiet = True
        self._show_chooser()
        self._quiet = False

    def _show_dataset(self):
        self._show_columns()
        self._show_about()

    def _show_about(self):
        data = self.dataset
        size = f"<b>{count(data.rows)}</b> rows, {self._released()}"
        more = "".join(
            f"<p>{escape(text)}</p>" for text in (data.title, *data.notes, data.source, f"Licence: {data.licence}")
        )
        self._about.object = f"<p>{size}</p><details><summary>about these data</summary>{more}</details>"

    # Importing

    def _build_import(self):
        self._table = Columns(label="Columns of the file")
        self._missing = Choice(
            label="Rows with missing values",
            label_shown=True,
            value="drop",
            options=[("drop", "leave them out", ""), ("fill", "fill in the mean or the most frequent", "")],
        )
        self._use = Action(text="Use these data", primary=True, margin=(0, 8, 0, 0))
        self._cancel = Action(text="Cancel")
        self._use.param.watch(self._accept, "clicks")
        self._cancel.param.watch(self._close, "clicks")
        self._problem = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0))
        self.import_card = Card(
            "Your file",
            self._problem,
            self._table,
            self._missing,
            pn.Row(self._use, self._cancel, margin=(8, 0)),
        )
        self.import_view = pn.Column(self.import_card, visible=False, sizing_mode="stretch_width", margin=(0, 0, 12, 0))

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
        self._show_import(f"Reading {escape(name)} …")

        async def work():
            inspection = await compute(datasets.inspect, content, name)
            await self._background.show(lambda: self._understood(inspection))

        self._background.start(work)

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
        self._missing.visible = missing > 0
        notes = "".join(f"<p>{escape(note)}</p>" for note in inspection.notes)
        self._show_import(
            f"<b>{escape(inspection.filename)}</b>: {escape(inspection.format)}, {count(inspection.rows)} rows, "
            f"{len(inspection.columns)} columns, {count(missing)} missing values. This is what was understood:",
            notes,
            ready=True,
        )

    def _show_import(self, caption, body="", ready=False):
        self.import_card.say(caption)
        self._problem.object = body
        self._table.visible = self._use.visible = ready
        self._missing.visible = self._missing.visible and ready
        self.import_view.visible = True

    def _accept(self, event):
        chosen = [row["name"] for row in self._table.rows if row["chosen"]]

        async def work():
            inspection, missing = self._inspection, self._missing.value
            dataset = await compute(lambda: inspection.dataset(columns=chosen, missing=missing))
            await self._background.show(lambda: self._adopt(dataset))

        self._background.start(work)

    def _adopt(self, dataset):
        if sentence := self._refusal(dataset):
            self._failed(datasets.DataProblem(sentence))
            return
        self._own = dataset
        self._quiet = True
        self.select.param.update(options=self._choices(), value=OWN)
        self._quiet = False
        self._inspection = None
        self.import_view.visible = False
        self.use(dataset)

    def _failed(self, error):
        if not isinstance(error, datasets.DataProblem):
            error = f"That file could not be used ({type(error).__name__}). Nothing was changed; try another file."
        self._show_import(
            "Your file was not used.",
            f"<p><b>{escape(str(error))}</b></p>",
            ready=self._inspection is not None,
        )

    def _close(self, event):
        self._background.stop()
        self._inspection = None
        self.import_view.visible = False

    def __panel__(self):
        return pn.Column(
            self.select,
            self._about,
            self.chooser,
            self.dropper,
            self._limits,
            sizing_mode="stretch_width",
            margin=0,
        )
