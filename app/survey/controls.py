"""The controls of the Survey dashboard, and the settings that they stand for."""

import panel as pn
import param

from trustscope import colours
from trustscope.scenarios.survey.settings import MINERS, Part, Settings
from trustscope.scenarios.survey.words import CHECK_WORDS, DIRECTION_WORDS, MINER_WORDS, ORDER_WORDS, RIVAL_WORDS
from trustscope.widgets.card import TEXT_CSS, heading
from trustscope.widgets.choice import Choice, Choices
from trustscope.widgets.inputs import dropdown
from trustscope.widgets.mixer import Mixer
from trustscope.widgets.slider import Slider

# Shares as found among Internet users in 1999, and what each accepts at first.
KINDS = (("fundamentalists", 17, 1), ("pragmatists", 56, 3), ("marginally concerned", 27, 9))
START = tuple(
    Part(name, colour, weight, level) for (name, weight, level), colour in zip(KINDS, colours.KINDS, strict=True)
)
LEVELS = [[0, "nothing"], [1, "1"], [2, "2"], [3, "3"], [5, "5"], [7, "7"], [9, "9"], [12, "12"], [-1, "anything"]]
MUS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5)
INTERVALS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class Controls(pn.viewable.Viewer):
    """`live` counts every movement, `settled` every change that was let go."""

    live = param.Integer(default=0, doc="Counts movements.")
    settled = param.Integer(default=0, doc="Counts settled changes.")

    def __init__(self, **params):
        super().__init__(**params)
        self.mixer = Mixer(value=START, levels=LEVELS, noun="Follow")
        self.mu = Slider(
            label="Leave out below this share of the strongest", start=0, end=len(MUS) - 1, step=1, value=5
        )
        self.every = Slider(label="New guidance after", start=0, end=len(INTERVALS) - 1, step=1, value=4)
        self.order = Choice(
            label="Order of the directions", value="magnitude", label_shown=True,
            options=[(name, text, tip) for name, (text, tip) in ORDER_WORDS.items()],
        )  # fmt: skip
        self.miner = Choice(
            label="The miner", value="honest",
            options=[(name, text, tip) for name, (text, tip) in MINER_WORDS.items()],
        )  # fmt: skip
        self.target = dropdown("The one question to watch", {"": 0}, value=0)
        self.toggles = Choices(
            label="Also", value=[],
            options=[("check", "extra check", CHECK_WORDS), ("rival", "randomisation beside it", RIVAL_WORDS)],
        )  # fmt: skip
        self._miner_words = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(3, 0, 4, 0))
        self._kinds_words = pn.pane.HTML(
            f"<p>{DIRECTION_WORDS}</p>", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(0, 0, 4, 0)
        )
        self._quiet = False
        self._wire()
        self._readouts()

    def _wire(self):
        self.mixer.param.watch(self._moved, "value")
        self.mixer.param.watch(self._let_go, "settled")
        for slider in (self.mu, self.every):
            slider.param.watch(self._moved, "value")
            slider.param.watch(self._let_go, "value_throttled")
        for choice in (self.order, self.miner, self.target, self.toggles):
            choice.param.watch(self._changed, "value")

    def _moved(self, event):
        self._readouts()
        if not self._quiet:
            self.live += 1

    def _let_go(self, event):
        if not self._quiet:
            self.settled += 1

    def _changed(self, event):
        self._readouts()
        if not self._quiet:
            self.live += 1
            self.settled += 1

    # State

    def settings(self) -> Settings:
        """What all controls say."""
        return Settings(
            parts=self.mixer.value,
            mu=MUS[int(self.mu.value)],
            update_every=INTERVALS[int(self.every.value)],
            order=self.order.value,
            miner=self.miner.value,
            target=int(self.target.value or 0),
            extra_check="check" in self.toggles.value,
        )

    @property
    def rival(self) -> bool:
        """Whether the randomisation is shown."""
        return "rival" in self.toggles.value

    def ask(self, questions, first: int = 0):
        """Other questions."""
        self._quiet = True
        options = {f"{number + 1}. {question}": number for number, question in enumerate(questions)}
        self.target.param.update(options=options, value=first)
        self._quiet = False

    def _readouts(self):
        mu, every = MUS[int(self.mu.value)], INTERVALS[int(self.every.value)]
        self.mu.readout = f"{100 * mu:g} %"
        self.mu.tip = "mu in the paper, which takes 15 % as a rule of thumb and 2.5 % where errors must be small"
        self.every.readout = f"{every} answer" if every == 1 else f"{every} answers"
        self._miner_words.object = f"<p>{MINER_WORDS[self.miner.value][1]}</p>"

    # Layout

    def __panel__(self):
        return pn.Column(
            heading("Respondents"),
            self._kinds_words,
            self.mixer,
            heading("Guidance"),
            self.mu,
            self.every,
            self.order,
            heading("The miner"),
            self.miner,
            self._miner_words,
            self.target,
            self.toggles,
            sizing_mode="stretch_width",
            margin=0,
        )


assert set(MINER_WORDS) == set(MINERS)
