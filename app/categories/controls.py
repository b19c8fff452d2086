"""The controls of the Categories page: recipients and copies in sight, everything else as one line that opens."""

from collections.abc import Callable

from trustscope.app.categories.target import CategoriesPurpose
from trustscope.app.controls import Field, slider
from trustscope.app.copies_controls import CopiesControls
from trustscope.app.preparation import PreparationControl
from trustscope.app.target import TargetFold, offer_locks, without_strangers
from trustscope.scenarios.categories import words
from trustscope.scenarios.categories.column import BINS
from trustscope.scenarios.categories.scenario import PRIORS, CategoriesScenario
from trustscope.scenarios.categories.side import attacker_in_words
from trustscope.scenarios.coalition import MOST, NAMES, Recipient
from trustscope.scenarios.preparation import NumberPreparation
from trustscope.scenarios.preparation import words as before
from trustscope.scenarios.words import count, share
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.choice import Choice
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.controls.recipients import Recipients
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import heading, sidebar_text
from trustscope.widgets.frame.fold import Fold

SCHEMES = [(name, name, sentence) for name, sentence in words.SCHEME_WORDS.items()]
KNOWLEDGE = [
    ("sample", "some other people's", "They know the records of other people, not of those who are attacked"),
    ("everybody", "everybody's", "They have all records, but not whose they are: the worst case"),
]
MOST_TICKS = 24  # columns that can be ticked
TRUST_WORDS = "<p>Trust: the share of the values that are kept. The others are drawn at random.</p>"


class CategoriesControls(CopiesControls):
    """The table of fields, and what the lines say.

    `offers` are called with the scenario and the model before controls are set: views say there what can be chosen.
    """

    def __init__(self, scenario: CategoriesScenario, desk):
        self.offers: list[Callable] = []
        super().__init__(scenario, desk)

    def _make_widgets(self):
        self._size = 0
        self._make_shared(
            KNOWLEDGE, "Whose records they know", "Other columns that they know of everybody", "Seed of the copies"
        )
        self.recipients = Recipients(Recipient, self._detail, names=list(NAMES), least=1, most=MOST, step=0.1)
        self.scheme = Choice(label="Copies", options=SCHEMES, joined=True)
        self.column = dropdown("Sensitive column", [""])
        self.bins = Slider(label="Bins for its numbers", start=BINS[0], end=BINS[1], step=1)
        self.preparation = PreparationControl(self._prepare, NumberPreparation, title="Before the bins", noisy=False)
        self.prior = Choice(
            label="Beforehand the attacker knows", label_shown=True,
            options=[(name, text, words.PRIOR_WORDS[name]) for name, text in PRIORS.items()],
        )  # fmt: skip
        self.paper = Action(
            text="Open the paper's example: Alice, Bob and HIV", margin=(8, 0, 4, 0),
            tip="Ten diseases; Alice keeps 40 %, Bob 20 %; nobody knows anything beforehand",
        )  # fmt: skip
        self._prior_words = sidebar_text()
        self.target = TargetFold(CategoriesPurpose(), self.change, self.locked)

    def _detail(self, trust: int) -> str:
        if trust == 100:
            return "original"
        return f"{share(words.stays(trust / 100, self._size))} true" if self._size else ""

    def _fields(self):
        yield from super()._fields()
        yield Field("data.column", self.column, write=lambda name: name or self.column.value)
        yield slider("data.bins", self.bins, read=int)
        yield Field("settings.prior", self.prior)

    def _prepare(self, scenario):
        """A step that was suggested is taken."""
        self.change(self.follow(scenario, "data.preparation"))

    # What else changes

    def follow(self, scenario, path):
        if path.startswith("data."):
            return scenario.replace({"view.person": None, "view.value": "", "view.among": "", "view.label": ""})
        if path == "settings.recipients":
            found = scenario.replace({"view.whose": _same_recipient(self.scenario, scenario)})
            return without_strangers(found)
        if path == "view.among":
            labels = self.model.labels_of(scenario.view.among) if self.model and scenario.view.among else ()
            return scenario.replace({"view.label": next(iter(labels), "")})
        promise = scenario.settings.promise
        if path == "settings.promise.rho1" and promise.rho1 >= promise.rho2:
            return scenario.replace({"settings.promise.rho2": promise.rho1 + 1})
        if path == "settings.promise.rho2" and promise.rho1 >= promise.rho2:
            return scenario.replace({"settings.promise.rho1": promise.rho2 - 1})
        return scenario

    # What is said

    def load(self, model):
        """Other data."""
        self.model = model

    def describe(self, scenario):
        settings, model = scenario.settings, self.model
        self._scheme_words.object = f"<p>{words.SCHEME_WORDS[settings.scheme]}</p>"
        self._prior_words.object = f"<p>{words.PRIOR_WORDS[settings.prior]}</p>"
        self.attack_fold.line = f"somebody who {attacker_in_words(settings)}"
        weighs = settings.prior != "nothing"
        self._describe_knowledge(settings, weighs)
        self.known.visible = weighs and model is not None and len(model.beside) > 0
        if model is None:
            return
        offer_locks(self.locked, settings)
        self.target.describe(scenario, model)
        if model.size != self._size:
            self._size = model.size
            self.recipients.param.trigger("value")  # how often a copy is true depends on the number of values
        data = model.dataset
        options = {name: name for name in data.categorical} | {f"{name}, in bins": name for name in data.numeric}
        if options != self.column.options:
            self.column.options = options
        ticks = [(name, words.short(name), f"They know everybody's {name}") for name in model.beside[:MOST_TICKS]]
        if ticks != self.known.options:
            self.known.options = ticks
        self.bins.visible = self.preparation.visible = scenario.data.column in data.numeric
        self.preparation.load(self.desk.dataset or data, [scenario.data.column] if self.bins.visible else [])
        self.preparation.describe(scenario)
        self.bins.readout = f"{scenario.data.bins} asked for, {count(model.size)} made"
        done = f" · {before.line(scenario.data.preparation)}" if scenario.data.preparation else ""
        self.data_fold.line = (
            f"{self.desk.title}, {count(model.rows)} {model.noun} · {words.short(model.column.name)}, "
            f"{count(model.size)} values{done}"
        )
        for offer in self.offers:
            offer(scenario, model)

    # Layout

    def _lay_out(self):
        self._fold_data(self.column, self.bins, self.preparation, self.paper)
        self.attack_fold = Fold("The attacker", self.prior, self._prior_words, self.known, self.knowledge, self.others)
        self.more_fold = Fold("More", self.seed, self.generate, self.make_copies)
        self.more_fold.line = "seed, watch or make the copies"
        whom = heading("Who gets a copy, and how much they are trusted")
        self._layout = self.laid_out({
            "data": [self.data_fold],
            "recipients": [whom, self.recipients, sidebar_text(TRUST_WORDS)],
            "noise": [heading("Copies"), self.scheme, self._scheme_words],
            "attacker": [self.attack_fold],
            "goal": [self.target],
            "more": [self.more_fold],
        })  # fmt: skip


def _same_recipient(before, after) -> str:
    """The name by which the recipient that was looked at is called now; the first one's where they are gone."""
    number = next((r.number for r in before.settings.recipients if r.name == before.view.whose), None)
    who = after.settings.recipients
    return next((r.name for r in who if r.number == number), who[0].name)
