"""Frames of deep recursion have room, so that no call waits for the system's memory (`core/running.py`)."""

from __future__ import annotations

import resource
import sys

import pytest

from regpress_lint.core import running

_DEPTHS = range(60, 140)
_CALLS = 300


def _faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _deep(levels: int) -> None:
    if levels:
        _deep(levels - 1)


def _recurse(levels: int) -> None:
    if levels:
        _recurse(levels - 1)
        return
    for _ in range(_CALLS):
        _deep(6)


def _worst(caller: object) -> int:
    """Page faults of the depth at which most calls cross the end of a chunk."""
    worst = 0
    for depth in _DEPTHS:
        before = _faults()
        caller(_recurse, depth)  # type: ignore[operator]
        worst = max(worst, _faults() - before)
    return worst


@pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.platform != "linux", reason="about CPython's frames on Linux"
)
def test_calls_at_any_depth_map_no_new_memory_each_time() -> None:
    assert _worst(running._call) >= _CALLS  # without room, some depth faults once per call
    assert _worst(running.with_room) < _CALLS / 4


def test_arguments_results_and_errors_pass_through() -> None:
    assert running.with_room(divmod, 7, 2) == (3, 1)
    assert running.with_room(dict, a=1) == {"a": 1}
    with pytest.raises(ZeroDivisionError):
        running.with_room(divmod, 1, 0)
    with pytest.raises(RecursionError):
        running.with_room(_deep, 10**6)


def test_an_interpreter_that_refuses_gets_the_plain_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_CLAIMED", -1)  # no interpreter takes a negative size
    assert running._claiming() is running._call
