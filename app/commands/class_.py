"""`trustscope class`: teach lessons, or a plan, to a class on the same network."""

import os
import secrets
import sys
import tempfile
from functools import partial

from trustscope.app.commands import serve
from trustscope.extras import require


def add_parser(commands) -> None:
    """Add `class`."""
    parser = commands.add_parser(
        "class",
        help="teach lessons to a class",
        description="Open a room: students on the same network come in by a code and see what you teach and nothing "
        "else; you lead them and see what they predict. A plan, or several lessons, are taught in one room under one "
        "code. Without --address 0.0.0.0 only this machine can be reached. Nothing is kept after the room is closed.",
    )
    parser.add_argument(
        "lessons", nargs="*", metavar="LESSON|PLAN",
        help="files of lessons or plans, or names of those that come with Trustscope, such as two-copies or "
        "45-minutes; or choose “Teach this” in the app",
    )  # fmt: skip
    serve.add_serving(parser)
    parser.set_defaults(max_sessions=250)  # a full room, its teacher, and a few who reload


def run(args) -> int:
    """Open the room, say where it is, and serve."""
    require("app")
    from trustscope.app.classroom.store import Store, remove
    from trustscope.app.serving import scratch
    from trustscope.lessons.plan import named
    from trustscope.lessons.reader import LessonProblem

    try:
        course = named(*args.lessons) if args.lessons else None
    except LessonProblem as problem:
        print("\n".join(f"trustscope: {one}" for one in problem.sentences), file=sys.stderr)
        return 2
    scratch.begin()
    args.rooms = tempfile.mkdtemp(prefix="trustscope-class-")  # for this user alone
    try:
        code = None
        if course is not None:
            code, key = Store(args.rooms).open(course)
            args.path, args.opened = "/teach", f"key={key}"
        if args.token is None and args.password is None:
            args.token = _token()
        return serve.run(args, also=partial(_told, course, code))
    finally:
        remove(args.rooms)
        scratch.end()


def _token() -> str:
    """The app's own secret, on this machine too: whoever is let into a room is not let into the app."""
    return os.environ.get("TRUSTSCOPE_TOKEN") or secrets.token_urlsafe(16)


def _told(course, code: str | None, plan) -> str:
    from trustscope.app.classroom.address import address_of
    from trustscope.app.classroom.room import written_code

    lines = []
    if course is None or code is None:
        lines.append("  Choose a lesson and press “Teach this”, or tick several: that opens a room for students.")
    else:
        lines.append(f"  This is the teacher's link to a class on “{course.title}”: keep it to yourself.")
        lines.append(f"  Students open {address_of(plan, code).shown} and type the code {written_code(code)}.")
    lines.append("  Students see the steps of the lesson and nothing else; nothing is kept when the room is closed.")
    if address_of(plan, "").warning:
        lines.append(f"  {address_of(plan, '').warning}")
    return "\n".join(lines)
