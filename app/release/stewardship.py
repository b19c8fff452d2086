"""What a steward does besides making copies: rules and approvals, new rows, a file that was found, the key.

Each view asks its `Steward` to do something with the ledger that is open, beside the server's loop.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Protocol

import panel as pn

from trustscope.app.release.job import Job
from trustscope.app.release.telling import without_paths
from trustscope.app.serving.budget import BudgetMet, visitor
from trustscope.release import Problem
from trustscope.release.ledger import CONFIRMATION
from trustscope.release.words import rules as sentences
from trustscope.scenarios.release import help as texts
from trustscope.scenarios.release import words
from trustscope.scenarios.release.result import ReleaseResult
from trustscope.scenarios.release.scenario import Request
from trustscope.widgets.controls.dropper import Dropper
from trustscope.widgets.controls.give import Give
from trustscope.widgets.controls.inputs import textbox
from trustscope.widgets.controls.secret import Secret
from trustscope.widgets.controls.task import Task
from trustscope.widgets.frame.card import Card, heading

MOST_FOUND = 50_000_000  # bytes of a found file
MOST_BACKUP = 10_000  # bytes of a backup of a key


def _task(label: str, text: str) -> Task:
    return Task(label=label, start_text=text, stop_text="Cancel", bare=True, margin=(4, 0, 8, 0))


class Steward(Protocol):
    """Whoever can be asked to do something with the ledger that is open: the page."""

    @property
    def request(self) -> Request:
        """The copy that is considered."""

    def do(self, job: Job, call: Callable[..., Any], said: Callable[[Any], str]) -> None:
        """Do `call(ledger, passphrase, by, progress=, cancel=)` in a thread, show the ledger anew, and say `said`."""


class _View(pn.viewable.Viewer):
    """A card with tasks."""

    card: Card

    def __init__(self, steward: Steward):
        super().__init__()
        self._steward = steward
        self._jobs: dict[Task, Job] = {}

    def _on(self, task: Task, what: str, call: Callable[..., Any], said: Callable[[Any], str]) -> None:
        """When the task's button is pressed, `call()` gives what to do with the ledger, or raises what is missing."""
        job = self._jobs[task] = Job(task, what)

        def pressed(event):
            try:
                todo = call()
            except Problem as problem:
                task.text = without_paths(problem)
                return
            self._steward.do(job, todo, said)

        task.param.watch(pressed, "starts")

    def __panel__(self):
        return self.card.__panel__()


class RulesView(_View):
    """The rules for copies, and the approval of a second person."""

    def __init__(self, steward: Steward):
        super().__init__(steward)
        self.floor = textbox("Strongest attacker's error not below, in %", "", max_length=8)
        self.worst = textbox("Nobody guessed more often than, in %", "", max_length=8)
        self.mu = textbox("mu of a standard deviation at most", "", max_length=8)
        self.hits = textbox(
            "Most people guessed, in %", "", max_length=1_000, placeholder="wage = 1000:30, region = 40"
        )
        self.approval = textbox("Above this a second person must approve, in %", "", max_length=8)
        self.ceilings = textbox("Most for a recipient, in %", "", max_length=1_000, placeholder="Press = 40, Bank = 60")
        self.groups = textbox("Most for a group, in %", "", max_length=1_000, placeholder="journalists = 30")
        self.set = _task("The rules", "Set these rules")
        self.approve = _task("The approval", words.approving(steward.request))
        self._on(self.set, "Setting the rules", self._rules, lambda policy: words.rules(sentences(policy)))
        self._on(self.approve, "Approving", lambda: _approving(steward.request), words.approved)
        self._policy: Mapping[str, Any] | None = None
        self._boxes = (self.floor, self.worst, self.hits, self.mu, self.approval, self.ceilings, self.groups)
        self.card = Card(
            "Rules", *self._boxes, self.set, heading("A second person's approval"), self.approve, help_text=texts.RULES
        )

    def _rules(self):
        rules = words.rules_read(*(box.value or "" for box in self._boxes))
        return lambda ledger, *known, progress, cancel: ledger.set_policy(rules, *known)

    def show_picture(self, picture: ReleaseResult, model=None):
        """The rules as they are; what is being typed stays until they change."""
        self.card.say(escape(words.rules(picture.rules)))
        self.approve.start_text = words.approving(self._steward.request)
        if picture.policy != self._policy:
            self._policy = picture.policy
            for box, text in zip(self._boxes, words.rules_written(picture.policy), strict=True):
                box.value = text


def _approving(request):
    if not request.to.strip():
        raise Problem("Name the recipient of the copy first.")
    return lambda ledger, *known, progress, cancel: ledger.approve(request, *known)


class RowsView(_View):
    """New rows behind the old ones."""

    def __init__(self, steward: Steward):
        super().__init__(steward)
        self.task = _task("New rows", "Take in new rows")
        self._on(self.task, "Reading the data", self._append, words.grown)
        self.card = Card("New rows", self.task, help_text=texts.ROWS)

    def _append(self):
        return lambda ledger, *known, **how: ledger.append(*known, **how)

    def show_picture(self, picture: ReleaseResult, model=None):
        """How many there are."""
        self.card.say(escape(words.rows(picture)))


class FoundView(_View):
    """Whose copy a found file is."""

    def __init__(self, steward: Steward):
        super().__init__(steward)
        self._budget = visitor()
        self._claim = self._budget.claim()
        self.dropper = Dropper(
            label="Drop the file that was found (CSV or Parquet), or browse.", accept=".csv,.parquet", most=MOST_FOUND,
            may_keep=self._claim.refusal,
        )  # fmt: skip
        self.task = _task("The comparison", "Whose is it?")
        self._file: tuple[str, bytes] | None = None
        self.dropper.param.watch(lambda event: self._forget(), "started")
        self.dropper.param.watch(self._received, "file")
        self.dropper.param.watch(lambda event: event.new and self._say(words.too_large(*event.new)), "refused")
        self.dropper.param.watch(lambda event: event.new and self._say(event.new), "declined")
        self._on(self.task, "Comparing", self._whose, words.whose)
        self.card = Card("A found file", self.dropper, self.task, help_text=texts.FOUND)

    def _forget(self):
        self._file = None  # of two files only the one that arrives is kept

    def _received(self, event):
        if not event.new:
            return
        try:
            self._budget.upload(len(event.new[1]))
        except BudgetMet as met:
            self._claim.free()
            self._say(str(met))
            return
        self._file = event.new
        self._say(f"{event.new[0]} is here.")

    def _say(self, text):
        if not self.task.running:
            self.task.text = text

    def _whose(self):
        if self._file is None:
            raise Problem("Drop the file that was found first.")
        name, content = self._file
        return lambda ledger, *known, **how: ledger.whose(name, content, *known, **how)

    def show_picture(self, picture: ReleaseResult, model=None):
        """What it would be compared with."""
        self.card.say(escape(words.compared(picture)))


class KeyView(_View):
    """A backup of the key, the proof that it opens, and the end of the ledger."""

    def __init__(self, steward: Steward):
        super().__init__(steward)
        self.secret = Secret(label="Passphrase of the backup", margin=(0, 0, 4, 0))
        self.give = Give(text="Download the backup", disabled=True, margin=(0, 0, 12, 0))
        self.backup = _task("The backup", "Make a backup of the key")
        self.dropper = Dropper(label="Drop a backup to prove it, or browse.", accept=".json", most=MOST_BACKUP)
        self.drill = _task("The proof", "Prove this backup")
        self.typed = textbox(f"To destroy the key, type “{CONFIRMATION}”", "", max_length=40)
        self.withdraw = _task("The end", "Destroy the key")
        self._file: bytes | None = None
        self._made: bytes | None = None
        self._on(self.backup, "Making the backup", self._backup, self._give)
        self._on(self.drill, "Proving the backup", self._drill, words.drilled)
        self._on(self.withdraw, "Destroying the key", self._withdraw, words.destroyed)
        self.dropper.param.watch(self._received, "file")
        self.give.param.watch(
            lambda event: self.give.give("ledger-key.json", self._made) if self._made else None, "clicks"
        )
        self.card = Card(
            "The key",
            self.secret, heading("Back it up"), self.backup, self.give,
            heading("Prove a backup"), self.dropper, self.drill,
            heading("End the ledger"), self.typed, self.withdraw,
            help_text=texts.KEY,
        )  # fmt: skip

    def _received(self, event):
        if event.new:
            self._file = event.new[1]
            self.drill.text = f"{event.new[0]} is here; give its passphrase above."

    def _taken(self) -> str:
        if not self.secret.text():
            raise Problem("Give the passphrase of the backup first: it is not that of the ledger.")
        return self.secret.text()

    def _backup(self):
        passphrase = self._taken()
        return lambda ledger, *known, progress, cancel: ledger.backup(passphrase, *known)

    def _give(self, content):
        self._made, self.give.disabled = content, False
        self.secret.forget()
        return "The backup is made, and recorded: download it, keep it elsewhere, and prove it now and then."

    def _drill(self):
        if self._file is None:
            raise Problem("Drop the backup first.")
        content, passphrase = self._file, self._taken()
        return lambda ledger, *known, progress, cancel: ledger.drill(content, passphrase, *known)

    def _withdraw(self):
        typed, self.typed.value = (self.typed.value or "").strip(), ""
        return lambda ledger, *known, progress, cancel: ledger.withdraw(typed, *known)

    def show_picture(self, picture: ReleaseResult, model=None):
        """Where the key is."""
        self.card.say(escape(words.key(picture)))
