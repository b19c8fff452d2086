"""The votes of 1984 as a questionnaire, and the slow versions of the survey's formulas."""

import numpy as np

from trustscope import datasets
from trustscope.engine.experiments.zhang import questionnaire
from trustscope.engine.survey import Encoding

ANSWERS, CLASSES = questionnaire(datasets.load("votes").frame, "Party")
ENCODING = Encoding.fit(ANSWERS)
TUPLES = ENCODING.encode(ANSWERS, fill=1)


def slow_probabilities(t, basis):
    """Eq. 7 and 8 for one tuple, bit by bit, clipped."""
    size = len(t)
    out = []
    for j in range(size):
        value = 0.0
        for i in range(size):
            value += t[i] * sum(basis[i, c] * basis[j, c] for c in range(basis.shape[1]))
        out.append(min(1.0, value**2))
    return np.array(out)


def slow_guidance(tuples, classes, mu, signed=False):
    """Eq. 4 to 6 from whole tuples, one at a time."""
    dimension = tuples.shape[1]
    difference = np.zeros((dimension, dimension))
    for t, c in zip(tuples.astype(float), classes, strict=True):
        difference += np.outer(t, t) * (1 if c == 0 else -1)
    values, vectors = np.linalg.eig(difference)
    values, vectors = values.real, vectors.real
    keyed = sorted(range(dimension), key=lambda i: -(values[i] if signed else abs(values[i])))
    ranks = [values[i] if signed else abs(values[i]) for i in keyed]
    level = next(k for k in range(1, dimension) if ranks[k] <= mu * ranks[0])
    return difference, level, vectors[:, keyed[:level]]


def enumerated_information(law, chances):
    """I(t; R) and H(t) in bits, by adding up every possible R."""
    bits = chances.shape[1]
    every = (np.arange(2**bits)[:, None] >> np.arange(bits)) & 1
    given = np.prod(np.where(every[:, None, :] == 1, chances, 1 - chances), axis=2)
    joint = given * law
    total = joint.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(joint > 0, joint * np.log2(joint / total / law), 0.0)
    return terms.sum(), -(law * np.log2(law)).sum()
