"""Pages as files that are tried without a server: what records a page, and what is made of the recording."""

from trustscope.app.explorable.making import explorable

__all__ = ["explorable"]
