"""The ledger: what the page, the command and a script call."""

import contextlib
import dataclasses
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, Unpack

import pyarrow as pa

from trustscope.engine.cipher import CipherSource
from trustscope.release import (
    checking,
    cluster,
    creating,
    issuing,
    keystore,
    limits,
    lock,
    making,
    policy,
    sheet,
    steps,
    terms,
    words,
    writing,
)
from trustscope.release import fingerprint as _fingerprint
from trustscope.release import report as _report
from trustscope.release import whose as _whose
from trustscope.release.locating import locator_key
from trustscope.release.making import Job
from trustscope.release.plan import Data
from trustscope.release.problems import Problem, from_os_error
from trustscope.release.recipe import Recipe
from trustscope.release.record import Copy, Record, recipient
from trustscope.release.recorded import RecordedLedger
from trustscope.release.store import make_private, write_durably
from trustscope.release.types import Cancel, PathLike, Progress, Request

CONFIRMATION = "no more copies"


class Ledger(RecordedLedger):
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

    # ------------------------------------------------------------------ making and opening
    @classmethod
    def create(
        cls, folder: PathLike, data: PathLike, *, store: str | None = None, passphrase: str | None = None,
        **options: Unpack[creating.Options],
    ) -> Self:  # fmt: skip
        """A new ledger in a new folder, for data in a CSV file, a Parquet file or a folder of Parquet files.

        Parameters
        ----------
        folder, data : path-like
        numbers, categories, keep, drop : sequence of str
            What happens to each column: perturbed as a number, perturbed as a category, carried along as it is,
            left out. Every column must be listed.
        dates : sequence of str
            Columns of a CSV file that are dates, to be perturbed as numbers of days. (Parquet says itself what is.)
        group, shared : str, sequence of str
            A column under keep that names the household (or school, ...) of each row, and those perturbed columns that
            its members share: they have one noise for the whole household.
        header : bool
            Whether the first line of a CSV file names its columns; otherwise they are called c1, c2, ...
        grids : dict of str to number, optional
            What numbers are rounded to; by default the decimals that the data has.
        domains : dict of str to list, optional
            Categories that may come in rows that are appended later.
        before : sequence of (str, Step), optional
            What is done to numbers before noise is added, one step after the other (`engine.preparation.Step`):
            quantiles are found now, and kept as values.
        accept_unique : bool
            That kept columns may single people out; without it they are refused. It stands in the record.
        store : {"system", "file"}, optional
            Where the key is kept; by default the system's key store, if there is one.
        passphrase : str, optional
            For a key file; otherwise from TRUSTSCOPE_PASSPHRASE, or asked for.
        by : str, optional
            Who creates it.
        progress, cancel
        """
        creating.create(folder, data, store=store, passphrase=passphrase, **options)
        return cls.open(folder, passphrase=passphrase)

    @classmethod
    def open(
        cls, folder: PathLike, *, passphrase: str | None = None, data: PathLike | None = None, wait: float = 0
    ) -> Self:
        """The ledger in a folder.

        Parameters
        ----------
        folder : path-like
        passphrase : str, optional
            For a key file; otherwise from TRUSTSCOPE_PASSPHRASE, or asked for.
        data : path-like, optional
            Where the data is, if it was moved.
        wait : float
            Seconds that a call which writes waits for another program that does.
        """
        return cls(folder, passphrase=passphrase, data=data, wait=wait)

    @classmethod
    @contextlib.contextmanager
    def rehearse(cls, data: PathLike, **options: Unpack[creating.Options]) -> Iterator[Self]:
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

    # ------------------------------------------------------------------ copies
    def answer(
        self,
        to: str,
        trust: float | None = None,
        retention: float | None = None,
        *,
        by: str | None = None,
        group: str = "",
        fingerprint: bool = False,
        order: Sequence[str] = (),
        measure: bool = True,
    ) -> policy.Decision:
        """The policy's `Decision` on a request, without making anything.

        Where `measure` is false, nothing is measured for it: rules on the strongest attacker are answered by figures
        that are there, and otherwise a note says that they are not. `order` as in `copy`.
        """
        recipe, record = self.recorded_recipe, self.record
        setting = self._setting(recipe, trust, retention)
        to = recipient(to, record.holders())
        decision = policy.decide(
            recipe, record, to, setting, by=by or creating.user(), group=group, fingerprint=to if fingerprint else "",
            risks=self._risks_if_ready(setting) if not measure else self.risks(), order=order,
        )  # fmt: skip
        # Guesses, which are no part of the record: the copy itself is refused by what it holds.
        guesses = recipe.expected(limits.refusals, setting[0], record.data["rows"])
        return dataclasses.replace(decision, notes=(*decision.notes, *guesses))

    def copy(
        self, to: str, trust: float | None = None, retention: float | None = None, *, out: PathLike, purpose: str = "",
        contact: str = "", expires: str = "", by: str | None = None, group: str = "", fingerprint: bool = False,
        order: Sequence[str] = (), confirm: Callable[[str], object] | None = None, **how: Unpack[issuing.How],
    ) -> Copy:  # fmt: skip
        """Make a copy, write it to `out`, and record who got it.

        Parameters
        ----------
        to : str
            The recipient.
        trust, retention : float
            In per cent: of numbers, and of categories.
        out : path-like
            A .parquet file, a .csv file, or a folder for many Parquet files.
        purpose, contact, expires : str
            What for, whom to ask about it, and until which day (YYYY-MM-DD) it may be used; needed, unless the policy
            has defaults.
        by, group : str
            Who issues it, and which group of the policy the recipient belongs to.
        fingerprint : bool
            Whether the copy carries a tiny perturbation of the recipient's own (`release.fingerprint`), so that
            `whose` can tell it from other copies at the same setting.
        order : sequence of str
            Recipients, the most trusted first, whose order must be kept, beside that of the policy.
        confirm : callable, optional
            Asked once, with a sentence, where somebody else holds the same bytes; the copy is made if it says true.
        workers : int, optional
            So many processes of Dask on this machine.
        scheduler : str, optional
            Address of a Dask scheduler.
        dashboard : callable, optional
            Told the address of the page on which Dask shows its work.
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
            recipe = Recipe.from_record(record.created["recipe"], data)
            setting = self._setting(recipe, trust, retention)
            to = recipient(to, record.holders())
            mark = to if fingerprint else ""
            said = terms.complete(record.policy, purpose=purpose, contact=contact, expires=expires)
            # Whoever looks without the key may leave any figures in the folder: what is decided by has a seal.
            decision = policy.decide(
                recipe,
                record,
                to,
                setting,
                by=by,
                group=group,
                fingerprint=mark,
                risks=self.risks(key),
                order=order,
            )
            if not decision.allowed:
                raise Problem(" ".join(decision.refusals))
            if decision.same and confirm is not None and not confirm(words.same_bytes(decision.same)):
                raise Problem(f"{words.same_bytes(decision.same)} Nothing was made; say --again, or --fingerprint.")
            out = writing.check_place(out, data.path)
            cluster.check(data, how.get("workers"), how.get("scheduler"))
            making.check_threads(how.get("threads"))
            source = CipherSource(key)
            checking.check_generator(recipe, source, record)
            known = self._store.units(record.versions)
            job = Job(recipe, data, record.data["rows"], known, *setting, mark, locator_key(key))
            checking.check_shape(job)
            roles = recipe.roles
            cost = [_fingerprint.sentence(roles.numbers, roles.categories)] if mark else []
            request: Request = {
                "to": to, "trust": setting[0], "retention": setting[1], "purpose": said["purpose"],
                "contact": said["contact"], "expires": said["expires"], "by": by, "group": group,
                "out": str(out), "form": writing.form_of(out), "version": record.version, "rows": job.rows,
                "reissue": decision.held, "notes": [*decision.notes, *cost], "fingerprint": mark,
            }  # fmt: skip
            held = next((copy for copy in record.copies if copy.number == decision.held), None)
            expected = held.content if held else None
            number = issuing.issue(self._store, key, job, request, source, expected=expected, **how)
        return next(copy for copy in self.record.copies if copy.number == number)

    def append(
        self,
        data: PathLike | None = None,
        *,
        by: str | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> int:
        """Take in new rows behind the old ones; `data` is where old and new rows are, the old place by default."""
        with self._writing() as (record, key):
            found = Data(
                data or self._moved or record.data["path"], header=record.data.get("header", True),
                steps=steps.from_record(record.created["recipe"]), reading=record.data.get("reading", 1),
            )  # fmt: skip
            recipe = Recipe.from_record(record.created["recipe"], found)
            checking.check_columns(recipe, found)
            old = self._store.units(record.versions)
            rows, fresh, everything = creating.append(
                recipe, record, old, found, locator_key(key), progress=progress, cancel=cancel
            )
            body = {"by": by or creating.user(), "data": creating.data_record(found, rows, everything)}
            with self._store.writing():
                event = self._store.add("appended", body, key)
                self._store.add_units(event.number, fresh)
        return rows - record.data["rows"]

    # ------------------------------------------------------------------ rules
    def set_policy(self, rules: Mapping[str, Any], *, by: str | None = None) -> None:
        """Set the rules for copies."""
        rules = policy.check_rules(rules, self.recorded_recipe)
        with self._writing() as (_, key), self._store.writing():
            self._store.add("policy", {"policy": rules, "by": by or creating.user()}, key)

    def approve(
        self, to: str, trust: float | None = None, retention: float | None = None, *, by: str | None = None
    ) -> None:
        """Approve a copy that somebody else wants to issue."""
        recipe = self.recorded_recipe
        trust, retention = self._setting(recipe, trust, retention)
        with self._writing() as (record, key), self._store.writing():
            to = recipient(to, record.holders())
            body = {"to": to, "trust": trust, "retention": retention, "by": by or creating.user()}
            self._store.add("approved", body, key)

    # ------------------------------------------------------------------ looking back
    def check(
        self, *, progress: Progress | None = None, cancel: Cancel | None = None, data: bool = True
    ) -> list[checking.Finding]:
        """Check everything that can be: file, chain, seals, key, generator, data, issued files; a list of `Finding`."""
        return checking.check_all(self, data=data, progress=progress, cancel=cancel)

    def whose(
        self,
        path: PathLike | pa.Table,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        threads: int | None = None,
    ) -> _whose.Verdict:
        """Whose copy a found file is, or whose it cannot be; a `whose.Verdict`.

        `path` is a CSV or Parquet file, or a pyarrow.Table of what was read of one elsewhere.
        """
        making.check_threads(threads)
        record, key = self._reading()
        recipe = Recipe.from_record(record.created["recipe"], self._data(record))
        known = self._store.units(record.versions)
        job = Job(recipe, self._data(record), record.data["rows"], known, locator=locator_key(key))
        return _whose.find(path, job, record, key, progress=progress, cancel=cancel, threads=threads)

    def report(
        self,
        out: PathLike | None = None,
        *,
        measure: bool = True,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> str:
        """The document for a board, self-contained HTML; written to `out`, or returned as text.

        What the strongest attacker gets is measured for it, unless `measure` is false: then it has what was measured
        before. Where there are no figures the report says why.
        """
        if out is not None:
            writing.check_folder(out)  # before the long look at the data
        record, recipe, reason, risks, broken, old = self.record, self.recorded_recipe, "", [], [], ""
        try:
            risks = self.each_risk(measure=measure, progress=progress, cancel=cancel)
            if risks:
                setting = (risks[0][0].trust, risks[0][0].retention)
                if measure or self.risks().is_ready(record.policy, setting):
                    fewer = [(one.trust, one.retention) for one, _ in risks[1:]]
                    broken = policy.broken_rules(record.policy, recipe, self.risks(), setting, fewer)
                old = self.old_floor() if words.old_sense(record.policy) else ""
        except Problem as problem:
            reason = str(problem)
        text = _report.html(recipe, record, risks, reason=reason, broken=broken, old=old)
        return _write(out, text, "the report")

    def sheet(self, to: str | int, out: PathLike | None = None) -> str:
        """The sheet of a recipient's latest copy, self-contained HTML: columns, noise, corrections and a script.

        Parameters
        ----------
        to : str or int
            The recipient, or the number of a copy.
        out : path-like, optional
            Where it is written; otherwise it is returned only.
        """
        mine = [copy for copy in self.copies if to in (copy.to, copy.number)]
        if not mine:
            raise Problem(f"No copy is out for “{to}”; there are copies for {', '.join(self.holders()) or 'nobody'}.")
        return _write(out, sheet.html(self.recorded_recipe, mine[-1]), "the sheet")

    # ------------------------------------------------------------------ the key
    def export_key(self, out: PathLike, *, passphrase: str | None = None, by: str | None = None) -> None:
        """Write a backup of the key, encrypted under a passphrase of its own."""
        out = writing.check_folder(out)
        if out.exists():
            raise Problem(f"There is already something at {out}; choose another place for the backup.")
        passphrase = keystore.get_passphrase(passphrase, new=True)
        with self._writing() as (record, key):
            write_durably(out, keystore.encrypt_key(key, record.created["ledger"], passphrase), "the backup")
            try:
                with self._store.writing():
                    self._store.add("exported", {"by": by or creating.user()}, key)
            except BaseException:
                out.unlink()  # a backup that nobody knows of is one that nobody guards
                raise

    def import_key(
        self, path: PathLike, *, passphrase: str | None = None, store: str | None = None, by: str | None = None
    ) -> None:
        """Take the key from a backup, on a machine that does not have it."""
        with lock.hold(self.folder, self._wait):
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

    def drill(self, path: PathLike, *, passphrase: str | None = None, by: str | None = None) -> int:
        """Prove that a backup opens and makes the same noise as the copies that are out; returns how many."""
        record = self.record
        self._refuse_withdrawn(record)
        key = self._backup(record, path, passphrase)
        checking.check_generator(self.recorded_recipe, CipherSource(key), record)
        with lock.hold(self.folder, self._wait), self._store.writing():
            self._store.add("drilled", {"by": by or creating.user(), "copies": len(record.copies)}, key)
        return len(record.copies)

    def _backup(self, record: Record, path: PathLike, passphrase: str | None) -> bytes:
        if not Path(path).exists():
            raise Problem(f"There is no backup at {path}.")
        key = keystore.decrypt_key(path, record.created["ledger"], keystore.get_passphrase(passphrase))
        self._check_mark(record, key)
        return key

    def withdraw(self, confirmation: str, *, by: str | None = None) -> None:
        """Destroy the key, after the words of `CONFIRMATION`: no more copies, ever; the record stays."""
        if confirmation != CONFIRMATION:
            raise Problem(f"To destroy the key, confirm with the words “{CONFIRMATION}”; nothing was done.")
        with self._writing() as (record, key):
            with self._store.writing():
                self._store.add("withdrawn", {"by": by or creating.user()}, key)
            keystore.forget(record.created["store"], self.folder, record.created["ledger"])
            self._key = None

    # ------------------------------------------------------------------ inside
    @contextlib.contextmanager
    def _writing(self) -> Iterator[tuple[Record, bytes]]:
        """The lock, the record after recovery, and the key."""
        with lock.hold(self.folder, self._wait):
            record, key = self._reading()
            make_private(self.folder)
            for left in self.folder.glob(".*.new"):  # of a write that was killed; the whole file stands beside it
                left.unlink()
            try:
                self.notes = issuing.recover(self._store, key, record)
            except OSError as error:
                raise from_os_error(error, "an interrupted copy") from None
            yield (self.record if self.notes else record), key

    def _reading(self) -> tuple[Record, bytes]:
        """The record with its seals checked, and the key."""
        record = self.record
        self._refuse_withdrawn(record)
        if self._key is None:
            key = keystore.load(record.created["store"], self.folder, record.created["ledger"], self._passphrase)
            self._check_mark(record, key)
            self._key = key
        self._store.check_seal(self._key)
        return Record(self._store.events(self._key)), self._key

    def _refuse_withdrawn(self, record: Record) -> None:
        if record.withdrawn:
            # A crash may have come between the entry and the end of the key.
            keystore.forget(record.created["store"], self.folder, record.created["ledger"])
            raise Problem(
                f"This ledger was withdrawn on {record.withdrawn[:10]}: its key is destroyed, the record stays."
            )

    def _check_mark(self, record: Record, key: bytes) -> None:
        if keystore.mark(key) != record.created["mark"]:
            raise Problem("This is the key of another ledger.")


def _write(out: PathLike | None, text: str, what: str) -> str:
    """The text, which is also written to `out` if that is a place."""
    if out is not None:
        write_durably(writing.check_folder(out), text.encode(), what, mode=0o666)
    return text
