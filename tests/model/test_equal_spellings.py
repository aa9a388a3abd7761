"""Kernels in two spellings that are the same program: both are whole, and take the same registers."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ADDED = "for (int i = 0; i < n; i++) s += q[t + i * 64]; for (int i = 0; i < 4; i++) o[t * 4 + i] = s[i];"
KERNEL = "__global__ void k(const float* p, float* o, int n) {{ int t = threadIdx.x; {0} }}\n"
OF_T = "template <class T> __global__ void k(const T* p, T* o, int n) {{ T s = 0; {0} o[threadIdx.x] = s; }}\n"
LAUNCH = "void launch(double* a, double* b) { k<<<1, 256>>>(a, b, 3); }\n"
LOOP = "for (int i = 0; i < n; i++) "
MOVES = "float h[8]; for (int i = 0; i < 8; i++) h[i] = p[{0} * t + i * {1}]; __syncthreads();"
MOVES += "for (int i = 0; i < 8; i++) o[{1} * t + i * {0}] = h[i];"
ALL_FOUR = "for (int i = 0; i < 4; i++) o[t + i * n] = {0};"
SUM = "float s = 0; s += p[t] * p[t]; s += p[t + 8] * p[t + 8]; s += p[t * 3] * p[t * 3];"
LISTED = "{p[t], p[t + 8], p[t * 3]}"
FILLED = "float h[32]; __shared__ float w[32]; w[t] = p[t]; for (int j = 0; j < 32; j++) h[j] = 0; __syncthreads();"
RECAST = (
    FILLED + LOOP + "for (int j = 0; j < 32; j += 4) {{ float4& s = {0}; const float4& u = {1};"
    " s.x = s.x * u.x + 1; s.y = s.y * u.y + 2; s.z *= u.z; s.w -= u.w; }} for (int j = 0; j < 32; j++) o[j] = h[j];"
)
SQUARES = (
    "#include <initializer_list>\n__device__ float squares(std::initializer_list<float> l) { float s = 0; WALK }\n"
)


def held(text: str, target: str) -> int:
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    assert not facts.unknowns(target)
    return facts.target(target).registers.estimate


@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        # A macro without a body is nothing.
        (
            "#define TRACE(x)\n#define LOG(...)\n" + KERNEL.format('TRACE(t < n); LOG("a", n); o[t] = p[t] * 2;'),
            KERNEL.format("o[t] = p[t] * 2;"),
        ),
        # The value of braces in parentheses, with a pragma in them.
        (
            '#define TOTAL(p) ({ float s = 0; _Pragma("unroll") for (int e = 0; e < 16; ++e) s += p[t + e * n]; s; })\n'
            + KERNEL.format("o[t] = TOTAL(p);"),
            KERNEL.format('float s = 0; _Pragma("unroll") for (int e = 0; e < 16; ++e) s += p[t + e * n]; o[t] = s;'),
        ),
        # An object seen through a cast to a reference is that of a cast pointer.
        (
            KERNEL.format(RECAST.format("(float4&)h[j]", "(const float4&)w[j]")),
            KERNEL.format(RECAST.format("*(float4*)&h[j]", "*(const float4*)&w[j]")),
        ),
        # One whose body only invokes others takes no `;`, also with more on its line.
        (
            "#define MIX(i) { float u = h[(i) & 3] + s; s = u * u; }\n#define MIX2(i) MIX(i) MIX(i + 1)\n"
            + KERNEL.format("float h[4] = {p[0], p[1], p[2], p[n]}, s = 0; MIX2(0) MIX2(2) float* q = o + t; *q = s;"),
            KERNEL.format(
                "float h[4] = {p[0], p[1], p[2], p[n]}, s = 0;"
                " for (int i = 0; i < 4; i++) { float u = h[i] + s; s = u * u; } o[t] = s;"
            ),
        ),
        # Vectors by an attribute that a class names, by its own or its template's parameters.
        (
            "template <class T, int N> struct V { typedef T type __attribute__((ext_vector_type(N))); };\n"
            "template <class T, int N> using Vec = typename V<T, N>::type;\n"
            + KERNEL.format("const Vec<float, 4>* q = (const Vec<float, 4>*)p; Vec<float, 4> s = q[t];" + ADDED),
            "typedef float F4 __attribute__((ext_vector_type(4)));\n"
            + KERNEL.format("const F4* q = (const F4*)p; F4 s = q[t];" + ADDED),
        ),
        (
            "template <class T> struct V { typedef T D4 __attribute__((ext_vector_type(4))); using type = D4; };\n"
            + KERNEL.format("typedef V<float>::type F; const F* q = (const F*)p; F s = q[t];" + ADDED),
            "typedef float F4 __attribute__((ext_vector_type(4)));\n"
            + KERNEL.format("const F4* q = (const F4*)p; F4 s = q[t];" + ADDED),
        ),
        # Its body may name the parameter of the template around.
        (
            "#define ADD(p, q) { const T v = q ? p[q] : T(1); s += v * T(2.5); }\n"
            + OF_T.format(LOOP + "{ ADD(p, i) }")
            + LAUNCH,
            OF_T.format(LOOP + "{ const T v = i ? p[i] : T(1); s += v * T(2.5); }") + LAUNCH,
        ),
        # Of the blanks in front of each `\` no body is long.
        (
            "#define ADD(p, q) { \\\n const float v = p[q]; "
            + (" " * 120 + "\\\n") * 40
            + " s += v * v; }\n"
            + KERNEL.format("float s = 0; " + LOOP + "{ ADD(p, i) } o[t] = s;"),
            KERNEL.format("float s = 0; " + LOOP + "{ const float v = p[i]; s += v * v; } o[t] = s;"),
        ),
        # Vectors that a member function returns as `auto`.
        (
            "struct S { int n; __device__ auto get() const { return make_int2(n + 1, n * 2); } };\n"
            + KERNEL.format(f"S s{{n}}; auto [a, b] = s.get(); {MOVES.format('a', 'b')}"),
            KERNEL.format(f"int a = n + 1, b = n * 2; {MOVES.format('a', 'b')}"),
        ),
        # Lists in braces as objects.
        (
            SQUARES.replace("WALK", "for (float x : l) s += x * x; return s;")
            + KERNEL.format(f"o[t] = squares({LISTED});"),
            KERNEL.format(f"{SUM} o[t] = s;"),
        ),
        (
            SQUARES.replace("WALK", "for (auto x = l.begin(); x != l.end(); ++x) s += *x * *x; return s / l.size();")
            + KERNEL.format(f"o[t] = squares({LISTED});"),
            KERNEL.format(f"{SUM} o[t] = s / 3;"),
        ),
        (
            "#include <initializer_list>\n"
            + KERNEL.format(f"auto l = {LISTED}; float s = 0; for (auto x : l) s += x * x; o[t] = s;"),
            KERNEL.format(f"{SUM} o[t] = s;"),
        ),
        # `x<a || y>(T)(e)` is no call of a template's result.
        (
            "typedef int index;\n" + KERNEL.format("if (t < 0 || t > (index) (n - 3)) return; o[t] = p[n];"),
            KERNEL.format("if (t < 0) return; if (t > n - 3) return; o[t] = p[n];"),
        ),
        # `std::real` is no `real` of another namespace.
        (
            "template <class T> struct C { T x, y; };\n"
            "namespace std { template <class T> __device__ T real(const C<T>& z) { return z.x; } }\n"
            "namespace lib { __device__ float real(const C<float>& z) { return std::real(z); } }\n"
            + KERNEL.format("C<float> z{p[t], p[n]}; o[t] = lib::real(z);"),
            KERNEL.format("o[t] = p[t];"),
        ),
        # Packs that braces write out, and arrays by the alias of a template.
        (
            "template <int... I> struct Seq {};\n"
            "template <int... I> __device__ void get(float* h, const float* p, Seq<I...>) {"
            " int unused[] = {(h[I] = p[I * 9], 0)...}; (void)unused; }\n"
            + KERNEL.format("float h[3]; get(h, p + t, Seq<0, 1, 2>()); __syncthreads(); o[t] = h[0] * h[1] + h[2];"),
            KERNEL.format("float a = p[t], b = p[t + 9], c = p[t + 18]; __syncthreads(); o[t] = a * b + c;"),
        ),
        (
            "template <class T, int N> using Array = T[N];\n"
            + KERNEL.format(
                "Array<float, 3> h; for (int i = 0; i < 3; i++) h[i] = p[t + i * 9]; __syncthreads();"
                " o[t] = h[0] * h[1] + h[2];"
            ),
            KERNEL.format("float a = p[t], b = p[t + 9], c = p[t + 18]; __syncthreads(); o[t] = a * b + c;"),
        ),
        (
            "#include <tuple>\n"
            + KERNEL.format(
                "auto a = std::make_tuple(p[t], p[t + 9]); auto b = a; auto [x, y] = b; o[t] = x; o[n] = y;"
            ),
            KERNEL.format("float x = p[t], y = p[t + 9]; o[t] = x; o[n] = y;"),
        ),
        # Brackets around the name that a declaration gives.
        (
            "struct Row { float d[8]; };\n"
            + KERNEL.format(
                "using row = Row; Row* r = (Row*)o; row (&a) = r[t]; row (*b) = r + n; a.d[1] = p[t] * b->d[2];"
            ),
            "struct Row { float d[8]; };\n"
            + KERNEL.format("Row* r = (Row*)o; Row& a = r[t]; Row* b = r + n; a.d[1] = p[t] * b->d[2];"),
        ),
        # Elements by value of a constant object, by reference of another, in an object of a template's size.
        *(
            (
                f"template <int N> struct M {{ float a[N * N]; {by_value} {by_reference} }};\n"
                "template <int N> __device__ M<N> make(const float* p) { M<N> m{};"
                " for (int i = 0; i < N * N; i++) m(i / N, i % N) = p[i * 9]; return m; }\n"
                + KERNEL.format(f"auto m = make<2>(p + t); __syncthreads(); {ALL_FOUR.format('m(i / 2, i % 2)')}"),
                KERNEL.format(
                    "float m[4]; for (int i = 0; i < 4; i++) m[i] = p[t + i * 9]; __syncthreads(); "
                    + ALL_FOUR.format("m[i]")
                ),
            )
            for by_value, by_reference in (
                ("", "__device__ float& operator()(int r, int c) { return a[r * N + c]; }"),
                (
                    "__device__ float operator()(int r, int c) const { return a[r * N + c]; }",
                    "__device__ float& operator()(int r, int c) { return a[r * N + c]; }",
                ),
            )
        ),
        # A member that is an array of pointers.
        *(
            (
                "__device__ float get(const float* const* f, int c, int i) { return f[c][i]; }\n"
                "struct S { const float* f[5]; __device__ const float* operator[](int c) const { return f[c]; }"
                f" __device__ float at(int c, int i) const {{ {body} }} __device__ const float* at(int c) const"
                " { return f[c]; } };\n" + KERNEL.format(f"S s; s.f[0] = p + n; s.f[1] = p; o[t] = {use};"),
                KERNEL.format("const float *q = p + n, *r = p; o[t] = q[t] * r[t];"),
            )
            for body, use in (
                ("return f[c][i];", "s.at(0, t) * s.at(1, t)"),
                ("return *(f[c] + i);", "s.at(0, t) * s.at(1, t)"),
                ("const float* q = f[c]; return q[i];", "s.at(0, t) * s.at(1, t)"),
                ("return 0;", "s.at(0)[t] * s.at(1)[t]"),
                ("const float* const (&q)[5] = f; return q[c][i];", "s.at(0, t) * s.at(1, t)"),
                ("return get(f, c, i);", "s.at(0, t) * s.at(1, t)"),
                ("return (*this)[c][i];", "s.at(0, t) * s.at(1, t)"),
            )
        ),
        # The object itself, under another name.
        *(
            (
                "struct V { const float* d; int s; __device__ float at(int i) const { return d[i * s]; }"
                f" __device__ float sum(int i) const {{ {me} = *this; return me.at(i) + me.at(i + 1); }} }};\n"
                + KERNEL.format("V v{p, n}; o[t] = v.sum(t);"),
                KERNEL.format("o[t] = p[t * n] + p[(t + 1) * n];"),
            )
            for me in ("const V& me", "const auto& me", "auto me")
        ),
        # Members by the name of a class above.
        *(
            (
                "template <class T> struct B { const T* p; int s; };\n"
                "template <class T> struct D : B<T> { using Base = B<T>;"
                f" __device__ T at(int i) const {{ return {member.format('p')}[i * {member.format('s')}]; }} }};\n"
                + KERNEL.format("D<float> d; d.p = p + t; d.s = n; o[t] = d.at(1) + d.at(2);"),
                KERNEL.format("const float* q = p + t; o[t] = q[n] + q[2 * n];"),
            )
            for member in ("B<T>::{}", "Base::{}", "D::{}", "this->Base::{}")
        ),
        # A pack in the list of a constructor.
        (
            "struct G { float* d; int n[2]; template <class... I> __device__ G(float* d, I... s)"
            " : d(d), n{static_cast<int>(s)...} {} };\n"
            + KERNEL.format("G g(o, n, n + 3); g.d[t * g.n[0]] = p[g.n[1]];"),
            KERNEL.format("o[t * n] = p[n + 3];"),
        ),
        # A specialisation of a class has no functions of its template.
        (
            "template <class T, int N> struct V { T d[N]; __device__ void get(const T* p)"
            " { for (int i = 0; i < N; i++) d[i] = p[i]; } };\n"
            "template <class T, bool B, int N> struct W { T d[N]; __device__ void get(const T*) {} };\n"
            "template <class T, int N> struct W<T, true, N> : V<T, N * 2> {};\n"
            + KERNEL.format("W<float, true, 4> v; v.get(p + t); __syncthreads();")[:-3]
            + "for (int i = 0; i < 8; i++) o[t + i * n] = v.d[i]; }\n",
            KERNEL.format("float d[8]; for (int i = 0; i < 8; i++) d[i] = p[t + i]; __syncthreads();")[:-3]
            + "for (int i = 0; i < 8; i++) o[t + i * n] = d[i]; }\n",
        ),
    ],
)
def test_two_spellings_of_one_program(spelled: str, plain: str, target: str) -> None:
    assert abs(held(spelled, target) - held(plain, target)) <= 2


COPIED = (
    "template <class T> struct V { T x, y; __device__ V operator*(T s) const { return {x * s, y * s}; }"
    " static __device__ V get(const T* p) { return {p[0], p[7]}; }"
    " __device__ void put(T* p) const { p[0] = x; p[7] = y; } };\n"
    + KERNEL.format("auto a = V<float>::get(p + t); auto b = a * 2.f; auto c = b; c.put(o + t); (a * 3.f).put(o + n);"),
    KERNEL.format("float x = p[t], y = p[t + 7]; o[t] = x * 2; o[t + 7] = y * 2; o[n] = x * 3; o[n + 7] = y * 3;"),
)


@pytest.mark.parametrize(
    "target",
    [
        "gfx90a",
        pytest.param(
            "sm_90",
            marks=pytest.mark.xfail(
                strict=True,
                reason="the sum of a pointer and an index counts as one register: 12 and 15, nvcc has 18 in both",
            ),
        ),
    ],
)
def test_objects_that_are_copied_and_scaled(target: str) -> None:
    spelled, plain = COPIED
    assert abs(held(spelled, target) - held(plain, target)) <= 2


def test_cast_to_an_unseen_type_makes_no_call() -> None:
    text = "__global__ void k(const index* p, index* o, index n) { index j = n; if (j < (index)(n + 7)) o[j] = p[j]; }"
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert {unknown.kind for unknown in facts.unknowns("sm_90")} == {"type"}


def test_asm_label_of_llvm_makes_no_foreign_call() -> None:
    text = (
        "__device__ float load(int a, int b) LABEL;\n"
        "__global__ void k(float* o, int n) { o[threadIdx.x] = load(threadIdx.x, n); }\n"
    )
    found = []
    for label in ("", '__asm("llvm.amdgcn.raw.buffer.load.f32")'):
        file = testing.build(text.replace("LABEL", label), "k.hip", "hip")
        facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
        found.append((facts.target("gfx90a").registers.estimate > 16, bool(facts.unknowns("gfx90a"))))
    assert found == [(True, False), (False, True)]


def test_members_of_one_name_are_in_the_ledger() -> None:
    text = (
        "template <class... T> struct Tuple {}; template <class A, class... R> struct Tuple<A, R...> : Tuple<R...>"
        " { A v; };\n__global__ void k(float* p) { Tuple<float, float> a; a.v = p[0]; p[threadIdx.x] = a.v; }\n"
    )
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert [unknown.kind for unknown in facts.unknowns("sm_90")] == ["type"]


@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
@pytest.mark.parametrize(
    "loop",
    [
        "do { s += p[t + i]; } while (++i < n);",
        "again: s += p[t + i]; if (++i < n) goto again;",
        "while (true) { s += p[t + i]; if (++i >= n) break; }",
        "for (;;) { s += p[t + i]; i++; if (i >= n) break; }",
        "for (;; ++i) { if (i >= n) break; s += p[t + i]; }",
        "while (1) { if (!(i < n)) { break; } s += p[t + i]; i++; }",
    ],
)
def test_loops_tested_at_either_end_are_counted(loop: str, target: str) -> None:
    """nvcc 13.0.88 makes four copies of each, 31 registers; clang 19.1.7 for gfx90a takes 5 or 6 VGPRs."""
    plain = held(KERNEL.format("float s = 0; int i = 0; while (i < n) { s += p[t + i]; i++; } o[t] = s;"), target)
    assert plain >= (17 if target == "sm_90" else 3)
    assert abs(held(KERNEL.format(f"float s = 0; int i = 0; {loop} o[t] = s;"), target) - plain) <= 2


_LETTERS = {
    "δ": "d",
    "Δ": "D",
    "ελ": "el",
    "Ω": "O",
    "ΑΒ": "AB",
    "Ν": "NN",
    "Κ": "K",
    "μ": "mu",
    "ЧИСЛО": "count",
    "Σ": "S",
}
_FOREIGN = """
#define Δ 0.5f
#define ΑΒ(x) ((x) * Δ)
#define Σ(μ, v) do { μ += v; } while (0)
struct Ω { float v[12]; };
namespace δ { constexpr int Ν = 12; enum { ЧИСЛО = 5 }; }
__device__ float ελ(const Ω& μ) {
  float s = 0; for (int i = 0; i < δ::Ν; ++i) s = s * μ.v[i] + μ.v[δ::Ν - 1 - i]; return s;
}
template <int Κ> __global__ void k(float* out, const float* in) {
  Ω δ; float μ = 0; for (int i = 0; i < δ::Ν; ++i) δ.v[i] = in[i * Κ];
  for (int i = 0; i < δ::ЧИСЛО; ++i) Σ(μ, ΑΒ(in[i]));
  out[0] = ελ(δ) * μ;
}
void run(float* a) { k<3><<<1, 256>>>(a, a); }
"""


@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
def test_names_may_begin_with_any_letter(target: str) -> None:
    plain = _FOREIGN
    for foreign, letters in _LETTERS.items():
        plain = plain.replace(foreign, letters)
    found = []
    for text in (plain, _FOREIGN):
        file = testing.build(text, "k.cu", "cuda")
        facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
        found.append((facts.target(target).registers, [unknown.text for unknown in facts.unknowns(target)]))
    assert found[0] == found[1]
    assert not found[0][1]
