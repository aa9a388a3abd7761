"""Objects of the standard library, of thrust and libcu++, where their headers are not in view."""

from __future__ import annotations

from collections import Counter

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import Kind
from regpress_lint.model.passes.placement import executed

BEFORE = """
struct V { float x, y; __device__ friend V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }
  __device__ friend float length(const V& v) { return v.x * v.x + v.y * v.y; } };
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
struct Twice { template <class T> static __device__ T apply(T a) { return a + a; } };
template <class F, class T> __device__ T through(T a) { return F::template apply<T>(a); }
__device__ std::tuple<float, float, int> three(const float* a, int n) { return {a[n], a[n + 1], n}; }
__device__ std::pair<float, float> two(const float* a) { return std::make_pair(a[0], a[1]); }
"""
# A form, and the same in plain words.
SAME = {
    "array": (
        "std::array<float, 3> v; for (int i = 0; i < 3; ++i) v[i] = a[i + n]; b[0] = v[0] * v[1] + v[v.size() - 1];",
        "float v[3]; for (int i = 0; i < 3; ++i) v[i] = a[i + n]; b[0] = v[0] * v[1] + v[2];",
    ),
    "range of an array": (
        "cuda::std::array<float, 3> v{}; for (auto& x : v) x = a[n]; float s = 0; for (auto x : v) s += x; b[0] = s;",
        "float v[3]; for (auto& x : v) x = a[n]; float s = 0; for (auto x : v) s += x; b[0] = s;",
    ),
    "get of a tuple": (
        "auto t = three(a, n); b[0] = std::get<0>(t) * std::get<1>(t) + std::get<2>(t); std::get<0>(t) = 3;",
        "b[0] = a[n] * a[n + 1] + n;",
    ),
    "bound tuple": ("auto [x, y, i] = three(a, n); b[0] = x * y + i;", "b[0] = a[n] * a[n + 1] + n;"),
    "tied tuple": (
        "float x; int i; std::tie(x, std::ignore, i) = three(a, n); b[0] = x + i;",
        "float unused = a[n + 1]; b[0] = a[n] + n;",
    ),
    "pair": ("auto p = two(a); b[0] = p.first * p.second;", "b[0] = a[0] * a[1];"),
    "limits": (
        "float m = std::numeric_limits<float>::infinity(); for (int i = 0; i < n; ++i) m = fminf(m, a[i]); b[0] = m;",
        "float m = 1e39f; for (int i = 0; i < n; ++i) m = fminf(m, a[i]); b[0] = m;",
    ),
    "swap": ("float x = a[0], y = a[n]; std::swap(x, y); b[0] = x; b[1] = y;",
             "float x = a[0], y = a[n]; b[0] = y; b[1] = x;"),
    "complex": ("thrust::complex<float> z = c[n]; b[0] = z.real() * z.imag() + c[n].imag();",
                "float2 z = ((const float2*)c)[n]; b[0] = z.x * z.y + z.y;"),
    "product of complex numbers": (
        "thrust::complex<float> z = c[n] * thrust::conj(c[0]); z *= c[1]; b[0] = z.real(); b[1] = z.imag();",
        "const float2* d = (const float2*)c; float2 x = d[n], y = d[0], z = d[1]; y.y = -y.y;"
        " float r = x.x * y.x - x.y * y.y, i = x.x * y.y + x.y * y.x;"
        " b[0] = r * z.x - i * z.y; b[1] = r * z.y + i * z.x;",
    ),
    "product that a file defines": (
        "float2 x = ((const float2*)a)[n], y = ((const float2*)a)[0]; float2 z = x * y; b[0] = z.x; b[1] = z.y;",
        "float2 x = ((const float2*)a)[n], y = ((const float2*)a)[0]; b[0] = x.x * y.x - x.y * y.y;"
        " b[1] = x.x * y.y + x.y * y.x;",
    ),
    "exponential of a complex number": (
        "thrust::complex<float> z = thrust::exp(c[n]); b[0] = z.real(); b[1] = z.imag();",
        "float2 z = ((const float2*)c)[n]; float r = expf(z.x); b[0] = r * cosf(z.y); b[1] = r * sinf(z.y);",
    ),
    "angle": ("b[0] = thrust::arg(c[n]);", "float2 z = ((const float2*)c)[n]; b[0] = atan2f(z.y, z.x);"),
    "span": (
        "std::span<const float> v(a, n); float s = v.front(); for (float x : v.subspan(2, n)) s += x;"
        " b[0] = s * v.size();",
        "float s = a[0]; for (const float *p = a + 2, *e = p + (size_t)n; p != e; ++p) s += *p; b[0] = s * (size_t)n;",
    ),
    "span of an array": (
        "float t[4]; std::span<float, 4> v(t); for (int i = 0; i < 4; ++i) v[i] = a[i]; b[0] = v[0] * v[3] + v.size();",
        "float t[4]; for (int i = 0; i < 4; ++i) t[i] = a[i]; b[0] = t[0] * t[3] + 4;",
    ),
    "view around a pointer": (
        "cuda::std::mdspan<const float, cuda::std::dextents<int, 2>> m(a, n, 8);"
        " b[0] = m(n, 3) + m.extent(0) * m.extent(1);",
        "b[0] = a[n * 8 + 3] + n * 8;",
    ),
    "bits": ("b[0] = std::popcount((unsigned)n) + std::rotl((unsigned)n, 3);",
             "b[0] = __popc(n) + ((unsigned)n << 3 | (unsigned)n >> 29);"),
    "blocked items": (
        "float v[2]; cub::LoadDirectBlocked(n, a, v); b[0] = cub::ThreadReduce(v, thrust::plus<float>());",
        "b[0] = a[n * 2] + a[n * 2 + 1];",
    ),
    "operation in brackets": (
        "V v{a[0], a[1]}, w{a[2], a[3]}; V u = v + (w + v); b[0] = length(w + (v + u));",
        "float x = a[0] + (a[2] + a[0]), y = a[1] + (a[3] + a[1]); float p = a[2] + (a[0] + x), q = a[3] + (a[1] + y);"
        " b[0] = p * p + q * q;",
    ),
    "functor": ("b[0] = thrust::plus<float>()(a[0], a[1]);", "b[0] = a[0] + a[1];"),
    "friends": ("V v{a[0], a[1]}; V w = v + v; b[0] = length(w);",
                "float x = a[0] + a[0], y = a[1] + a[1]; b[0] = x * x + y * y;"),
    "template word": ("b[0] = through<Twice>(a[n]);", "b[0] = a[n] + a[n];"),
    "kept by a lambda": (
        "auto f = [s = a[0], &r = b[2]](float x) mutable { s += x; r = s; return s; }; b[0] = f(a[1]); b[1] = f(a[n]);",
        "float s = a[0]; s += a[1]; b[2] = s; b[0] = s; s += a[n]; b[2] = s; b[1] = s;",
    ),
    "whole part": ("float w; float f = modff(a[0], &w); b[0] = f; b[1] = w;",
                   "int w; float f = frexpf(a[0], &w); b[0] = f; b[1] = w;"),
}  # fmt: skip
SEEN = (Kind.LOAD, Kind.STORE, Kind.CALL, Kind.UNKNOWN, Kind.ARITHMETIC)


def executed_kinds(text: str) -> Counter[Kind]:
    facts = facts_of(text, "cuda")
    assert not facts.unknowns("gfx90a")
    machine = executed(facts.input_for(facts.compiler("gfx90a")))
    return Counter(op.kind for op in machine.graph.ops if op.kind in (*SEEN, Kind.ATOMIC))


def operations(statements: str) -> Counter[Kind]:
    parameters = "const float* __restrict__ a, float* b, int n, const thrust::complex<float>* __restrict__ c"
    return executed_kinds(f"{BEFORE}__global__ void k({parameters}) {{ {statements} }}")


@pytest.mark.parametrize("form", SAME)
def test_library_objects_equal_their_members(form: str) -> None:
    library, plain = map(operations, SAME[form])
    assert library == plain
    assert plain[Kind.STORE]


def test_a_class_of_the_file_comes_first() -> None:
    head = "template <class A, class B> struct pair { A both[2]; };\n"
    text = f"{head}__global__ void k(float* b) {{ std::pair<float, int> p; p.both[1] = b[1]; b[0] = p.both[1]; }}"
    assert not facts_of(text, "cuda").unknowns("sm_90")


BINDINGS = {
    "object": ("auto [x, y] = made(a, n); b[0] = x; b[1] = y;", "P p = made(a, n); b[0] = p.x; b[1] = p.y;"),
    "changed copy": ("P p{a[0], a[1]}; auto [x, y] = p; x *= 2; b[0] = x; b[1] = p.x;",
                     "P p{a[0], a[1]}; float x = p.x; x *= 2; b[0] = x; b[1] = p.x;"),
    "changed object": ("P p{a[0], a[1]}; auto& [x, y] = p; x *= 2; b[0] = p.x;",
                       "P p{a[0], a[1]}; p.x *= 2; b[0] = p.x;"),
    "array": ("float v[2] = {a[0], a[n]}; auto& [x, y] = v; x += y; b[0] = v[0];",
              "float v[2] = {a[0], a[n]}; v[0] += v[1]; b[0] = v[0];"),
    "memory": ("auto& [x, y] = q[n]; x = y * 2;", "q[n].x = q[n].y * 2;"),
    "elements in a loop": ("P v[3] = {}; for (int i = 0; i < n; ++i) for (int j = 0; j < 3; ++j) {"
                           " auto& [x, y] = v[j]; x += a[i]; y += x; } b[0] = v[0].x; b[1] = v[2].y;",
                           "P v[3] = {}; for (int i = 0; i < n; ++i) for (int j = 0; j < 3; ++j) {"
                           " v[j].x += a[i]; v[j].y += v[j].x; } b[0] = v[0].x; b[1] = v[2].y;"),
    "range": ("P v[3] = {}; for (int i = 0; i < n; ++i) for (auto& [x, y] : v) { x += a[i]; y += x; }"
              " b[0] = v[0].x; b[1] = v[2].y;",
              "P v[3] = {}; for (int i = 0; i < n; ++i) for (auto& p : v) { p.x += a[i]; p.y += p.x; }"
              " b[0] = v[0].x; b[1] = v[2].y;"),
    "changed vectors": ("float2 v[3] = {}; for (int i = 0; i < n; ++i) for (int j = 0; j < 3; ++j) {"
                        " auto& [x, y] = v[j]; x += a[i]; y += x; } b[0] = v[0].x; b[1] = v[2].y;",
                        "float2 v[3] = {}; for (int i = 0; i < n; ++i) for (int j = 0; j < 3; ++j) {"
                        " v[j].x += a[i]; v[j].y += v[j].x; } b[0] = v[0].x; b[1] = v[2].y;"),
    "vector": ("auto [x, y, z, w] = f[n]; b[0] = x + y * z + w;",
               "float4 v = f[n]; b[0] = v.x + v.y * v.z + v.w;"),
}  # fmt: skip


@pytest.mark.parametrize("form", BINDINGS)
def test_names_in_brackets_are_members_of_one_object(form: str) -> None:
    head = (
        "struct P { float x, y; };\n"
        "__device__ P made(const float* a, int n) { return {atomicAdd((float*)a, 1.0f), a[n]}; }\n"
        "__global__ void k(const float* a, float* b, int n, P* q, const float4* f) { BODY }"
    )
    bound, plain = (executed_kinds(head.replace("BODY", body)) for body in BINDINGS[form])
    assert bound == plain
    assert plain[Kind.STORE]


TEMPLATES = """
template <int N> struct Steps { template <class F> static __device__ void go(F f) { Steps<N - 1>::go(f); f(N - 1); } };
template <> struct Steps<0> { template <class F> static __device__ void go(F f) {} };
template <int N, class F> __device__ void down(F&& f) { if constexpr (N > 0) { down<N - 1>(f); f(N - 1); } }
template <class T> struct Square { __device__ T operator()(T x) const { return x * x; } };
template <template <class> class F, class T> __device__ T applied(T x) { return F<T>()(x); }
template <class T> concept Number = requires(T x) { x + x; };
template <layer::concepts::place P, Number T, std::size_t N> __device__ T at_place(const P& p, const T* a, T (&v)[N]) {
  v[N - 1] = a[p.get()]; return v[N - 1]; }
struct Place { int i; __device__ int get() const { return i; } };
template <class F> struct Each { F f; const float* a;
  __device__ float sum(int n) { return f(a[0], a[n]) + f(a[1], a[2]); } };
template <class F> __device__ Each<F> each(F f, const float* a) { return {f, a}; }
"""
WRITTEN_OUT = "b[0] = a[0]; b[1] = a[n]; b[2] = a[2 * n];"
CALLS = {
    "concepts": ("float v[3]; b[0] = at_place(Place{n}, a, v);", "b[0] = a[n];"),
    "votes": ("auto t = cg::tiled_partition<32>(cg::this_thread_block());"
              " if (t.any(a[n] > 0)) b[0] = t.ballot(a[0] > 0);",
              "if (__any_sync(-1, a[n] > 0)) b[0] = __ballot_sync(-1, a[0] > 0);"),
    "specialised end": ("Steps<3>::go([&](int i) { b[i] = a[i * n]; });", WRITTEN_OUT),
    "constant condition": ("down<3>([&](int i) { b[i] = a[i * n]; });", WRITTEN_OUT),
    "template as argument": ("b[0] = applied<Square>(a[n]);", "b[0] = a[n] * a[n];"),
    "lambda in an object": ("auto e = each([=](float x, float y) { return x * y + n; }, a); b[0] = e.sum(n);",
                            "b[0] = (a[0] * a[n] + n) + (a[1] * a[2] + n);"),
}  # fmt: skip


@pytest.mark.parametrize("form", CALLS)
def test_templates_of_templates_are_followed(form: str) -> None:
    head = f"{TEMPLATES}__global__ void k(const float* __restrict__ a, float* b, int n) {{ BODY }}"
    called, plain = (executed_kinds(head.replace("BODY", body)) for body in CALLS[form])
    assert (called[Kind.LOAD], called[Kind.STORE]) == (plain[Kind.LOAD], plain[Kind.STORE])
    assert called[Kind.STORE]
