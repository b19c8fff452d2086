"""How likely a guess that is uniform over what is still possible comes close (Giannella et al. 2009, Sec. IV-D).

The known records pin the release down on their span; what remains is a rotation of the m = n - k dimensions
across it. There the attacker's guess of a record lies anywhere on the sphere of radius r, the distance of the
record from the span, and it is a breach when its chord to the truth is at most eps ||x||.
"""

import numpy as np
from scipy.special import betainc, betaln, gammaln

from trustscope.engine.arrays import ArrayLike, Floats, Numbers
from trustscope.errors import TrustscopeError

__all__ = ["breach_probability", "cosine_breach", "printed_breach_probability", "projection_breach", "simulated_breach"]


def breach_probability(eps: ArrayLike, norm: ArrayLike, residual: ArrayLike, freedom: ArrayLike) -> Numbers:
    """Probability that the uniform choice of Theorem 4.2 is within eps ||x|| of the record (Eq. 5).

    The share of a cap on the sphere of m dimensions with chord c = eps ||x|| and radius r is

        rho = I_z((m - 1) / 2, (m - 1) / 2),    z = min(1, (c / 2r)^2),

    the regularised incomplete beta function. It is 1/2 at c = sqrt(2) r in every dimension. The paper's Eq. 6
    is `printed_breach_probability`.

    Parameters
    ----------
    eps, norm, residual, freedom : float or array-like
        Threshold; ||x||; r = ||U'x||, the distance from the span of the known records; m = n - k. They are
        broadcast.

    Returns
    -------
    float or numpy.ndarray
    """
    z, m = _checked(eps, norm, residual, freedom)
    half = np.maximum(m - 1, 1) / 2
    return _finish(np.where(m >= 2, betainc(half, half, z), _few(z, m)))


def printed_breach_probability(eps: ArrayLike, norm: ArrayLike, residual: ArrayLike, freedom: ArrayLike) -> Numbers:
    """What the paper prints (Eq. 6, 7, 14, 17, 20), for comparison; arguments as in `breach_probability`.

    For m >= 3 the cap is integrated over its height instead of along its arc, which puts sin^(m-1) where
    sin^(m-2) belongs: the result is wrong, and jumps at c = sqrt(2) r (from 0.393 to 0.607 for m = 3).
    """
    z, m = _checked(eps, norm, residual, freedom)
    many = np.maximum(m, 3)
    # The integral of sin^(m-1) from 0 to theta <= pi / 2 is B(m/2, 1/2) I_s(m/2, 1/2) / 2 with s = sin^2 theta.
    log_factor = np.log((many - 1) / many) + gammaln((many + 2) / 2) - gammaln((many + 1) / 2) - np.log(np.pi) / 2
    whole = np.exp(log_factor + betaln(many / 2, 0.5)) / 2
    cap = whole * betainc(many / 2, 0.5, np.clip(4 * z * (1 - z), 0, 1))
    # At chord sqrt(2) r itself the paper takes the lower branch; rounding must not decide.
    wide = np.where(z > 0.5 + 1e-12, 1 - cap, cap)
    circle = np.arccos(np.clip(1 - 2 * z, -1, 1)) / np.pi
    value = np.where(m == 2, circle, np.where(z >= 1, 1.0, wide))
    return _finish(np.where(m >= 2, value, _few(z, m)))


def cosine_breach(eps: ArrayLike, norm: ArrayLike, residual: ArrayLike, freedom: ArrayLike) -> Numbers:
    """Probability that the cosine of the uniform guess is off by at most eps.

    The guess has the length of the record, so 1 - cos = ||x^ - x||^2 / (2 ||x||^2): a breach of size sqrt(2 eps).
    Without translation only. Arguments as in `breach_probability`.
    """
    return breach_probability(np.sqrt(2 * np.asarray(eps, dtype=float)), norm, residual, freedom)


def projection_breach(eps: Numbers, norm: Numbers, residual: Numbers) -> Numbers:
    """Whether the projection onto the span of the known records is a breach: 1 or 0.

    This attacker does not guess what she cannot know: her error is exactly r, so she succeeds for certain where
    r <= eps ||x||. Arguments as in `breach_probability`.
    """
    eps, norm, residual, _ = _arrays(eps, norm, residual, 0)
    # A record of the span itself has a residual of rounding errors.
    return _finish((residual <= eps * norm + _rounding(norm)).astype(float))


def simulated_breach(
    eps: float, norm: float, residual: float, freedom: int, *, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """`breach_probability` by drawing: a Haar-random rotation sends the residual anywhere on its sphere.

    Parameters
    ----------
    eps, norm, residual : float
    freedom : int
    draws : int
    rng : numpy.random.Generator

    Returns
    -------
    probability, standard_error : float
    """
    _checked(eps, norm, residual, freedom)
    if draws < 1:
        raise TrustscopeError(f"There must be at least one draw, not {draws}.")
    if freedom == 0:
        return 1.0, 0.0
    # The image of one vector under a Haar matrix is uniform on the sphere: a normal vector, scaled.
    images = rng.standard_normal((draws, freedom))
    images *= (residual / np.linalg.norm(images, axis=1))[:, None]
    images[:, 0] -= residual
    share = np.mean(np.linalg.norm(images, axis=1) <= eps * norm)
    return float(share), float(np.sqrt(share * (1 - share) / draws))


def _few(z: Floats, m: Floats) -> Floats:
    """No dimension left, or one: two points, the record and its mirror image."""
    return np.where((m == 0) | (z >= 1), 1.0, 0.5)


def _checked(eps: ArrayLike, norm: ArrayLike, residual: ArrayLike, freedom: ArrayLike) -> tuple[Floats, Floats]:
    """z = min(1, (eps ||x|| / 2r)^2), and m, broadcast."""
    eps, norm, residual, m = _arrays(eps, norm, residual, freedom)
    if np.any(m < 0) or np.any(m != np.floor(m)):
        raise TrustscopeError("The freedom, dimensions less known directions, must be a whole number and not negative.")
    inside = residual <= _rounding(norm)
    # The lengths by each other first: products of large ones overflow.
    unit = np.where(inside, 1.0, residual)
    with np.errstate(over="ignore"):
        ratio = np.where(inside, 1.0, eps / 2 * (norm / unit))
    return np.minimum(ratio, 1.0) ** 2, m


def _arrays(eps: ArrayLike, norm: ArrayLike, residual: ArrayLike, freedom: ArrayLike) -> tuple[Floats, ...]:
    given = [np.asarray(one, dtype=float) for one in (eps, norm, residual, freedom)]
    for name, one in zip(("threshold", "length", "residual"), given, strict=False):
        if not np.all(np.isfinite(one) & (one >= 0)):
            raise TrustscopeError(f"The {name} must be a finite number and not negative.")
    return np.broadcast_arrays(*given)


def _rounding(norm: Floats) -> Floats:
    return 1e-9 * norm


def _finish(value: Floats) -> Numbers:
    return float(value) if np.ndim(value) == 0 else value
