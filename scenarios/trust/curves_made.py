"""Computing the curves that are shipped: `make curves`, or this module with the names of sets."""

import sys
from typing import Any

import numpy as np

from trustscope import datasets
from trustscope.scenarios.trust.curves import FOLDER, moments, opening_question
from trustscope.scenarios.trust.loading import fetch, load
from trustscope.scenarios.trust.scenario import MADE, TrustScenario
from trustscope.scenarios.value import not_none

DIGITS = 5  # figures have standard errors of half a per cent


def write(name: str) -> None:
    """Compute and store the curves of one built-in set."""
    scenario = TrustScenario().replace({"data.name": name})
    model = load(fetch(scenario), scenario, shipped=False)
    judge, people = model.judge, model.population
    content: dict[str, Any] = {"names": np.array(people.names), "rows": np.array(people.rows)}
    content["moments"] = moments(people)
    for place, attribute in enumerate(people.names):
        question = opening_question(judge, attribute)
        curve = not_none(judge.hits(question))
        content |= {
            f"within{place}": np.array(curve.within),
            f"manners{place}": np.array(
                [
                    [
                        [*one.smoothing, one.mean, *(column in one.columns for column in range(people.columns))]
                        for one in of_trust
                    ]
                    for of_trust in curve.manners
                ]
            ),
        } | {
            f"{key}{place}": np.round(getattr(curve, key), DIGITS)
            for key in ("hits", "hits_error", "error", "error_error", "exposed", "worst")
        }
    errors = not_none(judge.errors(question))
    content |= {
        "trusts": curve.trusts, "errors": np.round(errors.errors, DIGITS), "shares": errors.shares,
        "linear": errors.linear, "alone": errors.alone, "references": np.array(curve.references),
        "probes": np.array(curve.probes),
    }  # fmt: skip
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(FOLDER / f"{name}.npz", **content)


def main(names: list[str]) -> None:
    """Compute and store the curves of these sets, or of all."""
    for name in names or [name for name in datasets.names() if name != MADE]:
        if datasets.built_in(name).numeric:
            write(name)
            print(f"{name}: stored")


if __name__ == "__main__":
    main(sys.argv[1:])
