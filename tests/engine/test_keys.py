"""The one source of random generators."""

import hashlib

import numpy as np
import pytest

from trustscope.engine import keys


def test_the_same_key_and_purpose_give_the_same_numbers():
    first = keys.rng(5, "noise", 2).random(10)
    np.testing.assert_array_equal(keys.rng(5, "noise", 2).random(10), first)
    np.testing.assert_array_equal(keys.rng(keys.derive(5, "noise", 2)).random(10), first)


def test_different_keys_and_purposes_give_different_numbers():
    purposes = [(5, "ab", "c"), (5, "a", "bc"), (5, "abc"), (6, "abc"), (5, 1), (5, "1"), (5, 1.0), (5, b"1")]
    firsts = {keys.rng(*purpose).integers(2**63) for purpose in purposes}
    assert len(firsts) == len(purposes)


def test_a_derived_key_is_the_digest_of_key_and_purpose():
    digest = hashlib.blake2b(b"int:1:5" + b"str:4:copy", digest_size=32).digest()
    assert keys.derive(5, "copy") == sum(byte << (8 * place) for place, byte in enumerate(digest))


def test_two_generators_do_not_disturb_each_other():
    alone = keys.rng(1, "a").random(4)
    one, other = keys.rng(1, "a"), keys.rng(1, "b")
    mixed = []
    for _ in range(4):
        mixed.append(one.random())
        other.random()
    np.testing.assert_array_equal(mixed, alone)


@pytest.mark.parametrize(("key", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError), ("1", TypeError)])
def test_a_key_is_a_whole_number_that_is_not_negative(key, error):
    with pytest.raises(error, match="key must"):
        keys.rng(key, "anything")
