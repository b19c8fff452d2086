"""The controls of the Categories dashboard, and the settings that they stand for."""

from dataclasses import replace

import panel as pn
import param

from trustscope.engine.measures import amplification
from trustscope.scenarios.categories.settings import PRIORS, Settings
from trustscope.scenarios.categories.words import PRIOR_WORDS, SCHEME_WORDS, choices, gamma
from trustscope.scenarios.coalition import Recipient
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.number import WholeNumber
from trustscope.widgets.recipients import Recipients
from trustscope.widgets.task import Task

START = (Recipient(0, "Alice", 40), Recipient(1, "Bob", 20))  # the paper's example
SCHEMES = [(name, name, sentence) for name, sentence in SCHEME_WORDS.items()]
EVERYBODY = "everybody"
MOST_OFFERED = 200  # values in a drop-down


class Controls(pn.viewable.Viewer):
    """`live` counts every movement, `settled` every change that was let go; `seed` is the key of the copies."""

    live = param.Integer(default=0, doc="Counts movements.")
    settled = param.Integer(default=0, doc="Counts settled changes.")
    seed = param.Integer(default=12, bounds=(0, 2**31 - 1), doc="The secret key of the copies.")

    def __init__(self, **params):
        super().__init__(**params)
        self._size = 10
        self.recipients = Recipients(Recipient, self._detail, value=START, noun="Retention")
        self.scheme = Choice(label="Scheme of the copies", options=SCHEMES, value="nested")
        self.prior = Choice(
            label="What the coalition knows beforehand", value="uniform",
            options=[(name, text, PRIOR_WORDS[name]) for name, text in PRIORS.items()],
        )  # fmt: skip
        self.value = dropdown("Value looked at", {"": 0}, value=0)
        self.seed_box = WholeNumber(label="Seed of the copies", value=self.seed, margin=(0, 0, 8, 0))
        self.generate = Task(label="Copies generated", start_text="Watch them being made", stop_text="Skip")
        self._scheme_words = self._line()
        self._prior_words = self._line()
        self._quiet = False
        self._wire()
        self._readouts()

    @staticmethod
    def _line():
        return pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 0, 0))

    def _detail(self, trust):
        return "original" if trust == 100 else f"odds ×{gamma(float(amplification(trust / 100, self._size)))}"

    def _wire(self):
        self.recipients.param.watch(self._moved, "value")
        self.recipients.param.watch(self._let_go, "settled")
        for choice in (self.scheme, self.prior, self.value):
            choice.param.watch(self._changed, "value")
        self.seed_box.param.watch(lambda e: setattr(self, "seed", e.new), "value")

    # Events

    def _moved(self, event):
        if not self._quiet:
            self.live += 1

    def _let_go(self, event):
        if not self._quiet:
            self.settled += 1

    def _changed(self, event):
        if not self._quiet:
            self._readouts()
            self.live += 1
            self.settled += 1

    def give(self, number: int, trust: int):
        """Set one recipient's retention, as if it had been dragged there."""
        value = tuple(replace(r, trust=trust) if r.number == number else r for r in self.recipients.value)
        self.recipients.value = value
        self.recipients.settled = value

    # State

    def settings(self, column: str | None = None, label: str | None = None) -> Settings:
        """What all controls say; the condition of the count comes from its card."""
        return Settings(
            recipients=self.recipients.value,
            scheme=self.scheme.value,
            prior=self.prior.value,
            value=self.value.value,
            column=column,
            label=label,
        )

    def column(self, column, shares):
        """Other data: this column, with these shares of its values."""
        self._quiet = True
        self._size = column.size
        common = sorted(range(column.size), key=lambda code: -shares[code])[:MOST_OFFERED]
        options = choices({code: column.labels[code] for code in sorted(common)})
        self.value.param.update(options=options, value=next(iter(options.values())))
        self.recipients.param.trigger("value")
        self._readouts()
        self._quiet = False

    def _readouts(self):
        self._scheme_words.object = f"<p>{SCHEME_WORDS[self.scheme.value]}</p>"
        self._prior_words.object = f"<p>{PRIOR_WORDS[self.prior.value]}</p>"

    # Layout

    def __panel__(self):
        return pn.Column(
            self.value,
            heading("Recipients", "(tick: colludes; slider: share kept)"),
            self.recipients,
            heading("Copies"),
            self.scheme,
            self._scheme_words,
            heading("The coalition knows"),
            self.prior,
            self._prior_words,
            heading("Generate"),
            self.seed_box,
            self.generate,
            sizing_mode="stretch_width",
            margin=0,
        )
