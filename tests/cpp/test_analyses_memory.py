"""Reads and writes of memory, and their possible orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source.memory_accesses import MemoryAccess


def accesses(facts: KernelFacts) -> tuple[MemoryAccess, ...]:
    return tuple(facts.memory_of(facts.kernel.function).accesses)


def shown(code: str, **more: str) -> list[tuple[str, str, str]]:
    facts = body(code, **more)
    return [
        (facts.file.source.text(each.expr.span), each.kind, each.origin.name if each.origin is not None else "")
        for each in accesses(facts)
    ]


def test_reads_writes_and_updates() -> None:
    assert shown("b[tid] = a[tid]; b[n] += 1;") == [
        ("b[tid]", "write", "b"),
        ("a[tid]", "read", "a"),
        ("b[n]", "read", "b"),
        ("b[n]", "write", "b"),
    ]


def test_private_variables_are_not_memory() -> None:
    assert shown("float s[4]; s[0] = n; s[1] = s[0] + tid;") == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("const float* p = a + n; b[0] = p[1];", ("p[1]", "read", "a")),
        ("const float* p = &a[n]; p += 2; b[0] = *p;", ("*p", "read", "a")),
        ("const float* p = n ? a : b; b[0] = p[1];", ("p[1]", "read", "")),
        ("const float* p = a; p = b; b[0] = p[1];", ("p[1]", "read", "")),
        ("__shared__ float t[4][8]; b[0] = t[1][2];", ("t[1][2]", "read", "t")),
        ("b[0] = __ldg(&a[n]);", ("a[n]", "read", "a")),
        ("atomicAdd(b + n, 1.0f);", ("b + n", "atomic", "b")),
    ],
)
def test_where_a_pointer_comes_from(code: str, expected: tuple[str, str, str]) -> None:
    assert expected in shown(code)


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        ("b[0] = 1; b[1] = a[0];", True),
        ("b[1] = a[0]; b[0] = 1;", False),
        ("for (int k = 0; k < n; ++k) b[k] = a[0];", True),
        ("if (n) { b[0] = 1; } else { b[1] = a[0]; }", False),
        ("if (n) { b[0] = 1; } b[1] = a[0];", True),
        ("if (n) { b[0] = 1; return; } b[1] = a[0];", False),
    ],
)
def test_writes_that_may_precede_a_read(code: str, reached: bool) -> None:
    facts = body(code)
    memory = facts.memory_of(facts.kernel.function)
    read = next(each for each in memory.accesses if each.kind == "read")
    writes = [each for each in memory.accesses if each.kind == "write"]
    assert any(memory.before((each.block, each.op), (read.block, read.op)) for each in writes) is reached
