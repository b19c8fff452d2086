"""The sheet that goes with a copy to its recipient: what each column is, what was done to it, how to compute with it.

It says nothing of other recipients, nor of anybody's row.
"""

from collections.abc import Iterator

from trustscope.numbers import plain
from trustscope.release import fingerprint
from trustscope.release.analysis import Terms, corrections, script, what_may_be_computed
from trustscope.release.paper import cell, listing, page, paragraphs, table
from trustscope.release.recipe import Recipe, level
from trustscope.release.record import Copy
from trustscope.release.steps import describe

ABOUT = (
    "Noise was added to this copy to protect people. Figures of it differ from those of the data in a known way, and "
    "are corrected as below. Do not try to find out who somebody is, and do not pass it on."
)
LISTED = 30  # values of a category that are listed


def html(recipe: Recipe, copy: Copy) -> str:
    """The whole document.

    Parameters
    ----------
    recipe : Recipe
    copy : Copy
    """
    terms = Terms.of(copy)
    return page(f"Sheet of the copy for {copy.to}", [
        f"<h1>The copy for {cell(copy.to)}</h1>",
        table(("", ""), _facts(copy)),
        paragraphs([ABOUT]),
        "<h2>Columns</h2>",
        table(("column", "what it is", "what was done to it"), _columns(recipe, copy, terms)),
        paragraphs(describe(name, step) for name, step in recipe.steps),
        paragraphs(recipe.notes),
        "<h2>What can be computed</h2>",
        listing(what_may_be_computed(recipe)),
        "<h2>Corrections for this copy</h2>",
        table(("what", "from the copy"), ((cell(what), cell(formula)) for what, formula in corrections(recipe, terms))),
        '<div class="whole"><h2>The same as a script</h2>',
        paragraphs(["It needs Python and pandas; run it with the file. It first checks that this is the copy."]),
        f"<pre>{cell(script(recipe, terms, copy))}</pre></div>",
    ])  # fmt: skip


def _facts(copy: Copy) -> list[tuple[str, str]]:
    shown = {
        "issued": f"{copy.time[:10]} by {copy.by}",
        "for": copy.purpose or "not said",
        "may be used until": copy.expires or "not said",
        "questions to": copy.contact or "not said",
        "setting": copy.describe() + (", with a fingerprint of the recipient's own" if copy.fingerprint else ""),
        "rows": f"{copy.rows:,}",
        "SHA-256": copy.sha256,
    }
    return [
        (cell(what), f"<code>{cell(text)}</code>" if what == "SHA-256" else cell(text)) for what, text in shown.items()
    ]


def _columns(recipe: Recipe, copy: Copy, terms: Terms) -> Iterator[tuple[str, str, str]]:
    roles = recipe.roles
    for name in roles.read:
        if name in roles.numbers:
            assert copy.trust is not None  # every copy has one where there are numbers
            place = roles.numbers.index(name)
            noise = (level(copy.trust) * (1 + (fingerprint.SIZE**2 if copy.fingerprint else 0))) ** 0.5
            done = (
                f"noise with a standard deviation of about {plain(recipe.deviations[place] * noise)}, related between "
                f"columns as the data are; rounded to multiples of {recipe.grids[place].text}"
            )
            yield cell(name), "number", cell(done)
        elif name in roles.categories:
            values = recipe.domains[name]
            more = f" and {len(values) - LISTED} more" if len(values) > LISTED else ""
            block = next(names for names in recipe.blocks if name in names)
            others = f", together with {', '.join(one for one in block if one != name)}" if len(block) > 1 else ""
            done = f"kept with probability {terms.retention:.4g}{others}; otherwise drawn from all combinations"
            listed = ", ".join(map(str, values[:LISTED])) + more
            yield cell(name), cell(f"category, {len(values)} values: {listed}"), cell(done)
        else:
            yield cell(name), "kept", "nothing: as it is in the data"
