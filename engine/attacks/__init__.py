"""Attackers, one module a family."""

from trustscope.engine.attacks import (
    combining,
    known_input,
    known_sample,
    llse,
    optimal,
    posterior,
    reconstruction,
    shaped,
)

__all__ = ["combining", "known_input", "known_sample", "llse", "optimal", "posterior", "reconstruction", "shaped"]
