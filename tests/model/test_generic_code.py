"""Templates, aliases and jumps of other people's libraries mean the plain code that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of, scratch_of

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


# Twenty-four values that each step of a loop changes: a store that is not understood would show in the registers.
_READ = '_Pragma("unroll") for (int i = 0; i < 24; ++i) r[i] = a[threadIdx.x + i * 32];'
_STEP = '_Pragma("unroll") for (int i = 0; i < 24; ++i) r[i] = r[i] * r[(i + 5) % 24] + a[q];'
_STEPS = f"for (int q = 0; q < n; ++q) {_STEP}"
_EXPRESSIONS = """
namespace ex {
template <class L, class R> struct Sum { L l; R r; __device__ float operator[](int i) const { return l[i] + r[i]; } };
template <class L, class R> struct Product { L l; R r;
  __device__ float operator[](int i) const { return l[i] * r[i]; } };
struct V { float v[16]; __device__ float operator[](int i) const { return v[i]; }
  template <class E> __device__ V& operator=(const E& e) {
#pragma unroll
    for (int i = 0; i < 16; ++i) v[i] = e[i];
    return *this; } };
template <class L, class R> __device__ Sum<L, R> operator+(const L& l, const R& r) { return {l, r}; }
template <class L, class R> __device__ Product<L, R> operator*(const L& l, const R& r) { return {l, r}; }
}
__global__ void k(float* o, const float* a) {
  ex::V x, y, z;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    x.v[i] = a[threadIdx.x + i]; y.v[i] = a[threadIdx.x + i + 64]; z.v[i] = a[threadIdx.x + i + 164]; }
  for (int q = 0; q < 100; ++q) { x = x + y * z; y = y * x; z = z + x * y; }
#pragma unroll
  for (int i = 0; i < 16; ++i) o[threadIdx.x + i * 32] = x[i] + y[i] * z[i];
}
"""


def _is_known(facts: KernelFacts, architecture: str, compiled: int) -> bool:
    registers = facts.target(architecture).registers
    return not facts.unknowns(architecture) and registers.low <= compiled <= registers.high <= 3 * compiled


def test_expression_templates_are_found_in_the_namespace_of_their_operands() -> None:
    """nvcc 13.0.88 takes 56 registers; with unseen operators the estimate was 32."""
    assert _is_known(facts_of(_EXPRESSIONS, "cuda"), "sm_90", 56)


@pytest.mark.parametrize(
    "accessor",
    [
        "decltype(auto) at(int i) const { return p[i]; }",
        "decltype(auto) at(int i) const { return (*(p + i)); }",
        "auto at(int i) const -> decltype(p[i]) { return p[i]; }",
        "auto at(int i) const -> decltype((p[i])) { return p[i]; }",
        "float& at(int i) const { return p[i]; }",
    ],
)
def test_a_store_through_a_deduced_reference_is_a_store(accessor: str) -> None:
    """nvcc 13.0.88 takes 31 registers for each."""
    store = '_Pragma("unroll") for (int i = 0; i < 24; ++i) o.at(threadIdx.x + i * 32) = r[i];'
    text = f"struct View {{ float* p; __device__ {accessor} }};\n"
    text += f"__global__ void k(View o, const float* a, int n) {{ float r[24]; {_READ} {_STEPS} {store} }}"
    assert _is_known(facts_of(text, "cuda"), "sm_90", 31)


def test_a_deduced_value_is_copied() -> None:
    """`decltype(auto)` of a name without parentheses is a copy: the array is not written through it."""
    text = "__device__ decltype(auto) twice(float x) { float y = 2 * x; return y; }\n"
    text += "__global__ void k(float* o, const float* a, int n) { o[n] = twice(a[n]); }"
    assert not facts_of(text, "cuda").unknowns("sm_90")


_WRITE = '_Pragma("unroll") for (int i = 0; i < 24; ++i) o[threadIdx.x + i * 32] = r[i];'


@pytest.mark.parametrize(
    ("loop", "nvidia", "amd"),
    [
        ("again: {} if (++q < n) goto again;", 30, 26),
        ("again: {} if (a[q] > 3) {{ ++q; goto again; }} r[3] += 2; if (++q < n) goto again;", 32, 26),
        ("again: {} if (++q < n) {{ r[3] += 1; goto again; }}", 32, 26),
        ("int p = 0; outer: q = 0; inner: {} if (++q < n) goto inner; if (++p < n) goto outer;", 32, 32),
        ("again: {} if (q > n) {{ o[5] = r[5]; return; }} ++q; goto again;", 30, 25),
        ("for (;;) {{ {} ++q; if (q >= n) break; r[3] += 1; }}", 32, 26),
        ("while (true) {{ {} if (a[q] > 3) {{ ++q; continue; }} r[3] += 2; if (++q >= n) break; }}", 32, 26),
    ],
)
def test_a_loop_that_only_jumps_leave_holds_its_values_once(loop: str, nvidia: int, amd: int) -> None:
    """Registers of nvcc 13.0.88 and clang 19.1.7."""
    text = "__global__ void k(float* o, const float* a, int n) "
    text += f"{{ float r[24]; int q = 0; {_READ} {loop.format(_STEP)} {_WRITE} }}"
    facts = facts_of(text)
    assert _is_known(facts, "gfx90a", amd)
    assert _is_known(facts, "sm_90", nvidia)


def test_a_jump_back_out_of_a_loop_is_in_the_ledger() -> None:
    text = f"__global__ void k(float* o, const float* a, int n) {{ float r[24]; {_READ}\n"
    text += (
        f"for (int q = 0; q < n; ++q) {{ again: {_STEP} if (a[q] > 9) break; if (r[3] < 2) goto again; }} {_WRITE} }}"
    )
    assert [unknown.kind for unknown in facts_of(text).unknowns("sm_90")] == ["loop"]


_PARTS = """
template <int R> struct Part { float* p; __device__ Part(float* q) : p(q) {}
  __device__ float& operator()(int i) { return p[i]; }
  __device__ void fill(const float* a) {
#pragma unroll
    for (int i = 0; i < R; ++i) p[i] = a[i * 32]; }
  __device__ Part<R>& operator*=(float s) {
#pragma unroll
    for (int i = 0; i < R; ++i) p[i] = p[i] * s + p[(i + 1) % R];
    return *this; } };
struct V { float d[24]; template <int N> __device__ Part<N> head() { return Part<N>(d); } };
template <int N> __device__ Part<N> first(V& v) { return Part<N>(v.d); }
template <int N> __device__ Part<N> outer(V& v) { return first<N>(v); }
"""


@pytest.mark.parametrize("part", ["v.head<24>()", "first<24>(v)", "outer<24>(v)"])
def test_result_of_a_template_has_the_numbers_of_its_call(part: str) -> None:
    """nvcc 13.0.88 takes 32 registers; with the size open the array was said to be in a frame of 96 bytes."""
    write = '_Pragma("unroll") for (int i = 0; i < 24; ++i) o[threadIdx.x + i * 32] = v.d[i];'
    text = f"{_PARTS}__global__ void k(float* o, const float* a, int n) "
    text += f"{{ V v; {part}.fill(a + threadIdx.x); for (int q = 0; q < n; ++q) {part} *= a[q]; {write} }}"
    facts = facts_of(text, "cuda")
    assert _is_known(facts, "sm_90", 32)
    assert not scratch_of(facts, "sm_90")


_TILES = """
#define U _Pragma("unroll")
template <int N> struct Tile { float v[N]; };
template <class A, class B> struct Pair { A a; B b; };
template <int N> struct Int { static constexpr int value = N; };
template <int N> __device__ auto tag() { return Int<N>{}; }
template <class A, class B> __device__ Pair<A, B> paired(A a, B b) { return {a, b}; }
template <int N> __device__ auto made(const float* a) {
  Tile<N> s; U for (int i = 0; i < N; ++i) s.v[i] = a[threadIdx.x + i * 32]; return s; }
template <int N> __device__ void step(float* v, float s, Int<N>) {
  U for (int i = 0; i < N; ++i) v[i] = v[i] * v[(i + 1) % N] + s; }
template <int N, template <int> class W> __device__ void step_of(W<N>, float* v, float s) {
  U for (int i = 0; i < N; ++i) v[i] = v[i] * v[(i + 1) % N] + s; }
"""
_WRITE_TILE = "U for (int i = 0; i < 12; ++i) o[threadIdx.x + i * 32] = t.v[i];"


@pytest.mark.parametrize(
    ("statements", "compiled"),
    [
        (
            "auto p = paired(made<12>(a), made<12>(a + 999)); for (int q = 0; q < n; ++q) {"
            " U for (int i = 0; i < 12; ++i) p.a.v[i] = p.a.v[i] * p.b.v[i] + a[q];"
            " U for (int i = 0; i < 12; ++i) p.b.v[i] += p.a.v[(i + 1) % 12]; }"
            " U for (int i = 0; i < 12; ++i) o[threadIdx.x + i * 32] = p.a.v[i] + p.b.v[i];",
            32,
        ),
        (f"auto t = made<12>(a); for (int q = 0; q < n; ++q) step(t.v, a[q], Int<12>{{}}); {_WRITE_TILE}", 28),
        (f"auto t = made<12>(a); for (int q = 0; q < n; ++q) step(t.v, a[q], tag<12>()); {_WRITE_TILE}", 28),
    ],
)
def test_auto_is_the_class_that_a_function_returns(statements: str, compiled: int) -> None:
    """Registers of nvcc 13.0.88; arrays in structs of an `auto` were one element each."""
    text = f"{_TILES}__global__ void k(float* o, const float* a, int n) {{ {statements} }}"
    assert _is_known(facts_of(text, "cuda"), "sm_90", compiled)


def test_a_number_that_no_argument_gives_to_a_template_is_in_the_ledger() -> None:
    text = f"{_TILES}__global__ void k(float* o, const float* a, int n) {{ auto t = made<12>(a);"
    text += f" for (int q = 0; q < n; ++q) step_of(Int<12>{{}}, t.v, a[q]); {_WRITE_TILE} }}"
    entries = {(one.kind, one.name) for one in facts_of(text, "cuda").unknowns("sm_90")}
    assert entries == {
        ("argument", "N"),
        ("loop", "N"),
        ("size", "t"),
    }  # what `made` returns is a `Tile<N>`, indexed by an open loop


_NESTED = """
#define U _Pragma("unroll")
struct In { float v[6]; float w; };
struct Mid { In in[2]; float k; __device__ In& at(int i) { return in[i]; } };
struct Out { Mid m; float z; __device__ Mid& mid() { return m; } };
__device__ Out load(const float* a) {
  Out o; EACH o.m.in[j].v[i] = a[(j * 6 + i) * 32]; o.m.k = a[77]; o.z = a[78]; return o; }
"""


@pytest.mark.parametrize(
    "step",
    [
        "EACH x.m.in[j].v[i] = x.m.in[j].v[i] * x.m.in[1 - j].v[i] + a[q];",
        "auto& m = x.m; EACH m.in[j].v[i] = m.in[j].v[i] * m.in[1 - j].v[i] + a[q];",
        "EACH x.mid().at(j).v[i] = x.m.in[j].v[i] * x.mid().at(1 - j).v[i] + a[q];",
        "auto f = [&](auto& e, const auto& d) { U for (int i = 0; i < 6; ++i) e.v[i] = e.v[i] * d.v[i] + a[q]; };"
        " f(x.m.in[0], x.m.in[1]); f(x.m.in[1], x.m.in[0]);",
    ],
)
def test_arrays_inside_of_an_auto_object_are_all_there(step: str) -> None:
    """nvcc 13.0.88 takes 32 registers for each; 19 to 24 were said, the second without an entry in the ledger."""
    text = f"{_NESTED}__global__ void k(float* o, const float* a, int n) {{ auto x = load(a + threadIdx.x);"
    text += f" for (int q = 0; q < n; ++q) {{ {step} }} EACH o[threadIdx.x + (j * 6 + i) * 32] = x.m.in[j].v[i]; }}"
    facts = facts_of(text.replace("EACH", "U for (int j = 0; j < 2; ++j) U for (int i = 0; i < 6; ++i)"), "cuda")
    assert _is_known(facts, "sm_90", 32)
    assert facts.target("sm_90").registers.estimate >= 26


_CHOSEN = """
enum class Order {{ ROW, COLUMN = 4 }};
constexpr int WIDE = 4;
template <{kind} order> __device__ int place(int i, int n) {{ return 0; }}
template <> __device__ int place<{first}>(int i, int n) {{ return i / n + i % n * n; }}
template <> __device__ int place<{second}>(int i, int n) {{ return i; }}
template <{kind} order> __global__ void k(int* o, const int* a, int n) {{
  o[threadIdx.x] = a[place<order>(threadIdx.x, n)];
}}
template <{kind} order> void run(int* o, const int* a, int n) {{ k<order><<<1, 64>>>(o, a, n); }}
void go(int* o, const int* a, int n) {{ run<{first}>(o, a, n); }}
"""


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("Order", "Order::ROW", "Order::COLUMN"), ("int", "WIDE", "WIDE / 2"), ("int", "3", "7")],
)
def test_a_specialisation_is_chosen_by_value(kind: str, first: str, second: str) -> None:
    chosen = facts_of(_CHOSEN.format(kind=kind, first=first, second=second), "cuda")
    plain = facts_of(
        "__global__ void k(int* o, const int* a, int n) { int i = threadIdx.x; o[i] = a[i / n + i % n * n]; }"
    )
    assert not chosen.unknowns("sm_90")
    estimates = [facts.target("sm_90").registers.estimate for facts in (chosen, plain)]
    assert abs(estimates[0] - estimates[1]) <= 1


_OWN_CLASS = """
template <class T, int N> {head} {{
  struct{aligned} Tile {{
    T data[N];
    {device} T sum() const {{ T s = 0; for (int i = 0; i < N; ++i) s += data[i] * data[(i + 1) % N]; return s; }}
  }};
{body}
"""
_BODY = "Tile a; for (int k = 0; k < N; ++k) a.data[k] = in[i + k * n]; out[i] = a.sum();"
_CUDA = (
    f"int i = blockIdx.x * blockDim.x + threadIdx.x; {_BODY} }}\n"
    "void go(double* o, const double* a, int n) { k<double, 12><<<n, 64>>>(o, a, n); }"
)
_SYCL = (
    "q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) { int i = item.get_global_id(0); "
    f"{_BODY} }}); }}\nvoid go(sycl::queue& q, double* o, const double* a, int n) {{ run<double, 12>(q, o, a, n); }}"
)


@pytest.mark.parametrize("aligned", ["", " alignas(16)", " alignas(sizeof(T) * 2)"])
def test_a_function_templates_own_class_has_its_arguments(aligned: str) -> None:
    """nvcc 13.0.88 takes 32 registers."""
    cuda = _OWN_CLASS.format(
        head="__global__ void k(T* out, const T* in, int n)", aligned=aligned, device="__device__", body=_CUDA
    )
    sycl = _OWN_CLASS.format(
        head="void run(sycl::queue& q, T* out, const T* in, int n)", aligned=aligned, device="", body=_SYCL
    )
    assert _is_known(facts_of(cuda, "cuda"), "sm_90", 32)
    assert _is_known(facts_of(f"#include <sycl/sycl.hpp>\n{sycl}", "sycl"), "sm_90", 32)


_OLD = (
    "sycl::image<2>& img",
    "sycl::accessor<sycl::float4, 2, sycl::access::mode::read, sycl::access::target::image> tex(img, h);",
)
_GIVEN = ("sycl::image<2>& img", "auto tex = img.get_access<sycl::float4, sycl::access::mode::read>(h);")
_NEW = ("sycl::sampled_image<sycl::float4, 2>& img", "sycl::sampled_image_accessor<sycl::float4, 2> tex(img, h);")


@pytest.mark.parametrize(("image", "accessor"), [_OLD, _GIVEN, _NEW])
def test_a_read_of_a_sycl_image_is_a_texture_fetch(image: str, accessor: str) -> None:
    text = f"""#include <sycl/sycl.hpp>
void run(sycl::queue& q, {image}, float* out, int n) {{
  q.submit([&](sycl::handler& h) {{
    {accessor}
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {{
      int i = item.get_global_id(0);
      out[i] = tex.read(sycl::float2(i, 2 * i)).x() * tex.read(sycl::float2(i, 1)).w();
    }});
  }});
}}
"""
    twin = """__global__ void k(cudaTextureObject_t tex, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2D<float4>(tex, i, 2 * i).x * tex2D<float4>(tex, i, 1).w;
}
"""
    facts, other = facts_of(text, "sycl"), facts_of(twin, "cuda")
    assert not facts.unknowns("sm_90")
    estimates = [each.target("sm_90").registers.estimate for each in (facts, other)]
    assert abs(estimates[0] - estimates[1]) <= 2


@pytest.mark.parametrize(
    ("head", "end", "name"),
    [
        ("template <int N> ", "N", "N"),
        ("template <int N> ", "2 * N + 1", "N"),
        ("", "STEPS", "STEPS"),
        ("", "n", ""),
        ("", "n + STEPS", ""),
        ("", "blockDim.x", ""),
    ],
)
def test_a_loop_that_ends_at_an_open_constant_is_in_the_ledger(head: str, end: str, name: str) -> None:
    """Compilers know the number and may copy the loop: with 32 clang 19 holds as many loads, 38 VGPRs and not 7."""
    text = (
        f"{head}__global__ void k(float* p, int n) {{ float s = 0; "
        f"for (int i = 0; i < {end}; ++i) s += p[threadIdx.x + i * n]; p[threadIdx.x] = s; }}"
    )
    facts = facts_of(text, "cuda")
    assert [each.name for each in facts.unknowns("gfx90a") if each.kind == "loop"] == ([name] if name else [])
    assert (facts.target("gfx90a").registers.high > 128) is bool(name)


_INSIDE = "T s = 0; for (int j = 0; j < N; ++j) s += p[i + j * n]; o[i] = s;"
_OWN = "using T = float; constexpr int N = 8;"
_EACH = "template <class F> __global__ void each(int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; f(i); }\n"
_LAUNCH = f"each<<<n, 64>>>(n, [=] __device__ (int i) {{ {_INSIDE} }});"
_SUBMIT = f"q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {{ {_INSIDE} }});"


@pytest.mark.parametrize("around", ["{} {}", "auto go = [&](int w) {{ {} {} }}; go(3);"])
def test_a_lambda_knows_constants_and_types_of_the_functions_around_it(around: str) -> None:
    """With eight reads in flight, as clang 19 has them, for gfx90a; 10 registers where `N` is one of the run."""
    cuda = f"{_EACH}void h(float* p, float* o, int n) {{ {around.format(_OWN, _LAUNCH)} }}"
    sycl = (
        "#include <sycl/sycl.hpp>\nvoid h(sycl::queue& q, const float* p, float* o, int n) {"
        f" {around.format(_OWN, _SUBMIT)} }}"
    )
    for facts in (facts_of(cuda, "cuda"), facts_of(sycl, "sycl")):
        assert not facts.unknowns("gfx90a")
        assert facts.target("gfx90a").registers.estimate >= 14
