"""HTTP for `Client` on http.client: connections are kept and used again."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from typing import Dict, Iterator, List, Mapping, Optional

from .errors import error_of
from .requests import Answer, Call, Target


class Transport:
    def __init__(self, target: Target, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self.target = target
        self._ssl = ssl_context
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def send(self, call: Call, headers: Mapping[str, str], timeout: Optional[float]) -> Answer:
        """One exchange. A kept connection may have ended unseen: only what may be sent again goes over one."""
        with self._lock:
            kept = self._idle.pop() if self._idle and call.again else None
        if kept is not None:
            try:
                return self._exchange(kept, call, headers, timeout)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The server has closed it meanwhile.
                pass
        return self._exchange(self._connection(timeout), call, headers, timeout)

    def _connection(self, timeout: Optional[float]) -> http.client.HTTPConnection:
        host, port = self.target.host, self.target.port
        if not self.target.tls:
            return http.client.HTTPConnection(host, port, timeout=timeout)
        return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._ssl)

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        call: Call,
        headers: Mapping[str, str],
        timeout: Optional[float],
    ) -> Answer:
        try:
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            path = self.target.root + call.path
            connection.request(call.method, path, call.body, {**headers, "Accept-Encoding": "gzip"})
            response = connection.getresponse()
            answer = Answer(response.status, _lower(response), response.read())
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)
        return answer

    def stream(self, path: str, headers: Mapping[str, str], silence_s: float) -> "OpenStream":
        """Raises OverroundError where it is refused."""
        connection = self._connection(silence_s)
        try:
            connection.request("GET", self.target.root + path, headers={**headers, "Accept": "text/event-stream"})
            response = connection.getresponse()
            if response.status != 200:
                raise error_of(response.status, _lower(response), response.read())
        except BaseException:
            connection.close()
            raise
        return OpenStream(connection, response)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


class OpenStream:
    """A connection whose answer goes on."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        # http.client lets go of it where the answer ends with the connection.
        self._socket: Optional[socket.socket] = connection.sock

    def parts(self) -> Iterator[bytes]:
        while True:
            part = self._response.read1(1 << 16)
            if not part:
                return
            yield part

    def close(self) -> None:
        """Also from another thread: who reads is woken."""
        try:
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It is closed already.
            pass
        self._connection.close()


def _lower(response: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
