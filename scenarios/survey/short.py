"""A survey of a few hundred people, run for the sake of its figures."""

from dataclasses import dataclass

from trustscope.scenarios.survey.population import Population
from trustscope.scenarios.survey.run import SurveyRun
from trustscope.scenarios.survey.scenario import FIRST, Settings
from trustscope.scenarios.survey.verdict import guess_in_force
from trustscope.scenarios.words import count

MOST = 2_000  # people who are asked at most


@dataclass(frozen=True)
class Outcome:
    """Where a survey stands: how often the class is found, what is given away, how often the watched answer is
    guessed."""

    accuracy: float
    disclosed: float
    guess: float


def people_asked(arrived: int) -> int:
    """How many are asked: as many as have answered, some, and not too many."""
    return min(arrived or FIRST, MOST)


def asked_in_words(arrived: int) -> str:
    """How many respondents figures are measured on, in a sentence."""
    if arrived > MOST:
        return f"All of it is measured on the first {count(MOST)} respondents."
    return f"After {count(people_asked(arrived))} respondents."


def outcome(people: Population, settings: Settings, seed: int, arrived: int) -> Outcome:
    """The figures after so many people; remembered."""
    return outcomes(people, settings, seed, (arrived,))[0]


def outcomes(people: Population, settings: Settings, seed: int, places: tuple[int, ...]) -> tuple[Outcome, ...]:
    """The figures after ever more people, in one survey; remembered."""
    settings = settings.replace({"rival": False})

    def make() -> tuple[Outcome, ...]:
        run, found = SurveyRun(people, settings, seed), []
        for place in places:
            while run.approach(place) < place:
                pass
            frame = run.advance(0)
            found.append(Outcome(frame.accuracy, frame.disclosed, guess_in_force(frame)))
        return tuple(found)

    return people.runs((settings, seed, places), make)
