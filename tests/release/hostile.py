"""Ways to tamper with a ledger, for the tests and for the soak: each returns what it did, or None if nothing."""

import hashlib
import json
import shutil
import sqlite3

from trustscope.release import chain
from trustscope.release.store import FILE, SUM


def flip(rng, folder, issued):
    """Flip one bit of any file."""
    files = [folder / FILE, folder / SUM, folder / "key.json", *issued]
    path = files[rng.integers(len(files))]
    content = bytearray(path.read_bytes())
    place = int(rng.integers(len(content) * 8))
    content[place // 8] ^= 1 << place % 8
    path.write_bytes(content)
    return f"bit {place} of {path.name}"


def swap(rng, folder, issued):
    """Swap two issued files."""
    one, two = rng.choice(len(issued), 2, replace=False)
    a, b = issued[one].read_bytes(), issued[two].read_bytes()
    issued[one].write_bytes(b)
    issued[two].write_bytes(a)
    return f"{issued[one].name} and {issued[two].name} swapped"


def _edited(folder, change, renew):
    """Change the tables behind the triggers' back; renew the file's digest, as an insider could."""
    base = sqlite3.connect(folder / FILE, isolation_level=None)
    triggers = base.execute("select name, sql from sqlite_master where type='trigger'").fetchall()
    for name, _ in triggers:
        base.execute(f"drop trigger {name}")
    done = change(base)
    for _, sql in triggers:
        base.execute(sql)
    last = base.execute("select number, digest from event order by number desc limit 1").fetchone()
    base.close()
    if renew and last:
        _renewed(folder, last)
    return done


def _renewed(folder, last):
    """Note the file's digest and the head of the chain anew: all but the seal, which takes the key."""
    digest = hashlib.sha256((folder / FILE).read_bytes()).hexdigest()
    noted = json.loads((folder / SUM).read_text())
    (folder / SUM).write_text(chain.text({**noted, "events": last[0], "head": last[1], "sha256": digest}))


def edit(rng, folder, issued):
    """Change one entry of the history, and compute the chain and the file's digest anew: all but the seals."""

    def change(base):
        rows = base.execute("select number, time, kind, body, digest, seal from event order by number").fetchall()
        place = int(rng.integers(len(rows)))
        what = ["time", "body", "kind", "remove"][int(rng.integers(4))]
        rows = [list(row) for row in rows]
        if what == "remove":
            del rows[place]
        elif what == "time":
            rows[place][1] = "2000-01-01T00:00:00.000000+00:00"
        elif what == "kind":
            rows[place][2] = "issued" if rows[place][2] != "issued" else "made"
        else:
            body = json.loads(rows[place][3])
            body["by"] = "somebody else"
            rows[place][3] = chain.text(body)
        base.execute("delete from event")
        previous = chain.START
        for number, row in enumerate(rows, start=1):
            previous = chain.digest(previous, number, *row[1:4])
            base.execute("insert into event values (?, ?, ?, ?, ?, ?)", (number, *row[1:4], previous, row[5]))
        return f"{what} of event {place + 1}, chain and digest renewed"

    return _edited(folder, change, renew=True)


def edit_units(rng, folder, issued):
    """Change or remove a digest of the data, and renew the file's digest."""

    def change(base):
        if rng.random() < 0.5:
            base.execute("update unit set digest = zeroblob(32) where column = 0")
            return "a digest of the data changed"
        base.execute("delete from unit where column = 1")
        return "digests of the data removed"

    return _edited(folder, change, renew=True)


def untrigger(rng, folder, issued):
    """Remove a trigger, and renew the file's digest."""
    base = sqlite3.connect(folder / FILE, isolation_level=None)
    base.execute("drop trigger event_delete")
    last = base.execute("select number, digest from event order by number desc limit 1").fetchone()
    base.close()
    _renewed(folder, last)
    return "a trigger removed"


def forget(rng, folder, issued):
    """Remove a file of the ledger."""
    name = [SUM, "key.json"][int(rng.integers(2))]
    (folder / name).unlink()
    return f"{name} removed"


WAYS = (flip, flip, flip, swap, edit, edit, edit_units, untrigger, forget)


def kept(folder, issued, place):
    """Keep everything, to be brought back by `restored`."""
    shutil.copytree(folder, place / "ledger")
    for file in issued:
        shutil.copy(file, place / file.name)


def restored(folder, issued, place):
    """Bring everything back."""
    shutil.rmtree(folder)
    shutil.copytree(place / "ledger", folder)
    for file in issued:
        shutil.copy(place / file.name, file)
