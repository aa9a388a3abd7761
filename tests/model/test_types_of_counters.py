"""Loops that nvcc 13.0 counts or does not, by the types of counter, bound and step: all 450 of four types each, and of
constants, were compiled for sm_90; where it counts one it makes four copies.
"""

from __future__ import annotations

import pytest
from ssa_helpers import named, run

_COPIES = 4
_GRID = "blockIdx.x * blockDim.x + threadIdx.x"


def _reads(counter: str, bound: str, step: str, start: str = _GRID, op: str = "<") -> int:
    parameters = f"float* __restrict__ x, const float* __restrict__ y, {bound} m, int si, unsigned su, long sl"
    text = f"for ({counter} i = {start}; i {op} m; i += {step}) x[i] = y[i];"
    return len(named(run(text, parameters, vendor="nvidia"), "load"))


@pytest.mark.parametrize(
    ("counter", "bound", "step"),
    [
        ("int", "int", "si"),
        ("int", "unsigned", "1"),
        ("long", "int", "su"),
        ("long", "long", "su"),
        ("long", "unsigned", "sl"),
        ("long", "unsigned long", "su"),
        ("unsigned", "unsigned", "1"),
        ("unsigned long", "unsigned", "4"),
    ],
)
def test_counter_that_comes_to_its_bound_is_counted(counter: str, bound: str, step: str) -> None:
    assert _reads(counter, bound, step) == _COPIES


@pytest.mark.parametrize(
    ("counter", "bound", "step"),
    [
        ("int", "int", "su"),
        ("int", "int", "sl"),
        ("int", "unsigned", "si"),
        ("int", "unsigned", "4"),
        ("int", "unsigned long", "si"),
        ("int", "unsigned long", "1"),
        ("int", "long", "1"),
        ("long", "unsigned long", "si"),
        ("unsigned", "unsigned", "su"),
        ("unsigned", "unsigned long", "1"),
        ("unsigned long", "unsigned long", "su"),
        ("unsigned long", "unsigned long", "4"),
    ],
)
def test_counter_that_may_pass_its_bound_is_not_counted(counter: str, bound: str, step: str) -> None:
    assert _reads(counter, bound, step) == 1


@pytest.mark.parametrize(
    ("counter", "bound", "step"), [("int", "long", "1"), ("int", "unsigned long", "4"), ("int", "unsigned", "4")]
)
def test_counter_that_begins_at_a_constant_is_counted(counter: str, bound: str, step: str) -> None:
    assert _reads(counter, bound, step, "0") == _COPIES
    assert _reads(counter, bound, step, "si") == 1


@pytest.mark.parametrize("counter", ["int", "unsigned", "long", "unsigned long"])
@pytest.mark.parametrize("bound", ["100000", "100000u", "100000ul"])
def test_bound_that_is_a_constant_is_reached_by_constant_steps(counter: str, bound: str) -> None:
    parameters = "float* __restrict__ x, const float* __restrict__ y"
    text = f"for ({counter} i = {_GRID}; i < {bound}; i += 4) x[i] = y[i];"
    assert len(named(run(text, parameters, vendor="nvidia"), "load")) == _COPIES


def test_unsigned_counter_may_run_for_ever_up_to_the_largest_bound() -> None:
    assert _reads("unsigned", "unsigned", "1", op="<=") == 1
    assert _reads("int", "unsigned", "1", op="<=") == _COPIES
