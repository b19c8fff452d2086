"""The Survey page as Python: respondents, guidance, and what is given away."""

from trustscope.datasets import Dataset
from trustscope.scenarios.code import Cell, dataset_code, filled
from trustscope.scenarios.survey.loading import fetch, load
from trustscope.scenarios.survey.population import LAW, MOST_ROWS, SILENT, TEST, VOTES
from trustscope.scenarios.survey.run import DRAWS
from trustscope.scenarios.survey.scenario import SurveyScenario

DATA = """
import json

import numpy as np

from trustscope import datasets
from trustscope.engine import measures, utility
from trustscope.engine.survey import (
    Encoding,
    GuidanceRefused,
    Kind,
    Mix,
    Survey,
    check_followed,
    probabilities,
)

{data}
frame = data.complete().dataset.frame
order = np.random.default_rng(20_050_821).permutation(len(frame))[:«MOST_ROWS»]
classes = np.where((frame[«LABEL»] == «VALUE»).to_numpy()[order], 0, 1)
answers = frame.iloc[order][«QUESTIONS»]
{silent}encoding = Encoding.fit(answers)
tuples = encoding.from_codes(encoding.codes(answers, fill=1))
law, test = tuples[:«LAW»], (tuples[:«TEST»], classes[:«TEST»])
"""
SILENT_CODE = """\
for question in answers:  # silence is filled in at random
    said = answers[question].cat.categories.drop(«SILENT», errors="ignore")
    answers = answers.assign(**{question: answers[question].cat.set_categories(said)})
"""
ASK = """
# Each kind's share of the respondents, and the most directions that they follow (None: all).
KINDS = «KINDS»
survey = Survey(
    encoding, tuples, classes, mix=Mix(tuple(Kind(name, *kind) for name, kind in KINDS.items())), mu=«MU»,
    update_every=«UPDATE», order=«ORDER», clear=«CLEAR», extra_check=«CHECK», target=«TARGET»,
    attack=«ATTACK», replace=True, key=«SEED»,
)
survey.ask(survey.clear)  # these answer in the clear, so that there is guidance
counts, sizes = survey.miner.counts, survey.miner.sizes
survey.ask(«ARRIVED»)
"""
FOUND = """
figures = {
    "arrived": {"value": survey.arrived - survey.clear},
    "received": {"value": survey.miner.received - survey.clear},
    "refused": {"value": survey.refused},
    "level": {"value": survey.miner.guidance().level},
}
counts, sizes = survey.miner.counts - counts, survey.miner.sizes - sizes
if min(sizes):
    classifier = utility.NaiveBayes.from_counts(counts, sizes, encoding.starts)
    figures["accuracy"] = {"value": float(classifier.accuracy(*test))}
disclosed = 0.0
for name, (share, level) in KINDS.items():
    level = encoding.dimension if level is None else level
    basis, given = survey.sent_guidance(max(level, 1))[:, :level], 0.0
    try:
        check_followed(basis, encoding.dimension, len(encoding.questions), «CHECK»)
        if basis.shape[1]:
            sent = measures.degree_of_disclosure(law, lambda some: probabilities(some, basis), draws=«DRAWS»)
            given = min(max(sent.share, 0.0), 1.0)
    except GuidanceRefused:
        pass
    figures[f"disclosed.{name}"] = {"value": given}
    disclosed += share * given
figures["disclosed"] = {"value": float(disclosed)}
print(json.dumps(figures, indent=1))
"""


def cells(scenario: SurveyScenario, own: Dataset | None = None) -> tuple[list[Cell], SurveyScenario]:
    """The cells, and the scenario that fits the data."""
    data = fetch(scenario, own)
    model = load(data, scenario)
    fitted = model.fit_to_data(scenario)
    people, s = model.people, fitted.settings
    shown = dict(
        LABEL=people.label, VALUE=people.names[0], QUESTIONS=list(people.encoding.questions), MOST_ROWS=MOST_ROWS,
        SILENT=SILENT, LAW=LAW, TEST=TEST, MU=s.mu, UPDATE=s.update_every, ORDER=s.order, CLEAR=people.clear,
        CHECK=s.extra_check, TARGET=people.index(s.target) if s.malicious else None,
        ATTACK=s.miner if s.malicious else "outright", SEED=fitted.seed, ARRIVED=fitted.view.arrived, DRAWS=DRAWS,
        KINDS={kind.name: (kind.share, kind.level) for kind in s.mix.kinds},
    )  # fmt: skip
    silent = SILENT_CODE if data.name == VOTES else ""
    made = [
        Cell("People in a random order that is always the same; their answers as bits.",
             DATA.replace("{data}", dataset_code(fitted)).replace("{silent}", silent)),
        Cell("Respondents arrive; the miner learns what to ask for.", ASK),
        Cell("What the miner has learnt, and what each kind of respondent has given away.", FOUND),
    ]  # fmt: skip
    return [Cell(cell.text, filled(cell.code, **shown)) for cell in made], fitted
