"""Block sizes of launches: which ones the source settles, and which a careless resolver would."""

from __future__ import annotations

import pytest
from frontend_helpers import build, host, launch

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


def test_template_parameter_is_not_a_file_constant() -> None:
    text = "const int B = 32;\n" + host("k<<<1, B>>>(x);").replace("void run", "template <int B> void run")
    assert launch(text).block_dims is None


def test_parameter_hides_the_constant() -> None:
    text = host("k<<<1, B>>>(x);", "const int B = 32;", "int B, float *x")
    assert launch(text).block_dims is None


def test_a_block_by_a_macro_that_is_defined_again() -> None:
    text = host("k<<<1, B>>>(x);", "#define B 64\n#undef B\n#define B 128")
    assert launch(text).block_size == 128


def test_overloads_have_the_launches_with_their_types() -> None:
    file = build(
        """namespace x { struct V { int v; }; }
__global__ void k(double* a, int n) { a[0] = n; }
__global__ void k(const float* a, int n) {}
__global__ void k(x::V* a, int n) { a[0].v = n; }
void run(double* d, x::V* v) {
  float* q;
  k<<<1, 64>>>(d, 3); k<<<1, 128>>>(q, 3); k<<<1, 256>>>(v, 3); k<<<1, 32>>>((double*)q, 3); k<<<1, 512>>>(made(), 3);
}
"""
    )
    blocks = [{launch.block_size for launch in kernel.launches} for kernel in file.kernels]
    assert blocks == [{64, 32, 512}, {128, 512}, {256, 512}]  # what `made` returns is not known
