"""Xiao, Tao and Chen 2009: what is misprinted or wrong."""

import pandas as pd

from trustscope.engine.experiments.misprints import xiao
from trustscope.scenarios.papers.judge import agrees, holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Misprint, Parameter
from trustscope.scenarios.words import plain, share

__all__ = ["RECORDS"]


def sums(table: pd.DataFrame) -> Finding:
    worst = table.iloc[int(table["printed"].argmax())]
    return f"{worst['printed']:.4f} for {int(float(worst['case']))} values; corrected {worst['right']:.4f}", bool(
        (table["printed"] > 1 + 1e-6).all() and (table["right"] - 1).abs().max() < 1e-9
    )


def is_the_law(table: pd.DataFrame) -> Finding:
    return f"largest difference {plain(table['gap'].max())}", table["gap"].max() < 1e-9


def corrupts(table: pd.DataFrame) -> Finding:
    last = table[table["releases"] == table["releases"].max()]
    text = ", ".join(
        f"{share(r.printed)} with {int(r.size_)} values" for r in last.rename(columns={"size": "size_"}).itertuples()
    )
    return f"after {int(last['releases'].iloc[0])} copies: {text}", bool((last["printed"] > 0).all())


def never(table: pd.DataFrame) -> Finding:
    return f"{share(table['right'].max())} of the records", table["right"].max() == 0


def impossible(table: pd.DataFrame) -> Finding:
    return f"{plain(table['printed'].min())} to {plain(table['printed'].max())}", bool((table["printed"] > 1).all())


def passed_on(table: pd.DataFrame) -> Finding:
    return agrees(table, "measured", "right", "standard_error")


RECORDS = (
    Experiment(
        "xiao/eq7", "Probabilities that add up to more than 1", "Eq. 7, third case",
        "Bob's value, given Alice's and the original where these differ, has a law whose third case is misprinted: as printed, the probabilities "
        "add up to more than 1.",
        xiao.row_sums,
        (
            holds("with p_a/p_b twice, as in Eq. 20, they add up to 1", "more than 1", sums, "1e-9", CORRECTED),
            holds("and they are the law by which the copies are drawn", "Eq. 20", is_the_law, "1e-9"),
        ),
        (Parameter("low", "p_a, Alice", 0.4, low=0.01, high=0.49), Parameter("high", "p_b, Bob", 0.8, low=0.5, high=0.99)),
        Misprint("p_a/p_b + (1 − p_a)/s", "p_a/p_b + (1 − p_a/p_b)/s"),
    ),
    Experiment(
        "xiao/history", "The history update that corrupts copies", "Section 6",
        "The history holds only values that differ from the one above. Entering a new level as printed changes what an "
        "implied level below it reads: 0.5 A, 0.3 A (implied), then 0.4 B makes 0.3 read B. "
        "How many records it hits depends on the levels and values drawn.",
        xiao.corruption,
        (
            holds("updated as printed, copies given out read differently later", "history(t) holds all copies", corrupts,
                  "some record in every domain", CORRECTED),
            holds("updated as corrected, no copy ever does", "none", never, "exact", CORRECTED),
        ),
        (Parameter("sizes", "Values in the domain", (2, 10, 50), low=2, high=1000),
         Parameter("rows", "Records", 200, low=20, high=5000),
         Parameter("repetitions", "Draws of the levels", 5, low=1, high=100)),
        Misprint("insert (p, Y); delete the next element if it is equal",
                 "also insert the next lower copy's value where it differs and was implied; delete an element only if it "
                 "stands at that level and is equal"),
    ),
    Experiment(
        "xiao/appendix1", "A probability printed upside down", "Appendix 1",
        "The value of the copy at p_k is said to be passed on to a lower p_j with probability p_k/p_j, which exceeds 1.",
        xiao.retained,
        (
            holds("as printed it is not a probability", "p_k/p_j", impossible, "all above 1", CORRECTED),
            holds("p_j/p_k is what is measured", "p_k/p_j", passed_on, "5 standard errors", CORRECTED),
        ),
        (Parameter("rows", "Rows", 100_000, low=1000, high=10**6),),
        Misprint("p_k/p_j", "p_j/p_k"),
    ),
)  # fmt: skip
