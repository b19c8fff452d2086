"""What the commands without a page share: a scenario file, perhaps the file with its data, and one way to fail."""

import argparse
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path


def add_scenario(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """The scenario file, or several, and the person's own data."""
    parser.add_argument(
        "file", type=Path, nargs="+" if several else None, metavar="FILE.json",
        help="scenario file, as saved by the app",
    )  # fmt: skip
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help="the data, where the scenario was made with a file of your own"
    )


def own_data(path: Path | None):
    """The person's own file as the app takes it in; None where none was given."""
    if path is None:
        return None
    from trustscope import datasets

    return datasets.inspect(path).dataset(missing="keep")


def with_exit_code(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command that says in one sentence what is wrong with its input, with exit code 2."""

    @wraps(run)
    def told(args: argparse.Namespace) -> int:
        from trustscope.datasets import DataProblem
        from trustscope.scenarios.files import WriteProblem
        from trustscope.scenarios.problem import ScenarioProblem, Unusable

        try:
            return run(args)
        except (ScenarioProblem, Unusable, DataProblem, WriteProblem) as problem:
            print(f"trustscope: {problem}", file=sys.stderr)
            return 2
        except BrokenPipeError:
            raise  # nothing is wrong with the input: `trustscope.app.cli` ends the command quietly
        except OSError as problem:
            print(f"trustscope: {problem.filename or 'the output'}: {problem.strerror}.", file=sys.stderr)
            return 2

    return told


def write_output(text: str | bytes, out: Path | None) -> int:
    """Write a file; a text is printed where none is named."""
    if out is None:
        print(text, end="" if isinstance(text, str) and text.endswith("\n") else "\n")
        return 0
    from trustscope.scenarios import files

    files.write(out, text)
    print(f"Written to {out}.", file=sys.stderr)
    return 0


def add_page(parser, name: str) -> None:
    """Options of a command that writes one HTML file about scenario files."""
    add_scenario(parser, several=True)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path(name), metavar="OUT", help=f"where it goes (default {name})"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")


def write_page(args, make: Callable) -> int:
    """Write what `make(scenarios, progress=..., own=...)` makes of the files; progress goes to a terminal only."""
    from trustscope.scenarios import stored

    scenarios = [stored.read(path) for path in args.file]
    return write_output(make(scenarios, progress=progress_of(args), own=own_data(args.data)), args.out)


def progress_of(args) -> Callable[[float, str], None] | None:
    """What shows how far it is: a line on a terminal, unless somebody wants quiet."""
    return _show_progress if not args.quiet and sys.stderr.isatty() else None


def _show_progress(fraction: float, text: str) -> None:
    """One line that is written over."""
    print(f"\r{100 * fraction:3.0f} % {text[:60]:60}", end="\n" if fraction >= 1 else "", file=sys.stderr, flush=True)
