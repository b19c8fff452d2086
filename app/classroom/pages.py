"""The two pages of a class, in a frame that has nothing else of the app."""

import panel as pn

from trustscope.app.classroom.store import shared
from trustscope.app.classroom.student import Student
from trustscope.app.classroom.teacher import Teacher
from trustscope.app.serving import stopping
from trustscope.app.serving.doors import PLACE, STUDENTS, TEACHER
from trustscope.app.serving.plan import Plan, current
from trustscope.app.template import Template, begin_page
from trustscope.widgets.frame.connection import Connection


def make_student_page() -> Template:
    """The page of a student who came in by a code."""
    store, code, seat = _place(STUDENTS)
    student = Student(store, code, seat)
    return _framed("Class", student.strip, student.body)


def make_teacher_page() -> Template:
    """The page of a teacher who came in by a key."""
    store, code, _ = _place(TEACHER)
    teacher = Teacher(store, code, _plan())
    return _framed("Teach", teacher.conduct, teacher.body)


def _plan() -> Plan:
    plan = current()
    if plan is None:
        raise RuntimeError("Only a server that the command has started has rooms.")
    return plan


def _place(door: str):
    """The room and the seat that the gate found; the header comes out of the session's signed token."""
    begin_page()
    came, code, seat = str(pn.state.headers[PLACE]).split(" ")
    if came != door:
        raise PermissionError("The page was opened by another door.")
    return shared(_plan().rooms), code, seat


def _framed(title: str, top, main) -> Template:
    pn.extension()
    connection = Connection()
    stopping.on_goodbye(connection.stopping)
    stopping.on_goodbye(connection.full, stopping.TOO_MUCH)
    page = Template("class.html", "theme.css", "page.css", "class.css")
    page.add_variable("kind", title.lower())
    for name, view in (("top", top), ("main", main), ("connection", connection)):
        page.add_panel(name, view)
    if pn.state.curdoc:
        pn.state.curdoc.title = f"{title} · Trustscope"
    return page
