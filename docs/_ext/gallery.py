"""The gallery: every plot of every kind of study, drawn while the site is built, with the code that draws it."""

from pathlib import Path

# Of each page: its title, what it is about, the code that makes the study, and how cards are looked at that need more.
STUDIES = {
    "numbers": (
        "Numbers",
        "Noise is added to numbers, as much as a recipient is not trusted.",
        'study = ts.Study("iris", secret="Petal length")\n'
        'study.recipients = {"Ministry": 60, "University": 40, "Press": 20}  # trust in per cent',
    ),
    "categories": (
        "Categories",
        "Each value is kept with a certain probability, and redrawn otherwise.",
        'study = ts.Study("patients")\n'
        'study.recipients = {"Hospital": 40, "University": 25, "Press": 10}  # trust in per cent',
    ),
    "rotation": (
        "Rotation",
        "All records are turned by one secret rotation; each step of the story has its own plots.",
        'study = ts.Rotation("iris", step="{step}")',
    ),
    "survey": (
        "Survey",
        "Respondents send as much as they accept, and a miner learns from it.",
        'study = ts.Survey("votes")',
    ),
}
STEPS = ("kept", "known", "sample", "remedy")
OTHER_NAMES = ("copies",)  # a second name of another card


def write(folder: Path) -> None:
    """Write a page for each kind of study, and its pictures, into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (title, about, code) in STUDIES.items():
        page = folder / f"{name}.md"
        if not page.exists():  # pictures are kept between builds; `make clean` takes them away
            page.write_text(_page(folder, name, title, about, code), encoding="utf-8")
    listed = "\n".join(STUDIES)
    (folder / "index.md").write_text(
        "# Gallery\n\nWhat a page of the app shows can be had as an object: a HoloViews element for a notebook, or a "
        'figure of Matplotlib for paper (`backend="matplotlib"`). Every picture stands above the code that drew it.\n\n'
        f"```{{toctree}}\n:maxdepth: 2\n\n{listed}\n```\n",
        encoding="utf-8",
    )


def _page(folder: Path, name: str, title: str, about: str, code: str) -> str:
    text = [f"# {title}", about, ""]
    drawn: set[str] = set()
    for step in STEPS if "{step}" in code else ("",):
        made = code.replace("{step}", step)
        if step:
            text += [f"## Step: {step}", ""]
        text += ["```python", "import trustscope as ts", "", "ts.extension()", made, "```", ""]
        for key, card, element in _plots(made, drawn):
            drawn.add(key)
            text += _entry(folder, f"{name}-{key}", key, card, element, "###" if step else "##")
    return "\n".join(text) + "\n"


def _plots(code: str, drawn: set[str]):
    """Key, card and plot of all cards that have something to show."""
    import trustscope as ts
    from trustscope.scenarios.cards import cards_of
    from trustscope.study.problem import StudyProblem

    scope = {"ts": ts}
    exec(code, scope)  # the very code that the page shows
    study = scope["study"]
    for key, card in cards_of(study.page).items():
        if key in drawn or key in OTHER_NAMES:
            continue
        try:
            yield key, card, getattr(study.plot, key)()
        except StudyProblem:  # nothing to see in this study: the sentence says when there is
            continue


def _entry(folder: Path, file: str, key: str, card, element, mark: str) -> list[str]:
    from trustscope.plots import draw
    from trustscope.scenarios.sheet import plain_caption

    for theme in ("light", "dark"):
        (folder / f"{file}-{theme}.svg").write_text(draw.svg(element, theme=theme, larger=1.2), encoding="utf-8")
    pictures = [
        line for theme in ("light", "dark") for line in (
            f"```{{image}} {file}-{theme}.svg", f":alt: {card.title}", f":class: only-{theme}", "```", "",
        )
    ]  # fmt: skip
    return [f"{mark} {card.title}", "", plain_caption(card.help).strip(), "", *pictures,
            "```python", f"study.plot.{key}()", "```", ""]  # fmt: skip
