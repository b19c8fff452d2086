"""``python -m benchmarks [word ...]``: run all, or those that the words name; exit 1 on a broken limit."""

import argparse
import os
import sys

from benchmarks.harness import discover, run, select


def main(arguments=None, found=None):
    """Run the chosen benchmarks; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", help="a module (gaussian), a paper (li), or words of a title")
    parser.add_argument("--visitors", type=int, help="how many visitors the benchmark `load` has (default 30)")
    given = parser.parse_args(arguments)
    words = given.words
    if given.visitors:
        os.environ["TRUSTSCOPE_VISITORS"] = str(given.visitors)  # read when the module is found
    chosen = select(discover() if found is None else found, words)
    if not chosen:
        print(f"No benchmark answers to “{' '.join(words)}”.", file=sys.stderr)
        return 2
    broken = run(chosen, lambda line: print(line, flush=True))
    print(f"\n{len(chosen) - broken} of {len(chosen)} hold.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
