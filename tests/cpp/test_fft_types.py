"""Numbers of FFT libraries are those of the language, with or without their headers."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

KERNEL = """#include <FILE>
__global__ void k(PAIR* g, ONE s) {
  PAIR v[4];
  for (int i = 0; i < 4; i++) v[i] = g[i * 33 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 4; i++) { v[i].x *= s; v[i].y += s; g[i * 77 + threadIdx.x] = v[i]; }
}"""


def facts_of(file: str, pair: str, one: str) -> KernelFacts:
    text = KERNEL.replace("FILE", file).replace("PAIR", pair).replace("ONE", one)
    built = testing.build(text, "k.hip", "hip")
    return kernel_facts(built, built.kernels[0], Settings(architectures=("sm_90", "gfx90a")))


@pytest.mark.parametrize("library", ["cufft", "hipfft"])
@pytest.mark.parametrize(("infix", "plain"), [("", "float"), ("Double", "double")])
def test_a_complex_number_is_a_vector_of_two(library: str, infix: str, plain: str) -> None:
    header = "cufft.h" if library == "cufft" else "hipfft/hipfft.h"
    ours = facts_of(header, f"{library}{infix}Complex", f"{library}{infix}Real")
    same = facts_of("hip/hip_runtime.h", f"{plain}2", plain)
    for target in ("sm_90", "gfx90a"):
        assert not ours.unknowns(target)
        assert ours.target(target).registers == same.target(target).registers
