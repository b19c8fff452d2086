"""The gate: who is let in, by which name, from where; what every answer carries; and that visitors keep apart."""

import asyncio
import base64
import io
import json
import os
import re
import signal
import zlib
from html import unescape

import pytest
from PIL import Image

from tests.serving.visitors import (
    TIMEOUT,
    connect,
    fetch,
    free_port,
    hang_up,
    hung_up,
    knock,
    receive,
    serving,
    token_in,
)
from trustscope.app.serving import homes
from trustscope.scenarios.link import query_of
from trustscope.scenarios.trust.scenario import TrustScenario
from trustscope.widgets import bundle

TOKEN = "correct-horse-battery-staple"
PASSWORD = "kingfisher 42"
SCRIPTS = bundle.address()[1:]
SMALL = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TRUSTSCOPE_TOKEN": "", "TRUSTSCOPE_PASSWORD": ""}


def served(*options, **environment):
    port = free_port()
    command = ("trustscope", "serve", "--no-open", "--port", str(port), "--log-level", "info", *options)
    return port, serving(*command, env={**SMALL, **environment})


@pytest.fixture(scope="module")
def open_server():
    """On this machine alone: no secret."""
    port, starting = served("--embed", "https://lms.example.org")
    with starting as server:
        server.wait_for("Trustscope is at")
        server.port, server.address = port, f"http://127.0.0.1:{port}"
        yield server


@pytest.fixture(scope="module")
def closed_server():
    """Behind a token and a password, with figures."""
    options = ("--origin", "trust.example.org", "--processes", "1", "--metrics", "--behind-proxy")
    port, starting = served(*options, TRUSTSCOPE_TOKEN=TOKEN, TRUSTSCOPE_PASSWORD=PASSWORD)
    with starting as server:
        server.wait_for("Trustscope is at")
        server.port, server.address = port, f"http://127.0.0.1:{port}"
        yield server


def cookie_of(headers):
    return headers["Set-Cookie"].partition(";")[0]


def enter(server, who="10.1.1.1"):
    status, headers, _ = fetch(f"{server.address}/?token={TOKEN}&dataset=iris", {"X-Real-Ip": who})
    assert status == 303
    return cookie_of(headers)


def handshake(address, token, headers=None):
    """What becomes of a websocket: its first message, or the status with which it is refused, or its closing code."""

    if (status := knock(address, token, headers)) != 101:
        return status

    async def attempt():
        connection = await connect(address, token, headers)
        try:
            first = await receive(connection)
        except TypeError:  # there was none: it is closed
            connection.close()
            return connection.close_code
        await hang_up(connection)
        return first[0]

    return asyncio.run(attempt())


# --- names and origins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/health", "/static/js/bokeh.min.js", "/nothing", "/login"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:{port}", "127.0.0.1", "localhost:1"])
def test_a_foreign_name_is_refused_everywhere(open_server, path, host):
    """A page of another site whose name was pointed at this machine (DNS rebinding) gets nothing."""
    status, _, body = fetch(open_server.address + path, {"Host": host.format(port=open_server.port)})
    assert status == 421
    assert b"--origin" in body


def test_own_names_are_answered(open_server):
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert fetch(f"{open_server.address}/health", {"Host": f"{host}:{open_server.port}"})[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", None]
)
def test_a_websocket_from_elsewhere_is_refused(open_server, origin):
    token = token_in(fetch(open_server.address)[2])
    assert handshake(open_server.address, token) == "ACK"
    origin = origin and origin.format(port=open_server.port)
    assert handshake(open_server.address, token, {"Origin": origin}) == 403


def test_the_name_behind_a_proxy_is_the_one_given(closed_server):
    cookie = enter(closed_server)
    own = {"Host": "trust.example.org", "Cookie": cookie}
    status, _, page = fetch(closed_server.address, own)
    assert status == 200
    assert handshake(closed_server.address, token_in(page), {**own, "Origin": "https://trust.example.org"}) == "ACK"
    assert handshake(closed_server.address, token_in(page), {**own, "Origin": "https://other.example.org"}) == 403


def test_another_sites_page_cannot_open_sessions_by_loading_this_one(open_server):
    picture = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site"}
    assert fetch(open_server.address, picture)[0] == 403
    assert fetch(open_server.address, {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"})[0] == 200


# --- secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/js/bokeh.min.js",
        "/static/extensions/panel/panel.min.js",
        "/metrics",
        "/favicon.ico",
        "/x",
        SCRIPTS,
    ],
)
def test_nothing_but_health_is_seen_without_the_secret(closed_server, path):
    status, headers, body = fetch(closed_server.address + path)
    assert status == 401
    assert b"<script" not in body
    assert "Set-Cookie" not in headers
    assert fetch(closed_server.address + path, {"Cookie": enter(closed_server)})[0] in (200, 404)
    assert fetch(f"{closed_server.address}/health")[2] == b"ok"


def test_the_scripts_of_the_controls_are_kept_by_browsers(open_server):
    status, headers, body = fetch(open_server.address + SCRIPTS)
    assert (status, body.decode()) == (200, bundle.text())
    assert headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in headers["Cache-Control"]  # another text has another address


def test_the_token_becomes_a_cookie_that_scripts_cannot_read_and_leaves_the_address(closed_server):
    status, headers, _ = fetch(f"{closed_server.address}/?token={TOKEN}&dataset=iris")
    assert (status, headers["Location"]) == (303, "/?dataset=iris")
    attributes = headers["Set-Cookie"]
    assert "HttpOnly" in attributes
    assert "SameSite=Lax" in attributes
    assert "Secure" not in attributes
    assert TOKEN not in attributes
    encrypted = fetch(f"{closed_server.address}/?token={TOKEN}", {"X-Forwarded-Proto": "https"})[1]["Set-Cookie"]
    assert "Secure" in encrypted


def test_two_slashes_do_not_lead_elsewhere(closed_server):
    status, headers, _ = fetch(f"{closed_server.address}//evil.example/?token={TOKEN}")
    assert (status, headers["Location"]) == (303, "/evil.example/")


def test_the_page_holds_neither_cookie_nor_secret(closed_server):
    cookie = enter(closed_server)
    page = fetch(closed_server.address, {"Cookie": cookie, "X-Api-Key": "visible?"})[2]
    payload = json.loads(base64.urlsafe_b64decode(token_in(page).split(".")[0] + "==="))
    inner = zlib.decompress(base64.urlsafe_b64decode(payload["__bk__zlib_"] + "===")).decode()
    for text in (page.decode(), inner):
        assert cookie.partition("=")[2] not in text
        assert TOKEN not in text
        assert "visible?" not in text


def test_a_websocket_needs_the_cookie_too(closed_server):
    cookie = enter(closed_server)
    token = token_in(fetch(closed_server.address, {"Cookie": cookie})[2])
    assert handshake(closed_server.address, token) == 403
    assert handshake(closed_server.address, token, {"Cookie": cookie[:-2] + "xx"}) == 403
    assert handshake(closed_server.address, token, {"Cookie": cookie}) == "ACK"


def test_a_copied_page_does_not_lead_into_its_session(closed_server):
    """Two people of one class: each may come in, but neither into the other's session with a page that was sent."""
    mine, theirs = enter(closed_server, "10.1.1.2"), enter(closed_server, "10.1.1.3")
    assert mine != theirs
    token = token_in(fetch(closed_server.address, {"Cookie": mine})[2])
    assert handshake(closed_server.address, token, {"Cookie": theirs}) == 403
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert handshake(closed_server.address, token, bearer) == 403
    forged = token_in(fetch(closed_server.address, {"Cookie": mine, "Trustscope-Browser": "theirs"})[2])
    assert handshake(closed_server.address, forged, {"Cookie": theirs, "Trustscope-Browser": "theirs"}) == 403
    assert handshake(closed_server.address, "nothing", {"Cookie": mine}) == 403
    assert handshake(closed_server.address, token, {"Cookie": mine}) == "ACK"
    own = token_in(fetch(closed_server.address, bearer)[2])
    assert handshake(closed_server.address, own, bearer) == "ACK"


def test_the_password_lets_in(closed_server):
    status, headers, body = fetch(closed_server.address)
    assert status == 401
    assert b'type="password"' in body
    form = {"Content-Type": "application/x-www-form-urlencoded", "X-Real-Ip": "10.2.2.2"}
    login = f"{closed_server.address}/login"
    assert fetch(login, form, b"password=wrong-wrong")[0] == 403
    status, headers, _ = fetch(login, form, b"password=kingfisher+42")
    assert (status, headers["Location"]) == (303, "/")
    assert fetch(closed_server.address, {"Cookie": cookie_of(headers)})[0] == 200
    assert fetch(login, {"Cookie": cookie_of(headers)})[0] == 302


@pytest.mark.parametrize("way", ["password", "link", "bearer"])
def test_tries_are_limited_for_each_address(closed_server, way):
    who = {"X-Real-Ip": f"10.9.{len(way)}.1"}

    def attempt(secret, headers):
        if way == "password":
            form = {"Content-Type": "application/x-www-form-urlencoded", **headers}
            return fetch(f"{closed_server.address}/login", form, f"password={secret}".encode())[0]
        if way == "link":
            return fetch(f"{closed_server.address}/?token={secret}", headers)[0]
        return fetch(closed_server.address, {"Authorization": f"Bearer {secret}", **headers})[0]

    right = PASSWORD.replace(" ", "+") if way == "password" else TOKEN
    wrong = [attempt(f"guess-number-{n:04}", who) for n in range(12)]
    assert wrong[0] in (401, 403)
    assert wrong[-1] == (401 if way == "bearer" else 429)
    # Whoever knows it comes in, though later; a program has to come back.
    assert attempt(right, who) == (401 if way == "bearer" else 303)
    assert attempt(right, {"X-Real-Ip": f"10.9.{len(way)}.2"}) in (200, 303)  # others do not


def test_figures_are_given_to_those_who_may_see_them(closed_server):
    figures = fetch(f"{closed_server.address}/metrics", {"Authorization": f"Bearer {TOKEN}"})[2].decode()
    assert re.search(r"^trustscope_sessions \d", figures, re.MULTILINE)
    assert re.search(r'^trustscope_refusals_total{status="403"} [1-9]', figures, re.MULTILINE)
    assert "trustscope_message_seconds_count" in figures
    assert "trustscope_memory_bytes" in figures


def test_an_address_that_leads_nowhere_leads_to_the_app(open_server):
    status, headers, body = fetch(f"{open_server.address}/trust")
    assert status == 404
    assert b'<a href="/">Open Trustscope</a>' in body
    assert headers["Content-Security-Policy"]


def test_figures_are_off_unless_asked_for(open_server):
    assert fetch(f"{open_server.address}/metrics")[0] == 404


# --- what every answer carries ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/health", "/static/js/bokeh.min.js", "/nothing"])
def test_headers(open_server, closed_server, path):
    for server in (open_server, closed_server):
        _, headers, _ = fetch(server.address + path)
        policy = headers["Content-Security-Policy"]
        scripts = re.search(r"script-src ([^;]*)", policy).group(1)
        assert "unsafe" not in scripts
        assert "*" not in policy
        assert "default-src 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "Server" not in headers
        assert "Access-Control-Allow-Origin" not in headers
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Frame-Options"] == "DENY"


def test_embedding_is_by_choice(open_server):
    headers = fetch(open_server.address)[1]
    assert "frame-ancestors https://lms.example.org" in headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in headers


def test_a_link_has_a_picture_that_is_served(open_server, closed_server):
    """As a program that previews links does it: read the page, fetch the picture that it names."""
    query = query_of(TrustScenario().replace({"data.name": "iris", "settings.scheme": "nested"}))
    page = fetch(f"{open_server.address}/?{query}")[2].decode()
    named = unescape(re.search('og:image" content="([^"]*)"', page)[1])
    assert named == f"{open_server.address}/preview.png?{query}"
    status, headers, made = fetch(named)
    assert (status, headers["Content-Type"]) == (200, "image/png")
    assert headers["Cache-Control"].startswith("private")  # no proxy keeps it for those whom the gate keeps out
    assert Image.open(io.BytesIO(made)).size == (1200, 675)
    assert fetch(named)[2] == made
    assert len(made) < 100_000
    assert fetch(f"{closed_server.address}/preview.png")[0] != 200  # behind the same gate as the pages


def test_every_script_of_the_page_has_the_nonce_and_none_is_the_visitors(open_server):
    """What a visitor writes into the address does not come back in the page, so it cannot get the nonce either."""
    pages = [fetch(f"{open_server.address}/?dataset=%3Cscript%3Ealert(1)%3C/script%3E") for _ in range(2)]
    nonces = set()
    for _, headers, page in pages:
        nonce = re.search(r"'nonce-([\w-]+)'", headers["Content-Security-Policy"]).group(1)
        nonces.add(nonce)
        assert page.count(b"<script") == page.count(f'<script nonce="{nonce}"'.encode()) >= 3
        assert b"alert(1)" not in page
        assert int(headers["Content-Length"]) == len(page)
        assert not re.search(rb"\son\w+=", page)  # no handlers as attributes
    assert len(nonces) == 2


def test_the_page_asks_nobody_else(open_server):
    _, _, page = fetch(open_server.address)
    addresses = re.findall(rb"""(?:src|href)\s*=\s*["']([^"']+)["']""", page)
    assert addresses
    assert not [a for a in addresses if re.match(rb"(https?:)?//", a)]


# --- one visitor and another -----------------------------------------------------------------------------------------


def session_of(page):
    return homes.get_session_id(token_in(page))


def test_a_session_cannot_be_named(open_server):
    """Knowing the identifier or the token of somebody's session does not open their page."""
    victim = fetch(open_server.address)[2]
    for query in (f"bokeh-session-id={session_of(victim)}", f"bokeh-token={token_in(victim)}"):
        assert fetch(f"{open_server.address}/?{query}")[0] == 404
    assert fetch(open_server.address, {"Bokeh-Session-Id": session_of(victim)})[0] == 404


@pytest.mark.parametrize("route", ["/autoload.js?bokeh-autoload-element=x", "/metadata", "/ws"])
def test_side_doors_are_closed(open_server, route):
    assert fetch(open_server.address + route, {"Origin": open_server.address})[0] in (400, 403, 404, 426)
    assert fetch(open_server.address + route)[0] in (403, 404)


def test_a_token_that_was_tampered_with_is_refused(open_server):
    """Tokens are signed with a secret of this start: another session's identifier cannot be put into one's own."""
    mine, theirs = (token_in(fetch(open_server.address)[2]) for _ in range(2))
    body, _, signature = mine.partition(".")
    swapped = token_in_body(body, homes.get_session_id(theirs))
    for forged in (f"{swapped}.{signature}", swapped, f"{body}.AAAA", "nonsense", f"{body}."):
        assert handshake(open_server.address, forged) != "ACK"
    assert handshake(open_server.address, mine) == "ACK"


def token_in_body(body, session_id):
    payload = json.loads(base64.urlsafe_b64decode(body + "==="))
    return base64.urlsafe_b64encode(json.dumps({**payload, "session_id": session_id}).encode()).decode().rstrip("=")


def test_another_servers_token_is_worth_nothing(open_server, closed_server):
    cookie = enter(closed_server)
    theirs = token_in(fetch(closed_server.address, {"Cookie": cookie})[2])
    assert handshake(open_server.address, theirs) != "ACK"


def test_two_visitors_have_different_sessions_and_hear_only_their_own(open_server):
    async def story():
        pages = [fetch(open_server.address)[2] for _ in range(2)]
        assert len({session_of(page) for page in pages}) == 2
        one, two = [await connect(open_server.address, token_in(page)) for page in pages]
        assert [(await receive(c))[0] for c in (one, two)] == ["ACK", "ACK"]
        models = []
        for connection in (one, two):
            await connection.write_message('{"msgid": "1", "msgtype": "PULL-DOC-REQ"}')
            await connection.write_message("{}")
            await connection.write_message("{}")
            while (message := await receive(connection))[0] != "PULL-DOC-REPLY":
                pass
            models.append(set(re.findall(r'"id": ?"(p\d+)"', json.dumps(message[1]))))
        assert models[0]
        assert not models[0] & models[1]
        # Each addresses the other's models: there is no such model in one's own document, and the other hears nothing.
        stranger = sorted(models[1] - models[0])[0]
        await one.write_message('{"msgid": "2", "msgtype": "PATCH-DOC"}')
        await one.write_message("{}")
        event = {"kind": "ModelChanged", "model": {"id": stranger}, "attr": "inner_width", "new": 1}
        await one.write_message(json.dumps({"events": [event]}))
        refused = None
        while (text := await asyncio.wait_for(one.read_message(), TIMEOUT)) is not None:
            if '"ERROR"' in text:
                refused = text
                break
        await two.write_message('{"msgid": "3", "msgtype": "SERVER-INFO-REQ"}')
        await two.write_message("{}")
        await two.write_message("{}")
        heard = []
        while (message := await receive(two))[0] != "SERVER-INFO-REPLY":
            heard.append(message)
        assert stranger not in json.dumps(heard)
        if refused is None:  # by closing the connection
            one.close()
        else:
            await hang_up(one)
        await hang_up(two)

    asyncio.run(story())


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../etc/passwd",
        "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/static/extensions/panel/../../../../etc/passwd",
        "/components/os/environ/_resources/x",
        "/components/antigravity/x/_css/y",
        "/components/trustscope.app.cli/main/__js_module__/x",
    ],
)
def test_files_beside_the_apps_own_are_not_served(open_server, path):
    status, _, body = fetch(open_server.address + path)
    assert status in (400, 403, 404)
    assert b"root:" not in body


def test_a_large_body_is_not_read(open_server):
    try:
        status = fetch(f"{open_server.address}/login", data=b"x" * 1_000_000)[0]
    except OSError:  # the connection was closed while it was being sent
        status = 400
    assert status in (400, 405, 413)
    assert fetch(f"{open_server.address}/health")[0] == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_process_says_goodbye_and_stops_when_it_is_asked_to(request, number):
    """The last ones with these servers, which are ended here."""
    is_open = number == signal.SIGTERM
    server = request.getfixturevalue("open_server" if is_open else "closed_server")
    headers = {} if is_open else {"Cookie": enter(server)}

    async def story():
        connection = await connect(server.address, token_in(fetch(server.address, headers)[2]), headers)
        assert (await receive(connection))[0] == "ACK"
        server.process.send_signal(number)
        return await asyncio.wait_for(hung_up(connection), TIMEOUT)

    assert asyncio.run(story()) == (1001, "The server is stopping.")
    assert server.process.wait(TIMEOUT) == 0
    server.wait_for("Trustscope has stopped.")


def test_the_log_holds_no_secret_and_no_traceback(open_server, closed_server):
    for server in (open_server, closed_server):
        assert "Traceback" not in server.said
        for secret in (PASSWORD, "guess-number", "alert(1)"):
            assert secret not in server.said
    assert TOKEN not in closed_server.said.partition("\n")[2]  # it is in the link that is printed at the start
