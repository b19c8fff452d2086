"""What is to be served, to whom, and with which secrets: one plain value that every process gets."""

import ipaddress
import json
import os
import re
import secrets
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["Plan", "PlanProblem", "current", "use"]

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
EVERYWHERE = ("0.0.0.0", "::")


_used: list["Plan"] = []


def use(plan: "Plan") -> None:
    """This process serves by this plan."""
    _used[:] = [plan]


def current() -> "Plan | None":
    """The plan by which this process serves; None in a notebook, a test or under `panel serve`.

    Pages look here for what was asked for on the command line, such as the folder of `--ledgers`.
    """
    return _used[0] if _used else None


class PlanProblem(ValueError):
    """One sentence on what keeps the app from being served."""


@dataclass(frozen=True)
class Plan:
    """How the app is served.

    Attributes
    ----------
    hosts : names and ports under which requests are answered, as browsers write them in `Host`; lower case
    origins : where the websocket may be opened from, in full: `http://127.0.0.1:5006`
    token, password : the secrets that let a visitor in; both None: everybody who reaches the port
    session_secret : signs sessions' identifiers; new at each start
    embed : origins whose pages may show the app in a frame
    max_memory : bytes of all processes together above which no new page is opened
    opened : the query of the scenario that the announced address opens; empty: none
    path : where the announced address leads
    rooms : the private folder in which rooms for classes are kept; None: there are none
    lessons : a folder of lessons, or the file of one, that Learn offers beside its own; None: no others
    """

    address: str
    port: int
    dataset: str | None
    processes: int
    hosts: tuple[str, ...]
    origins: tuple[str, ...]
    token: str | None
    password: str | None
    session_secret: str
    embed: tuple[str, ...]
    behind_proxy: bool
    metrics: bool
    max_sessions: int
    max_memory: int
    ledgers: str | None
    log_level: str
    log_file: str | None
    opened: str = ""
    path: str = "/"
    rooms: str | None = None
    lessons: str | None = None

    @classmethod
    def from_options(
        cls,
        *,
        address="127.0.0.1",
        port=5006,
        dataset=None,
        processes=None,
        token=None,
        password=None,
        origins=(),
        embed=(),
        behind_proxy=False,
        metrics=False,
        max_sessions=200,
        max_memory=None,
        ledgers=None,
        log_level="warning",
        log_file=None,
        opened="",
        path="/",
        rooms=None,
        lessons=None,
    ) -> "Plan":
        """A plan from the options of the command; a `PlanProblem` says what is wrong with them."""
        named = [_named(origin) for origin in origins]
        others = bool(named) or not is_loopback(address)
        _check_secrets(token, password)
        if token is None and password is None and not is_loopback(address):
            token = secrets.token_urlsafe(16)
        numeric = [f"http://{host}" for host in _own_hosts(address, port)]
        reached = list(dict.fromkeys([*numeric, *(o for some in named for o in some)]))
        if max_sessions < 1:
            raise PlanProblem(f"--max-sessions {max_sessions} would let nobody in; give 1 or more.")
        if max_memory is not None and max_memory < 300:
            raise PlanProblem(f"--max-memory {max_memory} is less than the app itself takes; give 300 (MB) or more.")
        return cls(
            address=address,
            port=port,
            dataset=dataset,
            processes=_processes(processes, others),
            hosts=tuple(dict.fromkeys(_host(origin) for origin in reached)),
            origins=tuple(reached),
            token=token,
            password=password,
            session_secret=secrets.token_urlsafe(32),
            embed=tuple(_embedding(origin) for origin in embed),
            behind_proxy=behind_proxy,
            metrics=metrics,
            max_sessions=max_sessions,
            max_memory=max_memory * 1_000_000 if max_memory else _three_quarters(),
            ledgers=_folder(ledgers),
            log_level=log_level,
            log_file=str(Path(log_file).absolute()) if log_file else None,
            opened=opened,
            path=path,
            rooms=rooms,
            lessons=_existing_path(lessons),
        )

    def to_json(self) -> str:
        """The plan as text, for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """The plan that `to_json` wrote."""
        values: dict[str, Any] = json.loads(text)
        values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return cls(**values)

    @property
    def needs_secret(self) -> bool:
        """Whether visitors have to show a secret."""
        return self.token is not None or self.password is not None

    @property
    def for_others(self) -> bool:
        """Whether people at other machines are served."""
        return not is_loopback(self.address) or bool(self._named_origins)

    @property
    def _named_origins(self):
        return [o for o in self.origins if not is_loopback(_without_port(_host(o)))]

    @property
    def link(self) -> str:
        """The address to open in a browser on this machine, with the token if there is one."""
        return self._links()[0]

    @property
    def reached(self) -> list[str]:
        """The origins to send people to, without a path."""
        # A name that was given comes before the numbers, and what others can reach before this machine's own.
        far = [o for o in self.origins if not is_loopback(_without_port(_host(o)))]
        if not is_loopback(self.address) and far:
            numbers = [o for o in far if _is_number(_without_port(_host(o)))]
            return [o for o in far if o not in numbers] or numbers
        return [self.origins[0]]

    def _links(self):
        query = "&".join(part for part in (f"token={self.token}" if self.token else "", self.opened) if part)
        return [f"{origin}{self.path}{'?' if query else ''}{query}" for origin in self.reached]

    def announcement(self) -> str:
        """What is printed at the start: where it is, and what it opens to whom."""
        lines = [f"Trustscope is at {self.link} (stop it with Ctrl-C)"]
        lines += [f"  also at {link}" for link in self._links()[1:]]
        if not is_loopback(self.address):
            where = "every network this machine is on" if self.address in EVERYWHERE else self.address
            lines.append(f"  Port {self.port} is open on {where}; the connection is not encrypted.")
        if self.token:
            lines.append("  Whoever has this link can use the app. Share it only with those who should.")
        if self.password:
            lines.append("  Visitors are asked for the password.")
        if (named := self._named_origins) and not self.needs_secret:
            lines.append(f"  Whoever can reach {_host(named[-1])} can use the app: no token or password was given.")
        if self.processes > 1:
            lines.append(f"  {self.processes} processes, at most {self.max_sessions} pages at once.")
        return "\n".join(lines)


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address."""
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_number(name):
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _own_hosts(address: str, port: int) -> list[str]:
    """The hosts that the address itself stands for.

    An address that listens everywhere stands for the numbers of this machine's networks: a name that somebody else
    points at this machine (DNS rebinding) is not among them.
    """
    here = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    if address in EVERYWHERE:
        return [*here, *(f"{number}:{port}" for number in _numbers())]
    own = f"[{address}]:{port}" if ":" in address else f"{address.lower()}:{port}"
    return list(dict.fromkeys([own, *here])) if is_loopback(address) else [own]


def _numbers() -> list[str]:
    import socket

    import psutil

    found = []
    for addresses in psutil.net_if_addrs().values():
        for one in addresses:
            if one.family == socket.AF_INET and not is_loopback(one.address):
                found.append(one.address)
            elif one.family == socket.AF_INET6 and "%" not in one.address and not is_loopback(one.address):
                found.append(f"[{one.address}]")
    return sorted(found, key=lambda number: number.startswith("["))


def _named(origin: str) -> list[str]:
    """The origins that a name stands for: with and without encryption, unless it says which."""
    scheme, _, rest = origin.rpartition("://")
    rest = rest.rstrip("/").lower()
    name, _, port = rest.rpartition(":") if re.search(r":\d+$", rest) else (rest, "", "")
    good = _NAME.fullmatch(name) or (name.startswith("[") and _is_number(name))
    if not good or scheme not in ("", "http", "https") or (port and not 0 < int(port) < 65536):
        raise PlanProblem(f"--origin {origin!r} is not a name such as trust.example.org or 10.0.0.5:5006.")
    return [f"{scheme}://{rest}"] if scheme else [f"https://{rest}", f"http://{rest}"]


def _embedding(origin: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.-]{1,253}(:\d{1,5})?", origin.rstrip("/")):
        raise PlanProblem(f"--embed {origin!r} is not an origin such as https://lms.example.org.")
    return origin.rstrip("/").lower()


def _host(origin: str) -> str:
    """What a browser writes in `Host` for an origin."""
    return origin.partition("://")[2]


def _without_port(host: str) -> str:
    return re.sub(r":\d+$", "", host)


def _check_secrets(token, password):
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_-]{16,200}", token):
        raise PlanProblem("the token needs 16 to 200 letters, digits, - or _; leave it out and one is made.")
    if password is not None and not 8 <= len(password) <= 200:
        raise PlanProblem("the password needs 8 to 200 characters.")


def _processes(asked: int | None, others: bool) -> int:
    many = sys.platform != "win32"  # connections cannot be handed to another process there
    if asked is None:
        return len(_cores()) if others and many else 1
    if not 1 <= asked <= 256:
        raise PlanProblem(f"--processes {asked} is not a number from 1 to 256.")
    if asked > 1 and not many:
        raise PlanProblem("several processes are not supported on Windows; leave out --processes.")
    return asked


def _cores():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def _three_quarters() -> int:
    import psutil

    return psutil.virtual_memory().total * 3 // 4


def _folder(path) -> str | None:
    if path is None:
        return None
    if not Path(path).is_dir():
        raise PlanProblem(f"--ledgers {str(path)!r} is not a folder; make it first.")
    return str(Path(path).absolute())


def _existing_path(path) -> str | None:
    if path is None:
        return None
    if not Path(path).exists():
        raise PlanProblem(f"--lessons {str(path)!r} is neither a folder nor a file; make it first.")
    return str(Path(path).absolute())
