"""Twenty people beside the one: the same ones, with their real copies, and as many caught as the shares say."""

import numpy as np
import pytest
from scipy import stats

from trustscope.app.cards import drawn
from trustscope.app.trust.pictures import PersonView
from trustscope.app.twenty import show_twenty
from trustscope.engine.attacks import posterior
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories.loading import fetch as fetch_categories
from trustscope.scenarios.categories.loading import load as load_categories
from trustscope.scenarios.categories.scenario import SCHEMES as DRAWN
from trustscope.scenarios.categories.scenario import CategoriesScenario, retentions
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.trust.judge import judged
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import SCHEMES, TrustScenario
from trustscope.scenarios.trust.twenty import Copies, Guesser, chosen
from trustscope.scenarios.twenty import MANY, nearest_group
from trustscope.widgets.twenty import People


@pytest.fixture(scope="module")
def census():
    model = load(fetch(TrustScenario()), TrustScenario())
    return model, model.fitted(TrustScenario())


def test_they_are_the_same_while_anything_is_dragged(census):
    model, opened = census
    first = model.preview(opened).twenty
    assert len(set(first.numbers.tolist())) == MANY
    for changes in (
        {"settings.recipients": recipients(70, 20)}, {"settings.scheme": "nested"}, {"settings.eps": 9.0},
        {"settings.similarity": 0.3}, {"settings.attackers": ("perfect",)}, {"view.person": 5},
    ):  # fmt: skip
        other = model.preview(opened.having(changes)).twenty
        np.testing.assert_array_equal(other.numbers, first.numbers)
        np.testing.assert_array_equal(other.truth, first.truth)
    assert model.preview(opened.having({"settings.kind": "euclidean", "settings.eps": 0.2})).twenty is None


@pytest.mark.parametrize("similarity", [1.0, 0.3])
@pytest.mark.parametrize("scheme", [*SCHEMES, "half_nested"])
@pytest.mark.usefixtures("half_nested")
@pytest.mark.parametrize("trusts", [(50, 45, 45), (20, 63, 99), (100, 30, 1)])
def test_their_copies_are_those_of_everybody(census, trusts, scheme, similarity):
    model, _ = census
    noise, who = model.noise(similarity), recipients(*trusts)
    rows = chosen(model.noise(), 0, model.seed)
    mine = Copies(noise, rows, 0)
    for r in who:
        everybody = noise.copy(r, scheme, 0, int(rows[-1]) + 1, among=who)
        np.testing.assert_allclose(mine.copy(r, scheme, who), everybody[rows], rtol=1e-9, atol=1e-9)


def test_the_guess_is_the_window_that_a_slow_posterior_holds_most_of():
    """Value by value of the other people: the density of the copy given it, and all windows that begin at one."""
    rng = np.random.default_rng(4)
    age = np.round(rng.gamma(4, 11, 2_000))
    people = Model(np.column_stack([age, 0.4 * age + rng.normal(0, 9, 2_000), rng.normal(size=2_000)]), "abc", 3)
    noise, eps = people.noise(0.2), 6.0
    guesser, population = Guesser(people.population, 0), people.population
    y = population.values[:25] + noise.path.noise(1.0, 0, 25)
    found = guesser.windows(y, noise.shape, eps)
    mean, k = population.mean, population.covariance
    left = k - np.outer(k[:, 0], k[0]) / k[0, 0]
    others = np.sort(population.values[200:712, 0])
    for row, guess in zip(y, found, strict=True):
        density = [stats.multivariate_normal(mean + k[:, 0] / k[0, 0] * (v - mean[0]), left + noise.shape).pdf(row)
                   for v in others]  # fmt: skip
        held = [
            sum(d for v, d in zip(others, density, strict=True) if start <= v <= start + 2 * eps) for start in others
        ]
        mine = sum(d for v, d in zip(others, density, strict=True) if abs(v - guess) <= eps * (1 + 1e-9))
        assert mine == pytest.approx(max(held), rel=1e-9)


def test_as_many_are_caught_as_the_shares_say(census):
    """Within two of twenty at the opening and elsewhere on the slider; most groups that are drawn are not."""
    model, opened = census
    off = []
    opening, lessons = ((50, 45, 40, 40, 35, 35),), ((40, 40), (40,) * 6, (60, 40, 30))
    for trusts in (*opening, *lessons, (70, 30, 20), (25, 25), (60, 50, 40, 30)):
        scenario = opened.having({"settings.recipients": recipients(*trusts)})
        settings, seen = scenario.settings, judged(model, scenario.settings, wait=False)
        found = model.preview(scenario).twenty
        for lit, who in ((found.alone, (settings.best,)), (found.together, settings.coalition)):
            expected = float(seen.hits_at(model.noise().level(who, settings.scheme), settings.eps))
            off.append(abs(lit.sum() - MANY * expected))
    assert max(off[:8]) < 1.0  # of the page as it opens, and of the first lessons
    assert max(off) < 3.0


def test_the_group_is_nearer_to_the_sample_than_groups_are():
    hits = np.random.default_rng(2).random((6, 200)) < np.linspace(0.2, 0.7, 6)[:, None]
    places = nearest_group(hits.astype(float), 7)
    assert len(set(places.tolist())) == MANY
    share = hits.mean(axis=1)
    mine = np.abs(hits[:, places].mean(axis=1) - share).max()
    drawn = np.random.default_rng(3).permuted(np.tile(np.arange(200), (400, 1)), axis=1)[:, :MANY]
    others = np.abs(hits[:, drawn].mean(axis=2) - share[:, None]).max(axis=0)
    assert mine < np.quantile(others, 0.02)


def test_small_tables_show_nobody():
    model = Model(np.random.default_rng(1).normal(size=(90, 2)), ["a", "b"], 3)
    assert model.preview(model.fitted(TrustScenario())).twenty is None


@pytest.mark.parametrize("members", [1, 6])
def test_dots_sentence_and_table_agree(census, members):
    model, opened = census
    who = tuple(r.having({"member": place < members}) for place, r in enumerate(opened.settings.recipients))
    picture = model.preview(opened.having({"settings.recipients": who}))
    card, people = cards_of("trust")["twenty"], People()
    show_twenty(people, "trust", picture, model)
    table, said = card.table(picture, model), card.caption(picture, model)
    lit = {row.name: sum(row.lit) for row in people.rows}
    assert lit == {name: int(table[name].sum()) for name in list(table)[2:]}
    assert len(lit) == min(members, 2)
    assert all(f"<b>{number}</b>" in said for number in lit.values())
    assert people.__panel__().object.count('class="lit"') == sum(lit.values())
    show_twenty(people, "trust", picture, model, believed=False)
    assert not people.__panel__().visible


# Categories


@pytest.fixture(scope="module")
def patients():
    model = load_categories(fetch_categories(CategoriesScenario()), CategoriesScenario())
    return model, model.fitted(CategoriesScenario())


@pytest.mark.parametrize("known", [(), ("Ward",)])
@pytest.mark.parametrize("scheme", DRAWN)
def test_whose_value_is_guessed_is_what_the_posterior_of_their_copies_says(patients, scheme, known):
    """Person by person, slowly: the value that is believed most, of the copies as everybody's are drawn."""
    model, opened = patients
    scenario = opened.having({"settings.scheme": scheme, "settings.known": known})
    found, settings = model.preview(scenario).twenty, scenario.settings
    side, first = model.side(settings), settings.first
    assert (side is None) == (not known)
    for place, number in enumerate(found.numbers):
        row = model.place(int(number))
        prior = model.shares if side is None else side.of(row)
        for lit, who in ((found.alone, (settings.best,)), (found.together, settings.coalition)):
            held = [int(model.copy(r, scheme, row, row + 1, first=first)[0]) for r in who]
            belief = posterior.belief(held, retentions(who), model.size, scheme=scheme, prior=prior)
            assert lit[place] == (belief.argmax() == model.codes[row])


def test_as_many_values_are_guessed_as_the_shares_say(patients):
    model, opened = patients
    numbers = set()
    for trusts in ((30, 25, 25, 20, 20, 20), (50, 20), (25, 25), (40, 30, 20)):
        picture = model.preview(opened.having({"settings.recipients": recipients(*trusts)}))
        numbers.add(tuple(picture.twenty.numbers))
        for lit, insight in ((picture.twenty.alone, picture.joining.alone),
                             (picture.twenty.together, picture.joining.last("independent"))):  # fmt: skip
            assert abs(lit.sum() - MANY * insight.right) < (1.0 if trusts[1:] == (25, 25, 20, 20, 20) else 3.0)
    assert len(numbers) == 1


def test_dots_of_categories_are_those_of_the_card(patients):
    model, opened = patients
    picture, people = model.preview(opened), People()
    show_twenty(people, "categories", picture, model)
    table, said = (part(picture, model) for part in (cards_of("categories")["twenty"].table,
                                                     cards_of("categories")["twenty"].caption))  # fmt: skip
    assert [sum(row.lit) for row in people.rows] == [int(table[name].sum()) for name in list(table)[2:]]
    assert all(f"<b>{sum(row.lit)}</b>" in said for row in people.rows)
    assert model.preview(opened.having({"settings.recipients": recipients(30)})).twenty.alone.any()


@pytest.mark.parametrize("person_as", ["belief", "path"])
def test_they_are_taken_along_with_the_person_where_they_are_seen(census, person_as):
    model, opened = census
    picture = model.preview(opened.having({"view.person_as": person_as}))
    view = PersonView()
    view.show(picture, model)
    seen, table = person_as == "belief", view.taken.table()
    assert ("Twenty people: person" in table) == seen
    if seen:
        assert table["Twenty people: together"].sum() == picture.twenty.together.sum()
        assert list(table)[: view.taken.own.shape[1]] == list(view.taken.own)
    file = drawn("svg", "light", view.taken.card, view.taken.own, None, view.taken.below)["svg"]
    assert ("people, always in the same order" in file) == seen
