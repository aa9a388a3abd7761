"""Default arguments of a declaration hold for the definition behind it."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

SUM = "float s = 0; for (int j = 0; j < n; j++) s += p[i + j * 33] * p[j]; return s;"
DECLARED = {
    "a function": (
        "__device__ float f(const float* p, int i, int n = 4);",
        f"__device__ float f(const float* p, int i, int n) {{ {SUM} }}",
        "f(x, i{})",
    ),
    "a static member": (
        "struct A { static __device__ float f(const float* p, int i, int n = 4); };",
        f"__device__ float A::f(const float* p, int i, int n) {{ {SUM} }}",
        "A::f(x, i{})",
    ),
    "a member": (
        "struct A { const float* p; __device__ float f(int i, int n = 4) const; };",
        f"__device__ float A::f(int i, int n) const {{ {SUM} }}",
        "A{{x}}.f(i{})",
    ),
    "a member of a template": (
        "template <class T> struct A { static __device__ T f(const T* p, int i, int n = 4); };",
        f"template <class T> __device__ T A<T>::f(const T* p, int i, int n) {{ {SUM} }}",
        "A<float>::f(x, i{})",
    ),
    "one of two functions": (
        "__device__ float f(const double* p, int i, int n = 9); __device__ float f(const float* p, int i, int n = 4);",
        f"__device__ float f(const double* p, int i, int n) {{ return p[i] * n; }} "
        f"__device__ float f(const float* p, int i, int n) {{ {SUM} }}",
        "f(x, i{})",
    ),
}


def facts_of(text: str) -> KernelFacts:
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90", "gfx90a")))


@pytest.mark.parametrize("kind", DECLARED)
@pytest.mark.parametrize("behind", [False, True])
def test_a_call_without_the_argument_is_one_with_its_default(kind: str, behind: bool) -> None:
    declared, defined, call = DECLARED[kind]

    def text(more: str) -> str:
        kernel = f"__global__ void k(float* o, const float* x, int i) {{ o[i] = {call.format(more)}; }}"
        return " ".join((declared, kernel, defined) if behind else (declared, defined, kernel))

    short, long = facts_of(text("")), facts_of(text(", 4"))
    for target in ("sm_90", "gfx90a"):
        assert not short.unknowns(target)
        assert short.target(target).registers == long.target(target).registers


def test_a_function_of_another_class_has_no_default() -> None:
    facts = facts_of("""struct A { static __device__ float f(float x, int n = 4); };
    struct B { static __device__ float f(float x, int n); };
    __device__ float B::f(float x, int n) { return x * n; }
    __global__ void k(float* o, float x) { o[0] = B::f(x); }""")
    assert facts.unknowns("sm_90")
