"""The steward's rules: a request that breaks one is refused with the figure."""

import pytest

from trustscope.release import Problem
from trustscope.release.policy import UNMEASURED


def test_a_floor_that_the_best_linear_guess_breaks_is_refused_unmeasured(ledger, tmp_path):
    ledger.set_policy({"floor": 35})
    with pytest.raises(Problem, match=r"error of a number would be at most 30\.0 % .* below the floor of 35 %"):
        ledger.copy("B", 70, 40, out=tmp_path / "b.csv")
    assert not (tmp_path / "b.csv").exists()
    answer = ledger.answer("B", 60, 40, measure=False)
    assert answer.allowed
    assert answer.notes == (UNMEASURED,)


def test_ceilings_for_recipients_and_groups(ledger, tmp_path):
    ledger.set_policy({"ceilings": {"Press": 30}, "groups": {"media": 20.5}})
    with pytest.raises(Problem, match="trust of 40 % is above the 30 % that “Press” may have"):
        ledger.copy("Press", 40, 10, out=tmp_path / "a.csv")
    with pytest.raises(Problem, match=r"retention of 21 % is above the 20\.5 % that “media” may have"):
        ledger.copy("Radio", 10, 21, out=tmp_path / "a.csv", group="media")
    ledger.copy("Press", 30, 30, out=tmp_path / "a.csv")
    ledger.copy("Ministry", 90, 90, out=tmp_path / "b.csv")


def test_a_second_person_must_approve(ledger, tmp_path):
    ledger.set_policy({"approval": 50})
    ledger.copy("A", 50, 50, out=tmp_path / "a.csv", by="Ada")

    def wanted(**changed):
        return ledger.answer(**{"to": "B", "trust": 60, "retention": 40, "by": "Ada", **changed})

    assert "needs the approval of somebody other than “Ada”" in wanted().refusals[0]
    ledger.approve("B", 60, 40, by="Ada")
    assert not wanted().allowed
    ledger.approve("B", 60, 40, by="Bob")
    assert wanted().allowed
    assert not wanted(trust=61).allowed
    assert not wanted(to="C").allowed
    assert ledger.copy("B", 60, 40, out=tmp_path / "b.csv", by="Ada").by == "Ada"


def test_the_last_policy_counts_and_all_stay_in_the_record(ledger):
    ledger.set_policy({"floor": 99})
    ledger.set_policy({})
    assert ledger.policy == {}
    assert ledger.answer("A", 99, 99).allowed
    assert [event.kind for event in ledger.history] == ["created", "policy", "policy"]


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"floor": 101}, "between 0 and 100"),
        ({"floor": "low"}, "a number of per cent"),
        ({"flor": 1}, "no entry “flor”"),
        ([], "is a dictionary"),
        ({"ceilings": {"A": -1}}, "ceilings, A must lie"),
    ],
)
def test_rules_that_make_no_sense(ledger, rules, match):
    with pytest.raises(Problem, match=match):
        ledger.set_policy(rules)
    assert len(ledger.history) == 1


def test_no_spelling_gets_around_a_rule(ledger, tmp_path):
    ledger.set_policy({"ceilings": {"Press": 20}, "groups": {"journalists": 30}, "approval": 50})
    for name in ("press", " PRESS", "Ｐress"):
        assert "above the 20 % that “Press” may have" in ledger.answer(name, 40, 20).refusals[0]
    assert "above the 30 % that “journalists” may have" in ledger.answer("A", 40, 20, group="Journalists ").refusals[0]
    ledger.approve("B", 60, 20, by="Ada")
    assert "somebody other than “ADA”" in ledger.answer("B", 60, 20, by="ADA").refusals[0]
    assert ledger.answer("B", 60, 20, by="Bob").allowed


def test_whoever_was_once_in_a_group_stays_in_it(ledger, tmp_path):
    ledger.set_policy({"groups": {"journalists": 30}})
    ledger.copy("A", 20, 20, out=tmp_path / "a.csv", group="journalists")
    assert "above the 30 % that “journalists” may have" in ledger.answer("A", 40, 20).refusals[0]
    assert ledger.answer("B", 40, 20).allowed
    (note,) = ledger.answer("B", 40, 20, group="jurnalists").notes
    assert note == "No rule is set for the group “jurnalists”; there are rules for “journalists”."


def test_the_order_of_trust_is_kept(ledger, tmp_path):
    ledger.set_policy({"order": ["Ministry", "Press", "Public"]})
    ledger.copy("Ministry", 60, 40, out=tmp_path / "a.csv")
    for trust, retention in ((60, 20), (70, 20), (20, 40)):
        (refusal,) = ledger.answer("press", trust, retention).refusals
        assert "“Ministry” is to be trusted more than “press”" in refusal
    ledger.copy("Public", 20, 10, out=tmp_path / "b.csv")
    assert ledger.answer("Press", 59.9, 39.9).allowed
    assert len(ledger.answer("Press", 20, 10).refusals) == 2  # no more than who comes after
    assert ledger.answer("Ministry", 10, 5).allowed  # who holds more already keeps it
    assert ledger.answer("Somebody else", 90, 90).allowed
    assert "is to be trusted more" in ledger.answer("Other", 70, 50, order=["Ministry", "Other"]).refusals[0]
    with pytest.raises(Problem, match="at least two different recipients"):
        ledger.set_policy({"order": ["Press", " press"]})


def test_the_same_bytes_for_two_are_asked_for_once(ledger, tmp_path):
    asked = []
    ledger.copy("A", 60, 40, out=tmp_path / "a.csv", confirm=asked.append)
    assert asked == []
    with pytest.raises(Problem, match=r"equals the one that “A” has: .* Nothing was made; say --again"):
        ledger.copy("B", 60, 40, out=tmp_path / "b.csv", confirm=asked.append)
    assert len(asked) == 1
    assert not (tmp_path / "b.csv").exists()
    ledger.copy("B", 60, 40, out=tmp_path / "b.csv", confirm=lambda said: True)
    assert ledger.answer("B", 60, 40).same == ()  # held already: asked once
    ledger.copy("B", 60, 40, out=tmp_path / "c.csv", confirm=lambda said: pytest.fail("asked twice"))
    ledger.copy(
        "C", 60, 40, out=tmp_path / "d.csv", fingerprint=True, confirm=lambda said: pytest.fail("others' bytes")
    )
