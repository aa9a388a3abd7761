"""VGPRs and AGPRs apart: against clang's numbers, in text and JSON, and what matrix instructions leave alive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from regpress_lint.core.settings import Settings
from regpress_lint.facts.register_budget import register_files
from regpress_lint.lint.analysis import Analysis, analyse
from tools.measure import agpr_truth

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = str(ROOT / "testdata" / "agpr" / "product.hip")


def _files(capsys: pytest.CaptureFixture[str], command: str, arch: str) -> list[dict[str, Any] | None]:
    cached = ["--no-cache"] if command == "kernels" else []
    assert main([command, "--isolated", *cached, "--output-format", "json", "--arch", arch, PRODUCT]) == 0
    (first, *others) = json.loads(capsys.readouterr().out)["kernels"]
    if command == "kernels":
        return [target["files"] for target in first["targets"].values()]
    return [each["files"] for each in (first, *others)]


@pytest.mark.parametrize("command", ["kernels", "pressure"])
def test_both_kinds_in_json(capsys: pytest.CaptureFixture[str], command: str) -> None:
    two, one, none = _files(capsys, command, "gfx908,gfx90a,gfx1100")
    assert two == {"vgprs": 65, "agprs": 64, "accumulators": 64, "moves": 192}
    assert one is not None
    assert (one["agprs"], one["moves"]) == (64, 128)
    assert one["vgprs"] < 25
    assert none is None


def test_the_larger_of_two_files_decides_about_waves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "--isolated", "--no-cache", "--arch", "gfx908", PRODUCT]) == 0
    out = capsys.readouterr().out
    assert "3 of 10" in out  # 65 VGPRs beside 64 AGPRs; clang 19 says 3, too
    assert "65 VGPRs and 64 AGPRs: the latter are accumulators of MFMA; about 192 copies between them" in out


def test_without_bounds_accumulators_are_in_vgprs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "free.hip"
    path.write_text((ROOT / "testdata" / "agpr" / "product.hip").read_text().replace("__launch_bounds__(256) ", ""))
    assert main(["pressure", "--isolated", "--fold", "--arch", "gfx90a", str(path)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "VGPRs, 64 of them accumulators of MFMA: clang takes AGPRs where a thread may have more than 256" in out


WIDE = """__global__ void {}k(const double* a, double* o, int n) {{
  double v[100];
#pragma unroll
  for (int i = 0; i < 100; ++i) v[i] = a[threadIdx.x + i * n];
  for (int j = 0; j < n; ++j)
#pragma unroll
    for (int i = 0; i < 100; ++i) v[i] = v[i] * v[(i + 7) % 100] + a[j];
#pragma unroll
  for (int i = 0; i < 100; ++i) o[threadIdx.x + i * n] = v[i];
}}
"""


@pytest.mark.parametrize(("bounds", "agprs"), [("", False), ("__launch_bounds__(256) ", True)])
def test_values_overflow_into_agprs_where_a_thread_may_have_more_than_256(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bounds: str, agprs: bool
) -> None:
    """clang 19: 128 VGPRs, no AGPR and 1,592 bytes of scratch without launch bounds."""
    path = tmp_path / "wide.hip"
    path.write_text(WIDE.format(bounds))
    assert main(["kernels", "--isolated", "--no-cache", "--arch", "gfx90a", str(path)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert ("AGPRs" in out) == agprs
    assert ("a thread may have 128, and the rest is spilled" in out) != agprs


def test_lanes_of_a_vector_in_an_array_are_values_of_their_own() -> None:
    text = """typedef float f4 __attribute__((ext_vector_type(4)));
__global__ void k(const f4 *a, float *out, int n) {
  f4 s[2];
  s[0] = a[threadIdx.x];
  s[1] = a[threadIdx.x + n];
  __syncthreads();
  for (int l = 0; l < 4; ++l) out[l] = s[0][l] + s[1][l];
}
"""
    found = analyse(text.encode(), "a.cu", Settings(architectures=("sm_90",)))
    assert isinstance(found, Analysis)
    facts = found.facts(found.file.kernels[0])
    assert max(facts.peak("sm_90").alive) >= 6  # else only the first lane of each is read


_BEYOND = """__global__ void __launch_bounds__(256) k(const float* a, const float* b, float* out, int n) {
  int i = threadIdx.x;
  float t[272] = {};
  for (int r = 0; r < n; ++r)
#pragma unroll
    for (int j = 0; j < 272; ++j) t[j] = t[j] * b[r] + 1.0f;
#pragma unroll
  for (int j = 0; j < 272; ++j) out[j * 64 + i] = t[j];
}
"""


def test_values_that_a_loop_changes_take_two_agprs_each() -> None:
    found = analyse(_BEYOND.encode(), "a.hip", Settings(architectures=("gfx90a",)))
    assert isinstance(found, Analysis)
    files = register_files(found.facts(found.file.kernels[0]), "gfx90a")
    assert files is not None
    assert 25 <= files.agprs <= 40  # clang 19.1.7 takes 25, and 146 for 320; 18 values have no VGPR


@pytest.mark.slow
def test_clang_has_as_many_of_each() -> None:
    rows = [row for row in agpr_truth.stored() if row.kernel.startswith(("tile16", "plain", "outer_280", "table_280"))]
    found = list(agpr_truth.compared(rows))
    assert len(found) >= 60
    assert all(one.same_kind for one in found)
    assert sum(one.same_agprs for one in found) >= 0.85 * len(found)
