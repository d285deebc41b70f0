"""The client of overround, a real-time sports odds engine.

>>> from overround import Client
>>> client = Client()  # reads OVERROUND_URL and OVERROUND_KEY
>>> client.odds.best(league="nba", market="moneyline").to_pandas()
"""

from .async_client import AsyncClient
from .async_stream import AsyncStream
from .client import Client
from .errors import AuthenticationError, OverroundError, RateLimitedError, TierRestrictedError, ValidationError
from .events import Event, StreamEvent
from .requests import UNSET
from .requests import VERSION as __version__
from .rows import RateLimit, Row, Rows
from .stream import Stream
from .table import LiveTable
from .webhooks import verify_webhook

__all__ = [
    "AsyncClient",
    "AsyncStream",
    "AuthenticationError",
    "Client",
    "Event",
    "LiveTable",
    "OverroundError",
    "RateLimit",
    "RateLimitedError",
    "Row",
    "Rows",
    "Stream",
    "StreamEvent",
    "TierRestrictedError",
    "UNSET",
    "ValidationError",
    "__version__",
    "verify_webhook",
]
