"""Pages as files that are tried without a server: what records a page, and what is made of the recording."""

from trustscope.extras import require

require("app")  # before anything that would fail without it

from trustscope.app.explorable.making import explorable  # noqa: E402

__all__ = ["explorable"]
