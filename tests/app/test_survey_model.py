"""What the Survey dashboard computes, and how it goes on when time passes; without a browser."""

import asyncio
import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trustscope import datasets
from trustscope.app.survey import SurveyDashboard
from trustscope.app.survey.controls import START
from trustscope.engine.measures import Disclosure
from trustscope.engine.survey import Encoding, hand_picked
from trustscope.scenarios.survey import verdicts, words
from trustscope.scenarios.survey.frame import KindFigures
from trustscope.scenarios.survey.inference import inferred
from trustscope.scenarios.survey.population import Population, population
from trustscope.scenarios.survey.rival import Rival, randomised
from trustscope.scenarios.survey.run import END, STEP, Run
from trustscope.scenarios.survey.settings import Settings
from trustscope.scenarios.survey.target import guessed, knowing_nothing
from trustscope.scenarios.words import share

VOTES = population(datasets.load("votes"), "Party")
SETTINGS = Settings(START)


@pytest.fixture(scope="module")
def frame():
    return Run(VOTES, SETTINGS).advance(400)


@pytest.fixture
def dashboard():
    return SurveyDashboard()


def said(dashboard):
    return dashboard.verdict._pane.object


def test_the_votes_are_the_papers():
    assert (len(VOTES.encoding.questions), VOTES.encoding.dimension, len(VOTES.codes)) == (16, 32, 435)
    assert VOTES.names == ("Democrat", "Republican")
    assert VOTES.majority == pytest.approx(0.6138, abs=1e-3)
    assert VOTES.clear_accuracy == pytest.approx(0.903, abs=0.01)


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
    run = Run(VOTES, SETTINGS)
    for count in (1, 2, 40, 157, 200):
        stepped = run.advance(count, streaming=count == 40)
    assert stepped.people == frame.people
    assert stepped.accuracy == frame.accuracy
    assert (stepped.basis == frame.basis).all()
    assert [k.share for k in stepped.kinds] == [k.share for k in frame.kinds]


def test_a_long_run_stays_small_and_ends():
    run = Run(VOTES, replace(SETTINGS, update_every=500))
    frame = run.advance(END + 5_000)
    assert run.over
    assert frame.arrived == END
    assert len(frame.accuracies[0]) < 200
    assert len(frame.levels[0]) < 1_500
    assert run.advance(10).arrived == END


def test_what_a_long_survey_does_to_itself_is_said(frame):
    """Over 20 000 answers the level rises again, and one answer is all but asked outright."""
    long = Run(VOTES, SETTINGS).advance(20_000)
    assert long.levels[1][-1] > min(long.levels[1])
    assert "and rose again to" in words.level(long)
    assert "rose again" not in words.level(frame)
    assert "all but outright" in verdicts.verdict(long, VOTES)["text"]
    assert "nobody picked it by hand" in words.guidance(long, VOTES, 12)
    assert "all but outright" not in verdicts.verdict(frame, VOTES)["text"]
    worse = replace(frame, accuracies=((0, 150, 400), (0.6, 0.9, 0.85)), accuracy=0.85)
    assert "It was 90 % after 150 respondents, and has got worse since." in verdicts.verdict(worse, VOTES)["text"]


def test_the_bound_is_set_beside_what_it_bounds(frame):
    figure = verdicts.verdict(frame, VOTES)["metrics"][1]
    bounds = [figures.bound for figures in frame.kinds]
    assert figure.measured == f"bound {share(np.dot([0.17, 0.56, 0.27], bounds))}, kept"
    failing = replace(frame, kinds=(replace(frame.kinds[0], bound=0.01), *frame.kinds[1:]))
    assert verdicts.verdict(failing, VOTES)["metrics"][1].measured == "bound fails for 1 kind"
    assert "fails</b> for fundamentalists." in words.disclosure(failing, VOTES)
    silent = Run(VOTES, Settings(tuple(replace(part, level=0) for part in START))).advance(50)
    assert verdicts.verdict(silent, VOTES)["metrics"][1].measured == ""


def test_better_and_worse_mean_beyond_chance(frame):
    def told(accuracy):
        return words.accuracy(frame, VOTES, Rival(0.4, 1.0, (400,), (accuracy,)))

    assert "no difference beyond chance" in told(frame.accuracy - frame.half)
    assert told(frame.accuracy - 2 * frame.half).endswith(": worse.")
    assert told(frame.accuracy + 2 * frame.half).endswith(": better.")


def test_signed_order_is_worse(frame):
    signed = Run(VOTES, replace(SETTINGS, order="signed")).advance(400)
    assert signed.accuracy < frame.accuracy - 0.1


def test_a_malicious_miner_with_and_without_the_check():
    target = VOTES.encoding.questions.index("Physician fee freeze")
    outright = replace(SETTINGS, miner="outright", target=target)
    refused = Run(VOTES, replace(outright, extra_check=True)).advance(100)
    assert (refused.refused, refused.received, refused.disclosed) == (100, 0, 0)
    assert "Physician fee freeze" in refused.reason
    assert all(person.sent is None for person in refused.people)
    read = Run(VOTES, outright).advance(100)
    assert read.refused == 0
    assert read.target.outright.guess == 1
    hidden = Run(VOTES, replace(outright, miner="hidden", extra_check=True)).advance(100)
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
    run = Run(VOTES, SETTINGS)
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
    question = VOTES.encoding.questions.index("Physician fee freeze")
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


def test_what_is_found_is_the_average_over_kinds():
    target = VOTES.encoding.questions.index("Physician fee freeze")
    parts = tuple(replace(part, level=level) for part, level in zip(START, (0, 3, 9), strict=True))
    found = Run(VOTES, Settings(parts, miner="outright", target=target)).advance(50).target
    assert found.outright.kinds == (found.by_class, 1, 1)
    assert found.outright.guess == pytest.approx(0.17 * found.by_class + 0.83)
    checked = Run(VOTES, Settings(parts, miner="outright", target=target, extra_check=True)).advance(50).target
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
    run, whole = Run(VOTES, SETTINGS), Run(VOTES, SETTINGS).advance(3_000)
    calls = 1
    while run.approach(3_000) < 3_000:
        calls += 1
        assert run.arrived == (calls - 1) * STEP
    sliced = run.advance(0)
    assert sliced.accuracy == whole.accuracy
    assert sliced.people == whole.people
    assert calls == 3_000 // STEP


# --- the dashboard without a browser


def test_it_opens_with_a_story(dashboard):
    assert dashboard.frame.arrived == 200
    assert "Democrat from Republican" in said(dashboard)
    assert dashboard.info.startswith("Votes")


def test_the_same_people_answer_when_a_setting_comes_back(dashboard):
    before = dashboard.frame.people
    dashboard.controls.mu.param.update(value=11)
    assert dashboard.controls.settings().mu == 0.15
    dashboard.controls.settled += 1
    assert dashboard.frame.level == 2
    assert dashboard.frame.arrived == 200
    dashboard.controls.mu.param.update(value=5)
    dashboard.controls.settled += 1
    assert dashboard.frame.people == before


def test_step_restart_and_the_end(dashboard):
    dashboard.step.clicks += 1
    assert dashboard.frame.arrived == 201
    dashboard.restart.clicks += 1
    assert dashboard.frame.arrived == 0
    assert "Nobody has been asked yet" in said(dashboard)
    assert "%" not in said(dashboard)
    dashboard.controls.mu.param.update(value=11)
    dashboard.controls.settled += 1
    assert dashboard.frame.arrived == 0  # a setting asks nobody who was not asked before
    dashboard.playing = True  # no loop runs: a second's worth
    assert dashboard.frame.arrived == 100
    assert not dashboard.playing


def test_playing_streams_at_the_speed_asked_for():
    """A thousand a second: a third of it at least on a busy machine."""

    async def work():
        dashboard = SurveyDashboard()
        dashboard.speed.value = ["1000"]
        dashboard.playing = True
        await asyncio.sleep(3)
        dashboard.playing = False
        arrived = dashboard.frame.arrived
        await asyncio.sleep(0.6)
        assert dashboard.frame.arrived == arrived  # paused means paused
        return arrived

    assert asyncio.run(work()) > 1_000


def test_the_malicious_miner_and_the_toggles(dashboard):
    dashboard.controls.miner.value = ["outright"]
    assert "The miner reads the answer to “Physician fee freeze” of everybody." in said(dashboard)
    dashboard.controls.toggles.value = ["check"]
    assert "Everybody refuses" in said(dashboard)
    dashboard.controls.miner.value = ["hidden"]
    assert "The guidance passes" in said(dashboard)
    dashboard.controls.toggles.value = []
    assert "The guidance would pass the extra check" in said(dashboard)
    dashboard.controls.miner.value = ["honest"]
    dashboard.controls.toggles.value = ["rival"]
    dashboard.step.clicks += 1  # where no loop runs, what is computed beside the page comes with the next step
    assert dashboard.rival.disclosed == pytest.approx(dashboard.frame.disclosed, abs=0.02)


def test_who_follows_nothing_does_not_refuse(dashboard):
    dashboard.controls.miner.value = ["outright"]
    mixer = dashboard.controls.mixer
    for row in range(3):
        assert ("of everybody." in said(dashboard)) == (row == 0)
        mixer._receive({"row": row, "kind": "level", "value": 0})
    assert "Nobody follows anything: nothing leaves but the class." in said(dashboard)
    assert "refuse" not in said(dashboard).split("</h1>")[0]
    dashboard.controls.toggles.value = ["check"]
    mixer._receive({"row": 0, "kind": "level", "value": 3})
    assert "fundamentalists refuse, pragmatists and marginally concerned follow nothing" in said(dashboard)
    dashboard.restart.clicks += 1
    assert "Nobody has been asked yet" in said(dashboard)


def test_a_question_with_many_answers_is_not_read_by_one_direction(dashboard):
    dashboard.desk.use(datasets.load("census"))
    sizes = dashboard.run.population.encoding.sizes
    dashboard.controls.target.value = int(sizes.argmax())
    dashboard.controls.miner.value = ["outright"]
    found = dashboard.frame.target.outright
    assert found.kinds[0] < found.kinds[2]
    assert "reads the answer" not in said(dashboard)
    assert "The miner finds the answer" in said(dashboard)


def test_changes_in_quick_succession_keep_how_many_had_answered(monkeypatch):
    """Five thousand have answered; two settings change while they answer anew, and one more comes."""

    monkeypatch.setattr("trustscope.scenarios.survey.run.SLICE", 0)

    async def work():
        dashboard = SurveyDashboard()
        dashboard._advance(4_800)
        dashboard.controls.mu.param.update(value=11)
        dashboard.controls.settled += 1
        await asyncio.sleep(0)  # the first ones begin to answer, and are stopped
        dashboard.controls.mu.param.update(value=12)
        assert dashboard.frame.arrived == 400  # the preview
        dashboard.controls.settled += 1
        dashboard.step.clicks += 1
        shown = []
        dashboard.status.param.watch(lambda e: shown.append(e.new), "object")
        for _ in range(600):
            await asyncio.sleep(0.1)
            if dashboard._goal is None:
                break
        assert any("of 5 001 respondents answer anew" in text for text in shown)
        return dashboard.frame

    frame = asyncio.run(work())
    assert (frame.arrived, frame.settings.mu) == (5_001, 0.2)


def test_a_preview_that_is_never_let_go_does_not_block_the_buttons(dashboard):
    dashboard.controls.mu.param.update(value=11)
    dashboard.step.clicks += 1
    assert dashboard.frame.arrived == 201
    assert dashboard.frame.settings.mu == 0.15


def test_your_own_answers(dashboard):
    dashboard.which.value = ["own"]
    assert "a miner guesses" in said(dashboard)
    own = dashboard.own
    first = own.result
    own.again.clicks += 1
    assert not np.array_equal(own.result.sent, first.sent)
    own.level.value = 0
    assert "You send nothing but your Party" in said(dashboard)
    own.questionnaire._receive({"row": 3, "value": 1 - own.questionnaire.value[3]})
    own.questionnaire._receive({"row": 99, "value": 1})  # whatever a browser sends
    own.questionnaire._receive({"row": 3, "value": 7})
    assert own.questionnaire.value[3] in (0, 1)
    dashboard.controls.toggles.value = ["check"]
    dashboard.controls.miner.value = ["outright"]
    own.level.value = 3
    assert "You would refuse this guidance" in said(dashboard)
    dashboard.which.value = ["survey"]
    assert "Everybody refuses" in said(dashboard)


@pytest.mark.parametrize("name", ["adult", "breast", "iris", "letter", "census"])
def test_other_data(dashboard, name):
    dashboard.desk.use(datasets.load(name))
    assert dashboard.frame.arrived == 200
    assert "This cannot be shown" not in said(dashboard)
    dashboard.which.value = ["own"]
    assert dashboard.own.result is not None


@pytest.mark.parametrize("name", ["census", "iris"])
def test_other_data_while_looking_at_ones_own_answers(dashboard, name):
    dashboard.which.value = ["own"]
    dashboard.desk.use(datasets.load(name))
    assert dashboard.own.people is dashboard.run.population
    assert len(dashboard.own.result.sent) == len(dashboard.run.population.encoding.questions)
    assert "a miner guesses" in said(dashboard)


def test_another_class_while_looking_at_ones_own_answers(dashboard):
    dashboard.desk.use(datasets.load("adult"))
    dashboard.which.value = ["own"]
    dashboard.desk.which.value = "Sex"
    assert len(dashboard.own.result.sent) == len(dashboard.run.population.encoding.questions)
    assert "a miner guesses" in said(dashboard)


def test_another_class_and_value(dashboard):
    dashboard.desk.use(datasets.load("iris"))
    dashboard.desk.value.value = 1
    assert dashboard.run.population.names[0] == "Versicolor"
    dashboard.desk.use(datasets.load("adult"))
    dashboard.desk.which.value = "Sex"
    assert set(dashboard.run.population.names) == {"Male", "Female"}
    assert "Sex" not in dashboard.run.population.encoding.questions


def make(frame, **parts):
    return datasets.Dataset(
        name="own", title="Own", frame=frame, numeric=parts.get("numeric", ()),
        categorical=parts.get("categorical", ()), label=None, source="", licence="",
    )  # fmt: skip


def test_data_that_cannot_serve_get_a_sentence(dashboard):
    def text(values):
        return pd.Categorical([str(v) for v in values])

    one = pd.DataFrame({"c": text(["a"] * 50), "q": text(range(50))})
    dashboard.desk.use(make(one, categorical=("c", "q")))
    assert "same value of c" in said(dashboard)
    few = pd.DataFrame({"c": text([0, 1] * 5), "q": text(range(10))})
    dashboard.desk.use(make(few, categorical=("c", "q")))
    assert "too few" in said(dashboard)
    numbers = pd.DataFrame({"x": np.arange(50.0)})
    dashboard.desk.use(make(numbers, numeric=("x",)))
    assert "no class to learn" in said(dashboard)
    alone = pd.DataFrame({"c": text([0, 1] * 30)})
    dashboard.desk.use(make(alone, categorical=("c",)))
    assert "no column to ask for" in said(dashboard)
    dashboard.desk.use(datasets.load("votes"))
    assert dashboard.frame.arrived == 200
    single = pd.DataFrame({"c": text([0, 1] * 30), "same": text(["x"] * 60), "q": text([0, 1, 1] * 20)})
    dashboard.desk.use(make(single, categorical=("c", "same", "q")))
    assert dashboard.frame.arrived == 200
    assert "This cannot be shown" not in said(dashboard)


def test_a_miner_who_hides_among_few_questions_breaks_nothing(dashboard):
    dashboard.desk.use(datasets.load("iris"))
    dashboard.controls.toggles.value = ["check"]
    for target in range(4):
        dashboard.controls.target.value = target
        for miner in ("hidden", "outright", "honest"):
            dashboard.controls.miner.value = [miner]
            dashboard.step.clicks += 1
    assert "This cannot be shown" not in said(dashboard)
