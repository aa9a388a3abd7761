"""What IGC keeps in memory when it tries a kernel again, and what decides whether it does."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint.core.settings import Language, Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file

HIP = "__global__ void k(const float* a, float* b, const int* at, int n) {{ int t = threadIdx.x; {0} }}"
KEPT = """float v[{n}];
{pragma}
for (int k = 0; k < {n}; k++) v[k] = a[k * n + t];
float s = 0;
{pragma}
for (int k = 0; k < {n}; k++) s += v[k] * v[(k * 7 + 3) % {n}];
{pragma}
for (int k = 0; k < {n}; k++) b[k * n + t] = v[k] * s;"""
SYCL = """#include <sycl/sycl.hpp>
void go(sycl::queue& q, const float* a, float* b, int n) {{
  q.parallel_for(sycl::nd_range<1>(n, 256){0}, [=](sycl::nd_item<1> it) {1} {{
    int t = it.get_global_id(0);
    {2}
  }});
}}"""
AUTOMATIC = ", sycl::ext::intel::experimental::grf_size_automatic"


def hip(body: str) -> KernelFacts:
    """Facts of a kernel for pvc."""
    return _facts(Source("k.hip", HIP.format(body).encode()), "hip")


def sycl(body: str, properties: str = "", attributes: str = "") -> KernelFacts:
    """The same in SYCL."""
    return _facts(Source("k.cpp", SYCL.format(properties, attributes, body).encode()), "sycl")


def _facts(source: Source, language: Language) -> KernelFacts:
    file = build_file(source, language, Project())
    return kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))


def kept(count: int, pragma: str = "") -> str:
    """A body that holds so many floats."""
    return KEPT.format(n=count, pragma=pragma)


def test_spilling_array_is_whole_in_memory() -> None:
    facts = hip(kept(100))
    assert facts.is_tried_again("pvc")
    assert scratch_of(facts, "pvc") == facts.target("pvc").registers.scratch_bytes == 400
    assert [array.stays_in_registers("intel") for array in facts.arrays] == [False]


def test_loops_with_a_pragma_are_copied_at_the_second_try_as_well() -> None:
    facts = hip(kept(100, "#pragma unroll"))
    assert facts.is_tried_again("pvc")
    assert scratch_of(facts, "pvc") == 0


def test_an_array_with_room_stays() -> None:
    facts = hip(kept(8))
    assert not facts.is_tried_again("pvc")
    assert scratch_of(facts, "pvc") == 0


def test_constant_indices_need_no_copies_of_a_loop() -> None:
    writes = " ".join(f"v[{k}] = a[{k} * n + t];" for k in range(80))
    reads = " ".join(f"b[{k} * n + t] = v[{k}] * s;" for k in range(80))
    facts = hip(f"float v[80]; {writes} float s = v[3] * v[70]; {reads}")
    assert facts.is_tried_again("pvc")
    assert scratch_of(facts, "pvc") == 0


@pytest.mark.parametrize(
    ("properties", "attributes", "budget"),
    [("", "", 64), (AUTOMATIC, "", 128), ("", "[[sycl::reqd_sub_group_size(16)]]", 128)],
)
def test_the_register_file_that_igc_chooses(properties: str, attributes: str, budget: int) -> None:
    assert sycl(kept(48), properties, attributes).target("pvc").budget == budget


def test_the_small_register_file_is_enough_for_a_small_kernel() -> None:
    small = sycl("b[t] = a[t];", AUTOMATIC).target("pvc")
    assert (small.budget, small.use(1).grf) == (64, 128)
    assert sycl(kept(48), AUTOMATIC).target("pvc").use(1).grf == 256


def test_frames_without_arrays() -> None:
    assert scratch_of(hip("volatile int seen = at[t]; b[t] = seen + seen;"), "pvc") == 8
    lock = "__shared__ double s; if (t == 0) s = 0; __syncthreads(); atomicAdd(&s, (double)a[t]); b[t] = s;"
    assert scratch_of(hip(lock), "pvc") == 2
    assert scratch_of(hip(lock.replace("double", "float")), "pvc") == 0
    assert scratch_of(hip("b[t] = sin((double)a[t]) + cos((double)a[t]);"), "pvc") == 0


def test_a_constant_table_has_memory_only_where_it_is_copied_as_a_number() -> None:
    table = "const char d[{0}] = {{1, 2, 3, 4, 5, 6, 7}}; b[t] = d[at[t]];"
    assert scratch_of(hip(table.format(16)), "pvc") == 0
    assert scratch_of(hip(table.format(8)), "pvc") == 8


@pytest.mark.parametrize(("steps", "whole"), [(9, True), (10, False)])
def test_copies_of_a_loop(steps: int, whole: bool) -> None:
    body = " ".join(f"x = x * x + {k}.5f;" for k in range(steps))
    facts = hip(f"float x = a[t]; for (int k = 0; k < 64; k++) {{ {body} }} b[t] = x;")
    assert [*facts.execution("pvc").notes.whole.values()] == [whole]
