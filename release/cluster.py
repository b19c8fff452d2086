"""Copies made by a cluster of machines: Dask distributed, one task for each part of the rows.

The tasks are planned here, from the Parquet footers, and never by Dask: it fuses and renumbers partitions, and noise
keyed by partitions would contradict itself. A task gets the key of its own rows, never the master key; a graph can be
inspected by whoever reaches the scheduler, so keys travel over an encrypted connection or within one machine only.
All machines must see the data and the place of the copy under the same paths.
"""

import contextlib
import importlib.util
import ipaddress
import os
import secrets
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypedDict

import pyarrow as pa

from trustscope.engine.cipher import CipherSource
from trustscope.release import steps
from trustscope.release.making import Job, check_rows, part_copy, shared_key
from trustscope.release.plan import PART, UNIT, Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Recipe
from trustscope.release.types import Cancel, Progress, RecipeRecord
from trustscope.release.writing import part_name, remove, write_part


class Spread(TypedDict, total=False):
    """What `make` may be told."""

    workers: int | None
    scheduler: str | None
    dashboard: Callable[[str], object] | None
    progress: Progress | None
    cancel: Cancel | None


class PlainJob(TypedDict):
    """A job as plain values, with the digests of one part; `expected` begins with the number of its first unit."""

    recipe: RecipeRecord
    path: str
    rows: int
    expected: tuple[int, Sequence[list[bytes] | None]]
    setting: tuple[int | None, int | None, str]
    shared: bytes | None


@contextlib.contextmanager
def client(scheduler: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """A client of a running scheduler, or of so many worker processes on this machine."""
    import distributed

    if scheduler is not None:
        try:
            found = distributed.Client(scheduler, timeout=10)
        except (OSError, TimeoutError, ValueError) as error:
            raise Problem(f"The scheduler at {scheduler} does not answer: {error}.") from None
        except TypeError:  # what Dask says where no certificates are set
            raise Problem(
                f"The scheduler at {scheduler} wants certificates: set distributed.comm.tls in Dask's configuration."
            ) from None
        with found:
            yield found
        return
    options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(n_workers=workers, processes=True, **options) as cluster,
        distributed.Client(cluster) as found,
    ):
        found.run(pa.set_cpu_count, 1)  # each worker has one core, and others work beside it
        yield found


def check(data: Data, workers: int | None = None, scheduler: str | None = None) -> None:
    """Say, before anything is written, what keeps a cluster from making the copy."""
    if scheduler is not None:
        check_address(scheduler)
    if workers is not None and workers < 1:
        raise Problem(f"At least one worker is needed, not {workers}.")
    if (workers or scheduler) and data.kind != "parquet":
        raise Problem("A cluster needs Parquet data, whose row groups it can share out; a CSV file is read in one go.")
    if (workers or scheduler) and importlib.util.find_spec("distributed") is None:
        raise Problem("Several workers need Dask distributed: pip install 'trustscope[cluster]'.")


def check_address(address: str) -> None:
    """Refuse a scheduler that keys would travel to in the clear."""
    parts = urllib.parse.urlsplit(address if "://" in address else f"tcp://{address}")
    host = parts.hostname or ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if parts.scheme not in ("tls", "wss") and not local:
        raise Problem(f"Keys would travel to {address} in the clear; use a scheduler at tls://, or on this machine.")


def make(
    job: Job,
    key: bytes,
    form: str,
    path: Path,
    write: Callable[[int, pa.Table], object] | None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    dashboard: Callable[[str], object] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[list[bytes], dict[str, str]]:
    """Make a copy on a cluster; returns the digests of its units, in order, and those of the files of a folder by name.

    Parameters
    ----------
    job : Job
    key : bytes
        The master key; it stays here.
    form : {"parquet", "csv", "folder"}
    path : pathlib.Path
        The temporary place. A folder's parts are written there by the workers.
    write : callable or None
        For the other forms: takes (first row, table) in order.
    workers, scheduler
        As in `client`.
    dashboard : callable, optional
        Told the address of the page on which the scheduler shows its work, where it has one.
    progress, cancel
        As in `making.copies`.
    """
    check_rows(job, job.data.rows)
    parts = range(-(-job.rows // PART))
    source = CipherSource(key)
    shared = shared_key(job.recipe, source)
    folder = path if form == "folder" else path.with_name(path.name + "-parts")
    folder.mkdir(exist_ok=True)
    try:
        with client(scheduler, workers or len(parts)) as found:
            if dashboard and found.dashboard_link:
                dashboard(found.dashboard_link)
            # Every task has all it needs, so that a worker's death costs no more than what it was doing.
            tasks = [
                found.submit(_task, _plain(job, part, shared), part, source.part_key(part), str(folder),
                             form == "folder", pure=False, key=f"trustscope-{path.name}-{part}-{secrets.token_hex(4)}")
                for part in parts
            ]  # fmt: skip
            try:
                return _gathered(tasks, job, folder, write, progress, cancel)
            finally:
                found.cancel(tasks)
    finally:
        if form != "folder":
            remove(folder)


def _gathered(
    tasks: Sequence[Any],
    job: Job,
    folder: Path,
    write: Callable[[int, pa.Table], object] | None,
    progress: Progress | None,
    cancel: Cancel | None,
) -> tuple[list[bytes], dict[str, str]]:
    digests, files = [], {}
    for part, task in enumerate(tasks):
        units, files[part_name(part)] = _result(task, cancel)
        digests += units
        if write is not None:
            scratch = folder / _scratch(part)
            with pa.memory_map(str(scratch)) as file, pa.ipc.open_file(file) as reader:
                for number in range(reader.num_record_batches):
                    stop_if(cancel)
                    batch = pa.Table.from_batches([reader.get_batch(number)])
                    write(part * PART, batch)
                    del batch
            scratch.unlink()
        if progress:
            progress(min((part + 1) * PART, job.rows), job.rows)
    return digests, files


def _result(task: Any, cancel: Cancel | None) -> tuple[list[bytes], str]:
    """The result of a task, looking up now and then whether the work is called off."""
    ended = threading.Event()
    task.add_done_callback(lambda _: ended.set())
    while not ended.wait(0.1):
        stop_if(cancel)
    try:
        result = task.result()
    except Exception as error:  # whatever a cluster can come up with
        raise Problem(f"A worker of the cluster failed: {type(error).__name__} {error}.") from error
    if isinstance(result, str):
        raise Problem(result)
    digests, sha256 = result
    return digests, sha256


def _plain(job: Job, part: int, shared: bytes | None = None) -> PlainJob:
    """A job as plain values, with the digests of one part: what a worker makes it from again."""
    first = part * PART // UNIT
    return {
        "recipe": job.recipe.record(),
        "path": job.data.path,
        "rows": job.rows,
        "expected": (first, job.expected[first : first + PART // UNIT]),
        "setting": (job.trust, job.retention, job.fingerprint),
        "shared": shared,
    }


def _task(plain: PlainJob, part: int, key: bytes, folder: str, final: bool) -> tuple[list[bytes], str] | str:
    """Make one part on a worker; returns the digests of its units and of its file, or the sentence on what is wrong."""
    try:
        return _made(plain, part, key, Path(folder), final)
    except Problem as problem:
        return str(problem)
    except Exception as error:
        # Not raised here: some versions of a worker print a task's arguments, the key among them, into their log.
        return f"A worker failed: {type(error).__name__} {error}."


def _made(plain: PlainJob, part: int, key: bytes, folder: Path, final: bool) -> tuple[list[bytes], str]:
    """One part as a file of the copy, or as one that the sender reads again and writes."""
    # A worker has one core, and others work beside it.
    data = Data(plain["path"], threads=False, steps=steps.from_record(plain["recipe"]))
    recipe = Recipe.from_record(plain["recipe"], data)
    first, expected = plain["expected"]
    job = Job(recipe, data, plain["rows"], [*[None] * first, *expected], *plain["setting"])
    digests = []

    def units() -> Iterator[tuple[int, pa.Table]]:
        for first, made, digest in part_copy(job, part, key, plain["shared"]):
            digests.append(digest)
            yield first, made

    if final:
        sha256 = write_part(folder / part_name(part), units(), recipe.schema)
        return digests, sha256
    scratch = folder / _scratch(part)
    temporary = scratch.with_name(f".{scratch.name}.{os.getpid()}")
    with pa.OSFile(str(temporary), "wb") as file, pa.ipc.new_file(file, recipe.schema) as writer:
        for _, made in units():
            # One batch for a unit, so that the sender writes the same units.
            writer.write_batch(made.combine_chunks().to_batches(max_chunksize=len(made))[0])
    temporary.replace(scratch)
    return digests, ""


def _scratch(part: int) -> str:
    return f"part-{part:06d}.arrow"
