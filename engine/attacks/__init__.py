"""Attackers, one module a family."""

from trustscope.engine.attacks import known_input, known_sample, llse, posterior, reconstruction, shaped

__all__ = ["known_input", "known_sample", "llse", "posterior", "reconstruction", "shaped"]
