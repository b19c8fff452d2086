"""What the commands without a page share: a scenario file, perhaps the file with its data, and one way to fail."""

import argparse
import sys
from collections.abc import Callable
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


def answered(work: Callable[[], int]) -> int:
    """Do the work; what is wrong with the input is said in one sentence, with exit code 2."""
    from trustscope.datasets import DataProblem
    from trustscope.scenarios.files import WriteProblem
    from trustscope.scenarios.problem import ScenarioProblem, Unusable

    try:
        return work()
    except (ScenarioProblem, Unusable, DataProblem, WriteProblem) as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"trustscope: {problem.filename or 'the output'}: {problem.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ntrustscope: stopped.", file=sys.stderr)
        return 130


def written(text: str, out: Path | None) -> int:
    """Write a text to a file, or print it where none is named."""
    if out is None:
        print(text, end="" if text.endswith("\n") else "\n")
        return 0
    from trustscope.scenarios import files

    files.write(out, text)
    print(f"Written to {out}.", file=sys.stderr)
    return 0
