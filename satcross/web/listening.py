"""The address of the page: the listening socket and its URL."""

from __future__ import annotations

import ipaddress
import socket

from satcross.errors import InputError

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
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
