"""The controls of the Release page: which ledger, the request, the answer of the rules, and the button."""

from html import escape

import panel as pn

from trustscope.app.controls import Controls, Field, slider
from trustscope.app.desk import TITLES
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.release.creating import user
from trustscope.scenarios.release import words
from trustscope.scenarios.release.scenario import (
    FORMS,
    LEAST_TRUST,
    MOST_TRUST,
    USUAL_RETENTION,
    USUAL_TRUST,
    ReleaseScenario,
)
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.inputs import dropdown, textbox
from trustscope.widgets.controls.secret import Secret
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import TEXT_CSS, heading
from trustscope.widgets.frame.fold import Fold

REHEARSAL = "a rehearsal"
TONES_CSS = "p.good { color: var(--ts-good, #0f7490); } p.bad { color: var(--ts-bad, #c43b10); }"
FORM_TIPS = {"parquet": "Small, with the types of the columns", "csv": "Text that every program reads"}


def _line() -> pn.pane.HTML:
    return pn.pane.HTML("", stylesheets=[TEXT_CSS, TONES_CSS], sizing_mode="stretch_width", margin=(3, 0, 6, 0))


def _text(path: str, widget, most: int) -> Field:
    return Field(path, widget, read=lambda text: (text or "")[:most])


def _percent(value: float) -> float:
    return round(float(value), 1)


class ReleaseControls(Controls):
    """The table of fields, and what the lines say.

    Parameters
    ----------
    scenario : what to open
    ledgers : names of the ledgers that can be opened
    """

    def __init__(self, scenario: ReleaseScenario, ledgers: list[str]):
        self.opened = None
        self._make_widgets(ledgers)
        self._lay_out()
        super().__init__(self._fields(), scenario)

    def _make_widgets(self, ledgers):
        self.ledger = dropdown("Ledger", {REHEARSAL: "", **{name: name for name in ledgers}})
        self.ledger.visible = bool(ledgers)
        self._how = pn.pane.HTML(f"<p>{escape(words.HOW)}</p>", stylesheets=[TEXT_CSS], margin=(6, 0, 0, 0))
        self.rehearsed = dropdown("Data of the rehearsal", {title: name for name, title in (EXAMPLES | TITLES).items()})
        self.to = textbox("Recipient", "", max_length=60, placeholder="who gets it")
        self.trust = Slider(
            label="Trust, of numbers", start=LEAST_TRUST, end=MOST_TRUST, step=0.1, value=USUAL_TRUST, readout="%"
        )
        self.retention = Slider(
            label="Retention, of categories", start=LEAST_TRUST, end=MOST_TRUST, step=0.1, value=USUAL_RETENTION,
            readout="%",
        )  # fmt: skip
        self.purpose = textbox("Purpose", "", max_length=200, placeholder="what for")
        self.contact = textbox("Contact", "", max_length=200, placeholder="whom to ask about it")
        self.until = textbox("Last day of its use", "", max_length=10, placeholder="2027-12-31")
        self.by = textbox("Issued by", "", max_length=60, placeholder="your name")
        self.group = textbox("Group of the rules", "", max_length=60)
        self.form = Choice(
            label="Written as", label_shown=True, margin=(4, 0, 0, 0),
            options=[(name, text, FORM_TIPS[name]) for name, text in FORMS.items()],
        )  # fmt: skip
        self.secret = Secret(label="Passphrase of the ledger's key", margin=(0, 0, 8, 0), visible=False)
        self.make = Task(
            label="The copy", start_text="Make the copy", stop_text="Cancel", disabled=True, primary=True, bare=True
        )
        self.skip = Action(text="Leave this one out", margin=(0, 0, 8, 0), visible=False)
        self.answer, self._waiting, self.carried = _line(), _line(), _line()

    def _fields(self):
        yield Field("data.ledger", self.ledger)
        yield Field("data.name", self.rehearsed)
        yield _text("settings.request.to", self.to, 60)
        yield slider("settings.request.trust", self.trust, read=self._trust, write=lambda v: v or USUAL_TRUST)
        yield slider(
            "settings.request.retention", self.retention, read=self._retention, write=lambda v: v or USUAL_RETENTION
        )
        yield _text("settings.request.purpose", self.purpose, 200)
        yield _text("settings.request.contact", self.contact, 200)
        yield _text("settings.request.until", self.until, 10)
        yield _text("settings.by", self.by, 60)
        yield _text("settings.group", self.group, 60)
        yield Field("settings.form", self.form)

    def _trust(self, value):
        return _percent(value) if self.trust.visible else None

    def _retention(self, value):
        return _percent(value) if self.retention.visible else None

    # What is said

    def load(self, opened):
        """Another ledger."""
        self.opened = opened

    def describe(self, scenario):
        settings, opened = scenario.settings, self.opened
        known = list(self.ledger.options.values())
        if scenario.data.ledger not in known:  # a link may name one that is not there; the headline says so
            self.ledger.options = {**self.ledger.options, scenario.data.ledger: scenario.data.ledger}
        if scenario.data.name not in self.rehearsed.options.values():
            self.rehearsed.options = {**self.rehearsed.options, scenario.data.name: scenario.data.name}
        self.rehearsed.visible = not scenario.data.ledger
        said = words.carried(settings.carried)
        self.carried.object = f"<p>{escape(said)}</p>" if said else ""
        said = words.waiting(settings.waiting)
        self._waiting.object = f"<p>{escape(said)}</p>" if said else ""
        self.carried.visible, self._waiting.visible = bool(self.carried.object), bool(said)
        self.skip.visible = bool(settings.waiting)
        self.more_fold.line = f"{words.issuer(settings.by, user())}, as {FORMS[settings.form]}"
        if opened is not None:
            self.trust.visible, self.retention.visible = bool(opened.numbers), bool(opened.categories)
            self.secret.visible = opened.locked

    def say(self, picture):
        """Show the answer of the rules, and offer the button where they allow it."""
        text, tone = words.answer(picture.considered)
        marked = f'<p role="status" class="{tone}">{escape(text)}</p>'
        if marked != self.answer.object:
            self.answer.object = marked
        asked = picture.considered
        self.make.disabled = asked is None or not asked.allowed or bool(picture.withdrawn)
        self.data_fold.line = words.data_line(picture)

    def close(self):
        """There is no ledger to ask."""
        self.answer.object, self.make.disabled = "", True
        self.data_fold.line = "no ledger is open"

    # Layout

    def _lay_out(self):
        self.data_fold = Fold("Ledger", self.ledger, self.rehearsed, self._how, line="on its way")
        self.more_fold = Fold("Issuer and file", self.by, self.group, self.form)
        self._layout = self.laid_out({
            "ledger": [self.data_fold],
            "copy": [
                heading("The copy to consider"), self.carried, self.to, self.trust, self.retention, self.purpose,
                self.contact, self.until, self.answer,
            ],
            "make": [self.secret, self.make, self._waiting, self.skip],
            "more": [self.more_fold],
        })  # fmt: skip
