"""RP001: a kernel that CUTLASS builds out of templates is said to be missing, and not passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run_json

if TYPE_CHECKING:
    from pathlib import Path

BUILDER = "using Main = typename cutlass::gemm::collective::CollectiveBuilder<int, float>::CollectiveOp;\n"
LAUNCH = "void run() { auto kernel = cutlass::device_kernel<Main>; kernel<<<1, 128>>>(1); }\n"
BODY = "template <typename T> __global__ void device_kernel(int n) { T()(n); }\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (BUILDER, [1]),
        (f"struct Main;\n{LAUNCH}", [2]),
        (f"// CollectiveBuilder<int>\n{BUILDER}{LAUNCH}", [2]),
        (f"struct Main {{ __device__ void operator()(int n); }};\n{BODY}{LAUNCH.replace('cutlass::', '')}", []),
    ],
)
def test_a_kernel_made_of_templates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, lines: list[int]
) -> None:
    (tmp_path / "gemm.cu").write_text(text)
    found = run_json(capsys, "--no-cache", "--select", "RP001", "--arch", "sm_90", tmp_path / "gemm.cu")["diagnostics"]
    told = [one for one in found if "CUTLASS builds" in one["message"]]
    assert [one["start"]["line"] for one in told] == lines
