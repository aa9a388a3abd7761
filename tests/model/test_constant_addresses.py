"""ptxas 13.0.88 turns a frame into registers only if it finds an access at a constant address to it."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

ROLLED = "\n#pragma unroll 1\nfor (int j = 0; j < 4; ++j) "
KERNEL = """
__global__ void k(float *out, const float *in, const int *ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = in[t], a[4];
  {body}
  out[t] = s;
}}
"""
FILLED = ROLLED + "a[j] = in[t + j * n];"
WRITTEN = "a[ix[t + 1] & 3] = s;"
KNOWN = "s += a[0] * a[1] + a[2] * a[3];"
PICKED = "s += a[ix[t] & 3];"
READ = ROLLED + "s += a[j] * in[t + j * m];"
BRANCH = "if (m > 3) out[t + n] = s;"
OTHER = "float b[4]; "


def _is_in_memory(body: str) -> bool:
    return facts_of(KERNEL.format(body=body)).target("sm_90").registers.scratch_bytes > 0


@pytest.mark.parametrize(
    "body",
    [
        FILLED + KNOWN,
        FILLED + KNOWN + PICKED,
        WRITTEN + KNOWN,
        BRANCH + WRITTEN + KNOWN + PICKED,  # the address of the frame's first array is known everywhere
        WRITTEN + OTHER + BRANCH + (WRITTEN + KNOWN).replace("a[", "b[") + PICKED,  # that of another where it is made
    ],
)
def test_frame_in_registers(body: str) -> None:
    assert not _is_in_memory(body)


@pytest.mark.parametrize(
    "body",
    [
        FILLED + PICKED,
        WRITTEN + PICKED,
        FILLED + KNOWN + READ,  # the last loop steps the array's own address
    ],
)
def test_frame_in_memory(body: str) -> None:
    assert _is_in_memory(body)
