"""Budgets: what one visitor may use, what all may use, and the sentences."""

import os
from types import SimpleNamespace

import pytest

from trustscope.app.serving import budget, responses
from trustscope.app.serving.board import Board
from trustscope.app.serving.budget import BudgetMet, Limits, Server, Visitor

LIMITS = Limits(
    uploads=2, upload_bytes=1_000, own_data_bytes=5_000_000, coming_bytes=4_000_000, experiments=1, experiments_of_all=2
)


@pytest.fixture
def board():
    made = Board(2)
    yield made
    made.close()


def budget_for(board, process=0, **options):
    return Server(
        **{"max_sessions": 10, "max_memory": 10**15, "limits": LIMITS, **options}, board=board, process=process
    )


def test_uploads_are_counted_and_weighed(board):
    one, two = Visitor(budget_for(board)), Visitor(budget_for(board))
    one.upload(600)
    with pytest.raises(BudgetMet, match="more than 0 MB") as refused:
        one.upload(401)
    assert str(refused.value).endswith(".")
    one.upload(400)
    with pytest.raises(BudgetMet, match="You have sent 2 files"):
        one.upload(0)
    two.upload(1_000)  # somebody else's do not count


def test_own_data_is_replaced_not_added_up(board):
    visitor = Visitor(budget_for(board))
    visitor.own_data(3_000_000, "Trust")
    visitor.own_data(4_000_000, "Trust")
    with pytest.raises(BudgetMet, match="would take 6 MB of memory, and one visitor may use 5 MB"):
        visitor.own_data(2_000_000, "Survey")
    visitor.own_data(0, "Trust")
    visitor.own_data(5_000_000, "Survey")


def test_files_that_come_in_are_limited_together_and_weigh(board):
    visitor = Visitor(budget_for(board))
    one, two = visitor.claim(), visitor.claim()
    one.take(1_000_000)
    one.take(3_000_000)
    with pytest.raises(BudgetMet, match=r"not in use yet would take 5 MB of memory, and .* may take 4 MB"):
        two.take(2_000_000)
    assert two.refusal(2_000_000).endswith(".")
    visitor.own_data(5_000_000, "Trust")  # what is in use is limited by itself
    assert visitor.own_bytes == 8_000_000
    one.free()
    assert two.refusal(4_000_000) == ""
    del two  # its page is gone
    assert visitor.own_bytes == 5_000_000


def test_experiments_are_limited_for_one_and_for_all_processes(board):
    here, there = budget_for(board, 0), budget_for(board, 1)
    one, two, three = Visitor(here), Visitor(there), Visitor(there)
    with one.experiment():
        with pytest.raises(BudgetMet, match="1 experiment of yours"), one.experiment():
            pytest.fail("began")
        with two.experiment(), pytest.raises(BudgetMet, match="of other visitors"), three.experiment():
            pytest.fail("began")
        with three.experiment():
            pass
    assert board.total("experiments") == 0


def test_for_each_who_is_refused_one_that_has_had_its_time_makes_way(board, monkeypatch):
    here, there = budget_for(board, 0), budget_for(board, 1)
    now = [1_000.0]
    monkeypatch.setattr("trustscope.app.serving.budget.time", SimpleNamespace(monotonic=lambda: now[0]))

    def refused():
        now[0] += 1
        with pytest.raises(BudgetMet, match="of other visitors"), Visitor(there).experiment():
            pytest.fail("began")

    with Visitor(here).experiment(), Visitor(there).experiment():
        assert not here.makes_way()
        refused()
        now[0] += 1
        assert here.makes_way()
        assert (here.makes_way(), there.makes_way()) == (False, False)
        refused()
        now[0] += 121  # whoever was refused has given up
        assert not there.makes_way()


def test_an_experiment_that_fails_gives_its_place_back(board):
    visitor = Visitor(budget_for(board))
    for _ in range(3):
        with pytest.raises(ValueError), visitor.experiment():
            raise ValueError
    with visitor.experiment():
        assert board.total("experiments") == 1


def test_nobody_new_is_let_in_when_all_processes_together_are_full(board):
    here, there = budget_for(board, 0, max_sessions=5), budget_for(board, 1, max_sessions=5)
    there.note(3)
    assert here.refusal(lambda: 1) is None
    assert board.total("sessions") == 5  # the page that is being opened counts for the others
    assert there.refusal(lambda: 3) is responses.FULL
    there.note(0)
    assert here.refusal(lambda: 2) is None


def test_nobody_new_is_let_in_when_memory_is_used_up_or_the_server_stops(board):
    assert budget_for(board, max_memory=1_000).refusal(lambda: 0) is responses.NO_MEMORY
    stopping = budget_for(board)
    stopping.stopping = True
    assert stopping.refusal(lambda: 0) is responses.STOPPING


def test_a_board_is_shared_through_its_descriptor(board):
    other = Board(2, os.dup(board.descriptor))
    other.write(1, "sessions", 7)
    assert board.read(1, "sessions") == 7
    board.clear(1)
    assert other.total("sessions") == 0
    other.close()


def test_the_board_of_one_process_opens_no_file(monkeypatch):
    """It is never closed where no command has started the process, as in a notebook."""
    monkeypatch.delattr("tempfile.TemporaryFile")
    alone = Board(1)
    alone.write(0, "sessions", 3)
    assert alone.total("sessions") == 3
    alone.close()


def test_outside_of_a_page_there_is_a_budget_too():
    budget.visitor().upload(1)
    with budget.visitor().experiment():
        pass
