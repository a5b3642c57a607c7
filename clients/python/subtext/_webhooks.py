from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ._errors import SubtextError

if TYPE_CHECKING:
    from . import types as t


def verify_webhook(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = 300.0,
) -> t.WebhookEvent:
    """Verifies a delivery and returns its event.

    Checks `webhook-signature` (Standard Webhooks 1.0.0: HMAC-SHA256 of `id.timestamp.body`) and the age of the attempt, which
    protects against replays.

    Args:
        raw_body: The body exactly as it was received. Parsed and serialized again, it no longer matches.
        headers: The headers of the request, in any case.
        secret: The webhook secret (`whsec_...`).
        tolerance: Maximum difference between the time of the attempt and now in seconds.

    Raises:
        SubtextError: With the code `INVALID_SIGNATURE`, if the headers or the secret are missing, the signature does not match or
            the attempt is too old.
    """
    lower = {str(name).lower(): str(value) for name, value in (headers or {}).items()}
    values = [lower.get(name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if not all(values):
        raise _refuse("A header is missing: webhook-id, webhook-timestamp or webhook-signature.")
    identifier, timestamp, signatures = (value or "" for value in values)
    if not _is_recent(timestamp, tolerance):
        raise _refuse("The attempt is too old, or its timestamp is not a time.")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(_decode_secret(secret), signed, hashlib.sha256).digest())
    if not any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" ")):
        raise _refuse("No signature matches the secret. Is the body exactly as it was received?")
    return json.loads(body)


def _is_recent(timestamp: str, tolerance: float) -> bool:
    try:
        return abs(time.time() - float(timestamp)) <= tolerance
    except ValueError:
        return False


def _decode_secret(secret: str) -> bytes:
    text = secret.removeprefix("whsec_") if secret and secret.startswith("whsec_") else ""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise _refuse("The secret is missing, or does not begin with whsec_.")
    return key


def _refuse(message: str) -> SubtextError:
    return SubtextError(message, code="INVALID_SIGNATURE")
