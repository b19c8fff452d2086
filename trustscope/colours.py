"""The few colours of the interface: one a recipient, safe for the colour-blind, the same in every view.

Each one is legible on the light and on the dark surface, so that a plot need not know the theme;
axes, grids and text follow the theme through CSS variables (see `app/theme.css`).
"""

# Okabe and Ito's set first (without yellow and vermilion), then hues that keep apart in lightness too.
RECIPIENTS = (
    "#0e7fc0",
    "#c48800",
    "#009e73",
    "#cc79a7",
    "#1e9be2",
    "#8a6fd1",
    "#a6761d",
    "#5aa02c",
    "#b2456e",
    "#6b8299",
    "#a99235",
    "#29a3a3",
)
SCHEMES = {"nested": "#12809c", "independent": "#d9541e", "proportional": "#a8409f"}
ORIGINAL = "#8793a5"
GUESS = "#e0611b"
NEUTRAL = "#7b8794"
ATTACKERS = {
    "noise_distribution": "#a6761d",
    "univariate": "#cc79a7",
    "principal_components": "#5aa02c",
    "spectral_filter": "#b2456e",
    "bayes": "#5b6ee1",
    "neighbours": "#29a3a3",
    "boosting": "#8a6fd1",
    "guess": "#7b8794",
}
SPECTRUM = {"released": "#12809c", "noise": "#d9541e"}
# Kinds of respondents: fundamentalists, pragmatists, marginally concerned; and those who answer in the clear first.
KINDS = ("#8a6fd1", "#c48800", "#009e73")
CLEAR = "#7b8794"
# Attacks on rotations: two kinds of guess, what a paper prints, what is known, two ways to use a sample, two remedies.
ROTATION = {
    "uniform": "#e0611b",
    "projection": "#b2456e",
    "others": "#12809c",
    "printed": "#a8409f",
    "corrected": "#12809c",
    "known": "#0e7fc0",
    "paper": "#a8409f",
    "improved": "#e0611b",
    "one": "#e0611b",
    "fresh": "#12809c",
}


def recipient(index: int) -> str:
    """Colour of the recipient with this number; beyond twelve they come round again."""
    return RECIPIENTS[index % len(RECIPIENTS)]
