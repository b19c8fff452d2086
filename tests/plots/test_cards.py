"""Every card of every page: its table, its plot by both backends, its live view, its caption and its file."""

import base64
import csv
import io
import re
import subprocess
import sys

import holoviews as hv
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tests.app.test_parts import taken_along, walked
from tests.plots import seen
from trustscope import plots
from trustscope.looks import looks_of
from trustscope.plots import draw
from trustscope.scenarios.cards import cards_of, keys_of
from trustscope.scenarios.parts import PARTS
from trustscope.scenarios.sheet import plain_caption
from trustscope.scenarios.survey import frontier as survey_frontier
from trustscope.scenarios.survey import map as survey_map
from trustscope.widgets.controls.download import PictureOptions, as_csv
from trustscope.widgets.live.lines import Lines
from trustscope.widgets.scenes.pooling import Pooling

PAGES = ("trust", "categories", "rotation", "survey")
NAMES = re.compile("[a-z_]{1,24}")
ONLY_IN_APP = re.compile(r"\b([Cc]lick|[Tt]ick (?:a|more|the)|Rest on|[Dd]rag)\b")


@pytest.fixture(scope="module", params=PAGES)
def here(request):
    """A page on which everything was opened that there is to look at; each place of a map and each point of a trade-off
    of the Survey page is a survey of its own: fewer of them, and of few people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(survey_map, "ARRIVED", (20, 50, 100))
        patch.setattr(survey_frontier, "steps", lambda parts: [-1, 0, 1])
        page = walked(request.param)
    yield page
    page.stop()


def tables(here):
    """Card and table of all that stands on the page."""
    for card in cards_of(here.page).values():
        if not card.asked and card.shows(here.picture):
            yield card, card.table(here.picture, here.model)


def test_every_card_has_a_table_a_plot_a_caption_and_a_file(here):
    before = hv.Store.current_backend
    for card, table in tables(here):
        assert isinstance(table, pd.DataFrame), card.key
        assert NAMES.fullmatch(card.key)
        if table.empty:
            continue
        caption = card.caption(here.picture, here.model) if card.caption else "none"
        assert caption.strip(), card.key
        assert not ONLY_IN_APP.search(plain_caption(caption)), card.key
        header, *rows = csv.reader(io.StringIO(as_csv(table).removeprefix("\ufeff")))
        assert len(header) == len(table.columns)
        assert len(rows) == len(table)
        if not card.plot:
            continue
        element = plots.plot(card.plot, table)
        paper = draw.figure(element)  # `tests/scenarios/test_report.py` looks at the drawings themselves
        if not isinstance(element, hv.Table):
            assert len(draw.bokeh(element)) == len(draw.panels_of(element)) <= len(paper.axes)
            written = [one.get_text() for legend in paper.legends for one in legend.get_texts()]
            for (name, *_), one in zip(draw.legend(element), written, strict=True):
                assert name.startswith(one[:20].replace("\\$", "$").strip("\u200b")), (card.key, name)
    assert hv.Store.current_backend == before


def test_every_card_can_be_taken_along(here):
    assert taken_along(here)


def test_links_and_lessons_name_the_cards(here):
    titles = {part.key for part in here.parts() if part.kind == "card"}
    assert titles == set(keys_of(here.page)) == set(PARTS[here.page].cards[1:])


def test_lines_on_a_page_are_those_of_the_plot(here):
    """All of them: what was drawn last by every view that draws lines, held against the plot of the same table."""
    if here.page == "trust":
        attackers = ("perfect", "structured", "raw")
        here.controls.change(here.scenario.replace({"view.closer": "closeness", "settings.attackers": attackers}))
    compared = 0
    for view in here.views().values():
        lines = [one for one in vars(view).values() if isinstance(one, Lines)]
        if not lines or view.taken.own.empty:
            continue
        card, table = view.taken.card, view.taken.own
        table = looks_of(table).more.get("curves", table)
        assert same(seen.of_lines(lines[0]), seen.of_plot(plots.plot("charts.curves", table))), card.key
        assert card.plot in ("charts.curves", "categories.promises", "rotation.printed")
        compared += 1
    assert compared >= 2


def same(live, plot) -> bool:
    """Whether a live view shows what the plot does; lines across are no series of the plot."""
    assert live.labels == plot.labels
    np.testing.assert_allclose(live.limits, plot.limits, rtol=1e-6)
    assert set(plot.series) - set(live.series) <= {"original", "people whose value is common"}  # areas
    for name, theirs in plot.series.items():
        if name in live.series:
            colour, dash, values = live.series[name]
            assert (colour, dash) == theirs[:2], name
            np.testing.assert_allclose(values, theirs[2], atol=1e-4 * max(np.abs(theirs[2]).max(), 1e-9), err_msg=name)
    return True


@pytest.mark.parametrize(("key", "place"), [("pooling", "second"), ("coalitions", "coalitions")])
def test_rows_of_coalitions_are_those_of_the_plot(here, key, place):
    if key not in cards_of(here.page):
        pytest.skip("no coalitions here")
    here.controls.change(here.scenario.replace({"view.closer": "coalitions"}))
    card = cards_of(here.page)[key]
    plot = here.views()[place].plot
    assert isinstance(plot, Pooling)
    live, paper = seen.of_pooling(plot), seen.of_plot(plots.plot(card.plot, card.table(here.picture, here.model)))
    assert list(live.series) == list(paper.series)  # one order of schemes
    for name, (colour, _, values) in live.series.items():
        assert colour == paper.series[name][0]
        np.testing.assert_allclose(np.sort(values), np.sort(paper.series[name][2]), atol=1e-5)
    assert plot.top == pytest.approx(paper.limits[1 if key == "pooling" else 3])


def test_a_wrong_live_view_is_seen(here):
    """The comparison above fails where the view shows another colour, another dash or other figures."""
    table = pd.DataFrame({"x": [0.0, 1.0], "a": [0.2, 0.4]})
    other = pd.DataFrame({"x": [0.0, 1.0], "a": [0.2, 0.5]})
    paper = seen.of_plot(plots.plot("charts.curves", framed(table)))
    live = Lines("x")
    live.show_table(framed(table))
    assert same(seen.of_lines(live), paper)
    for wrong in (framed(other), framed(table, colour="#000000"), framed(table, dash="dotted"), framed(table, y="b")):
        live.show_table(wrong)
        with pytest.raises(AssertionError):
            same(seen.of_lines(live), paper)


def framed(table, colour="#12809c", dash="solid", y="a"):
    from trustscope.looks import Axis, Look, Looks, with_looks

    looks = Looks("x", {"a": Look(colour, dash=dash)}, Axis("x", low=0.0, high=1.0), Axis(y, low=0.0, high=1.0))
    return with_looks(table.copy(), looks)


def test_files_of_a_card_come_from_its_plot(here):
    view = next(one for one in here.views().values() if len(one.taken.own) and one.taken.card.plot)
    card = view.taken.card
    assert view.taken.about == here.info != ""
    if here.page != PAGES[0]:  # files are made alike on all pages
        return
    sent = []
    for kind in ("csv", "svg", "png"):
        view.taken.make(kind, PictureOptions("dark", "print"), sent.append)
    assert sent[0]["csv"] == as_csv(view.taken.table())
    element = plots.plot(card.plot, view.taken.own)
    assert sent[1]["svg"] == draw.svg(element, theme="dark", around=draw.Around(card.title))
    fine = Image.open(io.BytesIO(base64.b64decode(sent[2]["png"])))
    assert fine.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    view.taken.make("svg", PictureOptions(title=False, caption="What it says of $5.", source="source"), sent.append)
    view.taken.make("png", PictureOptions(size="1x"), sent.append)
    words = sent[3]["svg"]
    assert "What it says of $5." in words
    assert f"{here.info}. Made with Trustscope" in words
    assert f">{card.title}<" not in words
    coarse = Image.open(io.BytesIO(base64.b64decode(sent[4]["png"])))
    assert fine.width / coarse.width == pytest.approx(300 / 96, rel=0.08)  # letters of few pixels are wider


# One process imports one after the other, and is asked after each: starting Python takes longer than most of them.
LINES = (
    "import trustscope", "import trustscope.engine.gaussian", "import trustscope.scenarios.metrics",
    "import trustscope.scenarios.trust.cards", "import trustscope.plots",
    "from trustscope.app.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
)  # fmt: skip
IMPORTS = """
import sys
for line in {lines}:
    exec(line)
    assert not {{'holoviews', 'panel', 'matplotlib'}} & set(sys.modules), line
"""


def test_nothing_is_imported_before_a_plot_is_made():
    done = subprocess.run([sys.executable, "-c", IMPORTS.format(lines=LINES)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
