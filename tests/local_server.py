"""An HTTP server for tests of downloads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Reply = tuple[int, bytes, int]
"""A status, the content, and how many bytes a Content-Length promises."""


@contextmanager
def serve(reply: Callable[[BaseHTTPRequestHandler], Reply]) -> Iterator[str]:
    """Answer GET as ``reply`` says, which receives the request; yield the server's address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, content, promised = reply(self)
            self.send_response(status)
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
