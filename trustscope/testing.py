"""A contract kit: whether an attacker or a scheme of one's own keeps to what the rest expects of it."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trustscope import schemes
from trustscope.engine import keys
from trustscope.engine.noise import noise_covariance
from trustscope.errors import TrustscopeError
from trustscope.scenarios import attackers, measures
from trustscope.scenarios.trust.own_attackers import KnownNoise, ask

__all__ = ["check_attacker", "check_measure", "check_scheme"]

ROWS, PEOPLE = 40, 60
SCHEMES = {"nested": (1.0, 4.0), "independent": (0.5, 1.0, 4.0), "proportional": (1.0, 4.0)}


def check_attacker(attacker: str | Callable[..., Any]) -> None:
    """Try a registered attacker on small tables of many kinds.

    Parameters
    ----------
    attacker : str or callable
        Its name, or the function that was registered.

    Raises
    ------
    TrustscopeError
        In a sentence, the first thing that is wrong: estimates of another shape or that are not finite, inputs that
        were changed, guesses that differ although everything given was the same, or any failure.
    """
    name = _name(attacker)
    for told, copies, noise, known in _situations():
        _try(name, told, copies, noise, known)


def check_scheme(scheme: str | Callable[..., Any]) -> None:
    """Try a registered scheme at many levels: close together and far apart, equal ones, and without noise.

    Parameters
    ----------
    scheme : str or callable
        Its name, or the function that was registered.

    Raises
    ------
    TrustscopeError
        In a sentence, the first thing that is wrong: a matrix of another shape, that is no covariance, whose diagonal
        is not the levels, or that changes with copies that are left out.
    """
    every = schemes.registered().values()
    found = [one for one in every if scheme in (one.name, one.covariance)]
    if not found:
        raise TrustscopeError("This is no registered scheme: put @ts.scheme(...) above the function.")
    rng = keys.rng(1, "contract of schemes")
    for levels in ([1.0], [0.0, 1.0], [1e-6, 1e6], [2.0] * 5, *(rng.exponential(2, size) for size in range(2, 13))):
        schemes.check_covariance(found[0].name, found[0].covariance, np.array(levels))


def check_measure(measure: str | Callable[..., Any]) -> None:
    """Try a registered measure on guesses of several shapes: exact ones, bad ones, one row, many columns.

    Parameters
    ----------
    measure : str or callable
        Its name, or the function that was registered.

    Raises
    ------
    TrustscopeError
        In a sentence, the first thing that is wrong: it fails, gives no finite number, changes what it is given, or
        answers differently when it is asked again.
    """
    found = [one for one in measures.registered().values() if measure in (one.name, one.function)]
    if not found:
        raise TrustscopeError("This is no registered measure: put @ts.measure(...) above the function.")
    name, rng = found[0].name, keys.rng(1, "contract of measures")
    for rows, columns in ((1, 1), (2, 1), (40, 3)):
        truth = rng.standard_normal((rows, columns))
        for guess in (truth.copy(), truth + rng.standard_normal(truth.shape), np.zeros_like(truth)):
            given = truth.copy(), guess.copy()
            try:
                found[0].function(*given, secret=columns - 1)
                answers = [measures.measured(name, truth, guess, columns - 1) for _ in range(2)]
            except TrustscopeError:
                raise
            except Exception as problem:
                raise TrustscopeError(f"The measure {name} fails: {type(problem).__name__}: {problem}") from problem
            if not all(map(np.array_equal, given, (truth, guess))):
                raise TrustscopeError(f"The measure {name} changes what it is given: work on a copy.")
            if answers[0] != answers[1]:
                raise TrustscopeError(f"The measure {name} must give the same answer to the same question.")


def _name(attacker: str | Callable[..., Any]) -> str:
    every = attackers.registered()
    if callable(attacker):
        found = [one.name for one in every.values() if one.function is attacker]
        if not found:
            raise TrustscopeError("This function is no registered attacker: put @ts.attacker(...) above it.")
        return found[0]
    if attackers.of(attacker).family != attackers.OWN:
        raise TrustscopeError(f"{attacker!r} is an attacker of the house: those are tested there.")
    return attacker


def _situations() -> Iterator[tuple[str, np.ndarray, KnownNoise, np.ndarray]]:
    """Copies of tables of several widths under every scheme, of one recipient and of several."""
    for columns in (1, 3):
        rng = keys.rng(1, "contract", columns)
        mix = np.eye(columns) + 0.5
        people = rng.standard_normal((ROWS + PEOPLE, columns)) @ mix + 10
        for scheme, several in SCHEMES.items():
            for levels in (several[:1], several):
                yield _situation(rng, people, np.array(levels), scheme)
        yield _situation(rng, people, np.array([0.0, 1.0]), "nested", "one copy is the original")
    constant = np.column_stack([people[:, 0], np.full(len(people), 7.0)])
    yield _situation(rng, constant, np.array([1.0]), "nested", "one column is constant")


def _situation(
    rng: np.random.Generator, people: np.ndarray, levels: np.ndarray, scheme: str, more: str = ""
) -> tuple[str, np.ndarray, KnownNoise, np.ndarray]:
    shape = np.atleast_2d(np.cov(people, rowvar=False))
    sigma = noise_covariance(levels, scheme)
    truth, known = people[:ROWS], people[ROWS:]
    root = np.linalg.cholesky(sigma + 1e-12 * np.eye(len(levels)))
    lower = np.linalg.cholesky(shape + 1e-12 * np.eye(len(shape)))
    normals = rng.standard_normal((len(levels), *truth.shape)) @ lower.T
    copies = truth + np.tensordot(root, normals, axes=1)
    told = f"{len(levels)} {scheme} copies of {truth.shape[1]} columns{f', where {more}' if more else ''}"
    return told, copies, KnownNoise(scheme, levels, sigma, shape), known.copy()


def _try(name: str, told: str, copies: np.ndarray, noise: KnownNoise, known: np.ndarray) -> None:
    before = copies.copy(), known.copy(), noise.shape.copy()
    first = _asked(name, told, copies, noise, known)
    if not all(map(np.array_equal, before, (copies, known, noise.shape))):
        raise TrustscopeError(f"The attacker {name} changes what it is given ({told}): work on a copy.")
    if not np.array_equal(first, _asked(name, told, copies, noise, known)):
        raise TrustscopeError(
            f"The attacker {name} guesses otherwise when it is asked again ({told}): draw from `rng` alone."
        )


def _asked(name: str, told: str, copies: np.ndarray, noise: KnownNoise, known: np.ndarray) -> np.ndarray:
    try:
        return ask(name, copies, noise, known, keys.rng(2, "contract"))
    except TrustscopeError as problem:
        raise TrustscopeError(f"{problem} ({told}.)") from None
    except Exception as problem:
        raise TrustscopeError(
            f"The attacker {name} fails with {told}: {type(problem).__name__}: {problem}"
        ) from problem
