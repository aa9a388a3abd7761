"""Launches: every form in which a kernel is started, and which block sizes the source settles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, host, launch

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

# (statements of a host function with `int n, float *x`, what stands before it, block in CUDA's order x, y, z)
SETTLED: list[tuple[str, str, tuple[int, ...]]] = [
    ("k<<<1, 128>>>(x);", "", (128,)),
    ("k<< <1, 128>> >(x);", "", (128,)),
    ("k<<<1, 128, 0, 0>>>(x);", "", (128,)),
    ("k<<<n / B, B>>>(x);", "#define B 64", (64,)),
    ("k<<<1, B>>>(x);", "const int B = 2 * 32;", (64,)),
    ("k<<<1, B>>>(x);", "constexpr unsigned B{96};", (96,)),
    ("k<<<1, B>>>(x);", "enum { A = 32, B };", (33,)),
    ("k<<<1, E::B>>>(x);", "struct E { static const int B = 48; };", (48,)),
    ("dim3 b(16, 8); k<<<1, b>>>(x);", "", (16, 8)),
    ("dim3 b = dim3(16, 8, 2); k<<<1, b>>>(x);", "", (16, 8, 2)),
    ("dim3 b{16, 8}; k<<<1, b>>>(x);", "", (16, 8)),
    ("dim3 b = {16, 8}; k<<<1, b>>>(x);", "", (16, 8)),
    ("dim3 b = 32; k<<<1, b>>>(x);", "", (32,)),
    ("dim3 b; b.x = 8; b.y = 4; k<<<1, b>>>(x);", "", (8, 4, 1)),
    ("dim3 b(B, B); k<<<1, b>>>(x);", "#define B 16", (16, 16)),
    ("const int w = 32; dim3 b(B * w); k<<<1, b>>>(x);", "constexpr int B = 4;", (128,)),
    ("const dim3 g(n), b(T, 2); k<<<g, b>>>(x);", "static const int T = 32;", (32, 2)),
    ("int b; b = 256; k<<<1, b>>>(x);", "", (256,)),
    ("int b = 64; b = 256; k<<<1, b>>>(x);", "", (256,)),
    ("int b = 64; k<<<1, b>>>(x); b = 256;", "", (64,)),
    ("int b = 64; { int b = 128; k<<<1, b>>>(x); }", "", (128,)),
    ("int b = 64; { int b = 128; b++; } k<<<1, b>>>(x);", "", (64,)),
    ("int local[1] = {128}; k<<<1, local[0]>>>(x);", "", (128,)),
    ("int s[5] = {32, 64, 128, 256, 512}; k<<<1, s[4]>>>(x);", "", (512,)),
    ("int b = 128; show(b); k<<<1, b>>>(x);", "void show(int v) { }", (128,)),
    ("int b = 128; show(b); k<<<1, b>>>(x);", "void show(int &v) { print(v); }", (128,)),
    ("int b = 128; show(b); k<<<1, b>>>(x);", "void see(int &v) { print(v); }\nvoid show(int &v) { see(v); }", (128,)),
    ("int b = 128;\n#ifdef SMALL\nb = 64;\n#endif\nk<<<1, b>>>(x);", "", (128,)),
    ("#ifdef SMALL\nint b = 128;\n#else\nint b = 64;\n#endif\nk<<<1, b>>>(x);", "", (64,)),
    ("k<<<1, B>>>(x);", "#ifdef SMALL\n#define B 64\n#else\n#define B 128\n#endif", (128,)),
    ("k<<<1, B>>>(x);", "#ifdef SMALL\nconst int B = 64;\n#else\nconst int B = 128;\n#endif", (128,)),
    ("k<<<1, B>>>(x);", "#define B 16 + 2", (18,)),
    ("k<<<1, B>>>(x);", "int B = 64;", (64,)),
    ("k<<<1, b>>>(x);", "template <int b> struct Q {}; const int b = 32;", (32,)),
    ("dim3 b(32, 4); k<<<1, b.x>>>(x);", "", (32,)),
    ("dim3 b(32, 4); k<<<1, b.x * b.y * b.z>>>(x);", "", (128,)),
    ("int b = 129 / 2.0; k<<<1, b * 2>>>(x);", "", (128,)),
    ("int b = 256, g = (n + b - 1) / b; k<<<g, b>>>(x);", "", (256,)),
    ("const size_t b = sizeof(float) * 32; k<<<1, b>>>(x);", "", (128,)),
    ("unsigned b = 1u << 8; k<<<1, b>>>(x);", "", (256,)),
    ("k<<<dim3(1), dim3(32, 4)>>>(x);", "", (32, 4)),
    ("k<<<1, dim3{32, 4, 1}>>>(x);", "", (32, 4, 1)),
    ("int b(128); k<<<1, b>>>(x);", "", (128,)),
    ("int b{128}; k<<<1, b>>>(x);", "", (128,)),
    ("auto b = 128; k<<<1, b>>>(x);", "", (128,)),
    ("auto b = dim3(32, 2); k<<<1, b>>>(x);", "", (32, 2)),
    ("static int b = 128; k<<<1, b>>>(x);", "", (128,)),
    ("try { int b = 128; k<<<1, b>>>(x); } catch (...) { }", "", (128,)),
    ("unsigned char b = 300; k<<<1, b>>>(x);", "", (44,)),
    ("int b = 32, c = b; b = 64; k<<<1, c>>>(x);", "", (32,)),
    ("k<<<1, std::min(256, 128)>>>(x);", "", (128,)),
    (
        "k<<<1, Lib::B>>>(x);",
        "namespace Lib { constexpr int B = 96; } namespace Other { constexpr int B = 32; }",
        (96,),
    ),
    ("int b = WARP * 4; k<<<1, b>>>(x);", "#define WARP 32", (128,)),
    ("k<<<1, B>>>(x);", "#ifndef B\n#define B 64\n#endif", (64,)),
    ("k<<<1, B>>>(x);", "#ifdef __CUDACC__\n#define B 64\n#else\n#define B 128\n#endif", (64,)),
    ("k<<<1, BLOCK>>>(x);", "#define BLOCK dim3(16, 4)", (16, 4)),
    ("k<<<1, E::B>>>(x);", "enum class E { A = 3, B = 64 };", (64,)),
    ("k<<<1, A::B>>>(x);", "struct A { static const int B = 96; }; struct C { static const int B = 32; };", (96,)),
    ("#ifdef SMALL\nint b = 32;\nk<<<1, b>>>(x);\n#endif", "", (32,)),
    ("cudaStream_t s; k<<<1, 64, 0, s>>>(x);", "", (64,)),
    ("int b = 64; q >> b; k<<<1, b>>>(x);", "const int q = 3;", (64,)),
]

SETTLED += [
    ("k<<<1, B>>>(x);", "#ifndef B\n#define B 64\n#endif\n#ifndef B\n#define B 32\n#endif", (64,)),
    (
        "k<<<1, B>>>(x);",
        "#ifndef G_H\n#define G_H\n#ifdef BIG\n#define B 64\n#else\n#define B 32\n#endif\n#endif",
        (32,),
    ),
    ("dim3 b; for (;;) { b.x = 8; b.y = 4; b.z = 2; k<<<1, b>>>(x); b.x = 1; }", "", (8, 4, 2)),
    ("int b; for (;;) { b = 64; k<<<1, b>>>(x); b = 32; }", "", (64,)),
]

# A careless resolver has an answer for each of these.
UNSETTLED: list[tuple[str, str]] = [
    ("int b = 64; if (n > 3) b = 256; k<<<1, b>>>(x);", ""),
    ("int b = 64; if (n > 3) { b = 256; } k<<<1, b>>>(x);", ""),
    ("int b = 64; for (int i = 0; i < n; i++) { k<<<1, b>>>(x); b *= 2; }", ""),
    ("int b; b = 64; for (int i = 0; i < n; i++) { k<<<1, b>>>(x); b *= 2; }", ""),
    ("int b; b = 64; for (int i = 0; i < n; i++) { k<<<1, b>>>(x); b = 2 * i; }", ""),
    ("for (int b = 32; b <= 1024; b *= 2) k<<<1, b>>>(x);", ""),
    ("int b = 64; int g; cudaOccupancyMaxPotentialBlockSize(&g, &b, k); k<<<1, b>>>(x);", ""),
    (
        "int b = 64; int g; CHECK(cudaOccupancyMaxPotentialBlockSize(&g, &b, k)); k<<<1, b>>>(x);",
        "#define CHECK(x) do { x; } while (0)",
    ),
    ("k<<<1, n>>>(x);", ""),
    ("int b = 64; { int b = n; k<<<1, b>>>(x); }", ""),
    ("int s[3] = {32, 64, 128}; for (int i = 0; i < 3; i++) k<<<1, s[i]>>>(x);", ""),
    ("Config c{256, 2}; k<<<1, c.threads>>>(x);", "struct Config { int blocks; int threads; };"),
    ("Config c = {256, 2}; k<<<1, c.threads>>>(x);", "struct Config { int blocks; int threads; };"),
    ("int b = 128; std::cin >> b; k<<<1, b>>>(x);", ""),
    ("int b = 128; choose(b); k<<<1, b>>>(x);", "void choose(int &v) { v = 64; }"),
    ("int b = 128; int &r = b; r = 64; k<<<1, b>>>(x);", ""),
    ("auto [g, b] = choose(n); k<<<g, b>>>(x);", "const int b = 32;"),
    ("auto f = [&](int b) { k<<<1, b>>>(x); }; f(n);", "const int b = 32;"),
    ("for (int b : {32, 64}) k<<<1, b>>>(x);", "const int b = 128;"),
    ("#if WIDTH > 4\nint b = 128;\n#else\nint b = 64;\n#endif\nk<<<1, b>>>(x);", "#define WIDTH foo(3)"),
    ("k<<<1, B>>>(x);", "#define B 64\n#undef B\n#define B 128"),
    ("k<<<1, B * 2>>>(x);", "#define B 16 + 2"),
    ("k<<<1, B>>>(x);", "int B = 64; void f() { B = 32; }"),
    ("k<<<1, B>>>(x);", "extern int B;"),
    ("int b = min(1024, n); k<<<1, b>>>(x);", ""),
    ("int b = n > 512 ? 512 : 128; k<<<1, b>>>(x);", ""),
    ("int b = 64; switch (n) { case 1: b = 32; break; default: b = 16; } k<<<1, b>>>(x);", ""),
    ("int b = 64; while (b < n) b *= 2; k<<<1, b>>>(x);", ""),
    ("dim3 b(n); b.x = 32; k<<<1, b>>>(x);", ""),
    ("dim3 b(B * n); k<<<1, b>>>(x);", "constexpr int B = 4;"),
    ("dim3 b(32, n); k<<<1, b>>>(x);", ""),
    ("dim3 b(32, 4); if (n) b.y = 2; k<<<1, b>>>(x);", ""),
    ("k<<<1, this->b>>>(x);", "const int b = 32;"),
    ("k<<<1, cfg.b>>>(x);", "const int b = 32;"),
    ("k<<<1, cfg->b>>>(x);", "const int b = 32;"),
    ("k<<<1, get(b)>>>(x);", "const int b = 32;"),
    ("int b = 64; auto f = [&] { k<<<1, b>>>(x); }; b = 128; f();", ""),
    ("int b = 64; int *q = &b; *q = 32; k<<<1, b>>>(x);", ""),
    ("int b = 64; b <<= 1; k<<<1, b>>>(x);", ""),
    ('int b = 64; scanf("%d", &b); k<<<1, b>>>(x);', ""),
    ("int b = 64; n > 4 && (b = 128); k<<<1, b>>>(x);", ""),
    ("int b = 64; again: k<<<1, b>>>(x); b = 32; goto again;", ""),
    ("int b = 128; std::swap(b, n); k<<<1, b>>>(x);", ""),
    ("int b = n; if (n > 1024) b = 1024; k<<<1, b>>>(x);", ""),
    ("int b = 32; { b = 64; } k<<<1, b>>>(x);", ""),
    ("int b = 32; do { k<<<1, b>>>(x); b = b * 2; } while (b < n);", ""),
    ("k<<<1, B>>>(x);", "struct A { static const int B = 96; }; struct C { static const int B = 32; };"),
    ('int b = atoi(getenv("B")); k<<<1, b>>>(x);', "const int atoi = 3;"),
    ("int b = f(64); k<<<1, b>>>(x);", ""),
    ("k<<<1, A::B>>>(x);", "struct C { static const int B = 32; };"),
    ("k<<<1, B>>>(x);", "#define WIDTH f(3)\n#if WIDTH\n#define B 64\n#else\n#define B 128\n#endif"),
    ("int b = 64; read(std::ref(b), b); k<<<1, b>>>(x);", "template <class T> void read(T r, int &b) { b = 1; }"),
    ("int b; k<<<1, b>>>(x);", ""),
    ("dim3 b(1, 1, 1); for (;;) { k<<<1, b>>>(x); b.x = 8; }", ""),
    ("dim3 b(1, 2, 3); for (;;) { b.x = 8; k<<<1, b>>>(x); b.y = 8; }", ""),
    ("k<<<1, 0>>>(x);", ""),
    ("k<<<1, -32>>>(x);", ""),
    ("k<<<1, 32.5>>>(x);", ""),
    ("int b[2] = {32, 64}; b[n] = 16; k<<<1, b[0]>>>(x);", ""),
]


@pytest.mark.parametrize(("body", "before", "block"), SETTLED)
def test_settled_block(body: str, before: str, block: tuple[int, ...]) -> None:
    found = launch(host(body, before))
    assert found.block_dims == block
    assert found.kernel_name == "k"
    assert found.certainty != "unknown"


@pytest.mark.parametrize(("body", "before"), UNSETTLED)
def test_unsettled_block(body: str, before: str) -> None:
    found = launch(host(body, before))
    assert (found.block_dims, found.block_size, found.certainty) == (None, None, "unknown")


@pytest.mark.parametrize(
    ("body", "certainty"),
    [
        ("k<<<1, 64>>>(x);", "constant"),
        ("int b = 64; k<<<1, b>>>(x);", "single-assignment"),
        ("int b; b = 64; k<<<1, b>>>(x);", "last-assignment"),
        ("k<<<1, kHeader>>>(x);", "header"),
        ("k<<<1, HEADER>>>(x);", "header"),
        ("k<<<1, OWN>>>(x);", "constant"),
    ],
)
def test_certainty(body: str, certainty: str) -> None:
    text = '#include "sizes.h"\n#define OWN 64\n' + host(body)
    headers = {"sizes.h": "#pragma once\n#define HEADER 64\nconstexpr int kHeader = 64;\n"}
    found = launch(text, headers=headers)
    assert (found.block_size, found.certainty) == (64, certainty)


def test_block_size_is_the_product() -> None:
    assert launch(host("k<<<1, dim3(8, 4, 2)>>>(x);")).block_size == 64


def test_header_macro_constant_and_guard() -> None:
    headers = {
        "a.h": '#ifndef A_H\n#define A_H\n#include "b.h"\n#define TWICE (2 * ONCE)\n#endif\n',
        "b.h": "#ifndef B_H\n#define B_H\nconstexpr int ONCE = 48;\n#endif\n",
    }
    assert launch('#include "a.h"\n' + host("k<<<1, TWICE>>>(x);"), headers=headers).block_dims == (96,)


def test_two_headers_that_disagree() -> None:
    headers = {"a.h": "#define B 64\n", "b.h": "#define B 128\n"}
    text = '#include "a.h"\n#include "b.h"\n' + host("k<<<1, B>>>(x);")
    assert launch(text, headers=headers).block_dims is None


def test_own_definition_wins_over_the_guarded_default_of_a_header() -> None:
    headers = {"a.h": "#ifndef B\n#define B 64\n#endif\n"}
    text = '#define B 128\n#include "a.h"\n' + host("k<<<1, B>>>(x);")
    assert launch(text, headers=headers).block_dims == (128,)


@pytest.mark.parametrize(
    ("calls", "block"),
    [
        ("run(64, 0);", (64,)),
        ("run(64, 0); run(B, 0);", (64,)),
        ("run(64, 0); run(128, 0);", None),
        ("run(64, 0); run(n, 0);", None),
        ("run(64, 0); std::thread t(run, 128, nullptr);", None),
        ("run(64, 0); ns::run(128, 0);", None),
        ("run(64, 0); app.run(128, 0);", None),
        ("int z = 1;", None),
    ],
)
def test_parameter_of_the_enclosing_function(calls: str, block: tuple[int, ...] | None) -> None:
    before = "#define B 64\n"
    text = before + host("k<<<1, b>>>(x);", parameters="int b, float *x") + f"int main(int n, char **v) {{ {calls} }}\n"
    assert launch(text).block_dims == block


@pytest.mark.parametrize(
    ("calls", "block"),
    [
        ("run(64, 0); run(64, x);", (64,)),
        ("run(64, 0); run(32, x);", None),
        ("run(n, 0);", None),
        ("call(run);", None),
        ("", None),
    ],
)
def test_parameter_of_a_function_of_a_header(calls: str, block: tuple[int, ...] | None) -> None:
    header = host("k<<<1, b>>>(x);", parameters="int b, float *x")
    main = f'#include "run.h"\nint main(int n, char **v) {{ {calls} }}\n'
    (found,) = build(header, headers={"main.cu": main}, path="run.h").launches
    assert found.block_dims == block


def test_parameter_that_is_assigned_is_unknown() -> None:
    text = host("b = b > 4 ? b : 4; k<<<1, b>>>(x);", parameters="int b, float *x") + "void go() { run(64, 0); }\n"
    assert launch(text).block_dims is None


def test_parameter_with_a_default_argument() -> None:
    text = host("k<<<1, b>>>(x);", parameters="float *x, int b = 64") + "void go() { run(0); run(0, 64); }\n"
    assert launch(text).block_dims is None


def test_template_parameter_is_no_constant_of_the_file() -> None:
    text = "const int B = 32;\n" + host("k<<<1, B>>>(x);").replace("void run", "template <int B> void run")
    assert launch(text).block_dims is None


def test_parameter_hides_the_constant() -> None:
    text = host("k<<<1, B>>>(x);", "const int B = 32;", "int B, float *x")
    assert launch(text).block_dims is None


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


def test_two_headers_declare_what_one_other_file_launches() -> None:
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
def test_what_no_build_compiles_launches_nothing(switch: str, sizes: list[int]) -> None:
    body = switch.format(a="k<<<1, 2048>>>(p);\n", b="k<<<1, 64>>>(p);\n")
    file = build(f"__global__ void k(float *p) {{ p[0] = 1; }}\nvoid run(float *p) {{\n{body}}}\n")
    assert [launch.block_size for launch in file.kernels[0].launches] == sizes
