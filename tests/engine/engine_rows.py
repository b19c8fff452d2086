"""Rows with numbers and categories, for the tests of who attacks them."""

import numpy as np

from trustscope.engine import keys
from trustscope.engine.attacks.optimal import Limits

# A third of the references is rehearsed on, once: more people there choose the manner a little better, and take most of
# the time. Standard errors are of the probes.
SMALL = Limits(references=1_024, probes=2_048, rehearsed=340)
SIZES = (3, 2, 4)


def rng(*purpose):
    return keys.rng(28, "tests", "mixed", *purpose)


def table(rows):
    """Two numbers and three categories that all depend on each other."""
    draw = rng("table", rows)
    kind = draw.integers(3, size=rows)
    sex = (draw.random(rows) < 0.3 + 0.2 * kind).astype(int)
    place = np.where(draw.random(rows) < 0.7, kind + sex, draw.integers(4, size=rows)) % 4
    age = np.round(draw.normal(30 + 12 * kind, 6))
    pay = np.where(draw.random(rows) < 0.4, 0.0, np.exp(draw.normal(0.03 * age + 0.5 * sex, 0.4)))
    return np.column_stack([age, pay]), np.column_stack([kind, sex, place])
