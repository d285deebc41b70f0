"""What streams of both clients share: the live table, the position, and what to do about a lost connection."""

from __future__ import annotations

import logging
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from .errors import OverroundError
from .events import Connected, Event, ServerError, SnapshotComplete, SnapshotRequired, event_of
from .requests import path_of
from .sse import SseEvent
from .table import LiveTable

log = logging.getLogger("overround")

LONGEST_WAIT_S = 30.0
_FINAL = (400, 401, 403, 404)
"""No reconnect mends a bad request, a bad key or a missing right."""

Handler = Callable[[Any], Any]


class Following:
    """Follows a stream over any number of connections."""

    def __init__(
        self,
        path: str,
        params: Mapping[str, Any],
        position: Optional[Union[str, int]],
        first_tries: Optional[int],
        silence_s: float,
    ) -> None:
        self.table = LiveTable()
        """Merged before each event is handed out."""
        self.position: Optional[str] = f"evt_{position}" if isinstance(position, int) else position or None
        """After the event handed out last; None within a snapshot. Kept with what was done, and handed in as `position`,
        it lets another process go on exactly there."""
        self._path = path
        self._params = dict(params)
        self._first_tries = first_tries
        self._silence_s = silence_s
        self._handlers: Dict[str, List[Handler]] = {}
        self._closed = False
        self._stood = False
        self._retry_s = 1.0
        self._failures = 0
        self._before: Optional[str] = None
        self._whole = False
        """The connection under way has told everything that there is."""

    def on(self, type: str, handler: Optional[Handler] = None) -> Any:
        """Calls `handler(data)` for each event of a type, or each (`*`), while `connect()` runs. Also a decorator.

        >>> @stream.on("arb:detected")
        ... def found(opportunities): print(opportunities[0].profit_percent)
        """
        if handler is None:
            return lambda given: self.on(type, given)
        self._handlers.setdefault(type, []).append(handler)
        return handler

    def _handle(self, event: Event) -> None:
        for handler in self._handlers.get(event.type, ()):
            handler(event.data)
        for handler in self._handlers.get("*", ()):
            handler({"type": event.type, "data": event.data})

    def _begin(self) -> str:
        """The path of the next connection."""
        self._before = self.position
        self._whole = False
        resume = {"resume": True} if self.position is not None else {}
        return path_of(self._path, {**self._params, **resume})

    def _resuming(self) -> Dict[str, str]:
        return {} if self.position is None else {"Last-Event-ID": self.position}

    def _receive(self, sent: SseEvent) -> Optional[Event]:
        """The event, merged; None where only a wait was told."""
        self._stood = True
        if sent.retry_s is not None:
            self._retry_s = sent.retry_s
        if sent.data == "":
            return None
        event = event_of(sent.event, sent.data, sent.id or None)
        if isinstance(event, ServerError):
            log.warning("the server says %s: %s", event.code, event.message)
        self.table.apply(event)
        if isinstance(event, SnapshotRequired) or (isinstance(event, Connected) and not event.resumed):
            self.position = None
        elif sent.id is not None:
            self.position = sent.id or None
        if isinstance(event, SnapshotComplete) or (isinstance(event, Connected) and event.resumed):
            self._whole = True
        return event

    def _lost(self, error: OverroundError) -> float:
        """Seconds until the next connection; raises the error where another cannot help."""
        # A connection that got somewhere ends the row of failures, however calm it was.
        got_on = self._whole or self.position != self._before
        self._failures = 0 if got_on else min(self._failures + 1, 10)
        if error.status in _FINAL:
            raise error
        if not self._stood and self._first_tries is not None and self._failures >= self._first_tries:
            raise error
        wait = min(self._retry_s * 2.0 ** max(0, self._failures - 1), LONGEST_WAIT_S)
        if error.retry_after is not None:
            wait = error.retry_after
        log.warning("lost the stream: %s; again in %g s", error, wait)
        return wait
