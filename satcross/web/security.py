"""Protection against requests from other sites, and security headers of responses.

Pages of other sites must not use this server through a visitor's browser. In cross-site request
forgery, requests name another origin; in DNS rebinding, a foreign name points to this server, and
requests name a foreign host. Both are rejected.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satcross.errors import InputError
from satcross.web.schema import Problem

JSON = "application/json"
BYTES = "application/octet-stream"

_HOST = re.compile(
    r"(?:(?P<name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)|\[(?P<address>[0-9a-f:.]+)\])(?::[0-9]{1,5})?",
    re.IGNORECASE | re.ASCII,
)
"""A Host header: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port."""

_HEADERS = {
    # Allow only files of this server, and no embedding in other pages.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def problem(status: int, error: str, code: str, **headers: str) -> Response:
    """Return an error response with a message for people and a code for programs."""
    return Response(msgspec.json.encode(Problem(error, code)), status, headers, JSON)


class SecurityMiddleware:
    """ASGI middleware that rejects requests from other sites and sets security headers."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        """Accept the host names ``names``, besides localhost and IP addresses."""
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                is_answer = scope["path"].startswith("/api/")
                headers["cache-control"] = "no-store" if is_answer else "no-cache"
            await send(message)

        rejection = self._rejection(scope["method"], scope["path"], Headers(scope=scope))
        await (rejection or self._app)(scope, receive, send_with_headers)

    def _rejection(self, method: str, path: str, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        name = _host_name(host)
        # DNS rebinding needs a name; an address can't be redirected.
        if name is None or not (name in self._names or _address(name)):
            return problem(
                421,
                f"{host[:100]!r} is not a name of this server; use its address, or start it with "
                "--name",
                "wrong-host",
            )
        origin = headers.get("origin")
        if origin is not None and _origin_host(origin) != host.lower():
            return problem(403, "requests from pages of other sites are refused", "other-site")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            is_page = method == "GET" and path == "/"
            follows_link = is_page and headers.get("sec-fetch-mode") == "navigate"
            if not follows_link:
                return problem(403, "requests from other sites are refused", "other-site")
        if method not in ("GET", "HEAD", "DELETE", "OPTIONS"):
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind not in (JSON, BYTES):  # other sites can send forms, which have neither type
                return problem(
                    415, f"send the body as {JSON} (or {BYTES} for a file)", "wrong-content-type"
                )
        return None


def _origin_host(origin: str) -> str | None:
    """Return the host and port of an origin in lower case, or None if it has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _host_name(host: str) -> str | None:
    """Return the name or address in a Host header, or None if that is not one name and a port."""
    found = _HOST.fullmatch(host)
    return found and (found["name"] or found["address"]).lower()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    with suppress(ValueError):
        return ipaddress.ip_address(name)
    return None


_QUEUE = 128
"""Maximum number of connections that wait to be accepted."""


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises InputError for an address that is in use or invalid."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        return socket.create_server(place[:2], family=family, backlog=_QUEUE)
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        remedy = "choose another --port, or 0 for any" if port else "choose another --host"
        raise InputError(f"can't listen on {host} port {port} ({reason})", remedy) from None


def page_address(host: str, port: int) -> str:
    """Return the URL of the page, with a local address if the server listens on all addresses."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def is_loopback(host: str) -> bool:
    """Return whether only this computer can reach the host."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)
