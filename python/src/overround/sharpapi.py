"""The names of SharpAPI's own client: a program written for it needs another import, and the address.

>>> from overround.sharpapi import SharpAPI, RateLimitedError
>>> client = SharpAPI("sk_test_…", base_url="http://127.0.0.1:8080")
"""

from __future__ import annotations

from .async_client import AsyncClient as AsyncSharpAPI
from .client import Client as SharpAPI
from .errors import AuthenticationError, RateLimitedError, TierRestrictedError, ValidationError
from .errors import OverroundError as SharpAPIError
from .errors import OverroundError as StreamError
from .stream import Stream as EventStream

__all__ = [
    "AsyncSharpAPI",
    "AuthenticationError",
    "EventStream",
    "RateLimitedError",
    "SharpAPI",
    "SharpAPIError",
    "StreamError",
    "TierRestrictedError",
    "ValidationError",
    "american_to_decimal",
    "american_to_probability",
    "decimal_to_american",
]


def american_to_decimal(american: float) -> float:
    """-110 is 1.909…, 150 is 2.5."""
    return (100 + american) / 100 if american > 0 else (100 - american) / -american


def american_to_probability(american: float) -> float:
    """What a price implies, 0-1."""
    return 1 / american_to_decimal(american)


def decimal_to_american(decimal: float) -> int:
    """To the nearest whole number: 2.5 is 150."""
    return round((decimal - 1) * 100) if decimal >= 2 else round(-100 / (decimal - 1))
