"""Static member functions that call each other by a bare name, in classes that all have one of that name."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

LITTLE = "d[i] = 1;"
MUCH = """float h[24];
for (int k = 0; k < 24; k++) h[k] = d[i + k * 33];
__syncthreads();
for (int k = 0; k < 24; k++) d[i + k * 77] = h[k];"""
INSIDE = """HEAD struct NAME {
  static __device__ void run(float* d, int n) { CALL }
  static __device__ void step(float* d, int i) { BODY }
};"""
OUTSIDE = """struct NAME { static __device__ void run(float* d, int n); static __device__ void step(float* d, int i); };
__device__ void NAME::run(float* d, int n) { CALL }
__device__ void NAME::step(float* d, int i) { BODY }"""
LOOP = "for (int i = 0; i < n; i++) step(d, i);"
LAMBDA = "auto one = [&](int i) { step(d, i); }; for (int i = 0; i < n; i++) one(i);"


@pytest.mark.parametrize("shape", [INSIDE, OUTSIDE])
@pytest.mark.parametrize("calls", [LOOP, LAMBDA])
@pytest.mark.parametrize("head", ["", "template <int N>"])
def test_a_bare_name_means_the_function_of_the_same_class(shape: str, calls: str, head: str) -> None:
    if head and shape == OUTSIDE:
        return
    classes = "".join(
        shape.replace("NAME", name).replace("HEAD", head).replace("CALL", calls).replace("BODY", body)
        for name, body in (("A", LITTLE), ("B", MUCH))
    )
    given = "<3>" if head else ""
    kernels = (f"__global__ void k{one}(float* d, int n) {{ {one}{given}::run(d, n); }}" for one in "AB")
    file = testing.build(f"{classes}\n{' '.join(kernels)}", "k.cu", "cuda")
    little, much = (kernel_facts(file, kernel, Settings(architectures=("sm_90",))) for kernel in file.kernels)
    assert little.target("sm_90").registers.estimate < 16
    assert 26 <= much.target("sm_90").registers.estimate <= 40


def test_a_class_without_the_function_leaves_it_to_the_base_or_the_file() -> None:
    text = f"""
    __device__ void step(float* d, int i) {{ {LITTLE} }}
    struct Base {{ static __device__ void step(float* d, int i) {{ {MUCH} }} }};
    struct A : Base {{ static __device__ void run(float* d, int n) {{ {LOOP} }} }};
    struct B {{ static __device__ void run(float* d, int n) {{ {LOOP} }} }};
    __global__ void kA(float* d, int n) {{ A::run(d, n); }}
    __global__ void kB(float* d, int n) {{ B::run(d, n); }}"""
    file = testing.build(text, "k.cu", "cuda")
    of_base, of_file = (kernel_facts(file, kernel, Settings(architectures=("sm_90",))) for kernel in file.kernels)
    assert of_base.target("sm_90").registers.estimate > 24
    assert of_file.target("sm_90").registers.estimate < 16
