"""The headers of every answer: what a page may load and run, and who may show it in a frame.

Scripts run only if they come from this server or carry the nonce of their page. The page that Panel renders holds a few
scripts inside it (Bokeh's start, ours for the theme); it holds nothing that a visitor gave apart from the signed token,
so giving its scripts a nonce gives it to nobody else's. `tests/serving/test_gate.py` holds that.
"""

import re
import secrets

from tornado.web import OutputTransform

from trustscope.app.serving.plan import Plan

# Styles stand inside Bokeh's elements, and pictures are made in the page: hence 'unsafe-inline', data: and blob: for
# those. Panel's widgets are modules that it turns into blobs. No text becomes a script: whatever needs that (Bokeh's
# callbacks and formatters with code, Panel's FlexBox) is not used. Scripts that stand in the page without the nonce do
# not run. No other origin is named anywhere.
POLICY = (
    "default-src 'none'; "
    "script-src 'self' blob: {scripts}; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "font-src 'self' data:; "
    "connect-src 'self' {sockets} blob:; "
    "worker-src 'self' blob:; "
    "manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)
_SCRIPT = re.compile(rb"<script(?=[\s>])")


def securing(plan: Plan) -> type[OutputTransform]:
    """The transform that Tornado applies to each answer of the app that is served by this plan."""
    ancestors = " ".join(plan.embed) or "'none'"
    # 'self' covers the websocket too, but Safari before 15.4 wants it named. A policy cannot name IPv6 addresses.
    named = {origin.replace("http", "ws", 1) for origin in plan.origins if "[" not in origin}
    sockets = " ".join(sorted(named))

    class Securing(OutputTransform):
        def transform_first_chunk(self, status_code, headers, chunk, finishing):
            """Add the headers, and the nonce to the scripts of a page."""
            scripts = ""
            if headers.get("Content-Type", "").startswith("text/html") and finishing:
                nonce = secrets.token_urlsafe(16)
                scripts = f"'nonce-{nonce}'"
                chunk = with_nonce(chunk, nonce)
                if "Content-Length" in headers:
                    headers["Content-Length"] = str(len(chunk))
            headers["Content-Security-Policy"] = POLICY.format(scripts=scripts, sockets=sockets, ancestors=ancestors)
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            if not plan.embed:
                headers["X-Frame-Options"] = "DENY"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
            # What Bokeh's handlers would tell about themselves, and whom they would let in.
            for name in ("Server", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"):
                if name in headers:
                    del headers[name]
            return status_code, headers, chunk

    return Securing


def with_nonce(page: bytes, nonce: str) -> bytes:
    """A page whose scripts carry the nonce."""
    return _SCRIPT.sub(b'<script nonce="' + nonce.encode() + b'"', page)
