"""Trustscope: what perturbed copies of one dataset give away when their holders collude.

`import trustscope as ts` gives the short public face below. Names are looked up when they are first used, so that
`trustscope --help` imports neither Panel nor scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trustscope.extras import require

if TYPE_CHECKING:  # for editors and type checkers: the same names as in _WHERE
    from trustscope.app.categories.dashboard import CategoriesDashboard
    from trustscope.app.rotation.dashboard import RotationDashboard
    from trustscope.app.survey.dashboard import SurveyDashboard
    from trustscope.app.trust.dashboard import TrustDashboard
    from trustscope.datasets import inspect, load, names
    from trustscope.engine import attacks, measures, uniform
    from trustscope.engine.gaussian import GaussianRelease, level_from_trust, trust_from_level
    from trustscope.engine.rotation import RotationRelease
    from trustscope.engine.transformers import GaussianNoise, RotationNoise, UniformNoise
    from trustscope.engine.uniform import UniformRelease
    from trustscope.errors import TrustscopeError
    from trustscope.release import Ledger
    from trustscope.scenarios.attackers import attacker
    from trustscope.scenarios.measures import measure
    from trustscope.scenarios.scenario import Scenario
    from trustscope.schemes import scheme
    from trustscope.study.comparing import compare
    from trustscope.study.extension import extension
    from trustscope.study.kinds import Rotation, Study, Survey

__version__ = "0.2.0"

# Public name: the module that holds it, and what it is called there (None: the module itself).
_WHERE: dict[str, tuple[str, str | None]] = {
    "load": ("trustscope.datasets", "load"),
    "names": ("trustscope.datasets", "names"),
    "inspect": ("trustscope.datasets", "inspect"),
    "GaussianRelease": ("trustscope.engine.gaussian", "GaussianRelease"),
    "UniformRelease": ("trustscope.engine.uniform", "UniformRelease"),
    "RotationRelease": ("trustscope.engine.rotation", "RotationRelease"),
    "GaussianNoise": ("trustscope.engine.transformers", "GaussianNoise"),
    "UniformNoise": ("trustscope.engine.transformers", "UniformNoise"),
    "RotationNoise": ("trustscope.engine.transformers", "RotationNoise"),
    "level_from_trust": ("trustscope.engine.gaussian", "level_from_trust"),
    "trust_from_level": ("trustscope.engine.gaussian", "trust_from_level"),
    "Ledger": ("trustscope.release", "Ledger"),
    "Scenario": ("trustscope.scenarios.scenario", "Scenario"),
    "Study": ("trustscope.study.kinds", "Study"),
    "Rotation": ("trustscope.study.kinds", "Rotation"),
    "Survey": ("trustscope.study.kinds", "Survey"),
    "compare": ("trustscope.study.comparing", "compare"),
    "extension": ("trustscope.study.extension", "extension"),
    "TrustscopeError": ("trustscope.errors", "TrustscopeError"),
    "TrustDashboard": ("trustscope.app.trust.dashboard", "TrustDashboard"),
    "CategoriesDashboard": ("trustscope.app.categories.dashboard", "CategoriesDashboard"),
    "RotationDashboard": ("trustscope.app.rotation.dashboard", "RotationDashboard"),
    "SurveyDashboard": ("trustscope.app.survey.dashboard", "SurveyDashboard"),
    "attacker": ("trustscope.scenarios.attackers", "attacker"),
    "scheme": ("trustscope.schemes", "scheme"),
    "measure": ("trustscope.scenarios.measures", "measure"),
    "attacks": ("trustscope.engine.attacks", None),
    "measures": ("trustscope.engine.measures", None),
    "uniform": ("trustscope.engine.uniform", None),
}

__all__ = [
    "CategoriesDashboard",
    "GaussianNoise",
    "GaussianRelease",
    "Ledger",
    "Rotation",
    "RotationDashboard",
    "RotationNoise",
    "RotationRelease",
    "Scenario",
    "Study",
    "Survey",
    "SurveyDashboard",
    "TrustDashboard",
    "TrustscopeError",
    "UniformNoise",
    "UniformRelease",
    "attacker",
    "attacks",
    "compare",
    "extension",
    "inspect",
    "level_from_trust",
    "load",
    "measure",
    "measures",
    "names",
    "scheme",
    "trust_from_level",
    "uniform",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'trustscope' has no attribute {name!r}")
    module, attribute = _WHERE[name]
    if module.startswith("trustscope.app"):
        require("app")
    found = import_module(module)
    value = found if attribute is None else getattr(found, attribute)
    globals()[name] = value  # the next look-up is direct
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
