"""Where students find a room: an address to type, and the same with the code as a QR code."""

import contextlib
import re
import socket
from typing import NamedTuple

import segno

from trustscope.app.serving.plan import Plan, is_loopback

NOWHERE = ("192.0.2.1", 9)  # an address that is set aside for documents: nothing is ever sent to it


UNREACHABLE = (
    "No student can reach this address: it is this machine's own. Stop the server with Ctrl-C and start it with "
    "“trustscope class --address 0.0.0.0”; students on the same network then find it."
)


class Address(NamedTuple):
    """What is shown: the address without its scheme, the link with the code, others under which it may be found.

    `warning` says that nobody but this machine reaches it, and what to do.
    """

    shown: str
    link: str
    others: tuple[str, ...]
    warning: str


def address_of(plan: Plan, code: str) -> Address:
    """The address of a room for students."""
    # Behind a proxy on this machine the name that was given is reached, although the address is this machine's own.
    named = [origin for origin in plan.origins if not is_loopback(_name(origin))]
    reached = plan.reached if not is_loopback(plan.address) else named or plan.reached
    first, *others = sorted(reached, key=lambda origin: not _is_usual(origin))
    typed = [first, *(origin for origin in others if "[" not in origin)]  # nobody types an IPv6 number
    shown = [f"{origin.partition('://')[2]}/class" for origin in typed]
    return Address(shown[0], f"{first}/class?code={code}", tuple(shown[1:3]), "" if named else UNREACHABLE)


def _name(origin: str) -> str:
    """The name or number in an origin, without the port."""
    return re.sub(r":\d+$", "", origin.partition("://")[2])


def qr(link: str) -> str:
    """A link as a QR code: an SVG, dark on white in either theme, because cameras need it so."""
    return segno.make(link, error="m", micro=False).svg_inline(
        border=2, omitsize=True, dark="#0f172a", light="#ffffff", svgclass=None, lineclass=None
    )


def _is_usual(origin: str) -> bool:
    """Whether an origin has the number that this machine has in its main network.

    Choosing a peer for a datagram sends nothing; it makes the system choose the way, and so the number.
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(NOWHERE)
        return f"//{probe.getsockname()[0]}:" in origin
    return False
