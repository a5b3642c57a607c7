from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from ._errors import SubtextError
from ._transport import pause

T = TypeVar("T")

LONG_POLL_SECONDS = 30
#: An outage that lasts longer ends the waiting.
MAX_OUTAGE = 120.0


def wait_until(
    look: Callable[[int], T],
    has_ended: Callable[[T], bool],
    *,
    what: str,
    timeout: float | None,
    interval: float,
    on_progress: Callable[[T], object] | None = None,
    job_id: str | None = None,
) -> T:
    """Calls `look` until what it returns has ended. Survives deployments and outages of up to two minutes.

    `look` is given the number of seconds that the service may hold the request.
    """
    started = time.monotonic()
    outage_began: float | None = None
    failures = 0
    while True:
        asked = time.monotonic()
        left = float(LONG_POLL_SECONDS) if timeout is None else max(0.0, started + timeout - asked)
        try:
            state = look(int(min(LONG_POLL_SECONDS, left)))
        except SubtextError as error:
            outage_began = asked if outage_began is None else outage_began
            if not error.retryable or time.monotonic() - outage_began > MAX_OUTAGE:
                raise
            wanted = pause(failures, error.retry_after or 0.0)
            failures += 1
        else:
            outage_began, failures = None, 0
            if on_progress:
                on_progress(state)
            if has_ended(state):
                return state
            wanted = max(0.0, interval - (time.monotonic() - asked))
        if timeout is not None:
            left = started + timeout - time.monotonic()
            if left <= 0:
                message = f"{what} did not end within {timeout:g} s. It continues."
                raise SubtextError(message, code="TIMEOUT", retryable=True, job_id=job_id)
            # The last look is when the time is over.
            wanted = min(wanted, left)
        time.sleep(wanted)
