"""HTTP for `AsyncClient` on asyncio's streams: connections are kept and used again."""

from __future__ import annotations

import asyncio
import re
import ssl
from typing import AsyncIterator, Dict, List, Mapping, NamedTuple, Optional, Union

from .errors import error_of
from .requests import Answer, Call, Target

_LINE_MAX = 1 << 16
_CONTROL = re.compile("[\x00-\x1f\x7f]")


class Link(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def close(self) -> None:
        self.writer.close()


class Head(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""


class AsyncTransport:
    def __init__(self, target: Target, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self.target = target
        self._ssl = ssl_context
        self._idle: List[Link] = []

    async def send(self, call: Call, headers: Mapping[str, str], timeout: Optional[float]) -> Answer:
        """One exchange. A kept connection may have ended unseen: only what may be sent again goes over one."""
        return await asyncio.wait_for(self._send(call, headers), timeout)

    async def _send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        if self._idle and call.again:
            try:
                return await self._exchange(self._idle.pop(), call, headers)
            except (asyncio.IncompleteReadError, ConnectionError):
                # The server has closed it meanwhile.
                pass
        return await self._exchange(await self._connect(), call, headers)

    async def _connect(self) -> Link:
        context: Union[ssl.SSLContext, None] = None
        if self.target.tls:
            context = self._ssl or ssl.create_default_context()
        reader, writer = await asyncio.open_connection(self.target.host, self.target.port, ssl=context, limit=_LINE_MAX)
        return Link(reader, writer)

    async def _exchange(self, link: Link, call: Call, headers: Mapping[str, str]) -> Answer:
        try:
            head = await self._request(link, call, {**headers, "Accept-Encoding": "gzip"})
            parts = [part async for part in _parts(link.reader, head)]
        except BaseException:
            link.close()
            raise
        if head.headers.get("connection", "").lower() == "close" or not _bounded(head):
            link.close()
        else:
            self._idle.append(link)
        return Answer(head.status, head.headers, b"".join(parts))

    async def _request(self, link: Link, call: Call, headers: Mapping[str, str]) -> Head:
        body = call.body or b""
        given = {**headers, "Content-Length": len(body)} if call.method in ("PATCH", "POST", "PUT") else headers
        lines = [f"{name}: {value}" for name, value in given.items()]
        first = f"{call.method} {self.target.root}{call.path} HTTP/1.1"
        if any(_CONTROL.search(line) for line in (first, *lines)):
            raise ValueError("a control character in the address or a header")
        link.writer.write("\r\n".join([first, *lines, "", ""]).encode("latin-1") + body)
        await link.writer.drain()
        return await _head(link.reader)

    async def stream(self, path: str, headers: Mapping[str, str], silence_s: float) -> "AsyncOpenStream":
        """Raises OverroundError where it is refused."""
        link = await asyncio.wait_for(self._connect(), silence_s)
        try:
            wanted = {**headers, "Accept": "text/event-stream"}
            head = await asyncio.wait_for(self._request(link, Call("GET", path), wanted), silence_s)
            if head.status != 200:
                body = b"".join([part async for part in _parts(link.reader, head)])
                raise error_of(head.status, head.headers, body)
        except BaseException:
            link.close()
            raise
        return AsyncOpenStream(link, head, silence_s)

    async def close(self) -> None:
        idle, self._idle = self._idle, []
        for link in idle:
            link.close()


class AsyncOpenStream:
    """A connection whose answer goes on."""

    def __init__(self, link: Link, head: Head, silence_s: float) -> None:
        self._link = link
        self._parts = _parts(link.reader, head)
        self._silence_s = silence_s

    async def part(self) -> bytes:
        """Empty at the end."""
        return await asyncio.wait_for(self._next(), self._silence_s)

    async def _next(self) -> bytes:
        try:
            return await self._parts.__anext__()
        except StopAsyncIteration:
            return b""

    def close(self) -> None:
        self._link.close()


async def _head(reader: asyncio.StreamReader) -> Head:
    while True:
        version, _, rest = (await _line(reader)).partition(" ")
        if not version.startswith("HTTP/1."):
            raise ConnectionError("the answer is not HTTP/1.1")
        status = _number(rest.split(" ", 1)[0], 10)
        headers: Dict[str, str] = {}
        while True:
            line = await _line(reader)
            if line == "":
                break
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        # What only says that more comes is no answer.
        if status >= 200:
            return Head(status, headers)


async def _line(reader: asyncio.StreamReader) -> str:
    try:
        return (await reader.readuntil(b"\n")).decode("latin-1").rstrip("\r\n")
    except asyncio.LimitOverrunError as error:
        raise ConnectionError("a line of the answer is too long") from error


def _number(text: str, base: int) -> int:
    try:
        return int(text, base)
    except ValueError as error:
        raise ConnectionError("the answer is not HTTP/1.1") from error


def _bounded(head: Head) -> bool:
    """Its end is not the connection's."""
    return head.status in (204, 304) or "content-length" in head.headers or _chunked(head)


def _chunked(head: Head) -> bool:
    return head.headers.get("transfer-encoding", "").lower() == "chunked"


async def _parts(reader: asyncio.StreamReader, head: Head) -> AsyncIterator[bytes]:
    """The body in the parts in which it comes."""
    if head.status in (204, 304):
        return
    if _chunked(head):
        while True:
            size = _number((await _line(reader)).split(";", 1)[0], 16)
            if size == 0:
                while await _line(reader) != "":
                    pass
                return
            async for part in _exactly(reader, size):
                yield part
            await reader.readexactly(2)
    elif "content-length" in head.headers:
        async for part in _exactly(reader, _number(head.headers["content-length"], 10)):
            yield part
    else:
        while True:
            part = await reader.read(_LINE_MAX)
            if not part:
                return
            yield part


async def _exactly(reader: asyncio.StreamReader, size: int) -> AsyncIterator[bytes]:
    left = size
    while left > 0:
        part = await reader.read(min(left, _LINE_MAX))
        if not part:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(part)
        yield part
