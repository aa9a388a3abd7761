"""Reads and writes of memory, their possible orders, and values that are uniform over a wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body

from regpress_lint.cpp.syntax_tree import Index
from regpress_lint.cpp.traversal import walk

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


@pytest.mark.parametrize(
    ("code", "uniform"),
    [
        ("float x = a[n];", True),
        ("float x = a[blockIdx.x * n + 3];", True),
        ("float x = a[tid];", False),
        ("float x = a[threadIdx.x / 64];", False),
        ("for (int k = 0; k < n; ++k) b[tid] = a[k];", True),
        ("for (int k = tid; k < n; k += 4) b[tid] = a[k];", False),
        ("int k = 0; if (tid) k = 1; float x = a[k];", False),
        ("int k = somewhere(n); float x = a[k];", False),
        ("int k = SOMETHING; float x = a[k];", False),
        ("int k = max(n, 3); float x = a[k];", True),
    ],
)
def test_uniform_values(code: str, uniform: bool) -> None:
    facts = body(code)
    read = next(each for each in accesses(facts) if each.kind == "read")
    assert facts.uniform()(read.expr) is uniform


def test_uniformity_if_a_variable_were_uniform() -> None:
    facts = body("int w = threadIdx.x / 64; int k = w * 4; float x = a[k + 1]; float y = a[tid];")
    names = {variable.name: variable for variable in facts.variables}
    held = facts.uniform(frozenset((names["w"],)))
    reads = [each.expr for each in accesses(facts) if each.kind == "read"]
    assert [held(read) for read in reads] == [True, False]
    assert [facts.uniform()(read) for read in reads] == [False, False]
    index = next(node for node in walk(reads[1]) if isinstance(node, Index)).index
    assert facts.uniform()(reads[1], (index,))
