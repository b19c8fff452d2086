"""What the Release page shows to whoever looks closer; each view is made when it is first opened."""

from html import escape

import panel as pn
import param

from trustscope.app.cards import CardView
from trustscope.scenarios.release import help as texts
from trustscope.scenarios.release import words
from trustscope.scenarios.release.result import ReleaseResult
from trustscope.widgets.controls.give import Give
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import Card
from trustscope.widgets.tables.texttable import TextTable


class WrittenView(CardView):
    """A table to read, which a card of the page declares.

    Parameters
    ----------
    key : of the card
    label : the accessible name
    written : called with a picture: headings, rows and a sentence above them, as HTML
    """

    def __init__(self, key: str, label: str, written=None, **options):
        self.table, self._written = TextTable(label), written
        super().__init__("release", key, self.table, **options)

    def show_picture(self, picture: ReleaseResult, model=None):
        """List what there is."""
        headings, rows, said = self._written(picture)
        self.taken.put(self.declared, self.declared.table(picture, None))
        self.table.draw(headings, rows)
        self.card.say(said)


class CopiesView(WrittenView):
    """Every copy: recipient, trust, date, purpose, issuer, digest; and its file."""

    def __init__(self):
        self.chosen = dropdown("Copy", [""])
        self.give = Give(text="Download the file", margin=(18, 0, 0, 12))
        self.said = pn.pane.HTML("", sizing_mode="stretch_width", margin=0)
        self._files = pn.Row(self.chosen, self.give, sizing_mode="stretch_width", margin=0)
        super().__init__("copies", "Copies that are out", self._rows, below=(self._files, self.said))

    @staticmethod
    def _rows(picture):
        if not picture.copies:
            return (), [], "None yet."
        return words.COPY_HEADINGS, words.copies(picture), words.COPIES

    def show_picture(self, picture: ReleaseResult, model=None):
        """List them."""
        super().show_picture(picture, model)
        self._files.visible = bool(picture.copies)
        named = {f"{c.to}, {c.describe()}, {words.time(c.time)}, event {c.number}": c.number for c in picture.copies}
        if named and named != self.chosen.options:
            self.chosen.param.update(options=named, value=list(named.values())[-1])
        self.say("")

    def say(self, text: str):
        """A sentence below the button."""
        self.said.object = f'<p role="status">{escape(text)}</p>' if text else ""


class CoalitionsView(WrittenView):
    """What the strongest attacker gets, measured on request."""

    def __init__(self):
        self.task = Task(label="The measurement", start_text="Measure it", stop_text="Cancel", bare=True)
        super().__init__("coalitions", "What the strongest attacker gets", self._rows, above=(self.task,))

    @staticmethod
    def _rows(picture):
        said = " ".join([words.strongest(picture), *picture.singled_out, words.rules(picture.rules)])
        rows = words.risks(picture)
        return words.RISK_HEADINGS if rows else (), rows, escape(said)


class BeforeView(WrittenView):
    """What stands out in the data, whatever noise is added."""

    def __init__(self):
        super().__init__("before", "Columns of numbers in which something stands out", self._rows)

    @staticmethod
    def _rows(picture):
        said = words.before(picture)
        if not picture.noticed:
            return (), [], escape(said)
        return words.NOTICED_HEADINGS, [list(row) for row in picture.noticed], escape(said)


class HistoryView(WrittenView):
    """Every event."""

    def __init__(self):
        super().__init__("history", "Events of the ledger, the latest first", self._rows)

    @staticmethod
    def _rows(picture):
        return words.EVENT_HEADINGS, words.events(picture), escape(words.chain(picture))


class CheckView(WrittenView):
    """A check of everything, on request."""

    found = param.List(default=[], doc="What the last check found.")

    def __init__(self):
        self.task = Task(label="The check", start_text="Check everything", stop_text="Cancel", bare=True)
        super().__init__("check", "What was checked", above=(self.task,))
        self._head = None

    def show_picture(self, picture: ReleaseResult, model=None):
        """What was found holds for the ledger as it was: when that has changed it goes."""
        if picture.head != self._head:
            self._head, self.found = picture.head, []
            if not self.task.running:
                self.task.text = ""
            self.table.draw((), [])
            self.taken.put(self.declared, self.declared.table([], None))
            self.card.say(words.TO_CHECK)

    def tell(self, found) -> str:
        """List the findings; the sentence that sums them up."""
        self.found = found
        self.table.draw(words.CHECK_HEADINGS, words.findings(found))
        self.taken.put(self.declared, self.declared.table(found, None))
        if self.card.download is not None:
            self.card.download.look()
        return words.checked(found)


class ReportView(pn.viewable.Viewer):
    """The report, to be downloaded."""

    def __init__(self):
        super().__init__()
        self.give = Give(text="Download the report")
        self.card = Card("Report", self.give, help_text=texts.REPORT)

    def show_picture(self, picture: ReleaseResult, model=None):
        """Say what is in it."""
        self.card.say(escape(words.chain(picture)))

    def __panel__(self):
        return self.card.__panel__()
