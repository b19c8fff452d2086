"""One ledger as the page uses it: pictures of it, copies, checks, reports. Every call is for a thread of its own."""

import contextlib
import re
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from trustscope import datasets
from trustscope.app.release.telling import without_paths
from trustscope.release import Ledger, Problem
from trustscope.release import words as release_words
from trustscope.release.digests import whole_file
from trustscope.release.kept import sentences
from trustscope.release.problems import from_os_error
from trustscope.release.recipe import Recipe
from trustscope.release.types import Rules
from trustscope.scenarios.preparation.words import noticed
from trustscope.scenarios.release.result import Considered, ReleaseResult
from trustscope.scenarios.release.scenario import ReleaseScenario, Request, Settings

MOST_GIVEN = 20_000_000  # bytes of a file that the page hands over; larger ones are fetched from the server
COPIES = "copies"  # the folder within a ledger's in which the page puts copies


class Opened:
    """A ledger that is looked at.

    Long calls open the ledger anew, so that it can be looked at while they work, and so that a key is held no longer
    than they last.

    Parameters
    ----------
    ledger : Ledger
        For looking: it is never given a passphrase.
    title : str
    rehearsal : bool
    """

    def __init__(self, ledger: Ledger, title: str, *, rehearsal: bool = False):
        self.ledger, self._lock = ledger, threading.Lock()
        self.title, self.rehearsal = title, rehearsal
        self.folder = ledger.folder
        created = ledger.record.created
        self.store = created["store"]
        roles = created["recipe"]["roles"]
        self.numbers, self.categories = tuple(roles["numbers"]), tuple(roles["categories"])
        self._kept = tuple(roles["keep"])
        self._places = self.folder, Path(ledger.record.data["path"])
        self._noticed: tuple[str, tuple] | None = None

    @classmethod
    def at(cls, folder: Path) -> "Opened":
        """The ledger in a folder."""
        return cls(Ledger.open(folder), folder.name)

    @property
    def locked(self) -> bool:
        """Whether its key needs a passphrase."""
        return self.store == "file"

    def told(self, sentence: object) -> str:
        """A sentence as a page says it: without where the ledger and its data lie."""
        return without_paths(sentence, self._places)

    # Looking

    def picture(self, scenario: ReleaseScenario) -> ReleaseResult:
        """What is out, and what the request would change."""
        with self._lock:
            record = self.ledger.record
            return ReleaseResult(
                scenario=scenario, title=self.title, rehearsal=self.rehearsal, rows=record.data["rows"],
                numbers=self.numbers, categories=self.categories,
                size=Recipe.from_record(record.created["recipe"]).size,
                copies=tuple(record.copies), coalitions=tuple(self.ledger.coalitions()), events=tuple(record.events),
                head=record.head, policy=record.policy, withdrawn=record.withdrawn, store=self.store,
                considered=self._considered(scenario.settings), risk=self.ledger.known_risk(),
                rules=tuple(release_words.rules(record.policy)), known=tuple(self._kept),
                singled_out=() if self.ledger.kept is None else tuple(sentences(self.ledger.kept)),
                noticed=self._look_at(record.data["digest"]),
            )  # fmt: skip

    def _look_at(self, digest):
        """What stands out in the numbers, looked for once as long as the data stay as they are."""
        if self._noticed is None or self._noticed[0] != digest:
            self._noticed = digest, tuple(noticed(self.ledger.numbers()))
        return self._noticed[1]

    def _considered(self, settings: Settings) -> Considered | None:
        asked = settings.request
        to = " ".join(asked.to.split())
        if not to:
            return None
        try:
            answer = self.ledger.answer(
                to, asked.trust, asked.retention, by=settings.by or None, group=settings.group,
                order=settings.carried.order, measure=False,
            )  # fmt: skip
            coalitions = self.ledger.what_if(to, asked.trust, asked.retention)
            risk = self.ledger.known_risk(to, asked.trust, asked.retention)
        except Problem as problem:
            return Considered(to, problem=self.told(problem))
        return Considered(
            to, asked.trust, asked.retention, tuple(coalitions), answer.refusals, answer.notes, answer.held, risk=risk
        )

    def measure(self, settings: Settings, *, progress=None, cancel=None) -> None:
        """Work out what the strongest attacker gets from what is out, and would with the copy that is considered."""
        asked, to = settings.request, " ".join(settings.request.to.split())
        with Ledger.open(self.folder) as ledger:
            ledger.risk(progress=progress, cancel=cancel)
            if to:
                ledger.risk(to, asked.trust, asked.retention, progress=progress, cancel=cancel)
                ledger.answer(to, asked.trust, asked.retention, by=settings.by or None, group=settings.group)

    def report(self) -> str:
        """The document for a board, with what has been measured: nothing is measured for it."""
        with self._lock:
            return self.ledger.report(measure=False)

    def file(self, number: int) -> tuple[str, bytes]:
        """The name and the content of an issued copy's file, if it is still what was issued."""
        with self._lock:
            copy = next((one for one in self.ledger.copies if one.number == number), None)
        path = None if copy is None else Path(copy.out)
        if copy is None or path is None or not path.is_file():
            raise Problem("The file of this copy is no longer where it was written; make the same copy again.")
        if path.stat().st_size > MOST_GIVEN:
            raise Problem(f"The file is too large to be sent to a browser; fetch {path.name} on the server.")
        if whole_file(path) != copy.sha256:
            raise Problem("The file is not the copy that was issued: it has been changed. Make the same copy again.")
        return path.name, path.read_bytes()

    # Working

    def copy(self, settings: Settings, passphrase: str, *, progress=None, cancel=None):
        """Make the copy that is asked for; returns it, and what was found left over from an interrupted one."""
        asked = settings.request
        with self._with_key(passphrase) as ledger:
            made = ledger.copy(
                asked.to, asked.trust, asked.retention, out=self._place(asked.to, settings.form),
                purpose=asked.purpose, contact=asked.contact, expires=asked.until, by=settings.by or None,
                group=settings.group, order=settings.carried.order, progress=progress, cancel=cancel,
            )  # fmt: skip
            return made, tuple(ledger.notes)

    def check(self, passphrase: str, *, progress=None, cancel=None):
        """Check everything that can be; a list of findings."""
        with self._with_key(passphrase) as ledger:
            found = ledger.check(progress=progress, cancel=cancel)
        return [replace(one, sentence=self.told(one.sentence)) for one in found]

    # What a steward does besides: the passphrase, and who does it

    def set_policy(self, rules: dict, passphrase: str, by: str) -> Rules:
        """Set the rules for copies; gives them back as they stand."""
        with self._with_key(passphrase) as ledger:
            # What the page has no box for stays.
            others = {
                name: value for name, value in ledger.policy.items() if name in ("purpose", "contact", "days", "order")
            }
            ledger.set_policy(others | rules, by=by or None)
            return ledger.policy

    def approve(self, request: Request, passphrase: str, by: str) -> str:
        """Approve a copy that somebody else wants to issue; gives its recipient back."""
        with self._with_key(passphrase) as ledger:
            ledger.approve(request.to, request.trust, request.retention, by=by or None)
        return " ".join(request.to.split())

    def append(self, passphrase: str, by: str, *, progress=None, cancel=None) -> int:
        """Take in new rows from where the data are; how many."""
        with self._with_key(passphrase) as ledger:
            return ledger.append(by=by or None, progress=progress, cancel=cancel)

    def whose(self, name: str, content: bytes, passphrase: str, by: str, *, progress=None, cancel=None):
        """Whose copy a found file is; it is read as an upload is, where it can do no harm."""
        try:
            found = datasets.columns(content, name)
        except datasets.DataProblem as problem:
            raise Problem(str(problem)) from None
        with self._with_key(passphrase) as ledger:
            return ledger.whose(found, progress=progress, cancel=cancel)

    def backup(self, secret: str, passphrase: str, by: str) -> bytes:
        """A backup of the key under a passphrase of its own."""
        with self._with_key(passphrase) as ledger, tempfile.TemporaryDirectory() as folder:
            ledger.export_key(Path(folder) / "key.json", passphrase=secret, by=by or None)
            return (Path(folder) / "key.json").read_bytes()

    def drill(self, content: bytes, secret: str, passphrase: str, by: str) -> int:
        """Prove that a backup opens, and makes the noise of all copies; how many."""
        with Ledger.open(self.folder) as ledger, _lying(content, "backup.json") as path:
            return ledger.drill(path, passphrase=secret, by=by or None)

    def withdraw(self, confirmation: str, passphrase: str, by: str) -> None:
        """Destroy the key."""
        with self._with_key(passphrase) as ledger:
            ledger.withdraw(confirmation, by=by or None)

    def _with_key(self, passphrase: str) -> Ledger:
        # Without one the key store would look for it in the environment, or ask at the server's terminal.
        if self.locked and not passphrase:
            raise Problem("The key of this ledger needs its passphrase: type it first.")
        return Ledger.open(self.folder, passphrase=passphrase if self.locked else None)

    def _place(self, to: str, form: str) -> Path:
        """A new file in the ledger's folder; of the recipient's name only plain letters and digits are used."""
        place = self.folder / COPIES
        try:
            place.mkdir(exist_ok=True)
        except OSError:
            raise Problem("The folder of the ledger cannot be written to; change its rights on the server.") from None
        plain = re.sub(r"[^a-z0-9]+", "-", to.lower()).strip("-")[:40] or "copy"
        numbers = (f"-{number}" if number > 1 else "" for number in range(1, 1_000_000))
        return next(path for n in numbers if not (path := place / f"{plain}{n}.{form}").exists())


@contextlib.contextmanager
def _lying(content: bytes, name: str) -> Iterator[Path]:
    """What a browser sent as a file, which is gone afterwards; nobody else can read it, and its name is ours."""
    with tempfile.TemporaryDirectory(prefix="trustscope-sent-") as folder:
        path = Path(folder) / name
        try:
            path.write_bytes(content)
        except OSError as error:
            raise from_os_error(error, "the file that was sent") from None
        yield path
