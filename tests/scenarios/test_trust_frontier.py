"""The trade-off and the map of the Trust page, held against slow versions, and against copies that are really made."""

import numpy as np
import pytest

from tests.scenarios.slow import joint_error
from trustscope import datasets
from trustscope.engine import keys
from trustscope.engine.attacks.combining import effective_levels
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust import closed, frontier, map
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import LEVELS, TrustScenario, levels


@pytest.fixture(scope="module")
def model():
    data = datasets.load("census")
    return Model(data.frame[list(data.numeric[:2])].to_numpy(float)[:20_000], data.numeric[:2], 12)


@pytest.fixture(scope="module")
def wine():
    data = datasets.load("wine")
    made = Model(data.frame[list(data.numeric[:5])].to_numpy(float), data.numeric[:5], 12)
    return made, data.frame[data.label].to_numpy()[made.population.order]


def scenario(model, **changes):
    # By the linear attacker, whose figures have closed forms.
    asked = {"settings.attackers": ("perfect",)} | {key.replace("__", "."): value for key, value in changes.items()}
    return model.fit_to_data(TrustScenario().replace(asked))


# Figures for many levels at once


@pytest.mark.parametrize("scheme", ["nested", "independent", "proportional"])
def test_levels_of_many_coalitions_at_once(scheme):
    rng = keys.rng(3, "levels")
    many = rng.choice([0.0, 0.1, 1.0, 1.0, 3.0], (60, 4))
    many[rng.random((60, 4)) < 0.3] = np.inf
    found = effective_levels(many, scheme)
    for row, one in zip(many, found, strict=True):
        there = row[np.isfinite(row)]
        if not len(there):
            assert np.isinf(one)
            continue
        error = joint_error(there, scheme, np.eye(1), np.eye(1))
        assert one / (1 + one) == pytest.approx(error, abs=1e-7)


@pytest.mark.parametrize("similarity", [1.0, 0.4, 0.0, -1.0])
def test_errors_and_hits_are_those_of_the_page(wine, similarity):
    model, _ = wine
    noise = model.noise(similarity)
    who = recipients(70, 40, 20)
    for scheme in ("nested", "independent"):
        level = effective_levels([levels(who)], scheme)
        exact = joint_error(levels(who), scheme, model.population.covariance, noise.shape)
        assert closed.errors(noise, level)[0] == pytest.approx(exact, abs=1e-9)
        assert closed.learnt(noise, level, 50)[0] == pytest.approx(
            noise.error(who, scheme) + noise.excess(who, scheme, 50), abs=1e-9
        )
        for eps in (0.2, 0.8):
            slow = noise.breach(noise.perfect(who, scheme), 1, eps)
            assert closed.hits(noise, level, 1, eps)[0] == pytest.approx(slow, abs=0.02)


# The trade-off


@pytest.mark.parametrize("private", ["error", "hits"])
@pytest.mark.parametrize("scheme", ["nested", "independent"])
def test_privacy_is_what_attackers_leave(model, private, scheme):
    asked = scenario(model, settings__scheme=scheme, settings__eps=6.0, view__tradeoff__private=private)
    (found,) = frontier.frontier(model, asked)
    assert [line.name for line in found.lines] == ["nested", "independent"]
    for line in found.lines:
        for point in line.points[9::30]:
            settings = point.scenario.settings
            assert settings.scheme == line.name
            *_, picture = model.stream(point.scenario.replace({"view.closer": ""}))
            result = picture.together["perfect"]
            if private == "error":
                assert abs(point.private - result.tally.error) <= result.tolerance
            else:
                measured = 1 - max(result.tally.breach_rate, picture.baseline.rate)
                assert abs(point.private - measured) <= result.hits_tolerance + 0.005
    on_line = next(line for line in found.lines if line.name == scheme)
    same = [p for p in on_line.points if p.scenario.settings == asked.settings]
    assert len(same) == 1
    assert (same[0].useful, same[0].private) == pytest.approx((found.present.useful, found.present.private))
    assert found.present.scenario == asked


def test_usefulness_is_what_copies_really_give(model):
    people = model.population
    a = 0
    for trust in (20, 50, 90):
        copy = model.noise().path.copy(LEVELS[trust], 0, people.rows)[:, a]
        asked = scenario(model, settings__recipients=recipients(trust, 10))
        ends = frontier.Ends(model)

        def useful(measure, asked=asked, ends=ends):
            return ends.useful(asked.replace({"view.tradeoff.useful": measure}), [asked.settings.recipients])[0]

        assert useful("values") == pytest.approx(np.corrcoef(copy, people.values[:, a])[0, 1] ** 2, abs=0.02)
        edges = [-np.inf, *people.bin_edges(a), np.inf]
        before, after = (np.histogram(one, edges)[0] / people.rows for one in (people.values[:, a], copy))
        assert useful("histogram") == pytest.approx(np.minimum(before, after).sum(), abs=0.02)
        # Within four standard errors: a false alarm in 16 000.
        assert abs(copy.mean() - people.mean[a]) <= 4 * useful("mean")
        assert useful("mean") == pytest.approx(np.std(copy - people.values[:, a]) / np.sqrt(people.rows), rel=0.03)


def test_nested_is_never_less_private_and_less_noise_never_more(model):
    for private in ("error", "hits"):
        (found,) = frontier.frontier(model, scenario(model, view__tradeoff__private=private))
        nested, independent = (np.array([p.private for p in line.points]) for line in found.lines)
        assert (nested >= independent - 1e-9).all()
        assert (np.diff(nested) <= 1e-9).all()


def test_classifiers_come_one_by_one_and_are_remembered(wine):
    model, labels = wine
    asked = scenario(model, view__tradeoff__useful="tree")
    steps = list(frontier.frontier(model, asked, labels, "label"))
    known = [sum(np.isfinite(p.useful) for p in step.lines[0].points) for step in steps]
    assert known == sorted(known)
    assert known[0] == 0
    assert known[-1] == len(steps[-1].lines[0].points)
    assert steps[-1].complete
    assert not steps[0].complete
    assert np.isfinite(steps[-1].present.useful)
    accuracy = [p.useful for p in steps[-1].lines[0].points]
    assert accuracy[-1] > accuracy[0] + 0.1  # trained on noise it is worse
    again = list(frontier.frontier(model, asked, labels, "label"))
    assert all(step.lines[0].points[-1].useful == accuracy[-1] for step in again)  # nothing is trained anew


def test_kept_scenarios_are_drawn_beside(model):
    asked = scenario(model)
    kept = asked.replace({"settings.scheme": "nested", "settings.recipients": recipients(80, 10)})
    (found,) = frontier.frontier(model, asked, kept=[("mine", kept)])
    ((name, point),) = found.kept
    assert name == "mine"
    assert point.scenario == kept
    assert point.private == pytest.approx(0.2)


def test_holders_of_the_original_leave_nothing(model):
    asked = scenario(model, settings__recipients=recipients(100, 30))
    (found,) = frontier.frontier(model, asked)
    assert all(p.private == 0 for line in found.lines for p in line.points)
    assert "holds the original" in found.note
    (nobody,) = frontier.frontier(model, asked.replace({"settings.recipients": (
        recipients(50)[0].replace({"member": False}),)}))  # fmt: skip
    assert all(p.private == 1 for line in nobody.lines for p in line.points)


# The map


AXES = [("trust", "recipients"), ("similarity", "trust"), ("eps", "recipients"), ("trust", "eps"), ("sample", "trust")]


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("figure", list(map.FIGURES))
def test_every_place_is_what_the_page_would_say_there(wine, axes, figure):
    model, _ = wine
    asked = scenario(model, view__map__figure=figure, view__map__across=axes[0], view__map__upwards=axes[1],
                     settings__sample=50)  # fmt: skip
    found = map.grid(model, asked, 0.4)
    assert found.values.shape == (len(found.upwards.values), len(found.across.values))
    assert found.limit == 0.4
    rng = keys.rng(4, "map", figure, *axes)
    for _ in range(12):
        row, column = (int(rng.integers(size)) for size in found.values.shape)
        there = map.placed(asked, {found.across.key: found.across.values[column],
                                   found.upwards.key: found.upwards.values[row]})  # fmt: skip
        assert found.values[row, column] == pytest.approx(_page(model, there, figure), abs=0.02), there.settings


def _page(model, asked, figure):
    """What the page itself would compute there."""
    settings = asked.settings
    noise, who, scheme = model.noise(settings.similarity), settings.coalition, settings.scheme
    if figure == "explained":
        return 1 - noise.error(who, scheme)
    if figure == "learnt":
        return 1 - min(noise.error(who, scheme) + noise.excess(who, scheme, min(settings.sample, model.rows)), 1)
    a = model.population.index(settings.attribute)
    without = model.constants.best(a, settings.eps, "absolute").rate
    rates = [
        max(without, noise.breach(noise.perfect(some, scheme), a, settings.eps)) for some in (who, [settings.best])
    ]
    return rates[0] if figure == "hits" else max(rates[0] - rates[1], 0)


def test_the_ring_stands_where_the_scenario_does(model):
    found = map.grid(model, scenario(model))
    column, row = found.here
    assert np.interp(column, range(40), found.across.values) == pytest.approx(50)
    assert found.upwards.values[int(row)] == 6


def test_whole_records_have_no_map_of_hits(model):
    asked = scenario(model, settings__kind="euclidean", view__map__figure="hits", view__map__across="eps")
    figures_offered, axes = map.offered(model, asked)
    assert "hits" not in figures_offered
    assert "eps" not in axes
    assert map.grid(model, asked).figure is map.FIGURES["explained"]
