"""RP302 and RP304: what counts as alive anyway, and where a kernel is widest."""

from __future__ import annotations

import pytest
from analysis_helpers import body, facts_of

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Span
from regpress_lint.model.graph.ops import MULTIPLY

LOOP = """
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = 0.0;
  for (int j = 0; j < n; ++j) {
    double x = a[j * n + tid];
    for (int k = 0; k < 20; ++k) s[k] = s[k] * x + s[(k + 1) % 20];
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
"""
HEAD = "__global__ void __launch_bounds__(256) k(const double *a, double *b, int n) {\n  int tid = threadIdx.x;\n"
NAMES = [f"e{k}" for k in range(6)]


def kernel(before: str, behind: str) -> bytes:
    return f"#include <hip/hip_runtime.h>\n{HEAD}{before}{LOOP}{behind}\n  b[tid] = r;\n}}\n".encode()


def said(text: bytes, code: str, target: str, *, select: bool = True) -> list[str]:
    settings = Settings(architectures=(target,), select=(code,) if select else ())
    return [each.severity.label for each in lint_bytes(text, "k.hip", settings).diagnostics if each.code == code]


def values(init: str) -> str:
    return "".join(f"  double {name} = {init} + {number}.5;\n" for number, name in enumerate(NAMES))


STORES = "".join(f"  b[{number} * n + tid] = {name};\n" for number, name in enumerate(NAMES, 1))
USES = "".join(f"  r += {name} * r;\n" for name in NAMES)
OPERANDS = "  double u = a[tid], v = a[n + tid];\n"


@pytest.mark.parametrize(
    ("init", "behind", "expected"),
    [
        ("u * v", "  r += u - v;\n", ["info"]),
        ("u * n", "  r += u;\n", ["info"]),
        ("u * v", "", []),  # both would be held instead
        ("u / v", "  r += u - v;\n", []),
        ("exp(u)", "  r += u - v;\n", []),
        ("a[2 * n + tid]", "  r += u - v;\n", []),
        ("(u * v - v) * (v + u)", "  r += u - v;\n", []),  # four operations and one
        ("u * threadIdx.x", "  r += u - v;\n", []),
    ],
)
def test_recomputed_value_is_cheap_and_has_live_operands(init: str, behind: str, expected: list[str]) -> None:
    text = kernel(OPERANDS + values(init) + STORES, USES + behind)
    assert said(text, "RP304", "gfx90a") == expected


def test_recomputing_is_reported_only_as_a_hint() -> None:
    text = kernel(OPERANDS + values("u * v") + STORES, USES + "  r += u - v;\n").replace(b"s[20]", b"s[24]")
    text = text.replace(b"k < 20", b"k < 24").replace(b"% 20", b"% 24")
    assert said(text, "RP304", "sm_90") == ["hint"]
    assert said(text, "RP304", "sm_90", select=False) == []
    assert said(text, "RP304", "gfx90a", select=False) == ["info"]


@pytest.mark.parametrize(
    ("before", "behind", "registers"),
    [
        (OPERANDS + values("u * v"), "  r += u - v;\n", "12 registers"),
        (OPERANDS + values("u * v"), "", "8 registers"),  # held instead: what is loaded in front of a loop is RP301's
        (OPERANDS + "  double w = u * v;\n" + values("w * u"), "  r += u - v;\n", "12 registers"),
        (OPERANDS + values("u * v").replace("double e0", "b += n; double e0"), "  r += u - v;\n", "12 registers"),
        (OPERANDS + values("u * tid").replace("double e5", "tid += n; double e5"), "  r += u - v;\n", ""),
    ],
)
def test_early_declarations(before: str, behind: str, registers: str) -> None:
    text = kernel(before, USES + behind)
    found = lint_bytes(text, "k.hip", Settings(architectures=("gfx90a",), select=("RP302",))).diagnostics
    assert [registers in each.message for each in found] == [True] * bool(registers)


PAIRS = "".join(f"  double u{k} = a[{k} * n + tid], v{k} = a[{k} * n + n * 9 + tid];\n" for k in range(6))


@pytest.mark.parametrize(
    ("behind", "expected", "registers"),
    [
        ("".join(f"  r += u{k} * v{k};\n" for k in range(6)), "`u0`, `v0`, `u1` and 9 more are loaded", 24),
        (
            "".join(f"  r += (u{k} * v{k} + 1.0) * 3.0;\n" for k in range(6)),
            "`u0`, `v0`, `u1` and 9 more are loaded",
            24,
        ),
        ("".join(f"  r += u{k} * u{k};\n" for k in range(6)), "`u0`, `u1`, `u2` and 3 more are loaded", 12),
    ],
)
@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_values_derived_from_early_loads_are_named_by_the_loads(
    target: str, behind: str, expected: str, registers: int
) -> None:
    """They hold the twelve values: no compiler makes the products in front of the loop (nvcc 13.0.88: 80 registers)."""
    text = kernel(PAIRS, "".join(f"  {behind.format(k=k)}\n" for k in range(6)))
    found = lint_bytes(
        text, "k.hip", Settings(architectures=(target,), select=("RP301",), profile="strict")
    ).diagnostics
    assert [each.message.partition(" before the loop")[0] for each in found] == [expected]
    assert f"{registers} registers held" in found[0].message


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_loads_used_before_a_loop_need_not_move_for_a_value_derived_from_them(target: str) -> None:
    before = "".join(
        f"  double u{k} = a[{k} * n + tid];\n  b[{k} * n + tid] = (u{k} - 0.25) * 3.0;\n" for k in range(8)
    )
    behind = "".join(f"  b[{k + 8} * n + tid] = (u{k} - 0.25) * r;\n" for k in range(8))
    assert said(kernel(before, behind), "RP301", target) == []
    assert said(kernel(before.replace("b[", "// b["), behind), "RP301", target)


def test_value_changed_by_the_loop_is_not_moved_to_its_jump() -> None:
    early = kernel(OPERANDS + values("u * v"), USES + "  r += u - v;\n")
    assert said(early, "RP302", "gfx90a") == ["hint"]
    changed = early.replace(b"double x = a", b"u = a[j]; double x = a")
    assert said(changed, "RP302", "gfx90a") == []


def test_the_registers_of_a_statement_are_those_while_it_runs() -> None:
    facts = body(
        "b[tid] = a[tid]; float p = 0, q = 0, r = 0, s = 0;"
        "for (int j = 0; j < n; ++j) { p = p * a[j] + q; q = q * p + r; r = r * q + s; s = s * r + p; }"
        "b[n] = p + q + r + s;"
    )
    statements = facts.kernel.function.body.statements
    few, many = facts.peak("sm_90").widest_in([statements[1].span, statements[3].span])
    assert 0 < few < many
    assert facts.peak("sm_90").widest_in([Span(0, 1)]) == [0]


def test_inlined_function_counts_at_its_call() -> None:
    text = "__device__ double f(const double *a, int i) { return a[i] * a[i + 1] - a[i + 2]; }\n"
    text += "__global__ void k(const double *a, double *b, int i) { double s = 0; s = f(a, threadIdx.x); b[i] = s; }\n"
    facts = facts_of(text)
    statements = facts.kernel.function.body.statements
    assert facts.peak("sm_90").widest_in([statements[1].span])[0] > 4


def test_empty_assembly_hides_a_value_only_from_clang() -> None:
    """clang 19.1.7 multiplies once for the plain copy and twice for each of the others."""
    plain = "float u = a[tid]; float p = u * 3; b[tid] = p; COPY b[n] = c * 3;"
    made = {}
    for copy in (
        "float c = u;",
        'float c = u; asm volatile("" : "+v"(c));',
        'float c = u; asm volatile("nop" : "+v"(c));',
    ):
        facts = body(plain.replace("COPY", copy))
        for target in ("gfx90a", "sm_90"):
            made[copy, target] = facts.peak(target).graph.ops.count(MULTIPLY)
    first, hidden, other = (made[copy, "gfx90a"] for copy in dict.fromkeys(copy for copy, _ in made))
    assert (hidden - first, other - first) == (1, 1), "an instruction that writes it hides it as well"
    assert len({count for (_, target), count in made.items() if target == "sm_90"}) == 1
