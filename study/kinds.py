"""The kinds of studies: importing them here makes `Study` know them."""

from trustscope.study.coalition import Study
from trustscope.study.trust import TrustStudy

__all__ = ["Study", "TrustStudy"]
