"""A server that answers as it is told, for what a real one does only when it is in trouble."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Tuple

Answer = Callable[[BaseHTTPRequestHandler], None]


def refusal(status: int, body: str = "{}", **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", str(len(body.encode())))
        request.end_headers()
        request.wfile.write(body.encode())

    return answer


def raw(answered: bytes) -> Answer:
    """These bytes, whatever they are; then the connection ends."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(answered)
        request.close_connection = True

    return answer


def events(*lines: str, cut: bool = True) -> Answer:
    """The lines of a stream, which then breaks off."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        for line in lines:
            request.wfile.write(line.encode())
            request.wfile.flush()
        request.close_connection = cut

    return answer


class Scripted:
    def __init__(self, *answers: Answer) -> None:
        """Each request gets the next answer, then the last one for ever."""
        self.asked: List[Tuple[str, Dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                answers[min(len(outer.asked), len(answers)) - 1](self)

            def do_POST(self) -> None:
                self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> "Scripted":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
