"""Before the noise: what is done to columns that noise does not hide, and what is said of it."""

from trustscope.scenarios.preparation.steps import NumberPreparation, Preparation, offered, prepared

__all__ = ["NumberPreparation", "Preparation", "offered", "prepared"]
