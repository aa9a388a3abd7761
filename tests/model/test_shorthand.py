"""Shorthand of C++, of macros and of SYCL is executed as what it stands for, with nothing left in the ledger.

Each pair is a kernel's body twice; both must do the same reads, writes, calls and arithmetic.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import ADD, MULTIPLY, Kind
from regpress_lint.model.passes.placement import executed

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

BEFORE = """
#define least(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
#define REAL(x) x##f
#define MATH(name) name##f
#define LOGARITHM MATH(log)
#define USING_MAX() using std::max
using fp = half;
constexpr int ROWS = 16;
struct Random {
  unsigned state;
  template <class T> __device__ T next();
};
template <> __device__ float Random::next<float>() { state = state * 1664525u + 7u; return state * 2.0f; }
template <> __device__ double Random::next<double>() { state = state * 1664525u + 7u; return state / 3.0; }
template <class T> struct Scale { T k; __device__ void operator()(T& d, T s) const { d = s * k; } };
template <int N, class S> struct Twice { S op; __device__ void operator()(float& d, float s) const { op(d, s + s); } };
template <int N> __device__ float grown(float x) { return x; }
template <> __device__ float grown<3>(float x) { return x * x * x; }
template <class T> __device__ T made(int i);
template <> __device__ float made<float>(int i) { return i * 0.5f; }
template <> __device__ double made<double>(int i) { return i * 0.25 + i; }
__device__ void put(float* b, float x) { *b = x * x; }
template <void (*OP)(float*, float) = put> __device__ void handed(float* b, float x) { OP(b, x + x); }
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
template <class F> __device__ void each(int n, F f) {
  for (int i = 0; i < n; ++i) { const int square = i * i; f(i); f(square); }
}
template <class T> struct Shared {
  __device__ operator T*() { extern __shared__ int of_all[]; return (T*)of_all; }
  __device__ operator const T*() const { extern __shared__ int of_all[]; return (T*)of_all; }
};
#define FIELD(T, name) T name;
#define PAIR(T, x, y) T x, y
#define FIELDS(X) X(float, mass) X(double, charge)
struct Written { FIELD(float, m) FIELD(double, q) PAIR(float, x, y); int n; };
struct Listed { FIELDS(FIELD) };
namespace far { namespace away { constexpr int LANES = 24; } }
namespace fa = far::away;
typedef struct cell { double w; float v[4]; int n; } *cell_at;
typedef struct { float x, y; } both, *both_at;
template <class F> __device__ void applied(F f, float* b, float a) { float t; f(t, a); *b = t; }
template <class F> __device__ void wrapped(F f, float* b, float a) { applied(Twice<2, F>{f}, b, a); }
struct Step { float scale = 2; int n{3}; float w[2] = {5}; };
struct Stepped { Step step; float x; __device__ Stepped(float v) : x(v) {} };
struct Started { float x; __device__ Started() { x = 7; } __device__ void add(float v) { x += v; } };
struct Size { int n; bool back; };
constexpr Size SIZE{.n = 3, .back = true};
template <Size S> __device__ float sized(const float* a) {
  float s = 0;
  for (int i = 0; i < S.n; ++i) s += a[S.back ? S.n - i : i];
  return s;
}
"""
CUDA = {
    "the members of a tuple as arguments": (
        "b[0] = std::apply([](float x, float y) { return x * y + x; }, std::make_tuple(a[0], a[1]));",
        "b[0] = a[0] * a[1] + a[0];",
    ),
    "members by their types": (
        "std::tuple<float, int> t(a[0], n); b[0] = std::get<float>(t) * std::get<int>(t);",
        "b[0] = a[0] * n;",
    ),
    "algorithms on an array": (
        "std::array<float, 3> v; std::fill(v.begin(), v.end(), a[0]); v[1] = a[1];"
        " std::for_each(v.begin(), v.end(), [](float& x) { x *= x; });"
        " b[0] = std::accumulate(v.begin(), v.end(), 0.5f);",
        "float x = a[0], y = a[1]; b[0] = 0.5f + x * x + y * y + x * x;",
    ),
    "constructors without arguments": (
        "Started v, w[2]; w[1].add(a[0]); b[0] = v.x * a[1] + w[0].x + w[1].x;",
        "b[0] = 7.f * a[1] + 7.f + (7.f + a[0]);",
    ),
    "a pointer that walks memory": (
        "const float* end = a + 3; float s = 0; for (; a != end; ++a) s += *a; b[0] = s;",
        "const float* end = a + 3; float s = 0; s += *a++; s += *a++; s += *a++; b[0] = end == a ? s : 0;",
    ),
    "an optional": (
        "std::optional<float> v; if (n) v = a[0] * a[1]; b[0] = v ? *v : a[2];",
        "bool h = false; float x; if (n) { x = a[0] * a[1]; h = true; } b[0] = h ? x : a[2];",
    ),
    "members with values of their own": (
        "Step s; Stepped t(a[0]); b[0] = s.scale * a[s.n] + s.w[0] + s.w[1] * a[1] + t.x * t.step.n;",
        "b[0] = 2.f * a[3] + 5.f + 0.f * a[1] + a[0] * 3;",
    ),
    "members by their names": (
        "Step s{.n = 4, .w = {a[0], a[1]}}; b[0] = s.scale * s.w[1] + a[s.n] * s.w[0];",
        "float v = a[0], w = a[1]; b[0] = 2.f * w + a[4] * v;",
    ),
    "an object as a template argument": ("b[0] = sized<SIZE>(a);", "b[0] = a[3] + a[2] + a[1] + 0.f;"),
    "one that has no name": ("b[0] = sized<Size{2, false}>(a);", "b[0] = 0.f + a[0] + a[1];"),
    "a statement in an expression": (
        "b[0] = ({ float v = a[0]; float w = a[1]; v * w; });",
        "float v = a[0]; float w = a[1]; b[0] = v * w;",
    ),
    "one behind a macro": ("b[0] = least(a[0], a[1]);", "float v = a[0], w = a[1]; b[0] = v < w ? v : w;"),
    "a suffix that is pasted": ("b[0] = a[0] * REAL(0.5);", "b[0] = a[0] * 0.5f;"),
    "a function that is pasted": ("b[0] = MATH(exp)(a[0]);", "b[0] = expf(a[0]);"),
    "another name of that": ("b[0] = LOGARITHM(a[0]);", "b[0] = logf(a[0]);"),
    "a declaration behind a macro": ("USING_MAX(); b[0] = a[0];", "b[0] = a[0];"),
    "dim3": (
        "dim3 at(n * 3, n); dim3 one = dim3(n); b[at.x] = a[at.y * one.y];",
        "b[unsigned(n * 3)] = a[unsigned(n)];",
    ),
    "loops by a function within each other": (
        "each(2, [&](int i) { each(3, [&](int j) { b[i * 9 + j] = a[i] * a[j]; }); });",
        "for (int i = 0; i < 2; ++i) for (int c = 0; c < 2; ++c) { const int x = c ? i * i : i;"
        " for (int j = 0; j < 3; ++j) { b[x * 9 + j] = a[x] * a[j]; b[x * 9 + j * j] = a[x] * a[j * j]; } }",
    ),
    "a recursion that a compiler works out": ("b[fibonacci(20)] = a[0];", "b[6765] = a[0];"),
    "fdividef": ("b[0] = fdividef(a[0], a[1]);", "b[0] = a[0] / a[1];"),
    "a union without a name": (
        "union { float f; unsigned u; } x; x.f = a[0]; b[0] = x.u * 3u;",
        "b[0] = __float_as_uint(a[0]) * 3u;",
    ),
    "a struct without a name": (
        "struct { float m; int at; } x = {a[0], n}, y{0.0f, 1}; y = x; b[y.at] = y.m * a[1];",
        "b[n] = a[0] * a[1];",
    ),
    "a specialised member": (
        "Random r; r.state = n; b[0] = r.next<float>();",
        "unsigned s = n; s = s * 1664525u + 7u; b[0] = s * 2.0f;",
    ),
    "code for a device, chosen by libcu++": (
        "NV_IF_TARGET(NV_IS_HOST, (b[0] = expf(a[0]);), (b[0] = a[0] * a[1];))",
        "b[0] = a[0] * a[1];",
    ),
    "code for some devices": (
        "NV_IF_ELSE_TARGET(NV_PROVIDES_SM_60, (b[0] = a[0] * a[1];), (b[0] = expf(a[0]);))",
        "b[0] = a[0] * a[1];",
    ),
    "code for a device, chosen by AMReX": (
        "AMREX_IF_ON_DEVICE((b[0] = a[0] * a[1];))\nAMREX_IF_ON_HOST((b[0] = expf(a[0]);))",
        "b[0] = a[0] * a[1];",
    ),
    "terms for each dimension": ("b[0] = AMREX_D_TERM(a[0], + a[1], + a[2] * n);", "b[0] = a[0] + a[1] + a[2] * n;"),
    "statements for each dimension": (
        "AMREX_D_TERM(b[0] = a[0];, b[1] = a[1];, b[2] = a[2] * n;);",
        "b[0] = a[0]; b[1] = a[1]; b[2] = a[2] * n;",
    ),
    "a specialisation for a number": ("b[0] = grown<ROWS - 13>(a[0]);", "b[0] = a[0] * a[0] * a[0];"),
    "a specialisation of a template without a body": ("b[0] = made<double>(n) * 2.0;", "b[0] = (n * 0.25 + n) * 2.0;"),
    "a function as a default argument": ("handed(b, a[0]);", "float x = a[0] + a[0]; b[0] = x * x;"),
    "a class that becomes a pointer": (
        "float* s = Shared<float>(); s[n] = a[0]; __syncthreads(); b[0] = s[n + 1];",
        "extern __shared__ int t[]; float* s = (float*)t; s[n] = a[0]; __syncthreads(); b[0] = s[n + 1];",
    ),
    "one under a name": (
        "Shared<float> of; float* s = of; s[n] = a[0]; __syncthreads(); b[0] = s[n + 1];",
        "extern __shared__ int t[]; float* s = (float*)t; s[n] = a[0]; __syncthreads(); b[0] = s[n + 1];",
    ),
    "a name for a pointer to a class": (
        "cell_at p = (cell_at)b; b[0] = p->w * p->v[n];",
        "cell* p = (cell*)b; b[0] = p->w * p->v[n];",
    ),
    "one to a class without a name": ("both_at p = (both_at)b; b[9] = p->x * p[1].y;", "b[9] = b[0] * b[3];"),
    "members that a macro writes": (
        "Written w = ((Written*)b)[n]; b[0] = w.m * w.q + w.x * w.y * w.n;",
        "struct All { float m; double q; float x, y; int n; }; All w = ((All*)b)[n];"
        " b[0] = w.m * w.q + w.x * w.y * w.n;",
    ),
    "members of a list of macros": (
        "Listed w = ((Listed*)b)[n]; b[0] = w.mass * w.charge;",
        "struct All { float mass; double charge; }; All w = ((All*)b)[n]; b[0] = w.mass * w.charge;",
    ),
    "another name of a namespace": (
        "float s = 0; for (int k = 0; k < fa::LANES; ++k) s += a[k]; b[0] = s;",
        "float s = 0; for (int k = 0; k < 24; ++k) s += a[k]; b[0] = s;",
    ),
    "handles of the run time": (
        "cudaTextureObject_t t = n; cudaStream_t s = 0; b[0] = a[t];",
        "unsigned long long t = n; b[0] = a[t];",
    ),
    "a class with a class as argument": (
        "Scale<float> f{a[1]}; wrapped(f, b, a[0]);",
        "float k = a[1], t = a[0]; b[0] = (t + t) * k;",
    ),
}
SYCL = {
    "a vector of one lane": (
        "o[i] = sycl::vec<sycl::half, 1>(h[i]).convert<float, sycl::rounding_mode::automatic>()[0] * 2.0f;",
        "o[i] = static_cast<float>(h[i]) * 2.0f;",
    ),
    "bytes as another vector": (
        "sycl::int2 v(i, n); auto w = v.as<sycl::float2>(); o[i] = w.x() * w.y();",
        "o[i] = sycl::bit_cast<float>(i) * sycl::bit_cast<float>(n);",
    ),
    "names in a vector's arguments": (
        "sycl::vec<real, LANES> v(o[0], o[1], o[2], o[3]); o[i] = v.x() * v.w();",
        "sycl::vec<float, 4> v(o[0], o[1], o[2], o[3]); o[i] = v.x() * v.w();",
    ),
    "parts of a vector": (
        "sycl::float4 v(o[0], o[1], o[2], o[3]); sycl::float2 w = v.hi(); o[i] = w.x() * v.lo().y() + v.xz().y();",
        "float a = o[0], b = o[1], c = o[2], d = o[3]; o[i] = c * b + c;",
    ),
    "lanes by their numbers": (
        "sycl::float4 v(o[0], o[1], o[2], o[3]); auto w = v.swizzle<2, 0>(); o[i] = w.x() * w.y();",
        "float a = o[0], b = o[1], c = o[2], d = o[3]; o[i] = c * a;",
    ),
    "a lane that is written": (
        "sycl::float4 v(o[0], o[1], o[2], o[3]); v[1] = v[0] * 3.0f; v.lo() += v.hi(); o[i] = v[1] + v[0];",
        "float a = o[0], b = o[1], c = o[2], d = o[3]; o[i] = a * 3.0f + d + (a + c);",
    ),
    "a range of one's own": (
        "sycl::range<3> at(i, n, n); sycl::id<2> to(i, n); o[at[0]] = o[at[2] * to[1]];",
        "size_t x = i, y = n; o[x] = o[y * y];",
    ),
    "a ballot's bits": (
        "auto m = sycl::ext::oneapi::group_ballot(it.get_sub_group(), i > n); unsigned b; m.extract_bits(b);"
        " o[i] = sycl::popcount(b) * m.count();",
        "auto m = sycl::ext::oneapi::group_ballot(it.get_sub_group(), i > n);"
        " o[i] = sycl::popcount(m) * sycl::popcount(m);",
    ),
}
SEEN = (Kind.LOAD, Kind.STORE, Kind.CALL, Kind.UNKNOWN)


def _effects(text: str, language: Language) -> Counter[object]:
    facts = facts_of(text, language)
    assert not facts.unknowns("sm_90")
    ops = executed(facts.input_for(facts.compiler("sm_90"))).graph.ops
    return Counter([op.kind for op in ops if op.kind in SEEN] + [op for op in ops if op in (ADD, MULTIPLY)])


def _in_cuda(statements: str) -> Counter[object]:
    return _effects(f"{BEFORE}__global__ void k(const float* a, float* b, int n) {{ {statements} }}", "cuda")


def _in_sycl(statements: str) -> Counter[object]:
    head = "using real = float; constexpr int LANES = 4;\nvoid f(sycl::queue& q, float* o, sycl::half* h, int n) {\n"
    launch = "q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) { int i = it.get_global_id(0);\n"
    return _effects(f"#include <sycl/sycl.hpp>\n{head}{launch}{statements}\n}});\n}}\n", "sycl")


@pytest.mark.parametrize("form", CUDA)
def test_a_short_form_is_executed_as_the_long_one(form: str) -> None:
    short, long = CUDA[form]
    assert _in_cuda(short) == _in_cuda(long)


@pytest.mark.parametrize("form", SYCL)
def test_a_form_of_sycl_is_executed_as_its_plain_one(form: str) -> None:
    short, long = SYCL[form]
    assert _in_sycl(short) == _in_sycl(long)


@pytest.mark.parametrize(
    "expression",
    [
        *("sycl::rotate(n, 3)", "sycl::abs_diff(n, i)", "sycl::mad_hi(n, i, 3)", "sycl::select(n, i, n > i)"),
        *("sycl::degrees(o[0])", "sycl::smoothstep(0.0f, 1.0f, o[0])", "sycl::rootn(o[0], 3)"),
        "sycl::all(sycl::isequal(sycl::float2(o[0], o[1]), sycl::float2(o[2], o[3])))",
    ],
)
def test_functions_that_sycl_shares_with_opencl_c_are_known(expression: str) -> None:
    assert _in_sycl(f"o[i] = {expression};")[Kind.CALL] == 0


def test_a_reducer_combines_its_values() -> None:
    kernel = """#include <sycl/sycl.hpp>
void f(sycl::queue& q, float* o, const float* a, int n) {{
  q.submit([&](sycl::handler& h) {{
    auto r = sycl::reduction(o, sycl::plus<float>());
    h.parallel_for(sycl::nd_range<1>(n, 256), r, [=](sycl::nd_item<1> it, auto& s) {{ {} }});
  }});
}}"""
    said = [_effects(kernel.format(body), "sycl") for body in ("s.combine(a[0] * a[1]);", "s += a[0] * a[1];")]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "statement",
    [
        *("joint_matrix_apply();", "joint_matrix_apply(it);", "joint_matrix_store(it, m, o);"),
        *("sycl::float4 v(1.0f); o[i] = v.lo().z();", "sycl::float4 v(1.0f); o[i] = v.swizzle<99, 3>().x();"),
    ],
)
def test_a_call_with_wrong_arguments_is_executed_all_the_same(statement: str) -> None:
    matrix = "joint_matrix<sycl::sub_group, float, use::accumulator, 8, 16> m;"
    launch = f"q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {{ {matrix}"
    body = f"{launch} int i = it.get_global_id(0); {statement} }});"
    text = f"#include <sycl/sycl.hpp>\nvoid f(sycl::queue& q, float* o, int n) {{ {body} }}\n"
    assert facts_of(text, "sycl").target("pvc").registers.estimate > 0


def test_the_return_of_a_lambda_leaves_no_loop() -> None:
    """nvcc 13.0.88 gives both 29 registers: it makes four copies of the loop."""
    kernel = "__global__ void k(const float* a, float* b, int n) {{ float s = 0; {loop} b[threadIdx.x] = s; }}"
    head = "for (int i = 0; i < n; i += 32) "
    plain = head + "{ float v = a[i + threadIdx.x], w = a[i]; s += v > w ? v : w; }"
    lambda_ = head + "s += [&] { float v = a[i + threadIdx.x], w = a[i]; return v > w ? v : w; }();"
    said = [facts_of(kernel.format(loop=loop), "cuda").target("sm_90").registers.estimate for loop in (plain, lambda_)]
    assert said[0] == said[1]


def test_a_local_accessor_without_a_dimension_is_a_shared_variable() -> None:
    kernel = """void f(sycl::queue& q, float* o, int n) {
  q.submit([&](sycl::handler& h) {
    sycl::local_accessor<float, %s> top(h%s);
    h.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
      int i = it.get_global_id(0);
      if (it.get_local_id(0) == 0) top%s = o[i];
      it.barrier();
      o[i] = top%s;
    });
  });
}
"""
    head = "#include <sycl/sycl.hpp>\n"
    said = [_effects(head + kernel % how, "sycl") for how in (("0", "", "", ""), ("1", ", 1", "[0]", "[0]"))]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "type_", ["std::remove_cv_t<std::remove_reference_t<decltype(n)>>", "std::decay_t<decltype(n)>"]
)
def test_a_type_made_of_a_variable_is_that_of_the_variable(type_: str) -> None:
    kernel = "__global__ void k(float* a, const long n) {{ for ({} i = threadIdx.x; i < n; ++i) a[i * n] *= 2; }}"
    facts = [facts_of(kernel.format(each), "cuda") for each in (type_, "long")]
    assert not any(each.unknowns("sm_90") for each in facts)
    assert len({each.target("sm_90").registers for each in facts}) == 1


def test_the_variable_of_a_loop_over_an_object_has_the_type_of_its_elements() -> None:
    kernel = """__global__ void k(const float* a, float* b, int n) {{
  std::array<float, 8> r; for (int i = 0; i < 8; ++i) r[i] = a[i * n];
  float s = 0; for ({} v : r) s += v * v; b[threadIdx.x] = s;
}}"""
    facts = [facts_of(kernel.format(type_), "cuda") for type_ in ("auto", "float")]
    assert not any(each.unknowns("sm_90") for each in facts)
    assert len({each.target("sm_90").registers for each in facts}) == 1


def test_a_specialisation_that_is_not_known_is_in_the_ledger() -> None:
    """The template itself does nothing: 7 registers were said where nvcc 13.0.88 has 20."""
    facts = facts_of(
        "template <int M> __device__ void put(float* j, float x) {}\n"
        "template <> __device__ void put<2>(float* j, float x) { j[0] = x / (x + 1); j[1] = x * x; }\n"
        "template <int M> __global__ void k(float* b) { float j[2]; put<M>(j, b[0]); b[1] = j[0] + j[1]; }",
        "cuda",
    )
    assert [unknown.name for unknown in facts.unknowns("sm_90") if unknown.kind == "callee"] == ["put"]


def test_a_loop_over_a_sequence_of_constants_is_straight_code() -> None:
    """nvcc 13.0.88: 24 registers."""
    head = """
template <int... I, class F> __device__ void each(std::integer_sequence<int, I...>, F f) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F> __device__ void static_for(F f) { each(std::make_integer_sequence<int, N>{}, f); }
__global__ void k(const float* a, float* b, int n) { float s = 0; """
    sequence = "static_for<8>([&](auto i) { constexpr int k = decltype(i)::value; s += a[k * 32] * a[i]; });"
    loop = "for (int i = 0; i < 8; ++i) s += a[i * 32] * a[i];"
    said = [_effects(f"{head}{loop_} b[threadIdx.x] = s; }}", "cuda") for loop_ in (sequence, loop)]
    assert said[0] == said[1]


def test_fragments_with_names_for_their_type_and_sizes() -> None:
    """nvcc 13.0.88: 32 registers."""
    kernel = """
__global__ void k(const half* a, const half* b, float* c, int n) {{
  {declared}
  wmma::fill_fragment(z, 0.0f);
  for (int i = 0; i < n; i += 16) {{
    wmma::load_matrix_sync(x, a + i, n); wmma::load_matrix_sync(y, b + i, n); wmma::mma_sync(z, x, y, z);
  }}
  wmma::store_matrix_sync(c, z, 16, wmma::mem_row_major);
}}"""
    plain = (
        "wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;"
        "wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;"
        "wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;"
    )
    named = (
        "auto x = wmma::fragment<wmma::matrix_a, ROWS, ROWS, ROWS, fp, wmma::row_major>();"
        "auto y = wmma::fragment<wmma::matrix_b, ROWS, ROWS, ROWS, fp, wmma::col_major>();"
        "auto z = wmma::fragment<wmma::accumulator, ROWS, ROWS, ROWS, float>();"
    )
    facts = [facts_of(BEFORE + kernel.format(declared=declared), "cuda") for declared in (plain, named)]
    assert not any(each.unknowns("sm_90") for each in facts)
    assert len({each.target("sm_90").registers.estimate for each in facts}) == 1


def test_a_class_without_a_name_is_a_struct_in_a_message() -> None:
    facts = facts_of(
        "__global__ void k(float* b, int n) { struct { float v; int m; } x[64];"
        " for (int i = 0; i < 64; ++i) x[i].v = b[i], x[i].m = i; b[0] = x[n].v; }",
        "cuda",
    )
    (array,) = facts.arrays
    assert (array.bytes, array.variable.type.shown) == (512, "struct")
