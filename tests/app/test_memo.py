"""What was computed is remembered, up to a limit, from any thread."""

from concurrent.futures import ThreadPoolExecutor

from trustscope.scenarios.memo import Memo


def test_the_oldest_is_forgotten():
    made = []
    memo = Memo(2)

    def ask(key):
        return memo(key, lambda: made.append(key) or key.upper())

    assert [ask(k) for k in "abacab"] == list("ABACAB")
    assert made == ["a", "b", "c", "b"]  # a was asked for again and stayed, b had to go
    assert "a" in memo
    assert "c" not in memo


def test_many_threads_ask_at_once():
    memo = Memo(3)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: memo(i % 7, lambda: i % 7), range(4000)))
    assert found == [i % 7 for i in range(4000)]
