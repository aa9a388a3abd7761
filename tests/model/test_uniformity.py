"""Which expressions the execution makes values of that differ between the threads of a wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body

from regpress_lint.cpp.syntax_tree import Binary
from regpress_lint.cpp.traversal import nodes_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.facts.kernel import KernelFacts


def reads(facts: KernelFacts) -> list[Expr]:
    return [each.expr for each in facts.memory_of(facts.kernel.function).accesses if each.kind == "read"]


@pytest.mark.parametrize(
    ("code", "differs"),
    [
        ("b[tid] = a[n];", False),
        ("b[tid] = a[blockIdx.x * n + 3];", False),
        ("b[tid] = a[tid];", True),
        ("b[tid] = a[threadIdx.x / 64];", True),
        ("for (int k = 0; k < n; ++k) b[tid] = a[k];", False),
        ("for (int k = tid; k < n; k += 4) b[tid] = a[k];", True),
        ("int k = 0; if (tid) k = 1; b[tid] = a[k];", True),
        ("int k = max(n, 3); b[tid] = a[k];", False),
        ("int k = n; k += 2; b[tid] = a[k];", False),
    ],
)
def test_reads_at_one_address_or_many(code: str, differs: bool) -> None:
    facts = body(code)
    assert facts.differs(reads(facts)[0], "gfx90a") is differs


def test_what_is_not_executed_is_not_known() -> None:
    facts = body("if (false) b[tid] = a[n + 1];")
    assert facts.differs(reads(facts)[0], "gfx90a") is None


def test_an_equal_value_made_before_decides_by_its_operands() -> None:
    facts = body("b[n * 2] = 1; b[n * 2 + tid] = 2;")
    products = [node for node in nodes_of(facts.kernel.function) if isinstance(node, Binary) and node.op == "*"]
    assert [facts.differs(node, "gfx90a") for node in products[1:]] == [False, False]


def test_reads_if_a_quotient_were_the_same_for_the_wave() -> None:
    facts = body("int w = threadIdx.x / 64; int k = w * 4; b[tid] = a[k + 1]; b[tid] += a[tid];")
    quotient = next(n for n in nodes_of(facts.kernel.function) if isinstance(n, Binary) and n.op == "/")
    first, second = (expr for expr in reads(facts) if facts.file.source.text(expr.span).startswith("a"))
    assert [facts.differs(expr, "gfx90a") for expr in (first, second)] == [True, True]
    assert [facts.differs(expr, "gfx90a", quotient) for expr in (first, second)] == [False, True]


def test_what_was_told_to_be_the_same_is() -> None:
    facts = body("int w = __builtin_amdgcn_readfirstlane(threadIdx.x / 64); b[tid] = a[w * 4];")
    assert facts.differs(reads(facts)[0], "gfx90a") is False


@pytest.mark.parametrize("index", ["(tid >> 6) * 16", "4 * n + (tid >> 6)"])
def test_a_quotient_within_an_expression(index: str) -> None:
    facts = body(f"b[tid] = a[{index}];")
    shift = next(n for n in nodes_of(facts.kernel.function) if isinstance(n, Binary) and n.op == ">>")
    assert [facts.differs(reads(facts)[0], "gfx90a", held) for held in (None, shift)] == [True, False]
