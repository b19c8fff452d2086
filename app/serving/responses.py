"""The few pages that are not the app: why somebody is not let in, the question for the password, that it is full."""

from dataclasses import dataclass, field, replace
from html import escape

from tornado.web import RequestHandler

STYLE = (
    "body{font:17px/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1rem;color:#0f172a;"
    "background:#f8fafc}h1{font-size:1.5rem}input,button{font:inherit;padding:.45rem .7rem;margin:.3rem .3rem 0 0}"
    "a{color:#0f7490}"
    "@media(prefers-color-scheme:dark){body{color:#e2e8f0;background:#0f172a}a{color:#7dd3fc}}"
)


@dataclass(frozen=True)
class Response:
    """A short answer in place of what was asked for."""

    status: int
    title: str
    text: str
    headers: dict[str, str] = field(default_factory=dict)
    form: str = ""

    def page(self) -> str:
        """The answer as a small page."""
        return (
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{escape(self.title)} · Trustscope</title>"
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
            f"<body><main><h1>{escape(self.title)}</h1><p>{escape(self.text)}</p>{self.form}</main></body></html>"
        )


FOREIGN_HOST = Response(
    421,
    "This address is not known here",
    "The app is open under another name. Use the link that was printed when it was started, or start it with "
    "--origin and this name.",
)
FOREIGN_ORIGIN = Response(403, "Not from here", "Another page may not use this app in your name.")
NOT_A_PAGE = Response(403, "Only as a page", "The app opens as a page of its own; another page may not load it.")
CLOSED = Response(404, "There is nothing here", "The app is at the start page.")
NOWHERE = replace(CLOSED, form='<p><a href="/">Open Trustscope</a></p>')
NO_TOKEN = Response(
    403,
    "This link lets nobody in",
    "The app needs the whole link, with its token. Ask the person who started it.",
)
ANOTHERS = Response(403, "Another browser's page", "This page was opened in another browser. Open the app in this one.")
TOO_OFTEN = Response(
    429,
    "Too many tries",
    "Many tries from your network were wrong, so answers take some seconds now. This one was wrong too, or too many "
    "others were waiting when it came. Look at it again, then try again.",
    {"Retry-After": "5"},
)
BUSY = Response(
    503,
    "The rooms cannot be looked at just now",
    "The server is busy with them. Try again in a few seconds.",
    {"Retry-After": "5"},
)
FULL = Response(
    503,
    "All seats are taken",
    "As many people as this server can serve are using the app. Try again in a minute: seats become free as people "
    "leave.",
    {"Retry-After": "30"},
)
NO_MEMORY = Response(
    503,
    "The server's memory is full",
    "The people who are here use all the memory that the server may use. Try again in a few minutes.",
    {"Retry-After": "60"},
)
STOPPING = Response(503, "The server is stopping", "Come back when it has been started again.", {"Retry-After": "10"})
LOGIN_FORM = (
    '<form method="post" action="login"><label for="password">Password</label><br>'
    '<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>'
    '<button type="submit">Open</button></form>'
)
ASK = Response(401, "Trustscope", "This app is open to those who know its password.", form=LOGIN_FORM)
WRONG = Response(403, "That is not the password", "Try again.", form=LOGIN_FORM)
CODE_FORM = (
    '<form method="get" action="/class"><label for="code">Code</label><br>'
    '<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" '
    'required autofocus style="font-size:1.6rem;letter-spacing:.12em;max-width:11em;text-transform:uppercase">'
    '<button type="submit" style="font-size:1.2rem;padding:.7rem 1.4rem;border:0;border-radius:10px;background:#0f7490;'
    'color:#fff">Come in</button></form>'
)
ASK_CODE = Response(401, "Join the class", "Type the code that your teacher shows.", form=CODE_FORM)
WRONG_CODE = Response(403, "There is no room with this code", "Look at the code again, then type it.", form=CODE_FORM)
NO_KEY = Response(
    403,
    "This link opens no room",
    "A room is led by its teacher's own link, and ends when it is closed or the server stops.",
)


def give(handler: RequestHandler, answer: Response) -> None:
    """Finish a request with an answer."""
    handler.set_status(answer.status)
    for name, value in answer.headers.items():
        handler.set_header(name, value)
    handler.set_header("Cache-Control", "no-store")
    handler.finish(answer.page())


class ResponseHandler(RequestHandler):
    """Gives a `Response`, whatever was asked for and however."""

    def initialize(self, answer: Response) -> None:
        """Keep the answer."""
        self._answer = answer

    def prepare(self) -> None:
        """Answer before any method is looked at."""
        give(self, self._answer)

    def check_xsrf_cookie(self) -> None:
        """Nothing is done here that could be forged."""
