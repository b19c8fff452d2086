"""Built-in sets that are read, not made: the files beside this module, and scikit-learn's.

`files/PROVENANCE.md` tells where each file came from and what was done to it.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from trustscope.datasets.model import Dataset
from trustscope.datasets.texts import spaced

if TYPE_CHECKING:
    from sklearn.utils import Bunch

FILES = Path(__file__).parent / "files"
_CC_BY = "CC BY 4.0"
_UCI = "UCI Machine Learning Repository"


def load(name: str) -> Dataset:
    """Load a set by its name, with a frame of its own.

    The parsed original is kept for the process, and every caller gets a deep copy: a copy of the largest one
    takes a few milliseconds, and then no session can change what another one sees.
    """
    original = _original(name)
    return Dataset(**{**vars(original), "frame": original.frame.copy(deep=True), "units": dict(original.units)})


@cache
def _original(name: str) -> Dataset:
    return READERS[name]()


def adult() -> Dataset:
    """Read UCI Adult, its training and its test part joined."""
    names = {
        "age": "Age",
        "workclass": "Work class",
        "fnlwgt": "Census weight",
        "education": "Education",
        "education_num": "Years of education",
        "marital_status": "Marital status",
        "occupation": "Occupation",
        "relationship": "Relationship",
        "race": "Race",
        "sex": "Sex",
        "capital_gain": "Capital gain",
        "capital_loss": "Capital loss",
        "hours_per_week": "Hours per week",
        "native_country": "Native country",
        "income": "Income class",
    }
    parts = [_csv("adult-train.csv.gz"), _csv("adult-test.csv.gz")]
    frame = pd.concat(parts, ignore_index=True).rename(columns=names)
    categorical = (
        "Occupation",
        "Education",
        "Marital status",
        "Work class",
        "Relationship",
        "Race",
        "Sex",
        "Native country",
        "Income class",
    )
    unknown = {c: int((frame[c] == "?").sum()) for c in ("Work class", "Occupation", "Native country")}
    frame = frame.replace("?", "Unknown")
    ladder = frame.groupby("Education")["Years of education"].first().sort_values().index
    frame = _as_categories(frame, categorical, {"Education": list(ladder)})
    return Dataset(
        name="adult",
        title="Adult: US census income, 1994",
        frame=frame,
        numeric=(
            "Age",
            "Hours per week",
            "Years of education",
            "Capital gain",
            "Capital loss",
            "Census weight",
        ),
        categorical=categorical,
        label="Income class",
        source=f"Becker and Kohavi (1996), Adult, {_UCI}, doi 10.24432/C5XW20.",
        licence=_CC_BY,
        notes=(
            f"The training part ({spaced(len(parts[0]))} rows) comes first, "
            f"then the test part ({spaced(len(parts[1]))} rows).",
            "Values that nobody recorded are a category of their own, called Unknown ("
            + ", ".join(f"{c}: {spaced(n)}" for c, n in unknown.items())
            + ").",
            "Census weight says how many people a row stands for (fnlwgt in the original).",
        ),
        units={
            "Age": "years",
            "Hours per week": "hours",
            "Years of education": "years",
            "Capital gain": "dollars",
            "Capital loss": "dollars",
        },
    )


def letter() -> Dataset:
    """Read UCI Letter Recognition."""
    names = {
        "lettr": "Letter",
        "x_box": "Box x",
        "y_box": "Box y",
        "width": "Width",
        "high": "Height",
        "onpix": "Ink",
        "x_bar": "Mean x",
        "y_bar": "Mean y",
        "x2bar": "Variance x",
        "y2bar": "Variance y",
        "xybar": "Correlation xy",
        "x2ybr": "Mean x²y",
        "xy2br": "Mean xy²",
        "x_ege": "Edges x",
        "xegvy": "Edges x with y",
        "y_ege": "Edges y",
        "yegvx": "Edges y with x",
    }
    frame = _as_categories(_csv("letter.csv.gz").rename(columns=names), ("Letter",))
    return Dataset(
        name="letter",
        title="Letter recognition",
        frame=frame,
        numeric=tuple(names.values())[1:],
        categorical=("Letter",),
        label="Letter",
        source=f"Slate (1991), Letter Recognition, {_UCI}, doi 10.24432/C5ZP40.",
        licence=_CC_BY,
        notes=(
            "Each attribute was scaled by its makers to whole numbers from 0 to 15.",
            f"{spaced(int(frame.duplicated().sum()))} rows repeat an earlier one; they are kept.",
        ),
    )


def votes() -> Dataset:
    """Read UCI Congressional Voting Records."""
    frame = _csv("votes.csv.gz")
    neither = int((frame == "?").to_numpy().sum())
    frame = frame.rename(columns=lambda c: c.replace("_", " ").capitalize())
    frame = frame.rename(
        columns={
            "Mx missile": "MX missile",
            "El salvador aid": "El Salvador aid",
            "Aid to nicaraguan contras": "Aid to Nicaraguan Contras",
            "Export administration act south africa": "Export administration act South Africa",
        }
    )
    frame["Party"] = frame["Party"].str.capitalize()
    questions = tuple(c for c in frame if c != "Party")
    answers = frame[list(questions)].replace({"y": "Yes", "n": "No", "?": "Neither"})
    frame = pd.concat([frame[["Party"]], answers], axis=1)
    frame = _as_categories(frame, ("Party",))
    for question in questions:
        frame[question] = pd.Categorical(frame[question], ["No", "Neither", "Yes"])
    return Dataset(
        name="votes",
        title="Votes in the US House of Representatives, 1984",
        frame=frame,
        numeric=(),
        categorical=(*map(str, questions), "Party"),
        label="Party",
        source=f"Congressional Voting Records (1987), {_UCI}, doi 10.24432/C5C01P.",
        licence=_CC_BY,
        notes=(
            f"'Neither' ({neither} cells) means that the member took no known position; the original writes "
            "'?', and does not mean a value that got lost.",
            "There is no numeric column.",
        ),
    )


def breast_original() -> Dataset:
    """Read UCI Breast Cancer Wisconsin (Original)."""
    frame = _csv("breast-wisconsin-original.csv.gz")
    incomplete = int(frame.isna().any(axis=1).sum())
    frame = frame.drop(columns="id").dropna(ignore_index=True)
    frame["bare_nuclei"] = frame["bare_nuclei"].astype(np.int64)
    frame = frame.rename(columns=lambda c: "Diagnosis" if c == "class" else c.replace("_", " ").capitalize())
    frame["Diagnosis"] = frame["Diagnosis"].str.capitalize()
    return Dataset(
        name="breast-original",
        title="Breast cancer Wisconsin (original)",
        frame=_as_categories(frame, ("Diagnosis",)),
        numeric=tuple(str(c) for c in frame if c != "Diagnosis"),
        categorical=("Diagnosis",),
        label="Diagnosis",
        source=f"Wolberg (1990), Breast Cancer Wisconsin (Original), {_UCI}, doi 10.24432/C5HP4Z.",
        licence=_CC_BY,
        notes=(
            f"{incomplete} rows without a value for Bare nuclei are left out.",
            "The patients' identifiers are left out.",
            "Each attribute is a grade from 1 to 10.",
        ),
    )


def iris() -> Dataset:
    """Read Fisher's iris, which many begin with: scikit-learn has it too, and takes half a second to import."""
    frame = _csv("iris.csv.gz").rename(columns=lambda c: c.replace("_", " ").capitalize())
    frame["Species"] = frame["Species"].str.capitalize()
    numeric = tuple(str(c) for c in frame if c != "Species")
    return Dataset(
        name="iris",
        title="Iris",
        frame=_as_categories(frame, ("Species",)),
        numeric=numeric,
        categorical=("Species",),
        label="Species",
        source=f"Fisher (1936), Iris, as shipped with scikit-learn; {_UCI}, doi 10.24432/C56C76.",
        licence=_CC_BY,
        units=dict.fromkeys(numeric, "cm"),
    )


def wine() -> Dataset:
    """Read the wine recognition data from scikit-learn."""
    names = {
        "od280/od315_of_diluted_wines": "OD280/OD315",
        "alcalinity_of_ash": "Alkalinity of ash",
        "nonflavanoid_phenols": "Non-flavonoid phenols",
        "flavanoids": "Flavonoids",
    }
    return _from_sklearn(
        "wine",
        _sklearn().load_wine(),
        title="Wine",
        label="Cultivar",
        rename=lambda c: names.get(c, c.replace("_", " ").capitalize()),
        source=f"Aeberhard and Forina (1991), Wine, as shipped with scikit-learn; {_UCI}, doi 10.24432/C5PC7J.",
        labels={"class_0": "Cultivar 1", "class_1": "Cultivar 2", "class_2": "Cultivar 3"},
    )


def breast() -> Dataset:
    """Read Breast Cancer Wisconsin (Diagnostic) from scikit-learn."""
    return _from_sklearn(
        "breast",
        _sklearn().load_breast_cancer(),
        title="Breast cancer Wisconsin (diagnostic)",
        label="Diagnosis",
        rename=str.capitalize,
        source="Wolberg, Mangasarian, Street and Street (1993), Breast Cancer Wisconsin (Diagnostic), as "
        f"shipped with scikit-learn; {_UCI}, doi 10.24432/C5DW2B.",
        labels={"malignant": "Malignant", "benign": "Benign"},
    )


def diabetes() -> Dataset:
    """Read the diabetes progression data from scikit-learn, in its own units."""
    names = {
        "age": "Age",
        "sex": "Sex",
        "bmi": "Body mass index",
        "bp": "Blood pressure",
        "s1": "Total cholesterol",
        "s2": "LDL",
        "s3": "HDL",
        "s4": "Cholesterol ratio",
        "s5": "Log triglycerides",
        "s6": "Blood sugar",
    }
    bunch = _sklearn().load_diabetes(scaled=False)
    frame = pd.DataFrame(bunch.data, columns=[names[c] for c in bunch.feature_names])
    frame["Progression"] = bunch.target
    frame["Sex"] = pd.Categorical(frame["Sex"].map({1.0: "Group 1", 2.0: "Group 2"}))
    return Dataset(
        name="diabetes",
        title="Diabetes progression",
        frame=frame,
        numeric=tuple(str(c) for c in frame if c != "Sex"),
        categorical=("Sex",),
        label=None,
        source="Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression, as shipped with scikit-learn.",
        licence="Not stated by its source; shipped with scikit-learn.",
        notes=(
            "Progression after one year is a number, so there is no label column to classify.",
            "The original codes Sex as 1 and 2 without saying which is which.",
            "The source calls its column ltg possibly the logarithm of triglycerides.",
        ),
        units={"Age": "years", "Body mass index": "kg/m²"},
    )


def _csv(file: str) -> pd.DataFrame:
    # Only the empty field is missing: "?" has a meaning of its own in these files.
    return pd.read_csv(FILES / file, keep_default_na=False, na_values=[""])


def _as_categories(
    frame: pd.DataFrame, columns: tuple[str, ...], orders: dict[str, list[str]] | None = None
) -> pd.DataFrame:
    made = {}
    for column in columns:
        order = (orders or {}).get(column)
        values = order or sorted(frame[column].unique())
        # Text labels held as objects: the same on every pandas, with or without Arrow strings.
        made[column] = pd.Categorical(frame[column].astype(object), pd.Index(values, dtype=object), bool(order))
    return frame.assign(**made)


def _sklearn() -> ModuleType:
    """The datasets of scikit-learn, imported when one is read: the command line need not wait for it."""
    return import_module("sklearn.datasets")


def _from_sklearn(
    name: str,
    bunch: "Bunch",
    *,
    title: str,
    label: str,
    rename: Callable[[str], str],
    source: str,
    labels: dict[str, str],
) -> Dataset:
    names = [rename(str(c)) for c in bunch.feature_names]
    frame = pd.DataFrame(bunch.data, columns=names)
    classes = [str(c) for c in bunch.target_names]
    shown = [labels[c] for c in classes]
    frame[label] = pd.Categorical.from_codes(bunch.target, pd.Index(shown, dtype=object))
    return Dataset(
        name=name,
        title=title,
        frame=frame,
        numeric=tuple(names),
        categorical=(label,),
        label=label,
        source=source,
        licence=_CC_BY,
    )


READERS = {
    "adult": adult,
    "iris": iris,
    "wine": wine,
    "breast": breast,
    "breast-original": breast_original,
    "letter": letter,
    "votes": votes,
    "diabetes": diabetes,
}
