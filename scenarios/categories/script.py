"""The Categories page as Python: copies, and what they let one believe."""

from trustscope.datasets import Dataset
from trustscope.datasets.patients import TITLES as EXAMPLES
from trustscope.scenarios.categories.column import cuts
from trustscope.scenarios.categories.loading import fetch, load
from trustscope.scenarios.categories.scenario import SMALLEST, CategoriesScenario
from trustscope.scenarios.categories.side import KEY, personal
from trustscope.scenarios.code import Cell, dataset_code, filled, preparation_code

DATA = """
import json

import numpy as np

from trustscope import datasets
from trustscope.engine import measures
from trustscope.engine.attacks import agreement, posterior
from trustscope.engine.preparation import Step
from trustscope.engine.uniform import UniformRelease

{data}{prepared}
column = data.frame[«COLUMN»].dropna()
{codes}
truth = codes[np.random.default_rng(20_090_801).permutation(len(codes))]
shares = posterior.empirical_prior(truth, size)
"""
CATEGORIES = "codes, size = column.cat.codes.to_numpy().astype(np.int64), len(column.cat.categories)\n"
VALUES = "codes, size = np.searchsorted(«CUTS», column.to_numpy(dtype=float)), «SIZE»\n"
BINS = "codes, size = np.digitize(column.to_numpy(dtype=float), «CUTS»), «SIZE»\n"
COPIES = """
SEED, SCHEME = «SEED», «SCHEME»
# Numbers tell the copies of recipients apart where they are independent.
NUMBERS = «NUMBERS»
RETENTION = «RETENTION»  # the probability that a value is kept
POOLING = «POOLING»  # the best copy first
PRIOR = {prior}

path = UniformRelease(truth, size, scheme="nested", key=SEED, smallest=«SMALLEST»)
release = UniformRelease(truth, size, scheme=SCHEME, key=SEED, smallest=«SMALLEST»)
first = max(RETENTION, key=RETENTION.get)  # whose copy is the same under every scheme
copies = {
    name: (path if name == first else release).copy(p, 0, None, recipient=NUMBERS[name])
    for name, p in RETENTION.items()
}
"""
ATTACK = """
figures = {}
without = float(shares.max())  # naming the most frequent value
for who, name in ((POOLING[:1], "alone"), (POOLING, "together")):
    held, ps = [copies[one] for one in who], [RETENTION[one] for one in who]
    expected = list(agreement.growing(ps, size, scheme=SCHEME, prior=PRIOR))[-1]
    guess = agreement.best_values(held, ps, size, scheme=SCHEME, prior=PRIOR)
    if PRIOR is None and expected.right <= without:  # the copies are right less often
        guess = int(shares.argmax())
    belief = posterior.reconstruction_probability(truth, held, ps, size, scheme=SCHEME, prior=PRIOR)
    figures[f"{name}.right"] = {
        "theory": float(max(expected.right, without)), "measured": float(np.mean(guess == truth)),
    }
    figures[f"{name}.belief"] = {"theory": float(expected.belief), "measured": float(belief.mean())}
"""
SIDE = """
from trustscope.engine.attacks.optimal import Knowledge, Known, beforehand

# Other columns that the attacker knows of everybody, and what is believed of people by them.
order = np.random.default_rng(20_090_801).permutation(len(codes))
rows = data.frame.loc[column.index].iloc[order]
NUMBERS_KNOWN, CATEGORIES_KNOWN = «NUMBERS_KNOWN», «CATEGORIES_KNOWN»
numbers = rows[NUMBERS_KNOWN].to_numpy(dtype=float)
gaps = np.isnan(numbers)
if NUMBERS_KNOWN:  # who has none is taken for the middle one
    numbers = np.where(gaps, np.nan_to_num(np.nanmedian(numbers, axis=0)), numbers)
gaps = gaps[:, gaps.any(axis=0)]  # that there is none is known, too
others, sizes = np.zeros((len(rows), len(CATEGORIES_KNOWN)), dtype=np.int64), [2] * gaps.shape[1]
for place, name in enumerate(CATEGORIES_KNOWN):
    known, values = rows[name].cat.codes.to_numpy(), len(rows[name].cat.categories)
    others[:, place] = np.where(known < 0, values, known)
    sizes.append(max(values + int((known < 0).any()), 2))
side = beforehand(
    truth, size, Known(numbers, np.column_stack([gaps, others]).astype(np.int64), tuple(sizes)),
    knowledge=Knowledge(sample=«OTHERS», everybody=«EVERYBODY»), key=«KEY»,
)
figures = {}
for who, name in ((POOLING[:1], "alone"), (POOLING, "together")):
    held = who[:1] if SCHEME == "nested" else who
    ps = [RETENTION[one] for one in who]
    expected = [side.nobody, side.growing(ps, SCHEME)[-1]]
{plain}    right, belief = side.measured(
        side.people, [copies[one][side.people] for one in held], [RETENTION[one] for one in held]
    )
    figures[f"{name}.right"] = {"theory": max(one.right for one in expected), "measured": float(right.mean())}
    figures[f"{name}.belief"] = {"theory": max(one.belief for one in expected[1:]), "measured": float(belief.mean())}
"""
PLAIN = """\
    # Nobody has to use all that they know: the shares of the values may tell more.
    expected += [agreement.growing(ps, size, scheme=SCHEME, prior=PRIOR)[-1]]
"""
PROMISE = """
gammas = np.asarray(measures.amplification(list(RETENTION.values()), size))
worst = float(gammas.max() if SCHEME == "nested" else gammas.prod())
figures["promise.worst.gamma"] = {"value": worst if np.isfinite(worst) else None}
print(json.dumps(figures, indent=1))
"""


def cells(scenario: CategoriesScenario, own: Dataset | None = None) -> tuple[list[Cell], CategoriesScenario]:
    """The cells, and the scenario that fits the data."""
    data = fetch(scenario, own)
    model = load(data, scenario)
    fitted = model.fit_to_data(scenario)
    settings, name = fitted.settings, model.column.name
    made = f"datasets.patients({fitted.data.name!r})" if fitted.data.name in EXAMPLES else ""
    codes, places = CATEGORIES, None
    if name not in data.categorical:
        places, binned = cuts(model.dataset.frame[name].to_numpy(dtype=float), fitted.data.bins)
        codes = BINS if binned else VALUES
    prior = "shares  # how frequent each value is" if settings.prior == "statistics" else "None  # nothing is known"
    who = settings.recipients
    shown = dict(
        COLUMN=name, CUTS=None if places is None else [float(place) for place in places], SIZE=model.size,
        SEED=fitted.seed, SCHEME=settings.scheme, NUMBERS={r.name: r.number for r in who}, SMALLEST=SMALLEST,
        RETENTION={r.name: r.trust / 100 for r in who},
        NUMBERS_KNOWN=[one for one in settings.known if one in model.dataset.numeric],
        CATEGORIES_KNOWN=[one for one in settings.known if one in model.dataset.categorical],
        OTHERS=settings.others, EVERYBODY=settings.knowledge == "everybody", KEY=KEY,
        POOLING=[r.name for r in sorted(settings.coalition, key=lambda r: -r.trust)],
    )  # fmt: skip
    data_code = DATA.replace("{data}", dataset_code(fitted, made)).replace("{codes}", codes.strip())
    before = preparation_code(one for one in fitted.data.preparation if one.column in (name, *settings.known))
    data_code = data_code.replace("{prepared}", f"\n{before}" if before else "")
    found = [
        Cell("The sensitive column as codes, in a random order that is always the same.", data_code),
        Cell("One copy for each recipient: a value is kept, or redrawn.", COPIES.replace("{prior}", prior)),
    ]
    if settings.coalition:
        plain = PLAIN if settings.others is None else ""
        attack = SIDE.replace("{plain}", plain) if personal(model, settings) else ATTACK
        found.append(Cell("Best guesses and beliefs: of the best copy alone, and of all together.", attack))
    ending = PROMISE if settings.coalition else "figures = {}\n" + PROMISE
    found.append(Cell("How many times the odds of a belief can grow for the worst coalition.", ending))
    return [Cell(cell.text, filled(cell.code, **shown)) for cell in found], fitted
