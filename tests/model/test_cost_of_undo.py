"""Undoing an execution costs as much as the facts it drops, not as all known facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.model.graph.values import forget

if TYPE_CHECKING:
    from collections.abc import Iterator


class Table(dict[int, str]):
    """A table that counts full iterations over it."""

    walks = 0

    def __iter__(self) -> Iterator[int]:
        self.walks += 1
        return super().__iter__()


def table(keys: range) -> Table:
    return Table((key, str(key)) for key in keys)


@pytest.mark.parametrize("first", [0, 3, 95, 99, 100])
def test_only_newer_values_are_dropped(first: int) -> None:
    known = table(range(0, 100, 3))
    forget(known, first, 100)
    assert dict(known) == {key: str(key) for key in range(0, first, 3)}


def test_a_few_values_of_a_large_table_are_forgotten_without_a_walk() -> None:
    known = table(range(1000))
    forget(known, 990, 1000)
    assert (len(known), known.walks) == (990, 0)


def test_many_values_of_a_small_table_are_found_in_it() -> None:
    known = table(range(5, 10))
    forget(known, 7, 1_000_000)
    assert (sorted(known), known.walks) == ([5, 6], 2)  # one walk is that of `sorted`
