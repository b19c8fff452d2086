"""Real copies of real data: made on demand, for years, at any size, and recorded.

A *ledger* is a folder: an SQLite file of events in a hash chain, a digest of that file, and, where the system has no
key store, the encrypted key. `Ledger` makes the copies that it records; only nested ones, so that whoever pools
copies learns no more than from the best of them. The noise is a pure function of (key, level, row), so that any copy
can be made at any time, on any machine, in any order, without an earlier copy at hand.
"""

from trustscope.extras import require

require("release")  # before anything that would fail without it

from trustscope.release.ledger import Ledger  # noqa: E402
from trustscope.release.problems import Cancelled, Problem  # noqa: E402

__all__ = ["Cancelled", "Ledger", "Problem"]
