"""The gallery, the table of claims, the table of figures and the block of code, without a browser."""

import numpy as np
import pandas as pd

from tests.messages import deliver
from trustscope.scenarios.statement import Claim
from trustscope.widgets.controls.code import Code
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.frame.gallery import Gallery
from trustscope.widgets.tables.claims import Claims, FirstRows


def test_only_tiles_that_are_shown_can_be_opened():
    gallery = Gallery(tiles=[{"id": "a"}, {"id": "b"}], shown=["a"])
    deliver(gallery, {"id": "b", "n": 1})
    assert (gallery.opened, gallery.presses, gallery.ack) == ("", 0, 1)
    deliver(gallery, {"id": "a", "n": 2})
    deliver(gallery, {"id": "a", "n": 3})
    assert (gallery.opened, gallery.presses) == ("a", 2)


def test_claims_are_text_not_markup():
    claims = Claims("Claims & verdicts")
    claims.draw([Claim("a < b", "<i>1</i>", "2", "± 1", "✓ confirmed", "good")])
    html = claims.pane.object
    assert "a &lt; b" in html
    assert "&lt;i&gt;1" in html
    assert "Claims &amp; verdicts" in html
    assert "misprint" not in html
    claims.draw([], printed="x²", right="|x|")
    assert "<dd>x²</dd>" in claims.pane.object


def test_long_tables_are_cut_and_say_so():
    figures = FirstRows("The figures", most=3)
    table = pd.DataFrame({"some_name": ["<b>", "c", "d", "e"], "value": [0.123456789, np.nan, 3, 4]})
    assert figures.draw(table) == 3
    html = figures.pane.object
    assert "some name" in html
    assert "&lt;b&gt;" in html
    assert "0.12346" in html
    assert "nan" not in html
    assert html.count("<tr>") == 4
    assert figures.draw(table.head(1)) == 1


def test_code_and_text_boxes_hold_what_they_are_given():
    assert Code(text="print(1)", label="Code").text == "print(1)"
    box = textbox("Levels", "1, 2")
    assert (box.label, box.value) == ("Levels", "1, 2")
