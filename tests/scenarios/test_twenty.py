"""Twenty people beside the one: the same ones, with their real copies, and as many caught as the shares say."""

import numpy as np
import pytest
from scipy import stats

from trustscope.app.cards import draw_file
from trustscope.app.categories.pictures import PersonView as CategoriesPersonView
from trustscope.app.rotation.stage import VIEWS
from trustscope.app.survey.views import TargetView
from trustscope.app.trust.pictures import PersonView
from trustscope.engine.attacks import posterior
from trustscope.scenarios.cards import cards_of
from trustscope.scenarios.categories.loading import fetch as fetch_categories
from trustscope.scenarios.categories.loading import load as load_categories
from trustscope.scenarios.categories.scenario import SCHEMES as DRAWN
from trustscope.scenarios.categories.scenario import CategoriesScenario, retentions
from trustscope.scenarios.coalition import recipients
from trustscope.scenarios.rotation.loading import fetch as fetch_rotation
from trustscope.scenarios.rotation.loading import load as load_rotation
from trustscope.scenarios.rotation.scenario import RotationScenario
from trustscope.scenarios.survey.loading import fetch as fetch_survey
from trustscope.scenarios.survey.loading import load as load_survey
from trustscope.scenarios.survey.scenario import SurveyScenario
from trustscope.scenarios.survey.twenty import Respondents
from trustscope.scenarios.survey.verdict import guess_in_force
from trustscope.scenarios.trust.judge import judged
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.model import Model
from trustscope.scenarios.trust.scenario import SCHEMES, TrustScenario
from trustscope.scenarios.trust.twenty import Copies, Guesser, chosen
from trustscope.scenarios.twenty import MANY, nearest_group
from trustscope.widgets.controls.download import PictureOptions


@pytest.fixture(scope="module")
def census():
    model = load(fetch(TrustScenario()), TrustScenario())
    return model, model.fit_to_data(TrustScenario())


def test_they_are_the_same_while_anything_is_dragged(census):
    model, opened = census
    first = model.preview(opened).twenty
    assert len(set(first.numbers.tolist())) == MANY
    for changes in (
        {"settings.recipients": recipients(70, 20)}, {"settings.scheme": "nested"}, {"settings.eps": 9.0},
        {"settings.similarity": 0.3}, {"settings.attackers": ("perfect",)}, {"view.person": 5},
    ):  # fmt: skip
        other = model.preview(opened.replace(changes)).twenty
        np.testing.assert_array_equal(other.numbers, first.numbers)
        np.testing.assert_array_equal(other.truth, first.truth)
    assert model.preview(opened.replace({"settings.kind": "euclidean", "settings.eps": 0.2})).twenty is None


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
    law = stats.multivariate_normal(np.zeros(3), left + noise.shape)
    starts = others[:, None]
    inside = (starts <= others) & (others <= starts + 2 * eps)  # of each window, whom it holds
    for row, guess in zip(y, found, strict=True):
        density = law.pdf(row - mean - np.outer(others - mean[0], k[:, 0] / k[0, 0]))
        mine = density[np.abs(others - guess) <= eps * (1 + 1e-9)].sum()
        assert mine == pytest.approx((inside @ density).max(), rel=1e-9)


def test_whoever_has_a_value_of_nobody_known_is_guessed_by_where_the_copy_lies():
    """All others have 0 or 30. Within 8 all windows that hold 30 are equally good, and few of them hold 40."""
    guesser = Guesser(Model(np.repeat([[30.0], [0.0]], 500, axis=0), "a", 3).population, 0)
    found = guesser.windows(40.0 + np.linspace(-2, 2, 9)[:, None], np.array([[1.0]]), 8.0)
    assert (np.abs(found - 40) <= 8).all()
    assert (np.abs(found - 30) <= 8 * (1 + 1e-9)).all()


def test_as_many_are_caught_as_the_shares_say(census):
    """Within two of twenty at the opening and elsewhere on the slider; most groups that are drawn are not."""
    model, opened = census
    off = []
    opening, lessons = ((50, 45, 40, 40, 35, 35),), ((40, 40), (40,) * 6, (60, 40, 30))
    for trusts in (*opening, *lessons, (70, 30, 20), (25, 25), (60, 50, 40, 30)):
        scenario = opened.replace({"settings.recipients": recipients(*trusts)})
        settings, seen = scenario.settings, judged(model, scenario.settings, wait=False)
        found = model.preview(scenario).twenty
        for lit, who in ((found.before, (settings.best,)), (found.after, settings.coalition)):
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
    scenario = TrustScenario().replace(
        {"settings.attackers": ("perfect",)}
    )  # whoever attacks, the same people are shown
    assert model.preview(model.fit_to_data(scenario)).twenty is None


@pytest.mark.parametrize("members", [1, 6])
def test_dots_sentence_and_table_agree(census, members):
    model, opened = census
    who = tuple(r.replace({"member": place < members}) for place, r in enumerate(opened.settings.recipients))
    picture = model.preview(opened.replace({"settings.recipients": who}))
    card, view = cards_of("trust")["twenty"], PersonView()
    view.show_twenty(picture, model)
    people = view.twenty
    table, said = card.table(picture, model), card.caption(picture, model)
    lit = {row.name: sum(row.lit) for row in people.rows}
    assert lit == {name: int(table[name].sum()) for name in list(table)[2:]}
    assert len(lit) == min(members, 2)
    assert all(f"<b>{number}</b>" in said for number in lit.values())
    assert people.__panel__().object.count('class="lit"') == sum(lit.values())
    view.show_twenty(picture, model, wanted=False)
    assert not people.__panel__().visible


# Categories


@pytest.fixture(scope="module")
def patients():
    model = load_categories(fetch_categories(CategoriesScenario()), CategoriesScenario())
    return model, model.fit_to_data(CategoriesScenario())


@pytest.mark.parametrize("known", [(), ("Ward",)])
@pytest.mark.parametrize("scheme", DRAWN)
def test_whose_value_is_guessed_is_what_the_posterior_of_their_copies_says(patients, scheme, known):
    """Person by person, slowly: the value that is believed most, of the copies as everybody's are drawn."""
    model, opened = patients
    scenario = opened.replace({"settings.scheme": scheme, "settings.known": known})
    found, settings = model.preview(scenario).twenty, scenario.settings
    side, first = model.side(settings), settings.first
    assert (side is None) == (not known)
    copies = {r: model.copy(r, scheme, 0, len(model.codes), first=first) for r in settings.recipients}
    for place, number in enumerate(found.numbers):
        row = model.place(int(number))
        prior = model.shares if side is None else side.of(row)
        for lit, who in ((found.before, (settings.best,)), (found.after, settings.coalition)):
            held = [int(copies[r][row]) for r in who]
            belief = posterior.belief(held, retentions(who), model.size, scheme=scheme, prior=prior)
            assert lit[place] == (belief.argmax() == model.codes[row])


def test_as_many_values_are_guessed_as_the_shares_say(patients):
    model, opened = patients
    numbers = set()
    for trusts in ((30, 25, 25, 20, 20, 20), (50, 20), (25, 25), (40, 30, 20)):
        picture = model.preview(opened.replace({"settings.recipients": recipients(*trusts)}))
        numbers.add(tuple(picture.twenty.numbers))
        for lit, insight in ((picture.twenty.before, picture.joining.alone),
                             (picture.twenty.after, picture.joining.last("independent"))):  # fmt: skip
            assert abs(lit.sum() - MANY * insight.right) < (1.0 if trusts[1:] == (25, 25, 20, 20, 20) else 3.0)
    assert len(numbers) == 1


def test_dots_of_categories_are_those_of_the_card(patients):
    model, opened = patients
    picture, view = model.preview(opened), CategoriesPersonView()
    view.show_twenty(picture, model)
    people = view.twenty
    table, said = (part(picture, model) for part in (cards_of("categories")["twenty"].table,
                                                     cards_of("categories")["twenty"].caption))  # fmt: skip
    assert [sum(row.lit) for row in people.rows] == [int(table[name].sum()) for name in list(table)[2:]]
    assert all(f"<b>{sum(row.lit)}</b>" in said for row in people.rows)
    assert model.preview(opened.replace({"settings.recipients": recipients(30)})).twenty.before.any()


@pytest.mark.parametrize("person_as", ["belief", "path"])
def test_they_are_taken_along_with_the_person_where_they_are_seen(census, person_as):
    model, opened = census
    picture = model.preview(opened.replace({"view.person_as": person_as}))
    view = PersonView()
    view.show_picture(picture, model)
    seen, table = person_as == "belief", view.taken.table()
    assert ("Twenty people: person" in table) == seen
    if seen:
        assert table["Twenty people: together"].sum() == picture.twenty.after.sum()
        assert list(table)[: view.taken.own.shape[1]] == list(view.taken.own)
    file = draw_file("svg", PictureOptions(), view.taken.card, view.taken.own, None, view.taken.below)["svg"]
    assert ("people, always in the same order" in file) == seen


# Rotation


@pytest.fixture(scope="module")
def turned():
    model = load_rotation(fetch_rotation(RotationScenario()), RotationScenario())
    return model, model.fit_to_data(RotationScenario())


def rotated(turned, story, **settings):
    """The first picture of a story with all its figures."""
    model, opened = turned
    changes = {f"settings.{name}": value for name, value in settings.items()}
    scenario = model.fit_to_data(opened.replace({"view.story": story, **changes}))
    return next(picture for picture in model.passes(scenario) if not picture.waiting)


@pytest.mark.parametrize("story", ["known", "sample", "remedy"])
def test_as_many_values_are_recovered_as_the_headline_says(turned, story):
    picture = rotated(turned, story)
    assert abs(picture.twenty.before.sum() - MANY * picture.without.rate) < 1.0
    assert abs(picture.twenty.after.sum() - MANY * picture.found) < 1.0


def test_values_are_the_same_while_the_insider_learns_and_fewer_people_tell_less(turned):
    model, _ = turned
    every = [rotated(turned, "known", known=model.usual_order[:number]) for number in (2, 8, 16)]
    caught = [int(picture.twenty.after.sum()) for picture in every]
    assert caught == sorted(caught)
    assert caught[-1] == MANY  # as many known people as there are values undo the rotation
    assert len({(*picture.twenty.numbers, *picture.twenty.truth) for picture in every}) == 1
    known = {model.records.place(number) for number in model.usual_order[: model.most_known]}
    assert not known & set(model.cells("value").places.tolist())


@pytest.mark.parametrize("kind", ["value", "cosine"])
def test_a_dot_is_lit_where_the_competitors_estimate_is_close(turned, kind):
    model, _ = turned
    picture, cells = rotated(turned, "sample", kind=kind, eps=None), model.cells(kind)
    for lit, place, column in zip(picture.twenty.after, cells.places, cells.columns, strict=True):
        true, guess = model.records.private[place], picture.estimate[place]
        cosine = true @ guess / np.sqrt(true @ true * (guess @ guess))
        close = abs(guess[column] - true[column]) <= 0.25 if kind == "value" else 1 - cosine <= picture.settings.eps
        assert lit == close


def test_who_would_do_better_by_guessing_guesses(turned):
    picture = rotated(turned, "sample", sample=6)
    assert picture.hits.rate < picture.without.rate
    np.testing.assert_array_equal(picture.twenty.after, picture.twenty.before)


# Survey


@pytest.fixture(scope="module")
def voters():
    model = load_survey(fetch_survey(SurveyScenario()), SurveyScenario())
    return model, model.fit_to_data(SurveyScenario())


@pytest.mark.parametrize("asked", [
    {}, {"settings.miner": "outright"}, {"settings.miner": "outright", "settings.extra_check": True},
    {"settings.miner": "hidden", "settings.extra_check": True},
])  # fmt: skip
def test_as_many_answers_are_guessed_as_the_headline_of_a_survey_says(voters, asked):
    model, opened = voters
    (*_, picture) = model.passes(opened.replace(asked), None)
    frame = picture.frame
    assert abs(frame.twenty.before.sum() - MANY * frame.target.by_class) < 1.0
    assert abs(frame.twenty.after.sum() - MANY * guess_in_force(frame)) < 1.0


def test_whose_answer_is_guessed_is_what_bayes_rule_says_of_what_they_send(voters):
    """One respondent after the other, slowly: the chance of what was sent under every tuple of the same class."""
    model, opened = voters
    people, question = model.people, model.people.index(opened.settings.target)
    who = Respondents(people, question, np.arange(12), 5)
    rng = np.random.default_rng(1)
    basis = np.linalg.qr(rng.normal(size=(people.encoding.dimension, 3)))[0]
    bits, luck = people.encoding.bits_of(question), who.luck

    def chance(row):
        return np.minimum((basis @ (basis.T @ people.tuples[row])) ** 2, 1.0)

    for place, lit in enumerate(who.by_sent(basis)):
        sent = luck[place] < chance(place)
        weight = np.zeros(len(people.tuples[0][bits]))
        for row in np.flatnonzero(people.classes[: len(people.law)] == people.classes[place]):
            weight += np.prod(np.where(sent, chance(row), 1 - chance(row))) * people.tuples[row][bits]
        assert lit == (weight.argmax() == people.codes[place, question])


@pytest.mark.parametrize("page", ["rotation", "survey"])
def test_dots_of_other_pages_are_taken_along_with_their_card(page, turned, voters):
    if page == "rotation":
        model, picture, view = turned[0], rotated(turned, "sample"), VIEWS["by_attribute"]()
    else:
        model, view = voters[0], TargetView()
        picture = model.preview(voters[1], None)
    view.show_picture(picture, model)
    (card, table), taken = view.taken.below, view.taken
    said, lit = card.caption(picture, model), [sum(row.lit) for row in view.twenty.rows]
    assert len(lit) == 2
    assert lit == [int(table[row.name].sum()) for row in view.twenty.rows]
    assert all(f"<b>{number}</b>" in said for number in lit)
    assert f"{card.title}: {view.twenty.rows[1].name}" in taken.table()
    assert (
        "always in the same order"
        in draw_file("svg", PictureOptions(), taken.card, taken.own, None, taken.below)["svg"]
    )
