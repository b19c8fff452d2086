"""The headless run behind `trustscope reproduce` and `trustscope list`."""

import sys
import time
from pathlib import Path

from app.papers import report, stored
from app.papers.record import Result
from app.papers.registry import EXPERIMENTS, PAPERS, select

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
    """Run the experiments that the patterns stand for; 0 if every check held, 1 if one did not."""
    experiments = select(patterns)
    out.mkdir(parents=True, exist_ok=True)
    results, pictures = {}, {}
    bar = Bar(len(experiments))
    for experiment in experiments:
        with bar.running(experiment.id) as progress:
            result = experiment.run(paper_size=paper_size, progress=progress)
            if store:
                result = stored.store(result)
            pictures[experiment.id] = _save(result, out)
        results[experiment.id] = result
        bar.say(_line(result))
    title = f"Trustscope: the papers at {'their own' if paper_size else 'the quick'} size"
    (out / "report.html").write_text(report.page(results, pictures, title=title))
    (out / "papers.md").write_text(report.markdown(results))
    if store and not stored.missing():
        DOCS.write_text(report.markdown(stored.results()))
    print(f"{report.sentence(results.values())}. {out / 'report.html'}")
    broken = [f"{id}: {o.check.claim}" for id, r in results.items() for o in r.outcomes if not o.held]
    for text in broken:
        print(f"did not hold: {text}", file=sys.stderr)
    return 1 if broken else 0


def _save(result: Result, out: Path) -> str:
    from app.papers.svg import svg

    picture = svg(result)
    stored.write(result.table, out / f"{result.experiment.file}.csv")
    (out / f"{result.experiment.file}.svg").write_text(picture)
    return picture


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
