"""Copies for real, Parquet to Parquet, four columns of numbers.

`make bench` takes a fifth of the rows that the limits speak of, so that it stays a matter of a minute;
TRUSTSCOPE_BENCH_RELEASE=full takes all of them: 10 million, and 30 million for the time per row. That is about five
minutes of processor time, in 1 GB of memory and 3 GB of disk.
"""

import atexit
import concurrent.futures
import functools
import itertools
import logging
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import Benchmark, speed_ratio
from trustscope.engine.cipher import CipherSource
from trustscope.release import Ledger, cluster, probes

FULL = os.environ.get("TRUSTSCOPE_BENCH_RELEASE") == "full"
FEW = 1_000_000
MANY = 10_000_000 if FULL else 2_000_000
MOST = 30_000_000 if FULL else 6_000_000
PARTS = (
    10 if FULL else 8
)  # below this, what only the client does (a tenth of a second and more) hides the second worker
COLUMNS = [f"x{number}" for number in range(4)]
# 60 % is the trust of the manual's example and takes 3 normals a value; 37.1 % takes 12, as many as any.
TRUST, DEEPEST = 60, 37.1
TERMS = {"purpose": "a benchmark", "contact": "nobody", "expires": "9999-12-31"}
MILLION = f"{MANY / 1e6:g} million rows"


@functools.cache
def place():
    """A folder that is gone when the benchmarks end."""
    folder = Path(tempfile.mkdtemp(prefix="trustscope-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def data(rows):
    """A Parquet file of so many rows of numbers with two decimals, written in pieces."""
    path, rng = place() / f"data-{rows}.parquet", np.random.default_rng(1)
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in COLUMNS])) as writer:
        for start in range(0, rows, 1 << 20):
            size = min(1 << 20, rows - start)
            values = np.round(rng.normal(50, 15, (4, size)), 2)
            writer.write_table(pa.table(dict(zip(COLUMNS, values, strict=True))))
    return path


@functools.cache
def ledger(rows, name="plain"):
    return Ledger.create(place() / f"ledger-{rows}-{name}", data(rows), numbers=COLUMNS, store="memory")


_names = itertools.count()


def copier(rows, trust=TRUST, name="plain", ending=".parquet", times=1, **how):
    """So many more copies, for as many more recipients; the files are removed again, outside of the time."""
    made = ledger(rows, name)

    def prepare():
        for old in place().glob("copy-*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        return [place() / f"copy-{next(_names)}{ending}" for _ in range(times)]

    def work(outs):
        for out in outs:
            made.copy(f"recipient {out.name}", trust, out=out, **TERMS, **how)

    return prepare, work


def copy_against_pyarrow(trust=TRUST):
    def through():
        pq.write_table(pq.read_table(data(MANY)), place() / "through.parquet")

    return speed_ratio(copier(MANY, trust), through, repetitions=3)


@functools.cache
def peak_memory(rows):
    """Highest memory of a process that makes one copy, in bytes.

    As Linux keeps it for the process's own memory. `ru_maxrss` would also know the memory of whoever started it: a
    process begins as a copy of its parent, and that is this one, with all that it has read.
    """
    code = f"""
import pathlib, resource, sys
from trustscope.release import Ledger
with Ledger.rehearse({str(data(rows))!r}, numbers={COLUMNS!r}) as ledger:
    ledger.copy("A", {TRUST}, out={str(place() / f"memory-{rows}.parquet")!r}, **{TERMS!r})
status = pathlib.Path("/proc/self/status")
if status.exists():
    print(1024 * next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (place() / f"memory-{rows}.parquet").unlink()
    return int(done.stdout)


def memory_of_many_against_few():
    return peak_memory(MANY) / peak_memory(FEW)


def memory_against_half_a_gibibyte():
    return peak_memory(MANY) / 2**29


def time_for_a_row():
    """One large copy, against small ones of as many rows in all: both take as long, and meet as much of the noise of a
    busy machine, where the fastest of a few short runs would find a quiet moment that a long one cannot.
    """
    return speed_ratio(copier(MOST), copier(FEW, times=MOST // FEW), repetitions=2)


@functools.cache
def two_workers_against_one():
    """Folders of parts, so that the workers write too; the clusters are up before the clock starts."""
    rows = PARTS << 20
    import distributed  # its import sets its loggers

    # That a worker is slow to end on a busy machine is no news in a table of figures.
    logging.getLogger(distributed.__name__).setLevel(logging.ERROR)
    with cluster.client(workers=1) as one, cluster.client(workers=2) as two:
        sides = [copier(rows, ending="", scheduler=client.scheduler.address) for client in (one, two)]
        return speed_ratio(*sides, repetitions=2)


def _busy(_):
    """What every processor does alike: integers that stay in its registers."""
    total = 0
    for number in range(6_000_000):
        total = (total * 31 + number) & 0xFFFF
    return total


def two_processes_against_one():
    """What two processes that only compute bring on this machine; two threads of one core bring little."""
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_busy, range(2)))
        return speed_ratio(
            lambda: [pool.submit(_busy, 0).result() for _ in range(2)],
            lambda: [one.result() for one in [pool.submit(_busy, 0) for _ in range(2)]],
            repetitions=3,
        )


@functools.cache
def machine():
    return two_processes_against_one()


def two_workers_for_this_machine():
    return two_workers_against_one() / machine()


def hundred_issued_against_none():
    """Each side's own ledger has what is issued while it is timed; the hundred stay a hundred more.

    The hundred are recorded as issued without their files being written: those are not what is timed.
    """
    hundred = ledger(MANY, "hundred")
    with hundred._writing() as (record, key):
        recipe, source = hundred.recipe(), CipherSource(key)
        for number in range(100):
            setting = (109 + 7 * number, None)
            request = {
                "to": f"early {number}", "trust": setting[0], "retention": None, "purpose": "", "by": "", "group": "",
                "out": str(place() / "nowhere.parquet"), "form": "parquet", "version": record.version, "rows": MANY,
                "reissue": None, "notes": [],
            }  # fmt: skip
            facts = {"sha256": "", "content": "", "bytes": 0, "writer": ""}
            with hundred._store.writing():
                copy = hundred._store.add("intended", request, key).number
                probe = probes.digests(recipe, source, [setting])[0]
                hundred._store.add("made", {"copy": copy, "probe": probe, **facts}, key)
                hundred._store.add("issued", {"copy": copy}, key)
    return speed_ratio(copier(MANY, name="hundred"), copier(MANY, name="none"), repetitions=5)


BENCHMARKS = [
    Benchmark(
        f"a copy of {MILLION} x 4, against pyarrow reading and writing them",
        copy_against_pyarrow,
        limit=4.0,
        tags=("speed",),
    ),
    Benchmark(
        f"the same at the trust that needs the most normals ({DEEPEST} %)",
        lambda: copy_against_pyarrow(DEEPEST),
        limit=8.0,
        goal=6.0,
        tags=("speed",),
    ),
    Benchmark(
        f"peak memory of a copy of {MILLION}, against 1 million",
        memory_of_many_against_few,
        limit=1.1,
        tags=("memory",),
    ),
    Benchmark(
        f"peak memory of a copy of {MILLION}, against half a GiB",
        memory_against_half_a_gibibyte,
        limit=1.0,
        tags=("memory",),
    ),
    Benchmark(
        f"time for a row at {MOST / 1e6:g} million rows, against 1 million", time_for_a_row, limit=1.05, tags=("speed",)
    ),
    Benchmark(
        f"one Dask worker, against two ({PARTS} parts)",
        two_workers_against_one,
        limit=1.6,
        direction="at least",
        tags=("dask", "speed"),
    ),
    Benchmark(
        "two processes that only compute, against one: what this machine has",
        machine,
        limit=1.0,
        direction="at least",
        goal=2.0,
        tags=("dask", "speed"),
    ),
    Benchmark(
        "two Dask workers, over what two processes bring here",
        two_workers_for_this_machine,
        limit=0.8,
        direction="at least",
        tags=("dask", "speed"),
    ),
    Benchmark(
        "a copy with 100 issued before, against one with none", hundred_issued_against_none, limit=1.05, tags=("speed",)
    ),
]
