"""A stream of `Client`: an iterator of events that reconnects and goes on exactly where it was."""

from __future__ import annotations

import threading
from http.client import HTTPException
from typing import Any, Iterator, Mapping, Optional, Tuple

from .errors import OverroundError, network_error
from .events import StreamEvent
from .following import Following
from .sse import SseParser
from .transport import OpenStream, Transport


class Stream(Following):
    """Iterate over it; `with` closes it at the end.

    >>> with client.stream.opportunities(league="nba") as stream:
    ...     for event in stream:
    ...         print(event.type, len(stream.table.arbitrage))
    """

    def __init__(self, transport: Transport, headers: Mapping[str, str], *following: Any) -> None:
        super().__init__(*following)
        self._transport = transport
        self._headers = headers
        self._open: Optional[OpenStream] = None
        self._closing = threading.Event()
        self._events = self._run()

    def __iter__(self) -> Iterator[StreamEvent]:
        return self

    def __next__(self) -> StreamEvent:
        return next(self._events)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the iteration, also from another thread."""
        self._closed = True
        self._closing.set()
        opened = self._open
        if opened is not None:
            opened.close()

    disconnect = close

    def connect(self) -> None:
        """Calls the handlers of `on` until `close()`."""
        for event in self:
            self._handle(event)

    def iter_events(self) -> Iterator[Tuple[str, Any]]:
        """The events as pairs of type and data."""
        for event in self:
            yield event.type, event.data

    def ready(self) -> Stream:
        """Reads until the table is whole; events until then are merged and not handed out."""
        while not self._whole:
            if next(self._events, None) is None:
                raise OverroundError(0, "closed", "the stream was closed")
        return self

    def _run(self) -> Iterator[StreamEvent]:
        while not self._closed:
            lost = OverroundError(0, "connection_lost", "the connection is over")
            try:
                yield from self._connection()
            except (OSError, HTTPException, OverroundError) as error:
                lost = network_error(error)
            except (ValueError, AttributeError):
                # What http.client says to who reads while another thread closes.
                if not self._closed:
                    raise
            if self._closed:
                return
            self._closing.wait(self._lost(lost))

    def _connection(self) -> Iterator[StreamEvent]:
        path = self._begin()
        opened = self._transport.stream(path, {**self._headers, **self._resuming()}, self._silence_s)
        self._open = opened
        try:
            parser = SseParser()
            for part in opened.parts():
                for sent in parser.push(part):
                    if self._closed:
                        return
                    event = self._receive(sent)
                    if event is not None:
                        yield event
        finally:
            self._open = None
            opened.close()
