"""RP408's fix: a reference for a copy, and when it is safe."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_rules.arrays.local_struct_copy import LocalStructCopy

HEAD = """#include <hip/hip_runtime.h>
struct Cell {
  float f[19];
  int flags;
};
"""


def found(body: str, source: str = "const Cell* cells") -> tuple[testing.Found, ...]:
    text = f"{HEAD}__global__ void k({source}, Cell* other, const int* dir, float* out, int m, int n) {{\n{body}}}\n"
    return testing.run([LocalStructCopy], text, "a.hip", "hip")


def applicability(body: str, source: str = "const Cell* cells") -> str | None:
    fixes = [each.finding.fix for each in found(body, source)]
    assert len(fixes) == 1
    return fixes[0].applicability if fixes[0] is not None else None


READ = "  for (int j = 0; j < m; ++j) s += cell.f[dir[j]];\n  out[0] = s;\n"


@pytest.mark.parametrize("const", ["", "const "])
def test_the_fix_makes_a_reference(const: str) -> None:
    body = f"  {const}Cell cell = cells[threadIdx.x];\n  out[0] = cell.f[dir[0]];\n"
    text = f"{HEAD}__global__ void k(const Cell* cells, const int* dir, float* out) {{\n{body}}}\n"
    once = testing.fixed(text, testing.run([LocalStructCopy], text, "a.hip", "hip"))
    assert once == text.replace(f"  {const}Cell cell = ", "  const Cell& cell = ")
    assert not testing.run([LocalStructCopy], once, "a.hip", "hip")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("  Cell cell = cells[n];\n  float s = 0;\n" + READ, "safe"),
        ("  Cell cell = cells[n];\n  out[0] = cell.f[dir[0]];\n", "safe"),
        ("  Cell cell = cells[n];\n  out[1] = 1;\n  out[0] = cell.f[dir[0]];\n", "unsafe"),
        ("  Cell cell = cells[n];\n  __syncthreads();\n  out[0] = cell.f[dir[0]];\n", "unsafe"),
        ("  Cell cell = cells[n];\n  for (int j = 0; j < m; ++j) out[j] = cell.f[dir[j]];\n", "unsafe"),
        ("  Cell cell = cells[n];\n  other->flags = 1;\n  out[0] = cell.f[dir[0]];\n", "unsafe"),
        ("  Cell cell(cells[n]);\n  out[0] = cell.f[dir[0]];\n", None),
        ("  Cell cell = cells[n], more = cells[m];\n  out[0] = cell.f[dir[0]] + more.flags;\n", None),
    ],
)
def test_a_reference_is_safe_while_nothing_is_stored(body: str, wanted: str | None) -> None:
    if wanted is None:
        assert all(each.finding.fix is None for each in found(body))
    else:
        assert applicability(body) == wanted


def test_restrict_pointer_to_const_makes_a_reference_safe() -> None:
    body = "  Cell cell = cells[n];\n  out[1] = 1;\n  out[0] = cell.f[dir[0]];\n"
    assert applicability(body, "const Cell* __restrict__ cells") == "safe"


def test_changed_copy_indexed_at_run_time_cannot_be_a_reference() -> None:
    assert not found("  Cell cell = cells[n];\n  cell.f[dir[1]] = 0;\n  out[0] = cell.f[dir[0]];\n")
