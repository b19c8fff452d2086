"""Li, Chen, Li and Zhang 2012: tables and figures."""

import numpy as np

import datasets
from app.papers.draw import by_group, dots, level, line, panel, row, steps, sticks, whiskers
from app.papers.judge import agrees, falling, holds, near
from app.papers.record import CORRECTED, DIFFERS, Experiment, Parameter
from app.words import plain
from engine.experiments import li
from widgets import colours

__all__ = ["RECORDS"]

ROWS = Parameter("rows", "Rows", 10_000, 100_000, low=100, high=10**6, help="Records of Age and Income that are drawn.")
SCHEMES = colours.SCHEMES
ATTACKERS = {"perfect": "solid", "structured": "dashed", "raw": "dotted"}


# Table 3 and Figure 1: the data


def table_3(rows, key):
    return li.table_3(li.census(rows, key=key), paper_size=True)


def figure_1(rows, bins, key):
    return li.figure_1(li.census(rows, key=key), bins=bins, paper_size=True)


def plot_moments(table):
    places = np.arange(len(table))
    ticks = list(zip(places, table["attribute"], strict=True))
    return row(
        *(
            panel(
                [sticks(places - 0.17, table[f"printed_{what}"], colours.ORIGINAL, "printed", 0.3),
                 sticks(places + 0.17, table[what], SCHEMES["nested"], "here", 0.3)],
                x="", y=what, ticks=ticks, x_range=(-0.5, len(table) - 0.5), y_range=(0, None),
            )
            for what in ("mean", "variance")
        )
    )  # fmt: skip


def plot_histograms(table):
    return row(
        *(
            panel([steps(part["left"], part["right"], part["density"], SCHEMES["nested"])],
                  x=name, y="density", y_range=(0, None))
            for name, part in by_group(table, "attribute")
        )
    )  # fmt: skip


def moments_found(table):
    gap = np.abs(table[["mean", "variance"]].to_numpy() / table[["printed_mean", "printed_variance"]].to_numpy() - 1)
    text = "; ".join(f"{r.attribute} {r.mean:.2f} and {r.variance:.2f}" for r in table.itertuples())
    return f"{text}, by construction", gap.max() < 1e-6


def shapes_found(table):
    skewness = {}
    for name, part in by_group(table, "attribute"):
        middle, share = (part["left"] + part["right"]) / 2, part["count"] / part["count"].sum()
        centred = middle - (middle * share).sum()
        skewness[name] = (centred**3 * share).sum() / (centred**2 * share).sum() ** 1.5
    return f"a stand-in: skewness of Age {skewness['Age']:.1f}, of Income {skewness['Income']:.1f}", True


# Figure 2


def figure_2(rows, samples, key, progress, cancelled):
    data = li.census(rows, key=key)
    return li.figure_2(data, samples=samples, key=key, paper_size=True, progress=progress, cancelled=cancelled)


def plot_collusion(table):
    most = table["sample"].max()
    pictures = []
    for attribute, part in by_group(table, "attribute"):
        layers = []
        for scheme, colour in list(SCHEMES.items())[:2]:
            for attacker, dash in ATTACKERS.items():
                rows = part[(part["scheme"] == scheme) & (part["attacker"] == attacker)]
                rows = rows[rows["sample"].isin([0, most])]
                layers.append(line(rows["copies"], rows["error"], colour, f"{scheme}, {attacker}", dash))
        pictures.append(panel(layers, x="copies held", y="normalised error", title=attribute, y_range=(0, 0.5)))
    return row(*pictures)


def _of(table, scheme, attacker):
    return table[(table["scheme"] == scheme) & (table["attacker"] == attacker)]


def no_gain(table):
    joint, best = _of(table, "nested", "perfect"), _of(table, "nested", "best copy")
    gap = np.abs(joint["error"].to_numpy() - best["error"].to_numpy()).max()
    return f"largest difference {plain(gap)}", gap < 1e-9


def drops_with_a_new_best(table):
    part = _of(table, "nested", "perfect")
    part = part[part["attribute"] == part["attribute"].iloc[0]]
    better = part["level"].cummin().diff().fillna(-1) < 0
    moved = part["error"].diff().fillna(-1).abs() > 1e-9
    return f"{int(moved.sum())} drops, {int(better.sum())} new best copies", better.equals(moved)


def independent_falls(table):
    part = _of(table, "independent", "perfect")
    curve = part[part["attribute"] == part["attribute"].iloc[0]].set_index("copies")
    last = int(curve.index[-1])
    text = f"{plain(curve['error'].iloc[0])} with 1 copy, {plain(curve['error'].iloc[-1])} with {last}"
    # Theory falls at every step; what is measured may rise by chance.
    measured = np.diff(curve["error"]) < 5 * curve["standard_error"].to_numpy()[1:]
    return text, falling(curve["theory"]) and bool(measured.all())


def on_theorem_4(table):
    return agrees(table[table["attacker"] == "perfect"], "error", "theory", "standard_error")


def who_flattens(table):
    known = table[(table["scheme"] == "independent") & (table["copies"] == table["copies"].max())]
    fewest = known.loc[known["sample"] > 0, "sample"].min()
    last = known[known["sample"].isin([0, fewest])].groupby("attacker")["error"].mean()
    raw = _of(table, "independent", "raw")
    lowest = raw[raw["sample"] == fewest].groupby("copies")["error"].mean().min()
    text = (
        f"n = {fewest}: raw attacker {plain(lowest)} at best, {plain(last['raw'])} in the end; "
        f"structured {last['structured']:.4f}, perfect {last['perfect']:.4f}"
    )
    close = abs(last["structured"] / last["perfect"] - 1) < 0.05
    return text, close and last["raw"] > 1.2 * lowest


def samples_help(table):
    last = table[(table["attacker"] == "raw") & (table["copies"] == table["copies"].max())]
    errors = last[last["scheme"] == "independent"].groupby("sample")["error"].mean()
    if len(errors) < 2:
        return None
    return ", ".join(f"{plain(e)} with {n}" for n, e in errors.items()), falling(errors)


# Figure 3


def figure_3(rows, key, progress, cancelled):
    return li.figure_3(li.census(rows, key=key), key=key, paper_size=True, progress=progress, cancelled=cancelled)


def plot_distributions(table):
    dashes = dict(zip(sorted(table["copies"].unique()), ("dotted", "dashed", "dashed", "solid"), strict=False))
    pictures = []
    for attribute, part in by_group(table, "attribute"):
        layers = [
            line(rows["right"], rows["cumulative"], SCHEMES[scheme], f"{scheme}, {copies} copies", dashes[copies],
                 width=2.5 if copies == max(dashes) else 1.5)
            for (scheme, copies), rows in by_group(part, ["scheme", "copies"])
        ]  # fmt: skip
        title = f"{attribute}: guesses within this error"
        pictures.append(panel(layers, x="error", y="share", title=title, shares=True, y_range=(0, 1)))
    return row(*pictures)


def _cumulative(table, scheme):
    part = table[table["scheme"] == scheme]
    return part.pivot_table(index=["attribute", "right"], columns="copies", values="cumulative")


def nested_stay(table):
    curves = _cumulative(table, "nested")
    gap = (curves.max(axis=1) - curves.min(axis=1)).max()
    return f"at most {100 * gap:.1f} points apart", gap < 0.03


def independent_approach(table):
    curves = _cumulative(table, "independent")
    rises = (curves.diff(axis=1).iloc[:, 1:] > -0.01).all(axis=None)
    first = curves.loc["Age"].iloc[len(curves.loc["Age"]) // 8]
    text = ", ".join(f"{100 * v:.0f} %" for v in first)
    return f"share within a quarter of a standard deviation: {text}", bool(rises and first.iloc[-1] > first.iloc[0])


def slower(table):
    gap = _cumulative(table, "independent") - _cumulative(table, "nested")
    text = f"behind by {100 * gap.max(axis=None):.0f} points at the most, ahead nowhere by more than 1"
    return text, gap.min(axis=None) > -0.01


# Figure 4


def figure_4(levels, repetitions, folds, breast, key, progress, cancelled):
    data = {}
    for name in ("iris", "breast" if breast == "diagnostic" else "breast-original"):
        found = datasets.load(name)
        frame = found.frame[[*found.numeric, found.label]].dropna()
        data[found.title] = frame[list(found.numeric)].to_numpy(), frame[found.label].to_numpy()
    options = {"levels": levels, "repetitions": repetitions, "folds": folds, "key": key}
    return li.figure_4(data, **options, progress=progress, cancelled=cancelled)


def plot_accuracy(table):
    pictures = []
    looks = {"tree": "solid", "svm": "dashed"}
    for name, part in by_group(table, "data"):
        layers = []
        for (scheme, model), rows in by_group(part[part["scheme"] != "original"], ["scheme", "model"]):
            mean = rows.groupby("level")["accuracy"].mean()
            layers.append(line(mean.index, mean, SCHEMES[scheme], f"{scheme}, {model}", looks[model]))
            layers.append(dots(mean.index, mean, SCHEMES[scheme]))
        title = name.split(",")[0]
        pictures.append(panel(layers, x="noise s", y="accuracy", title=title, shares=True, y_range=(0.4, 1)))
    return row(*pictures)


def _pairs(table):
    both = table[table["scheme"] != "original"]
    return both.pivot_table(index=["data", "model", "level", "repetition"], columns="scheme", values="accuracy")


def same_utility(table):
    gaps = _pairs(table)
    gaps = gaps["nested"] - gaps["independent"]
    error = gaps.std() / np.sqrt(len(gaps))
    text = f"nested better by {100 * gaps.mean():.1f} ± {100 * error:.1f} points on average"
    return text, abs(gaps.mean()) < 5 * error


def not_identical(table):
    pairs = _pairs(table)
    same = int((pairs["nested"] == pairs["independent"]).sum())
    gap = (pairs["nested"] - pairs["independent"]).abs().mean()
    return f"{same} of {len(pairs)} pairs identical; {100 * gap:.1f} points apart on average", same < len(pairs)


def which_breast(table):
    rows = {name.split(",")[0]: int(n) for name, n in table.groupby("data")["rows"].max().items()}
    name, number = next((n, r) for n, r in rows.items() if "iris" not in n.lower())
    return f"{name}: {number} rows", number != 699


# Figure 5


def figure_5(copies, rows, repetitions, key, progress, cancelled):
    return li.figure_5(
        copies=copies, rows=rows, repetitions=repetitions, key=key, progress=progress, cancelled=cancelled
    )


def plot_runtime(table):
    looks = dict(zip(("algorithm 3", "bridge", "independent"), ("#a23b9b", *list(SCHEMES.values())[:2]), strict=True))
    pictures = []
    for share, part in by_group(table, "share"):
        layers = []
        for method, colour in looks.items():
            rows = part[part["method"] == method]
            layers += [line(rows["copies"], 1000 * rows["fastest"], colour, method),
                       dots(rows["copies"], 1000 * rows["fastest"], colour)]  # fmt: skip
        pictures.append(panel(layers, x="copies in all", y="milliseconds", title=f"L = {share}", y_range=(0, None)))
    return row(*pictures)


def growth(table):
    part = table[(table["method"] == "algorithm 3") & (table["share"] == "M/4")].sort_values("copies")
    if len(part) < 2:
        return None
    ends = part.iloc[[0, -1]]
    power = np.log(ends["fastest"].iloc[1] / ends["fastest"].iloc[0]) / np.log(
        ends["copies"].iloc[1] / ends["copies"].iloc[0]
    )
    return f"time grows as M to the power {power:.2f}", power < 1.7


def marginal(table):
    wide = table.pivot_table(index=["copies", "share"], columns="method", values="fastest")
    ratio = (wide["algorithm 3"] / wide["independent"]).median()
    return f"{ratio:.1f} times as long", ratio < 4


# Table 2


def table_2(rows, key):
    return li.measured_table_2(rows=rows, key=key)


def plot_table_2(table):
    places = np.arange(len(table))
    layers = [
        whiskers(places, table["together"], 2 * table["standard_error"], colours.NEUTRAL),
        dots(places, table["together"], SCHEMES["independent"], "all copies together", size=10),
        dots(places, table["alone"], SCHEMES["nested"], "best copy alone", size=14, hollow=True),
        level(table["expected_alone"].iloc[0]),
    ]
    ticks = list(zip(places, ["1", "2", "3", "bridge", "separate"], strict=True))
    return panel(layers, x="algorithm", y="normalised error", ticks=ticks, x_range=(-0.5, len(table) - 0.5),
                 y_range=(0, 0.4))  # fmt: skip


def resists(table):
    gain = (table["alone"] - table["together"]) / table["standard_error"]
    ours = table["resists_collusion"].astype(bool)
    text = f"gain of colluding: at most {plain(gain[ours].max())} standard errors; independent {gain[~ours].max():.0f}"
    return text, gain[ours].max() < 5 and gain[~ours].min() > 5


# The example of the introduction


def plot_example(table):
    places = np.arange(len(table))
    ticks = list(zip(places, table["who"], strict=True))
    layers = [
        sticks(places - 0.17, table["independent"], SCHEMES["independent"], "independent", 0.3),
        sticks(places + 0.17, table["nested"], SCHEMES["nested"], "nested", 0.3),
    ]
    return panel(layers, x="", y="normalised error", ticks=ticks, x_range=(-0.5, len(table) - 0.5), y_range=(0, 1))


def _example(who, scheme):
    return lambda table: float(table.set_index("who").loc[who, scheme])


RECORDS = (
    Experiment(
        "li/example", "Alice and Bob", "Sections 1 and 4",
        "Alice's copy has as much noise as the data vary, Bob's four times as much. With independent noise the two "
        "together guess better than Alice; with properly correlated noise they do not.",
        li.example, plot_example,
        (
            near("Alice alone", 0.5, _example("Alice", "nested"), within=1e-9),
            near("Bob alone", 0.8, _example("Bob", "nested"), within=1e-9),
            near("together, independent noise", 4 / 9, _example("together", "independent"), within=1e-9,
                 show=lambda v: f"{v:.4f}"),
            near("together, nested noise", 0.5, _example("together", "nested"), within=1e-9),
        ),
    ),
    Experiment(
        "li/table2", "What the three algorithms can do", "Table 2, Theorems 6 to 8",
        "All three algorithms give copies that resist collusion; they differ in what must be known beforehand.",
        table_2, plot_table_2,
        (
            holds("copies of algorithms 1, 2 and 3 tell no more together than the best one", "no gain", resists,
                  "5 standard errors"),
        ),
        (Parameter("rows", "Rows", 10_000, 100_000, low=500, high=10**6),),
    ),
    Experiment(
        "li/table3", "Mean and variance of Age and Income", "Table 3",
        "The data are the first 100 000 rows of a census extract. It cannot be had; what stands in for it is drawn with "
        "the printed means and variances.",
        table_3, plot_moments,
        (holds("the printed moments", "50.06 and 303.03; 16.57 and 219.92", moments_found, "one in a million"),),
        (ROWS,),
    ),
    Experiment(
        "li/fig1", "How Age and Income are distributed", "Figure 1",
        "A picture of the two distributions, without numbers. The rows cannot be had; the shapes here are assumed, and no "
        "normalised error depends on them.",
        figure_1, plot_histograms,
        (holds("the census extract's own distribution", "a picture", shapes_found, "none: other data", DIFFERS),),
        (ROWS, Parameter("bins", "Bins", 40, low=5, high=200)),
    ),
    Experiment(
        "li/fig2", "Collusion as copies are released", "Figure 2, Section 6.2",
        "With independent noise the error of the joint attack falls with every copy. With the paper's noise it falls only "
        "when a copy better than all before appears, and all copies tell no more than the best one.",
        figure_2, plot_collusion,
        (
            holds("nested: all copies together are as good as the best copy alone", "the curves overlap", no_gain,
                  "1e-9"),
            holds("nested: the error drops only with a new best copy", "only then", drops_with_a_new_best, "exact"),
            holds("independent: the error falls with every copy", "falls", independent_falls, "5 standard errors"),
            holds("errors are those of Theorems 3 and 4", "they match", on_theorem_4, "5 standard errors"),
            holds("whose curve flattens: only the attacker who estimates the covariance of all copies. One who uses the "
                  "known structure of the noise is nearly as good as with perfect knowledge",
                  "anyone who estimates K_X", who_flattens, "structured within 5 %; raw rises by a fifth", CORRECTED),
            holds("larger samples help the raw attacker", "more is better", samples_help, "in this order"),
        ),
        (ROWS, Parameter("samples", "Sample sizes", (400, 800, 1200), low=20, high=100_000,
                         help="Rows from which the attackers with partial knowledge estimate.")),
    ),
    Experiment(
        "li/fig3", "How close the guesses come", "Figure 3, Section 6.2",
        "With nested noise the distribution of errors hardly changes as copies are added; with independent noise ever more "
        "guesses are close.",
        figure_3, plot_distributions,
        (
            holds("nested: curves for 5 to 30 copies almost coincide", "almost identical", nested_stay, "3 points"),
            holds("independent: the curves approach the vertical axis", "they do", independent_approach,
                  "1 point of chance"),
            holds("nested curves rise more slowly than independent ones", "much slower", slower, "1 point of chance"),
        ),
        (ROWS,),
    ),
    Experiment(
        "li/fig4", "Usefulness of copies at equal trust", "Figure 4, Section 6.2",
        "Classifiers trained on copies with nested and with independent noise do equally well at every noise level.",
        figure_4, plot_accuracy,
        (
            holds("both schemes leave the same accuracy", "the same", same_utility, "5 standard errors"),
            holds("the accuracies are equal in law, not identical: the noise is not the same noise",
                  "identical at all levels", not_identical, "at least one pair differs", CORRECTED),
            holds("the breast cancer set: the one named (Diagnostic) has 569 rows and 30 attributes, the one "
                  "described is the Original set", "699 rows, 9 attributes", which_breast, "exact", CORRECTED),
        ),
        (
            Parameter("levels", "Noise levels s", (0.05, 0.25, 0.5, 1.0), tuple(np.linspace(0.05, 1, 20).round(2)),
                      low=0.001, high=10),
            Parameter("repetitions", "Repetitions", 1, 10, low=1, high=100),
            Parameter("folds", "Folds", 10, low=2, high=20),
            Parameter("breast", "Breast cancer set", "diagnostic", options=("diagnostic", "original")),
        ),
    ),
    Experiment(
        "li/fig5", "What copies on demand cost", "Figure 5, Section 6.3",
        "The time of algorithm 3 grows about linearly with the number of copies, and is little more than that of "
        "independent noise.",
        figure_5, plot_runtime,
        (
            holds("about linear in the number of copies, not cubic", "approximately linear", growth, "power below 1.7"),
            holds("little slower than independent noise", "marginally slower", marginal, "at most 4 times"),
        ),
        (
            Parameter("copies", "Copies in all", (8, 16, 32), (10, 20, 30, 50, 100), low=4, high=300),
            Parameter("rows", "Rows", 10_000, 100_000, low=100, high=10**6),
            Parameter("repetitions", "Repetitions", 3, 100, low=1, high=1000),
        ),
        timed=("seconds", "fastest"),
    ),
)  # fmt: skip
