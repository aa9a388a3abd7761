"""Plain SYCL translated to OpenCL C, and whether advice for Intel agrees with its compiler on the result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import compilers
import pytest
from corpus import TESTDATA

from tools.measure import advice_truth, sycl_opencl

if TYPE_CHECKING:
    from pathlib import Path

ADVICE = TESTDATA / "advice" / "intel.cpp"
KERNEL = """void work(sycl::queue& q, const float* a, sycl::float4* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::kernel_args_restrict]]
                                           [[sycl::reqd_sub_group_size(16)]] {
    int i = it.get_global_id(0);
    auto& h = *sycl::ext::oneapi::group_local_memory_for_overwrite<unsigned short[4][64]>(it.get_group());
    h[0][it.get_local_linear_id()] = sycl::exp(a[i]);
    sycl::group_barrier(it.get_group());
  });
}
"""


def test_a_kernel_is_spelled_in_the_other_language() -> None:
    text = sycl_opencl.opencl(KERNEL)
    assert "__attribute__((intel_reqd_sub_group_size(16)))" in text
    assert "__kernel void work(__global const float *restrict a, __global float4 *restrict b, int n)" in text
    assert "__local unsigned short h[4][64];" in text
    assert "h[0][get_local_id(0)] = exp(a[i]);" in text
    assert "barrier(CLK_LOCAL_MEM_FENCE);" in text
    assert "sycl" not in text


def test_single_kernel_is_translated_and_an_id_becomes_a_number() -> None:
    other = KERNEL.replace("work", "other").replace("nd_range<1>(n, 64)", "range<1>(n)").replace("nd_item", "id")
    text = sycl_opencl.opencl(KERNEL + "\n" + other, "other")
    assert "int it = get_global_id(0);" in text
    assert "void work" not in text


def test_a_mode_of_the_source_is_an_option_of_the_compiler() -> None:
    assert sycl_opencl.wants_large_registers("syclex::properties{intelex::grf_size<256>}")
    assert not sycl_opencl.wants_large_registers(KERNEL)


def test_every_kernel_of_the_fixture_can_be_spelled() -> None:
    text = ADVICE.read_text()
    assert sycl_opencl.opencl(text).count("__kernel") == text.count("parallel_for")


@pytest.mark.compiler
@pytest.mark.parametrize("kernel", ["histogram", "tile", "doubles"])
def test_advice_removes_private_memory(kernel: str, tmp_path: Path) -> None:
    compilers.need(".cl")
    text = ADVICE.read_text()
    start = text.index(f"void {kernel}(")
    source = tmp_path / "one.cpp"
    source.write_text("#include <sycl/sycl.hpp>\n" + text[start : text.index("\n}\n", start) + 3])
    verdicts: Counter[advice_truth.Verdict] = Counter()
    shown = list(advice_truth.rows(source, source.name, "pvc", (), verdicts))
    assert verdicts["gains"] == len(shown) - 1 >= 2, shown
