"""The Rotation page as Python: one release, and the step that is open."""

from trustscope.datasets import Dataset
from trustscope.scenarios.code import Cell, dataset_code, filled
from trustscope.scenarios.rotation.judge import JUDGED
from trustscope.scenarios.rotation.kept import CLUSTERED, NEAREST
from trustscope.scenarios.rotation.loading import fetch, load
from trustscope.scenarios.rotation.records import MOST, SHIFTED
from trustscope.scenarios.rotation.remedy import FRESH, PROJECTED
from trustscope.scenarios.rotation.sample import PAIRS
from trustscope.scenarios.rotation.scenario import USUAL, RotationScenario, Settings
from trustscope.scenarios.value import not_none

DATA = """
import json

import numpy as np

from trustscope import datasets
from trustscope.engine.attacks import known_input, known_sample
from trustscope.engine.measures import breached
from trustscope.engine.rotation import RotationRelease, random_projection
from trustscope.engine.utility import compare_clusters, same_neighbours

{data}
table = data.complete(«COLUMNS»).dataset.frame.to_numpy(dtype=float)
sd, varying = table.std(axis=0), np.ptp(table, axis=0) > 0
sd = np.where(varying & (sd > 0), sd, 1.0)
scaled = {scaled}
order, half = np.random.default_rng(2009).permutation(len(table)), len(table) // 2
private, pool = scaled[order[:half][:«MOST»]], scaled[order[half:]][:«POOL»]
"""
RELEASE = """
SEED = «SEED»
{length}
release = RotationRelease(private, translation={shift}, key=SEED)
row_of = release.secret.permutation  # where each private record stands in the release
turned = release.released[row_of]
"""
LENGTH = "length = 3.0 * np.sqrt(np.mean(np.linalg.norm(private, axis=1) ** 2))  # of the secret shift\n"
KEPT = """
before, after = private[:«CLUSTERED»], turned[:«CLUSTERED»]
nearest = min(«NEAREST», len(before) - 1)
rng = np.random.default_rng(1)
first = rng.integers(len(before), size=2_000)
second = (first + rng.integers(1, len(before), size=2_000)) % len(before)
apart = [np.linalg.norm(table[first] - table[second], axis=1) for table in (before, after)]
longest = max(np.linalg.norm(table, axis=1).max() for table in (before, after))
figures = {
    "neighbours": {"value": float(same_neighbours(before, after, nearest))},
    "neighbours.chance": {"value": nearest / (len(before) - 1)},
    "distance.change": {"value": float(np.abs(apart[1] - apart[0]).max() / longest)},
}
clusters = min(«CLUSTERS», len(np.unique(before, axis=0)))
for method in ("k-means", "single link"):
    found = compare_clusters(before, after, clusters, method=method, rng=np.random.default_rng(1))
    figures[f"moved.{method}"] = {"value": int(found.moved)}
print(json.dumps(figures, indent=1))
"""
JUDGE = """
EPS, KIND = «EPS», «KIND»
true = private[:«JUDGED»]
reach = EPS * sd / {scale} * (1 + 1e-9)  # a value that is exactly as far off as allowed is a hit


def hits(guess, true=true):
    \"\"\"The share of hits of each record: of its values, or of the record as a whole.\"\"\"
    if KIND == "value":
        return (np.abs(guess - true) <= reach)[:, varying].mean(axis=1)
    return breached(true, guess, EPS, KIND).astype(float)


def best_constant(values, reach):
    \"\"\"The middle of an interval of length 2 reach that holds as many values as any.\"\"\"
    ordered = np.sort(values)
    inside = np.searchsorted(ordered, ordered + 2 * reach, side="right") - np.arange(len(ordered))
    first = int(np.argmax(inside))
    return (ordered[first] + ordered[first + inside[first] - 1]) / 2


best = np.array([best_constant(column, one) for column, one in zip(true.T, reach)])
"""
BY_VALUE = "guesses = [best]\n"
BY_RECORD = """frequent = [np.unique(column, return_counts=True) for column in true.T]
modes = np.array([values[np.argmax(many)] for values, many in frequent])
guesses = [best, true.mean(axis=0), np.median(true, axis=0), modes]
"""
WITHOUT = """without = max(float(hits(np.broadcast_to(guess, true.shape)).mean()) for guess in guesses)
figures = {"hits.without": {"value": without}}
"""
KNOWN = """
KNOWN = «KNOWN»  # row numbers of the data, counted from 1
places = [int(np.flatnonzero(order[:half] == number - 1)[0]) for number in KNOWN]
norms = np.empty(len(private))
norms[row_of] = np.linalg.norm(private, axis=1)


def told(places):
    \"\"\"What follows from knowing these records.\"\"\"
    return known_input.attack(private[places], release.released, translated=«SHIFTED», norms={norms})


found = told(places)
rows = row_of[: len(true)]
known = found.linked_rows[rows]
figures["linked"] = {"value": int(sum(row >= 0 for row in found.links.rows))}
figures["freedom"] = {"value": int(found.freedom)}
"""
CHANCES = """chances = {"uniform": np.zeros(true.shape), "projection": np.zeros(true.shape)}
if found.informed:
    slack = 1e-12 * (np.linalg.norm(private, axis=1).max() + {shift})
    rest = true - found.estimate(rows, attacker="projection")  # what the links do not tell
    radius = np.where(found.residuals > slack, found.residuals, 0.0)[rows]
    chances["uniform"] = known_input.value_chances(rest, radius, found.complement, reach)
    chances["projection"] = np.abs(rest) <= reach
tries = []
for count in range(len(places), -1, -1):  # nobody has to use all links
    others = known_input.KnowsOthers(told(places[:count]), pool, «USUAL» / EPS * reach)
    tries += [np.abs(guess - true) <= reach for guess in others.guesses(rows, reach)]
best = np.argmax([one.mean(axis=0) for one in tries], axis=0)  # of each column by itself
chances["others"] = np.column_stack([tries[way][:, column] for column, way in enumerate(best)])
for guess, values in chances.items():
    share = values[:, varying].mean(axis=1)
    figures[f"hits.{guess}"] = {"value": 1.0 if known.all() else float(share[~known].mean())}
print(json.dumps(figures, indent=1))
"""
UNTOLD = """if not known.all():  # the expected shares of whole records take many draws: the page has them
    share = hits(found.estimate(rows, attacker="projection")) if found.informed else np.zeros(len(true))
    figures["hits.projection"] = {"value": float(share[~known].mean())}
print(json.dumps(figures, indent=1))
"""
SAMPLE = """
SIZE, BLOCK, METHOD = «SAMPLE», «BLOCK», «METHOD»
tries = []
for block in range(1, «SAMPLES» + 1):  # samples of this size without a record in common
    sample = pool[(block - 1) * SIZE : block * SIZE]
    found = known_sample.attack(
        sample, release.released, translated=«SHIFTED», method=METHOD, search="polynomial", pairs=«PAIRS»
    )
    guesses = [found.estimate(turned[: len(true)])]
{beyond}
    tries.append({best})
    if block == BLOCK:
        cosine = np.sum((release.secret.matrix @ found.sample_axes) * found.released_axes, axis=0)
        figures["axes.right"] = {"value": int(np.sum(np.sign(cosine) == found.signs))}
figures["hits"] = {"value": max(without, tries[BLOCK - 1]), "measured": tries[BLOCK - 1]}
figures["samples.mean"] = {"value": float(np.mean(tries))}
print(json.dumps(figures, indent=1))
"""
BEYOND = """    # This competitor goes by lengths, too, and lays the released rows over the sample.
    nobody = known_input.attack(private[:0], release.released, translated=«SHIFTED»)
    guesses += known_input.KnowsOthers(nobody, sample{usual}).guesses(row_of[: len(true)]{reach})
"""
BEST = {  # of several guesses: of each column by itself, or of whole records
    True: "float(np.max([(np.abs(one - true) <= reach).mean(axis=0) for one in guesses], axis=0)[varying].mean())",
    False: "max(float(hits(one).mean()) for one in guesses)",
}
REMEDY = """
COLUMNS = «DIMENSIONS»
private, sample = private[:«PROJECTED»], pool[:«PROJECTED»]
# R = Q T: released rows lie in the dimensions of Q, where they are T x, and all distances are the same.
one = private @ np.linalg.qr(random_projection(private[:1], COLUMNS, key=SEED).matrix)[1].T
fresh = random_projection(private[:«FRESH»], COLUMNS, fresh=True, key=SEED).released
plain = RotationRelease(private, key=SEED)
plain = plain.released[plain.secret.permutation]
rates = {}
for name, released in (("one", one), ("fresh", fresh), ("rotation", plain)):
    found = known_sample.attack(
        sample, released, search="polynomial", pairs=«PAIRS», projected=name == "fresh"
    )
    guesses = [found.estimate(released[:«JUDGED»])]
    if name == "rotation":  # lengths, and all rows laid over the sample
        nobody = known_input.attack(private[:0], released)
        guesses += known_input.KnowsOthers(nobody, sample, {usual}).guesses(slice(0, «JUDGED»){reach})
    else:
        knows = known_input.KnowsSample(sample, COLUMNS, fresh=name == "fresh", within={usual})
        guesses += knows.guesses(released, «JUDGED»{reach})
    truth = private[: len(guesses[0])]
    rates[name] = {best}
figures["hits"] = {"value": max(without, rates["one"]), "measured": rates["one"]}
figures["hits.fresh"] = {"value": rates["fresh"]}
figures["hits.rotation"] = {"value": max(without, rates["rotation"])}
print(json.dumps(figures, indent=1))
"""


def cells(scenario: RotationScenario, own: Dataset | None = None) -> tuple[list[Cell], RotationScenario]:
    """The cells, and the scenario that fits the data."""
    model = load(fetch(scenario, own), scenario)
    fitted = model.fit_to_data(scenario)
    s, story = fitted.settings, fitted.view.story
    shown = dict(
        COLUMNS=list(model.records.names), MOST=SHIFTED if s.shifted else MOST, POOL=MOST, SEED=fitted.seed,
        CLUSTERED=CLUSTERED, NEAREST=NEAREST, CLUSTERS=s.clusters, EPS=s.eps, KIND=s.kind, JUDGED=JUDGED,
        KNOWN=list(not_none(s.known)), SHIFTED=s.shifted, SAMPLE=s.sample, BLOCK=s.block, METHOD=s.method, PAIRS=PAIRS,
        USUAL=USUAL["value"],
        SAMPLES=model.sample.samples(not_none(s.sample)), DIMENSIONS=s.dimensions, PROJECTED=PROJECTED, FRESH=FRESH,
    )  # fmt: skip
    scaled = "(table - table.mean(axis=0)) / sd" if s.standardised else "table"
    shift = "length" if s.shifted else "0.0"
    release = RELEASE.replace("{length}\n", LENGTH if s.shifted else "").replace("{shift}", shift)
    made = [
        Cell("One half of the data is private and released; samples come from the other half.",
             DATA.replace("{data}", dataset_code(fitted)).replace("{scaled}", scaled)),
        Cell("All records are turned by one secret rotation, and shuffled.", release),
    ]  # fmt: skip
    if story == "kept":
        made.append(Cell("What an honest analyst finds in both.", KEPT))
    else:
        scale = "sd" if s.standardised else "1.0"
        judge = JUDGE.replace("{scale}", scale) + (BY_VALUE if s.kind == "value" else BY_RECORD) + WITHOUT
        made.append(Cell("What counts as a hit, and what guessing a constant hits.", judge))
        made.append(_attack(story, s, shift))
    return [Cell(cell.text, filled(cell.code, **shown)) for cell in made], fitted


def _sample(settings: Settings) -> str:
    """The competitor's attack; the improved one goes beyond axes."""
    by_value = settings.kind == "value"
    usual, reach = (", «USUAL» / EPS * reach", ", reach") if by_value else ("", "")
    told = BEYOND.replace("{usual}", usual).replace("{reach}", reach) if settings.method == "improved" else ""
    return SAMPLE.replace("{beyond}\n", told).replace("{best}", BEST[by_value])


def _remedy(settings: Settings) -> str:
    """The competitor's attacks on projections, and on a rotation beside them."""
    by_value = settings.kind == "value"
    usual, reach = ("«USUAL» / EPS * reach", ", within=reach") if by_value else ("None", "")
    best = BEST[by_value].replace("true)", "truth)").replace("hits(one)", "hits(one, truth)")
    return REMEDY.replace("{usual}", usual).replace("{reach}", reach).replace("{best}", best)


def _attack(story: str, settings: Settings, shift: str) -> Cell:
    if story == "sample":
        return Cell("A competitor matches the principal axes of a sample with those of the release.", _sample(settings))
    if story == "remedy":
        return Cell("A random projection instead of a rotation: one matrix for all, or a fresh one.", _remedy(settings))
    ending = CHANCES.replace("{shift}", shift) if settings.kind == "value" else UNTOLD
    known = KNOWN.replace("{norms}", "norms" if settings.shifted else "None")
    return Cell("An insider finds the known records by distances alone; what that tells of all others.", known + ending)
