"""The log: visitors' short names, references, and nothing that anybody typed."""

import asyncio
import logging
import re
import threading

import panel as pn
import pytest

from trustscope.app.serving import log
from trustscope.app.serving.logfile import LogFile

SECRET = "Mr Vanderbilt, 84 years"


@pytest.fixture
def written(tmp_path):
    """Configures the log to a file and gives what is in it; the loggers are put back afterwards."""
    names = ("trustscope", *log.OTHERS)
    before = {n: (logging.getLogger(n).handlers[:], logging.getLogger(n).level) for n in names}
    propagate = {n: logging.getLogger(n).propagate for n in names}
    chatty = {n: logging.getLogger(n).level for n in ("tornado.access", "asyncio")}
    path = tmp_path / "log"
    log.configure("debug", path)
    yield lambda: path.read_text()
    logging.captureWarnings(False)
    logging.getLogger("trustscope").handlers[0].close()
    for name in names:
        logger = logging.getLogger(name)
        logger.handlers[:], logger.level = before[name]
        logger.propagate = propagate[name]
    for name, level in chatty.items():
        logging.getLogger(name).setLevel(level)


def test_an_error_is_found_by_its_reference_and_quotes_nobody(written):
    def deep():
        try:
            float(SECRET)
        except ValueError as error:
            raise KeyError(SECRET) from error

    try:
        deep()
    except KeyError as error:
        reference = log.report_error(error, "a test")
    text = written()
    assert re.fullmatch(r"[2-9B-Z]{4}", reference)
    assert f"error {reference} in a test" in text
    assert "in deep" in text
    assert "KeyError" in text
    assert "ValueError" in text
    assert SECRET not in text
    assert "Vanderbilt" not in text


def test_a_traceback_of_many_calls_is_short(written):
    def deeper(left):
        if left == 0:
            raise KeyError(SECRET)
        deeper(left - 1) if left % 2 else (deeper(left - 1),)

    try:
        try:
            deeper(500)
        except KeyError as error:
            raise ValueError from error
    except ValueError as error:
        log.report_error(error, "a test")
    text = written()
    assert len(text) < 5_000
    assert f"... {501 + 1 - log.FIRST - log.LAST} more ..." in text
    assert "raise KeyError" in text
    assert "ValueError" in text


def test_a_chain_of_errors_is_short(written):
    error = None
    for number in range(100):
        following = ValueError(number)
        following.__cause__ = error
        error = following
    log.report_error(error, "a test")
    assert written().count("ValueError") == log.CAUSES


def lines_of(path):
    """What is in a log and in the older files beside it, and how long the longest of them is."""
    files = [path, *path.parent.glob(f"{path.name}.*")]
    return sorted(line for file in files for line in file.read_text().splitlines()), max(
        f.stat().st_size for f in files
    )


def test_a_full_file_is_put_away_once_by_all_who_write_it(tmp_path):
    """Each of them is another process; none may lose a line, or put away what another has just begun."""
    path = tmp_path / "log"
    writers = [LogFile(path, largest=300, kept=50) for _ in range(3)]
    said = [f"line {number:03}" for number in range(300)]
    for number, line in enumerate(said):
        writers[number * 7 % 3].emit(logging.makeLogRecord({"msg": line}))
    for writer in writers:
        writer.close()
    found, longest = lines_of(path)
    assert found == said
    assert longest <= 300 + len(said[0])
    assert len(list(tmp_path.iterdir())) == 9


def test_so_many_files_are_kept_and_no_more(tmp_path):
    writer = LogFile(tmp_path / "log", largest=20, kept=2)
    for number in range(100):
        writer.emit(logging.makeLogRecord({"msg": f"line {number:03}"}))
    writer.close()
    found, _ = lines_of(tmp_path / "log")
    assert found[-1] == "line 099"
    assert len(found) < 10
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("part", ["os.rename", "os.dup", "fcntl.flock"])
def test_where_no_file_can_be_put_away_the_log_goes_on(tmp_path, monkeypatch, part):
    def refused(*names):
        raise PermissionError

    writer = LogFile(tmp_path / "log", largest=20, kept=2)

    def write():
        for number in range(10):
            writer.emit(logging.makeLogRecord({"msg": f"line {number:03}"}))

    with monkeypatch.context() as patched:
        patched.setattr(part, refused)
        write()
        assert len(lines_of(tmp_path / "log")[0]) == 10
    writer._next_try = 0.0  # a minute later it can be done
    write()
    writer.close()
    assert len(list(tmp_path.iterdir())) == 3


def test_a_line_that_cannot_be_written_is_not_printed_with_what_it_quotes(tmp_path, capsys):
    writer = LogFile(tmp_path / "log")
    writer.emit(logging.makeLogRecord({"msg": "%d", "args": (SECRET,)}))
    writer.close()
    assert capsys.readouterr() == ("", "")


def test_references_differ():
    assert len({log.reference() for _ in range(50)}) > 45  # 28 ** 4 = 614 656 of them


def test_the_operating_systems_number_is_kept(written):
    log.report_error(OSError(28, "No space left on device", SECRET), "saving")
    assert "OSError [error number 28]" in written()
    assert SECRET not in written()


def test_lines_of_other_libraries_keep_their_words_and_lose_their_values(written):
    logging.getLogger("bokeh.server.views.ws").error("Unhandled exception: %r: %r", ValueError(SECRET), SECRET)
    logging.getLogger("bokeh.server.contexts").warning(f"Session {SECRET!r} came back to life")
    logging.getLogger("tornado.general").warning(
        "%d %s: reason", 403, f"GET /page?name={SECRET.split()[1]} (127.0.0.1)"
    )
    logging.getLogger("tornado.access").error("%d %s %.2fms", 500, "POST /login?next=Vanderbilt (::1)", 3.25)
    logging.getLogger("panel").warning("%s", SECRET)
    text = written()
    assert "Vanderbilt" not in text
    assert "Unhandled exception: '…': '…'" in text or "Unhandled exception: …: …" in text
    assert "403 GET /page (127.0.0.1): reason" in text
    assert "500 POST /login (::1) 3.25ms" in text
    assert "came back to life" in text


def test_a_closed_tab_is_no_news(written):
    logging.getLogger("bokeh.server.views.ws").warning("Failed sending message as connection was closed")
    logging.getLogger("bokeh.server.views.ws").warning("Failed for another reason")
    assert [line.split(": ")[1] for line in written().splitlines()] == ["Failed for another reason"]


def test_a_value_cannot_forge_a_line(written):
    log.get("x").warning("name %s", "a\n2026-01-01 ERROR ---- x: forged")
    assert written().count("\n") == 1


def test_each_line_carries_the_visitors_name_also_in_threads(written):
    name = log.short_name("some-session-id")
    assert name != log.short_name("another-session-id")

    class Context:
        id = "some-session-id"

    class Document:
        session_context = Context()

    async def page():
        token = pn.state._curdoc.set(Document())
        try:
            assert log.session_name() == name
            log.get("page").info("on the loop")
            await asyncio.to_thread(log.get("page").info, "in a thread of asyncio")
            thread = threading.Thread(target=log.carry(log.get("page").info), args=("in a thread of its own",))
            thread.start()
            thread.join()
        finally:
            pn.state._curdoc.reset(token)
        log.get("page").info("afterwards")

    asyncio.run(page())
    names = [line.split()[3] for line in written().splitlines() if " page: " in line]
    assert names == [name, name, name, log.NOBODY]
    assert "some-session-id" not in written()


def test_a_log_file_that_cannot_be_written_is_an_os_error(tmp_path):
    with pytest.raises(OSError):
        log.configure("info", tmp_path / "no" / "such" / "folder")
