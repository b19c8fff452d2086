"""`trustscope lesson`: check, play and print lessons that you wrote, and read the codes of those who took them."""

import argparse
import sys
from pathlib import Path

from trustscope.app import headless
from trustscope.app.commands import serve
from trustscope.scenarios import files


def add_parser(commands) -> None:
    """Add `lesson` and its own commands."""
    parser = commands.add_parser(
        "lesson",
        help="check, play or print a lesson that you wrote",
        description="Lessons are JSON files of steps; docs/lessons.md says how to write one.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="run every step against the engine",
        description="Run every step of lessons against the engine: figures that are stated, goals, predictions. Exit "
        "code 0 says that all checks passed, 1 that something is not so, 2 that a file cannot be used.",
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a lesson, such as lesson.json")
    play = actions.add_parser(
        "play",
        help="take a lesson in the browser",
        description="Start the app on this machine with a lesson of your own, and open it at its first step.",
    )
    play.add_argument("file", type=Path, metavar="FILE", help="a lesson, such as lesson.json")
    serve.add_serving(play)
    paper = actions.add_parser(
        "worksheet",
        help="a lesson on paper",
        description="Write a page to print: the questions with room to answer them, and a key on a page of its own.",
    )
    paper.add_argument("file", metavar="FILE", help="a lesson, or the name of one that comes with Trustscope")
    paper.add_argument(
        "--output", "-o", type=Path, metavar="FILE", help="where to write it (default: NAME-worksheet.html)"
    )
    page = actions.add_parser(
        "explorable",
        help="a lesson as one HTML file that needs no server",
        description="Write one HTML file in which the lesson is taken from beginning to end, without a server and "
        "without network: predictions, what comes out, and what is to be tried, whose controls move in steps.",
    )
    page.add_argument("file", metavar="FILE", help="a lesson, or the name of one that comes with Trustscope")
    page.add_argument("--output", "-o", type=Path, metavar="FILE", help="where to write it (default: NAME.html)")
    codes = actions.add_parser(
        "codes",
        help="read the codes that students got at the end of a lesson",
        description="Read codes from a text file, one on each line, with a name before it if you like, into one table "
        "(CSV): a row for each code and each question or goal. No server is needed.",
    )
    codes.add_argument("file", metavar="FILE", help="a text file with codes; - reads what is typed or piped in")
    codes.add_argument(
        "--lesson", action="append", default=[], type=Path, metavar="FILE",
        help="a lesson of your own that the codes belong to (repeatable)",
    )  # fmt: skip
    codes.add_argument("--output", "-o", type=Path, metavar="FILE", help="where to write the table (default: here)")


@headless.with_exit_code
def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    from trustscope.lessons.reader import LessonProblem

    actions = {"check": _check, "play": _play, "worksheet": _worksheet, "explorable": _explorable, "codes": _codes}
    try:
        return actions[args.action](args)
    except LessonProblem as problem:
        print("\n".join(problem.sentences), file=sys.stderr)
        return 2


def _check(args: argparse.Namespace) -> int:
    """Check each file, and say what is not so."""
    from trustscope.lessons.check import check
    from trustscope.lessons.facts import Facts
    from trustscope.lessons.reader import LessonProblem, read

    facts, worst = Facts(), 0
    for path in args.files:
        try:
            lesson = read(path)
        except LessonProblem as problem:
            print("\n".join(problem.sentences), file=sys.stderr)
            worst = 2
            continue
        found = check(lesson, facts)
        for sentence in found:
            print(f"{path.name}, {sentence}", file=sys.stderr)
        if found:
            worst = max(worst, 1)
        else:
            print(f"{path.name}: {len(lesson.steps)} steps, all checks passed.")
    return worst


def _play(args: argparse.Namespace) -> int:
    """Serve the app, opened at the lesson."""
    from trustscope.lessons.reader import LessonProblem, read, shelf_ids

    lesson = read(args.file)
    if lesson.id in shelf_ids():
        raise LessonProblem([f"{args.file.name}: a lesson that comes along has the id “{lesson.id}”: choose another."])
    args.lessons_in, args.opened = args.file, f"lesson={lesson.id}"
    return serve.run(args)


def _worksheet(args: argparse.Namespace) -> int:
    from trustscope.lessons.reader import find, read
    from trustscope.lessons.worksheet import worksheet

    lesson = (None if Path(args.file).exists() else find(args.file)) or read(args.file)
    output = args.output or Path(f"{lesson.id}-worksheet.html")
    files.write(output, worksheet(lesson))
    print(f"{output} is ready: open it in a browser and print it.")
    return 0


def _explorable(args: argparse.Namespace) -> int:
    from trustscope.app.explorable.lessons import lesson_page
    from trustscope.lessons.reader import find, read

    lesson = (None if Path(args.file).exists() else find(args.file)) or read(args.file)
    output = args.output or Path(f"{lesson.id}.html")
    files.check_folder(output)  # before the work, which takes minutes
    files.write(output, lesson_page(lesson))
    print(f"{output} is ready: open it in a browser.")
    return 0


def _codes(args: argparse.Namespace) -> int:
    """Read every line; a code that cannot be read is named, and the others are read all the same."""
    import pandas as pd

    from trustscope.lessons.codes import COLUMNS, rows_of
    from trustscope.lessons.reader import LessonProblem, read, shelf
    from trustscope.widgets.controls.download import as_csv

    try:
        text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise LessonProblem(
            [f"{args.file} cannot be read: {getattr(problem, 'strerror', 'it is no text')}."]
        ) from problem
    rows, problems = rows_of(text, [*(read(path) for path in args.lesson), *shelf()])
    table = pd.DataFrame(rows, columns=COLUMNS)
    for sentence in problems:
        print(sentence, file=sys.stderr)
    if args.output is None:
        print(as_csv(table).lstrip("\ufeff"), end="")
    else:
        files.write(args.output, as_csv(table))
    return 1 if problems else 0
