"""Long work that can be cancelled: the caller says how, and the work checks from time to time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Asked:
    def __init__(self) -> None:
        self.proceed: Callable[[], None] | None = None


_ASKED = _Asked()


@contextmanager
def interruptible(proceed: Callable[[], None]) -> Iterator[None]:
    """Until the end of the `with` statement `proceed` is called now and then; what it raises ends the work.

    One thread at a time does such work (the worker of the language server); elsewhere there is no check.
    """
    outer, _ASKED.proceed = _ASKED.proceed, proceed
    try:
        yield
    finally:
        _ASKED.proceed = outer


def checkpoint() -> None:
    """A good moment to stop: nothing that is kept is half done."""
    if _ASKED.proceed is not None:
        _ASKED.proceed()
