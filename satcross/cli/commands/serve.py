"""``satcross serve``."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import replace

import click

from satcross.cli.options import parse_seconds
from satcross.errors import InputError, UnavailableError

_EPILOG = """\b
Examples:
  satcross serve                       (then open http://127.0.0.1:8017/)
  satcross serve --port 0 --open       (any free port; opens your browser)
  satcross serve --jobs 1 --max-seconds 60
"""

_QUEUE = 128


@click.command(name="serve", epilog=_EPILOG)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8017,
    show_default=True,
    help="0: any that is free.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. By default only this computer can reach the page; 0.0.0.0 opens it to "
    "the network, without any password.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="One more host name the page is called by; repeatable.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    metavar="N",
    help="Fills, explanations and comparisons at a time; others wait, or are told to come back.",
)
@click.option(
    "--max-seconds",
    type=float,
    default=300.0,
    callback=parse_seconds,
    show_default=True,
    metavar="SECONDS",
    help="The longest that one of them may ask for.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in your browser.")
def command(
    port: int, host: str, names: tuple[str, ...], jobs: int, max_seconds: float, opened: bool
) -> None:
    """Make crosswords in a web page, served by this program on this computer.

    Draw a grid, fill it, see why it can't be filled, compare the backends, watch the textbook's
    search step by step, export. Needs the extra satcross[web]. Ctrl-C ends it.
    """
    try:
        import uvicorn

        from satcross.web.app import make_app
        from satcross.web.limits import Limits
    except ImportError as error:
        raise UnavailableError(
            f"satcross serve needs a library that can't be imported ({error}); "
            "install satcross[web]"
        ) from error

    listener = _listen(host, port)
    address = _address(host, listener.getsockname()[1])
    limits = replace(Limits(), running=jobs, job_seconds=max_seconds)
    app = make_app(limits, [*names, host])
    config = uvicorn.Config(
        app,
        loop="asyncio",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=4 * limits.listeners,
        timeout_graceful_shutdown=1,
    )
    if not _is_loopback(host):
        click.echo(
            f"satcross: note: listening on {host}: whoever can reach this computer can use the "
            "page, and its processors",
            err=True,
        )
    click.echo(f"satcross is at {address} (Ctrl-C ends it)")
    if opened:
        import webbrowser

        webbrowser.open(address)
    with listener, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that is ours. Raises InputError when the place is taken, or no place."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        return socket.create_server(place[:2], family=family, backlog=_QUEUE)
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        remedy = "choose another --port, or 0 for any" if port else "choose another --host"
        raise InputError(f"can't listen on {host} port {port} ({reason})", remedy) from None


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
