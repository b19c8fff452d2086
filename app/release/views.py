"""What the Release page shows to whoever looks closer; each view is made when it is first opened."""

from html import escape

import panel as pn
import param

from trustscope.app.release import help as texts
from trustscope.scenarios.release import words
from trustscope.scenarios.release.picture import Picture
from trustscope.widgets.card import Card
from trustscope.widgets.give import Give
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.task import Task
from trustscope.widgets.texttable import TextTable


class CopiesView(pn.viewable.Viewer):
    """Every copy: recipient, trust, date, purpose, issuer, digest; and its file."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("Copies that are out")
        self.which = dropdown("Copy", [""])
        self.give = Give(text="Download the file", margin=(18, 0, 0, 12))
        self.said = pn.pane.HTML("", sizing_mode="stretch_width", margin=0)
        self._files = pn.Row(self.which, self.give, sizing_mode="stretch_width", margin=0)
        self.card = Card(
            "Copies that are out", self.table, self._files, self.said, help_text=texts.COPIES, saved=self.table
        )

    def show(self, picture: Picture):
        """List them."""
        self.table.show(words.COPY_HEADINGS if picture.copies else (), words.copies(picture))
        self.card.say(words.COPIES if picture.copies else "None yet.")
        self._files.visible = bool(picture.copies)
        named = {f"{c.to}, {c.describe()}, {words.time(c.time)}, event {c.number}": c.number for c in picture.copies}
        if named and named != self.which.options:
            self.which.param.update(options=named, value=list(named.values())[-1])
        self.say("")

    def say(self, text: str):
        """A sentence below the button."""
        self.said.object = f'<p role="status">{escape(text)}</p>' if text else ""

    def __panel__(self):
        return self.card.__panel__()


class CoalitionsView(pn.viewable.Viewer):
    """Every coalition in figures."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("What every coalition of holders can do with what is out")
        self.card = Card("Every coalition in figures", self.table, help_text=texts.COALITIONS, saved=self.table)

    def show(self, picture: Picture):
        """List them."""
        self.table.show(words.POOL_HEADINGS, words.coalitions(picture))
        self.card.say(escape(words.rules(picture.policy)))

    def __panel__(self):
        return self.card.__panel__()


class HistoryView(pn.viewable.Viewer):
    """Every event."""

    def __init__(self):
        super().__init__()
        self.table = TextTable("Events of the ledger, the latest first")
        self.card = Card("History", self.table, help_text=texts.HISTORY, saved=self.table)

    def show(self, picture: Picture):
        """List them."""
        self.table.show(words.EVENT_HEADINGS, words.events(picture))
        self.card.say(escape(words.chain(picture)))

    def __panel__(self):
        return self.card.__panel__()


class CheckView(pn.viewable.Viewer):
    """A check of everything, on request."""

    found = param.List(default=[], doc="What the last check found.")

    def __init__(self):
        super().__init__()
        self.task = Task(label="The check", start_text="Check everything", stop_text="Cancel", bare=True)
        self.table = TextTable("What was checked")
        self.card = Card("Check", self.task, self.table, help_text=texts.CHECK, saved=self.table)
        self._head = None

    def show(self, picture: Picture):
        """What was found holds for the ledger as it was: when that has changed it goes."""
        if picture.head != self._head:
            self._head, self.found = picture.head, []
            if not self.task.running:
                self.task.text = ""
            self.table.show((), [])
            self.card.say("File, chain, seals, issued files, generator and data.")

    def tell(self, found) -> str:
        """List the findings; the sentence that sums them up."""
        self.found = found
        self.table.show(words.CHECK_HEADINGS, words.findings(found))
        return words.checked(found)

    def __panel__(self):
        return self.card.__panel__()


class ReportView(pn.viewable.Viewer):
    """The report, to be downloaded."""

    def __init__(self):
        super().__init__()
        self.give = Give(text="Download the report")
        self.card = Card("Report", self.give, help_text=texts.REPORT)

    def show(self, picture: Picture):
        """Say what is in it."""
        self.card.say(escape(words.chain(picture)))

    def __panel__(self):
        return self.card.__panel__()
