"""The figures of the Rotation page: all that the headline and the cards of the open step say."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from trustscope.datasets import Dataset
from trustscope.scenarios.cards import tables_of
from trustscope.scenarios.metrics import SHARE, Metric, Metrics, with_headline
from trustscope.scenarios.models import make_model
from trustscope.scenarios.rotation.model import Model
from trustscope.scenarios.rotation.result import Kept, Known, Remedied, RotationResult, Sampled
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.rotation.verdict import headline
from trustscope.scenarios.rotation.words.common import agreement
from trustscope.scenarios.solve.required import on_rotation
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import Cancel, Loaded, Progress, Whole, last, stop

# The views of each step that are worked out only while they are open, and the parts of a picture that they fill.
FILLED = {
    "kept": {},
    "known": {"closeness": "closeness", "record": "one"},
    "sample": {"sizes": "curve", "when": "certainty", "record": "one"},
    "remedy": {"sides": "neighbours", "record": "one"},
}

# For figures alone: the view that has some of them, and after how many pictures there is nothing but curves over other
# numbers of known records or columns.
FIGURES = {"known": "closeness", "remedy": "sides"}
ENOUGH = {"known": 1, "remedy": 2}


def whole(
    scenario: RotationScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None, loaded: Loaded | None = None,
) -> Whole:  # fmt: skip
    """The open step, with every view of it."""
    data, model = loaded or make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    return Whole(fitted, data, model, step(model, fitted, progress, cancel))


def step(
    model: Model, scenario: RotationScenario, progress: Progress | None = None, cancel: Cancel | None = None
) -> RotationResult:
    """The picture of a step with every view of it; the model remembers what they share."""
    views = FILLED[scenario.view.story]
    steps = 1 + len(views)
    picture: RotationResult = last(model.passes(scenario.replace({"view.closer": ""})), cancel=cancel)
    for number, (view, part) in enumerate(views.items(), start=1):
        stop(cancel)
        if progress is not None:
            progress(number / steps, "")
        seen = last(model.passes(scenario.replace({"view.closer": view})), cancel=cancel)
        picture = replace(picture, **{part: getattr(seen, part)})
    return replace(picture, scenario=scenario)


def figures_alone(scenario: RotationScenario, own: Dataset | None = None) -> Metrics:
    """What the page says without the tables of its cards, whose curves take most of the time."""
    data, model = make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    story = fitted.view.story
    passes = model.passes(fitted.replace({"view.closer": FIGURES.get(story, "")}))
    picture = last(islice((one for one in passes if not one.waiting), ENOUGH.get(story)))
    return metrics_of(Whole(fitted, data, model, replace(picture, scenario=fitted)), tables=False)


def metrics_of(found: Whole, tables: bool = True) -> Metrics:
    """What the page says of it."""
    picture, model = found.picture, found.model
    named = (*_figures(picture, model), *on_rotation(found))
    every = tables_of("rotation", picture, model) if tables else {}
    return with_headline("rotation", headline(picture, model), named, every)


def _figures(picture: RotationResult, model: Model) -> Iterator[Metric]:
    yield Metric("story", "the step that is open", picture.view.story)
    yield Metric("released", "records that are released", model.records.rows)
    yield Metric("attributes", "attributes that are turned", model.records.columns)
    match picture:
        case Kept():
            yield from _kept(picture)
        case Known():
            yield from _known(picture)
        case Sampled():
            yield from _sampled(picture)
        case Remedied():
            yield from _remedied(picture)


def _kept(p: Kept) -> Iterator[Metric]:
    yield Metric(
        "distance.change", "largest change of a distance, in lengths of the longest record", p.distance_error,
        theory=0.0, measured=p.distance_error, tolerance=1e-9, agrees=p.exact,
    )  # fmt: skip
    yield Metric(
        "neighbours", f"share of the {p.nearest} nearest neighbours that are kept", p.neighbours, SHARE, theory=1.0,
        measured=p.neighbours, tolerance=0.0, agrees=p.neighbours == 1,
    )  # fmt: skip
    yield Metric("neighbours.chance", "the same in a release without any relation", p.by_chance, SHARE)
    for method, moved in p.moved.items():
        label = f"records that {method} puts into another cluster"
        yield Metric(f"moved.{method}", label, moved, "", 0.0, moved, 0.0, moved == 0)


def _known(p: Known) -> Iterator[Metric]:
    yield Metric("hits.without", "recovered by the best constant guess", p.without.rate, SHARE)
    yield Metric("hits", "recovered by the insider", p.found, SHARE)
    for guess, label in (("uniform", "any rotation that fits"), ("projection", "the projection")):
        yield _drawn(p, guess, label)
    if p.others is not None:
        yield Metric("hits.others", "hits by who also knows other people", p.means["others"], SHARE)
    yield Metric("known", "records that the insider knows", len(p.linked))
    yield Metric("linked", "of them found in the release", sum(p.linked.values()))
    yield Metric("freedom", "directions that are still free", p.attack.freedom)
    yield Metric("highest", "recovered of the most exposed record", p.highest, SHARE)


def _drawn(p: Known, guess: str, label: str) -> Metric:
    """The expected share of one kind of guess, beside what rotations that were drawn give."""
    name, value = f"hits.{guess}", p.means[guess]
    close = p.closeness
    if guess != "uniform" or not p.closed or close is None or close.drawn is None or len(close.drawn.tries) == 1:
        return Metric(name, f"expected hits by {label}", value, SHARE)
    state, _ = agreement(close.expected, close.drawn, close.rows)
    agrees = {"agrees": True, "differs": False}.get(state)
    return Metric(
        name, f"expected hits by {label}", value, SHARE, close.expected, close.drawn.mean, close.drawn.tolerance, agrees
    )


def _sampled(p: Sampled) -> Iterator[Metric]:
    yield Metric("hits.without", "recovered by the best constant guess", p.without.rate, SHARE)
    yield Metric("hits", "recovered by the competitor", p.found, SHARE, measured=p.hits.rate)
    yield Metric("sample", "records in the sample", p.settings.sample)
    others = not_none(p.others)
    yield Metric(
        "samples.mean", f"mean over {len(others.tries)} samples of this size", others.mean, SHARE,
        measured=others.mean, tolerance=others.error,
    )  # fmt: skip
    yield Metric("axes.right", "axes whose direction is right", int(p.right.sum()))
    yield Metric("axes", "axes", len(p.right))
    yield Metric("ratio", "least ratio of neighbouring eigenvalues of the sample", p.ratio)


def _remedied(p: Remedied) -> Iterator[Metric]:
    yield Metric("hits.without", "recovered by the best constant guess", p.without.rate, SHARE)
    yield Metric("hits", "recovered through one matrix for all", p.found, SHARE, measured=p.one_matrix.hits.rate)
    yield Metric("hits.fresh", "recovered where each record has a fresh matrix", p.fresh.hits.rate, SHARE)
    yield Metric("hits.rotation", "recovered from a plain rotation", p.rotated, SHARE, measured=p.rotation.rate)
    yield Metric(
        "matrices.mean", f"mean over {len(p.others.tries)} matrices", p.others.mean, SHARE, measured=p.others.mean,
        tolerance=p.others.error,
    )  # fmt: skip
    yield Metric("spread", "relative change of distances, one matrix for all", p.one_matrix.spread, SHARE)
    yield Metric("spread.fresh", "relative change of distances, a fresh matrix for each", p.fresh.spread, SHARE)
    for which, kept in p.neighbours.items():
        how = "one matrix for all" if which == "one" else "a fresh matrix for each"
        yield Metric(f"neighbours.{which}", f"share of nearest neighbours that are kept, {how}", kept, SHARE)
