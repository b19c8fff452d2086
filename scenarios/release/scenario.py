"""What stands on the Release page: which ledger, the request that is considered, and what is looked at.

A scenario names a ledger and never where it lies; it holds no passphrase, no key and nothing of the data.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from trustscope.scenarios.coalition import MOST, Recipient
from trustscope.scenarios.scenario import Data, Scenario
from trustscope.scenarios.value import Value, spelled

LEAST_TRUST, MOST_TRUST = 0.1, 99.9  # per cent: at 0 a copy tells nothing, at 100 it hides nothing
USUAL_TRUST = 50.0  # per cent: where the sliders stand when nothing is said
USUAL_RETENTION = 30.0
FORMS = {"parquet": "Parquet", "csv": "CSV"}
LEDGER = r"^([^./\\\x00-\x1f][^/\\\x00-\x1f]*)?$"  # a name and never a path
NO_LEDGER = (
    "a ledger is called by its name, without a slash and without a dot at its beginning; choose one that is listed"
)
REHEARSED = "census"  # the built-in dataset that a rehearsal begins with


class ReleaseData(Data):
    """Which ledger.

    Attributes
    ----------
    name : str
        The built-in dataset of a rehearsal.
    ledger : str
        The name of a ledger in the server's folder; empty: a rehearsal.
    """

    name: str = Field(default=REHEARSED, max_length=64)
    # What the folder does not list is refused where it is opened, too.
    ledger: Annotated[
        str, Field(max_length=100, json_schema_extra={"pattern": LEDGER}), AfterValidator(spelled(LEDGER, NO_LEDGER))
    ] = ""


class Request(Value):
    """One copy that somebody asks for.

    Attributes
    ----------
    to : str
        The recipient; empty: nothing is asked for.
    trust, retention : float or None
        In per cent, of numbers and of categories; None: the usual one, or the ledger has no such columns.
    purpose, contact : str
        What for, and whom to ask about it; empty: what the rules say.
    until : str
        The last day of its use, YYYY-MM-DD; empty: what the rules say.
    """

    to: str = Field(default="", max_length=60)
    trust: float | None = Field(default=None, ge=LEAST_TRUST, le=MOST_TRUST)
    retention: float | None = Field(default=None, ge=LEAST_TRUST, le=MOST_TRUST)
    purpose: str = Field(default="", max_length=200)
    contact: str = Field(default="", max_length=200)
    until: str = Field(default="", max_length=10)


class Carried(Value):
    """Where the requests come from, if another page sent them.

    Attributes
    ----------
    scheme : str
        How the copies hung together there; empty: the requests were made here.
    originals : tuple of str
        Recipients who were fully trusted there: no copy is made for them.
    own : bool
        Whether the data there were a person's own file.
    order : tuple of str
        Recipients, the most trusted first, where their order was to be kept: the ledger then keeps it too.
    """

    scheme: str = Field(default="", max_length=48)
    originals: tuple[str, ...] = Field(default=(), max_length=MOST)
    own: bool = False
    order: tuple[str, ...] = Field(default=(), max_length=MOST)


class Settings(Value):
    """The request that is considered, and those that wait.

    Attributes
    ----------
    request : Request
    waiting : tuple of Request
        To be considered afterwards, one after the other.
    carried : Carried
    by, group : str
        Who issues (empty: the account that the server runs under), and the group of the rules that the recipient is in.
    form : str
        What the file is written as.
    """

    request: Request = Request()
    waiting: tuple[Request, ...] = Field(default=(), max_length=MOST)
    carried: Carried = Carried()
    by: str = Field(default="", max_length=60)
    group: str = Field(default="", max_length=60)
    form: Literal["parquet", "csv"] = "parquet"


class View(Value):
    """What is looked at.

    Attributes
    ----------
    measure : str
        What the coalitions are measured by: what they know of numbers, or of categories.
    closer : str
        The view that is open under "Look closer"; empty: none.
    """

    measure: Literal["numbers", "categories"] = "numbers"
    closer: Literal[
        "", "copies", "coalitions", "before", "history", "check", "report", "rules", "found", "rows", "key"
    ] = "copies"  # fmt: skip


class ReleaseScenario(Scenario):
    """The state of the Release page."""

    page: ClassVar[str] = "release"

    data: ReleaseData = ReleaseData()
    settings: Settings = Settings()
    view: View = View()

    def fit_to_ledger(self, *, numbers: bool, categories: bool) -> "ReleaseScenario":
        """The scenario for a ledger that has numbers, or categories, or both: what it has not is left out."""

        def fit(request: Request) -> Request:
            return request.replace({
                "trust": (request.trust or USUAL_TRUST) if numbers else None,
                "retention": (request.retention or USUAL_RETENTION) if categories else None,
            })  # fmt: skip

        measure = self.view.measure if numbers and categories else "numbers" if numbers else "categories"
        return self.replace({
            "settings.request": fit(self.settings.request),
            "settings.waiting": tuple(fit(one) for one in self.settings.waiting),
            "view.measure": measure,
        })  # fmt: skip

    def next_request(self) -> "ReleaseScenario":
        """The scenario when the request is done with: the next one of those that wait, or none."""
        waiting = self.settings.waiting
        kept = self.settings.request.replace({"to": "", "purpose": "", "contact": ""})
        changes = {"settings.request": waiting[0] if waiting else kept, "settings.waiting": waiting[1:]}
        return self.replace(changes if waiting else changes | {"settings.carried": Carried()})


def carried_over(
    recipients: Sequence[Recipient], *, scheme: str, dataset: str | None, what: str = "trust", keep_order: bool = False
) -> dict[str, Any]:
    """What to change on the Release page so that copies of another page are made there.

    Parameters
    ----------
    recipients : sequence of Recipient
    scheme : how the copies hang together there
    dataset : the built-in dataset there; None: a person's own file
    what : "trust" or "retention": what the recipients' per cent mean
    keep_order : whether who is trusted more must get the better copy; those with equal trust have no order
    """
    asked = tuple(
        Request.model_validate({"to": one.name, what: float(one.trust)}) for one in recipients if one.trust < 100
    )
    trusts = [one.trust for one in recipients]
    ranked = sorted((one for one in recipients if trusts.count(one.trust) == 1), key=lambda one: -one.trust)
    order = tuple(one.name for one in ranked) if keep_order and len(ranked) > 1 else ()
    changes = {
        "settings.request": asked[0] if asked else Request(),
        "settings.waiting": asked[1:],
        "settings.carried": Carried(
            scheme=scheme,
            originals=tuple(one.name for one in recipients if one.trust >= 100),
            own=dataset is None,
            order=order,
        ),
    }
    return changes if dataset is None else changes | {"data.name": dataset}
