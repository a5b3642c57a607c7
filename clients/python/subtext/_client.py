from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import urlsplit

import httpx

from . import _calls
from ._errors import SubtextError
from ._transport import Transport
from ._wait import wait_until

if TYPE_CHECKING:
    from . import types as t

LOCAL_SERVICE = "http://127.0.0.1:3000"
API_PREFIX = "/api/v1"
#: Minimum time between two requests for the state of something.
POLL_INTERVAL = 1.0
#: The state of a batch is answered at once.
BATCH_POLL_INTERVAL = 5.0


class Videos(_calls.Videos):
    """Single videos: submit one, wait for its job, fetch its result."""

    def wait(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.Job], object] | None = None,
    ) -> t.Job:
        """Waits until a job has completed or failed, and returns it.

        Raises a `SubtextError` with the code `TIMEOUT` after `timeout` seconds; the job continues. `on_progress` is called with
        the job whenever its state was read.
        """
        return wait_until(
            lambda seconds: self._look(job_id, seconds),
            lambda job: job["status"] in ("completed", "failed"),
            what=f"Job {job_id}",
            timeout=timeout,
            interval=POLL_INTERVAL,
            on_progress=on_progress,
            job_id=job_id,
        )

    def _look(self, job_id: str, seconds: int) -> t.Job:
        path = f"/videos/status/{_calls.encode_id(job_id)}"
        query = {"wait": seconds}
        return self._transport.json("GET", path, query=query, timeout=seconds + 15.0, max_retries=0, job_id=job_id)

    @overload
    def process(
        self,
        url: str | t.SubmitVideo,
        *,
        format: Literal["json"],
        timeout: float | None = None,
        on_progress: Callable[[t.Job], object] | None = None,
        **fields: Any,
    ) -> t.StructuredResult: ...
    @overload
    def process(
        self,
        url: str | t.SubmitVideo,
        *,
        format: None = None,
        timeout: float | None = None,
        on_progress: Callable[[t.Job], object] | None = None,
        **fields: Any,
    ) -> t.DefaultResult: ...
    def process(
        self,
        url: str | t.SubmitVideo,
        *,
        format: Literal["json"] | None = None,
        timeout: float | None = None,
        on_progress: Callable[[t.Job], object] | None = None,
        **fields: Any,
    ) -> t.DefaultResult | t.StructuredResult:
        """Submits a video, waits for its end and returns the result. Raises the job's own error if it fails.

        `fields` are those of `submit`, such as `options`. When `timeout` is over, the job continues, and the error carries its
        `job_id`.
        """
        job_id = self.submit(url, **fields)["job_id"]
        self.wait(job_id, timeout=timeout, on_progress=on_progress)
        return self.result(job_id, format=format)


class Batches(_calls.Batches):
    """Up to 100 videos in one request."""

    def wait(
        self,
        batch_id: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[t.BatchWithJobs], object] | None = None,
    ) -> t.BatchWithJobs:
        """Waits until every job of a batch has ended, and returns the batch. Raises as `videos.wait` does."""
        path = f"/batch/status/{_calls.encode_id(batch_id)}"
        return wait_until(
            lambda seconds: self._transport.json("GET", path, max_retries=0),
            lambda batch: batch["status"] != "processing",
            what=f"Batch {batch_id}",
            timeout=timeout,
            interval=BATCH_POLL_INTERVAL,
            on_progress=on_progress,
        )


class Sources(_calls.Sources):
    """Playlists, channels and podcasts."""

    def wait(self, source_id: str, *, timeout: float | None = None) -> t.Source:
        """Waits until a source is listed or could not be, and returns it. Raises as `videos.wait` does."""
        path = f"/sources/{_calls.encode_id(source_id)}"
        return wait_until(
            lambda seconds: self._transport.json(
                "GET", path, query={"wait": seconds}, timeout=seconds + 15.0, max_retries=0
            ),
            lambda source: source["status"] != "listing",
            what=f"The listing of source {source_id}",
            timeout=timeout,
            interval=POLL_INTERVAL,
        )


class Subtext(_calls.Resources):
    """A client of the Subtext API.

    Args:
        api_key: API key (`sk_...`). Default: `SUBTEXT_API_KEY`, then `SERVICE_API_KEY`.
        base_url: URL of the service, with or without `/api/v1`. Default: `SUBTEXT_API_BASE`, then `SERVICE_API_BASE`, then
            `http://127.0.0.1:3000`.
        timeout: Maximum time of each attempt in seconds.
        max_retries: Number of retries after failures that can pass.
        http_client: Replaces the client of httpx, for example to use a proxy. It is not closed with this one.
    """

    videos: Videos
    batches: Batches
    sources: Sources

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 3,
        http_client: httpx.Client | None = None,
    ) -> None:
        key = _check_key(api_key if api_key is not None else _read_env("SUBTEXT_API_KEY", "SERVICE_API_KEY"))
        base = base_url or _read_env("SUBTEXT_API_BASE", "SERVICE_API_BASE") or LOCAL_SERVICE
        url = _complete_base_url(base)
        client = http_client or httpx.Client()
        self._own_client = None if http_client else client
        transport = Transport(client, url, key, timeout, max_retries)
        super().__init__(transport)
        self.videos = Videos(transport)
        self.batches = Batches(transport)
        self.sources = Sources(transport)

    def close(self) -> None:
        """Closes the connections."""
        if self._own_client:
            self._own_client.close()

    def __enter__(self) -> Subtext:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _read_env(*names: str) -> str:
    return next((value for name in names if (value := os.environ.get(name))), "")


def _check_key(key: str) -> str:
    """Trims and checks a key. Messages do not repeat it."""
    trimmed = key.strip()
    if re.fullmatch(r"[!-~]+", trimmed):
        return trimmed
    problem = "The API key contains characters that no key has" if trimmed else "No API key"
    raise SubtextError(f"{problem}: pass api_key, or set SUBTEXT_API_KEY.", code="UNAUTHORIZED")


def _complete_base_url(text: str) -> str:
    parts = urlsplit(text.strip())
    # The message does not repeat the URL, which may contain a password.
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise SubtextError("The base URL must begin with http:// or https://.", code="VALIDATION_ERROR")
    if "@" in parts.netloc or parts.query or parts.fragment:
        problem = "must not contain a user name, a password, ? or #"
        raise SubtextError(f"The base URL {problem}.", code="VALIDATION_ERROR")
    base = text.strip().rstrip("/")
    return base if base.endswith(API_PREFIX) else base + API_PREFIX
