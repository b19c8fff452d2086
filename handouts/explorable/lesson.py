"""A lesson as one HTML text: the same stage as an explorable, with the room of a lesson around it."""

from html import escape
from typing import Any

from trustscope.handouts.explorable import page
from trustscope.handouts.report.version import OURS
from trustscope.lessons.lesson import Lesson

ABOUT = (
    "Everything in this file was worked out beforehand, by the models of the app. Where you try something, its "
    "controls move in steps, and nothing is read in between. Free play, a code to hand in and a room for a class are "
    "in the app."
)


def lesson_page(lesson: Lesson, *, script: str, theme: str, data: dict[str, Any]) -> str:
    """The whole file.

    Parameters
    ----------
    script : str
        What draws the parts of the app.
    theme : str
        Its colours.
    data : dict
        Steps, boards and questions.
    """
    home = f'<a href="{escape(data["home"])}">← All lessons</a>' if data["home"] else ""
    body = f"""<a class="skip" href="#room">Skip to the lesson</a>
<nav class="above" aria-label="Site">{home}</nav>
<main id="room" tabindex="-1"><p id="waiting">This lesson is being put together. It needs JavaScript.</p></main>
<footer>
<details><summary>About this file</summary>
<p>{escape(ABOUT)}</p>
</details>
<p>Made with Trustscope {escape(OURS)}</p>
</footer>
"""
    whole = f"{script}\n{page.script_file('stage.js', 'lesson.js')}"
    style = f"{theme}{page.script_file('explorable.css', 'lesson.css')}"
    return page.whole_page(
        f"{lesson.title} – Trustscope", body, about=lesson.about, style=style, script=whole, data=data
    )
