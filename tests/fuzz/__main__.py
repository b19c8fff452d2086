"""Make hostile files, read them, and say what became of each kind.

Every file is made from the seed and its number alone, so that a failure can be made again. Each is read in a
process that is watched: a file fails if anything but a ``DataProblem`` comes out, if it takes too long, or if it
takes too much memory. Failing files are written to a folder.
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path

from tests.fuzz.watch import MAKERS, Watched, make


def run(seed: int, files: int, seconds: float, jobs: int, folder: Path) -> Counter[tuple[str, str]]:
    """Examine so many files, or as many as the time allows, and count the outcomes by kind."""
    table: Counter[tuple[str, str]] = Counter()
    ends = time.monotonic() + seconds
    workers = [Watched() for _ in range(jobs)]
    numbers = iter(range(files))
    busy: list[Watched] = []

    def next_for(worker: Watched) -> None:
        number = next(numbers, None) if time.monotonic() < ends else None
        if number is not None:
            worker.order(seed, number)
            busy.append(worker)

    def note(worker: Watched, number: int, result: tuple[str, str, float, int]) -> None:
        kind, outcome, used, memory = result
        table[kind, outcome.partition(":")[0]] += 1
        table[kind, "slowest"] = max(table[kind, "slowest"], round(10 * used))
        table[kind, "largest"] = max(table[kind, "largest"], memory // 1024)
        if outcome.startswith("failed"):
            _keep(folder, seed, number, kind, outcome)
        busy.remove(worker)
        next_for(worker)

    for worker in workers:
        next_for(worker)
    while busy:
        ready = wait([worker.orders for worker in busy], timeout=1)
        for worker in list(busy):
            number = worker.number
            if worker.orders in ready:
                note(worker, number, worker.answer(seed))
            elif worker.late:
                note(worker, number, worker.give_up(seed))
    for worker in workers:
        worker.stop()
    return table


def report(table: Counter[tuple[str, str]]) -> str:
    """The closing table."""
    lines = [f"{'kind':18}{'understood':>12}{'refused':>9}{'failed':>8}{'slowest, s':>12}{'largest, MB':>13}"]
    totals: Counter[str] = Counter()
    for kind in MAKERS:
        row = {what: table[kind, what] for what in ("understood", "refused", "failed")}
        totals.update(row)
        slowest, largest = table[kind, "slowest"] / 10, table[kind, "largest"]
        lines.append(f"{kind:18}{row['understood']:12}{row['refused']:9}{row['failed']:8}{slowest:12.1f}{largest:13}")
    lines.append(f"{'all':18}{totals['understood']:12}{totals['refused']:9}{totals['failed']:8}")
    return "\n".join(lines)


def main() -> int:
    """Read the options, run, print the table, and return 1 if any file failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--files", type=int, default=10_000, help="how many files to make (%(default)s)")
    options.add_argument("--seed", type=int, default=0, help="another seed makes other files (%(default)s)")
    options.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds (never)")
    options.add_argument("--jobs", type=int, default=2, help="processes at once (%(default)s)")
    options.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="folder for failures (%(default)s)")
    given = options.parse_args()
    table = run(given.seed, given.files, given.seconds, given.jobs, given.keep)
    print(report(table))
    failed = sum(count for (_, what), count in table.items() if what == "failed")
    if failed:
        print(f"{failed} files failed; they are in {given.keep}.")
    return int(failed > 0)


def _keep(folder: Path, seed: int, number: int, kind: str, outcome: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _, name, data, _ = make(seed, number)
    extension = name.rpartition(".")[2] if name.rpartition(".")[2].isalnum() else "bin"
    path = folder / f"{seed}-{number}.{extension}"
    path.write_bytes(data)
    path.with_suffix(path.suffix + ".txt").write_text(f"{kind}\n{name!r}\n{outcome}\n")
    print(f"{path}: {kind}: {outcome}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
