"""The kinds of studies: importing them here makes `Study` know them."""

from trustscope.study.categories import CategoriesStudy
from trustscope.study.coalition import Study
from trustscope.study.rotation import Rotation
from trustscope.study.survey import Survey
from trustscope.study.trust import TrustStudy

__all__ = ["CategoriesStudy", "Rotation", "Study", "Survey", "TrustStudy"]
