"""`trustscope release ...`: make copies for real, and record who got them."""

import re
import sys
import time

EXAMPLES = """examples:
  trustscope release init LEDGER --data survey.parquet --numbers age,income --categories region --keep year --drop name
  trustscope release policy LEDGER --contact "data@office.example" --days 365
  trustscope release copy LEDGER --to "Ministry" --trust 60 --retention 40 --purpose "a plan" --out ministry.parquet
  trustscope release list LEDGER
  trustscope release check LEDGER
  trustscope release whose LEDGER found.csv
  trustscope release report LEDGER -o report.html
  trustscope release sheet LEDGER --to "Ministry" -o ministry.html

A name that holds a comma, or begins or ends with a space, stands between double quotes, as in a CSV file:
--numbers 'age,"income, net"'.

The passphrase of the ledger's key is asked for, or taken from TRUSTSCOPE_PASSPHRASE; never from the command line.
"""
SELDOM = 30.0  # seconds from one line on how far something is to the next, where nobody sits before a terminal
# A name may stand between double quotes, and then hold any sign.
_NAME = re.compile(r'\s*+(?:"((?:[^"]|"")*+)"\s*+|((?!")[^,]*+))(?:,|$)')
_PAIR = re.compile(r'(?:"((?:[^"]|"")*)"|((?!")[^=]*))=(.*)', re.DOTALL)


def add_parser(commands):
    """Add `release` and its own commands to the commands of `trustscope`."""
    import argparse

    parser = commands.add_parser(
        "release", help="make copies of your data for real, and record who got them",
        description="Make copies of data for real, and record who got them in a ledger (a folder).",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for add in (_add_fetch, _add_init, _add_copy, _add_append, _add_looking, _add_rules, _add_key):
        add(actions)


def _action(actions, name, text, *, writes=False):
    one = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    one.add_argument("ledger", metavar="LEDGER", help="folder of the ledger")
    one.add_argument("--by", help="who does this (default: the name you are logged in with)")
    one.add_argument("--quiet", action="store_true", help="no progress")
    if writes:
        one.add_argument("--wait", type=float, default=0, metavar="SECONDS",
                         help="wait so long for another program that writes to the ledger (default: 0)")  # fmt: skip
    return one


def _add_fetch(actions):
    text = "read a table of a database once, and write it to a Parquet file for init"
    one = actions.add_parser("fetch", help=text, description=text[0].upper() + text[1:] + ".")
    where = one.add_mutually_exclusive_group(required=True)
    where.add_argument("--sqlite", metavar="FILE", help="a SQLite database")
    where.add_argument("--duckdb", metavar="FILE", help="a DuckDB database")
    where.add_argument("--adbc", metavar="DRIVER", help="a driver of ADBC, such as adbc_driver_postgresql")
    one.add_argument("--uri", help="with --adbc: where the database is (default: from TRUSTSCOPE_DATABASE)")
    what = one.add_mutually_exclusive_group(required=True)
    what.add_argument("--table", help="the table to read")
    what.add_argument("--query", help="the SQL to read by; order the rows, so that they come the same next time")
    one.add_argument("--out", required=True, help="the Parquet file to write")


def _add_init(actions):
    one = _action(actions, "init", "create a ledger for a dataset")
    one.add_argument("--data", required=True,
                     help="a CSV file, a Parquet file, a folder of Parquet files or a partitioned dataset")  # fmt: skip
    one.add_argument("--group", metavar="COLUMN", help="a kept column that names the household of each row")
    one.add_argument("--shared", default="", metavar="A,B",
                     help="perturbed columns that a household shares: one noise for all its members")  # fmt: skip
    one.add_argument("--no-header", action="store_true", help="a CSV file whose columns are to be called c1, c2, ...")
    for role, text in (
        ("numbers", "columns to perturb as numbers"), ("categories", "columns to perturb as categories"),
        ("keep", "columns to carry along as they are"), ("drop", "columns to leave out"),
        ("dates", "columns of a CSV file that are dates, to perturb as numbers of days"),
    ):  # fmt: skip
        one.add_argument(f"--{role}", default="", metavar="A,B", help=text)
    one.add_argument("--grid", action="append", default=[], metavar="COLUMN=STEP",
                     help="what a column is rounded to (default: the decimals that the data has)")  # fmt: skip
    one.add_argument("--before", action="append", default=[], metavar="COLUMN=STEP",
                     help="done to a number before the noise: top:1%%, bottom:0, logarithm, round:5")  # fmt: skip
    one.add_argument("--accept-unique", action="store_true",
                     help="accept that kept columns single people out; it stands in the record")  # fmt: skip
    one.add_argument("--domain", action="append", default=[], metavar="COLUMN=A,B",
                     help="categories that later rows may have")  # fmt: skip
    one.add_argument("--key-store", choices=("system", "file"), help="where the key is kept (default: system if any)")


def _add_copy(actions):
    one = _action(actions, "copy", "make a copy and record who got it", writes=True)
    _request(one)
    one.add_argument("--out", required=True, help="a .parquet file, a .csv file, or a folder (no ending)")
    one.add_argument("--purpose", default="", help="what the copy is for (needed, unless the policy has a default)")
    one.add_argument("--contact", default="", help="whom to ask about it (needed, unless the policy has a default)")
    one.add_argument("--until", default="", metavar="DAY",
                     help="last day of its use, such as 2027-12-31 (needed, unless the policy has days)")  # fmt: skip
    one.add_argument("--again", action="store_true",
                     help="make it although somebody else holds the same bytes (default: asked for)")  # fmt: skip
    one.add_argument("--fingerprint", action="store_true",
                     help="add a tiny perturbation of the recipient's own, to name them in a found file")  # fmt: skip
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
    one = _action(actions, "append", "take in new rows behind the old ones", writes=True)
    one.add_argument("--data", help="where old and new rows are (default: where the old ones were)")


def _add_looking(actions):
    _action(actions, "list", "who holds what, since when, and what the strongest attacker gets from it")
    one = _action(actions, "check", "check the chain, the digests, the data and the generator")
    one.add_argument("--data", help="where the data is, if it was moved")
    one = _action(actions, "whose", "tell whose copy a found file is")
    one.add_argument("found", metavar="FILE", help="the found file, CSV or Parquet")
    one.add_argument("--data", help="where the data is, if it was moved")
    one = _action(actions, "report", "write the document for a board: for a decision, the technical part, the record")
    one.add_argument("-o", "--out", default="report.html", help="the file to write (default: report.html)")
    one = _action(actions, "sheet", "write the sheet that goes with a copy: columns, noise, corrections and a script")
    one.add_argument("--to", required=True, help="the recipient")
    one.add_argument("-o", "--out", default="sheet.html", help="the file to write (default: sheet.html)")
    _request(
        _action(
            actions, "what-if", "what the strongest attacker would get with one more copy, and what the policy says"
        )
    )


def _add_rules(actions):
    one = _action(actions, "policy", "show the rules for copies, or set them", writes=True)
    one.add_argument("--floor", type=float,
                     help="the strongest attacker's error of no column below this, in per cent")  # fmt: skip
    one.add_argument("--worst", type=float, help="nobody's value guessed more often than this, in per cent")
    one.add_argument("--hits", action="append", default=[], metavar="COLUMN=D:SHARE",
                     help="at most SHARE per cent guessed to within D; COLUMN=SHARE for categories")  # fmt: skip
    one.add_argument("--mu", type=float, help="most mu for two values one standard deviation apart")
    one.add_argument("--approval", type=float, help="above this trust a second person must approve, in per cent")
    one.add_argument("--ceiling", action="append", default=[], metavar="NAME=TRUST", help="most for a recipient")
    one.add_argument("--group-ceiling", action="append", default=[], metavar="NAME=TRUST", help="most for a group")
    one.add_argument("--order", default="", metavar="A,B",
                     help="recipients, the most trusted first: nobody gets as much as one before them")  # fmt: skip
    one.add_argument("--purpose", help="of copies for which none is given")
    one.add_argument("--contact", help="whom to ask about copies for which nobody is named")
    one.add_argument("--days", type=int, help="after which copies expire for which no day is given")
    one.add_argument("--clear", action="store_true", help="set no rules at all")
    _request(_action(actions, "approve", "approve a copy that somebody else wants to issue", writes=True))


def _add_key(actions):
    one = _action(actions, "export-key", "write a backup of the key, encrypted under its own passphrase", writes=True)
    one.add_argument("out", metavar="FILE")
    one = _action(actions, "import-key", "take the key from a backup", writes=True)
    one.add_argument("backup", metavar="FILE")
    one = _action(actions, "drill", "prove that a backup of the key opens and makes the same noise", writes=True)
    one.add_argument("backup", metavar="FILE")
    one = _action(actions, "withdraw", "destroy the key: no further copies ever, the record stays", writes=True)
    one.add_argument("--confirm", metavar="WORDS", help="the words that confirm it (default: asked for)")


def run(args) -> int:
    """Do what the command line says; 0 if it was done, 1 if a check failed, 2 with a sentence if it was refused."""
    from trustscope.release import Cancelled, Problem
    from trustscope.release.problems import InUse

    try:
        return _ACTIONS[args.action](args) or 0
    except InUse as problem:
        # A page has no such option, so the problem itself does not speak of it.
        print(f"trustscope: {problem} To wait for it, say --wait SECONDS.", file=sys.stderr)
        return 2
    except (Problem, Cancelled) as problem:
        print(f"trustscope: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ntrustscope: called off; nothing of it is left behind.", file=sys.stderr)
        return 130


def _open(args):
    from trustscope.release import Ledger

    return Ledger.open(args.ledger, data=getattr(args, "data", None), wait=getattr(args, "wait", 0))


def _names(text):
    """The names in a list with commas; quotes are those of a CSV file, and keep the spaces within them."""
    from trustscope.release import Problem

    names, place = [], 0
    while place < len(text):
        found = _NAME.match(text, place)
        if not found:
            raise Problem(
                f"The quotes in {text} do not fit: a name that holds a comma stands between double quotes, and a "
                "double quote within it is written twice."
            )
        quoted, bare = found.groups()
        names.append(bare.strip() if quoted is None else quoted.replace('""', '"'))
        place = found.end()
    return [name for name in names if name]


def _pairs(texts, option):
    from trustscope.release import Problem

    pairs = {}
    for text in texts:
        found = _PAIR.fullmatch(text.strip())
        if not found:
            raise Problem(f"{option} takes NAME=VALUE, not “{text}”.")
        quoted, bare, value = found.groups()
        pairs[bare.strip() if quoted is None else quoted.replace('""', '"')] = value.strip()
    return pairs


def _progress(args, what):
    """A function that shows how far something is: at once on a terminal, elsewhere a line now and then."""
    if args.quiet:
        return None
    terminal, told = sys.stderr.isatty(), time.monotonic()

    def show(done, total):
        nonlocal told
        share = f"{100 * done // total:3d} %" if total else f"{done:,} rows"
        if terminal:
            print(f"\r{what}: {share}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif time.monotonic() - told >= SELDOM:
            told = time.monotonic()
            print(f"{what}: {share.strip()}", file=sys.stderr, flush=True)

    return show


def _fetch(args):
    import os

    from trustscope.release.sources import fetch

    uri = args.uri or os.environ.get("TRUSTSCOPE_DATABASE")
    rows = fetch(
        args.out, sqlite=args.sqlite, duckdb=args.duckdb, adbc=args.adbc, uri=uri, table=args.table, query=args.query
    )  # fmt: skip
    print(f"{rows:,} rows are at {args.out}; create a ledger for it with init.")


def _init(args):
    from trustscope.release import Ledger, steps
    from trustscope.release.kept import sentences

    before = [(name, steps.from_text(text)) for one in args.before for name, text in _pairs([one], "--before").items()]
    domains = {name: _names(values) for name, values in _pairs(args.domain, "--domain").items()}
    with Ledger.create(
        args.ledger, args.data, numbers=_names(args.numbers), categories=_names(args.categories),
        keep=_names(args.keep), drop=_names(args.drop), dates=_names(args.dates), header=not args.no_header,
        group=args.group, shared=_names(args.shared), grids=_pairs(args.grid, "--grid"), domains=domains,
        before=before, accept_unique=args.accept_unique, store=args.key_store, by=args.by,
        progress=_progress(args, "Reading"),
    ) as ledger:  # fmt: skip
        record = ledger.record
        print(f"A ledger for {record.data['rows']:,} rows is at {ledger.folder}.")
        for name, grid in zip(
            record.created["recipe"]["roles"]["numbers"], record.created["recipe"]["grids"], strict=True
        ):
            print(f"{name} is rounded to multiples of {grid}.")
        for name, step in steps.from_record(record.created["recipe"]):
            print(steps.describe(name, step))
        for note in record.created["recipe"]["notes"]:
            print(note)
        if ledger.kept is not None:
            _say(sentences(ledger.kept))
        _say_traits(ledger)
        if others := ledger.for_same_data():
            print(
                f"There is a ledger for the same data at {', '.join(map(str, others))}. The noise of two ledgers is "
                "independent, so whoever pools their copies averages it away: issue copies from one of them only."
            )
        print(f"The key is kept in the store “{record.created['store']}”; make a backup with export-key.")


def _say_traits(ledger):
    """What numbers have that noise does not hide, and what a step before the noise would do about it."""
    from trustscope.scenarios.preparation.words import noticed

    for _, has, helps in noticed(ledger.numbers()):
        print(f"{has} {helps}".rstrip())


def _copy(args):
    with _open(args) as ledger:
        copy = ledger.copy(
            args.to, args.trust, args.retention, out=args.out, purpose=args.purpose, contact=args.contact,
            expires=args.until, by=args.by, group=args.group, fingerprint=args.fingerprint,
            confirm=lambda said: args.again or _yes(said), threads=args.threads, workers=args.workers,
            scheduler=args.scheduler, dashboard=_watch,
            progress=_progress(args, "Making"),
        )  # fmt: skip
        _say([*ledger.notes, *copy.notes])
        print(f"The copy for “{copy.to}” ({copy.describe()}) is at {copy.out}.")
        print(f"SHA-256 {copy.sha256}")


def _yes(said):
    """Whether somebody at the terminal says so; without a terminal nobody does."""
    return sys.stdin.isatty() and input(f"{said} Make it all the same? [y/N] ").strip().lower() in ("y", "yes")


def _watch(address):
    print(f"The workers can be watched at {address}.", file=sys.stderr, flush=True)


def _append(args):
    with _open(args) as ledger:
        rows = ledger.append(args.data, by=args.by, progress=_progress(args, "Reading"))
        _say(ledger.notes)
        print(f"{rows:,} rows were added.")


def _list(args):
    from trustscope.release.terms import is_over

    with _open(args) as ledger:
        record = ledger.record
        for name, copies in ledger.holders().items():
            for copy in copies:
                said = [copy.describe(), f"since {copy.time[:10]}", copy.purpose]
                until = "over since" if is_over(copy.expires) else "until"
                said.append(f"{until} {copy.expires}" if copy.expires else "")
                print(f"{name}: {', '.join(one for one in said if one)}")
        if record.copies:
            _risks_of_what_is_out(args, ledger)
        print(f"Head of the chain after {len(record.events)} events: {record.head}")


def _risks_of_what_is_out(args, ledger):
    from trustscope.release import Problem, words

    try:
        found = ledger.each_risk(progress=_progress(args, "Measuring"))
    except Problem as problem:  # the data may lie on another machine
        print(f"What the strongest attacker gets cannot be measured here: {problem}")
        return
    _told_risks(ledger, [(risk, words.whose_setting(names, place)) for place, (risk, names) in enumerate(found)])


def _told_risks(ledger, found):
    """What the strongest attacker gets at some settings; nothing, and why, where it cannot be worked out."""
    from trustscope.release import words
    from trustscope.release.differential import privacy_losses

    recipe = ledger.recorded_recipe
    print(words.BEST_COPY)
    print(words.attacker(found[0][0], recipe))
    for risk, who in found:
        print(f"Best copies {words.setting(risk.trust, risk.retention)}{f' ({who})' if who else ''}:")
        _say(f"  {words.column(one)}" for one in risk.columns)
        print(f"  {words.reidentification(risk)}")
        _say(f"  {words.privacy_loss(one)}" for one in privacy_losses(recipe, (risk.trust, risk.retention)))


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
    if verdict.named:
        _say(f"  {holder.describe()}" for holder in verdict.holders)


def _report(args):
    with _open(args) as ledger:
        ledger.report(args.out, progress=_progress(args, "Measuring"))
        print(f"The report is at {args.out}; head of the chain {ledger.head}.")


def _sheet(args):
    with _open(args) as ledger:
        ledger.sheet(args.to, args.out)
        print(f"The sheet is at {args.out}.")


def _what_if(args):
    with _open(args) as ledger:
        show = _progress(args, "Measuring")
        now = ledger.risk(progress=show)
        then = ledger.risk(args.to, args.trust, args.retention, progress=show)
        if now == then:
            _told_risks(ledger, [(then, "what is out, and no more with this copy")])
        else:
            _told_risks(ledger, [*([(now, "what is out")] if now else []), (then, "with this copy")])
        answer = ledger.answer(args.to, args.trust, args.retention, by=args.by, group=args.group)
    _say([*answer.refusals, *answer.notes])
    return 0 if answer.allowed else 1


def _policy(args):
    from trustscope.release import Problem, words

    rules = {"floor": args.floor, "approval": args.approval, "worst": args.worst, "mu": args.mu,
             "purpose": args.purpose, "contact": args.contact, "days": args.days,
             "order": _names(args.order) or None,
             "hits": _pairs(args.hits, "--hits"), "ceilings": _pairs(args.ceiling, "--ceiling"),
             "groups": _pairs(args.group_ceiling, "--group-ceiling")}  # fmt: skip
    with _open(args) as ledger:
        if args.clear or any(value not in (None, {}) for value in rules.values()):
            ledger.set_policy({} if args.clear else _joined(ledger.policy, rules), by=args.by)
        policy = ledger.policy
        _say(words.rules(policy) or ["No rules are set."])
        if words.old_sense(policy):
            try:
                _say([ledger.old_floor()])
            except Problem:
                _say([words.old_floor(policy)])


def _joined(old, new):
    """Rules with those that were given put in; a limit that was not named again stays, and 0 is a limit too."""
    rules = {**old, **{name: value for name, value in new.items() if value is not None}}
    rules["attacker"] = "strongest" if new["floor"] is not None else old.get("attacker", "linear")
    return rules | {name: {**old.get(name, {}), **new[name]} for name in ("ceilings", "groups", "hits")}


def _approve(args):
    with _open(args) as ledger:
        ledger.approve(args.to, args.trust, args.retention, by=args.by)
    print("Approved.")


def _export(args):
    from trustscope.release.keystore import get_passphrase

    with _open(args) as ledger:
        ledger.export_key(
            args.out, passphrase=get_passphrase(new=True, variable="TRUSTSCOPE_BACKUP_PASSPHRASE"), by=args.by
        )
    print(f"The backup is at {args.out}; prove it with drill.")


def _backup_passphrase():
    from trustscope.release.keystore import get_passphrase

    return get_passphrase(variable="TRUSTSCOPE_BACKUP_PASSPHRASE")


def _import(args):
    with _open(args) as ledger:
        ledger.import_key(args.backup, passphrase=_backup_passphrase(), by=args.by)
    print("The key was imported, under the backup's passphrase.")


def _drill(args):
    with _open(args) as ledger:
        count = ledger.drill(args.backup, passphrase=_backup_passphrase(), by=args.by)
    print(f"The backup opens, and makes the noise of all {count} copies again.")


def _withdraw(args):
    from trustscope.release import Problem
    from trustscope.release.ledger import CONFIRMATION

    words = args.confirm
    if words is None:
        try:
            words = input(f"The key will be destroyed. Type “{CONFIRMATION}” to go on: ")
        except (EOFError, RuntimeError):  # nobody types; Python without any input has an error of its own
            raise Problem(
                f"Nobody can be asked here whether the key is to be destroyed; say --confirm “{CONFIRMATION}” if it is."
                " Nothing was done."
            ) from None
    with _open(args) as ledger:
        ledger.withdraw(words, by=args.by)
    print("The key is destroyed. The record stays.")


def _say(notes):
    for note in notes:
        print(note)


_ACTIONS = {
    "fetch": _fetch, "init": _init, "copy": _copy, "append": _append, "list": _list, "check": _check, "whose": _whose,
    "report": _report, "sheet": _sheet, "what-if": _what_if, "policy": _policy, "approve": _approve,
    "export-key": _export, "import-key": _import, "drill": _drill, "withdraw": _withdraw,
}  # fmt: skip
