"""Kernels of headers that another file launches: which header to name, and classes of the launching file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run, run_json

if TYPE_CHECKING:
    from pathlib import Path

HEADER = """#pragma once
#define LIB_GLOBAL __global__
template <typename Op> LIB_GLOBAL void __launch_bounds__(Op::threads, 1)
device_kernel(const typename Op::Params params) { Op op; op(params); }
"""
CLASS = """#pragma once
%s
template <int N> struct Step {
  static constexpr int threads = 384;
  static constexpr int few = N == 1 ? 56 : 24, many = N == 1 ? 256 : 240;
  struct Params { double* out; const double* in; int n; };
  __device__ void operator()(Params const& p) {
    if (threadIdx.x < 128) asm volatile("setmaxnreg.dec.sync.aligned.u32 %%0;" :: "n"(few));
    else asm volatile("setmaxnreg.inc.sync.aligned.u32 %%0;" :: "n"(many));
    double s = 0;
    for (int j = 0; j < p.n; ++j) s += p.in[j * 384 + threadIdx.x];
    p.out[threadIdx.x] = s;
  }
};
%s
"""


@pytest.mark.parametrize(("space", "end", "name"), [("", "", "Step"), ("namespace fl {", "}", "fl::Step")])
def test_header_kernel_sees_classes_of_the_launching_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], space: str, end: str, name: str
) -> None:
    (tmp_path / "device.h").write_text(HEADER)
    (tmp_path / "step.h").write_text(CLASS % (space, end))
    (tmp_path / "main.cu").write_text(
        f'#include "device.h"\n#include "step.h"\n'
        f"void go({name}<2>::Params p) {{ device_kernel<{name}<2>><<<64, 384>>>(p); }}\n"
    )
    found = run(capsys, "kernels", "--no-cache", "--arch", "sm_90a", "--output-format", "json", tmp_path)
    (kernel,) = json.loads(found.out)["kernels"]
    target = kernel["targets"]["sm_90"]
    assert (kernel["complete"], kernel["block_size"]) == (True, 384)
    assert [(role["registers"], role["threads"]) for role in target["roles"]] == [(24, 128), (240, 256)]

    alone = run(capsys, "kernels", "--no-cache", tmp_path / "main.cu")
    assert alone.out == ""
    assert f"is shown where the header is named: {(tmp_path / 'device.h').as_posix()}\n" in alone.err
    assert "step.h" not in alone.err


def test_missing_library_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.cu").write_text("void go(P p) { cutlass::device_kernel<Gemm><<<1, 384>>>(p); }\n")
    assert "a library that is missing" in run(capsys, "kernels", "--no-cache", tmp_path / "main.cu").err


def test_roles_of_a_header_kernel_that_want_too_much_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "device.h").write_text(HEADER)
    (tmp_path / "step.h").write_text(CLASS % ("", ""))
    (tmp_path / "main.cu").write_text(
        '#include "device.h"\n#include "step.h"\nusing One = Step<1>;\n'
        "void go(One::Params p) { device_kernel<One><<<64, 384>>>(p); }\n"
        "void two(Step<2>::Params p) { device_kernel<Step<2>><<<64, 384>>>(p); }\n"
    )
    found = run_json(capsys, "--no-cache", "--arch", "sm_90a", "--select", "RP001,RP110", tmp_path)["diagnostics"]
    assert [(each["code"], each["severity"]) for each in found] == [("RP110", "error")]
    assert "hangs: its warp groups want 72,704 registers" in found[0]["message"]
    kernels = run(capsys, "kernels", "--no-cache", "--arch", "sm_90a", "--output-format", "json", tmp_path)
    (kernel,) = json.loads(kernels.out)["kernels"]
    assert kernel["launch_bounds"] == {"max_threads": 384, "min_blocks": 1}
    assert kernel["targets"]["sm_90"]["occupancy"]["waves_per_simd"] == 3  # all registers of an SM, from the launch on
