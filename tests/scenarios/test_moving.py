"""All recipients moved at once: their order is kept, and what stands stays where nothing moves."""

import pytest

from trustscope.engine import keys
from trustscope.scenarios.coalition import MOST, NAMES, CoalitionSettings, Recipient, recipients
from trustscope.scenarios.moving import at_size, at_trust, moved_trusts, pivot


def some(rng):
    number = int(rng.integers(1, MOST + 1))
    return tuple(
        Recipient(number=int(n), name=NAMES[n], trust=float(rng.choice([1, 20, 33.3, 40, 77, 99, 100])), member=bool(m))
        for n, m in zip(rng.permutation(MOST)[:number], rng.random(number) < 0.6, strict=True)
    )


def test_trust_moves_everybody_alike():
    rng = keys.rng(1, "moving")
    for _ in range(200):
        who = some(rng)
        first = pivot(who)
        if first is None:
            assert all(r.trust == 37 for r in at_trust(who, 37))
            continue
        assert at_trust(who, first.trust) == who
        for trust in (1, 25, 60, 99):
            moved = at_trust(who, trust)
            assert [r.trust for r in moved] == moved_trusts(who, [trust])[0].tolist()
            # The slow version, one by one, in odds.
            for before, after in zip(who, moved, strict=True):
                if before.trust == 100:
                    assert after.trust == 100
                    continue
                odds = before.trust / (100 - before.trust) * trust / (100 - trust)
                odds *= (100 - first.trust) / first.trust
                assert after.trust == pytest.approx(min(max(100 * odds / (1 + odds), 1), 99), abs=0.501)
            assert next(r for r in moved if r.number == first.number).trust == trust


def test_a_coalition_of_any_size():
    rng = keys.rng(2, "moving")
    for _ in range(200):
        who = some(rng)
        members = sorted((r.trust for r in who if r.member), reverse=True) or sorted(
            (r.trust for r in who), reverse=True
        )
        for size in (1, 2, 5, MOST):
            grown = at_size(who, size)
            CoalitionSettings(recipients=grown)  # numbers and names are apart, and there are not too many
            coalition = [r for r in grown if r.member]
            assert len(coalition) == size
            wanted = sorted((members[i % len(members)] for i in range(size)), reverse=True)
            assert sorted((r.trust for r in coalition), reverse=True) == wanted


def test_as_many_as_there_are_changes_nothing():
    who = recipients(50, 40, 30)
    assert at_size(who, 3) == who
    assert [r.name for r in at_size(who, 4)] == [*NAMES[:4]]
    assert [r.trust for r in at_size(who, 5)] == [50, 40, 30, 50, 40]
