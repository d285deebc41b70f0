"""The errors of the client: one type, and a few narrower ones of it."""

from __future__ import annotations

import json
import math
from typing import Any, List, Mapping, Optional


class OverroundError(Exception):
    """Whatever fails between a call and its answer, or ends a stream.

    Codes are the server's (`unauthorized`, `tier_restricted`, `invalid_request`, `rate_limited`, …), `http_error` for an
    answer that is not the server's own, and `network_error`, `timeout`, `silence`, `bad_frame`, `invalid_signature`.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        tier: Optional[str] = None,
        max_books: Optional[int] = None,
        requested_books: Optional[List[str]] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status; 0 where there was no answer."""
        self.code = code
        self.message = message
        self.request_id = request_id
        """For the server's operator."""
        self.retry_after = retry_after
        """Seconds to wait before the next try, where the server says so."""
        self.required_tier = tier
        """The tier that would be enough (403)."""
        self.max_books = max_books
        """Sportsbooks above the tier (403): how many it sees."""
        self.requested_books = requested_books
        """The same: those that were asked for."""

    def __str__(self) -> str:
        return f"{self.status} {self.code}: {self.message}" if self.status else f"{self.code}: {self.message}"

    def __reduce__(self) -> Any:
        told = (self.status, self.code, self.message, self.request_id, self.retry_after, self.required_tier)
        return type(self), (*told, self.max_books, self.requested_books)


class AuthenticationError(OverroundError):
    """The key is missing or refused (401)."""


class TierRestrictedError(OverroundError):
    """The key's tier or features are not enough (403)."""


class RateLimitedError(OverroundError):
    """Too many requests or streams (429)."""


class ValidationError(OverroundError):
    """The request cannot be read, or a parameter is out of its range (400)."""


_BY_STATUS = {400: ValidationError, 401: AuthenticationError, 403: TierRestrictedError, 429: RateLimitedError}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> OverroundError:
    """The error that an answer is; `headers` by lower-case name."""
    try:
        parsed = json.loads(body)
        told = parsed.get("error") if isinstance(parsed, dict) else None
    except ValueError:
        # A proxy's page: only the status is known.
        told = None
    if not isinstance(told, dict):
        told = {}
    return _BY_STATUS.get(status, OverroundError)(
        status,
        str(told.get("code", "http_error")),
        str(told.get("message", f"the server answered {status}")),
        headers.get("x-request-id"),
        _seconds(told.get("retryAfter", headers.get("retry-after"))),
        told.get("tier"),
        told.get("max_books"),
        told.get("requested_books"),
    )


def network_error(error: BaseException) -> OverroundError:
    """Of what the platform raised."""
    if isinstance(error, OverroundError):
        return error
    # asyncio's own is no TimeoutError before Python 3.11, the socket's none before 3.10.
    late = isinstance(error, TimeoutError) or type(error).__name__ in ("timeout", "TimeoutError")
    code = "timeout" if late else "network_error"
    made = OverroundError(0, code, str(error) or type(error).__name__)
    made.__cause__ = error
    return made


def _seconds(value: Any) -> Optional[float]:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < math.inf else None
