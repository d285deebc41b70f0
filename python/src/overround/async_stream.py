"""A stream of `AsyncClient`: an async iterator of events that reconnects and goes on exactly where it was."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Mapping, Optional, Tuple

from .async_transport import AsyncOpenStream, AsyncTransport
from .errors import OverroundError, network_error
from .events import StreamEvent
from .following import Following
from .sse import SseParser


class AsyncStream(Following):
    """Iterate over it; `async with` closes it at the end.

    >>> async with client.stream.opportunities(league="nba") as stream:
    ...     async for event in stream:
    ...         print(event.type, len(stream.table.arbitrage))
    """

    def __init__(self, transport: AsyncTransport, headers: Mapping[str, str], *following: Any) -> None:
        super().__init__(*following)
        self._transport = transport
        self._headers = headers
        self._open: Optional[AsyncOpenStream] = None
        self._closing: Optional[asyncio.Event] = None
        self._events = self._run()

    def __aiter__(self) -> AsyncIterator[StreamEvent]:
        return self

    async def __anext__(self) -> StreamEvent:
        return await self._events.__anext__()

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the iteration."""
        self._closed = True
        if self._open is not None:
            self._open.close()
        if self._closing is not None:
            self._closing.set()

    disconnect = close

    async def connect(self) -> None:
        """Calls the handlers of `on` until `close()`."""
        async for event in self:
            self._handle(event)

    async def iter_events(self) -> AsyncIterator[Tuple[str, Any]]:
        """The events as pairs of type and data."""
        async for event in self:
            yield event.type, event.data

    async def ready(self) -> AsyncStream:
        """Reads until the table is whole; events until then are merged and not handed out."""
        while not self._whole:
            try:
                await self._events.__anext__()
            except StopAsyncIteration:
                raise OverroundError(0, "closed", "the stream was closed") from None
        return self

    async def _run(self) -> AsyncIterator[StreamEvent]:
        # Python 3.9 binds it to the loop that runs.
        closing = self._closing = asyncio.Event()
        while not self._closed:
            lost = OverroundError(0, "connection_lost", "the connection is over")
            try:
                async for event in self._connection():
                    yield event
            except (OSError, EOFError, asyncio.TimeoutError, OverroundError) as error:
                # An answer cut short is an EOFError of asyncio's.
                lost = network_error(error)
            if not self._closed:
                try:
                    await asyncio.wait_for(closing.wait(), self._lost(lost))
                except asyncio.TimeoutError:
                    pass

    async def _connection(self) -> AsyncIterator[StreamEvent]:
        path = self._begin()
        opened = await self._transport.stream(path, {**self._headers, **self._resuming()}, self._silence_s)
        self._open = opened
        try:
            parser = SseParser()
            while True:
                part = await opened.part()
                if not part:
                    return
                for sent in parser.push(part):
                    if self._closed:
                        return
                    event = self._receive(sent)
                    if event is not None:
                        yield event
        finally:
            self._open = None
            opened.close()
