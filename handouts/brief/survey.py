"""The brief of the Survey page."""

from trustscope.handouts.brief.base import Brief, rows_of
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import share

ROWS = {
    "guess.nothing": "Knowing nothing", "guess.class": "Knowing the class alone",
    "guess": "With what was sent under the guidance in force", "guess.outright": "If the answer were asked outright",
    "accuracy": "People whose class the miner finds", "disclosed": "Of what there is to know, given away on average",
}  # fmt: skip
KEYS = (
    "The miner knows how common every combination of answers is, but not who gave which.",
    "The class is sent as it is, and is not counted as given away.",
    "Figures are averages over draws of what is sent, on people of the same data: for other people they may differ.",
)


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The question what a miner learns about one answer."""
    question = f"How often does a miner guess “{figures.of('question').value}” from what respondents send?"
    known = {one.name: one.value for one in figures.figures}
    if not known["arrived"]:
        return Brief(question, ("Nobody has been asked yet.",), "If somebody were asked", rows_of(figures, ROWS, share),
                     ("Let respondents arrive, and look at this again.",), KEYS, "target")  # fmt: skip
    counted = (
        f"A miner who knows how common all answers are guesses this one right for {share(known['guess'])} of people, "
        f"against {share(known['guess.class'])} by the class alone."
    )
    return Brief(
        question, tuple(filter(None, (figures.verdict, counted, _gained(known)))),
        "Answers that are guessed, and what is learned", rows_of(figures, ROWS, share),
        tuple(_advice(known, found.scenario.settings)), KEYS, "target",
    )  # fmt: skip


def _gained(known) -> str:
    """What the miner learns of the class: a dishonest one may learn nothing."""
    found, named = known.get("accuracy"), known.get("accuracy.majority")
    if found is None or named is None:
        return ""
    if found <= named:
        return (
            f"It does not help to find the class: that succeeds for {share(found)} of people, and for {share(named)} "
            "by naming the larger class."
        )
    return (
        f"In return the miner finds the class of {share(found)} of people, against {share(named)} by naming the larger "
        "class."
    )


def _advice(known, settings):
    if settings.miner == "outright" and not settings.extra_check:
        yield "Let respondents use the extra check: it refuses guidance that asks for one answer outright."
    if known["guess"] > known["guess.class"] + 0.02:
        yield "Tell respondents that what they send says more than their class, or let them follow fewer directions."
    if known.get("guess.hidden") is not None and known["guess.hidden"] > known["guess"] + 0.02:
        yield (
            f"Let respondents check the guidance: a miner who hides a question within the check guesses it for "
            f"{share(known['guess.hidden'])} of people."
        )
    if known.get("refused"):
        yield "Look at who refused: their answers are missing in what the miner learns."
