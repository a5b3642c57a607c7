from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from ._errors import SubtextError, build_response_error
from ._pages import Page, Pages
from ._resource import OMIT, FileContent

T = TypeVar("T")

#: A longer pause is left to the caller, which gets the error with `retry_after`.
MAX_RETRY_AFTER = 60.0
BASE_DELAY = 0.5
MAX_DELAY = 8.0


class Transport:
    """Sends requests, and repeats those that failed for a reason that can pass."""

    def __init__(self, client: httpx.Client, base_url: str, api_key: str, timeout: float, max_retries: int) -> None:
        self._client = client
        self._base_url = base_url
        self._headers = {"Authorization": f"Bearer {api_key}", "Accept": "application/json"}
        self._timeout = timeout
        self.max_retries = max_retries

    def json(self, method: str, path: str, **call: Any) -> Any:
        """Returns the `data` of the envelope."""
        return self._send(method, path, _read_data, **call)

    def none(self, method: str, path: str, **call: Any) -> None:
        """Sends a request whose response has no body."""
        self._send(method, path, lambda response: None, **call)

    def text(self, method: str, path: str, **call: Any) -> str:
        """Returns a document."""
        return self._send(method, path, lambda response: response.text, accept="*/*", **call)

    def file(self, method: str, path: str, **call: Any) -> bytes:
        """Returns the content of a file, which may take the service a while to make."""
        return self._send(method, path, lambda response: response.content, accept="*/*", timeout=120.0, **call)

    def form(self, file: FileContent, path: str, *, fields: Mapping[str, Any], **call: Any) -> Any:
        """Sends a file with fields. Lists and objects are JSON."""
        named = file if isinstance(file, tuple) else (getattr(file, "name", "captions"), file)
        content = named[1] if isinstance(named[1], bytes) else named[1].read()
        given = {name: value for name, value in fields.items() if value is not None and value is not OMIT}
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
        # The content is in memory, so that a retry can send it again.
        files = {"file": (str(named[0]).rsplit("/", 1)[-1], content)}
        return self._send("POST", path, _read_data, data=texts, files=files, timeout=120.0, **call)

    def pages(self, key: str, path: str, *, query: Mapping[str, Any] | None = None, **call: Any) -> Pages[Any]:
        """Returns a list whose pages have their items in the field `key`."""

        def fetch(cursor: str | None) -> Page[Any]:
            data = self.json("GET", path, query={**(query or {}), "cursor": cursor}, **call)
            return Page(items=data[key], pagination=data["pagination"])

        return Pages(fetch)

    def _send(
        self,
        method: str,
        path: str,
        read: Callable[[httpx.Response], T],
        *,
        max_retries: int | None = None,
        job_id: str | None = None,
        **call: Any,
    ) -> T:
        """Failures of the connection, 408, 429 and errors that the API calls retryable are retried; no other 4xx is."""
        retries = self.max_retries if max_retries is None else max_retries
        attempt = 0
        while True:
            try:
                return read(self._attempt(method, path, **call))
            except SubtextError as error:
                error.job_id = error.job_id or job_id
                if attempt >= retries or not can_retry(error):
                    raise
                time.sleep(pause(attempt, error.retry_after or 0.0))
                attempt += 1

    def _attempt(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        accept: str | None = None,
        timeout: float | None = None,
        **files: Any,
    ) -> httpx.Response:
        headers = {**self._headers}
        if accept:
            headers["Accept"] = accept
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        params = {name: _to_text(value) for name, value in (query or {}).items() if value is not None}
        try:
            response = self._client.request(
                method,
                self._base_url + path,
                headers=headers,
                params=params,
                json=body,
                timeout=timeout or self._timeout,
                # The key must not reach another host.
                follow_redirects=False,
                **files,
            )
        except httpx.TimeoutException as cause:
            raise SubtextError(
                f"{self._origin} did not respond in time.", code="TIMEOUT", retryable=True
            ) from cause
        except httpx.TransportError as cause:
            message = f"The connection to {self._origin} failed."
            raise SubtextError(message, code="CONNECTION_ERROR", retryable=True) from cause
        if response.status_code >= 400:
            raise build_response_error(response)
        if response.status_code >= 300:
            message = f"{self._origin} redirects, which is not followed. Correct the base URL."
            raise SubtextError(message, code="INVALID_RESPONSE", status=response.status_code)
        return response

    @property
    def _origin(self) -> str:
        parts = urlsplit(self._base_url)
        return f"{parts.scheme}://{parts.netloc}"


def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_data(response: httpx.Response) -> Any:
    try:
        data = response.json()["data"]
    except (ValueError, KeyError, TypeError) as cause:
        message = "The response is not one of the API. Check the base URL."
        raise SubtextError(message, code="INVALID_RESPONSE", status=response.status_code) from cause
    return data


def can_retry(error: SubtextError) -> bool:
    """Returns whether a repeated request may succeed, after a pause that is short enough."""
    may_pass = error.status < 400 or error.status in (408, 429) or error.status >= 500
    return (
        error.retryable
        and (may_pass or error.code == "IDEMPOTENCY_IN_PROGRESS")
        and (error.retry_after or 0.0) <= MAX_RETRY_AFTER
    )


def pause(attempt: int, retry_after: float) -> float:
    """Returns the pause before a retry in seconds: what the response requests, and an exponential backoff with jitter."""
    backoff = min(MAX_DELAY, BASE_DELAY * 2**attempt)
    return retry_after + backoff * (1 + random.random()) / 2
