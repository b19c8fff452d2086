"""What must be said of a copy before it is made: what for, whom to ask, and until when.

Defaults stand in the policy: `purpose`, `contact` and `days`, after which a copy expires.
"""

import datetime

from trustscope.release.problems import Problem
from trustscope.release.types import Rules

REQUIRED = ("purpose", "contact", "expires")
ASKED = {
    "purpose": "what the copy is for (--purpose)",
    "contact": "whom to ask about it (--contact)",
    "expires": "until when it may be used (--until, a day such as 2027-12-31)",
}


def complete(
    policy: Rules, *, purpose: str = "", contact: str = "", expires: str = "", today: datetime.date | None = None
) -> dict[str, str]:
    """The terms of a copy with the policy's defaults put in, or what is missing.

    Parameters
    ----------
    policy : dict
    purpose, contact, expires : str
        The last one a day, YYYY-MM-DD.
    today : datetime.date, optional

    Returns
    -------
    dict of str to str
    """
    today = today or datetime.datetime.now(datetime.UTC).date()
    found = {
        "purpose": _line(purpose) or policy.get("purpose", ""),
        "contact": _line(contact) or policy.get("contact", ""),
        "expires": _day(expires, today),
    }
    if not found["expires"] and policy.get("days"):
        found["expires"] = (today + datetime.timedelta(days=policy["days"])).isoformat()
    if missing := [ASKED[name] for name in REQUIRED if not found[name]]:
        raise Problem(f"Say {' and '.join(missing)}; the policy can hold defaults (--purpose, --contact, --days).")
    return found


def _line(text: str | None) -> str:
    return " ".join(str(text or "").split())


def _day(text: str | None, today: datetime.date) -> str:
    text = str(text or "").strip()
    if not text:
        return ""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise Problem(f"A copy expires on a day such as 2027-12-31, not on “{text}”.") from None
    if day < today:
        raise Problem(f"A copy cannot expire on {day.isoformat()}, which is over.")
    return day.isoformat()


def is_over(expires: str, today: datetime.date | None = None) -> bool:
    """Whether a day has passed."""
    today = today or datetime.datetime.now(datetime.UTC).date()
    return bool(expires) and datetime.date.fromisoformat(expires) < today
