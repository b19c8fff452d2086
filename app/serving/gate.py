"""The one gate that every request passes: pages, websockets, files and whatever else has an address.

Tornado asks its application for the handler of each request when the head of the request has come and before anything
is done with it. This application answers there, by the kind of handler, so that no route can be forgotten.
"""

import hmac
import sys
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

from bokeh.server.tornado import BokehTornado
from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
from bokeh.server.views.doc_handler import DocHandler
from bokeh.server.views.metadata_handler import MetadataHandler
from bokeh.server.views.root_handler import RootHandler
from bokeh.server.views.ws import WSHandler
from panel.io.server import ComponentResourceHandler
from tornado.httputil import HTTPServerRequest
from tornado.web import ErrorHandler, RequestHandler, StaticFileHandler

from trustscope.app.compat import inside
from trustscope.app.serving import homes, metrics, responses
from trustscope.app.serving.access import LIFETIME, Access, TryHandler
from trustscope.app.serving.cookies import cookie_of, keep_own
from trustscope.app.serving.doors import GIVEN, PLACE, DoorHandler, Doors, door_of
from trustscope.app.serving.plan import Plan
from trustscope.app.serving.responses import Response, ResponseHandler, give

# Ways to name a session that is not one's own. Nobody of ours uses them: a page gets its session when it is opened.
NAMING = ("bokeh-session-id", "bokeh-token")
# A header that the gate writes itself: it goes into the signed token of the session, see `GatedTornado._same_browser`.
BROWSER = "Trustscope-Browser"


class GatedTornado(BokehTornado):
    """Bokeh's Tornado application behind a gate.

    Parameters
    ----------
    plan, access : who may come in, and how
    refusal : called before a new page is opened, with the address of whoever opens it; gives the answer that refuses
        it, or None
    new_session_id : called for the identifier of each new page, with the address
    socket_class : in place of Panel's handler of websockets
    doors : of the rooms for classes; None where there are none
    look_at_memory : called when much has come over a websocket
    """

    def __init__(
        self,
        *arguments,
        plan: Plan,
        access: Access,
        refusal: Callable[[str], Response | None],
        new_session_id: Callable[[str], str],
        socket_class: type[WSHandler],
        doors: Doors | None = None,
        look_at_memory: Callable[[], None] = lambda: None,
        **options,
    ):
        self.plan, self.access, self.doors = plan, access, doors
        self.refusal, self._new_session_id = refusal, new_session_id
        self._socket_class, self.look_at_memory = socket_class, look_at_memory
        super().__init__(*arguments, **options)

    def get_handler_delegate(self, request, target_class, target_kwargs=None, path_args=None, path_kwargs=None):
        """The handler of a request, or one that refuses it."""
        keep_own(request)
        if self.plan.processes > 1 and not issubclass(target_class, WSHandler):
            # Each request over its own connection: a websocket has to reach the process of its session, and a proxy
            # would send it over whichever connection it has open. (Tornado's own option would close websockets too.)
            inside.close_when_answered(request)
        answer = self._refusal(request, target_class)
        if answer is not None:
            metrics.refused(answer.status)
            return super().get_handler_delegate(request, ResponseHandler, {"answer": answer})
        if arguments := self._entering(request, target_class):
            return super().get_handler_delegate(request, *arguments)
        if issubclass(target_class, ErrorHandler):  # an address that leads nowhere
            return super().get_handler_delegate(request, ResponseHandler, {"answer": responses.NOWHERE})
        if issubclass(target_class, DocHandler):
            request.headers["Bokeh-Session-Id"] = self._new_session_id(request.remote_ip)
            request.headers[BROWSER] = self._browser(request)
            request.headers[PLACE] = self._place(request)
        if issubclass(target_class, WSHandler):
            target_class = self._socket_class
        return super().get_handler_delegate(request, target_class, target_kwargs, path_args, path_kwargs)

    def _refusal(self, request: HTTPServerRequest, target_class) -> Response | None:
        if request.headers.get_list("Host") != [request.host] or request.host.lower() not in self.plan.hosts:
            return responses.FOREIGN_HOST
        if _names_a_session(request) or issubclass(target_class, AutoloadJsHandler | MetadataHandler | RootHandler):
            return responses.CLOSED
        if issubclass(target_class, ComponentResourceHandler) and not _known_component(request.path):
            return responses.CLOSED
        origin = request.headers.get("Origin")
        if origin is not None and origin.lower() not in self.plan.origins:
            return responses.FOREIGN_ORIGIN
        if issubclass(target_class, WSHandler):
            return self._refused_socket(request, origin)
        if issubclass(target_class, DocHandler):
            return self._refused_page(request)
        return None

    def _refused_socket(self, request, origin):
        if origin is None:  # every browser names one
            return responses.FOREIGN_ORIGIN
        if not self._inside(request):
            return responses.NO_TOKEN
        return None if self._same_browser(request) else responses.ANOTHERS

    def _door(self, request) -> str | None:
        """The door of a room that a request is at."""
        return door_of(request.path) if self.doors else None

    def _inside(self, request) -> bool:
        """Whether somebody may be where the request leads: in a room for a class, or in the app."""
        door = self._door(request)
        if door is None or self.doors is None:
            return self.let_in(request)
        return self.doors.place(request, door) is not None

    def _place(self, request) -> str:
        door = self._door(request)
        place = self.doors.place(request, door) if door and self.doors else None
        return f"{door} {place.code} {place.seat}" if place else ""

    def _browser(self, request) -> str:
        door = self._door(request)
        return self.access.browser(
            cookie_of(request, self.doors.cookie(door) if door and self.doors else self.access.cookie)
        )

    def _same_browser(self, request) -> bool:
        """Whether the browser that connects is the one that opened the page.

        The token of a session stands in its page. Where others are served, somebody who was sent a saved page, and may
        come in themselves, must not get into the session of whoever saved it. Alone on one's machine there is nobody
        else, and no cookie.
        """
        token = request.headers.get("Sec-WebSocket-Protocol", "").rpartition(",")[2].strip()
        held = homes.read_token(token, self.secret_key)
        if held is None:
            return False
        if not self.access.needed and self._door(request) is None:
            return True
        known = held.get("headers", {}).get(BROWSER)
        return isinstance(known, str) and hmac.compare_digest(known.encode(), self._browser(request).encode())

    def _refused_page(self, request):
        # Browsers say what they load a page for. Another site's picture or script must not open sessions here.
        mode, purpose = request.headers.get("Sec-Fetch-Mode"), request.headers.get("Sec-Fetch-Dest")
        frames = ("iframe", "frame", "embed", "object") if self.plan.embed else ()
        if mode not in (None, "navigate") or purpose not in (None, "document", *frames):
            return responses.NOT_A_PAGE
        if self._inside(request):
            return self.refusal(request.remote_ip)
        return None

    def _entering(self, request, target_class):
        """The handler that asks for a secret or takes it; None for those who are in, and for what is open to all."""
        if issubclass(target_class, OpenHandler):
            return None
        if token := _argument(request, "token"):
            return EnterHandler, {"token": token}
        if self.doors and (door := self._door(request)):
            return self._entering_room(self.doors, request, door)
        if self.let_in(request):
            return None
        if self.doors and issubclass(target_class, StaticFileHandler | SharedFile) and self.doors.anywhere(request):
            return None  # the files that every page loads: students need them too
        if self.access.has_password:
            return LoginHandler, {}
        return ResponseHandler, {"answer": responses.NO_TOKEN}

    def _entering_room(self, doors, request, door):
        if given := _argument(request, GIVEN[door]):
            return DoorHandler, {"door": door, "given": given}
        if doors.place(request, door):
            return None
        return ResponseHandler, {"answer": doors.question(door)}

    def let_in(self, request: HTTPServerRequest) -> bool:
        """Whether a request shows what is needed: the cookie, or the token as a bearer's."""
        if not self.access.needed:
            return True
        if self.access.good_cookie(cookie_of(request, self.access.cookie)):
            return True
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        return kind.lower() == "bearer" and self.access.try_bearer(given.strip(), request.remote_ip)


class SharedFile(RequestHandler):
    """A file that every page loads, made by this program: like the static files, for all who are let in anywhere."""


class OpenHandler(RequestHandler):
    """A handler that needs no secret."""


class _Entrance(TryHandler):
    application: GatedTornado

    def _let_in(self, url: str) -> None:
        encrypted = self.request.protocol == "https"
        # A frame on another site gets cookies only if they say so, which browsers allow over encrypted connections.
        framed = bool(self.application.plan.embed) and encrypted
        self.set_cookie(
            self.application.access.cookie,
            self.application.access.new_cookie(),
            max_age=LIFETIME,
            httponly=True,
            secure=encrypted,
            samesite="None" if framed else "Lax",
        )
        self.set_header("Cache-Control", "no-store")
        self.redirect(url, status=303)


class EnterHandler(_Entrance):
    """Takes the token out of the link, into a cookie: it does not stay in the address, the history or a screenshot."""

    def initialize(self, token: str) -> None:
        """Keep the token."""
        self._token = token

    async def get(self) -> None:
        """Let in whoever has the token."""
        access = self.application.access
        good = not access.needed or await access.try_token(self._token, self.request.remote_ip, self.gone)
        if good is None:
            give(self, responses.TOO_OFTEN)
        elif not good:
            give(self, responses.NO_TOKEN)
        else:
            rest = [(n, v) for n, v in parse_qsl(self.request.query, keep_blank_values=True) if n != "token"]
            path = "/" + self.request.path.lstrip("/\\")  # two slashes would lead to another site
            self._let_in(f"{path}?{urlencode(rest)}" if rest else path)


class LoginHandler(_Entrance):
    """Asks for the password and takes it."""

    def get(self) -> None:
        """The question; whoever is in already goes on to the app."""
        if self.application.let_in(self.request):
            self.redirect("/")
        else:
            give(self, responses.ASK)

    async def post(self) -> None:
        """The try."""
        given = self.get_body_argument("password", "")
        good = await self.application.access.try_password(given, self.request.remote_ip, self.gone)
        if good is None:
            give(self, responses.TOO_OFTEN)
        elif not good:
            give(self, responses.WRONG)
        else:
            self._let_in("/")


def _argument(request, name) -> str | None:
    values = request.query_arguments.get(name)
    return values[0].decode(errors="replace") if values else None


def _names_a_session(request) -> bool:
    return "Bokeh-Session-Id" in request.headers or any(name in request.arguments for name in NAMING)


def _known_component(path: str) -> bool:
    """Whether a path to a component's files names a module that is in use: Panel would import any that is installed."""
    return any(part in sys.modules for part in path.split("/")[2:3])
