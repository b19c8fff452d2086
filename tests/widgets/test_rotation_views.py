"""The views of the Rotation dashboard take numbers and texts, and draw what they were given."""

from types import SimpleNamespace

import numpy as np

from tests.messages import tell
from trustscope import colours
from trustscope.widgets.controls.download import Download
from trustscope.widgets.frame.card import Card
from trustscope.widgets.live.cap import Cap
from trustscope.widgets.live.lines import Dots, Lines, PlotLine
from trustscope.widgets.scenes.match import Match
from trustscope.widgets.scenes.twin import Side, Twin
from trustscope.widgets.tables.texttable import TextTable


def side(points, title="original"):
    return Side(title, points, ["#111111"] * len(points), ("a", "b"))


def test_twin_places_both_clouds_and_links_them():
    points = np.array([[0.0, 10.0], [1.0, 20.0], [4.0, 30.0]])
    twin = Twin("clouds")
    twin.draw(side(points), side(points[:, ::-1], "released"), links=[(0, 2, "#222222", "solid")],
              marked=[(0, 2, "#333333"), (1, None, "#555555")], pairs=[(1, 0, 1, "#444444")])  # fmt: skip
    left, right = twin.scene["sides"]
    assert (left["x"], left["y"]) == ([0.05, 0.275, 0.95], [0.05, 0.5, 0.95])
    assert (right["x"], right["y"]) == (left["y"], left["x"])
    assert (left["marked"], right["marked"]) == ([[0, "#333333"], [1, "#555555"]], [[2, "#333333"]])
    between, within = twin.scene["lines"]
    assert [(end["side"], end["x"]) for end in between["ends"]] == [(0, 0.05), (1, 0.95)]
    assert [(end["side"], end["x"]) for end in within["ends"]] == [(1, 0.05), (1, 0.5)]
    assert (between["colour"], within["colour"]) == ("#222222", "#444444")
    assert (left["title"], right["title"]) == ("original", "released")


def test_arrows_begin_in_the_middle_of_their_cloud():
    points = np.array([[0.0, 0.0], [10.0, 2.0], [5.0, 4.0]])
    twin = Twin("clouds")
    one = Side("original", points, ["#111111"] * 3, ("a", "b"), [(5.0, 2.0, "#222222", True)])
    twin.draw(one, side(points))
    assert twin.scene["sides"][0]["arrows"] == [[0.5, 0.5, 0.95, 0.95, "#222222", True]]
    assert twin.scene["sides"][1]["arrows"] == []


def test_the_same_point_twice_is_two_taps():
    twin, seen = Twin("clouds", taps=True), []
    twin.draw(side(np.eye(4, 2)), side(np.eye(4, 2)))
    twin.param.watch(lambda e: seen.append(e.new), "tapped")
    for _ in range(2):
        tell(twin, {"hit": [3]})
    assert [one for one in seen if one >= 0] == [3, 3]


def test_points_that_are_not_there_cannot_be_tapped():
    twin = Twin("clouds", taps=True)
    tell(twin, {"hit": [0]})
    twin.draw(side(np.eye(4, 2)), side(np.eye(4, 2)))
    tell(twin, {"hit": [4, -1, 10**12]})
    assert twin.tapped == -1
    still = Twin("clouds")
    still.draw(side(np.eye(4, 2)), side(np.eye(4, 2)))
    tell(still, {"hit": [1]})
    assert still.tapped == -1


def test_of_points_on_one_another_a_click_takes_a_known_one_or_each_in_turn():
    twin, seen = Twin("clouds", taps=True), []
    twin.param.watch(lambda e: e.new >= 0 and seen.append(e.new), "tapped")
    cloud = side(np.zeros((9, 2)))
    for first in ([], [], [], [5]):
        twin.draw(cloud, cloud, first=first)
        tell(twin, {"hit": [7, 2, 5]})
    assert seen == [2, 5, 7, 5]


def test_constant_columns_do_not_break_the_clouds():
    twin = Twin("clouds")
    twin.draw(side(np.ones((4, 2))), side(np.ones((4, 2))))
    assert np.all(np.isfinite(twin.scene["sides"][0]["x"]))


def test_cap_colours_the_guesses_that_come_close():
    cap = Cap("sphere")
    cap.draw(3, 1.0, [0.1, 1.0, 1.1, 3.0])
    # Chord 1 is an angle of 60 degrees, 1.047.
    assert cap.columns_shown("guesses")["colour"] == [colours.GUESS, colours.GUESS, colours.NEUTRAL, colours.NEUTRAL]
    cap.draw(0, 2.0, [])
    assert cap.columns_shown("cap")["x"] == []
    assert not cap.foot.visible


def test_lines_keep_error_bars_of_shares_between_nothing_and_all():
    lines = Lines("rates")
    dots = Dots("d", "#222222", [0, 1], [0.02, 0.99], [0.05, 0.05])
    lines.draw([PlotLine("one", "#111111", [0, 1], [0.2, 0.9])], [dots], x_range=(0, 1))
    assert lines.columns_shown("dots")["low"][0] == 0
    assert lines.columns_shown("dots")["high"][1] == 1
    assert lines.columns_shown("lines")["ys"] == [[0.2, 0.9]]


def test_match_stays_in_its_frame():
    match = Match("recovered")
    match.draw(np.array([0.0, 10.0]), np.array([500.0, 10.0]), np.array([False, True]), x_label="x")
    assert match.scene["dots"]["y"] == [match.scene["y_range"][1], 10]
    assert match.scene["dots"]["counts"] == [0, 1]
    assert match.scene["colours"] == [colours.ORIGINAL, colours.GUESS]


def test_match_says_how_far_dots_are_from_the_line():
    match, true = Match("kept", counted="kept"), np.linspace(0, 10, 2_000)
    match.draw(true, true + 4e-16, np.ones(2_000, dtype=bool), x_label="d")  # rounding is not a distance
    assert match.summary_text == "2\u202f000 of 2\u202f000 dots are kept; half of all lie on the dotted line (d)."
    match.draw(true, true + 0.5, np.zeros(2_000, dtype=bool), x_label="distance")
    assert "lie within 0.5 of the dotted line" in match.summary_text


def test_a_table_shows_texts_never_markup():
    table = TextTable("<b>")
    table.draw(("<i>", "b"), [[("<u>", "#111111"), ("<s>", "bad")], ["plain", "text"]])
    html = table.pane.object
    for tag in ("<u>", "<s>", "<caption><b>"):
        assert tag not in html
    assert 'class="bad"' in html


def test_a_column_without_a_name_has_no_heading():
    table = TextTable("values")
    table.draw(("", "b"), [["one", "1"]])
    assert table.pane.object.count('<th scope="col">') == 1


def test_nothing_is_offered_where_there_is_nothing_to_save():
    saved = SimpleNamespace(draws=True, visible=False)
    card = Card("Values", TextTable("values"), saved=saved)
    buttons = card.__panel__().select(Download)[0]
    assert not buttons.visible
    saved.visible = True
    card.say("One row.")
    assert buttons.visible
