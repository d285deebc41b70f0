"""The client for programs that wait for each answer."""

from __future__ import annotations

import ssl
import time
from http.client import HTTPException
from typing import Any, Iterator, Mapping, Optional, Type

from .errors import network_error
from .requests import Call, decoded, headers_of, json_call, lines_of, next_page, path_of, rate_limit_of, settings, wait_s
from .resources import Resources
from .rows import RateLimit, Row, Rows, RowType, row_of, rows_of
from .stream import Stream
from .transport import Transport


class Client(Resources):
    """Calls a server; every call raises OverroundError, and nothing else.

    >>> from overround import Client
    >>> client = Client(url="http://127.0.0.1:8080", api_key="sk_test_…")
    >>> for row in client.odds.get(league="nba", market="main"):
    ...     print(row.event_id, row.selection, row.sportsbook, row.odds_american)

    Without arguments it reads OVERROUND_URL (else http://127.0.0.1:8080) and OVERROUND_KEY. It may be used from several
    threads. Reads are tried again after a lost connection, 429, 502, 503 and 504, and wait as the server asks.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: Optional[float] = 30.0,
        retries: Optional[int] = 2,
        auth_method: str = "x-api-key",
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """`api_key` is a key, or a token made with one; `timeout` is in seconds, None is for ever. With `retries` None what
        may be sent again is tried for ever, and waits however long the server asks."""
        target, key = settings(url if base_url is None else base_url, api_key if base_url is None else api_key or url)
        self.url = target.url
        """The server's address."""
        self._headers = headers_of(target, key, auth_method == "bearer")
        self._transport = Transport(target, ssl_context)
        self._timeout = timeout
        self._retries = retries
        self.rate_limit = RateLimit()
        """As of the newest answer."""
        super().__init__(self)

    def close(self) -> None:
        """Ends the connections that are kept."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def request(self, method: str, path: str, params: Optional[Mapping[str, Any]] = None, body: Any = None) -> Any:
        """Any path below `/api/v1`; returns the answer's JSON, or its text.

        >>> client.request("GET", "/health")["data"]["status"]
        """
        address = path_of(path, params or {})
        return self._send(Call(method, address) if body is None else json_call(method, address, body, again=False))

    def _send(self, call: Call) -> Any:
        headers = dict(self._headers)
        if call.content_type is not None:
            headers["Content-Type"] = call.content_type
        tries = 0
        while True:
            try:
                answer = self._transport.send(call, headers, self._timeout)
                self.rate_limit = rate_limit_of(answer.headers) or self.rate_limit
                return decoded(answer)
            except Exception as thrown:
                if not isinstance(thrown, (OSError, HTTPException)) and not hasattr(thrown, "retry_after"):
                    raise
                error = network_error(thrown)
                wait = wait_s(error, tries, self._retries) if call.again else None
                if wait is None:
                    raise error from thrown.__cause__ if error is thrown else thrown
            time.sleep(wait)
            tries += 1

    def _list(self, kind: Type[RowType], call: Call) -> Rows[RowType]:
        answer = self._send(call)
        return rows_of(kind, answer, self.rate_limit)

    def _one(self, kind: Type[RowType], call: Call) -> RowType:
        answer = self._send(call)
        return row_of(kind, answer, self.rate_limit)

    def _text(self, call: Call) -> None:
        self._send(call)

    def _table(self, call: Call) -> str:
        return str(self._send(call))

    def _pages(self, method: Any, given: Mapping[str, Any], by_cursor: bool) -> Iterator[Any]:
        more: Optional[Mapping[str, Any]] = {}
        while more is not None:
            page: Rows[Row] = method(**{"limit": 200, **given, **more})
            yield from page
            more = next_page(page, by_cursor)

    def _push(self, messages: Any, params: Mapping[str, Any]) -> Any:
        listed = [messages] if isinstance(messages, Mapping) else messages
        return self._send(Call("POST", path_of("/ingest", params), lines_of(listed), "application/x-ndjson"))


    def _stream(self, path: str, filters: Mapping[str, Any], *following: Any) -> Stream:
        return Stream(self._transport, self._headers, path, filters, *following)
