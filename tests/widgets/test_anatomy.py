"""The widgets of which a page is built, without a browser: what they take in, what they send, what they say."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import panel as pn
import pytest
from bokeh.document import Document

from tests.messages import deliver, tell
from tests.widgets.showcase import SEATS, X, believe, bell, curves, pool
from trustscope.looks import Look, Looks, with_looks
from trustscope.widgets.controls.download import Download, PictureOptions, as_csv
from trustscope.widgets.frame.closer import Closer
from trustscope.widgets.frame.fold import Fold
from trustscope.widgets.frame.headline import Headline
from trustscope.widgets.frame.skeleton import Skeleton
from trustscope.widgets.scenes.belief import Belief, BeliefPicture, Pin
from trustscope.widgets.scenes.pooling import Pooling
from trustscope.widgets.tables.marks import mark

SHEETS = Path(__file__).parents[2] / "widgets"


def changes(widget, *names):
    """The names of these parameters, each time one of them changes from now on."""
    seen = []
    widget.param.watch(lambda *events: seen.extend(event.name for event in events), list(names))
    return seen


# Headline


def test_a_headline_is_sent_only_when_it_changes():
    headline = Headline()
    seen = changes(headline, "said")
    for after in ("51 %", "51 %", "52 %"):
        headline.say("They learn more.", "33 %", after, "guessed", tone="leak")
    assert len(seen) == 2
    assert headline.said["after"] == "52\u202f%"  # the sign stays with its number
    with pytest.raises(ValueError, match="tone is one of"):
        headline.say("They learn more.", tone="red")


# Marks


@pytest.mark.parametrize(
    ("state", "by", "sign", "words"),
    [
        ("agrees", "± 0.08", "✓", "agrees within ± 0.08"),
        (True, "", "✓", "agrees within sampling error"),
        ("differs", "0.061, allowed ± 0.02", "✗", "differs by 0.061, allowed ± 0.02"),
        (False, "", "✗", "differs by more than sampling error"),
        ("few", "12 rows", "~", "too few rows to tell: 12 rows"),
    ],
)
def test_a_mark_says_what_it_means(state, by, sign, words):
    html = mark(state, by)
    assert f'title="{words}"' in html
    assert f">{words}</span>" in html
    assert sign in html
    assert not by or f"</span> {by}</span>" in html  # the tolerance is seen, not only told


def test_no_mark_a_wrong_mark_and_markup():
    assert mark(None) == ""
    with pytest.raises(ValueError, match="A mark is one of"):
        mark("perhaps")
    assert "<i>" not in mark("agrees", "<i>")


# Fold and Closer


def test_a_fold_opens_and_closes():
    fold = Fold("Data", pn.Spacer())
    deliver(fold, {"opened": True, "n": 1})
    assert fold.opened
    assert len(fold.body) == 1
    deliver(fold, {"opened": False, "n": 2})
    assert not fold.opened


def make_closer(**more):
    built, told = [], []

    def view(key):
        def build():
            built.append(key)
            return pn.Spacer(name=key)

        return build

    closer = Closer(
        [("a", "First", view("a")), ("b", "Second", view("b"))],
        experts=[("c", "Third", view("c"))],
        told=lambda key, shown: told.append((key, shown)),
        **more,
    )
    return closer, built, told


def test_a_view_is_built_when_first_opened_and_told_when_it_is_seen():
    closer, built, told = make_closer()
    assert (built, told, len(closer.area)) == ([], [], 0)
    closer.opened = "a"
    assert (built, told) == (["a"], [("a", True)])
    deliver(closer, {"opened": "c", "n": 1})
    deliver(closer, {"opened": "a", "n": 2})
    assert built == ["a", "c"]  # once each
    assert told == [("a", True), ("a", False), ("c", True), ("c", False), ("a", True)]
    assert [view.name for view in closer.area] == ["a"]  # nothing that is not seen hangs on the page
    closer.opened = ""
    assert (len(closer.area), told[-1]) == (0, ("a", False))
    assert "b" not in closer._built


def test_some_of_the_views_are_offered_and_another_that_is_open_is_closed():
    closer, _, told = make_closer(opened="a")
    closer.only({"b", "c"})
    assert (closer.opened, told[-1], closer.keys) == ("", ("a", False), {"b", "c"})
    assert (closer.titles, closer.expert_titles, closer.tabs_shown) == ([["b", "Second"]], [["c", "Third"]], True)
    deliver(closer, {"opened": "a", "n": 1})
    assert closer.opened == ""
    closer.only({"c"})
    assert (closer.visible, closer.tabs_shown) == (True, False)
    closer.only(())
    assert not closer.visible
    closer.only({"a", "b", "c"})
    assert (closer.keys, closer.visible, closer.tabs_shown) == ({"a", "b", "c"}, True, True)


def test_a_view_that_is_closed_belongs_to_no_page():
    """What hangs on no document sends nothing when it is drawn."""
    plot = curves()
    closer = Closer([("a", "First", lambda: plot), ("b", "Second", pn.Spacer)], opened="a")
    document = Document()
    document.add_root(closer.get_root(document))
    assert plot.figure.document is document
    closer.opened = "b"
    assert plot.figure.document is None
    closer.opened = "a"
    assert plot.figure.document is document


def test_a_closer_refuses_what_there_is_not():
    closer, built, _ = make_closer(opened="a")
    deliver(closer, {"opened": "nonsense", "n": 1})
    assert closer.opened == "a"
    with pytest.raises(ValueError, match="There is no view"):
        closer.opened = "nonsense"
    with pytest.raises(ValueError, match="same key"):
        Closer([("a", "", pn.Spacer), ("a", "", pn.Spacer)])
    assert built == ["a"]


def test_a_view_that_fails_can_be_tried_again():
    attempts = []

    def build():
        attempts.append(1)
        if len(attempts) == 1:
            raise ArithmeticError("not today")
        return pn.Spacer()

    closer = Closer([("a", "First", build)])
    with pytest.raises(ArithmeticError):
        closer.opened = "a"
    assert (closer.opened, len(closer.area)) == ("", 0)
    closer.opened = "a"
    assert len(attempts) == 2
    assert len(closer.area) == 1


# Pooling


def test_pooling_sends_rows_and_only_changes():
    pooling = pool(Pooling("who"))
    assert pooling.frame["masks"] == [1, 3, 7, 15, 31, 63]
    assert pooling.frame["names"][:2] == ["Ministry", "Ministry and University"]
    assert pooling.texts[5] == "51\u202f%"
    assert pooling.frame["baseline"] == "24\u202f% without any copy"
    seen = changes(pooling, "frame", "values", "texts", "ghost")
    pool(pooling)
    assert seen == []
    pooling.beside = pool(Pooling("kept"), masks=[1, 3])
    pool(pooling)
    assert seen == ["ghost"]
    assert pooling.ghost[:6] == [*pooling.values[:2], None, None, None, None]


def test_the_scheme_that_stands_on_the_page_is_bold():
    assert pool(Pooling("who")).frame["present"] == "independent"
    assert pool(Pooling("who"), present="nested").frame["present"] == "nested"


def test_coalitions_in_order():
    pooling, names = Pooling("who"), ["A", "B", "C"]
    masks = list(range(1, 8))
    looks = Looks("coalition", {"nested": Look("#111111")}, more={"masks": masks})
    table = with_looks(pd.DataFrame({"coalition": map(str, masks), "nested": [0.1 * mask for mask in masks]}), looks)
    pooling.show_table(table, [SimpleNamespace(name=name, colour="#111111") for name in names])
    letters = ["".join(c for i, c in enumerate(names) if mask >> i & 1) for mask in pooling.frame["masks"]]
    assert letters == ["A", "B", "C", "AB", "AC", "BC", "ABC"]
    assert pooling.values == pytest.approx([0.1, 0.2, 0.4, 0.3, 0.5, 0.6, 0.7])


# Belief


def test_a_belief_says_what_it_shows():
    belief = believe(Belief("One person"))
    assert belief.picture.summary_text == (
        "Really 33; together: 35 ± 13; the ministry alone: 41 ± 25; given: Ministry 38, University 29.5, Insurer 45, "
        "Bank 21.5, Press 52, Start-up 35."
    )
    scene = belief.picture.scene
    assert scene["x"][int(np.argmax(scene["together"]))] == 35
    assert scene["pins"][0]["ink"] == "#ffffff"  # on blue


def test_a_belief_is_sent_only_when_it_changes():
    belief = believe(Belief("One person"))
    seen = changes(belief.picture, "drawn", "summary_text")
    believe(belief)
    assert seen == []
    belief.picture.beside = believe(Belief("kept"), "nested").picture
    believe(belief)
    assert seen == ["drawn"]
    believe(belief, "nested")
    assert set(seen) == {"drawn", "summary_text"}


def test_nobody_colludes_and_nothing_is_given():
    picture = BeliefPicture()
    picture.draw(X, None, bell(41, 15), truth=33, x_range=(0, 100), texts=("really 33", "", "alone"))
    assert picture.scene["together"] == []
    assert picture.scene["top"] == pytest.approx(bell(41, 15).max())
    assert picture.summary_text == "Really 33; alone."


def test_the_path_is_built_when_it_is_wanted():
    belief = Belief("One person")
    assert list(belief.plots()) == ["picture"]
    belief.mode = "path"
    believe(belief)
    assert list(belief.plots()) == ["picture", "path"]
    assert "together they believe" in belief.path().summary()


def test_a_pin_far_out_is_kept_as_it_is():
    picture = BeliefPicture()
    seat = SEATS[0]
    picture.draw(X, bell(35, 8), None, truth=33, x_range=(0, 100), pins=[Pin("M", seat.name, seat.colour, 1234.5)],
                 texts=("really 33", "", ""))  # fmt: skip
    assert picture.scene["pins"][0]["value"] == 1234.5
    assert "given: Ministry 1\u202f234" in picture.summary_text


# Download and Skeleton


def test_a_download_offers_pictures_where_something_draws_them():
    made = SimpleNamespace(draws=True, visible=True, make=lambda kind, how, send: send({kind: how}))
    download, sent = Download(made, "How close the guesses come?"), []
    assert (download.file, download.drawn) == ("how-close-the-guesses-come", True)
    download._send_msg = sent.append
    for kind in ("svg", "png", "csv", "exe"):
        tell(download, {"what": kind, "theme": "dark" if kind == "svg" else "<b>", "size": "<b>", "caption": "x"})
    assert sent == [{"svg": PictureOptions("dark")}, {"png": PictureOptions()}, {"csv": PictureOptions()}]
    download.caption, sent[:] = "What it says.", []
    tell(download, {"what": "png", "size": "print", "title": False, "caption": True, "source": True})
    assert sent == [{"png": PictureOptions("light", "print", False, "What it says.", "source")}]
    made.draws = made.visible = False
    download.look()
    assert (download.drawn, download.visible) == (False, False)


def test_a_table_as_text_keeps_figures_and_disarms_formulas():
    text = as_csv(pd.DataFrame({"series": "=1+1", "@x": -1.5, "-y": True}, index=range(3)))
    assert text.startswith("\ufeffseries,")
    assert len(text.splitlines()) == 1 + 3
    assert "'=1+1" in text
    assert "'@x,'-y" in text
    assert ",-1.5,True" in text  # a negative number is a number


def test_a_skeleton_keeps_the_place_and_says_that_it_waits():
    html = Skeleton(240, "<b>").__panel__().object
    assert 'aria-busy="true"' in html
    assert "--tall: 240px" in html
    assert "<b>" not in html


def test_densities_of_nothing():
    picture = BeliefPicture()
    picture.draw([], None, None, truth=0, x_range=(0, 1))
    assert picture.scene["top"] == 1.0
    assert np.isfinite(picture.scene["truth"])


@pytest.mark.parametrize("sheet", sorted(SHEETS.glob("*.css")), ids=lambda sheet: sheet.name)
def test_what_is_hidden_can_be_hidden(sheet):
    """Bokeh hides a control by `display: none` on its host, in a style sheet that stands before the control's own."""
    hosts = re.findall(r":host\s*\{([^}]*)\}", sheet.read_text(encoding="utf-8"))
    shown = [host for host in hosts if re.search(r"(^|[;\s])display\s*:", host)]
    # These lay out what is in a column; the column around it is what is hidden.
    assert not shown or sheet.name in ("grid.css", "plots.css")
