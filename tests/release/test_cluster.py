"""Several workers: the same bytes as one process makes, also when a worker dies, and only derived keys leave it."""

import os
import signal

import numpy as np
import pyarrow as pa
import pytest
from release_help import key_of, make_ledger, write

from trustscope.release import Cancelled, Ledger, Problem, cluster
from trustscope.release.plan import PART

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("cluster")


@pytest.fixture(scope="module")
def client():
    """Two worker processes, shared by the tests here."""
    with cluster.client(workers=2) as found:
        yield found


@pytest.fixture
def ledger(place):
    """A ledger for a little more than one part, in row groups that do not fit the parts."""
    folder = place / "ledger"
    if not folder.exists():
        rng = np.random.default_rng(1)
        rows = PART + 200_000
        table = pa.table({"x": np.round(rng.normal(50, 10, rows), 1), "c": rng.choice(["a", "b"], rows)})
        data = write(table, place / "data.parquet", row_group_size=300_000)
        make_ledger(folder, data, numbers=["x"], categories=["c"], keep=[], drop=[]).close()
    with Ledger.open(folder) as opened:
        yield opened


@pytest.fixture
def one(ledger, place):
    """The copy by one process, as a file and as a folder."""
    if not (place / "one").exists():
        ledger.copy("A", 60, 40, out=place / "one.parquet")
        ledger.copy("A", 60, 40, out=place / "one")
    return {copy.form: copy for copy in ledger.copies}


@pytest.fixture(scope="module")
def kept():
    """What is made once for several tests."""
    return {}


@pytest.fixture
def many(kept, ledger, client, place, monkeypatch):
    """The copy by two workers as a folder, and all that they were told."""
    if not kept:
        sent, submit = [], distributed.Client.submit
        with monkeypatch.context() as watched:
            watched.setattr(
                distributed.Client, "submit", lambda self, *a, **k: (sent.append((a, k)), submit(self, *a, **k))[1]
            )
            pages = []
            address = client.scheduler.address
            copy = ledger.copy("A", 60, 40, out=place / "many", scheduler=address, dashboard=pages.append)
        assert pages == [client.dashboard_link]
        kept.update(copy=copy, sent=sent)
    return kept["copy"], kept["sent"]


def test_workers_make_the_same_bytes(ledger, one, many, client, place):
    address = client.scheduler.address
    folder, _ = many
    assert folder.sha256 == one["folder"].sha256
    assert sorted(path.name for path in (place / "many").iterdir()) == [f"part-00000{n}.parquet" for n in range(2)]
    single = ledger.copy("A", 60, 40, out=place / "many.parquet", scheduler=address)
    assert single.sha256 == one["parquet"].sha256
    assert not [path for path in place.iterdir() if path.name.startswith(".")]


def test_a_worker_that_is_killed_changes_nothing(ledger, one, client, place, monkeypatch):
    """Whoever makes part 1 first is killed in the middle of it; the part is made again."""
    mark = place / "killed"
    submit = distributed.Client.submit
    monkeypatch.setattr(
        distributed.Client, "submit", lambda self, task, *a, **k: submit(self, _Deadly(task, str(mark)), *a, **k)
    )
    copy = ledger.copy("A", 60, 40, out=place / "again", scheduler=client.scheduler.address)
    assert mark.exists()
    assert copy.sha256 == one["folder"].sha256
    assert len(list((place / "again").iterdir())) == 2


class _Deadly:
    """A task that kills its worker the first time that it makes part 1."""

    def __init__(self, task, mark):
        self.task, self.mark = task, mark

    def __call__(self, plain, part, key, folder, final):
        from pathlib import Path

        if part == 1 and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.task(plain, part, key, folder, final)


def test_changed_data_is_found_by_the_workers(ledger, client, place, monkeypatch):
    submit = distributed.Client.submit

    def wrong(self, task, plain, part, *arguments, **options):
        if part == 1:
            first, expected = plain["expected"]
            plain["expected"] = first, [expected[0], [expected[1][0], bytes(32)]]
        return submit(self, task, plain, part, *arguments, **options)

    monkeypatch.setattr(distributed.Client, "submit", wrong)
    with pytest.raises(Problem, match="rows 1,179,649 to 1,248,576 of “c” no longer"):
        ledger.copy("B", 50, 40, out=place / "never", scheduler=client.scheduler.address)
    assert not (place / "never").exists()
    assert not [path for path in place.iterdir() if path.name.startswith(".")]


def test_calling_off_leaves_nothing(ledger, client, place):
    class Set:
        @staticmethod
        def is_set():
            return True

    for out in ("never", "never.parquet"):
        with pytest.raises(Cancelled):
            ledger.copy("B", 50, 40, out=place / out, scheduler=client.scheduler.address, cancel=Set)
    assert not [path for path in place.iterdir() if path.name.startswith((".", "never"))]


def test_the_master_key_stays_at_home(ledger, many):
    _, sent = many
    key = key_of(ledger)
    keys = [arguments[3] for arguments, _ in sent]
    assert len(sent) == len(set(keys)) == 2
    assert all(isinstance(one, bytes) and len(one) == 32 and one != key for one in keys)
    assert repr(key) not in repr(sent)


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "example.org:8786", "ws://example.org"])
def test_keys_do_not_travel_in_the_clear(address):
    with pytest.raises(Problem, match="in the clear"):
        cluster.check_address(address)


@pytest.mark.parametrize("address", ["tls://10.0.0.7:8786", "tcp://127.0.0.1:8786", "localhost:8786", "tcp://[::1]:1"])
def test_encrypted_and_local_connections_are_fine(address):
    cluster.check_address(address)


def test_a_csv_file_is_not_for_a_cluster(tmp_path, ledger):
    class Csv:
        kind = "csv"

    with pytest.raises(Problem, match="needs Parquet data"):
        cluster.check(Csv, workers=2)


@pytest.mark.long
def test_an_encrypted_connection(ledger, one, place):
    """A scheduler that speaks nothing but TLS; certificates are found where Dask's configuration has them."""
    security = distributed.Security.temporary()
    names = {"ca-file": "tls_ca_file", "client.cert": "tls_client_cert", "client.key": "tls_client_key"}
    asking = {f"distributed.comm.tls.{name}": getattr(security, field) for name, field in names.items()}
    options = {"security": security, "protocol": "tls", "dashboard_address": None, "threads_per_worker": 1}
    with (
        distributed.LocalCluster(n_workers=1, processes=False, **options) as encrypted,
        dask.config.set(asking),
    ):
        address = encrypted.scheduler_address
        assert address.startswith("tls://")
        copy = ledger.copy("A", 60, 40, out=place / "encrypted", scheduler=address)
    assert copy.sha256 == one["folder"].sha256
