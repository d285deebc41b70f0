"""What both clients share about a request: its address, its headers, what its answer means, and how long to wait for the next try."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import zlib
from datetime import date, datetime, timezone
from enum import Enum
from typing import Any, Dict, Final, Iterable, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlencode, urlsplit

from .errors import OverroundError, error_of
from .rows import RateLimit, Row

ROOT = "/api/v1"
VERSION = "0.3.0"
FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 10.0
"""A call that the server lets wait longer is an error, which says how long."""
_PASSING = (0, 429, 502, 503, 504)


class Unset(Enum):
    """The type of UNSET."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        # As help() and editors show the default of an argument.
        return "..."


UNSET: Final = Unset.UNSET
"""Not given, where None would be sent as null."""


class Target(NamedTuple):
    """A server's address in its parts."""

    tls: bool
    host: str
    port: int
    root: str
    """Of the API, with what a proxy puts before it."""
    url: str


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class Call(NamedTuple):
    method: str
    path: str
    """Below the API's root."""
    body: Optional[bytes] = None
    content_type: Optional[str] = None
    again: bool = True
    """It may be sent again: nothing happens twice."""


def settings(url: Optional[str], api_key: Optional[str]) -> Tuple[Target, Optional[str]]:
    """From what the caller gave and the environment: OVERROUND_URL, OVERROUND_KEY."""
    if url is not None and "://" not in url:
        # No key has a port or a bracket: it would be sent to the usual server.
        if re.fullmatch(r"\[.*|[\w.-]*:\d+(/.*)?", url):
            raise ValueError(f"{url!r} is no address of a server (http://host:port)")
        # One of them is a key, which no log should have.
        if api_key and "://" not in api_key:
            raise ValueError("neither url nor api_key is an address of a server (http://host:port)")
        # SharpAPI's client has the key first.
        url, api_key = api_key, url
    address = urlsplit(url or os.environ.get("OVERROUND_URL") or "http://127.0.0.1:8080")
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError(f"{address.geturl()!r} is no address of a server (http://host:port)")
    tls = address.scheme == "https"
    before = address.path.rstrip("/")
    root = before if before.endswith(ROOT) else before + ROOT
    url = f"{address.scheme}://{address.netloc}{before[: -len(ROOT)] if before.endswith(ROOT) else before}"
    target = Target(tls, address.hostname, address.port or (443 if tls else 80), root, url)
    return target, api_key or os.environ.get("OVERROUND_KEY") or None


def headers_of(target: Target, api_key: Optional[str], bearer: bool) -> Dict[str, str]:
    usual = 443 if target.tls else 80
    host = f"[{target.host}]" if ":" in target.host else target.host
    headers = {
        "Host": host if target.port == usual else f"{host}:{target.port}",
        "User-Agent": f"overround-python/{VERSION}",
    }
    if api_key is not None and bearer:
        headers["Authorization"] = f"Bearer {api_key}"
    elif api_key is not None:
        headers["X-API-Key"] = api_key
    return headers


def path_of(path: str, params: Mapping[str, Any]) -> str:
    """Lists are joined by commas, times are in UTC, what is None is left out; `from_` is `from`, which Python keeps."""
    told = [(name.rstrip("_"), text_of(value)) for name, value in given(params).items()]
    return f"{path}?{urlencode(told, quote_via=quote)}" if told else path


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        # Without a zone it is meant as Python means it: local.
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(text_of(item) for item in value)
    return str(value)


def given(fields: Mapping[str, Any], nulls: Mapping[str, Any] = {}) -> Dict[str, Any]:
    """Without what was not given: of `fields` what is None, of `nulls`, in which None says something, what is UNSET."""
    told = {name: value for name, value in fields.items() if value is not None}
    return {name: value for name, value in {**told, **nulls}.items() if value is not UNSET}


def segment(value: Any) -> str:
    return quote(str(value), safe="")


def json_call(method: str, path: str, body: Any, again: bool) -> Call:
    return Call(method, path, json.dumps(body, default=text_of).encode(), "application/json", again)


def lines_of(messages: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(message, default=text_of) + "\n" for message in messages).encode()


def decoded(answer: Answer) -> Any:
    """The answer's JSON, or its text where it is a table; None for no content. Raises the error that it is."""
    body = answer.body
    if answer.headers.get("content-encoding") == "gzip":
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError, zlib.error) as error:
            raise OverroundError(answer.status, "http_error", "the answer is no gzip") from error
    if not 200 <= answer.status < 300:
        raise error_of(answer.status, answer.headers, body)
    if answer.status == 204 or not body:
        return None
    kind = answer.headers.get("content-type", "")
    try:
        if kind.startswith("application/x-ndjson"):
            rows: List[Any] = [json.loads(line) for line in body.splitlines() if line]
            return {"success": True, "data": rows}
        return json.loads(body) if kind.startswith("application/json") else body.decode()
    except ValueError as error:
        raise OverroundError(answer.status, "http_error", f"the answer is no {kind or 'text'}") from error


def rate_limit_of(headers: Mapping[str, str]) -> Optional[RateLimit]:
    limit, remaining, reset = (headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset"))
    if limit is None or remaining is None or reset is None:
        return None
    try:
        return RateLimit(int(limit), int(remaining), float(reset), headers.get("x-tier"))
    except ValueError:
        return None


def wait_s(error: OverroundError, tries: int, retries: Optional[int]) -> Optional[float]:
    """Seconds before the next try; None where another would not help, or is one too many, or not soon. Clients that
    failed together should not come back together."""
    if error.status not in _PASSING or (retries is not None and tries >= retries):
        return None
    own = min(FIRST_WAIT_S * 2.0 ** min(tries, 10), 3 * LONGEST_WAIT_S)
    wait = max(error.retry_after or 0.0, own * random.uniform(0.5, 1))
    return wait if retries is None or wait <= LONGEST_WAIT_S else None


def next_page(answer: Any, by_cursor: bool) -> Optional[Dict[str, Any]]:
    """The parameters of the page after this one."""
    pagination: Row = answer.pagination
    if by_cursor:
        cursor = pagination.get("next_cursor")
        return None if cursor is None else {"cursor": cursor}
    after = pagination.get("next_offset")
    return None if after is None else {"offset": after}
