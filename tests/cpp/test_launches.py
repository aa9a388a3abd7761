"""Launches: every form in which a kernel is started, the launch's LDS, and launches in other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, host, launch

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

HIP_KERNEL = "#include <hip/hip_runtime.h>\ntemplate <typename T, int N> __global__ void k(T *p) { p[0] = N; }\n"


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("hipLaunchKernelGGL(k, dim3(1), dim3(64, 2), 32, 0, x);", ()),
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 4>), dim3(1), dim3(64, 2), 32, 0, x);", ("float", "4")),
        ("hipLaunchKernelGGL((k<float, 4>), dim3(1), dim3(64, 2), 32, 0, x);", ("float", "4")),
        ("hipLaunchKernelGGL((ns::k<float, 4>), dim3(1), dim3(64, 2), 32, 0, x);", ("float", "4")),
        ("hipLaunchKernel((const void *)k<float, 4>, dim3(1), dim3(64, 2), args, 32, 0);", ("float", "4")),
        ("hipLaunchKernel(reinterpret_cast<void *>(&k<float, 4>), dim3(1), dim3(64, 2), args, 32, 0);", ("float", "4")),
        ("hipLaunchCooperativeKernel((void *)k, dim3(1), dim3(64, 2), args, 32, 0);", ()),
        ("k<float, 4><<<1, dim3(64, 2), 32>>>(x);", ("float", "4")),
        ("ns::k<float, 4><<<dim3(1), dim3(64, 2), 32, 0>>>(x);", ("float", "4")),
        ("k<float, (1 > 0) ? 4 : 2><<<1, dim3(64, 2), 32>>>(x);", ("float", "(1 > 0) ? 4 : 2")),
    ],
)
def test_forms_of_hip(call: str, arguments: tuple[str, ...]) -> None:
    found = launch(HIP_KERNEL + f"void run(float *x, void **args) {{ {call} }}\n", "hip")
    assert (found.kernel_name, found.template_args) == ("k", arguments)
    assert (found.block_dims, found.block_size, found.dynamic_lds_bytes) == ((64, 2), 128, 32)


@pytest.mark.parametrize(
    ("call", "block", "lds"),
    [
        ("cudaLaunchKernel(k, dim3(1), dim3(64), args, 16, 0);", (64,), 16),
        ("cudaLaunchKernel((void *)k, dim3(1), dim3(64), args, 16, 0);", (64,), 16),
        ("cudaLaunchKernel((const void *)&k, 1, 64, args);", (64,), 0),
        ("cudaLaunchCooperativeKernel((void *)k, dim3(n), dim3(8, 8), args, n, 0);", (8, 8), None),
        ("cudaLaunchKernelEx(&config, k, x);", None, None),
        ("cudaLaunchKernelExC(&config, (void *)k, args);", None, None),
        ("cuLaunchKernel(k, 1, 1, 1, 32, 4, 2, 48, 0, args, 0);", (32, 4, 2), 48),
        ("cuLaunchKernel(k, 1, 1, 1, n, 1, 1, 0, 0, args, 0);", None, 0),
        ("hipModuleLaunchKernel(k, 1, 1, 1, 32, 1, 1, 0, 0, args, 0);", (32, 1, 1), 0),
    ],
)
def test_launch_functions(call: str, block: tuple[int, ...] | None, lds: int | None) -> None:
    found = launch(host(call, parameters="int n, float *x, void **args"))
    assert found.kernel_name == "k"
    assert found.block_dims == block
    assert found.dynamic_lds_bytes == lds


@pytest.mark.parametrize(
    ("lds", "expected"),
    [
        ("0", 0),
        ("256", 256),
        ("64 * sizeof(float)", 256),
        ("sizeof(double) * B + 4", 260),
        ("sizeof(P) * 2", 32),
        ("sizeof(T)", None),
        ("sizeof(float4) * b", 512),
        ("n * sizeof(float)", None),
        ("bytes", 96),
    ],
)
def test_dynamic_lds(lds: str, expected: int | None) -> None:
    before = "#define B 32\nstruct P { double a; int b; };"
    found = launch(host(f"int b = 32; size_t bytes = 3 * b; k<<<1, b, {lds}>>>(x);", before))
    assert found.dynamic_lds_bytes == expected


def test_launch_without_lds_argument_has_none() -> None:
    assert launch(host("k<<<1, 64>>>(x);")).dynamic_lds_bytes == 0


def test_position_of_a_launch() -> None:
    text = host("\n  k<<<1, 64>>>(x);")
    found = launch(text)
    assert text.encode()[found.span.start : found.span.end] in (b"k<<<1, 64>>>(x)",)
    assert text.splitlines()[found.line - 1].strip() == "k<<<1, 64>>>(x);"


def test_launches_inside_a_macro_call_and_in_file_order() -> None:
    text = host(
        "CHECK((k<<<1, 64>>>(x)));\nTIMED(k<<<1, 32>>>(x));", "#define CHECK(e) e\n#define TIMED(e) start(); e; stop()"
    )
    assert [found.block_dims for found in build(text).launches] == [(64,), (32,)]


def test_includer_launches_a_header_kernel() -> None:
    header = "template <int B> __global__ void __launch_bounds__(B) k(float *p) { p[0] = B; }\n"
    main = '#include "k.cuh"\nvoid run(float *x) { k<64><<<1, 64>>>(x); }\n'
    (kernel,) = build(header, path="k.cuh", headers={"main.cu": main}).kernels
    assert [(found.path, found.block_dims) for found in kernel.launches] == [("main.cu", (64,))]
    assert kernel.bindings == {"B": 64}
    assert kernel.launch_bounds is not None
    assert kernel.launch_bounds.max_threads == 64


STEP = '#include "step.h"\n__global__ void step(float *p) { p[0] = 1; }\n'
PROTOTYPE = {"step.h": "#pragma once\n__global__ void step(float *p);\n"}
LAUNCHED = '#include "step.h"\nvoid run(float *x) { step<<<1, 96>>>(x); }\n'


@pytest.mark.parametrize("language", ["cuda", "hip"])
def test_a_launch_in_another_source_file_through_a_prototype(language: Language) -> None:
    text = (
        LAUNCHED
        if language == "cuda"
        else LAUNCHED.replace("step<<<1, 96>>>(x)", "hipLaunchKernelGGL(step, 1, 96, 0, 0, x)")
    )
    (kernel,) = build(STEP, language, path="step.cu", headers={**PROTOTYPE, "main.cu": text}).kernels
    assert [(found.path, found.block_dims) for found in kernel.launches] == [("main.cu", (96,))]


@pytest.mark.parametrize(
    "others",
    [
        {"main.cu": LAUNCHED.replace('#include "step.h"\n', "")},  # knows nothing of the header
        {"main.cu": LAUNCHED + "__global__ void step(float *p) { p[1] = 2; }\n"},  # launches its own
        {"main.cu": '#include "own.h"\n' + LAUNCHED, "own.h": "__global__ void step(float *p) { p[2] = 3; }\n"},
        {"step.h": "#pragma once\nvoid run(float *x);\n", "main.cu": LAUNCHED},  # nothing declares it to both
    ],
)
def test_a_launch_in_another_source_file_of_another_kernel(others: dict[str, str]) -> None:
    (kernel,) = build(STEP, path="step.cu", headers={**PROTOTYPE, **others}).kernels
    assert kernel.launches == ()


def test_two_headers_declare_kernels_that_another_file_launches() -> None:
    own = STEP + '#include "stop.h"\n__global__ void stop(float *p) { p[0] = 0; }\n'
    other = LAUNCHED.replace("}\n", " stop<<<1, 48>>>(x); }\n") + '#include "stop.h"\n'
    files = {**PROTOTYPE, "stop.h": "__global__ void stop(float *p);\n", "main.cu": other}
    kernels = build(own, path="step.cu", headers=files).kernels
    assert [[found.block_dims for found in kernel.launches] for kernel in kernels] == [[(96,)], [(48,)]]


def test_launches_here_and_in_another_source_file() -> None:
    own = STEP + "void start(float *x) { step<<<1, 32>>>(x); }\n"
    (kernel,) = build(own, path="step.cu", headers={**PROTOTYPE, "main.cu": LAUNCHED}).kernels
    assert [found.block_dims for found in kernel.launches] == [(32,), (96,)]


# ------------------------------------------------------------------------------------------------------------ SYCL


def sycl(call: str, before: str = "", outside: str = "") -> str:
    """A SYCL file with one command group."""
    return (
        f"#include <sycl/sycl.hpp>\n{outside}\nvoid run(sycl::queue &q, float *x, int n) {{\n{before}\n"
        f"q.submit([&](sycl::handler &h) {{\n{call}\n}});\n}}\n"
    )


@pytest.mark.parametrize(
    ("call", "before", "block"),
    [
        ("h.parallel_for(sycl::nd_range<1>(n, 64), K);", "", (64,)),
        ("h.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(64)), K);", "", (64,)),
        ("h.parallel_for(sycl::nd_range<2>({n, n}, {4, 16}), K);", "", (16, 4)),
        ("h.parallel_for(sycl::nd_range<2>{{n, n}, {4, 16}}, K);", "", (16, 4)),
        ("h.parallel_for(sycl::nd_range<3>(g * b, b), K);", "sycl::range<3> g(1, 1, n), b(2, 4, 16);", (16, 4, 2)),
        ("h.parallel_for(sycl::nd_range<1>(g, b), K);", "size_t b = 128; size_t g = n * b;", (128,)),
        ("h.parallel_for(sycl::nd_range<1>(g, b), K);", "sycl::range<1> b{128}; auto g = b;", (128,)),
        ("h.parallel_for<class A>(r, K);", "sycl::nd_range<1> r(n, 32);", (32,)),
        ("h.parallel_for<class A>(r, K);", "auto r = sycl::nd_range<1>(n, 32);", (32,)),
        ("h.parallel_for<class A>(r, K);", "sycl::nd_range<1> r{n, 32};", (32,)),
        ("h.parallel_for(sycl::nd_range<1>(n, B), sycl::reduction(x, s), K);", "constexpr int B = 96;", (96,)),
        ("h.parallel_for(sycl::nd_range<1>(n, r[0] * r.get(1)), K);", "sycl::range<2> r(4, 16);", None),
        ("h.parallel_for(sycl::nd_range<1>(n, r[1]), K);", "sycl::range<2> r(4, 16);", (16,)),
        ("h.parallel_for(sycl::range<1>(64), K);", "", None),
        ("h.parallel_for(64, K);", "", None),
        ("h.parallel_for({64, 2}, K);", "", None),
        ("h.parallel_for(sycl::nd_range<1>(n, b), K);", "int b = 64; if (n > 9) b = 32;", None),
        ("h.parallel_for(sycl::nd_range<1>(n, b), K);", "int b = dev.get_info<X>();", None),
    ],
)
def test_sycl_local_range(call: str, before: str, block: tuple[int, ...] | None) -> None:
    text = sycl(call.replace("K", "[=](auto it) { x[it.get_global_id(0)] = 1; }"), before)
    assert launch(text, "sycl").block_dims == block


def test_single_task_has_one_thread() -> None:
    assert launch(sycl("h.single_task([=]() { x[0] = 1; });"), "sycl").block_size == 1


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("", 0),
        ("sycl::local_accessor<float, 1> s(sycl::range<1>(64), h);", 256),
        ("sycl::local_accessor<float, 1> s(64, h);", 256),
        ("sycl::local_accessor<double, 2> s(sycl::range<2>(8, 8), h);", 512),
        ("sycl::local_accessor<double, 2> s({8, 8}, h);", 512),
        ("sycl::local_accessor<int> s(h);", 4),
        ("sycl::local_accessor<Node *, 0> s(h);", 8),
        ("sycl::local_accessor<float *, 1> s(16, h);", 128),
        ("sycl::local_accessor<float, 1> s(sycl::range<1>(b), h);", 256),
        ("sycl::local_accessor<float, 1> s(sycl::range<1>(b * c), h);", 512),
        ("sycl::local_accessor<sycl::float4, 1> s(b, h); sycl::local_accessor<char, 1> t(16, h);", 1040),
        ("sycl::local_accessor<float, 1> s(n, h);", None),
        ("sycl::local_accessor<T, 1> s(64, h);", None),
        ("sycl::accessor<float, 1, sycl::access::mode::read_write, sycl::access::target::local> s(64, h);", 256),
    ],
)
def test_local_accessors(declaration: str, expected: int | None) -> None:
    call = "h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { x[0] = 1; });"
    assert launch(sycl(declaration + call, "const int b = 64, c = 2;"), "sycl").dynamic_lds_bytes == expected


def test_a_preprocessor_branch_among_the_arguments_hides_no_launch() -> None:
    body = "dim3 b(64);\nk<<<1, b>>>(x\n#ifdef EXTRA\n    , n\n#endif\n);\nk<<<1, 32>>>(x);"
    found = build(host(body)).launches
    assert [(one.kernel_name, one.block_size) for one in found] == [("k", 64), ("k", 32)]


@pytest.mark.parametrize(
    ("switch", "sizes"),
    [
        ("#if 0\n{a}#endif\n{b}", [64]),
        ("#if 0  // once\n{a}#else\n{b}#endif\n", [64]),
        ("#if 1\n{b}#else\n{a}#endif\n", [64]),
        ("#if FAST\n{a}#elif 1\n{b}#else\n{a}#endif\n", [2048, 64]),
        ("#if FAST\n{a}#else\n{b}#endif\n", [2048, 64]),
    ],
)
def test_file_outside_the_build_launches_nothing(switch: str, sizes: list[int]) -> None:
    body = switch.format(a="k<<<1, 2048>>>(p);\n", b="k<<<1, 64>>>(p);\n")
    file = build(f"__global__ void k(float *p) {{ p[0] = 1; }}\nvoid run(float *p) {{\n{body}}}\n")
    assert [launch.block_size for launch in file.kernels[0].launches] == sizes
