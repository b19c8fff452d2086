"""Copies of categorical data at many trust levels, by uniform perturbation.

Notation of Xiao, Tao, Chen (2009), "Optimal random perturbation at multiple privacy levels": a sensitive
value is a *code* in 0..s-1, with s the *size* of its domain; a copy at retention probability p keeps each
value with probability p and otherwise replaces it by a uniform draw from the domain (Eq. 1).

`UniformRelease` reads every copy off one jump path per record, keyed and fast. `multi_pert` is the paper's
own algorithm with its history list, the reference that the path is tested against, and `uni_pert` its single
level.
"""

from trustscope.engine.uniform.domain import Domain, ProductDomain
from trustscope.engine.uniform.law import (
    SCHEMES,
    bridge,
    coin,
    expected_history,
    history_bound,
    joint_law,
    replacement,
    transition,
)
from trustscope.engine.uniform.multi_pert import History, multi_pert, uni_pert
from trustscope.engine.uniform.release import BLOCK, UniformRelease

__all__ = [
    "BLOCK",
    "SCHEMES",
    "Domain",
    "History",
    "ProductDomain",
    "UniformRelease",
    "bridge",
    "coin",
    "expected_history",
    "history_bound",
    "joint_law",
    "multi_pert",
    "replacement",
    "transition",
    "uni_pert",
]
