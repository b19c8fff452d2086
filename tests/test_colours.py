"""Lines that carry meaning can be told from both surfaces: a contrast of 3:1."""

import pytest

from trustscope import colours

SURFACES = {"light": "#ffffff", "dark": "#161f2e"}
MEANING = {
    *colours.RECIPIENTS, *colours.SCHEMES.values(), *colours.ATTACKERS.values(), *colours.KINDS,
    *colours.ROTATION.values(), colours.GUESS, colours.NEUTRAL,
}  # fmt: skip


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("colour", sorted(MEANING))
def test_colours_stand_out(surface, colour):
    assert contrast(colour, SURFACES[surface]) >= 3


def test_a_faint_colour_would_be_seen():
    assert contrast("#e69f00", "#ffffff") < 3


def test_recipients_are_told_apart():
    assert len(set(colours.RECIPIENTS)) == len(colours.RECIPIENTS) == 12
