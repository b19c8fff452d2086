"""Choose a built-in dataset, or bring a file; what was chosen is told to the page, which loads it."""

from collections.abc import Callable, Sequence
from html import escape
from typing import get_args

import panel as pn
import param

from trustscope import datasets
from trustscope.app.desk.wizard import Wizard
from trustscope.app.own import OwnData
from trustscope.app.silence import Silence
from trustscope.datasets import Dataset
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.scenario import OWN, Data, OwnFile, Scenario
from trustscope.scenarios.source import noun_of
from trustscope.scenarios.words import count
from trustscope.widgets.controls.inputs import dropdown
from trustscope.widgets.frame.card import TEXT_CSS

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


def _named(scenario: Scenario) -> str:
    file = scenario.data.file
    return "a file of your own" if file is None else f"your file {file.name} ({count(file.size)} bytes)"


def stands_first(name: str, names: Sequence[str]) -> list[str]:
    """Some names, and this one first where it is among them: what a page asks for already is the likeliest answer."""
    return sorted(names, key=lambda one: one != name)


class Desk(pn.viewable.Viewer):
    """What can be loaded on one page.

    Parameters
    ----------
    own : OwnData
        The visitor's own file, shared by all pages of the session.
    titles : dict of str to str
        The built-in sets of this page: title by name.
    refuse : callable
        Gives a sentence where a file cannot serve on this page, or None if it can.
    secrets : callable, optional
        Gives the columns of a file that attackers may be after on this page, the likeliest first. Without it nobody is
        asked which it is.
    """

    asked = param.String(default="", doc="The name of the data that the person chose.")
    choices = param.Integer(default=0, doc="Counts what the person chose.")

    def __init__(
        self, own: OwnData, titles: dict[str, str], refuse, secrets: Callable[[Dataset], Sequence[str]] | None = None,
        **params,
    ):  # fmt: skip
        super().__init__(**params)
        self.own, self._titles = own, titles
        self.dataset: Dataset | None = None
        self._silence = Silence()
        self.select = dropdown("Dataset", self._options())
        self.select.param.watch(self._picked, "value")
        self.about = pn.pane.HTML("", stylesheets=[TEXT_CSS], sizing_mode="stretch_width", margin=(4, 0, 6, 0))
        self.wizard = Wizard(own, refuse, secrets)
        self.wizard.param.watch(lambda event: self._ask(OWN), "accepted")
        own.param.watch(lambda event: self._offer(), "dataset")

    @property
    def title(self) -> str:
        """What is loaded, in a word or two."""
        if self.dataset is None:
            return ""
        return self._titles.get(self.dataset.name, self.dataset.title)

    @property
    def numeric(self) -> tuple[str, ...]:
        """The numeric columns of what is loaded."""
        return () if self.dataset is None else self.dataset.numeric

    @property
    def noun(self) -> str:
        """What a row of it stands for."""
        return "records" if self.dataset is None else noun_of(self.dataset)

    def fetch(self, scenario: Scenario) -> Dataset:
        """The data that a scenario names; called in a thread."""
        if scenario.data.name != OWN:
            return datasets.built_in(scenario.data.name)
        if self.own.dataset is None:
            sentence = f"This needs {_named(scenario)}: drop it under Data, then the page goes on."
            raise Unusable("This page waits for your file.", sentence)
        wanted, here = scenario.data.file, self.own.dataset.origin
        if wanted is not None and wanted.digest != here.digest:
            raise Unusable(
                "This was made with another file.",
                f"It needs {_named(scenario)}, and here is {here.name}, {count(here.size or 0)} bytes. "
                "Drop the right one, or choose yours under Data to go on with it.",
            )
        return self.own.dataset

    def data(self, kind: type[Data], name: str) -> Data:
        """What a scenario says of the data with this name: of a person's own file enough to recognise it."""
        if name != OWN or self.own.dataset is None:
            return kind(name=name)
        here = self.own.dataset.origin
        file = OwnFile(name=here.name, size=here.size or 0, digest=here.digest or "")
        return kind(name=OWN, file=file, **self._prepared(kind))

    def secret(self, data: Data) -> str:
        """The column of these data that attackers are after, where their owner has said it; empty otherwise."""
        return self.own.secret if data.name == OWN else ""

    def _prepared(self, kind: type[Data]) -> dict:
        """What was ticked when the file was taken in, as far as this page can do it."""
        field = kind.model_fields.get("preparation")
        if field is None:
            return {}
        (step, _) = get_args(field.annotation)
        possible = get_args(step.model_fields["action"].annotation)
        ticked = [one for one in self.wizard.preparation if one.action in possible]
        return {"preparation": tuple(step(**one.model_dump()) for one in ticked)}

    def load(self, dataset: Dataset, name: str, more: str = "") -> None:
        """Show what is loaded; `more` is HTML that follows the number of rows."""
        self.dataset = dataset
        with self._silence:
            self.select.param.update(options=self._options(), value=name)
        facts = (dataset.title, *dataset.notes, dataset.source, f"Licence: {dataset.licence}")
        told = "".join(f"<p>{escape(text)}</p>" for text in facts)
        about = f"<details><summary>about these data</summary>{told}</details>"
        self.about.object = f"<p><b>{count(dataset.rows)}</b> rows. {more}</p>{about}"

    def _options(self) -> dict[str, str]:
        own = {} if self.own.dataset is None else {f"Your file: {self.own.dataset.title}": OWN}
        return own | {title: name for name, title in self._titles.items()}

    def _offer(self) -> None:
        with self._silence:
            self.select.options = self._options()

    def _picked(self, event) -> None:
        if not self._silence:
            self.wizard.close()
            self._ask(event.new)

    def _ask(self, name: str) -> None:
        self.asked = name
        self.choices += 1

    def __panel__(self):
        return pn.Column(
            self.select, self.about, self.wizard.dropper, self.wizard.limits, sizing_mode="stretch_width", margin=0
        )
