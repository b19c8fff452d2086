"""The attackers as records: what each assumes, what it needs to know, what it is expected to achieve."""

from collections.abc import Callable
from dataclasses import dataclass

from trustscope.engine.arrays import Floats, Numbers
from trustscope.engine.attacks.reconstruction import linear, theory
from trustscope.engine.attacks.reconstruction.univariate import univariate


@dataclass(frozen=True)
class Attacker:
    """One attacker.

    Attributes
    ----------
    name : str
        Short name, as in the papers.
    title : str
        In words.
    assumes : str
        What it takes for granted, a sentence.
    formula : str
        The estimate, in LaTeX.
    needs : tuple of str
        What it has to know or estimate.
    function : callable
        ``function(released, noise_covariance, noise_mean=0, *, covariance=None, mean=None, ...)``.
    expected_error : callable or None
        ``expected_error(covariance, noise_covariance, *, per_attribute=False)``, None without a closed form.
    expected_formula : str or None
        That error for white noise, in LaTeX.
    """

    name: str
    title: str
    assumes: str
    formula: str
    needs: tuple[str, ...]
    function: Callable[..., Floats]
    expected_error: Callable[..., Numbers] | None = None
    expected_formula: str | None = None


ATTACKERS = {
    "noise_distribution": Attacker(
        name="NDR",
        title="Take it as it is",
        assumes="Nothing about the data: the released value, less the mean of the noise, is the best guess.",
        formula=r"\hat x = y - \mu_r",
        needs=("the mean of the noise",),
        function=linear.noise_distribution,
        expected_error=theory.noise_distribution_error,
        expected_formula=r"\sigma^2",
    ),
    "univariate": Attacker(
        name="UDR",
        title="Each attribute by itself",
        assumes="Attributes tell nothing of each other; the distribution of each can be estimated from the copy.",
        formula=r"\hat x_j = E[x_j \mid y_j] = \frac{\int x f_X(x) f_R(y_j - x)\,dx}{\int f_X(x) f_R(y_j - x)\,dx}",
        needs=("the law of the noise of each attribute", "the distribution of each attribute"),
        function=univariate,
        expected_error=theory.univariate_error,
        expected_formula=r"\frac{1}{m} \sum_j \frac{a_j \sigma^2}{a_j + \sigma^2}",
    ),
    "principal_components": Attacker(
        name="PCA-DR",
        title="Principal components",
        assumes="The data vary along a few directions only, and what lies outside them is noise.",
        formula=r"\hat x = \mu_x + Q_p Q_p^\top (y - \mu_y), \quad \Sigma_x = \Sigma_y - \Sigma_r = Q \Lambda Q^\top",
        needs=("the covariance of the noise", "the covariance of the data", "how many components to keep"),
        function=linear.principal_components,
        expected_error=theory.principal_components_error,
        expected_formula=r"\frac{1}{m} \left( p \sigma^2 + \sum_{i > p} \lambda_i \right)",
    ),
    "spectral_filter": Attacker(
        name="SF",
        title="Spectral filter",
        assumes="The noise is white, and components no stronger than pure noise would give are noise.",
        formula=r"\hat x = \mu_x + Q_k Q_k^\top (y - \mu_y), \quad"
        r" \lambda_k(\Sigma_y) > \sigma^2 \left( 1 + \sqrt{m / n} \right)^2",
        needs=("the variance of the noise", "the covariance of the released data"),
        function=linear.spectral_filter,
    ),
    "bayes": Attacker(
        name="BE-DR",
        title="Bayes estimate",
        assumes="Data and noise are normal, and their covariances are known or well estimated.",
        formula=r"\hat x = y - \mu_r - \Sigma_r \Sigma_y^{-1} (y - \mu_y)",
        needs=("the covariance of the noise", "the mean and covariance of the data"),
        function=linear.bayes,
        expected_error=theory.bayes_error,
        expected_formula=r"\frac{1}{m} \sum_i \frac{\lambda_i \sigma^2}{\lambda_i + \sigma^2}",
    ),
}
