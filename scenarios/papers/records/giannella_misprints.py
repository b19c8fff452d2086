"""Giannella, Liu and Kargupta 2009: what is misprinted or wrong."""

from typing import Any

import numpy as np
import pandas as pd

from trustscope.engine.arrays import Several
from trustscope.engine.experiments import giannella
from trustscope.engine.experiments.misprints import giannella as misprints
from trustscope.engine.utility.progress import Cancelling, Progress
from trustscope.scenarios.papers.judge import agrees, holds
from trustscope.scenarios.papers.record import CORRECTED, Experiment, Finding, Misprint, Parameter
from trustscope.scenarios.papers.records.giannella import adult, letters
from trustscope.scenarios.words import listed, plain, share

__all__ = ["RECORDS"]


def run_cap(
    freedom: Several, draws: int, key: int, progress: Progress | None, cancelled: Cancelling | None
) -> pd.DataFrame:
    table = giannella.formulas(freedom=freedom, draws=draws, key=key, progress=progress, cancelled=cancelled)
    return table.assign(draws=draws)


def corrected_fits(table: pd.DataFrame) -> Finding:
    """Few hits estimate their own spread badly: the spread by theory is taken, and three more hits are allowed."""
    p, draws = table["corrected"], table["draws"]
    allowed = 5 * np.sqrt(p * (1 - p) / draws) + 3 / draws
    gap = (table["simulated"] - p).abs()
    return (
        f"at most {100 * gap.max():.1f} points apart; {int((gap <= allowed).sum())} of {len(table)} places within chance",
        bool((gap <= allowed).all()),
    )


def printed_misses(table: pd.DataFrame) -> Finding:
    part = table[table["freedom"] >= 3]
    spread = part["standard_error"].where(part["standard_error"] > 0)
    worst = part.iloc[int(((part["simulated"] - part["printed"]).abs() / spread).argmax())]
    text = f"{int(worst['freedom'])} free dimensions, distance {plain(worst['chord'])}: printed {share(worst['printed'])}, drawn {share(worst['simulated'])}"
    return text, abs(worst["simulated"] - worst["printed"]) > 5 * worst["standard_error"]


def jumps(table: pd.DataFrame) -> Finding:
    part = table[table["freedom"] == 3].set_index("chord")
    low, high = part.index[part.index <= np.sqrt(2)].max(), part.index[part.index > np.sqrt(2)].min()
    text = f"from {share(part.loc[low, 'printed'])} to {share(part.loc[high, 'printed'])}; corrected {share(part.loc[low, 'corrected'])} to {share(part.loc[high, 'corrected'])}"
    return text, part.loc[high, "printed"] - part.loc[low, "printed"] > 2 * (
        part.loc[high, "corrected"] - part.loc[low, "corrected"]
    )


def factorial(table: pd.DataFrame) -> Finding:
    last = table.iloc[-1]
    text = f"{int(last['printed'])} for {int(last['known'])} records that can be linked in one way; one index at each node: {int(last['right'])}"
    return text, bool((table["printed"] == table["expected"]).all() and (table["right"] == 1).all())


def formula_fits(table: pd.DataFrame) -> Finding:
    return agrees(table, "measured", "right", "standard_error")


def same_both_ways(table: pd.DataFrame) -> Finding:
    gap = (table["forth"] - table["back"]).abs().max()
    return f"largest difference {plain(gap)}: the figures stand", gap < 1e-9


def run_ratios() -> pd.DataFrame:
    return misprints.eigen_ratios({"Letter": (letters()[:, :6], 1.3109), "Adult": (adult(), 1.2734)})


def reported_ratios(table: pd.DataFrame) -> Finding:
    text = listed([f"{r.data} {r.right:.4f}" for r in table.itertuples()])
    return text, bool((table["right"] / table["reported"] - 1).abs().max() < 0.001)


def below_one(table: pd.DataFrame) -> Finding:
    return listed([f"{r.data} {r.printed:.4f}" for r in table.itertuples()]), bool((table["printed"] < 1).all())


def doubled(table: pd.DataFrame) -> Finding:
    return agrees(table, "measured", "right", "standard_error")


def symmetric(table: pd.DataFrame) -> Finding:
    part = table.groupby("made")[["skewness", "standard_error"]].first()
    pairs, centred = part.loc["pair differences"], part.loc["centred"]
    text = f"skewness of pair differences {pairs['skewness']:.3f} ± {pairs['standard_error']:.3f}, centred {centred['skewness']:.2f}"
    return text, abs(pairs["skewness"]) < 5 * pairs["standard_error"] and abs(centred["skewness"]) > 0.5


def no_remedy(table: pd.DataFrame) -> Finding:
    part = table[table["matrix"] == "one"].sort_values("dimensions").iloc[-1]
    if part["dimensions"] < 1000:
        return (
            None  # a projection to l dimensions changes lengths by about 1 / sqrt(2 l): too much for 10 % if l is small
        )
    return f"{share(part['breach'])} breached with {int(part['dimensions'])} dimensions", part["breach"] > 0.95


def only_fresh(table: pd.DataFrame) -> Finding:
    part = table[table["matrix"] == "fresh"]["breach"]
    return f"at most {share(part.max())} breached", part.max() < 0.1


def never_negative(table: pd.DataFrame) -> Finding:
    one: Any = table.set_index("case").loc["NAD(0, −5)"]
    return f"{plain(one['right'])}, no breach", one["right"] == 5 and not bool(one["breached"])


def cosine_range(table: pd.DataFrame) -> Finding:
    least = float(table.set_index("case")["right"]["least cosine"])
    return f"down to {least:.3f}", least < -0.9


RECORDS = (
    Experiment(
        "giannella/cap", "The cap of a sphere", "Eq. 6, 7, 14, 17 and 20",
        "The breach probability is the share of a sphere within some distance of a point. As printed the cap is integrated "
        "over its height instead of its arc, which is wrong from three free dimensions on.",
        run_cap,
        (
            holds("the regularised incomplete beta function agrees with random rotations", "sin^(m−1)", corrected_fits,
                  "5 standard errors", CORRECTED),
            holds("the printed formula does not agree with them", "a closed form", printed_misses, "5 standard errors", CORRECTED),
            holds("the printed formula jumps where the two cases meet, at √2 times the radius", "two cases", jumps,
                  "twice the corrected step", CORRECTED),
        ),
        (Parameter("freedom", "Free dimensions", (3, 5, 10), low=2, high=100),
         Parameter("draws", "Rotations", 4_000, 100_000, low=200, high=10**6)),
        Misprint("sin^(m−1), a cap integrated over height", "I_z((m−1)/2, (m−1)/2) with z = (ε‖x‖ / 2r)², at most 1"),
    ),
    Experiment(
        "giannella/assignments", "One assignment, counted many times", "Algorithm IV-A.3",
        "The algorithm that decides whether known records can be linked in one way only tries every remaining index at each "
        "node, finds the same assignment once in every order, and so calls no assignment unique.",
        misprints.assignments,
        (holds("as printed one assignment counts |I|! times", "1", factorial, "exact", CORRECTED),),
        (Parameter("known", "Known records", (1, 2, 3, 4, 5), low=1, high=6),),
        Misprint("for every remaining index at each node", "for one remaining index at each node"),
    ),
    Experiment(
        "giannella/invariance", "The same divergence printed twice", "Eq. 8",
        "Invariance adds two divergences, printed as the same one twice where both directions are meant. For mirror images the "
        "two are equal, so the figures stand; for a normal law there is a closed form.",
        misprints.both_directions,
        (
            holds("both directions together are 4 α² min (z′μ)² / λ", "the same one twice", formula_fits, "5 standard errors", CORRECTED),
            holds("for a mirror image both directions are equal", "not said", same_both_ways, "rounding"),
        ),
        (Parameter("draws", "Draws", 20_000, low=500, high=10**6),),
        Misprint("the divergence from f to its image, twice", "one from f to its image and one back; Inv(f) = 4 α² min (z′μ)² / λ"),
    ),
    Experiment(
        "giannella/eigen-ratio", "A minimum taken over too many pairs", "Section V-D",
        "The minimum eigen-ratio is defined over all pairs of eigenvalues, which includes ratios below 1. The reported figures "
        "are the smallest ratio of neighbours.",
        run_ratios,
        (
            holds("neighbours, sorted, give the reported figures", "19.6003, 1.3109 and 1.2734", reported_ratios, "0.1 %", CORRECTED),
            holds("over all pairs it is below 1", "min over i ≠ j", below_one, "exact", CORRECTED),
        ),
        (),
        Misprint("min over all i ≠ j of λᵢ / λⱼ", "min of λᵢ / λᵢ₊₁, sorted"),
    ),
    Experiment(
        "giannella/pair-variances", "Differences of pairs vary more, not less", "Section V-E",
        "The difference of two independent draws is said to have half the eigenvalues; variances add, so it has twice the eigenvalues.",
        misprints.pair_variances,
        (holds("the eigenvalues of V − W are 2 λ", "0.5 λ", doubled, "5 standard errors", CORRECTED),),
        (Parameter("rows", "Pairs", 20_000, low=200, high=10**6),),
        Misprint("0.5 λ", "2 λ"),
    ),
    Experiment(
        "giannella/pairs", "Differences of pairs against centring", "Section V-E",
        "A shift is removed by taking differences of disjoint pairs. These are symmetric whatever the law, so an axis and its "
        "mirror image can never be told apart; centring by the means removes the shift and keeps the shape.",
        misprints.symmetric_pairs,
        (holds("pair differences are symmetric, centred data are not", "the same attack applies", symmetric,
               "5 standard errors; skewness above 0.5", CORRECTED),),
        (Parameter("rows", "Pairs", 20_000, low=500, high=10**6),),
        Misprint("differences of disjoint pairs", "centre by the means of release and sample"),
    ),
    Experiment(
        "giannella/remedy", "A remedy that does not help", "Section VI",
        "A random projection is said to defeat the known-sample attack, because over random matrices all directions vary alike. "
        "But one matrix is drawn and used for all records, and it keeps their shape.",
        giannella.remedy,
        (
            holds("one matrix for all records, as the paper means it: with 1 000 dimensions all records are breached", "defeats the attack", no_remedy, "above 95 %", CORRECTED),
            holds("only a fresh matrix for each record defeats it", "any", only_fresh, "below 10 %", CORRECTED),
        ),
        (Parameter("dimensions", "Dimensions", (10, 100, 1000), (5, 10, 30, 100, 300, 1000), low=3, high=1000),
         Parameter("repetitions", "Repetitions", 4, 20, low=2, high=100)),
        Misprint("the covariance of the projected data is γ I, so nothing can be matched",
                 "that holds over a fresh R for each record; with the one R that is used it is R Σ R′"),
    ),
    Experiment(
        "giannella/definitions", "Definitions that leave out a sign", "Section III",
        "The normalised difference of a guess from 0 is printed as the guess itself, and the cosine as never negative.",
        misprints.definitions,
        (
            holds("NAD(0, a) = |a|", "a", never_negative, "exact", CORRECTED),
            holds("a cosine lies between −1 and 1", "0 ≤ cos", cosine_range, "below −0.9", CORRECTED),
        ),
        (),
        Misprint("NAD(0, a) = a; 0 ≤ cos ≤ 1", "NAD(0, a) = |a|; −1 ≤ cos ≤ 1"),
    ),
)  # fmt: skip
