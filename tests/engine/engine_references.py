"""Slow, obvious versions of what the engine computes, and the statistical tests that judge its noise.

Every statistical test has a fixed key and a false-alarm rate of at most 1e-6; that it can fail is asserted
beside each use, on the wrong scheme.
"""

import numpy as np
from scipy import stats

RATE = 1e-6


def mixed(rng, rows, columns):
    """Correlated data with a mean, shape (rows, columns)."""
    mix = rng.normal(size=(columns, columns)) + 2 * np.eye(columns)
    return rng.normal(size=(rows, columns)) @ mix.T + rng.uniform(-20, 20, columns)


def llse_error(sigma):
    """Normalised error of the best linear estimate for noise covariance Sigma (one attribute, variance 1)."""
    sigma = np.asarray(sigma, dtype=float)
    ones = np.ones(len(sigma))
    return 1 - ones @ np.linalg.pinv(np.outer(ones, ones) + sigma, hermitian=True) @ ones


def llse_estimate(copies, sigma, covariance, mean):
    """Eq. 6 with all its matrices: K_X H' [H K_X H' + Sigma (x) K_X]^-1 (Y - H mu) + mu."""
    count, _, columns = np.shape(copies)
    h = np.kron(np.ones((count, 1)), np.eye(columns))
    k_y = h @ covariance @ h.T + np.kron(sigma, covariance)
    gain = covariance @ h.T @ np.linalg.inv(k_y)
    stacked = np.concatenate(list(copies), axis=1)
    return (stacked - h @ mean) @ gain.T + mean


def whitened(noise, sigma, covariance):
    """Noise (M, rows, N) as rows that are standard normal if its covariance is Sigma (x) K_X."""
    stacked = np.concatenate(list(noise), axis=1)
    return np.linalg.solve(np.linalg.cholesky(np.kron(sigma, covariance)), stacked.T).T


def covariance_fits(noise, sigma, covariance):
    """Whether the second moments are those of Sigma (x) K_X.

    Each of the d (d + 1) / 2 + d moments of the whitened noise is a z-score; the largest is held to the
    two-sided normal quantile at RATE, shared out between them.
    """
    white = whitened(noise, sigma, covariance)
    rows, d = white.shape
    moments = np.sqrt(rows) * (white.T @ white / rows - np.eye(d))
    scores = moments[np.triu_indices(d)] / np.sqrt(1 + np.eye(d))[np.triu_indices(d)]
    scores = np.abs(np.concatenate([scores, np.sqrt(rows) * white.mean(axis=0)]))
    return bool(scores.max() < stats.norm.isf(RATE / 2 / len(scores)))


def same_law(one, other, sigma, covariance):
    """Whether two sets of noise (M, rows, N) can have one law.

    Kolmogorov-Smirnov on the squared length of the whitened noise and on eight fixed projections of it, with
    RATE shared out between them.
    """
    a, b = whitened(one, sigma, covariance), whitened(other, sigma, covariance)
    directions = np.random.default_rng(17).normal(size=(a.shape[1], 8))
    views = [
        ((a**2).sum(axis=1), (b**2).sum(axis=1)),
        *zip((a @ directions).T, (b @ directions).T, strict=True),
    ]
    return min(stats.ks_2samp(x, y, method="asymp").pvalue for x, y in views) > RATE / len(views)


def binary_bayes_error(sigma, points=80):
    """Mean square error of the best estimate of all, for X = -1 or 1 with equal chance and Gaussian noise.

    The posterior mean comes from the joint density of all copies at both values of X; Gauss-Hermite
    quadrature over the noise. By symmetry X = 1 is enough.
    """
    sigma = np.atleast_2d(np.asarray(sigma, dtype=float))
    nodes, node_weights = np.polynomial.hermite_e.hermegauss(points)
    grid = np.stack(np.meshgrid(*[nodes] * len(sigma), indexing="ij"), axis=-1).reshape(-1, len(sigma))
    chance = node_weights / node_weights.sum()
    total = np.ones(1)
    for _ in sigma:
        total = np.outer(total, chance).ravel()
    copies = 1 + grid @ np.linalg.cholesky(sigma).T
    return float(total @ (1 - binary_posterior_mean(copies, sigma)) ** 2)


def binary_posterior_mean(copies, sigma):
    """E[X | copies] for X = -1 or 1; copies of shape (rows, M)."""
    log_density = [-0.5 * np.einsum("ij,jk,ik->i", copies - x, np.linalg.inv(sigma), copies - x) for x in (-1.0, 1.0)]
    return np.tanh((log_density[1] - log_density[0]) / 2)


def tree_of(walk):
    """C, shape (S, S): how a noise path at each of its levels is combined from its normals."""
    tree = np.zeros((len(walk.ladder), len(walk.ladder)))
    for row, level in zip(tree, walk.ladder, strict=True):
        nodes, weights = walk.steps(level)
        row[nodes] = weights
    return tree


def joint_posterior(copies, noise_covariance, points, shares, noise_mean=0.0):
    """The mean of X given all copies at once, for one attribute and any law of X on points, shape (rows,).

    E[X | y] = sum_g x_g f_g L(x_g) / sum_g f_g L(x_g) with ln L(x) = -(y - x 1)' Sigma^-1 (y - x 1) / 2. Nothing here
    knows which copy is best, nor is anything linear in y.
    """
    table, points = np.asarray(copies, dtype=float) - noise_mean, np.asarray(points, dtype=float)
    inverse = np.linalg.inv(np.atleast_2d(noise_covariance))
    off = table[:, :, None] - points
    log = np.log(shares) - np.einsum("irg,ij,jrg->rg", off, inverse, off) / 2
    weights = np.exp(log - log.max(axis=1, keepdims=True))
    return weights @ points / weights.sum(axis=1)
