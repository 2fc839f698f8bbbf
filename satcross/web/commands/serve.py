"""``satcross serve``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import click

from satcross.cli.messages import note
from satcross.cli.options import make_command, option, parse_seconds, whole
from satcross.errors import UnavailableError

_EXAMPLES = """
satcross serve                       (then open http://127.0.0.1:8017/)
satcross serve --port 0 --open       (any free port; opens your browser)
satcross serve --jobs 1 --max-seconds 60
"""


@dataclass(frozen=True, slots=True)
class Request:
    port: int = option(
        "--port N",
        "The port to listen on; 0: any that is free.",
        type=whole(0, 65535),
        default=8017,
    )
    host: str = option(
        "--host ADDRESS",
        "Where to listen. By default only this computer can reach the page; 0.0.0.0 opens it to "
        "the network, without any password.",
        default="127.0.0.1",
    )
    names: tuple[str, ...] = option(
        "--name NAME", "A further host name of the page; repeatable.", multiple=True
    )
    jobs: int = option(
        "--jobs N",
        "Fills, explanations and comparisons at a time; further ones wait, or are refused for the "
        "moment.",
        type=whole(1, 64),
        default=2,
    )
    max_seconds: float = option(
        "--max-seconds SECONDS",
        "The longest time that one of them may take.",
        type=parse_seconds,
        default=300.0,
    )
    opened: bool = option("--open", "Open the page in your browser.")


@make_command(Request, examples=_EXAMPLES, endless=True)
def command(request: Request) -> None:
    """Make crosswords in a web page, served by this program on this computer.

    Draw a grid, fill it, see why it can't be filled, compare the backends, watch the textbook's
    search step by step, export. Needs the extra satcross[web]. Ctrl-C ends it.
    """
    try:
        import uvicorn

        from satcross.web.app import make_app
        from satcross.web.limits import Limits
        from satcross.web.security import is_loopback, listen, page_address
    except ImportError as error:
        raise UnavailableError(
            f"satcross serve needs a library that can't be imported ({error}); "
            "install it: pip install 'satcross[web]', or '.[web]' in a copy of the repository"
        ) from error

    host = request.host
    listener = listen(host, request.port)
    address = page_address(host, listener.getsockname()[1])
    limits = replace(Limits(), running=request.jobs, job_seconds=request.max_seconds)
    config = uvicorn.Config(
        make_app(limits, [*request.names, host]),
        loop="asyncio",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=4 * limits.listeners,
        timeout_graceful_shutdown=1,
    )
    if not is_loopback(host):
        note(f"listening on {host}: anyone who can reach this computer can use it through the page")
    click.echo(f"satcross is at {address} (Ctrl-C ends it)")
    if request.opened:
        import webbrowser

        webbrowser.open(address)
    with listener, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
