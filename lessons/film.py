"""The figures of the film where the app opens: one person's value, as ever more copies of it are pooled."""

from dataclasses import dataclass
from functools import cache

from trustscope.scenarios.coalition import Recipient
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.result import Belief
from trustscope.scenarios.trust.scenario import TrustScenario

# As the page Trust opens, six recipients and independent noise; a bell curve is what people know.
SCENARIO = TrustScenario().replace({"settings.attackers": ("perfect",)})


@dataclass(frozen=True)
class FilmFigures:
    """The truth, who holds a copy, and by scheme what is believed with one copy, with two, and so on.

    `attribute` is what is believed of, and `unit` what it is counted in.
    """

    truth: float
    recipients: tuple[Recipient, ...]
    beliefs: dict[str, tuple[Belief, ...]]
    attribute: str
    unit: str


@cache
def film() -> FilmFigures:
    """The figures of the film; it takes a second when it is first asked for."""
    model = load(fetch(SCENARIO), SCENARIO)
    scenario = model.fit_to_data(SCENARIO)
    who = tuple(sorted(scenario.settings.recipients, key=lambda r: -r.trust))
    beliefs, truth = {}, 0.0
    for scheme in ("independent", "nested"):
        pooled = []
        for number in range(1, len(who) + 1):
            members = tuple(r.replace({"member": place < number}) for place, r in enumerate(who))
            person = model.person(scenario.replace({"settings.recipients": members, "settings.scheme": scheme}))
            if person is not None and person.together is not None:  # the scenario names one, and members
                truth = person.truth
                pooled.append(person.together)
        beliefs[scheme] = tuple(pooled)
    attribute = scenario.settings.attribute
    return FilmFigures(truth, who, beliefs, attribute, model.population.unit_names.get(attribute, ""))
