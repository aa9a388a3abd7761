"""Launches of kernels through variables or structures, and the instantiations that such launches name."""

from __future__ import annotations

import pytest
from frontend_helpers import build

BODY = "(const float *p, float *o, int n) { float m[N]; for (int i = 0; i < N; ++i) m[i] = p[i]; o[0] = m[n]; }\n"
KERNEL = f"template <int N, int D = 1> __global__ void k{BODY}"


@pytest.mark.parametrize(
    "host",
    [
        "void run(const float *p, float *o, int n) { auto f = k<21, 2>; f<<<3, 96>>>(p, o, n); }",
        "void run(float *o) { void (*f)(const float *, float *, int) = &k<21, 2>; f<<<3, 96>>>(o, o, 1); }",
        "using F = void (*)(const float *, float *, int);\n"
        "void run(const float *p, float *o, int n) { const F f = k<21, 2>; (*f)<<<3, 96>>>(p, o, n); }",
        "void run(void **a) { auto f = k<21, 2>; cudaLaunchKernel((const void *)f, dim3(3), dim3(96), a, 0, 0); }",
        "void run(void **a) { auto *f = &k<21, 2>; cudaLaunchCooperativeKernel((void *)f, dim3(3), dim3(96), a); }",
        "template <typename F> void go(F f, const float *p, float *o) { f<<<3, 96>>>(p, o, 1); }\n"
        "void run(const float *p, float *o) { go(k<21, 2>, p, o); }",
        "template <int N> void call(const float *p, float *o, int n) { auto f = k<N, 2>; f<<<3, 96>>>(p, o, n); }\n"
        "template void call<21>(const float *, float *, int);",
        "template <int N> void call(const float *p, float *o) { auto f = k<N - 1, 2>; f<<<3, 96>>>(p, o, 1); }\n"
        "template <int M> void outer(const float *p, float *o) { call<M * 2>(p, o); }\n"
        "void run(const float *p, float *o) { outer<11>(p, o); }",
        "void run(float *o) { cudaLaunchConfig_t c = {}; c.blockDim = dim3(96);"
        " cudaLaunchKernelEx(&c, k<21, 2>, o, o, 1); }",
        "void run(float *o) { cudaLaunchConfig_t c{dim3(3), dim3(32, 3), 0};"
        " cudaLaunchKernelEx(&c, k<21, 2>, o, o, 1); }",
        "void run(void **a) { cudaLaunchConfig_t c = {.gridDim = 3, .blockDim = 96};"
        " cudaLaunchKernelExC(&c, (void *)k<21, 2>, a); }",
        "using F = void (*)(const float *, float *, int);\nstatic const F table[] = {nullptr, &k<21, 2>};\n"
        "void run(float *o, int n) { table[n]<<<3, 96>>>(o, o, 1); }",
        "struct Way { const char *name; void (*f)(const float *, float *, int); };\n"
        'static const Way ways[] = {{"none", nullptr}, {"all", k<21, 2>}};\n'
        "void run(float *o, int n) { ways[n].f<<<3, 96>>>(o, o, 1); }",
        "using F = void (*)(const float *, float *, int);\nstd::map<int, F> by_size = {{21, k<21, 2>}};\n"
        "void run(float *o, int n) { by_size[n]<<<3, 96>>>(o, o, 1); }",
        "void run(float *o, int n) { void (*f)(const float *, float *, int) = nullptr;\n"
        "if (n) f = k<21, 2>; f<<<3, 96>>>(o, o, 1); }",
        "using F = void (*)(const float *, float *, int);\n"
        "void run(float *o, int n) { F f[2]; f[0] = nullptr; f[1] = &k<21, 2>; f[n]<<<3, 96>>>(o, o, 1); }",
    ],
)
def test_the_block_and_the_arguments_are_known(host: str) -> None:
    (found,) = build(KERNEL + host + "\n").kernels
    assert [launch.block_size for launch in found.launches] == [96]
    assert [instance.arguments for instance in found.instances] == ["21, 2"]
    assert found.bindings == {"N": 21, "D": 2}


def test_a_conditional_launches_both_kernels() -> None:
    host = "void run(float *o, int n) { auto f = n > 8 ? k<21, 2> : k<8>; f<<<3, 96>>>(o, o, n); }\n"
    (found,) = build(KERNEL + host).kernels
    assert {instance.arguments for instance in found.instances} == {"21, 2", "8, 1"}
    assert {launch.block_size for launch in found.launches} == {96}


def test_dynamic_shared_memory_of_a_structure() -> None:
    host = "void run(float *o) { cudaLaunchConfig_t c = {}; c.blockDim = 64; c.dynamicSmemBytes = 4096; "
    (launch,) = build(KERNEL + host + "cudaLaunchKernelEx(&c, k<8>, o, o, 1); }\n").launches
    assert (launch.block_size, launch.dynamic_lds_bytes) == (64, 4096)


def test_structure_filled_elsewhere_is_unknown() -> None:
    host = "void run(cudaLaunchConfig_t &c, float *o) { cudaLaunchKernelEx(&c, k<8>, o, o, 1); }\n"
    (launch,) = build(KERNEL + host).launches
    assert (launch.kernel_name, launch.block_size, launch.dynamic_lds_bytes) == ("k", None, None)


def test_function_given_several_kernels_launches_each() -> None:
    text = "__global__ void a(float *p) { p[0] = 1; }\n__global__ void b(float *p) { p[0] = 2; }\n"
    text += "void go(void (*f)(float *), float *p) { f<<<1, 160>>>(p); }\n"
    file = build(text + "void run(float *p) { go(a, p); go(&b, p); }\n")
    assert [[launch.block_size for launch in each.launches] for each in file.kernels] == [[160], [160]]


def test_launch_in_an_unused_template_hides_no_other() -> None:
    text = "template <int N> struct F { __device__ void operator()(float *p) const { p[0] = N; } };\n"
    text += "template <typename Op, int M> __global__ void k(float *p) { Op()(p); p[M] = 1; }\n"
    text += "template <typename Op, int M> void launch(float *p) { k<Op, M><<<1, 128>>>(p); }\n"
    (found,) = build(text + "void run(float *p) { k<F<3>, 5><<<1, 128>>>(p); }\n").kernels
    assert [instance.arguments for instance in found.instances] == ["F<3>, 5"]
    assert found.bindings == {"M": 5}


def test_known_part_of_such_a_launch_counts() -> None:
    text = "template <typename T, int M> __global__ void k(T *p) { p[M] = 1; }\n"
    text += "template <typename T> void launch(T *p) { k<T, 7><<<1, 128>>>(p); }\n"
    (found,) = build(text + "void run(float *p) { k<float, 5><<<1, 128>>>(p); }\n").kernels
    assert {instance.arguments for instance in found.instances} == {"?, 7", "float, 5"}
