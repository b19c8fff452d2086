"""`trustscope lesson check FILE`: whether a lesson can be used, and everything that it states is so."""

import sys
from pathlib import Path


def add_parser(commands) -> None:
    """Add `lesson` and its own commands."""
    parser = commands.add_parser(
        "lesson",
        help="check a lesson that you wrote",
        description="Lessons are JSON files of steps; docs/lessons.md says how to write one.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="run every step against the engine",
        description="Run every step of lessons against the engine: figures that are stated, goals, predictions. Exit "
        "code 0 says that all is so, 1 that something is not, 2 that a file cannot be used.",
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a lesson, such as lesson.json")


def run(args) -> int:
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
            print(f"{path.name}: {len(lesson.steps)} steps, everything is so.")
    return worst
