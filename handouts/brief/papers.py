"""The brief of the Papers page: one experiment, or the gallery of them all."""

from collections import Counter

from trustscope.handouts.brief.base import MOST_ROWS, Brief, Row
from trustscope.numbers import of_unit
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import count, sentence

KEYS = (
    "Results are those that come with the app, run at a quick size; a run of your own may differ by chance.",
    "“Corrected” means that the paper is wrong there and a check shows it; “stand-in” that data which are not "
    "available were replaced.",
)


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The question whether what is printed comes out."""
    if not any(one.name.startswith("claim.") for one in figures.figures):
        verdicts = Counter(str(one.value) for one in figures.figures)
        rows = tuple(Row(sentence(verdict), count(many)) for verdict, many in verdicts.most_common(MOST_ROWS))
        return Brief(
            "Which claims of the five papers come out as printed?", (figures.verdict,), "Experiments by verdict", rows,
            ("Open an experiment before its figures are used.",), KEYS, "gallery",
        )  # fmt: skip
    claims = [one for one in figures.figures if one.name.startswith("claim.")]
    told = f"Of the claims, {figures.after} are confirmed."
    word = figures.of("verdict").value
    advice = (
        "The figures can be used as they are printed." if word == "confirmed"
        else f"Do not use the figures as they are printed: the verdict is “{word}”."
    )  # fmt: skip
    return Brief(
        f"Does “{figures.verdict}” come out as the paper says?", (told, f"The verdict on all of them is “{word}”."),
        "What was found", tuple(Row(sentence(one.label), of_unit(one.value, one.unit)) for one in claims[:MOST_ROWS]),
        (advice,), KEYS, "table",
    )  # fmt: skip
