"""``tilewright explore --serve``: serve the page on localhost, and make it anew when the file is saved.

The server sends the page and its version, and nothing else.  It binds to localhost and refuses requests that were sent
to another name, so that pages of other sites cannot read it.  It runs only the file that the command line names.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from tilewright.ir.diagnostic import DiagnosticError

ADDRESS = "127.0.0.1"
_PAUSE = 0.3
"""The seconds between two tests whether the file has changed."""


class LivePage:
    """The HTML `text` of the page of a file, which `make` returns, and its `version`, the number of times it
    was made.

    If the file does not compile, the last page stays, and `say` is called with the error; for the first page
    the error is raised.
    """

    def __init__(self, file: Path, make: Callable[[], str], say: Callable[[str], object]) -> None:
        self._file = file
        self._make = make
        self._say = say
        self._seen = self._stamp()
        self.version = 1
        self.text = make()

    def look(self) -> None:
        """Make a new page and count its version up if the file has changed since the last call. If that fails
        with a `DiagnosticError`, the last page stays, and `say` gets the error.
        """
        stamp = self._stamp()
        if stamp == self._seen:
            return
        self._seen = stamp
        try:
            self.text = self._make()
        except DiagnosticError as error:
            self._say(str(error))
        else:
            self.version += 1

    def _stamp(self) -> tuple[int, int]:
        """Return the time of the last change and the size of the file; ``(0, 0)`` while it is missing, as
        editors may remove it for a moment.
        """
        try:
            status = self._file.stat()
        except OSError:
            return 0, 0
        return status.st_mtime_ns, status.st_size


class _Server(ThreadingHTTPServer):
    """An HTTP server of one page, bound to localhost."""

    daemon_threads = True

    def __init__(self, port: int, page: LivePage) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.page = page

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names, with the port, that a request to this server may name."""
        port = self.server_address[1]
        return tuple(f"{name}:{port}" for name in (ADDRESS, "localhost"))


class _Handler(BaseHTTPRequestHandler):
    """Handles requests for ``/``, the page, and ``/version``, its version as text; other paths do not exist."""

    def do_HEAD(self) -> None:
        """Send the headers of a response, without its body."""
        self.do_GET()

    def do_GET(self) -> None:
        """Send the page, or its version. Another path gets status 404, and a request to another host name
        403.
        """
        server = cast("_Server", self.server)
        if self.headers.get("Host", "") not in server.hosts:
            self.send_error(HTTPStatus.FORBIDDEN, "ask for localhost")
        elif self.path == "/":
            self._answer("text/html; charset=utf-8", server.page.text)
        elif self.path == "/version":
            self._answer("text/plain; charset=utf-8", str(server.page.version))
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _answer(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: a page that requests its version every second would fill the terminal."""


def serve(
    page: LivePage, port: int, say: Callable[[str], object], ended: Callable[[], bool] = lambda: False
) -> None:
    """Serve a page on `port` until Ctrl-C, which raises `KeyboardInterrupt` after the server's end, or until
    ``ended`` returns True, and make it anew when its file changes. `say` is called with the address.
    """
    with _Server(port, page) as server:
        say(f"http://{ADDRESS}:{server.server_address[1]}/ (Ctrl-C ends)")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": _PAUSE}, daemon=True)
        thread.start()
        try:
            while not ended():
                time.sleep(_PAUSE)
                page.look()
        finally:
            server.shutdown()
            thread.join()
