"""`trustscope class`: teach a lesson to a class on the same network."""

import os
import secrets
import sys
import tempfile
from functools import partial
from pathlib import Path

from trustscope.app.commands import serve


def add_parser(commands) -> None:
    """Add `class`."""
    parser = commands.add_parser(
        "class",
        help="teach a lesson to a class",
        description="Open a room for a lesson: students on the same network come in by a code and see the steps of the "
        "lesson and nothing else; you lead them and see what they predict. Without --address 0.0.0.0 only this machine "
        "can be reached. Nothing is kept after the room is closed.",
    )
    parser.add_argument(
        "lesson", nargs="?", metavar="LESSON",
        help="a lesson's file, or the name of one that comes with Trustscope; or choose “Teach this” in the app",
    )  # fmt: skip
    serve.add_serving(parser)
    parser.set_defaults(max_sessions=250)  # a full room, its teacher, and a few who reload


def run(args) -> int:
    """Open the room, say where it is, and serve."""
    from trustscope.app.classroom.store import Store, remove
    from trustscope.lessons.reader import LessonProblem

    try:
        lesson = _lesson(args.lesson)
    except LessonProblem as problem:
        print("\n".join(f"trustscope: {one}" for one in problem.sentences), file=sys.stderr)
        return 2
    args.rooms = tempfile.mkdtemp(prefix="trustscope-class-")  # for this user alone
    try:
        code = None
        if lesson is not None:
            code, key = Store(args.rooms).open(lesson)
            args.path, args.opened = "/teach", f"key={key}"
        if args.token is None and args.password is None:
            args.token = _token()
        return serve.run(args, also=partial(_told, lesson, code))
    finally:
        remove(args.rooms)


def _lesson(name: str | None):
    from trustscope.lessons.reader import LessonProblem, find, read, shelf

    if name is None:
        return None
    found = None if Path(name).exists() else find(name)
    if found is None and not name.endswith(".json") and not Path(name).exists():
        known = ", ".join(one.id for one in shelf())
        raise LessonProblem([f"there is no lesson {name!r}: name a file, or one of {known}."])
    return found or read(name)


def _token() -> str:
    """The app's own secret, on this machine too: whoever is let into a room is not let into the app."""
    return os.environ.get("TRUSTSCOPE_TOKEN") or secrets.token_urlsafe(16)


def _told(lesson, code: str | None, plan) -> str:
    from trustscope.app.classroom.address import address_of
    from trustscope.app.classroom.room import written_code
    from trustscope.app.serving.plan import is_loopback

    lines = []
    if lesson is None:
        lines.append("  Choose a lesson and press “Teach this”: that opens a room for students.")
    else:
        lines.append(f"  This is the teacher's link to a class on “{lesson.title}”: keep it to yourself.")
        lines.append(f"  Students open {address_of(plan, code).shown} and type the code {written_code(code)}.")
    lines.append("  Students see the steps of the lesson and nothing else; nothing is kept when the room is closed.")
    if is_loopback(plan.address):
        lines.append("  Only this machine can reach it: start it with --address 0.0.0.0 to let your network in.")
    return "\n".join(lines)
