"""The ledger: what the page, the command and a script call."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from trustscope.engine.cipher import CipherSource
from trustscope.release import checking, cluster, creating, issuing, keystore, lock, making, policy, writing
from trustscope.release import coalitions as _coalitions
from trustscope.release import report as _report
from trustscope.release import whose as _whose
from trustscope.release.making import Job
from trustscope.release.plan import Data
from trustscope.release.problems import Problem, of_system
from trustscope.release.recipe import Recipe
from trustscope.release.record import Record, recipient, thousandths
from trustscope.release.store import Store, write_durably

CONFIRMATION = "no more copies"


class Ledger:
    """Who holds which copy of one dataset, and the means to make another.

    Make one with `Ledger.create`, `Ledger.open` or `Ledger.rehearse`. Long calls take `progress`, which is told
    (rows done, rows in all or None), and `cancel`, an object with `is_set`, such as a `threading.Event`; a call that
    is called off raises `Cancelled` and leaves nothing behind.

    Attributes
    ----------
    folder : pathlib.Path
    notes : list of str
        What the last call that writes found left over from an interrupted one, and what it did about it.
    """

    def __init__(self, folder, *, passphrase=None, data=None):
        self.folder = Path(folder).absolute()
        self.notes = []
        self._passphrase = passphrase
        self._moved = data
        self._store = Store(self.folder)
        self._key = None

    # ------------------------------------------------------------------ making and opening
    @classmethod
    def create(cls, folder, data, *, passphrase=None, **options):
        """A new ledger in a new folder, for data in a CSV file, a Parquet file or a folder of Parquet files.

        Parameters
        ----------
        folder, data : path-like
        numbers, categories, keep, drop : sequence of str
            What happens to each column: perturbed as a number, perturbed as a category, carried along as it is,
            left out. Every column must be listed.
        grids : dict of str to number, optional
            What numbers are rounded to; by default the decimals that the data has.
        domains : dict of str to list, optional
            Categories that may come in rows that are appended later.
        store : {"system", "file"}, optional
            Where the key is kept; by default the system's key store, if there is one.
        passphrase : str, optional
            For a key file; otherwise from TRUSTSCOPE_PASSPHRASE, or asked for.
        by : str, optional
            Who creates it.
        progress, cancel
        """
        creating.create(folder, data, passphrase=passphrase, **options)
        return cls.open(folder, passphrase=passphrase)

    @classmethod
    def open(cls, folder, *, passphrase=None, data=None):
        """The ledger in a folder; `data` tells where the data is, if it was moved."""
        return cls(folder, passphrase=passphrase, data=data)

    @classmethod
    @contextlib.contextmanager
    def rehearse(cls, data, **options):
        """A ledger that is gone at the end of the `with` block, with a key that is never written down."""
        folder = Path(tempfile.mkdtemp(prefix="trustscope-rehearsal-"))
        try:
            ledger = cls.create(folder / "ledger", data, **options, store="memory")
            try:
                yield ledger
            finally:
                keystore.forget("memory", ledger.folder, ledger.record.created["ledger"])
                ledger.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self):
        """Let go of the ledger's file and key."""
        self._store.close()
        self._key = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __repr__(self):
        return f"Ledger({str(self.folder)!r})"

    # ------------------------------------------------------------------ what is recorded
    @property
    def record(self):
        """The `Record` of all events, read anew whenever it is asked for."""
        return Record(self._store.events())

    @property
    def history(self):
        """All events, the oldest first: `number`, `time`, `kind`, `body`, `digest`."""
        return self.record.events

    @property
    def copies(self):
        """All issued copies, a list of `Copy`."""
        return self.record.copies

    @property
    def head(self):
        """Digest of the last event: it fixes all that came before."""
        return self.record.head

    def recipe(self):
        """What copies are made by; needs the data to be there."""
        record = self.record
        return Recipe.restored(record.created["recipe"], self._data(record))

    def holders(self):
        """Copies by recipient, a dict of str to list of `Copy`."""
        return self.record.holders()

    def coalitions(self):
        """What each coalition can do with what is out, a list of `Coalition`."""
        return self._table()

    def what_if(self, to, trust=None, retention=None):
        """`coalitions` as they would be with one more copy."""
        recipe = self._frozen()
        setting = self._setting(recipe, trust, retention)
        return self._table((recipient(to, self.holders()), setting))

    def _table(self, more=None):
        held = {name: [copy.setting for copy in copies] for name, copies in self.holders().items()}
        if more:
            held.setdefault(more[0], []).append(more[1])
        return _coalitions.table(self._frozen(), held)

    def _frozen(self):
        """The recipe without looking at the data: enough for what is not made."""
        return Recipe.recorded(self.record.created["recipe"])

    # ------------------------------------------------------------------ copies
    def answer(self, to, trust=None, retention=None, *, by=None, group=""):
        """The policy's `Answer` to a request, without making anything."""
        recipe, record = self._frozen(), self.record
        setting = self._setting(recipe, trust, retention)
        return policy.answer(
            recipe, record, recipient(to, record.holders()), setting, by=by or creating.user(), group=group
        )

    def copy(self, to, trust=None, retention=None, *, out, purpose="", by=None, group="", **how):
        """Make a copy, write it to `out`, and record who got it.

        Parameters
        ----------
        to : str
            The recipient.
        trust, retention : float
            In per cent: of numbers, and of categories.
        out : path-like
            A .parquet file, a .csv file, or a folder for many Parquet files.
        purpose, by, group : str
            What for, who issues it, and which group of the policy the recipient belongs to.
        workers : int, optional
            So many processes of Dask on this machine.
        scheduler : str, optional
            Address of a Dask scheduler.
        threads : int, optional
        progress, cancel

        Returns
        -------
        Copy
            With `notes` on what the steward should know.
        """
        by = by or creating.user()
        with self._writing() as (record, key):
            data = self._data(record)
            recipe = Recipe.restored(record.created["recipe"], data)
            setting = self._setting(recipe, trust, retention)
            to = recipient(to, record.holders())
            answer = policy.answer(recipe, record, to, setting, by=by, group=group)
            if not answer.allowed:
                raise Problem(" ".join(answer.refusals))
            out = writing.check_place(out, data.path)
            cluster.check(data, how.get("workers"), how.get("scheduler"))
            making.check_threads(how.get("threads"))
            source = CipherSource(key)
            checking.generator(recipe, source, record)
            job = Job(recipe, data, record.data["rows"], self._store.units(record.versions), *setting)
            checking.data_shape(job)
            request = {
                "to": to, "trust": setting[0], "retention": setting[1], "purpose": purpose, "by": by, "group": group,
                "out": str(out), "form": writing.form_of(out), "version": record.version, "rows": job.rows,
                "reissue": answer.held, "notes": list(answer.notes),
            }  # fmt: skip
            held = next((copy for copy in record.copies if copy.number == answer.held), None)
            expected = held.content if held else None
            number = issuing.issue(self._store, key, job, request, source, expected=expected, **how)
        return next(copy for copy in self.record.copies if copy.number == number)

    def append(self, data=None, *, by=None, progress=None, cancel=None):
        """Take in new rows behind the old ones; `data` is where old and new rows are, the old place by default."""
        with self._writing() as (record, key):
            found = Data(data or self._moved or record.data["path"])
            recipe = Recipe.restored(record.created["recipe"], found)
            checking.columns(recipe, found)
            old = self._store.units(record.versions)
            rows, fresh, everything = creating.append(recipe, record, old, found, progress=progress, cancel=cancel)
            body = {"by": by or creating.user(), "data": creating.data_record(found, rows, everything)}
            with self._store.writing():
                event = self._store.add("appended", body, key)
                self._store.add_units(event.number, fresh)
        return rows - record.data["rows"]

    # ------------------------------------------------------------------ rules
    @property
    def policy(self):
        """The rules for copies, a dictionary; see `trustscope.release.policy`."""
        return self.record.policy

    def set_policy(self, rules, *, by=None):
        """Set the rules for copies."""
        rules = policy.checked(rules)
        with self._writing() as (_, key), self._store.writing():
            self._store.add("policy", {"policy": rules, "by": by or creating.user()}, key)

    def approve(self, to, trust=None, retention=None, *, by=None):
        """Approve a copy that somebody else wants to issue."""
        recipe = self._frozen()
        trust, retention = self._setting(recipe, trust, retention)
        with self._writing() as (record, key), self._store.writing():
            to = recipient(to, record.holders())
            body = {"to": to, "trust": trust, "retention": retention, "by": by or creating.user()}
            self._store.add("approved", body, key)

    # ------------------------------------------------------------------ looking back
    def check(self, *, progress=None, cancel=None, data=True):
        """Check everything that can be: file, chain, seals, key, generator, data, issued files; a list of `Finding`."""
        return checking.everything(self, data=data, progress=progress, cancel=cancel)

    def whose(self, path, *, progress=None, cancel=None, threads=None):
        """Whose copy a found file is, or whose it cannot be; a `whose.Verdict`.

        `path` is a CSV or Parquet file, or a pyarrow.Table of what was read of one elsewhere.
        """
        making.check_threads(threads)
        record, key = self._reading()
        recipe = Recipe.restored(record.created["recipe"], self._data(record))
        job = Job(recipe, self._data(record), record.data["rows"], self._store.units(record.versions), None, None)
        return _whose.find(path, job, record, key, progress=progress, cancel=cancel, threads=threads)

    def report(self, out=None):
        """Everything on one page of HTML, self-contained; written to `out`, or returned as text."""
        text = _report.html(self._frozen(), self.record, self.coalitions())
        if out is not None:
            write_durably(writing.check_folder(out), text.encode(), "the report")
        return text

    # ------------------------------------------------------------------ the key
    def export_key(self, out, *, passphrase=None, by=None):
        """Write a backup of the key, encrypted under a passphrase of its own."""
        out = writing.check_folder(out)
        if out.exists():
            raise Problem(f"There is already something at {out}; choose another place for the backup.")
        passphrase = keystore.spoken(passphrase, new=True)
        with self._writing() as (record, key):
            write_durably(out, keystore.locked(key, record.created["ledger"], passphrase), "the backup")
            try:
                with self._store.writing():
                    self._store.add("exported", {"by": by or creating.user()}, key)
            except BaseException:
                out.unlink()  # a backup that nobody knows of is one that nobody guards
                raise

    def import_key(self, path, *, passphrase=None, store=None, by=None):
        """Take the key from a backup, on a machine that does not have it."""
        with lock.held(self.folder):
            record = self.record
            self._refuse_withdrawn(record)
            key = self._backup(record, path, passphrase)
            where = keystore.choose(store or record.created["store"])
            if where != record.created["store"]:
                raise Problem(f"This ledger's key is kept in the store “{record.created['store']}”.")
            keystore.save(where, self.folder, record.created["ledger"], key, passphrase)
            self._key = None
            with self._store.writing():
                self._store.add("imported", {"by": by or creating.user()}, key)

    def drill(self, path, *, passphrase=None, by=None):
        """Prove that a backup opens and makes the same noise as the copies that are out; returns how many."""
        record = self.record
        self._refuse_withdrawn(record)
        key = self._backup(record, path, passphrase)
        checking.generator(self._frozen(), CipherSource(key), record)
        with lock.held(self.folder), self._store.writing():
            self._store.add("drilled", {"by": by or creating.user(), "copies": len(record.copies)}, key)
        return len(record.copies)

    def _backup(self, record, path, passphrase):
        if not Path(path).exists():
            raise Problem(f"There is no backup at {path}.")
        key = keystore.unlocked(path, record.created["ledger"], keystore.spoken(passphrase))
        self._check_mark(record, key)
        return key

    def withdraw(self, confirmation, *, by=None):
        """Destroy the key, after the words of `CONFIRMATION`: no more copies, ever; the record stays."""
        if confirmation != CONFIRMATION:
            raise Problem(f"To destroy the key, confirm with the words “{CONFIRMATION}”; nothing was done.")
        with self._writing() as (record, key):
            with self._store.writing():
                self._store.add("withdrawn", {"by": by or creating.user()}, key)
            keystore.forget(record.created["store"], self.folder, record.created["ledger"])
            self._key = None

    # ------------------------------------------------------------------ inside
    def _setting(self, recipe, trust, retention):
        return (
            thousandths(trust, "trust", bool(recipe.roles.numbers)),
            thousandths(retention, "retention", bool(recipe.roles.categories)),
        )

    def _data(self, record):
        return Data(self._moved or record.data["path"], record.data["rows"])

    @contextlib.contextmanager
    def _writing(self):
        """The lock, the record after recovery, and the key."""
        with lock.held(self.folder):
            record, key = self._reading()
            for left in self.folder.glob(".*.new"):  # of a write that was killed; the whole file stands beside it
                left.unlink()
            try:
                self.notes = issuing.recover(self._store, key, record)
            except OSError as error:
                raise of_system(error, "an interrupted copy") from None
            yield (self.record if self.notes else record), key

    def _reading(self):
        """The record with its seals checked, and the key."""
        record = self.record
        self._refuse_withdrawn(record)
        if self._key is None:
            key = keystore.load(record.created["store"], self.folder, record.created["ledger"], self._passphrase)
            self._check_mark(record, key)
            self._key = key
        self._store.check_seal(self._key)
        return Record(self._store.events(self._key)), self._key

    def _refuse_withdrawn(self, record):
        if record.withdrawn:
            # A crash may have come between the entry and the end of the key.
            keystore.forget(record.created["store"], self.folder, record.created["ledger"])
            raise Problem(
                f"This ledger was withdrawn on {record.withdrawn[:10]}: its key is destroyed, the record stays."
            )

    def _check_mark(self, record, key):
        if keystore.mark(key) != record.created["mark"]:
            raise Problem("This is the key of another ledger.")
