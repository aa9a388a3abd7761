"""Fragments of `nvcuda::wmma`: registers of a matrix per thread, and their lifetime.

Compiled for sm_90 with nvcc 13.0: one tile of halves takes 32 registers, 2 x 2 take 70, 4 x 2 take 92.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from cli_helpers import run as cli_run
from ssa_helpers import count, kernel_text, phis, run, trace

from regpress_lint.cpp.types import builtin_type
from regpress_lint.facts.register_budget import register_files

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = "#include <mma.h>\nusing namespace nvcuda;\nconst int M = 16;"
PARAMETERS = "const half *a, const half *b, float *c, int n"
FACTORS = """wmma::fragment<wmma::matrix_a, M, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;"""


@pytest.mark.parametrize(
    ("name", "registers"),
    [
        ("wmma::fragment<wmma::accumulator, 16, 16, 16, float>", 8),
        ("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 32, 8, 16, half>", 4),
        ("fragment<accumulator, M, N, K, int>", 8),
        ("wmma::fragment<wmma::accumulator, 8, 8, 4, double>", 4),
        ("wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>", 4),
        ("wmma::fragment<wmma::matrix_a, M, N, K, half, wmma::row_major>", 4),
        ("wmma::fragment<wmma::accumulator, M, N, K, double>", 4),
        ("wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major>", 2),
        ("wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>", 4),
        ("wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major>", 2),
        # Shared by waves of 64: what `__builtin_amdgcn_mfma_f32_16x16x16f16` and `..._32x32x8f16` take and give.
        ("rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float>", 4),
        ("rocwmma::fragment<rocwmma::accumulator, 32, 32, 8, rocwmma::float32_t>", 16),
        ("rocwmma::fragment<rocwmma::matrix_a, 16, 16, 16, rocwmma::float16_t, rocwmma::row_major>", 2),
        ("rocwmma::fragment<rocwmma::accumulator, 16, 16, 4, rocwmma::float64_t>", 8),
        # Shared by sub-groups of 16: short8, int8 and float8 of `cl_intel_subgroup_matrix_multiply_accumulate`.
        ("joint_matrix<sycl::sub_group, sycl::half, use::a, 8, 16, layout::row_major>", 4),
        ("sycl::ext::oneapi::experimental::matrix::joint_matrix<sub_group, bfloat16, use::b, 16, 16>", 8),
        ("joint_matrix<sycl::sub_group, float, use::accumulator, 8, 16>", 8),
        ("joint_matrix<sycl::sub_group, int8_t, use::a, 8, 32, layout::row_major>", 4),
    ],
)
def test_a_fragment_is_a_vector_of_registers(name: str, registers: int) -> None:
    type_ = builtin_type(name)
    assert type_ is not None
    assert type_.registers == registers


@pytest.mark.parametrize(
    "name",
    [
        "joint_matrix<sycl::sub_group, Element, use::accumulator, 8, 16>",
        "wmma::fragment<wmma::accumulator, 16>",
        "my::fragment<int, 3>",
        "wmma::fragment<wmma::accumulator, 8, 8, 128, int>",
    ],
)
def test_other_type_is_not_a_fragment(name: str) -> None:
    assert builtin_type(name) is None


def test_sums_are_held_across_the_loop_of_products() -> None:
    def held(tiles: int) -> int:
        text = f"""wmma::fragment<wmma::accumulator, 16, 16, 16, float> s[{tiles}]; {FACTORS}
          for (int i = 0; i < {tiles}; i++) wmma::fill_fragment(s[i], 0.0f);
          for (int k = 0; k < n; k += 16) {{
            wmma::load_matrix_sync(x, a + k, n);
            for (int i = 0; i < {tiles}; i++) {{
              wmma::load_matrix_sync(y, b + k + i * 16, n);
              wmma::mma_sync(s[i], x, y, s[i]);
            }}
          }}
          for (int i = 0; i < {tiles}; i++) wmma::store_matrix_sync(c + i * 16, s[i], n, wmma::mem_row_major);"""
        found = trace(text, PARAMETERS, BEFORE, "nvidia")
        assert not found.execution.unresolved
        return found.held.vector

    assert held(4) - held(2) == 16
    assert held(1) >= 8 + 4 + 4


@pytest.mark.parametrize(("factors", "registers"), [(4, 43), (16, 92), (24, 121)])
def test_a_factor_of_halves_takes_four_registers(factors: int, registers: int) -> None:
    """nvcc 13.0.88, with the factors of a row held through a loop."""
    text = f"""wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[{factors}];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> s; wmma::fill_fragment(s, 0.0f);
      for (int k = 0; k < {factors}; ++k) wmma::load_matrix_sync(x[k], a + k * 256, 16);
      for (int j = 0; j < 100; ++j) {{
        wmma::load_matrix_sync(y, b + j * 256, 16);
        for (int k = 0; k < {factors}; ++k) wmma::mma_sync(s, x[k], y, s);
      }}
      wmma::store_matrix_sync(c, s, 16, wmma::mem_row_major);"""
    band = facts_of(kernel_text(text, PARAMETERS, BEFORE)).target("sm_90").registers
    assert band.estimate == pytest.approx(registers, rel=0.1)


def test_fragment_is_read_and_written_once() -> None:
    text = f"""wmma::fragment<wmma::accumulator, 16, 16, 16, float> s; {FACTORS} wmma::fill_fragment(s, 0.0f);
      wmma::load_matrix_sync(x, a, n); wmma::load_matrix_sync(y, b, n); wmma::mma_sync(s, x, y, s);
      for (int t = 0; t < 8; t++) s.x[t] *= 0.5f;
      wmma::store_matrix_sync(c, s, n, wmma::mem_row_major);"""
    found = run(text, PARAMETERS, BEFORE, "nvidia")
    assert (count(found, "load"), count(found, "store")) == (4 + 4, 8)
    assert not phis(found)
    assert sum(op == "*" for op in found.graph.ops) > 8


def test_function_with_the_same_name_is_not_a_matrix_operation() -> None:
    text = "float s[4]; fill_fragment(s, 1.0f); a[tid] = s[tid & 3];"
    assert (
        trace(text, "float *a", "__device__ void fill_fragment(float *s, float v);", "nvidia").execution.unresolved == 1
    )


def test_how_much_a_thread_holds_of_a_matrix_is_known_before_the_kernel_is_executed() -> None:
    text = f"""wmma::fragment<wmma::accumulator, 16, 16, 16, float> s[2]; {FACTORS}
      for (int i = 0; i < 2; i++) for (int t = 0; t < s[i].num_elements; t++) s[i].x[t] = a[t];
      for (int i = 0; i < 2; i++) wmma::store_matrix_sync(c, s[i], n, wmma::mem_row_major);"""
    facts = facts_of(kernel_text(text, PARAMETERS, BEFORE))
    (sums,) = facts.source.arrays
    assert [loop.trip_count for loop in facts.source.loops] == [2, 8, 2]
    assert not sums.dynamic


def test_address_of_a_matrix_is_computed_once() -> None:
    text = f"{FACTORS} int k = 0; wmma::load_matrix_sync(x, a + k++, n); c[0] = k; "
    found = run(text, PARAMETERS, BEFORE, "nvidia")
    (store,) = (found.graph.args[number] for number, op in enumerate(found.graph.ops) if op == "store global")
    assert found.graph.constants[store[1]] == 1


ROCWMMA = """#include <rocwmma/rocwmma.hpp>
{using}
__global__ void k(const rocwmma::float16_t* a, const rocwmma::float16_t* b, float* c, int n) {{
  {space}fragment<{space}accumulator, 32, 32, 8, float> s[{tiles}];
  {space}fragment<{space}matrix_a, 32, 32, 8, rocwmma::float16_t, {space}row_major> x;
  {space}fragment<{space}matrix_b, 32, 32, 8, rocwmma::float16_t, {space}row_major> y;
  for (int i = 0; i < {tiles}; i++) {space}fill_fragment(s[i], 0.0f);
  for (int k = 0; k < n; k += 8) {{
    {space}load_matrix_sync(x, a + k, n);
    for (int i = 0; i < {tiles}; i++) {{
      {space}load_matrix_sync(y, b + k * n + i * 32, n);
      {space}mma_sync(s[i], x, y, s[i]);
    }}
  }}
  for (int i = 0; i < {tiles}; i++) {space}store_matrix_sync(c + i * 32, s[i], n, {space}mem_row_major);
}}"""


@pytest.mark.parametrize(
    ("using", "space"), [("", "rocwmma::"), ("using namespace rocwmma;", ""), ("namespace wmma = rocwmma;", "wmma::")]
)
def test_fragments_of_rocwmma_are_shared_by_waves_of_64(using: str, space: str) -> None:
    def said(tiles: int, target: str = "gfx90a") -> tuple[int, bool]:
        facts = facts_of(ROCWMMA.format(using=using, space=space, tiles=tiles), "hip")
        return facts.target(target).registers.estimate, bool(facts.unknowns(target))

    (two, open_), (four, _) = said(2), said(4)
    assert not open_
    assert 24 <= four - two <= 48  # sixteen sums a tile
    assert said(2, "gfx1100")[1]  # waves of 32 have another share of it


def test_sums_of_rocwmma_are_accumulators() -> None:
    text = ROCWMMA.format(using="", space="rocwmma::", tiles=4).replace("void k", "void __launch_bounds__(256) k")
    files = register_files(facts_of(text, "hip"), "gfx90a")
    assert files is not None
    assert files.accumulators == 64


LIBRARY = """#pragma once
namespace rocwmma {
struct row_major; struct accumulator; struct matrix_a; struct matrix_b;
enum layout_t { mem_row_major };
using float16_t = _Float16;
template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment {
  T held[sizeof(Use)];
};
template <typename F> __device__ void fill_fragment(F& f, float v) { Fill<F>::exec(f, v); }
template <typename F, typename T> __device__ void load_matrix_sync(F& f, const T* p, int n) { Load<F>::exec(f, p, n); }
template <typename F, typename A, typename B> __device__ void mma_sync(F& d, A const& a, B const& b, F const& c) {
  d = Multiply<F, A, B>::exec(a, b, c);
}
template <typename F, typename T> __device__ void store_matrix_sync(T* p, F const& f, int n, layout_t l) {
  Store<F>::exec(p, f, n, l);
}
}
"""


def test_fragments_are_the_same_where_the_header_is_visible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = ROCWMMA.format(using="", space="rocwmma::", tiles=4).replace("void k", "void __launch_bounds__(256) k")
    (tmp_path / "include" / "rocwmma").mkdir(parents=True)
    (tmp_path / "include" / "rocwmma" / "rocwmma.hpp").write_text(LIBRARY)
    (tmp_path / "a.hip").write_text(text)
    common = ("kernels", "--no-cache", "--arch", "gfx90a", "--output-format", "json", tmp_path / "a.hip")
    alone, beside = (
        json.loads(cli_run(capsys, *common, *more).out)["kernels"][0]["targets"]["gfx90a"]
        for more in ((), ("-I", tmp_path / "include"))
    )
    assert beside["files"]["accumulators"] == 64
    assert (beside["registers"], beside["unknown"]) == (alone["registers"], [])


JOINT = """#include <sycl/sycl.hpp>
using namespace sycl::ext::oneapi::experimental::matrix;
using fp = sycl::half;
constexpr int ROWS = 8, COLUMNS = 16;
void f(sycl::queue& q, sycl::half* a, sycl::half* b, float* c, int n, float alpha) {{
  auto pa = sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(a);
  q.parallel_for(sycl::nd_range<1>(n, 16), [=](sycl::nd_item<1> it) {{
    auto sg = it.get_sub_group();
    joint_matrix<sycl::sub_group, fp, use::a, ROWS, 16, layout::row_major> x;
    joint_matrix<sycl::sub_group, fp, use::b, 16, COLUMNS, layout::row_major> y;
    joint_matrix<sycl::sub_group, float, use::accumulator, ROWS, COLUMNS> s[{tiles}];
    for (int i = 0; i < {tiles}; i++) joint_matrix_fill(sg, s[i], 0.0f);
    for (int k = 0; k < n; k += 16) {{
      joint_matrix_load(sg, x, pa + k, n);
      for (int i = 0; i < {tiles}; i++) {{
        joint_matrix_load(sg, y, b + k * n + i * 16, n);
        joint_matrix_mad(sg, s[i], x, y, s[i]);
      }}
    }}
    for (int i = 0; i < {tiles}; i++) {{
      joint_matrix_apply(sg, s[i], [=](float& v) {{ v *= alpha; }});
      joint_matrix_store(sg, s[i], c + i * 16, n, layout::row_major);
    }}
  }});
}}"""


def test_a_joint_matrix_is_shared_by_sub_groups_of_16() -> None:
    def said(tiles: int, target: str = "pvc") -> tuple[int, bool]:
        facts = facts_of(JOINT.format(tiles=tiles), "sycl")
        assert facts.kernel.sub_group_size == 16
        return facts.target(target).registers.estimate, bool(facts.unknowns(target))

    (two, open_), (six, _) = said(2), said(6)
    assert not open_
    assert 24 <= six - two <= 64  # eight sums a tile
    assert said(2, "sm_90")[1]  # tensor cores have another share of it


INSTRUCTION = """#include <hip/hip_runtime.h>
using float{lanes} = __attribute__((__vector_size__({lanes} * sizeof(float)))) float;
__global__ void k(const float* a, const float* b, float* c) {{
  float{lanes} d = {{0}};
  int i = threadIdx.x;
  for (int j = 0; j < 4; ++j) {{
    d = __builtin_amdgcn_mfma_f32_{name}(a[i], b[i], d, 0, 0, 0);
    i += 64;
  }}
  for (int j = 0; j < {used}; ++j) c[j * 64 + threadIdx.x] = d[j];
}}
"""


# clang 19.1.7, gfx90a: `v_mfma_f32_16x16x4f32 v[0:3]` and `v_mfma_f32_32x32x2f32 v[0:15]`, whatever is stored of them.
@pytest.mark.parametrize(
    ("name", "lanes", "used"), [("16x16x4f32", 4, 4), ("16x16x4f32", 4, 2), ("32x32x2f32", 16, 16)]
)
def test_an_instruction_writes_all_lanes_of_its_sum(name: str, lanes: int, used: int) -> None:
    files = register_files(facts_of(INSTRUCTION.format(name=name, lanes=lanes, used=used), "hip"), "gfx90a")
    assert files is not None
    assert files.accumulators == lanes
