"""Templates with their type parameters bound: by a caller, by a kernel's launches, through a host template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, kernel, variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.core.settings import Language

DEVICE = """
template <typename T, int N> __device__ T sum(const T *p) { T s = 0; T a[N];
  for (int i = 0; i < N; i++) s += p[i]; return s; }
__device__ float plain(float x) { return x; }
template <class U> struct Box { U v; template <class V> __device__ U get(V x) const {
  U t = v; V w = x; return t + w; } };
__global__ void k(float *p) { p[0] = sum<float, 4>(p) + plain(1); }
"""
KERNEL = "template <typename T> __global__ void k(T *p, int n) { T t = p[n]; p[0] = t; }\n"


def size_of_t(text: str, language: Language = "cuda", headers: Mapping[str, str] | None = None) -> int | None:
    """Size of the kernel's local `t`, whose type is the template's."""
    return variables(kernel(text, language, headers).function)["t"].type.size


@pytest.mark.parametrize(
    ("text", "size", "registers"),
    [("float", 4, 1), ("double", 8, 2), ("float4", 16, 4), ("const double", 8, 2), ("float *", 8, 2)],
)
def test_a_bound_type_has_a_size(text: str, size: int, registers: int) -> None:
    file = build(DEVICE)
    generic = file.find_function("sum", 1)
    assert generic is not None
    assert variables(generic)["s"].type.size is None
    bound = file.specialised(generic, {"T": text})
    local = variables(bound)
    assert (local["s"].type.size, local["a"].type.size) == (size, size)
    assert local["s"].type.registers == registers
    assert bound.parameters[0].type.pointee_size == (4 if "*" in text else size)
    assert bound.return_type is not None
    assert bound.return_type.size == size
    assert variables(generic)["s"].type.size is None


def test_nothing_to_bind_gives_the_same_object() -> None:
    file = build(DEVICE)
    generic, plain = file.find_function("sum", 1), file.find_function("plain", 1)
    assert generic is not None
    assert plain is not None
    assert file.specialised(generic, {}) is generic
    assert file.specialised(generic, {"N": "4"}) is generic
    assert file.specialised(generic, {"T": ""}) is generic
    assert file.specialised(plain, {"T": "float"}) is plain


def test_equal_bindings_give_the_same_object() -> None:
    file = build(DEVICE)
    generic = file.find_function("sum", 1)
    assert generic is not None
    bound = file.specialised(generic, {"T": "float", "N": "4", "other": "int"})
    assert bound is not generic
    assert file.specialised(generic, {"T": "float"}) is bound
    assert file.specialised(bound, {"T": "double"}) is file.specialised(generic, {"T": "double"})


def test_a_member_takes_the_parameters_of_its_class() -> None:
    file = build(DEVICE)
    member = file.method("Box<float>", "get", 1)
    assert member is not None
    local = variables(file.specialised(member, {"U": "double", "V": "float"}))
    assert (local["t"].type.size, local["w"].type.size) == (8, 4)


def test_a_function_of_a_header() -> None:
    file = build('#include "h.h"\n__global__ void k(float *p) { p[0] = 1; }\n', headers={"h.h": DEVICE})
    generic = file.find_function("sum", 1)
    assert generic is not None
    assert variables(file.specialised(generic, {"T": "double"}))["s"].type.size == 8


def host(statements: str, head: str = "void run(float *f, double *d, int n)") -> str:
    return f"{KERNEL}{head} {{ {statements} }}\n"


@pytest.mark.parametrize(
    ("statements", "size"),
    [
        ("k<float><<<1, 64>>>(f, n);", 4),
        ("k<double><<<1, 64>>>(d, n); k<double><<<2, 64>>>(d, n);", 8),
        ("k<float><<<1, 64>>>(f, n); k<double><<<1, 64>>>(d, n);", None),
        ("k<<<1, 64>>>(d, n);", 8),
        ("k<<<1, 64>>>(f, n); k<<<1, 64>>>(d, n);", None),
        ("k<<<1, 64>>>(f, n); k<float><<<1, 64>>>(f, n);", 4),
        ("k<<<1, 64>>>(unknown(), n);", None),
        ("float4 *q; cudaMalloc((void **)&q, 64); k<<<1, 64>>>(q, n);", 16),
        ("float *f = 0; { double *f = 0; k<<<1, 64>>>(f, n); }", 8),
        ("k<<<1, 64>>>((double *)f, n);", 8),
        ("k<<<1, 64>>>(reinterpret_cast<double *>(f), n);", 8),
        ("k<<<1, 64>>>(d + n * 2, n);", 8),
        ("double one; k<<<1, 64>>>(&one, n);", 8),
        ("double rows[4][8]; k<<<1, 64>>>(rows[1], n);", 8),
        ("auto q = d; k<<<1, 64>>>(q, n);", 8),
        ("hipLaunchKernelGGL(k, dim3(1), dim3(64), 0, 0, d, n);", 8),
        ("hipLaunchKernelGGL(k<double>, dim3(1), dim3(64), 0, 0, d, n);", 8),
    ],
)
def test_types_of_a_kernel_come_from_its_launches(statements: str, size: int | None) -> None:
    assert size_of_t(host(statements), "hip" if "hip" in statements else "cuda") == size


@pytest.mark.parametrize(
    ("calls", "size"),
    [
        ("run<double>(0, n);", 8),
        ("run<float>(0, n); run<double>(0, n);", None),
        ("double *d; run(d, n);", 8),
        ("table[0] = run<double>;", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("launch", ["k<V><<<1, 64>>>(p, n);", "k<<<1, 64>>>(p, n);"])
def test_a_host_template_passes_its_type_on(launch: str, calls: str, size: int | None) -> None:
    text = f"{KERNEL}template <typename V> void run(V *p, int n) {{ {launch} }}\nint main(int n) {{ {calls} }}\n"
    assert size_of_t(text) == size


def test_host_templates_that_call_each_other_end() -> None:
    text = (
        KERNEL + "template <class A> void one(A *p) { k<A><<<1, 64>>>(p, 1); two<A>(p); }\n"
        "template <class B> void two(B *p) { one<B>(p); }\n"
    )
    assert size_of_t(text) is None


def test_default_size_counts_without_a_launch() -> None:
    text = "template <typename T = double> __global__ void k(int *p) { T t = 0; p[0] = t; }\n"
    assert size_of_t(text) == 8
    assert size_of_t(text + "void run(int *p) { k<><<<1, 64>>>(p); }\n") == 8
    assert size_of_t(text + "void run(int *p) { k<float><<<1, 64>>>(p); }\n") == 4


def test_a_launch_in_the_including_file() -> None:
    text = '#include "k.cuh"\nvoid run(double *d) { k<<<1, 64>>>(d, 1); }\n'
    (found,) = build(KERNEL, headers={"main.cu": text}, path="k.cuh").kernels
    assert variables(found.function)["t"].type.size == 8


SYCL = """#include <sycl/sycl.hpp>
template <typename T> void body(T *p, sycl::nd_item<1> item) { T t = p[item.get_global_id(0)]; p[0] = t; }
void run(sycl::queue &q, double *d, float *f) { CALLS }
"""
SUBMIT = "q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) { body(PTR, item); });"


@pytest.mark.parametrize(
    ("pointers", "size"), [(["d"], 8), (["f", "f"], 4), (["d", "f"], None), (["d", "f", "d"], None)]
)
def test_the_function_that_a_thin_lambda_calls(pointers: list[str], size: int | None) -> None:
    calls = " ".join(SUBMIT.replace("PTR", pointer) for pointer in pointers)
    assert size_of_t(SYCL.replace("CALLS", calls), "sycl") == size


def test_an_explicit_argument_of_a_thin_lambda() -> None:
    assert size_of_t(SYCL.replace("CALLS", SUBMIT.replace("body(PTR", "body<double>(0")), "sycl") == 8


def test_constants_of_a_template_that_names_itself_without_end_are_unknown() -> None:
    text = (
        "template <int N> struct F { static constexpr int v = F<N - 1>::v + F<N - 2>::v; };\n"
        "template <int N> struct G { static constexpr int v = G<N - 1>::v + 1; };\n"
        "template <> struct G<0> { static constexpr int v = 0; };\n"
        "__global__ void k(float *p) { float a[F<100000>::v]; p[0] = a[1]; }\n"
    )
    assert build(text).constant("F<100000>::v") is None
