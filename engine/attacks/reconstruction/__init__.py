"""Five attackers who reconstruct data from a copy with additive noise (Huang, Du, Chen 2005).

`noise_distribution` (NDR), `univariate` (UDR), `principal_components` (PCA-DR), `spectral_filter` (SF, of
Kargupta et al. 2003) and `bayes` (BE-DR) are all called as ``f(released, noise_covariance, noise_mean=0, *,
covariance=None, mean=None, ...)`` with rows by columns and return the estimate. With ``covariance`` and
``mean`` of the data they have perfect knowledge, otherwise they estimate what they need from the released
rows. `ATTACKERS` describes them. Several copies become one by `combine`, for every attacker.
"""

from trustscope.engine.attacks.reconstruction.coalitions import coalition, combine
from trustscope.engine.attacks.reconstruction.linear import (
    Spectrum,
    bayes,
    components_kept,
    noise_band,
    noise_distribution,
    principal_components,
    spectral_filter,
    spectrum,
)
from trustscope.engine.attacks.reconstruction.registry import ATTACKERS, Attacker
from trustscope.engine.attacks.reconstruction.theory import (
    bayes_error,
    bayes_excess,
    guess_error,
    noise_distribution_error,
    principal_components_error,
    univariate_error,
)
from trustscope.engine.attacks.reconstruction.univariate import univariate

__all__ = [
    "ATTACKERS",
    "Attacker",
    "Spectrum",
    "bayes",
    "bayes_error",
    "bayes_excess",
    "coalition",
    "combine",
    "components_kept",
    "guess_error",
    "noise_band",
    "noise_distribution",
    "noise_distribution_error",
    "principal_components",
    "principal_components_error",
    "spectral_filter",
    "spectrum",
    "univariate",
    "univariate_error",
]
