"""A mark beside a figure that was measured: whether it agrees with what was expected, and within what."""

from html import escape

from trustscope.widgets.esm import css

CSS = css("marks.css")
SIGNS = {"agrees": "✓", "differs": "✗", "few": "~"}


def mark(state: str | bool | None, by: str = "") -> str:
    """A mark as HTML with a tip and with words for a screen reader; include `CSS` where it stands.

    Parameters
    ----------
    state : "agrees" (or True), "differs" (or False), "few" (too few rows to tell), or None: no mark
    by : the tolerance that made it agree ("± 0.08"), by how much it differs ("0.061, allowed ± 0.02"), or how few
        rows there are ("12 rows")
    """
    if state is None:
        return ""
    plain: dict[str | bool, str] = {True: "agrees", False: "differs"}
    state = plain.get(state, str(state))
    if state not in SIGNS:
        raise ValueError(f"A mark is one of {', '.join(SIGNS)}, not {state!r}.")
    words = {
        "agrees": f"agrees within {by}" if by else "agrees within sampling error",
        "differs": f"differs by {by}" if by else "differs by more than sampling error",
        "few": f"too few rows to tell{f': {by}' if by else ''}",
    }[state]
    seen = f'<span class="sign">{SIGNS[state]}</span>{f" {escape(by)}" if by else ""}'
    return (
        f'<span class="mark {state}" title="{escape(words)}"><span aria-hidden="true">{seen}</span>'
        f'<span class="unseen">{escape(words)}</span></span>'
    )
