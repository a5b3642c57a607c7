from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

from ._errors import SubtextError

if TYPE_CHECKING:
    from ._transport import Transport

FileContent = IO[bytes] | bytes | tuple[str, IO[bytes] | bytes]


class _Omit:
    def __repr__(self) -> str:
        return "OMIT"


#: Leaves out a field in which `None` has a meaning.
OMIT: Any = _Omit()


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


def build_body(fields: Mapping[str, Any], nullable: Collection[str] = ()) -> dict[str, Any]:
    """Returns the body of a request. A mapping in the place of the first field is a whole body, which the others complete."""
    (first, value), *rest = fields.items()
    whole = value if isinstance(value, Mapping) else {first: value}
    given = {**dict(rest), **whole}
    return {name: each for name, each in given.items() if each is not OMIT and (each is not None or name in nullable)}


def encode_id(identifier: str) -> str:
    """Returns an ID as a part of a path."""
    encoded = quote(identifier, safe="") if isinstance(identifier, str) else ""
    # Servers and clients resolve `.` and `..`, which would turn the request into another one.
    if encoded in ("", ".", ".."):
        raise SubtextError("An ID is missing or invalid.", code="VALIDATION_ERROR")
    return encoded


def new_key() -> str:
    """Returns an idempotency key, which is kept over the retries of a call."""
    return secrets.token_hex(16)
