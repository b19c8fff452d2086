"""What all studies have in common: data, a scenario that fits them, and everything that can be asked of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, Self

import pandas as pd
import param

from trustscope.extras import require
from trustscope.scenarios import files, pages, stored
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.link import query_of
from trustscope.scenarios.memo import Memo
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Loaded, Whole
from trustscope.study import cell
from trustscope.study.channel import warn_unheard
from trustscope.study.parts import Part, ScenarioPart
from trustscope.study.patience import notice_if_slow
from trustscope.study.plotting import Plots
from trustscope.study.problem import StudyProblem
from trustscope.study.source import Source, source_for

MODELS, WORKED = 3, 8  # models and worked-out scenarios that a study remembers
AnyScenario = Any  # one of the study's own page, whose parts are read by their names
ADDRESS = "http://127.0.0.1:5006"  # where `trustscope` serves unless it is told otherwise


class BaseStudy(param.Parameterized):
    """A handle on a scenario: what is set on it stands in `scenario`, and everything is worked out from there.

    Copies and figures are keyed by `random_state`, so that everybody who has the scenario sees the same. Such copies
    are for looking at, and protect nothing: `ts.Ledger` makes real ones.
    """

    page: ClassVar[str] = ""
    paths: ClassVar[dict[str, str]] = {}  # of every part: where it stands in the scenario
    begun = False  # whether there is a scenario
    telling = False  # whether watchers are being told of what has changed

    scenario = ScenarioPart(class_=Scenario, doc="What stands, as a plain value that can be saved and sent.")

    def __init__(self, source: Source, scenario: AnyScenario, **parts: Any):
        super().__init__()
        self._source = source
        self._models, self._worked = self.__dict__.get("_models") or Memo(MODELS), Memo(WORKED)
        self.scenario = self._with(scenario, parts)
        self.begun = True
        self._tell()
        self.param.watch(lambda event: self._tell(), "scenario")

    @classmethod
    def from_scenario(cls, scenario: Scenario | str | Path, data: Any = None) -> Self:
        """A study of a scenario, or of a file that holds one.

        Parameters
        ----------
        scenario : Scenario, str or path
        data : table, path or Dataset, optional
            The person's own data, where the scenario was made with some.
        """
        found: AnyScenario = scenario if isinstance(scenario, Scenario) else stored.read(scenario)
        kind = cls._for_page(found.page)
        source = source_for(found, data)
        study = kind.__new__(kind)
        BaseStudy.__init__(study, source, found)
        return study

    @classmethod
    def _for_page(cls, page: str) -> type[Self]:
        """The kind of study that a page's scenarios have."""
        if page != cls.page:
            raise StudyProblem(f"This scenario is of the page {page}, and {cls.__name__} is for {cls.page}.")
        return cls

    # The scenario and its parts

    def fit_to_data(self, scenario: AnyScenario) -> AnyScenario:
        """The scenario as far as it fits the data; whoever is looked at is chosen when the picture is made."""
        if scenario.page != self.page:
            raise StudyProblem(f"This scenario is of the page {scenario.page}, and this study is of {self.page}.")
        made = self._loaded(scenario).model.fit_to_data(scenario)
        person = getattr(scenario.view, "person", None)
        return made.replace({"view.person": None}) if hasattr(made.view, "person") and person is None else made

    def part(self, name: str) -> Any:
        """A part of the scenario by its name here."""
        return self.scenario.at(self.paths[name])

    def put(self, scenario: AnyScenario, name: str, value: Any) -> AnyScenario:
        """The scenario with another part; a sentence where it cannot have that value."""
        return scenario.replace({self.paths[name]: value})

    def change(self, **parts: Any) -> Self:
        """Change several parts at once: ``study.change(scheme="nested", within=5)``."""
        self.scenario = self._with(self.scenario, parts)
        return self

    def replace(self, **parts: Any) -> Self:
        """Another study of the same data with other parts: ``study.replace(scheme="independent")``."""
        other = type(self).__new__(type(self))
        other.__dict__["_models"] = self._models  # models are values: what attackers learned on one serves both
        BaseStudy.__init__(other, self._source, self.scenario, **parts)
        return other

    def having(self, **parts: Any) -> Self:
        """The former name of `replace`."""
        warnings.warn("`having` is called `replace` now.", DeprecationWarning, stacklevel=2)
        return self.replace(**parts)

    def __copy__(self) -> Self:
        return self.replace()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.replace()

    def __reduce__(self) -> Any:
        """Data and scenario are all that it is: models are worked out anew, and watchers stay where they are."""
        return _again, (type(self), self._source, self.scenario)

    def _with(self, scenario: AnyScenario, parts: dict[str, Any]) -> AnyScenario:
        for name in parts:
            if name not in self.paths:
                raise StudyProblem(f"A study has no part called {name!r}.{self._meant(name)}")
        for name in self.paths:  # in their own order, whatever the order of the words
            if name in parts:
                scenario = self.put(scenario, name, parts[name])
        return scenario

    def _tell(self) -> None:
        """Tell whoever watches single parts what has changed; what they do then is a change of its own."""
        with param.parameterized.batch_call_watchers(self), self._told():
            for name in self._parts():
                setattr(self, name, self.plain(name))

    @contextmanager
    def _told(self) -> Iterator[None]:
        self.telling = True
        try:
            yield
        finally:
            self.telling = False

    def plain(self, name: str) -> Any:
        """A part as a value that can be compared with another one."""
        return self.part(name)

    @classmethod
    def _parts(cls) -> list[str]:
        return [name for name in cls.param if isinstance(cls.param[name], Part)]

    def __setattr__(self, name: str, value: Any) -> None:
        if self.begun and not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(f"A study has no part called {name!r}.{self._meant(name)}")
        super().__setattr__(name, value)

    def _meant(self, name: str) -> str:
        known = [*self.paths, "scenario"]
        close = get_close_matches(name, known, n=1)
        return f" Did you mean {close[0]!r}?" if close else f" There are {', '.join(known)}."

    # Working it out

    def _loaded(self, scenario: AnyScenario) -> Loaded:
        """Data and model of a scenario; models are remembered, because attackers learn on them for a while."""
        work = pages.work_of(scenario)
        made = self._models(self._model_key(scenario), lambda: work.make_model(scenario, self._source.own))
        return Loaded(made.data, self._seeded(made.model, scenario))

    def _model_key(self, scenario: AnyScenario) -> Any:
        return scenario.model_key

    def _seeded(self, model: Any, scenario: AnyScenario) -> Any:
        return model

    @property
    def _model(self) -> Any:
        return self._loaded(self.scenario).model

    def _whole(self, scenario: AnyScenario | None = None) -> Whole:
        """The scenario, or another one, over all rows."""
        scenario = scenario or self.scenario

        def make() -> Whole:
            loaded = self._loaded(scenario)
            with notice_if_slow(loaded.data.rows) if self._source.own is not None else nullcontext():
                made: Whole = pages.work_of(scenario).whole(scenario, self._source.own, loaded=loaded)
            return made

        found: Whole = self._worked(scenario, make)
        return found

    def figures(self) -> Metrics:
        """All figures and tables of the page, over all rows: those that `trustscope run` prints."""
        found: Metrics = pages.work_of(self.scenario).metrics_of(self._whole())
        return found

    @property
    def verdict(self) -> str:
        """The headline in a sentence."""
        return self.figures().verdict

    def table(self, card: str) -> pd.DataFrame:
        """The figures of a card of the page, by its key: those that `plot` draws."""
        return self.card_table(card)

    def card_table(self, key: str, **view: Any) -> pd.DataFrame:
        """The table of a card; `view` says how it is looked at."""
        declared = cards_of(self.page)
        if key not in declared:
            raise StudyProblem(f"There is no card called {key!r}; there are {', '.join(declared)}.")
        scenario = self._viewed(key, view)
        return declared[key].table(self.picture_of(key, scenario), self._loaded(scenario).model)

    def picture_of(self, key: str, scenario: AnyScenario) -> Any:
        """What the table of a card is made from."""
        return self._whole(scenario).picture

    def _viewed(self, key: str, view: dict[str, Any]) -> AnyScenario:
        """The scenario, looked at in another way."""
        if not view:
            return self.scenario
        inner = f"{key}." if hasattr(self.scenario.view, key) and key not in ("person",) else ""
        try:
            return self.fit_to_data(
                self.scenario.replace({f"view.{inner}{name}": value for name, value in view.items()})
            )
        except AttributeError:
            part = self.scenario.view.at(key) if inner else self.scenario.view
            raise StudyProblem(
                f"{', '.join(view)} is no way to look at {key}; there are {', '.join(type(part).model_fields)}."
            ) from None

    @property
    def plot(self) -> Plots:
        """The plots of the page's cards: ``study.plot.coalitions()``; ``dir(study.plot)`` lists them."""
        return Plots(self)

    # Taking it along

    def link(self, address: str = ADDRESS) -> str:
        """The address at which an app that runs at `address` shows this scenario."""
        return f"{address.rstrip('/')}/?{query_of(self.scenario)}"

    def report(self, path: str | Path) -> Path:
        """Write a report with every figure and plot, which holds no record of the data.

        It is one HTML file, or if the name ends with .pdf it is printed by the Chromium, Chrome or Edge that is there.
        """
        from trustscope.handouts.report import report

        if files.ending_of(path, files.REPORT, "a report") != ".pdf":
            return _written(path, report(self.scenario, own=self._source.own))
        from trustscope.app.desktop import printing

        printing.found_browser()  # before all is worked out
        return _written(path, printing.pdf(report(self.scenario, own=self._source.own)))

    def slides(self, path: str | Path) -> Path:
        """Write slides that tell the scenario: one HTML file, or a deck for PowerPoint if the name ends with .pptx."""
        if files.ending_of(path, files.DECK, "a deck") == ".pptx":
            from trustscope.handouts.report.powerpoint import powerpoint

            return _written(path, powerpoint([self.scenario], own=self._source.own))
        from trustscope.handouts.report import slides

        return _written(path, slides([self.scenario], own=self._source.own))

    def explorable(
        self, path: str | Path, *, controls: Sequence[str] = (), cards: Sequence[str] = (), title: str = "",
        address: str = "",
    ) -> Path:  # fmt: skip
        """Write one HTML file in which a reader moves up to three controls, without a server.

        Parameters
        ----------
        path : str or path
        controls : sequence of str
            What is moved, such as "pool", "scheme", "trust:Press" or "trust:Press=10,30,50".
        cards : sequence of str
            What is shown, "headline" among them; by default what the page opens with.
        title : str
            What stands above it.
        address : str
            Where an app runs in which readers can open the scenario.
        """
        from trustscope.app.explorable import explorable

        files.ending_of(path, files.PAGE, "an explorable")
        made = explorable(
            self.scenario, controls=controls, cards=cards, title=title, address=address, own=self._source.own
        )
        return _written(path, made)

    def film(self, path: str | Path, *, title: str = "") -> Path:
        """Write a moving picture: recipients pool one after the other, a belief narrows, the scheme is switched.

        Parameters
        ----------
        path : str or path
            Whose ending says what it is: .apng, .gif, or .webm where ffmpeg is installed.
        title : str
            What stands above it.
        """
        from trustscope.handouts.film import film

        files.check_folder(Path(path))  # before the work
        return _written(path, film(self.scenario, Path(path).suffix.lower(), title=title, own=self._source.own))

    def save_data(self, path: str | Path) -> Path:
        """Write the table that came in as a Parquet file, with which the app and the commands open the scenario."""
        return self._source.save(path)

    def dashboard(self) -> Any:
        """The page of the app, to be shown in a cell. What is set there stands in the study when it is let go."""
        require("app")
        from trustscope.app.own import OwnData
        from trustscope.app.pages import PAGES

        warn_unheard()
        shown = PAGES[self.page].kind()(scenario=self.scenario, own=OwnData(dataset=self._source.own))
        shown.param.watch(lambda event: self._follow(event.new), "settled")
        return shown

    def explore(self) -> Any:
        """Sliders beside the pictures, to be shown in a cell. What is moved there stands in the study at once.

        Panel's extension of JupyterLab carries it, or ipywidgets where that is missing; no server is needed.
        """
        from trustscope.study.exploring import explore

        return explore(self)

    def _follow(self, scenario: AnyScenario) -> None:
        """The scenario of a page that shows the same data."""
        if (scenario.data.name, scenario.data.file) == (self.scenario.data.name, self.scenario.data.file):
            self.scenario = scenario

    # In a cell

    def __str__(self) -> str:
        return repr(self)  # Param would print the name that it gives to every object

    def _repr_html_(self) -> str:
        return cell.study(self)


def _again(kind: type[BaseStudy], source: Source, scenario: AnyScenario) -> BaseStudy:
    """A study that was pickled."""
    made = kind.__new__(kind)
    BaseStudy.__init__(made, source, scenario)
    return made


def _written(path: str | Path, text: str | bytes) -> Path:
    path = Path(path)
    files.write(path, text)
    return path
