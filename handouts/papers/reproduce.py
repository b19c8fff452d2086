"""The headless run behind `trustscope reproduce` and `trustscope list`."""

import contextlib
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from trustscope.handouts.papers import report
from trustscope.scenarios import files
from trustscope.scenarios.papers import stored
from trustscope.scenarios.papers.record import Result
from trustscope.scenarios.papers.registry import EXPERIMENTS, PAPERS, select
from trustscope.scenarios.papers.tally import sentence

CLEAR = "\r\x1b[K"
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "papers.md"


def listing() -> str:
    """All experiments, paper by paper."""
    width = max(map(len, EXPERIMENTS))
    lines = []
    for paper in PAPERS.values():
        own = [e for e in EXPERIMENTS.values() if e.paper == paper.name]
        if own:
            lines += ["", f"{paper.authors}, {paper.venue}"]
            lines += [f"  {e.id:{width}}  {e.title}{' (misprint)' if e.misprint else ''}" for e in own]
    return "\n".join(lines[1:])


def reproduce(patterns, *, paper_size: bool, out: Path, store: bool) -> int:
    """Run the experiments that the patterns stand for; 0 if every check held, 1 if one did not or could not run.

    One that fails does not keep the others from running, and what is finished when it is stopped is reported. Where a
    file cannot be written, the disk being full, nothing more is run: `files.WriteProblem` says so.
    """
    experiments = select(patterns)
    if store and paper_size:
        raise ValueError("--store keeps results of the quick size: leave out --paper-size.")
    _make(out)
    finished = Finished()
    try:
        _run(experiments, finished, paper_size=paper_size, out=out, store=store)
    except BaseException:  # stopped, or the disk is full: the report is written if that still works
        with contextlib.suppress(files.WriteProblem):
            _report(finished, out, paper_size, store)
        raise
    _report(finished, out, paper_size, store)
    broken = [f"{id}: {o.check.claim}" for id, r in finished.results.items() for o in r.outcomes if not o.held]
    for text in broken:
        print(f"did not hold: {text}", file=sys.stderr)
    for id, problem in finished.failed.items():
        print(f"could not run: {id}: {problem}", file=sys.stderr)
    return 1 if broken or finished.failed else 0


@dataclass
class Finished:
    """What has been run so far: results, their pictures as SVG, and what went wrong, by the experiment's id."""

    results: dict[str, Result] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def _run(experiments, finished: Finished, *, paper_size, out, store) -> None:
    """Run one after the other, and keep each as soon as it is done."""
    bar = Bar(len(experiments))
    for experiment in experiments:
        try:
            with bar.running(experiment.id) as progress:
                result = experiment.run(paper_size=paper_size, progress=progress)
                if store:
                    result = store_result(result)
                finished.pictures[experiment.id] = _save(result, out)
        except files.WriteProblem:
            raise
        except Exception as error:  # whatever it is: the others are to run
            finished.failed[experiment.id] = f"{type(error).__name__}: {error}"
            bar.say(f"{experiment.id:26} could not run: {finished.failed[experiment.id]}")
            continue
        finished.results[experiment.id] = result
        bar.say(_line(result))


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"--out {out}: a file of that name is in the way; name a folder.") from None
    except OSError as problem:
        raise ValueError(f"--out {out}: the folder cannot be made ({problem.strerror}); name another.") from None
    if not os.access(out, os.W_OK):
        raise ValueError(f"--out {out}: nothing may be written there; name another folder.")


def _report(finished: Finished, out: Path, paper_size, store) -> None:
    """The report of what was run, and its one line; nothing where nothing was."""
    if not finished.results:
        return
    title = f"Trustscope: the papers at {'their own' if paper_size else 'the quick'} size"
    files.write(out / "report.html", report.page(finished.results, finished.pictures, title=title))
    files.write(out / "papers.md", report.markdown(finished.results))
    if store and not stored.missing():
        files.write(DOCS, report.markdown(stored.results()))
    print(f"{sentence(finished.results.values())}. {out / 'report.html'}")


def _save(result: Result, out: Path) -> str:
    """Write the table and the picture; the picture."""
    from trustscope.plots import draw, papers

    picture = draw.svg(papers.plot(result.experiment.id, result.table))
    files.write(out / f"{result.experiment.file}.csv", stored.csv(result.table))
    files.write(out / f"{result.experiment.file}.svg", picture)
    return picture


def store_result(made: Result, folder: Path = stored.HERE) -> Result:
    """Keep a result and its thumbnail; returns the result as it will be read again."""
    from trustscope.plots import draw, papers

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made.experiment.file}.csv"
    files.write(path, stored.csv(made.table))
    kept = Result(made.experiment, made.values, stored.read(path))
    small = draw.thumbnail(papers.plot(made.experiment.id, kept.table))
    drawn = small.replace("<svg ", f'<svg data-table="{stored.digest(path)}" ', 1)
    files.write(path.with_suffix(".svg"), drawn)
    stored.result.cache_clear()
    stored.picture.cache_clear()
    return kept


def _line(result: Result) -> str:
    """One line for the terminal."""
    held = sum(o.held for o in result.outcomes)
    return f"{result.experiment.id:26} {result.verdict:10} {held} of {len(result.outcomes)} checks held"


class Bar:
    """A progress bar on stderr; where that is not a terminal, a line for each experiment only."""

    WIDTH = 30

    def __init__(self, total: int):
        self._total, self._done = total, 0
        self._live = sys.stderr.isatty()
        self._drawn = 0.0

    def running(self, id: str):
        """Use as a context: gives the `progress` of one experiment."""
        return _Running(self, id)

    def say(self, line: str) -> None:
        """A line that stays."""
        print(f"{CLEAR if self._live else ''}{line}", file=sys.stderr, flush=True)

    def draw(self, id: str, fraction: float, label: str) -> None:
        """Where it stands, at most ten times a second."""
        if not self._live or (time.monotonic() - self._drawn < 0.1 and 0 < fraction < 1):
            return
        self._drawn = time.monotonic()
        whole = (self._done + fraction) / self._total
        filled = round(self.WIDTH * whole)
        text = f"[{'#' * filled}{'.' * (self.WIDTH - filled)}] {100 * whole:3.0f} %  {id}  {label}"
        print(f"{CLEAR}{text[:110]}", end="", file=sys.stderr, flush=True)

    def finish(self) -> None:
        """One experiment more is done."""
        self._done += 1


class _Running:
    def __init__(self, bar, id):
        self._bar, self._id = bar, id

    def __enter__(self):
        self._bar.draw(self._id, 0.0, "")
        return lambda done, total, label="": self._bar.draw(self._id, done / max(total, 1), label)

    def __exit__(self, kind, error, trace):
        if kind is None:
            self._bar.finish()
