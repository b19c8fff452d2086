"""Giannella, Liu and Kargupta 2009: figures."""

from functools import cache

import numpy as np

import datasets
from app.papers.draw import at, by_group, dots, line, panel, row, whiskers
from app.papers.judge import holds
from app.papers.record import CORRECTED, Experiment, Parameter
from app.words import plain, share
from engine.experiments import giannella
from widgets import colours

__all__ = ["RECORDS", "adult", "letters"]

PAPER, BETTER = colours.SCHEMES["independent"], colours.SCHEMES["nested"]
METHODS = {"paper": (PAPER, "as in the paper"), "improved": (BETTER, "improved")}
ADULT_ROWS = 32_561  # the paper has the training part


@cache
def letters():
    """The numeric columns of Letter Recognition."""
    data = datasets.load("letter")
    return data.frame[list(data.numeric)].to_numpy(float)


@cache
def adult():
    """Age, years of education and hours per week of Adult."""
    frame = datasets.load("adult").frame[["Age", "Years of education", "Hours per week"]]
    return frame.to_numpy(float)[:ADULT_ROWS]


def _on(data, function):
    """An experiment on these data."""

    def run(key, progress, cancelled, **values):
        return function(data(), **values, key=key, progress=progress, cancelled=cancelled)

    return run


# Known inputs: Figures 1 to 4


def _plot_known(varied, x):
    def plot(table):
        breach = [
            line(table[varied], table["breach"], PAPER, "the paper's attacker"),
            whiskers(table[varied], table["breach"], table["breach_sd"], PAPER),
            dots(table[varied], table["breach"], PAPER),
            line(table[varied], table["projection"], BETTER, "the projection attacker", "dashed"),
        ]
        pictures = [panel(breach, x=x, y="breach probability", shares=True, y_range=(0, 1.05))]
        if varied == "known":
            links = [
                line(table[varied], table[varied], colours.NEUTRAL, "all", "dashed"),
                dots(table[varied], table["linked"], BETTER, "linked"),
            ]
            pictures.append(panel(links, x=x, y="inputs linked", y_range=(0, None)))
        return row(*pictures)

    return plot


def all_linked(table):
    return f"{table['linked'].sum():.0f} of {table['known'].sum()} on average", bool(
        (table["linked"] == table["known"]).all()
    )


def sharp(table):
    part = table.set_index("known")["breach"]
    above = part.index[part > 0.5]
    if not len(above):
        return None
    text = ", ".join(f"{share(v)} with {a}" for a, v in part.items())
    return text, 55 <= above.min() <= 65 and part.iloc[0] < 0.05 and part.iloc[-1] > 0.99


def projection_sooner(table):
    part = table.set_index("known")
    return (
        f"{share(part.loc[60, 'projection'])} with 60 known, where the paper's has {share(part.loc[60, 'breach'])}",
        bool((part["projection"] >= part["breach"] - 0.05).all()),
    )


def nearly_all_linked(table):
    part = table[table["known"] >= 3]
    few = table[table["known"] < 3]
    text = f"all from 3 on; {few['linked'].sum():.1f} of {few['known'].sum()} below"
    return text, bool((part["linked"] == part["known"]).all())


def four_suffice(table):
    found = table.set_index("known").loc[4, "breach"]
    return share(found), found > 0.99


def fairly_high(table):
    part = table[np.isclose(table["eps"], 0.07)]["breach"].iloc[0]
    return share(part), part > 0.5


def plot_times(table):
    pictures = []
    for name, part in by_group(table, "data"):
        layers = [
            line(part["rows"], 1000 * part["seconds"], BETTER),
            dots(part["rows"], 1000 * part["seconds"], BETTER),
        ]
        pictures.append(panel(layers, x=f"{name}: rows", y="milliseconds to link", y_range=(0, None)))
    return row(*pictures)


def linear(table):
    part = table[table["data"] == "gaussian"]
    if len(part) < 2:
        return None
    power = np.log(part["seconds"].iloc[-1] / part["seconds"].iloc[0]) / np.log(
        part["rows"].iloc[-1] / part["rows"].iloc[0]
    )
    return f"time grows as rows to the power {power:.1f}", power < 1.7


def under_minutes(table):
    return f"at most {1000 * table['seconds'].max():.0f} ms", table["seconds"].max() < 45


# Known samples: Figures 5 to 11


def _plot_sampled(varied, x, log=""):
    def plot(table):
        pictures = []
        for eps, part in by_group(table, "eps"):
            layers = []
            for method, rows in by_group(part, "method"):
                colour, name = METHODS[method]
                layers += [
                    line(rows[varied], rows["breach"], colour, name),
                    whiskers(rows[varied], rows["breach"], 2 * rows["standard_error"], colour),
                    dots(rows[varied], rows["breach"], colour),
                ]
            title = f"within {100 * eps:g} %"
            ticks = at(table[varied]) if log else None
            pictures.append(
                panel(
                    layers,
                    x=x,
                    y="records breached",
                    title=title,
                    shares=True,
                    y_range=(-0.02, 1.05),
                    log=log,
                    ticks=ticks,
                )
            )
        return row(*pictures)

    return plot


def _curve(table, varied, eps=None, method="paper"):
    eps = table["eps"].max() if eps is None else eps
    part = table[(table["method"] == method) & np.isclose(table["eps"], eps)]
    return part.set_index(varied)


def _rises(varied, by=0.2):
    def measure(table):
        part = _curve(table, varied)
        if len(part) < 2:
            return None
        first, last = part["breach"].iloc[0], part["breach"].iloc[-1]
        text = f"{share(first)} at {plain(float(part.index[0]))}, {share(last)} at {plain(float(part.index[-1]))}"
        return text, last > first + by

    return measure


def near_certain(table):
    part = _curve(table, "sample").loc[1000, "breach"]
    return share(part), part > 0.95


def wider_is_more(table):
    ends = sorted(table["eps"].unique())
    if len(ends) < 2:
        return None
    narrow, wide = (_curve(table, "sample", e)["breach"].mean() for e in (ends[0], ends[-1]))
    return (
        f"{share(narrow)} within {100 * ends[0]:g} %, {share(wide)} within {100 * ends[-1]:g} % on average",
        wide > narrow,
    )


def drops(table):
    part = _curve(table, "mean")["breach"]
    away = part[part.index >= 0.5]
    return f"{share(part.loc[0])} at 0, at least {share(away.min())} from {plain(float(away.index[0]))} on", part.loc[
        0
    ] < 0.5 and away.min() > 0.9


def low_regardless(table):
    part = _curve(table, "share")["breach"]
    return f"{share(part.min())} to {share(part.max())}", part.max() < 0.6


def centring_finds(table):
    paper, better = _curve(table, "share"), _curve(table, "share", method="improved")
    text = (
        f"signs right: pairs {share(paper['signs_right'].mean())}, centred {share(better['signs_right'].mean())}; breached at "
        f"{share(float(better.index[-1]))}: {share(paper['breach'].iloc[-1])} and {share(better['breach'].iloc[-1])}"
    )
    return text, better["signs_right"].mean() > 0.9 and paper["signs_right"].mean() < 0.8


REPETITIONS = Parameter("repetitions", "Repetitions", 3, 10, low=1, high=100)
RUNS = Parameter("repetitions", "Repetitions", 4, 100, low=2, high=200)
SHARES = Parameter(
    "share", "Sample, as a share of the data", (0.02, 0.1, 0.5), (0.02, 0.05, 0.1, 0.2, 0.5, 1.0), low=0.001, high=1
)
DIVIDED = Parameter(
    "share", "Sample, as a share of the data", (0.02, 0.1), (0.02, 0.04, 0.06, 0.08, 0.1, 0.2), low=0.001, high=0.5
)

RECORDS = (
    Experiment(
        "giannella/fig1", "A few known records, normal data", "Figure 1, Section IV-E",
        "Someone who knows some of the records finds all of them in the release, and with about 60 of 100 dimensions known "
        "the rest becomes exposed at a stroke.",
        giannella.figure_1, _plot_known("known", "known records"),
        (
            holds("all known records are found in the release", "all", all_linked, "exact"),
            holds("the breach probability goes from 0 to 1 sharply around 60", "around 60", sharp, "passes one half at 55 to 65"),
        ),
        (Parameter("known", "Known records", (50, 55, 60, 65, 70, 75), (10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 90, 100), low=1, high=100),
         Parameter("rows", "Rows", 10_000, 100_000, low=200, high=200_000), REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig2", "A few known records, letters", "Figure 2, Section IV-E",
        "On real data nearly all known records are found, and four of them already expose another one for certain.",
        _on(letters, giannella.figure_2), _plot_known("known", "known records"),
        (
            holds("known records are found in the release", "nearly perfect", nearly_all_linked, "all, from 3 known on"),
            holds("with 4 known records the breach probability is 1", "1", four_suffice, "above 99 %"),
        ),
        (Parameter("known", "Known records", (1, 2, 3, 4, 6, 8, 12, 16), tuple(range(1, 17)), low=1, high=16), REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig3", "How close the guess must be, letters", "Figure 3, Section IV-E",
        "With four known letters the breach probability stays high down to an error of 7 %.",
        _on(letters, giannella.figure_3), _plot_known("eps", "error that counts as a breach"),
        (holds("breach probability at 7 %", "fairly high", fairly_high, "above one half"),),
        (Parameter("eps", "Errors", (0.01, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2), tuple(i / 100 for i in range(1, 21)), low=0.001, high=1),
         REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig4", "Time to find the known records", "Figure 4, Section IV-E",
        "The time to link grows linearly with the number of rows.",
        _on(letters, giannella.figure_4), plot_times,
        (
            holds("linear in the number of rows", "linear", linear, "power below 1.7"),
            holds("real data: well under a minute", "less than 45 s", under_minutes, "45 s"),
        ),
        (Parameter("rows", "Rows of normal data", (5_000, 20_000, 40_000), tuple(range(10_000, 100_001, 10_000)), low=500, high=200_000),
         REPETITIONS),
        timed=("seconds", "seconds_sd"),
    ),
    Experiment(
        "giannella/fig5", "A known sample, normal data", "Figure 5, Section V-C",
        "Someone with a sample from the same law matches principal axes. The larger the sample, the more records are breached.",
        giannella.figure_5, _plot_sampled("sample", "records in the sample", "x"),
        (
            holds("larger samples breach more", "increases", _rises("sample"), "by 20 points"),
            holds("a larger error bound breaches more", "increases", wider_is_more, "in this order"),
            holds("a sample of 1 000 breaches nearly all", "near 1", near_certain, "above 95 %"),
        ),
        (Parameter("sample", "Records in the sample", (10, 50, 200, 1000), (10, 20, 50, 100, 200, 400, 600, 800, 1000), low=4, high=10_000),
         Parameter("eps", "Errors", (0.02, 0.05), low=0.001, high=1), RUNS),
    ),
    Experiment(
        "giannella/fig6", "A known sample, letters", "Figure 6, Section V-C",
        "The same on real data with closer eigenvalues: larger samples breach more.",
        _on(letters, giannella.figure_6), _plot_sampled("share", "sample, share of the data"),
        (holds("larger samples breach more", "increases", _rises("share", 0.1), "by 10 points"),),
        (DIVIDED, RUNS),
    ),
    Experiment(
        "giannella/fig7", "A known sample, Adult", "Figure 7, Section V-C",
        "The same on Adult, whose eigenvalues are closest together.",
        _on(adult, giannella.figure_7), _plot_sampled("share", "sample, share of the data"),
        (holds("larger samples breach more", "increases", _rises("share", 0.1), "by 10 points"),),
        (DIVIDED, RUNS),
    ),
    Experiment(
        "giannella/fig8", "Eigenvalues close together", "Figure 8, Section V-D",
        "The closer the closest eigenvalues, the less the axes can be told apart, and the fewer records are breached.",
        giannella.figure_8, _plot_sampled("ratio", "ratio of the closest eigenvalues"),
        (holds("a higher ratio breaches more", "increases", _rises("ratio", 0.4), "by 40 points"),),
        (Parameter("ratio", "Ratios", (1.0, 1.5, 2.0, 5.0, 20.0), (1.0, 1.5, *map(float, range(2, 21))), low=1, high=20), RUNS),
    ),
    Experiment(
        "giannella/fig9", "A mean near zero", "Figure 9, Section V-D",
        "A normal law with mean zero is its own mirror image, and the attacker must guess signs; away from zero nearly all is "
        "breached.",
        giannella.figure_9, _plot_sampled("mean", "mean"),
        (holds("few records at a mean of zero, nearly all away from it", "drops to zero; increases very fast", drops,
               "below one half; above 90 %"),),
        (Parameter("mean", "Means", (0.0, 0.5, 2.0, 10.0), tuple(i / 2 for i in range(21)), low=0, high=10), RUNS),
    ),
    Experiment(
        "giannella/fig10", "A shift as well, normal data", "Figure 10, Section V-G",
        "When the data are shifted too, normal data tell nothing of the signs, however large the sample.",
        giannella.figure_10, _plot_sampled("share", "sample, share of the data", "x"),
        (holds("few records, whatever the sample", "very low", low_regardless, "below 60 %"),),
        (SHARES, RUNS),
    ),
    Experiment(
        "giannella/fig11", "A shift as well, lopsided data", "Figure 11, Section V-G",
        "On an asymmetric mixture the attack is said to work significantly better. With differences of pairs, as described, "
        "the signs are still guesses; centred by the means it does.",
        giannella.figure_11, _plot_sampled("share", "sample, share of the data", "x"),
        (holds("the asymmetry helps only once the data are centred by their means", "works significantly better", centring_finds,
               "signs right above 90 %, and below 80 %", CORRECTED),),
        (SHARES, RUNS),
    ),
)  # fmt: skip
