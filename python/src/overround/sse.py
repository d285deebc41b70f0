"""Parses server-sent events from bytes that may be cut anywhere."""

from __future__ import annotations

from typing import List, NamedTuple, Optional


class SseEvent(NamedTuple):
    event: str
    data: str
    """Empty where only a wait was told."""
    id: Optional[str]
    """The id line of this event; None if it has none, empty if the old one is to be forgotten."""
    retry_s: Optional[float]
    """Seconds to wait before a reconnect, as the server asks."""


class SseParser:
    def __init__(self) -> None:
        self._rest = b""
        self._clear()

    def _clear(self) -> None:
        self._event = ""
        self._data: List[str] = []
        self._id: Optional[str] = None
        self._retry_s: Optional[float] = None

    def push(self, part: bytes) -> List[SseEvent]:
        """The events that are complete now."""
        events: List[SseEvent] = []
        lines = (self._rest + part).split(b"\n")
        self._rest = lines.pop()
        for raw in lines:
            line = raw.decode("utf-8", "replace").rstrip("\r")
            if line != "":
                self._field(line)
                continue
            if self._data or self._retry_s is not None:
                events.append(SseEvent(self._event or "message", "\n".join(self._data), self._id, self._retry_s))
            self._clear()
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id":
            self._id = value
        elif name == "retry" and value.isdigit():
            self._retry_s = int(value) / 1000
