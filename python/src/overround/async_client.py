"""The client for programs on asyncio."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncIterator, Mapping, Optional, Type

from .async_resources import Resources
from .async_stream import AsyncStream
from .async_transport import AsyncTransport
from .errors import network_error
from .requests import Call, decoded, headers_of, json_call, lines_of, next_page, path_of, rate_limit_of, settings, wait_s
from .rows import RateLimit, Row, Rows, RowType, row_of, rows_of


class AsyncClient(Resources):
    """The same as `Client`, whose calls are awaited.

    >>> async with AsyncClient(url="http://127.0.0.1:8080", api_key="sk_test_…") as client:
    ...     rows = await client.odds.get(league="nba")
    ...     async for event in client.stream.odds(league="nba"):
    ...         print(event.type)
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
        self._transport = AsyncTransport(target, ssl_context)
        self._timeout = timeout
        self._retries = retries
        self.rate_limit = RateLimit()
        """As of the newest answer."""
        super().__init__(self)

    async def close(self) -> None:
        """Ends the connections that are kept."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def request(self, method: str, path: str, params: Optional[Mapping[str, Any]] = None, body: Any = None) -> Any:
        """Any path below `/api/v1`; returns the answer's JSON, or its text.

        >>> (await client.request("GET", "/health"))["data"]["status"]
        """
        address = path_of(path, params or {})
        return await self._send(Call(method, address) if body is None else json_call(method, address, body, again=False))

    async def _send(self, call: Call) -> Any:
        headers = dict(self._headers)
        if call.content_type is not None:
            headers["Content-Type"] = call.content_type
        tries = 0
        while True:
            try:
                answer = await self._transport.send(call, headers, self._timeout)
                self.rate_limit = rate_limit_of(answer.headers) or self.rate_limit
                return decoded(answer)
            except Exception as thrown:
                if not isinstance(thrown, (OSError, EOFError, asyncio.TimeoutError)) and not hasattr(thrown, "retry_after"):
                    raise
                error = network_error(thrown)
                wait = wait_s(error, tries, self._retries) if call.again else None
                if wait is None:
                    raise error from thrown.__cause__ if error is thrown else thrown
            await asyncio.sleep(wait)
            tries += 1

    async def _list(self, kind: Type[RowType], call: Call) -> Rows[RowType]:
        answer = await self._send(call)
        return rows_of(kind, answer, self.rate_limit)

    async def _one(self, kind: Type[RowType], call: Call) -> RowType:
        answer = await self._send(call)
        return row_of(kind, answer, self.rate_limit)

    async def _text(self, call: Call) -> None:
        await self._send(call)

    async def _table(self, call: Call) -> str:
        return str(await self._send(call))

    async def _pages(self, method: Any, given: Mapping[str, Any], by_cursor: bool) -> AsyncIterator[Any]:
        more: Optional[Mapping[str, Any]] = {}
        while more is not None:
            page: Rows[Row] = await method(**{"limit": 200, **given, **more})
            for row in page:
                yield row
            more = next_page(page, by_cursor)

    async def _push(self, messages: Any, params: Mapping[str, Any]) -> Any:
        listed = [messages] if isinstance(messages, Mapping) else messages
        return await self._send(Call("POST", path_of("/ingest", params), lines_of(listed), "application/x-ndjson"))


    def _stream(self, path: str, filters: Mapping[str, Any], *following: Any) -> AsyncStream:
        return AsyncStream(self._transport, self._headers, path, filters, *following)
