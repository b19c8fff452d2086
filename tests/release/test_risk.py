"""What the strongest attacker gets from a release: held against closed forms, brute force and issued copies."""

import json

import numpy as np
import pyarrow as pa
import pytest
from release_help import make_ledger, read, write
from scipy.stats import norm

from trustscope.engine.attacks.optimal import Limits
from trustscope.release import Problem, risk, words
from trustscope.release.coalitions import distinct_settings

SIGMAS = 4.5  # a false alarm in 150 000 for each figure that is compared
FEW = Limits(references=512, probes=1_000, rehearsed=128)


@pytest.fixture(autouse=True)
def _enough(monkeypatch, _quick_risks):
    monkeypatch.setattr(risk, "LIMITS", FEW)


def one_column(folder, values, **roles):
    table = pa.table({"x": values})
    return make_ledger(folder / "ledger", write(table, folder / "data.parquet"),
                       **{"numbers": [], "categories": [], "keep": [], "drop": [], **roles})  # fmt: skip


def test_a_normal_column_is_known_as_well_as_theory_says(tmp_path):
    rng = np.random.default_rng(3)
    values = rng.normal(50, 10, 4_000)
    with one_column(tmp_path, values, numbers=["x"]) as ledger:
        found = ledger.risk("A", 50).column("x")
    sd = values.std()
    left = np.sqrt(0.5) * sd
    assert found.within == 2.5
    assert found.hits == pytest.approx(2 * norm.cdf(found.within / left) - 1, abs=0.02)
    assert found.without == pytest.approx(2 * norm.cdf(found.within / sd) - 1, abs=0.03)
    assert found.error == pytest.approx(0.5, abs=SIGMAS * found.error_error)
    assert 0 < found.error_error < 0.03
    assert found.error <= 0.5  # the best linear guess can always be made


SHARES = np.array([0.5, 0.3, 0.15, 0.05])


def brute_right(p):
    """The share of right guesses by Bayes, from every copy that there can be."""
    law = p * np.eye(len(SHARES)) + (1 - p) / len(SHARES)
    return float((SHARES[:, None] * law).max(axis=0).sum())


@pytest.fixture(scope="module")
def categories(tmp_path_factory):
    folder = tmp_path_factory.mktemp("categories")
    # Exactly these shares: what differs from theory is the noise alone.
    values = np.repeat(list("abcd"), (2_000 * SHARES).astype(int))
    return one_column(folder, np.random.default_rng(1).permutation(values).tolist(), categories=["x"])


def test_categories_are_guessed_as_often_as_brute_force_says(categories):
    for retention in (20, 60):
        found = categories.risk("A", None, retention).column("x")
        assert found.hits == pytest.approx(brute_right(retention / 100), abs=SIGMAS * found.hits_error + 0.01)
        assert found.without == pytest.approx(0.5, abs=0.01)
    # With another retention than that of the copy the figure would be another one.
    assert abs(found.hits - brute_right(0.4)) > SIGMAS * found.hits_error + 0.01


def test_the_figure_is_what_happens_to_an_issued_copy(categories, tmp_path):
    copy = categories.copy("A", None, 60, out=tmp_path / "a.parquet")
    truth = np.array(read(tmp_path.__class__(categories.record.data["path"])).column("x").to_pylist())
    released = np.array(read(tmp_path / "a.parquet").column("x").to_pylist())
    law = 0.6 * np.eye(4) + 0.1
    guess = np.array(list("abcd"))[(SHARES[:, None] * law).argmax(axis=0)]
    right = (guess[np.searchsorted(list("abcd"), released)] == truth).mean()
    found = categories.risk().column("x")
    assert copy.retention == 600
    assert right == pytest.approx(found.hits, abs=SIGMAS * (0.5 / np.sqrt(len(truth)) + found.hits_error))


def survey(folder, **roles):
    rng = np.random.default_rng(5)
    rows = 400
    age = rng.integers(18, 90, rows)
    group = rng.choice(["a", "b", "c"], rows)
    table = pa.table({
        "age": age, "income": np.round(300 * age + rng.normal(0, 3_000, rows)), "group": group.tolist(),
        "same": group.tolist(), "number": [f"n{i}" for i in range(rows)],
    })  # fmt: skip
    return make_ledger(folder / "ledger", write(table, folder / "data.parquet"), **{
        "numbers": ["age", "income"], "categories": ["group"], "keep": [], "drop": ["same", "number"], **roles,
    })  # fmt: skip


def test_what_is_kept_is_known(tmp_path):
    with survey(tmp_path, keep=["same"], drop=["number"]) as ledger:
        found = ledger.risk("A", 30, 30)
        assert found.column("group").hits == found.column("group").without == 1
        assert "knows the kept columns same of everybody" in words.attacker(found, ledger.recorded_recipe)
        assert found.found_without < 0.05


def test_a_kept_number_of_each_row_gives_everybody_away(tmp_path):
    with survey(tmp_path, keep=["number"], drop=["same"]) as ledger:
        found = ledger.risk("A", 30, 30)
    assert found.found == found.found_without == 1
    assert found.column("group").without < 0.6  # it says nothing of others' groups


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_kept_numbers_and_their_gaps_are_known(tmp_path, ending):
    """Whoever is ill has no weight in half of the cases, and otherwise one that others seldom have."""
    rng = np.random.default_rng(7)
    ill = rng.random(900) < 0.5
    weight = np.where(ill, rng.uniform(60, 80, 900), rng.uniform(75, 95, 900)).round(3)
    table = pa.table({
        "group": np.where(ill, "ill", "well").tolist(), "weight": pa.array(weight, mask=ill & (rng.random(900) < 0.5))
    })  # fmt: skip
    data = write(table, tmp_path / f"data.{ending}")
    roles = {"numbers": [], "categories": ["group"], "keep": ["weight"], "drop": []}
    with make_ledger(tmp_path / "ledger", data, **roles) as ledger:
        found = ledger.risk("A", None, 5).column("group")
    # Right are all who have no weight, all who have one that only their group has, and half or more of the others.
    assert found.without > 0.84
    assert found.hits > 0.84


@pytest.mark.parametrize("limit", [1_000, 150])
def test_kept_texts_tell_of_others_however_many_there_are(tmp_path, monkeypatch, limit):
    """Of 225 postcodes each has its group; where not all can be told apart, the commonest are."""
    monkeypatch.setattr(risk, "MOST_VALUES", limit)
    rng = np.random.default_rng(8)
    place = np.sort(np.concatenate([np.repeat(np.arange(100), 12), np.repeat(np.arange(100, 225), 2)]))
    group = rng.integers(0, 2, 225)[place]
    order = rng.permutation(len(place))
    table = pa.table({"group": [f"g{g}" for g in group[order]], "postcode": [f"p{p}" for p in place[order]]})
    roles = {"numbers": [], "categories": ["group"], "keep": ["postcode"], "drop": []}
    with make_ledger(tmp_path / "ledger", write(table, tmp_path / "data.csv"), **roles) as ledger:
        found = ledger.risk("A", None, 5).column("group")
    assert found.without > 0.8  # half are right without any postcode
    assert found.hits > 0.8


def test_the_best_copy_decides(tmp_path):
    assert distinct_settings({}) == []
    held = {"A": [(300, 200)], "B": [(100, 500)], "C": [(100, 500), (50, 50)]}
    assert distinct_settings(held) == [((300, 500), ()), ((300, 200), ("A",)), ((100, 500), ("B", "C"))]
    with survey(tmp_path) as ledger:
        ledger.copy("A", 50, 30, out=tmp_path / "a.csv")
        before = ledger.risk()
        assert ledger.risk("B", 20, 10) == before
        more = ledger.risk("B", 80, 30)
        told = []
        ledger.copy("B", 20, 10, out=tmp_path / "b.csv")
        ledger.each_risk(progress=lambda done, total: told.append(done / total))
        assert told == sorted(told), "from 0 to 1 once, and not once for each setting"
        assert (told[0], told[-1]) == (0.5, 1.0)  # that of all together was measured before
    for name in ("age", "income"):
        assert more.column(name).error < before.column(name).error <= 0.5
        assert before.column(name).within > 0


def test_coalitions_of_two_have_settings_of_their_own():
    held = {"A": [(600, 100)], "B": [(300, 400)], "C": [(100, 800)]}
    found = distinct_settings(held)
    assert [one for one, names in found if not names] == [(600, 800), (600, 400), (300, 800)]
    told = [words.whose_setting(names, place) for place, (_, names) in enumerate(found)]
    assert (told.count("all together"), told.count("some of them together")) == (1, 2)
    many = {f"{place}": [(100 + place, 900 - place)] for place in range(7)}
    assert len(distinct_settings(many)) == 8, "of many holders their own, and that of all together"


def test_nobody_is_more_exposed_to_fewer_copies_than_a_rule_allows(tmp_path, monkeypatch):
    """Who holds a worse copy alone may guess somebody more often whom a better one tells apart from who is likelier."""
    worst = {(600, 200): 0.58, (300, 200): 0.79, (200, 100): 0.3}

    def measured(self, setting, **how):
        column = risk.ColumnRisk("age", 5.0, 0.3, 0.0, 0.1, error=0.5, error_error=0.0, worst=worst[setting])
        return risk.Risk(*setting, (column,), 0.0, 0.0, 0.0, 9.0, 9.0, 400, 400, 200, 400)

    monkeypatch.setattr(risk.Risks, "at", measured)
    said = "With no more than trust 30 % and retention 20 % the strongest attacker would guess age of the most exposed"
    with survey(tmp_path) as ledger:
        ledger.set_policy({"worst": 60})
        ledger.copy("C", 60, 20, out=tmp_path / "c.csv")
        (refusal,) = ledger.answer("B", 30, 20).refusals
        assert refusal.startswith(said)
        assert "79 % of cases, above the 60 %" in refusal
        assert ledger.answer("B", 20, 10).allowed
        assert not ledger.answer("B", 20, 10, measure=False).refusals
        # A copy that was out before the rule is named in the report.
        ledger.set_policy({})
        ledger.copy("B", 30, 20, out=tmp_path / "b.csv")
        assert said not in ledger.report()
        ledger.set_policy({"worst": 60})
        assert said in ledger.report()


def test_rules_on_the_strongest_attacker(tmp_path):
    with survey(tmp_path) as ledger:
        seen = ledger.risk("A", 50, 30)
        near = seen.column("income").within
        ledger.set_policy({"hits": {"group": 99, "income": f"{near}:1"}})
        (refusal,) = ledger.answer("A", 50, 30).refusals
        assert f"the strongest attacker would guess income to within {near:g} of" in refusal
        with pytest.raises(Problem, match="above the 1 % that are allowed"):
            ledger.copy("A", 50, 30, out=tmp_path / "a.csv")
        ledger.set_policy({"worst": 0, "mu": 0.5})
        refusals = ledger.answer("A", 50, 30).refusals
        exposed = [one for one in seen.columns if one.worst]
        assert exposed
        said = [one for one in refusals if "of the most exposed person in" in one and "above the 0 %" in one]
        assert len(said) == len(exposed)
        assert any("mu would be" in one and "above the 0.5 that is allowed" in one for one in refusals)
        ledger.set_policy({"floor": 1, "worst": 100, "mu": 50, "hits": {"group": "100"}})
        assert ledger.answer("A", 50, 30).allowed


@pytest.mark.parametrize("role", ["numbers", "categories"])
def test_nobody_is_left_aside_where_everybodys_value_is_common(tmp_path, role):
    """All values are about as frequent, so that nobody stands out: a nearly exact copy gives all of them away."""
    values = np.tile(np.arange(18, 80), 20)
    data = values.tolist() if role == "numbers" else [f"at {value % 4}" for value in values]
    with one_column(tmp_path, data, **{role: ["x"]}) as ledger:
        ledger.set_policy({"worst": 60})
        asked = "trust" if role == "numbers" else "retention"
        (refusal,) = ledger.answer("A", **{asked: 99}).refusals
        assert "of those whose value is common in" in refusal
        assert "above the 60 % that are allowed for anybody" in refusal
        assert ledger.answer("A", **{asked: 20}).allowed


def test_figures_in_the_folder_are_not_decided_by(tmp_path):
    # Of two values the best guess is much better than the best linear one, whose error is 40 %.
    values = np.random.default_rng(4).choice([0.0, 10.0], 300)
    with one_column(tmp_path, values, numbers=["x"]) as ledger:
        ledger.set_policy({"floor": 39})
        (refusal,) = ledger.answer("A", 60).refusals
        assert refusal.startswith("With this copy the strongest attacker's error of x would be ")
        file = ledger.folder / risk.FILE
        kept = json.loads(file.read_text())
        kept["figures"]["600/-"]["columns"][0] |= {"error": 1.0, "error_error": 0.0}
        file.write_text(json.dumps(kept))
        assert ledger.answer("A", 60).allowed
        with pytest.raises(Problem, match="below the floor of 39 %"):
            ledger.copy("A", 60, out=tmp_path / "a.csv")
        assert file.stat().st_mode & 0o077 == 0
        for text in (json.dumps(kept | {"digest": "of other data"}), "broken"):
            file.write_text(text)
            assert not ledger.answer("A", 60).allowed


def test_a_floor_of_the_old_sense_says_so(tmp_path):
    with survey(tmp_path) as ledger:
        ledger.copy("A", 50, 30, out=tmp_path / "a.csv")
        ledger.set_policy({"floor": 20, "attacker": "linear"})
        assert words.old_sense(ledger.policy)
        assert words.old_sense({"floor": 20})  # as older ledgers have it
        said = ledger.old_floor()
        assert "was set when it meant the error of the best linear guess" in said
        assert "where the linear guess has 50.0 %" in said
        ledger.set_policy({"floor": 20})
        assert not words.old_sense(ledger.policy)


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"hits": {"wage": "1:2"}}, "“wage”, which is no column"),
        ({"hits": {"age": "20"}}, "needs a distance"),
        ({"hits": {"group": "5:20"}}, "without a distance"),
        ({"hits": {"age": "0:20"}}, "above 0"),
        ({"mu": "much"}, "mu must be a number above 0"),
        ({"worst": 101}, "between 0 and 100"),
    ],
)
def test_rules_that_make_no_sense(tmp_path, rules, match):
    with survey(tmp_path) as ledger, pytest.raises(Problem, match=match):
        ledger.set_policy(rules)


def test_gaps_and_too_few_rows(tmp_path):
    rng = np.random.default_rng(2)
    values = pa.array(rng.normal(0, 1, 500).round(3), mask=rng.random(500) < 0.1)
    with one_column(tmp_path, values, numbers=["x"]) as ledger:
        found = ledger.risk("A", 50)
        assert "in which a value is missing were left out" in words.attacker(found, ledger.recorded_recipe)
    assert found.rows < found.population == 500
    (tmp_path / "few").mkdir()
    few = one_column(tmp_path / "few", rng.normal(0, 1, 12), numbers=["x"])
    with few as ledger, pytest.raises(Problem, match="at least 20 rows"):
        ledger.risk("A", 50)
