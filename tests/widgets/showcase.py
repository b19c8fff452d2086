"""All new widgets on one page, to be looked at and tested: `python -m tests.widgets.showcase --port 5010`."""

import argparse
from collections import namedtuple
from pathlib import Path

import numpy as np
import pandas as pd
import panel as pn

from trustscope import colours
from trustscope.scenarios.words import listed
from trustscope.widgets.controls.action import Action
from trustscope.widgets.controls.download import Download, as_csv
from trustscope.widgets.controls.slider import Slider
from trustscope.widgets.frame.card import Card
from trustscope.widgets.frame.closer import Closer
from trustscope.widgets.frame.connection import Connection
from trustscope.widgets.frame.fold import Fold
from trustscope.widgets.frame.headline import Headline
from trustscope.widgets.frame.skeleton import Skeleton
from trustscope.widgets.live.journey import Path as Way
from trustscope.widgets.live.journey import Stop
from trustscope.widgets.live.lines import Dots, Lines, PlotLine
from trustscope.widgets.scenes.belief import Belief, Pin
from trustscope.widgets.scenes.pooling import Pooling
from trustscope.widgets.tables.marks import CSS as MARKS_CSS
from trustscope.widgets.tables.marks import mark

CSS = "".join((Path(__file__).parents[2] / "app" / name).read_text() for name in ("theme.css", "page.css"))
PAGE = """
{% extends base %}
{% block preamble %}
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<script>
  document.documentElement.lang = "en"
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
</script>
{% endblock %}
{% block postamble %}<style>{{ css }}
  body { display: block; height: auto; } main { max-width: 1120px; margin: 0 auto; padding: 16px; }
  @media (max-width: 760px) { .pair { display: block !important; } .pair > * { margin-bottom: 12px !important; } }
</style>{% endblock %}
{% block contents %}<main>{{ embed(roots.main) }}</main>{% endblock %}
"""
PAIR = """:host { display: grid !important; grid-template-columns: minmax(0, 7fr) minmax(0, 4fr); gap: 16px; }
:host > * { min-width: 0; } @media (max-width: 760px) { :host { grid-template-columns: minmax(0, 1fr); } }"""
Seat = namedtuple("Seat", "name initial colour trust")
SEATS = [
    Seat(name, name[0], colours.recipient(i), trust)
    for i, (name, trust) in enumerate(
        {"Ministry": 50, "University": 45, "Insurer": 40, "Bank": 40, "Press": 35, "Start-up": 35}.items()
    )
]
X = np.linspace(0, 100, 161)
STEPS = {"nested": [0.33] * 6, "independent": [0.33, 0.39, 0.43, 0.46, 0.49, 0.51]}


def bell(mean, spread):
    """A normal density over the ages."""
    return np.exp(-(((X - mean) / spread) ** 2) / 2) / spread


def headline(scheme="independent"):
    """The story of the page, of which the scheme is the moral."""
    made = Headline()
    tell(made, scheme)
    return made


def tell(made, scheme):
    """Say what this scheme does."""
    leak = scheme == "independent"
    made.say(
        "Six people learn more together than any of them was meant to."
        if leak
        else "Six people who pool their copies guess no better than the best of them.",
        "33 %",
        "51 %" if leak else "33 %",
        "guessed within 5 years, best alone → together (24 % without any copy)",
        tone="leak" if leak else "safe",
    )


def believe(belief, scheme="independent"):
    """One person under this scheme."""
    mean, spread = (35, 8) if scheme == "independent" else (41, 15)
    given = dict(zip("BUSMIP", (21.5, 29.5, 35, 38, 45, 52), strict=True))
    belief.picture.draw(
        X, bell(mean, spread), bell(41, 15), truth=33, x_range=(0, 100),
        pins=[Pin(s.initial, s.name, s.colour, given[s.initial], s.name != "Press") for s in SEATS],
        texts=("really 33", f"together: {mean} ± {1.645 * spread:.0f}", "the ministry alone: 41 ± 25"),
        tone="leak" if scheme == "independent" else "safe", top=bell(35, 8).max() * 1.02,
        x_label="age of person 48 201, and what each one was given of it",
    )  # fmt: skip
    if belief.mode == "path":
        walk = np.cumsum(np.random.default_rng(3).normal(size=93) * 2.2) + 33
        belief.path().draw(
            [Way(colours.NEUTRAL, np.linspace(100, 8, 93), walk)],
            [Stop(s.initial, s.colour, s.trust, walk[100 - s.trust]) for s in SEATS], truth=33, belief=mean,
            interval=(mean - spread, mean + spread), y_label="Age (years)", lowest=8,
            tone="leak" if scheme == "independent" else "safe",
            y_range=(walk.min() - 5, walk.max() + 5),
        )  # fmt: skip
    return belief


def pool(pooling, masks=None, present=""):
    """What pooling does; all coalitions if masks are given."""
    masks = masks or [2**size - 1 for size in range(1, 7)]
    sizes = np.array([m.bit_count() for m in masks]) - 1
    series = {
        "independent": (colours.SCHEMES["independent"], np.array(STEPS["independent"])[np.minimum(sizes, 5)]),
        "nested": (colours.SCHEMES["nested"], np.array(STEPS["nested"])[np.minimum(sizes, 5)]),
    }
    pooling.draw(SEATS, masks, series, chosen=masks[-1], baseline=0.24, present=present)
    return pooling


def curves():
    """Shares over closeness, with a kept scenario behind."""
    plot = Lines("How close the guesses come", height=240)
    x = np.linspace(0, 50_000, 60)
    lines = [
        PlotLine("alone", colours.recipient(0), x, 1 - np.exp(-x / 14_000), width=3),
        PlotLine("together", colours.SCHEMES["independent"], x, 1 - np.exp(-x / 8_000)),
    ]
    kept = [PlotLine("together", colours.SCHEMES["independent"], x, 1 - np.exp(-x / 11_000))]
    plot.beside = Lines("kept")
    for one, drawn in ((plot.beside, kept), (plot, lines)):
        one.draw(drawn, x_range=(0, 50_000), y_top=1.02, mark=5_000, x_label="error (dollars)")
    return plot


def lines():
    """Expected and measured."""
    plot = Lines("Share recovered by the size of the sample", log=True, height=240)
    x, y = [10, 100, 1_000, 10_000, 100_000], [0.02, 0.1, 0.4, 0.8, 0.97]
    plot.draw(
        [PlotLine("expected", colours.SCHEMES["independent"], x, y)],
        [Dots("measured", colours.SCHEMES["independent"], x, y, [0.01, 0.03, 0.04, 0.03, 0.01])],
        x_range=(8, 120_000), ticks=x, x_label="records in her sample",
    )  # fmt: skip
    return plot


class Figures:
    """What can be downloaded of every card here: a table of who pools, and no pictures."""

    draws, visible = False, True

    def make(self, kind, how, send):
        """Send the table."""
        names = [listed(seat.name for seat in SEATS[:size]) for size in range(1, 7)]
        send(
            {
                "csv": as_csv(
                    pd.DataFrame({"who pools": names, "independent": STEPS["independent"], "nested": STEPS["nested"]})
                )
            }
        )


def card_of(title, plot, caption, **more):
    """A card with its download buttons."""
    card = Card(title, plot, control=Download(Figures(), title), **more)
    card.say(caption)
    return card


def content():
    """The whole page, and the parts that tests look for."""
    head, belief = headline(), believe(Belief("One person's age", height=330))
    pooling = pool(Pooling("Guessed within 5 years, as more of them pool"))
    scheme, view = Action(text="other noise"), Action(text="other view")
    download = Download(Figures(), "One person")

    def draw(*events):
        belief.mode = ("belief", "path")[view.clicks % 2]
        noise = ("independent", "nested")[scheme.clicks % 2]
        tell(head, noise)
        believe(belief, noise)
        download.look()

    for action in (scheme, view):
        action.param.watch(draw, "clicks")
    one = Card("One person", belief, download, control=view)
    one.say("Six noisy values, and what can be believed from them.")
    closer = Closer(
        [
            ("close", "How close the guesses come", lambda: card_of("How close the guesses come", curves(), "Income.")),
            ("sizes", "By the size of the sample", lambda: card_of("By the size of the sample", lines(), "Rows.")),
            ("every", "Every coalition", lambda: card_of(
                "Every coalition", pool(Pooling("Every coalition", tall=300), range(1, 64)), "63 of them.")),
        ],
        experts=[("grey", "Nothing yet", lambda: Skeleton(240, "Nothing yet"))],
        opened="close", margin=(16, 0),
    )  # fmt: skip
    fold = Fold(
        "Data", Slider(label="Rows", start=0, end=10, value=5), Slider(label="Columns", start=1, end=9, value=2)
    )
    fold.line = "Census, 100 000 people · Age, Income"
    marks = pn.pane.HTML(
        "<p>0.311 " + "</p><p>0.250 ".join(
            [mark("agrees", "± 0.08"), mark("differs", "0.061, allowed ± 0.02"), mark("few", "12 rows"), mark(True)]
        ) + "</p>",
        stylesheets=[MARKS_CSS, ":host { font-size: 15px; }"],
    )  # fmt: skip
    pair = pn.Column(
        one, card_of("As more of them pool", pooling, "Guessed within 5 years."),
        stylesheets=[PAIR], sizing_mode="stretch_width", margin=(12, 0),
    )  # fmt: skip
    rest = pn.Column(
        pn.Column(fold, marks, sizing_mode="stretch_width"), Skeleton(220, "Trade-off"),
        stylesheets=[PAIR], sizing_mode="stretch_width", margin=(12, 0),
    )  # fmt: skip
    return pn.Column(Connection(), head, scheme, pair, closer, rest, sizing_mode="stretch_width", margin=0)


def page():
    """A visitor's page."""
    pn.extension()
    made = pn.Template(PAGE)
    made.add_variable("css", CSS)
    made.add_panel("main", content())
    return made


def main():
    """Serve it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=5010)
    pn.serve({"/": page}, port=parser.parse_args().port, show=False, title="Widgets")


if __name__ == "__main__":
    main()
