"""Patients with diseases: the example of Xiao, Tao and Chen (2009), as a table that is made here.

The paper has one patient whose value is HIV, and a domain of 10 diseases (Examples 1 and 2) or of 1 000 (its
introduction). Nothing in these tables is about anybody.
"""

from typing import cast

import numpy as np
import pandas as pd

from trustscope.datasets.model import Dataset

ROWS = 20_000
# Shares of the ten diseases; made up, but for being rare or common as one would expect.
DISEASES = {
    "HIV": 0.03,
    "flu": 0.22,
    "bronchitis": 0.15,
    "pneumonia": 0.09,
    "gastritis": 0.13,
    "diabetes": 0.12,
    "asthma": 0.10,
    "hepatitis": 0.04,
    "migraine": 0.08,
    "anaemia": 0.04,
}
SENSITIVE = "Disease"
TITLES = {
    "patients": "Patients, ten diseases",
    "patients-1000": "Patients, 1 000 diseases",
}


def patients(name: str = "patients") -> Dataset:
    """The table of this name: HIV and nine other diseases, or 999."""
    shares = np.array(list(DISEASES.values()))
    labels = list(DISEASES)
    if name == "patients-1000":
        labels = ["HIV", *(f"disease {number:03}" for number in range(1, 1000))]
        shares = np.array([DISEASES["HIV"], *(1 / np.arange(3.0, 1002.0))])
        shares[1:] *= (1 - shares[0]) / shares[1:].sum()
    rng = np.random.default_rng(2009)
    disease = rng.choice(len(labels), size=ROWS, p=shares)
    sex = rng.random(ROWS) < 0.5 + 0.12 * (disease == 0)
    age = np.clip(rng.normal(46 - 8 * (disease == 0), 17, ROWS).round(), 18, 95).astype(int)
    ward = (rng.random(ROWS) * 4).astype(int)
    ages = ["under 30", "30 to 44", "45 to 59", "60 or over"]
    frame = pd.DataFrame(
        {
            SENSITIVE: _named(disease, labels),
            "Sex": _named(sex.astype(int), ["female", "male"]),
            "Age group": _named(np.digitize(age, [30, 45, 60]), ages),
            "Ward": _named(ward, ["north", "east", "south", "west"]),
            "Age": age,
        }
    )
    return Dataset(
        name=name,
        title=f"{TITLES[name]} (synthetic)",
        frame=frame,
        numeric=("Age",),
        categorical=(SENSITIVE, "Sex", "Age group", "Ward"),
        label=None,
        source="Made here after the example of Xiao, Tao and Chen (2009): Alice keeps 40 %, Bob 20 %, "
        f"one value is HIV, and the domain has {len(labels):,} diseases.".replace(",000", " 000"),
        licence="synthetic, free to use",
        notes=("Synthetic: nothing here is about anybody. The shares of the diseases are made up.",),
        units={"Age": "years"},
    )


def _named(codes: np.ndarray, labels: list[str]) -> pd.Categorical:
    """Categories by their numbers."""
    return cast("pd.Categorical", pd.Categorical.from_codes(codes, pd.Index(labels)))
