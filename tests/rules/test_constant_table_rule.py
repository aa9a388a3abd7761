"""RP404's fix: where `static` is put, and where it must not be."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.api import Severity
from regpress_lint.core.settings import Settings
from regpress_rules.arrays.constant_table_not_static import ConstantTableNotStatic

KERNEL = """__global__ void k(const float* a, float* b, int m, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {table}
  float s = 0;
  for (int j = 0; j < m; ++j) s += w[{index}] * a[j * n + i];
  b[i] = s;
}}
"""
NINE = "{1, 2, 3, 4, 5, 4, 3, 2, 1}"


def fixed(table: str, index: str = "j", *, unsafe: bool = False, head: str = "") -> str:
    text = head + KERNEL.format(table=table, index=index)
    found = testing.run([ConstantTableNotStatic], text, "a.cu", "cuda")
    assert found
    return testing.fixed(text, found, unsafe=unsafe).removeprefix(head)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"const float w[9] = {NINE};", f"static const float w[9] = {NINE};"),
        (f"float w[9] = {NINE};", f"static const float w[9] = {NINE};"),
        (f"constexpr float w[] = {NINE};", f"static constexpr float w[] = {NINE};"),
        (f"float const w[9] = {NINE};  // weights\r", f"static float const w[9] = {NINE};  // weights\r"),
    ],
)
def test_the_fix_adds_one_word(before: str, after: str) -> None:
    assert fixed(before) == KERNEL.format(table=after, index="j")
    again = testing.run([ConstantTableNotStatic], fixed(before), "a.cu", "cuda")
    assert not again


def test_divergent_index_does_not_prevent_the_fix() -> None:
    table = "const float w[12] = {1, 2, 3, 4, 5, 4, 3, 2, 1, 4, 5, 6};"  # of nine, nvcc 13.0 makes selects
    text = KERNEL.format(table=table, index="(i + j) % 12")
    (found,) = testing.run([ConstantTableNotStatic], text, "a.cu", "cuda")
    assert found.severity is Severity.WARNING
    assert "static const" in fixed(table, "(i + j) % 12")


def test_memory_has_the_name_that_each_vendor_gives_it() -> None:
    assigned = "".join(f"w[{k}] = {k}.5f; " for k in range(24))
    text = KERNEL.format(table=f"float w[24]; {assigned}", index="int(a[j]) % 24")
    settings = Settings(architectures=("gfx90a", "sm_90"))
    (found,) = testing.run([ConstantTableNotStatic], text, "a.cu", "cuda", settings=settings)
    assert "in scratch memory on gfx90a and local memory on sm_90" in found.message


@pytest.mark.parametrize(
    "table", [f"const float w[9] = {NINE}, scale = a[0];", f"alignas(16) const float w[9] = {NINE};"]
)
def test_no_fix_where_one_word_is_not_enough(table: str) -> None:
    assert fixed(table, unsafe=True) == KERNEL.format(table=table, index="j")


def test_runtime_initialiser_has_no_safe_fix() -> None:
    table = "int one = 1; const float w[9] = {one, 2, 3, 4, 5, 4, 3, 2, one};"
    assert "static" not in fixed(table)


def test_a_constexpr_function_has_no_static_variable() -> None:
    text = f"""__device__ constexpr float total(int m) {{
  const float w[9] = {NINE};
  float s = 0;
  for (int j = 0; j < m; ++j) s += w[j];
  return s;
}}
__global__ void k(float* b, int m) {{
  b[threadIdx.x] = total(m);
}}
"""
    found = testing.run([ConstantTableNotStatic], text, "a.cu", "cuda")
    assert found
    assert testing.fixed(text, found, unsafe=True) == text
