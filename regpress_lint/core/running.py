"""Long work, with room for its frames, and cancelled where the caller says so: the work checks from time to time.

CPython 3.11 and later keep the frames of Python functions in chunks of 16 KiB. A call that crosses the end of a chunk
maps a new one, and its return unmaps it: the execution of a kernel recurses 90 to 200 deep, stays around such an edge
for thousands of calls, and pays for two system calls each time. A frame that does not fit makes its chunk larger; a
function that claims a deep stack therefore leaves the rest of a chunk of 1 MiB to its callees. The claimed part is
never touched, and so takes no memory. `tests/lint/test_call_frames.py` counts the page faults.
"""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")


# Words. Just above half a MiB, so that the chunk is 1 MiB and half of it is left.
_CLAIMED = (1 << 16) + 64


def _call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return function(*args, **kwargs)


def with_room(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a call, whose frames and those below it share one large chunk of memory."""
    return _caller(function, *args, **kwargs)


def _claiming() -> Callable[..., T]:
    """`_call` with a stack that fills half a chunk; `_call` itself where an interpreter has no such frames."""
    from types import FunctionType

    try:
        return FunctionType(_call.__code__.replace(co_stacksize=_CLAIMED), _call.__globals__)
    except (AttributeError, TypeError, ValueError, OverflowError, MemoryError):
        return _call


_caller = _claiming()


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


def is_interruptible() -> bool:
    """Whether the work may be called off."""
    return _ASKED.proceed is not None
