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
import urllib.parse
from pathlib import Path

import pyarrow as pa

from trustscope.engine.cipher import CipherSource
from trustscope.release.making import Job, check_rows, part_copy
from trustscope.release.plan import PART, Data
from trustscope.release.problems import Problem, stop_if
from trustscope.release.recipe import Recipe
from trustscope.release.writing import part_name, remove, write_part


@contextlib.contextmanager
def client(scheduler=None, workers=None):
    """A client of a running scheduler, or of so many worker processes on this machine."""
    import distributed

    if scheduler is not None:
        try:
            found = distributed.Client(scheduler, timeout=10)
        except (OSError, TimeoutError, ValueError) as error:
            raise Problem(f"The scheduler at {scheduler} does not answer: {error}.") from None
        with found:
            yield found
        return
    options = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(n_workers=workers, processes=True, **options) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


def check(data, workers=None, scheduler=None):
    """Say, before anything is written, what keeps a cluster from making the copy."""
    if scheduler is not None:
        check_address(scheduler)
    if workers is not None and workers < 1:
        raise Problem(f"At least one worker is needed, not {workers}.")
    if (workers or scheduler) and data.kind != "parquet":
        raise Problem("A cluster needs Parquet data, whose row groups it can share out; a CSV file is read in one go.")
    if (workers or scheduler) and importlib.util.find_spec("distributed") is None:
        raise Problem("Several workers need Dask distributed: pip install 'trustscope[cluster]'.")


def check_address(address):
    """Refuse a scheduler that keys would travel to in the clear."""
    parts = urllib.parse.urlsplit(address if "://" in address else f"tcp://{address}")
    host = parts.hostname or ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if parts.scheme not in ("tls", "wss") and not local:
        raise Problem(f"Keys would travel to {address} in the clear; use a scheduler at tls://, or on this machine.")


def make(job, key, form, path, write, *, workers=None, scheduler=None, progress=None, cancel=None):
    """Make a copy on a cluster; returns the digests of its units, in order.

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
    progress, cancel
        As in `making.copies`.
    """
    check_rows(job, job.data.rows)
    parts = range(-(-job.rows // PART))
    source = CipherSource(key)
    folder = path if form == "folder" else path.with_name(path.name + "-parts")
    folder.mkdir(exist_ok=True)
    plain = _plain(job)
    try:
        with client(scheduler, workers or len(parts)) as found:
            # One graph for all: the recipe travels once. Results come in order, so that writing can begin.
            shared = found.scatter(plain, broadcast=True)
            tasks = [
                found.submit(_task, shared, part, source.part_key(part), str(folder), form == "folder",
                             pure=False, retries=3, key=f"trustscope-{path.name}-{part}")
                for part in parts
            ]  # fmt: skip
            try:
                return _gathered(tasks, job, folder, write, progress, cancel)
            finally:
                found.cancel(tasks)
    finally:
        if form != "folder":
            remove(folder)


def _gathered(tasks, job, folder, write, progress, cancel):
    digests = []
    for part, task in enumerate(tasks):
        digests += _result(task, cancel)
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
    return digests


def _result(task, cancel):
    from distributed import TimeoutError as Late

    while True:
        stop_if(cancel)
        try:
            return task.result(timeout=0.2)
        except (Late, TimeoutError):
            if task.status == "error":
                raise


def _plain(job):
    """A job as plain values: what a worker reads it from again."""
    job_data = {"path": job.data.path, "rows": job.rows}
    rest = {"expected": job.expected, "trust": job.trust, "retention": job.retention}
    return {"recipe": job.recipe.record(), "data": job_data, **rest}


def _task(plain, part, key, folder, final):
    """Make one part on a worker: as a file of the copy, or as one that the sender reads again and writes."""
    data = Data(plain["data"]["path"])
    recipe = Recipe.restored(plain["recipe"], data)
    job = Job(recipe, data, plain["data"]["rows"], plain["expected"], plain["trust"], plain["retention"])
    digests = []

    def units():
        for first, made, digest in part_copy(job, part, key):
            digests.append(digest)
            yield first, made

    folder = Path(folder)
    if final:
        write_part(folder / part_name(part), units(), recipe.schema)
        return digests
    scratch = folder / _scratch(part)
    temporary = scratch.with_name(f".{scratch.name}.{os.getpid()}")
    with pa.OSFile(str(temporary), "wb") as file, pa.ipc.new_file(file, recipe.schema) as writer:
        for _, made in units():
            # One batch for a unit, so that the sender writes the same units.
            writer.write_batch(made.combine_chunks().to_batches(max_chunksize=len(made))[0])
    temporary.replace(scratch)
    return digests


def _scratch(part):
    return f"part-{part:06d}.arrow"
