"""Checks that a webhook of an alert was sent by who holds its secret (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Union

from .errors import OverroundError
from .rows import Row

TOLERANCE_S = 300


def verify_webhook(
    secret: str,
    headers: Mapping[str, str],
    body: Union[bytes, str],
    *,
    tolerance_s: float = TOLERANCE_S,
    now: Optional[float] = None,
) -> Row:
    """The message, where its signature is right and it is at most five minutes old; else OverroundError
    `invalid_signature`.

    `secret` is what creating the alert answered (`whsec_…`), `body` the request's as it came, not parsed. A message may
    come more than once: its `webhook-id` header is then the same.

    >>> message = verify_webhook(secret, request.headers, request.get_data())
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, at, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    raw = body.encode() if isinstance(body, str) else bytes(body)
    try:
        sent = int(at)
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except (ValueError, binascii.Error):
        raise _refused("the headers or the secret are not of a webhook") from None
    expected = base64.b64encode(hmac.new(key, f"{id}.{at}.".encode() + raw, hashlib.sha256).digest()).decode()
    known = [mark[len("v1,") :] for mark in signatures.split(" ") if mark.startswith("v1,")]
    if not any([hmac.compare_digest(expected.encode(), mark.encode()) for mark in known]):
        raise _refused("the signature is not of this secret and message")
    if abs((time.time() if now is None else now) - sent) > tolerance_s:
        raise _refused("the message is too old, or the clocks differ")
    parsed: Any = json.loads(raw)
    return Row(parsed) if isinstance(parsed, dict) else Row(data=parsed)


def _refused(message: str) -> OverroundError:
    return OverroundError(0, "invalid_signature", message)
