"""A service for the tests, which answers requests one after the other."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from subtext import Subtext, _transport


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: Any
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Responder = Callable[[BaseHTTPRequestHandler], None]


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def data(value: Any) -> Responder:
    """Responds with the envelope of a success."""
    body = json.dumps({"success": True, "data": value, "meta": {"request_id": "request-1"}}).encode()
    return lambda handler: send(handler, 200, body, {"Content-Type": "application/json"})


def failure(
    status: int, code: str, *, retryable: bool, details: Any = None, headers: dict[str, str] | None = None
) -> Responder:
    """Responds with the envelope of an error."""
    error = {"code": code, "message": f"Message of {code}.", "retryable": retryable, "details": details}
    body = json.dumps({"success": False, "error": error, "meta": {"request_id": "request-1"}}).encode()
    return lambda handler: send(handler, status, body, {"Content-Type": "application/json", **(headers or {})})


def text(body: str, status: int = 200, **headers: str) -> Responder:
    """Responds with a document."""
    return lambda handler: send(handler, status, body.encode(), headers)


def reset(handler: BaseHTTPRequestHandler) -> None:
    """Breaks the connection without a response."""
    handler.close_connection = True
    handler.connection.close()


class ServiceTest(unittest.TestCase):
    """Starts a service for each test. Pauses before retries take no time, and are listed in `pauses`."""

    def setUp(self) -> None:
        self.requests: list[Request] = []
        self.pauses: list[float] = []
        self._responders: list[Responder] = []
        test = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                responder = test._responders[min(len(test.requests), len(test._responders) - 1)]
                test.requests.append(Request(self.command, parts.path, query, self.headers, body))
                try:
                    responder(self)
                except OSError:
                    pass  # The client has left.

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        sleep = patch.object(_transport.time, "sleep", self.pauses.append)
        sleep.start()
        self.addCleanup(sleep.stop)

    def serve(self, *responders: Responder, **options: Any) -> Subtext:
        """Returns a client of a service that answers so; the last responder answers all further requests."""
        self._responders = list(responders)
        client = Subtext(api_key="sk_test", base_url=self.url, **options)
        self.addCleanup(client.close)
        return client
