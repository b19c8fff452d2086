"""`trustscope release ...`: make copies for real, and record who got them."""

import json
import sys

EXAMPLES = """examples:
  trustscope release init LEDGER --data survey.parquet --numbers age,income --categories region --keep year --drop name
  trustscope release copy LEDGER --to "Ministry" --trust 60 --retention 40 --out ministry.parquet
  trustscope release list LEDGER
  trustscope release check LEDGER
  trustscope release whose LEDGER found.csv
  trustscope release report LEDGER -o report.html

The passphrase of the ledger's key is asked for, or taken from TRUSTSCOPE_PASSPHRASE; never from the command line.
"""


def add_parser(commands):
    """Add `release` and its own commands to the commands of `trustscope`."""
    import argparse

    parser = commands.add_parser(
        "release", help="make copies of your data for real, and record who got them",
        description="Make copies of data for real, and record who got them in a ledger (a folder).",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for add in (_add_init, _add_copy, _add_append, _add_looking, _add_rules, _add_key):
        add(actions)


def _action(actions, name, text):
    one = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    one.add_argument("ledger", metavar="LEDGER", help="folder of the ledger")
    one.add_argument("--by", help="who does this (default: the name you are logged in with)")
    one.add_argument("--quiet", action="store_true", help="no progress")
    return one


def _add_init(actions):
    one = _action(actions, "init", "create a ledger for a dataset")
    one.add_argument("--data", required=True, help="a CSV file, a Parquet file or a folder of Parquet files")
    for role, text in (
        ("numbers", "columns to perturb as numbers"), ("categories", "columns to perturb as categories"),
        ("keep", "columns to carry along as they are"), ("drop", "columns to leave out"),
    ):  # fmt: skip
        one.add_argument(f"--{role}", default="", metavar="A,B", help=text)
    one.add_argument("--grid", action="append", default=[], metavar="COLUMN=STEP",
                     help="what a column is rounded to (default: the decimals that the data has)")  # fmt: skip
    one.add_argument("--domain", action="append", default=[], metavar="COLUMN=A,B",
                     help="categories that later rows may have")  # fmt: skip
    one.add_argument("--key-store", choices=("system", "file"), help="where the key is kept (default: system if any)")


def _add_copy(actions):
    one = _action(actions, "copy", "make a copy and record who got it")
    _request(one)
    one.add_argument("--out", required=True, help="a .parquet file, a .csv file, or a folder (no ending)")
    one.add_argument("--purpose", default="", help="what the copy is for")
    one.add_argument("--data", help="where the data is, if it was moved")
    one.add_argument("--threads", type=int, help="at most so many at once (default: all processors)")
    one.add_argument("--workers", type=int, help="so many processes of Dask on this machine")
    one.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, at tls:// or on this machine")


def _request(one):
    one.add_argument("--to", required=True, help="the recipient")
    one.add_argument("--trust", type=float, help="for numbers, in per cent")
    one.add_argument("--retention", type=float, help="for categories, in per cent")
    one.add_argument("--group", default="", help="the recipient's group in the policy")


def _add_append(actions):
    one = _action(actions, "append", "take in new rows behind the old ones")
    one.add_argument("--data", help="where old and new rows are (default: where the old ones were)")


def _add_looking(actions):
    _action(actions, "list", "who holds what, since when, and what each coalition could do with it")
    one = _action(actions, "check", "check the chain, the digests, the data and the generator")
    one.add_argument("--data", help="where the data is, if it was moved")
    one = _action(actions, "whose", "tell whose copy a found file is")
    one.add_argument("found", metavar="FILE", help="the found file, CSV or Parquet")
    one.add_argument("--data", help="where the data is, if it was moved")
    one = _action(actions, "report", "write everything on one page of HTML")
    one.add_argument("-o", "--out", default="report.html", help="the file to write (default: report.html)")
    _request(_action(actions, "what-if", "what coalitions could do with one more copy, and what the policy says"))


def _add_rules(actions):
    one = _action(actions, "policy", "show the rules for copies, or set them")
    one.add_argument("--floor", type=float, help="no coalition's error below this, in per cent")
    one.add_argument("--approval", type=float, help="above this trust a second person must approve, in per cent")
    one.add_argument("--ceiling", action="append", default=[], metavar="NAME=TRUST", help="most for a recipient")
    one.add_argument("--group-ceiling", action="append", default=[], metavar="NAME=TRUST", help="most for a group")
    one.add_argument("--clear", action="store_true", help="set no rules at all")
    _request(_action(actions, "approve", "approve a copy that somebody else wants to issue"))


def _add_key(actions):
    one = _action(actions, "export-key", "write a backup of the key, encrypted under its own passphrase")
    one.add_argument("out", metavar="FILE")
    one = _action(actions, "import-key", "take the key from a backup")
    one.add_argument("backup", metavar="FILE")
    one = _action(actions, "drill", "prove that a backup of the key opens and makes the same noise")
    one.add_argument("backup", metavar="FILE")
    one = _action(actions, "withdraw", "destroy the key: no further copies ever, the record stays")
    one.add_argument("--confirm", metavar="WORDS", help="the words that confirm it (default: asked for)")


def run(args) -> int:
    """Do what the command line says; 0 if it was done, 1 if a check failed, 2 with a sentence if it was refused."""
    from trustscope.release import Cancelled, Problem

    try:
        return _ACTIONS[args.action](args) or 0
    except (Problem, Cancelled) as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ntrustscope: called off; nothing of it is left behind.", file=sys.stderr)
        return 130


def _open(args):
    from trustscope.release import Ledger

    return Ledger.open(args.ledger, data=getattr(args, "data", None))


def _names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def _pairs(texts, option):
    from trustscope.release import Problem

    pairs = [text.partition("=") for text in texts]
    if wrong := next((text for text, (_, equal, _) in zip(texts, pairs, strict=True) if not equal), None):
        raise Problem(f"{option} takes NAME=VALUE, not “{wrong}”.")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _progress(args, what):
    """A function that shows how far something is, on a terminal only."""
    if args.quiet or not sys.stderr.isatty():
        return None

    def show(done, total):
        share = f"{100 * done // total:3d} %" if total else f"{done:,} rows"
        print(f"\r{what}: {share}", end="\n" if done == total else "", file=sys.stderr, flush=True)

    return show


def _init(args):
    from trustscope.release import Ledger

    domains = {name: _names(values) for name, values in _pairs(args.domain, "--domain").items()}
    with Ledger.create(
        args.ledger, args.data, numbers=_names(args.numbers), categories=_names(args.categories),
        keep=_names(args.keep), drop=_names(args.drop), grids=_pairs(args.grid, "--grid"), domains=domains,
        store=args.key_store, by=args.by, progress=_progress(args, "Reading"),
    ) as ledger:  # fmt: skip
        record = ledger.record
        print(f"A ledger for {record.data['rows']:,} rows is at {ledger.folder}.")
        for name, grid in zip(
            record.created["recipe"]["roles"]["numbers"], record.created["recipe"]["grids"], strict=True
        ):
            print(f"{name} is rounded to multiples of {grid}.")
        for note in record.created["recipe"]["notes"]:
            print(note)
        print(f"The key is kept in the store “{record.created['store']}”; make a backup with export-key.")


def _copy(args):
    with _open(args) as ledger:
        copy = ledger.copy(
            args.to, args.trust, args.retention, out=args.out, purpose=args.purpose, by=args.by, group=args.group,
            threads=args.threads, workers=args.workers, scheduler=args.scheduler, progress=_progress(args, "Making"),
        )  # fmt: skip
        _say([*ledger.notes, *copy.notes])
        print(f"The copy for “{copy.to}” ({copy.describe()}) is at {copy.out}.")
        print(f"SHA-256 {copy.sha256}")


def _append(args):
    with _open(args) as ledger:
        rows = ledger.append(args.data, by=args.by, progress=_progress(args, "Reading"))
        _say(ledger.notes)
        print(f"{rows:,} rows were added.")


def _list(args):
    with _open(args) as ledger:
        record = ledger.record
        for name, copies in ledger.holders().items():
            for copy in copies:
                print(f"{name}: {copy.describe()}, since {copy.time[:10]}{', ' + copy.purpose if copy.purpose else ''}")
        _pooled(ledger.coalitions())
        print(f"Head of the chain after {len(record.events)} events: {record.head}")


def _pooled(coalitions):
    for one in coalitions:
        said = []
        if one.error is not None:
            said.append(f"error {100 * one.error:.1f} % of the variance (rounding may hide up to {one.rounding:.2g})")
        if one.wrong is not None:
            said.append(f"{100 * one.wrong:.1f} % of categories wrong")
        print(f"{' + '.join(one.members)}: {', '.join(said)}")


def _check(args):
    with _open(args) as ledger:
        findings = ledger.check(progress=_progress(args, "Reading"))
    for one in findings:
        print(f"{'ok    ' if one.holds else 'BROKEN'} {one.name}: {one.sentence}")
    return 0 if all(one.holds for one in findings) else 1


def _whose(args):
    with _open(args) as ledger:
        verdict = ledger.whose(args.found, progress=_progress(args, "Comparing"))
    print(f"{verdict.rows:,} rows compared in {', '.join(verdict.columns)}.")
    print(verdict.sentence)


def _report(args):
    with _open(args) as ledger:
        ledger.report(args.out)
        print(f"The report is at {args.out}; head of the chain {ledger.head}.")


def _what_if(args):
    with _open(args) as ledger:
        answer = ledger.answer(args.to, args.trust, args.retention, by=args.by, group=args.group)
        _pooled(ledger.what_if(args.to, args.trust, args.retention))
    _say([*answer.refusals, *answer.notes])
    return 0 if answer.allowed else 1


def _policy(args):
    rules = {"floor": args.floor, "approval": args.approval, "ceilings": _pairs(args.ceiling, "--ceiling"),
             "groups": _pairs(args.group_ceiling, "--group-ceiling")}  # fmt: skip
    with _open(args) as ledger:
        if args.clear or any(value not in (None, {}) for value in rules.values()):
            ledger.set_policy({} if args.clear else _joined(ledger.policy, rules), by=args.by)
        print(json.dumps(ledger.policy, ensure_ascii=False, sort_keys=True))


def _joined(old, new):
    """Rules with those that were given put in; a limit that was not named again stays, and 0 is a limit too."""
    rules = {**old, **{name: value for name, value in new.items() if value is not None}}
    return rules | {name: {**old.get(name, {}), **new[name]} for name in ("ceilings", "groups")}


def _approve(args):
    with _open(args) as ledger:
        ledger.approve(args.to, args.trust, args.retention, by=args.by)
    print("Approved.")


def _export(args):
    from trustscope.release.keystore import spoken

    with _open(args) as ledger:
        ledger.export_key(args.out, passphrase=spoken(new=True, variable="TRUSTSCOPE_BACKUP_PASSPHRASE"), by=args.by)
    print(f"The backup is at {args.out}; prove it with drill.")


def _backup_passphrase():
    from trustscope.release.keystore import spoken

    return spoken(variable="TRUSTSCOPE_BACKUP_PASSPHRASE")


def _import(args):
    with _open(args) as ledger:
        ledger.import_key(args.backup, passphrase=_backup_passphrase(), by=args.by)
    print("The key was imported, under the backup's passphrase.")


def _drill(args):
    with _open(args) as ledger:
        count = ledger.drill(args.backup, passphrase=_backup_passphrase(), by=args.by)
    print(f"The backup opens, and makes the noise of all {count} copies again.")


def _withdraw(args):
    from trustscope.release.ledger import CONFIRMATION

    words = args.confirm
    if words is None:
        words = input(f"The key will be destroyed. Type “{CONFIRMATION}” to go on: ")
    with _open(args) as ledger:
        ledger.withdraw(words, by=args.by)
    print("The key is destroyed. The record stays.")


def _say(notes):
    for note in notes:
        print(note)


_ACTIONS = {
    "init": _init, "copy": _copy, "append": _append, "list": _list, "check": _check, "whose": _whose,
    "report": _report, "what-if": _what_if, "policy": _policy, "approve": _approve, "export-key": _export,
    "import-key": _import, "drill": _drill, "withdraw": _withdraw,
}  # fmt: skip
