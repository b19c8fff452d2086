"""The report: one page of HTML that needs nothing else, for whoever asks what was given to whom."""

import html as _html
import json

from trustscope.release.grid import cost, usual_cost
from trustscope.release.recipe import level

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ccc; vertical-align: top; }
code { font-size: .85em; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } }
"""


def html(recipe, record, coalitions):
    """The whole page.

    Parameters
    ----------
    recipe : Recipe
    record : Record
    coalitions : list of Coalition
    """
    last = record.events[-1]
    parts = [
        "<h1>What was released</h1>",
        f"<p>{_data(record)} {_state(record)}</p>",
        f"<p>Head of the chain after {last.number} events, {_cell(last.time)}: <code>{record.head}</code></p>",
        "<h2>Copies that are out</h2>",
        _table(
            ("recipient", "trust, retention", "issued", "purpose", "by", "rows", "SHA-256 of the file"), _copies(record)
        ),
        "<h2>What each coalition can do with them</h2>",
        "<p>All copies lie on one path of noise, so a coalition knows as much as the holder of its best copy.</p>",
        _table(
            ("coalition", "best trust", "error of a number", "best retention", "wrong categories"), _pooled(coalitions)
        ),
        "<h2>Rounding</h2>",
        "<p>Numbers are rounded to a grid. No coalition gets below the error above; the last columns say how much of "
        "it rounding may hide from the best copy alone, in units of the variance: at most, and usually.</p>",
        _table(("column", "grid", "standard deviation", "at most", "usually"), _grids(recipe, coalitions)),
        *(f"<p>{_cell(note)}</p>" for note in recipe.notes),
        "<h2>Rules</h2>",
        f"<p><code>{_cell(json.dumps(record.policy, ensure_ascii=False, sort_keys=True))}</code></p>",
        "<h2>History</h2>",
        _table(("number", "time", "what", "digest"), _events(record)),
    ]
    head = f'<meta charset="utf-8"><title>Release report</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _cell(value):
    return _html.escape(str(value))


def _percent(value):
    return "–" if value is None else f"{value / 10:g} %"


def _share(value):
    return "–" if value is None else f"{100 * value:.1f} %"


def _table(titles, rows):
    head = "".join(f'<th scope="col">{_cell(title)}</th>' for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def _data(record):
    data, roles = record.data, record.created["recipe"]["roles"]
    what = "; ".join(
        f"{role}: {', '.join(roles[role])}" for role in ("numbers", "categories", "keep", "drop") if roles[role]
    )
    return f"{data['rows']:,} rows ({_cell(what)}), digest <code>{data['digest']}</code>."


def _state(record):
    made = f"Noise from the generator {_cell(record.created['recipe']['generator'])}."
    return made + (f" Withdrawn on {record.withdrawn[:10]}: no further copies." if record.withdrawn else "")


def _copies(record):
    for copy in record.copies:
        again = " (again)" if copy.reissue else ""
        yield (
            _cell(copy.to) + again, _cell(copy.describe()), _cell(copy.time[:16].replace("T", " ")),
            _cell(copy.purpose), _cell(copy.by), f"{copy.rows:,}", f"<code>{copy.sha256}</code>",
        )  # fmt: skip


def _pooled(coalitions):
    for one in coalitions:
        yield (
            _cell(", ".join(one.members)), _percent(one.trust), _share(one.error), _percent(one.retention),
            _share(one.wrong),
        )  # fmt: skip


def _grids(recipe, coalitions):
    trust = max((one.trust for one in coalitions if one.trust), default=None)
    for name, grid, deviation in zip(recipe.roles.numbers, recipe.grids, recipe.deviations, strict=True):
        bounds = [f(grid, deviation, level(trust)) for f in (cost, usual_cost)] if trust else []
        yield _cell(name), _cell(grid.text), f"{deviation:.4g}", *([f"{b:.2g}" for b in bounds] or ["–", "–"])


def _events(record):
    for event in record.events:
        to = event.body.get("to")
        yield (
            event.number,
            _cell(event.time),
            _cell(event.kind + (f": {to}" if to else "")),
            f"<code>{event.digest}</code>",
        )
