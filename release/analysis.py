"""What an analyst may compute from a copy, and how to correct for its noise: formulas, worked for one copy, a script.

Notation: tau is the trust, s = (1 - tau) / tau the level. A released number is y = x + noise with covariance s K_X,
then rounded to a grid g. So means are those of the data; variances and covariances of perturbed numbers are 1 / tau
times theirs (plus g^2 / 12 of the rounding on the variances); correlations and regressions stay as they are.
Categories of a block are kept together with probability p, and otherwise drawn anew from all combinations. So a share q
of the data becomes p q + (1 - p) / m, m being the number of combinations that are counted over.
"""

import textwrap
from dataclasses import dataclass
from typing import Self

from trustscope.release import fingerprint
from trustscope.release.recipe import Recipe, level
from trustscope.release.record import Copy


@dataclass(frozen=True)
class Terms:
    """What corrections hang on.

    Attributes
    ----------
    trust, retention : float or None
        As shares; of a copy with a fingerprint those that include it.
    """

    trust: float | None
    retention: float | None

    @classmethod
    def of(cls, copy: Copy) -> Self:
        """Those of an issued copy."""
        trust = retention = None
        if copy.trust:
            more = 1 + fingerprint.SIZE**2 if copy.fingerprint else 1.0
            trust = 1 / (1 + level(copy.trust) * more)
        if copy.retention:
            retention = copy.retention / 1000 * (1 - fingerprint.SHARE if copy.fingerprint else 1.0)
        return cls(trust, retention)


def what_may_be_computed(recipe: Recipe) -> list[str]:
    """What can be computed, and what cannot, as sentences."""
    roles = recipe.roles
    said = []
    if roles.numbers:
        said += [
            "Means and totals of perturbed numbers, also within groups of kept columns: as they are.",
            "Variances and covariances of perturbed numbers: times the trust, after g²/12 of the rounding is taken off "
            "a variance. Correlations and regressions among perturbed numbers: as they are.",
            "Regression of a perturbed number on kept columns: as it is. Of a kept column on a perturbed number: the "
            "slope is too small, and is divided by the trust.",
            "Quantiles, histograms, maxima and counts above a limit are wider than in the data, and must not be read "
            "off a copy.",
        ]
    if roles.categories:
        said += [
            "Shares and cross tables of perturbed categories, also within groups of kept columns: take (1 − p)/m off, "
            "and divide by p. Small cells may come out negative: that is noise.",
            "Means of a number by perturbed category: correct the totals and the counts in the same way, then divide.",
        ]
    said.append("Standard errors: those of the corrected figures, from the formulas; never those of uncorrected ones.")
    if recipe.group:
        said.append(f"Rows with the same {recipe.group['column']} share noise: count them as one in standard errors.")
    return said


def corrections(recipe: Recipe, terms: Terms) -> list[tuple[str, str]]:
    """Formulas with the numbers of one copy put in, as (what, formula)."""
    rows = []
    for name, grid in zip(recipe.roles.numbers, recipe.grids, strict=True):
        t = terms.trust
        rows.append((f"mean of {name}", f"mean(y), standard error sd(y) / √n for y = {name}"))
        rows.append((f"variance of {name}", f"{t:.6g} × (var(y) − {grid.text}² / 12)"))
    if len(recipe.roles.numbers) > 1:
        one, other = recipe.roles.numbers[:2]
        rows.append((f"covariance of {one} and {other}", f"{terms.trust:.6g} × cov(y₁, y₂)"))
    for name in recipe.roles.categories:
        p, m = terms.retention, len(recipe.domains[name])
        assert p is not None  # every copy has one where there are categories
        rows.append((
            f"share of a value of {name}",
            f"(q − {(1 - p) / m:.6g}) / {p:.6g} for its share q in the copy, standard error √(q (1 − q) / n) / {p:.6g}",
        ))  # fmt: skip
    for names in recipe.blocks:
        if len(names) > 1:
            one, other = names[:2]
            m = len(recipe.domains[one]) * len(recipe.domains[other])
            p = terms.retention
            assert p is not None
            rows.append((f"cell of {one} by {other}", f"(q − {(1 - p) / m:.6g}) / {p:.6g} for its share q of all rows"))
    return rows


def script(recipe: Recipe, terms: Terms, copy: Copy) -> str:
    """A short script that checks the file's digest and prints corrected figures."""
    reading = {"csv": "pd.read_csv(FILE)", "parquet": "pd.read_parquet(FILE)"}.get(copy.form, "pd.read_parquet(FILE)")
    digest = (
        f'found = hashlib.sha256(open(FILE, "rb").read()).hexdigest()\n'
        f'assert found == "{copy.sha256}", "not the copy that was issued"\n'
        if copy.form != "folder"
        else f"# a folder of Parquet files; its digest in the ledger is {copy.sha256}\n"
    )
    grids = {name: grid.step for name, grid in zip(recipe.roles.numbers, recipe.grids, strict=True)}
    sizes = {name: len(recipe.domains[name]) for name in recipe.roles.categories}
    lines = [
        f"# Corrected figures of the copy with SHA-256 {copy.sha256}",
        "import hashlib",
        "import sys",
        "",
        "import pandas as pd",
        "",
        "FILE = sys.argv[1]",
        digest.rstrip(),
        f"data = {reading}",
    ]
    if grids:
        lines += [
            f"trust, grids = {terms.trust!r}, {grids!r}",
            "for name, grid in grids.items():",
            "    y = pd.to_numeric(data[name]).dropna()",
            "    variance = trust * (y.var() - grid**2 / 12)",
            '    print(f"{name}: mean {y.mean():.6g} ± {y.std() / len(y) ** 0.5:.2g}, variance {variance:.6g}")',
        ]
    if sizes:
        lines += [
            f"retention, sizes = {terms.retention!r}, {sizes!r}",
            "for name, size in sizes.items():",
            "    q = data[name].value_counts(normalize=True)",
            "    share = (q - (1 - retention) / size) / retention",
            "    error = (q * (1 - q) / data[name].count()) ** 0.5 / retention",
            "    for value in share.index:",
            '        print(f"{name} = {value}: {share[value]:.4f} ± {error[value]:.4f}")',
        ]
    return textwrap.dedent("\n".join(lines)) + "\n"
