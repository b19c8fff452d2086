"""The Trust page as Python: copies, attackers, and how close they come."""

from trustscope.datasets import Dataset
from trustscope.scenarios import attackers
from trustscope.scenarios.code import Cell, dataset_code, filled, literal, preparation_code
from trustscope.scenarios.trust.judge import KEY
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.noise import OwnShape
from trustscope.scenarios.trust.order import eigenvalues
from trustscope.scenarios.trust.own_attackers import KEY as OWN_KEY
from trustscope.scenarios.trust.run import ATTACKED
from trustscope.scenarios.trust.run import LEARNT as MANY
from trustscope.scenarios.trust.scenario import LEARNED, MADE, RECONSTRUCTIONS, Settings, TrustScenario

DATA = """
import json

import numpy as np

from trustscope import datasets
from trustscope.engine import measures
from trustscope.engine.attacks import llse, reconstruction
from trustscope.engine.attacks.combining import combined, combining_weights, effective_level
from trustscope.engine.attacks.learned import taught
from trustscope.engine.attacks.optimal import Knowledge, Strongest, breach_curve, record_curve, row_curve
from trustscope.engine.attacks.shaped import ShapedNoise
from trustscope.engine.noise import level_from_trust
from trustscope.engine.path import PathRelease
from trustscope.engine.preparation import Step
from trustscope.engine.shapes import noise_shape

{data}{prepared}
table = data.complete(«COLUMNS»).dataset.frame.to_numpy(dtype=float)
x = table[np.random.default_rng(20_120_901).permutation(len(table))]
mean, covariance = x.mean(axis=0), np.atleast_2d(np.cov(x, rowvar=False))
sd = np.sqrt(np.diag(covariance))
units = {units}
weights = np.where(sd > 0, 1 / units**2, 0.0) / (np.trace(covariance / np.outer(units, units)) or 1.0)
"""
COPIES = """
SEED, SCHEME = «SEED», «SCHEME»
# Numbers tell the noise of recipients apart where it is independent.
NUMBERS = «NUMBERS»
# In per cent: the share of the variance that a recipient's best linear guess explains.
TRUST = «TRUST»
POOLING = «POOLING»

levels = {name: float(level_from_trust(trust)) if trust < 100 else 0.0 for name, trust in TRUST.items()}
ladder = [float(level_from_trust(trust)) for trust in range(99, 0, -1)]
release = PathRelease(x, scheme=SCHEME, covariance=covariance, ladder=ladder, key=SEED)
# The copy of the most trusted one is the same under every scheme.
first = max(TRUST, key=TRUST.get)
order = [first, *sorted(TRUST.keys() - {first}, key=NUMBERS.get)]
release = release.among({NUMBERS[name]: levels[name] for name in order})
"""
OWN_SHAPE = "shape = covariance  # the noise varies as the data do\n"
OTHER_SHAPE = """shape = noise_shape(covariance, «SIMILARITY», standardised=«STANDARDISED»)  # of the noise of level 1
release = release.reshaped(shape)
"""
HELD = """copies = {
    name: release.copy(level, 0, len(x), recipient=NUMBERS[name]) for name, level in levels.items()
}
"""
BEGIN = """
def attacked(who):
    \"\"\"What each attacker makes of the copies of some recipients.\"\"\"
    held, at = [copies[name] for name in who], [levels[name] for name in who]
"""
PERFECT = {
    True: '    yield "perfect", llse.perfect(at, SCHEME, mean).estimate(held)\n',
    False: '    yield "perfect", ShapedNoise(covariance, shape).attack(at, SCHEME, mean).estimate(held)\n',
}
LEARN = "    known = [copy[:«SAMPLE»] for copy in held]  # the rows that are learned from\n"
STRUCTURED = {
    True: '    yield "structured", llse.structured(known, at, SCHEME).estimate(held)\n',
    False: "    learned = llse.structured(known, at, SCHEME).mean\n"
    '    yield "structured", ShapedNoise(covariance, shape).attack(at, SCHEME, learned).estimate(held)\n',
}
RAW = {
    True: '    yield "raw", llse.raw(known, at, None).estimate(held)\n',
    False: '    yield "raw", llse.raw(known, at, shape).estimate(held)\n',
}
RECONSTRUCT = """    pooled = combined(held, combining_weights(at, SCHEME))[:«WHOLE»] / units
    noise = effective_level(at, SCHEME) * shape / np.outer(units, units)
    moments = {moments}
    for name in «NAMES»:
        yield name, reconstruction.ATTACKERS[name].function(pooled, noise, **moments) * units
"""
JUDGE = """
ATTRIBUTE, EPS, KIND = «ATTRIBUTE», «EPS», «KIND»


def judged(estimate, true=None):
    \"\"\"The mean square error (guessing the average: 1), and the share of hits.\"\"\"
    true = x[: len(estimate)] if true is None else true
    error = float((((estimate - true) ** 2) @ weights).mean())
    if KIND == "absolute":
        return error, float(np.mean(np.abs(estimate - true)[:, ATTRIBUTE] <= EPS))
    return error, float(measures.breach_rate(true, estimate, EPS, KIND))


figures = {}
for who, name in (([max(POOLING, key=TRUST.get)], "alone"), (POOLING, "coalition")):
    for attacker, estimate in attacked(who):
        error, hits = judged(estimate)
        figures[f"{name}.error.{attacker}"] = {"measured": error}
        if name == "coalition":
            figures[f"coalition.hits.{attacker}"] = {"measured": hits}
"""
STRONGEST = """
# Somebody who knows other people's records, and guesses by the posterior over whole rows.
strongest = Strongest(x, shape=shape, knowledge=Knowledge(«OTHERS», «EVERYBODY», «KNOWN»), key=«KEY»)
errors = record_curve(strongest)
hits = {hits}
for who, name in (([max(POOLING, key=TRUST.get)], "alone"), (POOLING, "coalition")):
    level = effective_level([levels[one] for one in who], SCHEME)
    figures[f"{name}.error.strongest"] = {"theory": float(errors.errors_at(level) @ (weights * sd**2))}
    if name == "coalition":
        figures["coalition.hits.strongest"] = {"theory": float(hits.hits_at(level, EPS))}
"""
LEARNT = """
# Who learns from people they know, and attacks others.
attacker = Strongest(x, shape=shape, knowledge=Knowledge(«OTHERS», «EVERYBODY», «KNOWN»), key=«KEY»)
rows = np.arange(«ATTACKED»)
for learned in «LEARNED»:
    for who, name in (([max(POOLING, key=TRUST.get)], "alone"), (POOLING, "coalition")):
        at = [levels[one] for one in who]
        pooled = combined([copies[one][: len(rows)] for one in who], combining_weights(at, SCHEME))
        estimate, guess, attacked = pooled.copy(), pooled[:, ATTRIBUTE].copy(), np.zeros(len(rows), dtype=bool)
        for side, mine in attacker.strangers(rows):
            attacked |= mine
            if effective_level(at, SCHEME) > 0:
                witness = taught(attacker, side, effective_level(at, SCHEME), learned, «MANY»)
                seen = x[rows[mine]] + attacker.without_known(pooled[mine] - x[rows[mine]])
                estimate[mine], guess[mine] = witness.means(seen), witness.windows(seen, ATTRIBUTE, EPS)
        error, hits = judged(estimate[attacked], x[rows[attacked]])
        if KIND == "absolute":
            off = np.abs(guess - x[rows, ATTRIBUTE])[attacked]
            hits = float(np.mean(off <= EPS * (1 + 1e-9)))
        figures[f"{name}.error.{learned}"] = {"measured": error}
        if name == "coalition":
            figures[f"coalition.hits.{learned}"] = {"measured": hits}
"""
OWN = """
# Who was registered with @ts.attacker: they see all copies, and know other people's records. One that no installed
# package brings must be registered above.
acquainted = Strongest(x, shape=shape, knowledge=Knowledge(«OTHERS», «EVERYBODY», «KNOWN»), key=«KEY»)
rows = np.arange(«ATTACKED»)
for registered in «OWN»:
    for who, name in (([max(POOLING, key=TRUST.get)], "alone"), (POOLING, "coalition")):
        at = np.array([levels[one] for one in who])
        noise = KnownNoise(SCHEME, at, noise_covariance(at, SCHEME), shape.copy())
        held = np.stack([copies[one][: len(rows)] for one in who])
        estimate, attacked = held[0].copy(), np.zeros(len(rows), dtype=bool)
        for place, (side, mine) in enumerate(acquainted.strangers(rows)):
            if mine.any():
                rng = keys.rng(«OWN_KEY», "own attacker", registered, place)
                estimate[mine] = ask(registered, held[:, mine], noise, side.sample[:«MANY»].copy(), rng)
                attacked |= mine
        error, hits = judged(estimate[attacked], x[rows[attacked]])
        figures[f"{name}.error.{registered}"] = {"measured": error}
        if name == "coalition":
            figures[f"coalition.hits.{registered}"] = {"measured": hits}
"""
OWN_IMPORTS = """from trustscope.engine import keys
from trustscope.engine.noise import noise_covariance
from trustscope.scenarios.trust.own_attackers import KnownNoise, ask
"""
HITS = {
    True: "row_curve(strongest, ATTRIBUTE, «DISTANCES»)",
    False: "breach_curve(strongest, EPS, KIND, 0.0)",
}
STRONGEST_SHARES = """for name, level in levels.items():
    figures[f"share.{name}"] = {"value": 1 - float(errors.errors_at(level) @ (weights * sd**2))}
"""
THEORY = {
    True: """at = [levels[name] for name in POOLING]
figures["coalition.error.perfect"]["theory"] = float(llse.expected_error(at, SCHEME))
""",
    False: """level = effective_level([levels[name] for name in POOLING], SCHEME)
figures["coalition.error.perfect"]["theory"] = float(ShapedNoise(covariance, shape).errors(level) @ weights)
""",
}
WITHOUT = {
    True: """values = np.sort(x[:, ATTRIBUTE])  # the interval of length 2 EPS that holds most values
reach = values + 2 * EPS + 4 * np.spacing(np.abs(values) + EPS)
inside = np.searchsorted(values, reach, side="right") - np.arange(len(values))
figures["hits.without"] = {"value": float(inside.max() / len(values))}
""",
    False: """first = x[:20_000]  # the mean, the median, or the most frequent values: whichever hits most records
frequent = [np.unique(column, return_counts=True) for column in first.T]
guesses = (mean, np.median(first, axis=0), np.array([found[np.argmax(many)] for found, many in frequent]))
rates = [measures.breach_rate(first, np.broadcast_to(guess, first.shape), EPS, KIND) for guess in guesses]
figures["hits.without"] = {"value": float(max(rates))}
""",
}
SHARES = {
    True: """for name, level in levels.items():
    figures[f"share.{name}"] = {"value": 1 - float(llse.expected_error([level], SCHEME))}
""",
    False: """for name, level in levels.items():
    figures[f"share.{name}"] = {"value": 1 - float(ShapedNoise(covariance, shape).errors(level) @ weights)}
""",
}
PRINT = "print(json.dumps(figures, indent=1))\n"


def cells(scenario: TrustScenario, own: Dataset | None = None) -> tuple[list[Cell], TrustScenario]:
    """The cells, and the scenario that fits the data."""
    model = load(fetch(scenario, own), scenario)
    fitted = model.fit_to_data(scenario)
    settings, people = fitted.settings, model.population
    own_shape = isinstance(model.noise(settings.similarity), OwnShape)
    units = "np.ones(len(sd))" if people.common_unit else "np.where(sd > 0, sd, 1.0)"
    data = DATA.replace("{data}", dataset_code(fitted, _made(fitted))).replace("{units}", units)
    before = preparation_code(one for one in fitted.data.preparation if one.column in people.names)
    data = data.replace("{prepared}", f"\n{before}" if before else "")
    copies = COPIES + (OWN_SHAPE if own_shape else OTHER_SHAPE) + HELD
    who, question = settings.recipients, model.judge.question(settings)
    # Of data drawn from a normal law no guess is better than the best linear one.
    judged = "strongest" in settings.attackers and settings.coalition and not people.common_unit
    registered = [name for name in settings.attackers if attackers.of(name).family == attackers.OWN]
    shown = dict(
        COLUMNS=list(people.names), SEED=fitted.seed, SCHEME=settings.scheme,
        NUMBERS={r.name: r.number for r in who}, TRUST={r.name: r.trust for r in who},
        POOLING=[r.name for r in settings.coalition], SIMILARITY=settings.similarity,
        STANDARDISED=not people.common_unit, SAMPLE=min(settings.sample, people.rows), WHOLE=model.whole_rows,
        NAMES=[name for name in RECONSTRUCTIONS if name in settings.attackers],
        ATTRIBUTE=people.index(settings.attribute), EPS=settings.eps, KIND=settings.kind, KEY=KEY,
        OTHERS=settings.others, EVERYBODY=settings.knowledge == "everybody", KNOWN=question.known,
        DISTANCES=list(question.distances), LEARNED=[name for name in LEARNED if name in settings.attackers],
        OWN=registered, OWN_KEY=OWN_KEY,
        ATTACKED=min(people.rows, model.whole_rows, ATTACKED[True]), MANY=MANY[True],
    )  # fmt: skip
    made = [
        Cell("The data, in a random order that is always the same; each attribute counts in its own unit.", data),
        Cell("One copy for each recipient: less trust, a higher level of noise.", copies),
    ]
    ending = (STRONGEST_SHARES if judged else SHARES[own_shape]) + PRINT
    if settings.coalition:
        made.append(Cell("The attackers, who know how the copies were made.", _attackers(settings, own_shape)))
        theory = THEORY[own_shape] if "perfect" in settings.attackers else ""
        if judged:
            theory += STRONGEST.replace("{hits}", HITS[settings.kind == "absolute"])
        if set(settings.attackers) & LEARNED.keys():
            theory += LEARNT
        if registered:
            theory += OWN_IMPORTS + OWN
        ending = JUDGE + theory + WITHOUT[settings.kind == "absolute"] + ending
    else:
        ending = "figures = {}\n" + ending
    made.append(Cell("How close they come, and what theory says.", ending))
    return [Cell(cell.text, filled(cell.code, **shown)) for cell in made], fitted


def _made(scenario: TrustScenario) -> str:
    if scenario.data.name != MADE:
        return ""
    values = [float(value) for value in eigenvalues(scenario.data.order)]
    return f"datasets.load('gaussian', rows={scenario.data.order.records}, eigenvalues={literal(values)})"


def _attackers(settings: Settings, own_shape: bool) -> str:
    """The lines of those who are ticked."""
    ticked = settings.attackers
    code = BEGIN + (PERFECT[own_shape] if "perfect" in ticked else "")
    if {"structured", "raw"} & set(ticked):
        code += LEARN
    code += STRUCTURED[own_shape] if "structured" in ticked else ""
    code += RAW[own_shape] if "raw" in ticked else ""
    if set(ticked) & RECONSTRUCTIONS.keys():
        known = '{"covariance": covariance / np.outer(units, units), "mean": mean / units}'
        code += RECONSTRUCT.replace("{moments}", known if settings.informed else "{}  # they estimate")
    return code if "yield" in code.removeprefix(BEGIN) else f"{code}    yield from ()  # only who is judged below\n"
