"""Arguments that nvcc copies to private memory because they are indexed: all their words are on the way at once."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts


@pytest.mark.parametrize(("pointers", "registers"), [(4, 20), (8, 25)])
def test_the_words_of_a_copied_argument_have_registers(pointers: int, registers: int) -> None:
    """nvcc 13.0.88 for sm_90 takes 20 and 25 registers, and 40 and 72 bytes of stack."""
    text = f"""struct Many {{ const float* at[{pointers}]; int n; }};
__global__ void k(Many a, float* o, int s) {{ int i = threadIdx.x; o[i] = a.at[s][i] + a.at[s + 1][i]; }}
"""
    file = testing.build(text, "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).target("sm_90").registers
    assert found.low <= registers <= found.high
    assert abs(found.estimate - registers) <= 5
    assert found.scratch_bytes == pointers * 8 + 8
