"""The brief of the Rotation page: a question for each of its steps."""

from trustscope.handouts.brief.base import Brief, rows_of
from trustscope.numbers import of_unit
from trustscope.scenarios.metrics import Metrics
from trustscope.scenarios.whole import Whole
from trustscope.scenarios.words import counted, share

QUESTIONS = {
    "kept": "What stays the same if all records of {data} are released turned by one secret rotation?",
    "known": "What does an insider who knows {known} recover from a rotated release of {data}?",
    "sample": "What does a competitor with a sample of {sample} recover from a rotated release of {data}?",
    "remedy": "Does mixing the records of {data} by a secret matrix protect better than a rotation?",
}
# The figures of each step that are read at one glance, and what they are called: nothing where their labels will do.
ROWS = {
    "kept": {"neighbours": "", "neighbours.chance": "Neighbours kept in a release without any relation",
             "moved.k-means": "", "moved.single link": ""},
    "known": {"hits.without": "Recovered by the best constant guess", "hits": "", "hits.uniform": "",
              "known": "", "linked": "Of them found among the released records", "highest": ""},
    "sample": {"hits.without": "", "hits": "", "samples.mean": "Recovered on average over samples of this size",
               "sample": "", "axes.right": "", "axes": "Axes in all"},
    "remedy": {"hits.without": "", "hits": "", "hits.rotation": "", "hits.fresh": "", "spread": "", "spread.fresh": ""},
}  # fmt: skip
CARDS = {"kept": "pairs", "known": "growth", "sample": "sizes", "remedy": "lengths"}
KEYS = (
    "One half of the data is released; samples and constant guesses come from the other half, which shares no row with "
    "it.",
    "Means and standard deviations are taken to be public: whoever analyses the release needs them.",
    "The rotation is a rehearsal, made with a known seed. A real release uses a secret key of its own.",
)
WARNED = 0.02  # what attackers gain above guessing before it is advised against


def brief_of(found: Whole, figures: Metrics) -> Brief:
    """The question of the step that is open."""
    story, settings = found.scenario.view.story, found.scenario.settings
    asked = QUESTIONS[story].format(
        data=found.title, known=counted(len(settings.known), "record"), sample=counted(settings.sample, "record")
    )
    rows = tuple(
        row for name in ROWS[story] for row in rows_of(figures, {name: ROWS[story][name]}, _writer(figures, name))
    )
    return Brief(
        asked, (figures.verdict, _counted(story, figures)), "What the step shows", rows,
        tuple(_advice(story, figures)), KEYS, CARDS[story],
    )  # fmt: skip


def _counted(story: str, figures: Metrics) -> str:
    """The number of the headline as a sentence, with who reaches it."""
    what = figures.label.partition(":")[0].strip()
    if story == "kept":
        whose, what = what.split(" keeping ", 1)
        return f"{figures.after} of {whose} keep {what}, against {figures.before} by chance."
    what = what.replace("values recovered", "of values are recovered", 1)
    others = any(one.name == "hits.others" for one in figures.figures)
    who = {"known": f"an insider who knows some of the records{', and other people' if others else ''}",
           "sample": "a competitor who knows a sample of other records",
           "remedy": "a competitor who knows a sample of other records"}[story]  # fmt: skip
    return f"{figures.after} {what} by {who}, against {figures.before} by guessing."


def _writer(figures, name):
    unit = next((one.unit for one in figures.figures if one.name == name), "")
    return share if unit == "share" else lambda value: of_unit(value, unit)


def _advice(story: str, figures: Metrics):
    if story == "kept":
        yield "Do not take changed values for protection: look at what an insider and a competitor recover."
        return
    hits, without = figures.of("hits").value, figures.of("hits.without").value
    if hits > without + WARNED:
        what = {"known": "anybody may know some of the records", "sample": "others hold records of the same kind",
                "remedy": "others hold records of the same kind"}[story]  # fmt: skip
        yield f"Do not release these records in this way where {what}: {share(hits)} of the values are recovered."
        yield "Use copies with noise instead, which can be given at a level of trust."
    else:
        yield "Do not call it safe for that: another sample, or a few known records, may recover far more."
