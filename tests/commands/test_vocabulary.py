"""One vocabulary a vendor, in every text; machine output keeps the neutral words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint.targets.vocabulary import WORDS, in_words_of, vendor_of

if TYPE_CHECKING:
    from pathlib import Path

FOREIGN = {
    "nvidia": re.compile(r"\b(waves?|wavefronts?|LDS|SIMDs?|CU|VGPRs?)\b"),
    "intel": re.compile(r"\b(waves?|wavefronts?|warps?|LDS|SIMDs?|CU|SM|VGPRs?)\b"),
    "amd": re.compile(r"\b(warps?|SLM|EUs?|Xe-core|SM|sub-partition)\b"),
}
ARCHITECTURES = {"amd": "gfx90a", "nvidia": "sm_90", "intel": "pvc"}
LOW = """#include "gpu.h"
__global__ void k(float *x) {
  __shared__ float tile[8000];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[(threadIdx.x * 7) & 4095];
}
void go(float *x) { k<<<1000, 64>>>(x); }
"""
LOW_SYCL = """#include <sycl/sycl.hpp>
void run(sycl::queue &q, float *x, int n) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> s(16384, h);
    h.parallel_for<class Big>(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) { s[0] = x[0]; });
  });
}
"""


@pytest.mark.parametrize(
    ("text", "nvidia", "intel"),
    [
        ("4 of 16 waves per SIMD", "4 of 16 warps per sub-partition", "4 of 16 hardware threads per EU"),
        ("Waves wait; 24 bytes of LDS", "Warps wait; 24 bytes of shared memory", None),
        ("in shared memory or LDS", "in shared memory", "in SLM"),
        ("`waves + LDS` holds no wave", "`waves + LDS` holds no warp", "`waves + LDS` holds no hardware thread"),
        ("RP106 block-size-wastes-waves, wave64, `SIMD`", None, None),
        ("waves/SIMD", "warps/SMSP", "threads/EU"),
    ],
)
def test_words(text: str, nvidia: str | None, intel: str | None) -> None:
    assert in_words_of("amd", text) == text == in_words_of(None, text)
    if nvidia is not None:
        assert in_words_of("nvidia", text) == nvidia
    if intel is not None:
        assert in_words_of("intel", text) == intel
    if nvidia is None and intel is None:
        assert in_words_of("nvidia", text) == text


def test_vendors_of_targets() -> None:
    assert vendor_of(("gfx90a", "gfx1100")) == "amd"
    assert vendor_of(("gfx90a", "sm_90")) is None
    assert vendor_of(()) is None
    assert [words.a_unit for words in WORDS.values()] == ["a CU", "an SM", "an Xe-core"]


@pytest.mark.parametrize(("vendor", "arch"), ARCHITECTURES.items())
@pytest.mark.parametrize("extra", [[], ["--sweep", "lds"], ["--block", "4096"], ["--lds", "48K"]])
def test_occupancy_speaks_as_the_vendor(
    capsys: pytest.CaptureFixture[str], vendor: str, arch: str, extra: list[str]
) -> None:
    out = run(capsys, "occupancy", "--arch", arch, "--registers", "100", *extra).out
    assert not FOREIGN[vendor].search(out.replace("cudaOccupancyMaxActiveBlocksPerMultiprocessor", ""))


@pytest.mark.parametrize(("vendor", "arch"), ARCHITECTURES.items())
def test_findings_tables_and_the_pressure_view_speak_as_the_vendor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, vendor: str, arch: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name, text = ("a.cpp", LOW_SYCL) if vendor == "intel" else ("a.hip", LOW)
    (tmp_path / name).write_text(text)
    found = json.loads(run(capsys, "check", "--arch", arch, "--select", "RP105", "--output-format", "json", name).out)
    assert found["diagnostics"]
    for each in found["diagnostics"]:
        assert not FOREIGN[vendor].search(f"{each['message']} {each['help']}")
        assert WORDS[vendor].unit in each["message"]  # type: ignore[index]
    shown = run(capsys, "kernels", "--arch", arch, name).out + run(capsys, "pressure", "--arch", arch, name).out
    assert not [line for line in shown.splitlines() if FOREIGN[vendor].search(line) and "SMSP:" not in line]


def test_machine_output_keeps_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_text(LOW)
    text = run(capsys, "kernels", "--output-format", "json", tmp_path / "a.cu").out
    (kernel,) = json.loads(text)["kernels"]
    assert "waves_per_simd" in kernel["targets"]["sm_90"]["occupancy"]
    assert kernel["targets"]["sm_90"]["occupancy"]["limiters"] == ["lds"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "16 -> 4 waves per SIMD on sm_90; 8 -> 7 waves per SIMD on gfx90a",
            "16 -> 4 warps per sub-partition on sm_90; 8 -> 7 waves per SIMD on gfx90a",
        ),
        (
            "a block of 32 waves fits on sm_90, and 16 waves fit without",
            "a block of 32 warps fits on sm_90, and 16 warps fit without",
        ),
        ("in LDS, 2 waves on sm_90 and gfx90a", "in LDS, 2 waves on sm_90 and gfx90a"),
        ("needs 3 on sm_80 and sm_90; keep it in LDS", "needs 3 on sm_80 and sm_90; keep it in LDS"),
    ],
)
def test_clauses_about_one_vendor_have_its_words(text: str, said: str) -> None:
    assert in_words_of(None, text) == said
