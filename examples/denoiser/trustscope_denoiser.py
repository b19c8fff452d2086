"""A learned denoiser: it perturbs records that it knows as the copies were, and learns the way back from all of them.

`pip install ./examples/denoiser` puts it on the Trust page, into tables, targets, reports, links and scenarios.
"""

import numpy as np
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import trustscope as ts

COPIES = 4_000  # copies to learn from, several of each person where few are known: more would tell little more


def root(matrix: np.ndarray) -> np.ndarray:
    """A matrix whose product with its own transpose is this one, which may be singular."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0))


@ts.attacker(
    title="Learned denoiser",
    assumes="a smooth curve leads from the copies back to the data",
    who="learns to take the noise off",
    note="Ridge regression on squares and products of all copies of the coalition",
    colour="#3b7d4f",
    dash="dotdash",
)
def denoiser(copies, noise, *, known, rng):
    """Estimates of the records, shape (rows, N), from all copies, shape (M, rows, N)."""
    learnt = np.resize(known, (COPIES, known.shape[1]))  # everybody as often as everybody else
    normals = rng.standard_normal((len(copies), *learnt.shape)) @ root(noise.shape).T
    seen = learnt + np.tensordot(root(noise.sigma), normals, axes=1)
    model = make_pipeline(StandardScaler(), PolynomialFeatures(2), RidgeCV(alphas=np.logspace(-2, 4, 13)))
    model.fit(beside(seen), learnt)
    return model.predict(beside(copies)).reshape(copies.shape[1:])


def beside(copies: np.ndarray) -> np.ndarray:
    """All copies of a record beside each other, shape (rows, M N)."""
    return np.moveaxis(copies, 0, 1).reshape(copies.shape[1], -1)
