"""Making a copy so that a crash at any moment leaves either all of it or nothing.

In this order: an event that announces the copy; a temporary file beside its place, synced; an event with its digest;
the rename, and a sync of the folder; an event that says that the copy is out. `recover` brings what was interrupted
to one end or the other.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from trustscope.engine.cipher import CipherSource
from trustscope.release import cluster, making, probes, writing
from trustscope.release.digests import combine, folder_digest, whole_file
from trustscope.release.problems import Problem, from_os_error
from trustscope.release.record import Record
from trustscope.release.store import Store, sync_folder
from trustscope.release.types import Cancel, Made, Progress, Request


class How(cluster.Spread, total=False):
    """How a copy is made."""

    threads: int | None


def issue(
    store: Store,
    key: bytes,
    job: making.Job,
    request: Request,
    source: CipherSource,
    *,
    expected: str | None = None,
    **how: Unpack[How],
) -> int:
    """Make one copy; returns the number of its announcement.

    Parameters
    ----------
    store : Store
    key : bytes
    job : making.Job
    request : dict
        What is recorded of the request: the fields of `record.Copy` up to `rows`, and `reissue`, `notes`.
    source : CipherSource
        Of the key.
    expected : str, optional
        The digest that the copy's values must have: of one that is issued again.
    **how
        workers, scheduler and dashboard, see `cluster.make`; threads, progress and cancel, see `making.copies`.
    """
    out = Path(request["out"])
    with store.writing():
        number = store.add("intended", request, key).number
    temporary = writing.temporary_of(out, number)
    try:
        with contextlib.ExitStack() as undo:
            undo.callback(writing.remove, temporary)
            units, sha256 = _write(job, key, request["form"], temporary, **how)
            made: Made = {
                "copy": number,
                "sha256": sha256,
                "content": combine(units).hex(),
                "bytes": _size(temporary),
                "probe": probes.digests(job.recipe, source, [(job.trust, job.retention)])[0],
                "writer": writing.WRITER,
            }
            if expected is not None and made["content"] != expected:
                raise Problem("The copy came out differently from when it was first issued; check the ledger.")
            with store.writing():
                store.add("made", made, key)
            writing.put(temporary, out)
            undo.pop_all()
    except BaseException as error:
        if out.exists() and not temporary.exists():
            raise  # it is out, and the next call records that
        reason = str(error) if isinstance(error, Problem) else type(error).__name__
        with contextlib.suppress(Problem), store.writing():
            store.add("abandoned", {"copy": number, "why": reason}, key)
        if isinstance(error, OSError):
            raise from_os_error(error, "the copy") from None
        raise
    with store.writing():
        store.add("issued", {"copy": number}, key)
    return number


def _write(
    job: making.Job, key: bytes, form: str, path: Path, workers: int | None = None, scheduler: str | None = None,
    dashboard: Callable[[str], object] | None = None, threads: int | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[list[bytes], str]:  # fmt: skip
    """Write the copy to its temporary place; returns the digests of its units, and that of the file or folder."""
    spread: cluster.Spread = {
        "workers": workers, "scheduler": scheduler, "dashboard": dashboard, "progress": progress, "cancel": cancel,
    }  # fmt: skip
    if (workers or scheduler) and form == "folder":
        try:
            path.mkdir()
        except OSError as error:
            raise from_os_error(error, "the copy") from None
        digests, files = cluster.make(job, key, form, path, None, **spread)
        sync_folder(path)
        return digests, folder_digest(files)
    with writing.Sink(path, form, job.recipe.schema) as sink:
        if workers or scheduler:
            digests, _ = cluster.make(job, key, form, path, sink.write, **spread)
        else:
            digests = []
            for first, made, digest in making.copies(job, key, threads=threads, progress=progress, cancel=cancel):
                sink.write(first, made)
                digests.append(digest)
    return digests, sink.sha256


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size


def recover(store: Store, key: bytes, record: Record) -> list[str]:
    """Finish or remove what was interrupted; returns a sentence for each."""
    notes = []
    for number, (request, made) in record.pending.items():
        out = Path(request["out"])
        body: dict[str, object]
        temporary = writing.temporary_of(out, number)
        writing.remove(temporary.with_name(temporary.name + "-parts"))
        whole = made and next((p for p in (out, temporary) if p.exists() and whole_file(p) == made["sha256"]), None)
        if whole:
            if whole == temporary:
                if out.exists():
                    raise Problem(
                        f"An interrupted copy waits to be put at {out}, where something else is; move that away."
                    )
                writing.put(temporary, out)
            kind, body = "issued", {"copy": number}
            notes.append(f"The interrupted copy for “{request['to']}” was whole, and has been finished: {out}.")
        else:
            writing.remove(temporary)
            kind, body = "abandoned", {"copy": number, "why": "interrupted"}
            notes.append(f"The interrupted copy for “{request['to']}” was not whole, and has been removed.")
        with store.writing():
            store.add(kind, body, key)
    return notes
