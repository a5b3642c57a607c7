from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class SubtextError(Exception):
    """Everything that the client raises on its own.

    `code` is one of the API's codes, or `CONNECTION_ERROR`, `TIMEOUT`, `INVALID_RESPONSE` or `INVALID_SIGNATURE`, which occur in
    the client.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: str | None = None,
        retryable: bool = False,
        job_id: str | None = None,
        details: dict[str, Any] | None = None,
        docs_url: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        #: Status of the response; 0 if there was none.
        self.status = status
        self.request_id = request_id
        #: Whether the same request may succeed later.
        self.retryable = retryable
        #: The job that the failed call was about.
        self.job_id = job_id
        self.details = details or {}
        self.docs_url = docs_url
        #: Pause that the response requests, in seconds.
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def build_response_error(response: httpx.Response) -> SubtextError:
    """Builds the error of a response with a status of 400 or more."""
    body = _read_json(response)
    error, meta = _read_object(body, "error"), _read_object(body, "meta")
    is_ours = isinstance(error.get("code"), str) and isinstance(error.get("message"), str)
    status = response.status_code
    details = _read_object(error, "details")
    return SubtextError(
        error["message"] if is_ours else _describe_foreign(status),
        code=error["code"] if is_ours else "INVALID_RESPONSE",
        status=status,
        request_id=meta.get("request_id") or response.headers.get("X-Request-Id"),
        # An error without our envelope comes from a proxy. Gateway errors are temporary.
        retryable=error.get("retryable", False) if is_ours else status in (408, 429) or status >= 502,
        job_id=details.get("job_id"),
        details=details,
        docs_url=error.get("docs_url"),
        retry_after=_parse_retry_after(response),
    )


def _read_json(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _read_object(body: dict[str, Any], name: str) -> dict[str, Any]:
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def _describe_foreign(status: int) -> str:
    """Describes an answer whose form shows that it comes from another server or a proxy."""
    hint = ", but not as the API does. Check the base URL." if status < 500 else "."
    return f"The server responded with status {status}{hint}"


def _parse_retry_after(response: httpx.Response) -> float | None:
    """Parses `Retry-After` (RFC 9110, section 10.2.3). A date is compared with the clock of the server."""
    value = response.headers.get("Retry-After", "")
    if value.isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value)
        now = parsedate_to_datetime(response.headers.get("Date", ""))
    except ValueError:
        return None
    return max(0.0, (until - now).total_seconds())
