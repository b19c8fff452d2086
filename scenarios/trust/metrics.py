"""The figures of the Trust page: all that its headline and its cards say, over all rows."""

from collections.abc import Iterator

from trustscope.datasets import Dataset
from trustscope.scenarios import measures
from trustscope.scenarios.cards import tables_of
from trustscope.scenarios.metrics import SHARE, Metric, Metrics, with_headline
from trustscope.scenarios.models import make_model
from trustscope.scenarios.solve.required import on_trust
from trustscope.scenarios.trust import differential
from trustscope.scenarios.trust.attacked import attacked
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.result import ENOUGH, AttackResult, TrustResult
from trustscope.scenarios.trust.run import Run
from trustscope.scenarios.trust.scenario import ATTACKERS, MEASURES, TrustScenario
from trustscope.scenarios.trust.verdict import errors, headline, hits
from trustscope.scenarios.trust.words import subject_of
from trustscope.scenarios.value import not_none
from trustscope.scenarios.whole import Cancel, Loaded, Progress, Whole, last
from trustscope.schemes import adjective

VIEWS = ("everyone", "closeness", "coalitions", "attackers", "usefulness", "spectrum")


def whole(
    scenario: TrustScenario, own: Dataset | None = None, *, complete: bool = False,
    progress: Progress | None = None, cancel: Cancel | None = None, loaded: Loaded | None = None,
) -> Whole:  # fmt: skip
    """The scenario over all rows, all views open; `complete` with the attackers that are not ticked."""
    data, model = loaded or make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    unticked = [name for name in MEASURES if name not in fitted.settings.attackers] if complete else []
    # Who is exposed is measured on many people, draw by draw: for a report alone.
    steps = model.stream(fitted, opened=(*VIEWS, "exposed") if complete else VIEWS, unticked=unticked)
    return Whole(fitted, data, model, last(steps, progress, cancel, lambda p: p.rows / p.total))


def figures_alone(scenario: TrustScenario, own: Dataset | None = None) -> Metrics:
    """What the page says without the tables of its cards."""
    data, model = make_model(scenario, own)
    fitted = model.fit_to_data(scenario)
    steps = model.stream(fitted, opened=("coalitions",))  # the view that has some of the figures
    return metrics_of(Whole(fitted, data, model, last(steps)), tables=False)


def metrics_of(found: Whole, tables: bool = True) -> Metrics:
    """What the page says of it."""
    picture, model = found.picture, found.model
    subject = subject_of(model.population, picture.settings.attribute)
    named = (
        *_figures(picture),
        *_measured(picture, model),
        *differential.figures(model, found.scenario),
        *on_trust(found),
    )
    every = tables_of("trust", picture, model) if tables else {}
    return with_headline("trust", headline(picture, subject), named, every)


def at_rest(model: Model, scenario: TrustScenario) -> tuple[Metric, ...] | None:
    """The figures that have closed forms, at once; None where something else is needed to tell who does best."""
    if not Run(model, scenario, model.rows, opened=(), at_once=True).closed:
        return None
    picture = model.at_rest(scenario.replace({"view.closer": ""}))
    told = tuple(_guesses(picture)) if picture.together else ()
    return (*told, *differential.figures(model, scenario))


# Figures


def _figures(picture: TrustResult) -> Iterator[Metric]:
    yield Metric("rows", "rows that were perturbed", picture.rows)
    if picture.together:
        yield from _guesses(picture)
    for name, result in picture.alone.items():
        yield _error(f"alone.error.{name}", f"error of the best copy alone, by one who {ATTACKERS[name]}", result)
    for name, result in picture.together.items():
        yield _error(f"coalition.error.{name}", f"error of the coalition, by one who {ATTACKERS[name]}", result)
        yield _hits(f"coalition.hits.{name}", f"hits of the coalition, by one who {ATTACKERS[name]}", result)
    if picture.rival is not None:
        scheme = picture.rival.attack.scheme
        label = f"error of the coalition if the noise were {adjective(scheme)}"
        yield _error(f"rival.error.{scheme}", label, picture.rival)
    for name, result in picture.unticked.items():
        yield _error(f"unticked.error.{name}", f"error of the coalition, by one who {ATTACKERS[name]}", result)
        yield _hits(f"unticked.hits.{name}", f"hits of the coalition, by one who {ATTACKERS[name]}", result)
    if picture.joining is not None:
        for scheme, rates in picture.joining.rates.items():
            yield Metric(f"pooled.{scheme}", f"hits when all of them pool, {adjective(scheme)} noise", rates[-1], SHARE)
    yield from _explained(picture)


def _guesses(picture: TrustResult) -> Iterator[Metric]:
    """The numbers of the headline, over the attackers that are ticked."""
    found, (alone, together) = hits(picture), errors(picture)
    yield Metric("hits.without", "hits by the best constant guess, without any copy", found.without, SHARE)
    yield Metric("hits.alone", "hits with the best copy alone", found.alone, SHARE)
    yield Metric("hits.together", "hits when the coalition pools", found.together, SHARE)
    yield Metric("alone.error", "least mean square error with the best copy alone (guessing the average: 1)", alone)
    yield Metric("coalition.error", "least mean square error of the coalition (guessing the average: 1)", together)


def _explained(picture: TrustResult) -> Iterator[Metric]:
    """What each recipient, and everybody together, can explain of the variance."""
    scheme, found = picture.settings.scheme, not_none(picture.coalitions)
    for place, recipient in enumerate(picture.settings.recipients):
        value = 1 - float(found[scheme if scheme in found else "nested"][1 << place])
        label = f"share of the variance that {recipient.name} alone explains"
        yield Metric(f"share.{recipient.name}", label, value, SHARE)
    for one, every in found.items():
        label = f"share of the variance that all explain, {adjective(one)} noise"
        yield Metric(f"everybody.{one}", label, 1 - float(every[-1]), SHARE)


def _measured(picture: TrustResult, model: Model) -> Iterator[Metric]:
    """Measures that were registered, of the guesses that the coalition's ticked attackers make."""
    if not picture.together:
        return
    for attacker in picture.settings.attackers if measures.registered() else ():
        for name, value in attacked(model, picture.settings, attacker).measures.items():
            record = measures.of(name)
            label = f"{record.title[0].lower()}{record.title[1:]} of the coalition, by one who {ATTACKERS[attacker]}"
            yield Metric(f"coalition.{name}.{attacker}", label, value, record.unit)


def _error(name: str, label: str, result: AttackResult) -> Metric:
    return Metric(
        name, f"mean square {label}", result.error, theory=result.theory, measured=result.tally.error,
        tolerance=result.tolerance, agrees=result.agrees,
    )  # fmt: skip


def _hits(name: str, label: str, result: AttackResult) -> Metric:
    theory, measured = result.theory_breach, result.tally.breach_rate
    agrees = None
    if theory is not None and result.tally.rows >= ENOUGH:
        agrees = bool(abs(measured - theory) <= result.hits_tolerance)
    return Metric(name, label, result.hits, SHARE, theory, measured, result.hits_tolerance, agrees)
