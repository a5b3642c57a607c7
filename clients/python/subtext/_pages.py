from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    pagination: dict[str, Any]


class Pages(Generic[T]):
    """A list of any length. Iterate over it to read all pages, or fetch them one by one."""

    def __init__(self, fetch: Callable[[str | None], Page[T]]) -> None:
        self._fetch = fetch

    def page(self, cursor: str | None = None) -> Page[T]:
        """Returns one page: the first, or the one named by `pagination["next_cursor"]` of the page before."""
        return self._fetch(cursor)

    def __iter__(self) -> Iterator[T]:
        """Yields all items. Pages are fetched when they are needed, one at a time."""
        cursor: str | None = None
        while True:
            page = self.page(cursor)
            yield from page.items
            cursor = page.pagination.get("next_cursor")
            if cursor is None:
                return
