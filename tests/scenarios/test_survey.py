"""What the Survey page computes and says, without a page."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trustscope import datasets
from trustscope.engine.measures import Disclosure
from trustscope.engine.survey import Encoding, hand_picked
from trustscope.scenarios.problem import Unusable
from trustscope.scenarios.scenario import OWN
from trustscope.scenarios.survey import loading, verdict, words
from trustscope.scenarios.survey.frame import KindFigures
from trustscope.scenarios.survey.inference import inferred
from trustscope.scenarios.survey.model import Model, Progress, own_codes
from trustscope.scenarios.survey.population import Population, population
from trustscope.scenarios.survey.rival import Rival, randomised
from trustscope.scenarios.survey.run import STEP, SurveyRun
from trustscope.scenarios.survey.scenario import END, START, Settings, SurveyScenario
from trustscope.scenarios.survey.target import GUESSES, guessed, knowing_nothing

VOTES = population(datasets.load("votes"), "Party")
FREEZE = "Physician fee freeze"
SETTINGS = Settings(target=FREEZE)


def levels(*found):
    """The usual kinds, each following so many."""
    return tuple(part.replace({"level": level}) for part, level in zip(START, found, strict=True))


@pytest.fixture(scope="module")
def frame():
    return SurveyRun(VOTES, SETTINGS).advance(400)


def test_the_votes_are_the_papers():
    assert (len(VOTES.encoding.questions), VOTES.encoding.dimension, len(VOTES.codes)) == (16, 32, 435)
    assert VOTES.names == ("Democrat", "Republican")
    assert VOTES.majority == pytest.approx(0.6138, abs=1e-3)
    assert VOTES.clear_accuracy == pytest.approx(0.9035, abs=0.005)  # with other answers drawn for the missing ones


def test_a_run_tells_the_story(frame):
    assert (frame.arrived, frame.received, frame.refused) == (400, 400, 0)
    assert frame.accuracy > 0.85
    assert frame.accuracies[1][0] == VOTES.majority
    assert frame.levels[1][0] > frame.levels[1][-1]
    shares = [figures.share for figures in frame.kinds]
    assert shares == sorted(shares)
    assert frame.disclosed == pytest.approx(np.dot([0.17, 0.56, 0.27], shares))
    assert [p.number for p in frame.people] == list(range(400, 390, -1))
    for person in frame.people:
        assert person.level <= (1, 3, 9)[person.kind]


def test_a_run_does_not_depend_on_its_steps(frame):
    run = SurveyRun(VOTES, SETTINGS)
    for count in (1, 2):
        run.advance(count)
    run.call(30)
    run.call(10)  # before those have come
    assert run.come().arrived == 43
    assert run.come().arrived == 43
    for count in (157, 200):
        stepped = run.advance(count)
    assert stepped.people == frame.people
    assert stepped.accuracy == frame.accuracy
    assert (stepped.basis == frame.basis).all()
    assert [k.share for k in stepped.kinds] == [k.share for k in frame.kinds]


def test_a_long_run_stays_small_and_ends():
    run = SurveyRun(VOTES, SETTINGS.replace({"update_every": 500}))
    frame = run.advance(END + 5_000)
    assert run.over
    assert frame.arrived == END
    assert len(frame.accuracies[0]) < 200
    assert len(frame.levels[0]) < 1_500
    assert run.advance(10).arrived == END


def test_what_a_long_survey_does_to_itself_is_said(frame):
    """Over 20 000 answers the level rises again, and one answer is all but asked outright."""
    long = SurveyRun(VOTES, SETTINGS).advance(20_000)
    assert long.levels[1][-1] > min(long.levels[1])
    assert "and rose again to" in words.level(long)
    assert "rose again" not in words.level(frame)
    assert "all but outright" in verdict.headline(long, VOTES).note
    assert "nobody picked it by hand" in words.guidance(long, VOTES, 12)
    assert "all but outright" not in verdict.headline(frame, VOTES).note
    worse = replace(frame, accuracies=((0, 150, 400), (0.6, 0.9, 0.85)), accuracy=0.85)
    told = verdict.headline(worse, VOTES).note
    assert "It was 90.0 % after 150 respondents, and has got worse since." in told


def test_the_bound_is_set_beside_what_it_bounds(frame):
    assert "hold here, but not always" in words.disclosure(frame, VOTES)
    failing = replace(frame, kinds=(replace(frame.kinds[0], bound=0.01), *frame.kinds[1:]))
    assert "fails</b> for fundamentalists." in words.disclosure(failing, VOTES)
    nobody = failing.settings.replace({"parts": (START[0].replace({"weight": 0}), *START[1:])})
    assert "fails" not in words.disclosure(replace(failing, settings=nobody), VOTES)


def test_better_and_worse_mean_beyond_chance(frame):
    def told(accuracy):
        return words.accuracy(frame, VOTES, Rival(0.4, 1.0, (400,), (accuracy,)))

    assert "no difference beyond chance" in told(frame.accuracy - frame.half)
    assert told(frame.accuracy - 2 * frame.half).endswith(": worse.")
    assert told(frame.accuracy + 2 * frame.half).endswith(": better.")


def test_signed_order_is_worse(frame):
    signed = SurveyRun(VOTES, SETTINGS.replace({"order": "signed"})).advance(400)
    assert signed.accuracy < frame.accuracy - 0.1


def test_a_malicious_miner_with_and_without_the_check():
    outright = SETTINGS.replace({"miner": "outright"})
    refused = SurveyRun(VOTES, outright.replace({"extra_check": True})).advance(100)
    assert (refused.refused, refused.received, refused.disclosed) == (100, 0, 0)
    assert "Physician fee freeze" in refused.reason
    assert all(person.sent is None for person in refused.people)
    read = SurveyRun(VOTES, outright).advance(100)
    assert read.refused == 0
    assert read.target.outright.guess == 1
    hidden = SurveyRun(VOTES, outright.replace({"miner": "hidden", "extra_check": True})).advance(100)
    assert hidden.refused == 0
    assert hidden.target.nothing < hidden.target.hidden.guess <= 1


def test_randomisation_gives_away_as_much(frame):
    rows = np.arange(435)
    rival = randomised(VOTES, rows, 0.3)
    assert rival.disclosed == pytest.approx(0.3, abs=0.01)
    assert rival.x[-1] == 435
    assert 0.8 < rival.accuracy <= 1
    assert randomised(VOTES, rows, 0.05).scale > rival.scale


def test_randomisation_is_measured_by_the_same_people(monkeypatch):
    seen = []

    def noise(values, codes, share, **options):
        seen.append((len(values), len(codes)))
        return 1.0, Disclosure(share, 0.0, 1.0, 1.0, 1.0, 0.5, 300)

    monkeypatch.setattr("trustscope.engine.utility.noise_for_disclosure", noise)
    many = population(datasets.load("letter"), "Letter")
    randomised(many, np.arange(50), 0.3)
    assert seen == [(len(many.law), len(many.law))]


def test_what_can_be_inferred_of_one_person():
    run = SurveyRun(VOTES, SETTINGS)
    run.advance(300)
    answers, party = VOTES.codes[3], VOTES.classes[3]
    nothing = inferred(VOTES, answers, party, run.followed(0)[0], "", 1)
    assert (nothing.sent == -1).all()
    refused = inferred(VOTES, answers, party, run.followed(0)[0], "Too much.", 1)
    assert (refused.after == refused.before).all()
    assert refused.bits == 0
    everything = inferred(VOTES, answers, party, np.eye(32), "", 1)
    assert everything.right_after == 16
    np.testing.assert_allclose(everything.after, 1)
    assert (everything.sent == answers).all()
    # More directions say more: on average over draws, and over people.
    mean = [
        np.mean(
            [
                inferred(VOTES, VOTES.codes[i], VOTES.classes[i], run.followed(k)[0], "", key).bits
                for key in range(8)
                for i in range(8)
            ]
        )
        for k in (1, 3, 7)
    ]
    assert mean == sorted(mean)


@pytest.mark.parametrize("party", [0, 1])
def test_the_class_tells_before_any_answer_is_sent(party):
    """Independently: counts among the members of one party, answer by answer."""
    mine = VOTES.codes[VOTES.classes == party]
    commonest = [np.bincount(column).argmax() for column in mine.T]
    person = np.flatnonzero(VOTES.classes == party)[5]
    found = inferred(VOTES, VOTES.codes[person], party, np.zeros((32, 0)), "", 1)
    assert found.right_class == found.right_after == (VOTES.codes[person] == commonest).sum()
    np.testing.assert_allclose(found.after, (mine == VOTES.codes[person]).mean(axis=0))
    assert found.bits > 0


def test_one_question_is_guessed_by_its_class_and_by_what_is_sent():
    question = VOTES.index(FREEZE)
    answers = VOTES.codes[:, question]
    assert knowing_nothing(VOTES, question) == pytest.approx(0.589, abs=0.001)
    by_hand = sum(np.bincount(answers[VOTES.classes == c]).max() for c in (0, 1)) / 435
    assert guessed(VOTES, question, np.zeros((32, 0))) == pytest.approx(by_hand)
    assert by_hand == pytest.approx(0.956, abs=0.001)
    assert guessed(VOTES, question, hand_picked(VOTES.encoding, question)) == 1


def test_one_question_by_enumerating_all_that_can_be_sent():
    """Two questions, 32 strings of bits. With 4 000 draws the error is below 0.004 a class: 0.02 is five of them."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {"a": pd.Categorical(rng.choice(list("xyz"), 400)), "b": pd.Categorical(rng.choice(list("uv"), 400))}
    )
    encoding = Encoding.fit(table)
    codes = encoding.codes(table)
    people = Population(
        encoding, codes, (rng.random(400) < 0.2 + 0.5 * (codes[:, 0] == 1)).astype(int), ("0", "1"), "c"
    )
    basis = np.linalg.qr(rng.standard_normal((5, 3)))[0]
    right = 0.0
    for c in (0, 1):
        for bits in itertools.product((0, 1), repeat=5):
            weight = np.zeros(3)
            for truth, answer in zip(people.tuples[people.classes == c], codes[people.classes == c, 0], strict=True):
                chances = np.minimum((truth @ basis @ basis.T) ** 2, 1)
                weight[answer] += np.prod(np.where(bits, chances, 1 - chances))
            right += weight.max() / 400
    assert guessed(people, 0, basis, draws=8_000) == pytest.approx(right, abs=0.02)
    assert right > guessed(people, 0, basis[:, :0]) + 0.05  # what ignores what was sent would fail


def test_what_stands_on_the_page_is_measured_closely_enough():
    """Of 16 questions, guessed from what is hidden best, each is within 0.02 of what 20 000 people send. Beliefs differ
    by 0.2 on average, so that is four standard errors; with 40 people some question is further off."""

    def furthest(draws):
        found = []
        for question in range(16):
            basis = hand_picked(VOTES.encoding, question, checked=True)
            found.append(abs(guessed(VOTES, question, basis, draws) - guessed(VOTES, question, basis, 20_000)))
        return max(found)

    assert furthest(GUESSES) < 0.02
    assert furthest(40) > 0.02


def test_what_is_found_is_the_average_over_kinds():
    settings = SETTINGS.replace({"parts": levels(0, 3, 9), "miner": "outright"})
    found = SurveyRun(VOTES, settings).advance(50).target
    assert found.outright.kinds == (found.by_class, 1, 1)
    assert found.outright.guess == pytest.approx(0.17 * found.by_class + 0.83)
    checked = SurveyRun(VOTES, settings.replace({"extra_check": True})).advance(50).target
    assert checked.outright.kinds == (found.by_class, found.nothing, found.nothing)


def test_nobody_gives_away_more_than_all_and_a_bound_fails_beyond_chance_only():
    def figures(share, error, bound):
        return KindFigures(1, "", Disclosure(share, error, 1.0, 1.0, 1.0, 0.5, 300), bound)

    assert figures(1.01, 0.01, 0.9).share == 1
    assert figures(0.5, 0.01, 0.4).broken
    assert not figures(0.5, 0.05, 0.4).broken
    assert not KindFigures(0, "", None, 0.0).broken


def test_a_long_run_is_replayed_in_slices(monkeypatch):
    monkeypatch.setattr("trustscope.scenarios.survey.run.SLICE", 0)
    run, whole = SurveyRun(VOTES, SETTINGS), SurveyRun(VOTES, SETTINGS).advance(3_000)
    calls = 1
    while run.approach(3_000) < 3_000:
        calls += 1
        assert run.arrived == (calls - 1) * STEP
    sliced = run.advance(0)
    assert sliced.accuracy == whole.accuracy
    assert sliced.people == whole.people
    assert calls == 3_000 // STEP


def test_a_frame_is_there_only_for_as_many_as_have_come(frame):
    run = SurveyRun(VOTES, SETTINGS)
    run.call(400)
    assert run.arrived == 0
    assert run.at(400) is None
    run.approach(run.called)
    assert run.come().arrived == run.at(400).arrived == 400
    assert run.at(400).accuracy == frame.accuracy


# The model


@pytest.fixture(scope="module")
def model():
    return Model(VOTES)


@pytest.fixture(scope="module")
def standing(model):
    """The page as it opens: a scenario that fits, and its last picture."""
    scenario = model.fit_to_data(SurveyScenario())
    *_, picture = model.passes(scenario, None)
    return scenario, picture


def test_a_scenario_is_fitted_to_the_people(model):
    fitted = model.fit_to_data(SurveyScenario())
    assert (fitted.data.label, fitted.data.value) == ("Party", "Democrat")
    assert fitted.settings.target == model.telling
    assert fitted.view.own.of_class in VOTES.names
    assert model.fit_to_data(fitted) == fitted
    strange = fitted.replace({
        "settings.target": "Nothing of the kind", "view.own.of_class": "Whig",
        "view.own.answers": (("Immigration", "Perhaps"), ("Immigration", "Yes"), ("Weather", "Yes")),
    })  # fmt: skip
    assert model.fit_to_data(strange) == fitted.replace({"view.own.answers": (("Immigration", "Yes"),)})


def test_the_question_to_watch_is_one_that_the_class_tells_little_of(model):
    """Independently: of the questions with mixed answers, the one where guessing by party gains least."""
    gains = {}
    for number, question in enumerate(VOTES.encoding.questions):
        answers = VOTES.codes[:, number]
        nothing = np.bincount(answers).max() / 435
        if nothing <= 0.6:
            gains[question] = sum(np.bincount(answers[VOTES.classes == c]).max() for c in (0, 1)) / 435 - nothing
    assert gains[model.telling] == pytest.approx(min(gains.values()))


def test_a_standing_run_is_shown_and_goes_on(model, standing):
    scenario, picture = standing
    assert picture.frame.arrived == scenario.view.arrived == 200
    assert model.preview(scenario, picture.run).run is picture.run
    more = scenario.replace({"view.arrived": 230})
    *_, later = model.passes(more, picture.run)
    assert later.run is picture.run
    assert later.frame.arrived == 230
    *_, again = model.passes(scenario, later.run)  # back: the same people answer anew
    assert again.run is not later.run
    assert again.frame.people == picture.frame.people


def test_a_preview_asks_few_and_cannot_be_gone_on_with(model, standing):
    scenario, _ = standing
    preview = model.preview(scenario.replace({"view.arrived": 50_000, "settings.mu": 0.15}), None)
    assert (preview.run, preview.frame.arrived, preview.frame.settings.mu) == (None, 400, 0.15)


def test_a_long_way_is_told_step_by_step(model, standing, monkeypatch):
    monkeypatch.setattr("trustscope.scenarios.survey.run.SLICE", 0)
    *steps, last = model.passes(standing[0].replace({"view.arrived": 3 * STEP}), None)
    assert steps == [Progress(STEP, 3 * STEP), Progress(2 * STEP, 3 * STEP)]
    assert last.frame.arrived == 3 * STEP


def test_the_randomisation_comes_last(model, standing):
    scenario = standing[0].replace({"settings.rival": True})
    *_, waits, there = model.passes(scenario, None)
    assert "being computed" in waits.rival
    assert there.rival.disclosed == pytest.approx(there.frame.disclosed, abs=0.02)
    *_, malicious = model.passes(scenario.replace({"settings.miner": "outright"}), None)
    assert malicious.rival is None


def test_ones_own_answers_by_name(model, standing):
    scenario = standing[0].replace({
        "view.closer": "own", "view.own.answers": (("Immigration", "Yes"),), "view.own.level": 3,
    })  # fmt: skip
    codes = own_codes(VOTES, scenario.view.own.answers)
    place = VOTES.index("Immigration")
    assert VOTES.encoding.answers[place][codes[place]] == "Yes"
    assert [c for j, c in enumerate(codes) if j != place] == [c for j, c in enumerate(VOTES.codes[0]) if j != place]
    *_, picture = model.passes(scenario, None)
    assert picture.own_followed == 3
    told = verdict.own(picture.own, 3, "Party")
    assert f"guesses {picture.own.right_after} of your 16 answers right" in told
    *_, again = model.passes(scenario.replace({"view.own.draw": 2}), picture.run)
    assert not np.array_equal(again.own.sent, picture.own.sent)
    *_, silent = model.passes(scenario.replace({"view.own.level": 0}), picture.run)
    assert "You send nothing but your Party" in verdict.own(silent.own, 0, "Party")
    refused = scenario.replace({"settings.miner": "outright", "settings.extra_check": True})
    *_, refused = model.passes(refused, None)
    assert "You would refuse this guidance" in verdict.own(refused.own, 3, "Party")


def test_a_class_that_gaps_leave_with_one_value_is_not_learnt():
    """Only smokers are asked how much they smoke, so whoever has no gap is a smoker."""
    frame = pd.DataFrame({
        "smoker": ["yes", "no"] * 100, "smokes": ["much", None, "little", None] * 50,
        "sport": ["often", "often", "never", "never", "never"] * 40, "town": ["a", "b", "c", "a", "b"] * 40,
    }).astype("category")  # fmt: skip

    named = pd.Categorical([None if place % 2 else f"number {place}" for place in range(200)])

    def learnt(label, frame=frame):
        data = datasets.Dataset("own", "own", frame, (), tuple(frame), None, "", "")
        people = loading.load(data, SurveyScenario().replace({"data.name": OWN, "data.label": label})).people
        return people.label, people.encoding.questions, len(people.codes)

    assert learnt("") == ("smokes", ("sport", "town"), 100)
    assert learnt("", frame.assign(smokes=named)) == ("sport", ("smokes", "town"), 100)
    assert learnt("town") == ("town", ("smokes", "sport"), 100)
    with pytest.raises(Unusable, match="All rows without a gap have the same value of smoker"):
        learnt("smoker")
    with pytest.raises(Unusable, match="All rows without a gap have the same value of smoker"):
        learnt("", frame[["smoker", "smokes"]].replace("little", None))


def test_what_only_rows_with_gaps_have_is_not_offered():
    """Who lives in town b has always a gap, too few live in town e, and nobody shares a number."""
    town = pd.Series(["a", "b", "c", "d"] * 60 + ["e"] * 9)
    frame = pd.DataFrame({
        "town": town, "sport": (["often", "never", "never"] * 83), "number": [f"number {n}" for n in range(249)],
        "work": np.where(town == "b", None, np.where(np.arange(249) % 5, "yes", "no")),
    }).astype("category")  # fmt: skip
    data = datasets.Dataset("own", "own", frame, (), tuple(frame), None, "", "")
    people = loading.load(data, SurveyScenario().replace({"data.name": OWN, "data.label": "town"})).people
    assert people.labels == ("town", "sport", "work")
    assert sorted(people.values) == ["a", "c", "d"]
    for value in people.values:
        chosen = {"data.name": OWN, "data.label": "town", "data.value": value}
        assert loading.load(data, SurveyScenario().replace(chosen)).people.names[0] == value
