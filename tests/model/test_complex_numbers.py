"""The functions of cuComplex.h and hip_complex.h: known without a CUDA or ROCm installation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

KERNELS = """#include <HEADER>
#define AT int i = threadIdx.x
__global__ void product(PREFIXFloatComplex* o, const PREFIXFloatComplex* a, const PREFIXFloatComplex* b) {
  AT; o[i] = PREFIXCmulf(PREFIXCaddf(a[i], b[i]), PREFIXConjf(b[i]));
}
__global__ void quotient(PREFIXDoubleComplex* o, const PREFIXDoubleComplex* a, const PREFIXDoubleComplex* b) {
  AT; o[i] = PREFIXCdiv(a[i], b[i]);
}
__global__ void size(float* o, const PREFIXComplex* a) { AT; o[i] = PREFIXCabsf(a[i]) + PREFIXCrealf(a[i]); }
__global__ void polynomial(PREFIXDoubleComplex* o, const PREFIXDoubleComplex* a, int n) {
  AT;
  PREFIXDoubleComplex s = make_PREFIXDoubleComplex(0, 0);
  for (int k = 0; k < n; ++k) s = PREFIXCfma(s, a[i], a[k]);
  o[i] = s;
}
"""
NVCC = {"product": 16, "quotient": 22, "size": 18, "polynomial": 32}
CLANG = {"product": 9, "quotient": 23, "size": 9, "polynomial": 14}


@pytest.mark.parametrize(
    ("header", "prefix", "arch", "compiled"),
    [
        ("cuComplex.h", "cu", "sm_90", NVCC),  # nvcc 13.0.88
        ("cufft.h", "cu", "sm_90", NVCC),
        ("hip/hip_complex.h", "hip", "gfx90a", CLANG),  # clang 19.1.7
    ],
)
def test_kernels_with_complex_numbers_are_known_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, header: str, prefix: str, arch: str, compiled: dict[str, int]
) -> None:
    file = tmp_path / ("a.hip" if prefix == "hip" else "a.cu")
    file.write_text(KERNELS.replace("HEADER", header).replace("PREFIX", prefix))
    assert main(["kernels", "--isolated", "--no-cache", "--arch", arch, "--output-format", "json", str(file)]) == 0
    rows = json.loads(capsys.readouterr().out)["kernels"]
    assert [row["name"] for row in rows] == list(compiled)
    for row in rows:
        registers = row["targets"][arch]["registers"]
        assert row["complete"]
        assert registers["low"] <= compiled[row["name"]] <= registers["high"]
