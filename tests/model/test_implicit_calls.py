"""What C++ calls without a word in the source: conversions of objects, destructors, `*this` as an object, iterators."""

from __future__ import annotations

from collections import Counter

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import MULTIPLY, Kind
from regpress_lint.model.passes.placement import executed

BEFORE = """
struct Lazy { const float* p; int i; __device__ operator float() const { return p[i] + p[i + 64]; } };
struct Both { const float* p; explicit __device__ operator bool() const { return p[1] > 0; }
  __device__ operator double() const { return p[2]; } };
template <class T> struct Held { const T* p; __device__ operator T() const { return *p; } };
struct Out { const float* p; __device__ Out(const float* q) : p(q) {} __device__ operator Lazy() const; };
__device__ Out::operator Lazy() const { return {p, 3}; }
struct Flush { float* out; float v; __device__ ~Flush() { atomicAdd(out, v); } };
struct Pair { Flush a, b[2]; };
struct Last : Flush { int n; __device__ ~Last() { out[1] = v; } };
struct Guard { float* p; __device__ Guard(float* q) : p(q) {} __device__ ~Guard() { *p = 1; } };
template <class D> struct Base { __device__ void run(float* o) { static_cast<D&>(*this).put(o); }
  __device__ float sum() const { return static_cast<const D*>(this)->at(1) * 2; } };
struct Derived : Base<Derived> { float v[2]; __device__ void put(float* o) { o[0] = v[0]; o[1] = v[1]; }
  __device__ float at(int i) const { return v[i]; } };
__device__ float half(float x) { return x / 2; }
__device__ Flush made(float* p) { Flush f{p, 2}; return f; }
struct Row { float e[4]; __device__ float* data() { return e; } };
template <class T> struct Maybe { T v; bool has; __device__ Maybe() : has(false) {}
  __device__ Maybe(T t) : v(t), has(true) {}
  __device__ T* operator->() { return &v; } __device__ T& operator*() { return v; } };
struct Step { float* p; __device__ float& operator*() const { return *p; }
  __device__ Step& operator++() { ++p; return *this; }
  __device__ Step operator++(int) { Step t = *this; ++p; return t; }
  __device__ bool operator!=(const Step& o) const { return p != o.p; } };
struct Steps { float v[4]; __device__ Step begin() { return {v}; } __device__ Step end() { return {v + 4}; } };
struct At { Row* r; __device__ Row* operator->() const { return r; } };
__device__ Row row(const float* a) { Row r; for (int i = 0; i < 4; ++i) r.e[i] = a[i]; return r; }
__device__ Maybe<Row> maybe(const float* a) { return row(a); }
__device__ Maybe<Row> braced(const float* a) { return {row(a)}; }
__device__ Maybe<Row> none(const float* a) { if (a[0] > 0) return {}; return row(a); }
__device__ void put(float* b, Maybe<Row> m) { for (int i = 0; i < 4; ++i) b[i] = m.v.e[i]; }
namespace lib { using Real = double; template <class T> struct View { T* p; __device__ View(T* q, int) : p(q) {}
  template <class U = T> __device__ View(View<std::remove_const_t<T>> const& o) : p(o.p) {} }; }
using namespace lib; __device__ Real second(lib::View<lib::Real> const& v) { return v.p[1]; }
template <class T> struct Complex { T re, im; };
template <class T> __device__ T abs(const Complex<T>& z) { return pow(z.re, z.im); }
__device__ void put_bound(float* b, const Maybe<Row>& m) { for (int i = 0; i < 4; ++i) b[i] = m.v.e[i]; }
"""
FOUR = "float r[4]; for (int i = 0; i < 4; ++i) r[i] = a[i]; for (int i = 0; i < 4; ++i) b[i] = r[i];"
# What stands for each other: a form, and the same effects in plain words.
SAME = {
    "initialised": ("float v = Lazy{a, n}; b[0] = v;", "b[0] = a[n] + a[n + 64];"),
    "assigned": ("Lazy z{a, n}; b[0] = z;", "b[0] = a[n] + a[n + 64];"),
    "added to": ("Lazy z{a, n}; b[0] += z;", "b[0] += a[n] + a[n + 64];"),
    "multiplied": ("Lazy z{a, n}; b[0] = 2.0f * z;", "b[0] = 2.0f * (a[n] + a[n + 64]);"),
    "passed": ("Lazy z{a, n}; b[0] = half(z);", "b[0] = half(a[n] + a[n + 64]);"),
    "cast": ("Lazy z{a, n}; b[0] = (float)z;", "b[0] = (float)(a[n] + a[n + 64]);"),
    "negated": ("Lazy z{a, n}; b[0] = -z;", "b[0] = -(a[n] + a[n + 64]);"),
    "to a library": ("Lazy z{a, n}; b[0] = sqrtf(z);", "b[0] = sqrtf(a[n] + a[n + 64]);"),
    "to itself by another name": ("View<Real> v((Real*)b, 1); b[0] = second(v);", "b[0] = ((Real*)b)[1];"),
    "to nothing by a name of the library": ("b[0] = abs(a[1]);", "b[0] = fabsf(a[1]);"),
    "of a complex class": ("Complex<float> z{a[1], a[2]}; b[0] = abs(z);", "b[0] = pow(a[1], a[2]);"),
    "a truth": ("Both z{a}; if (z) b[0] = 1;", "if (a[1] > 0) b[0] = 1;"),
    "a number of two": ("Both z{a}; b[0] = z;", "b[0] = (double)a[2];"),
    "of a template": ("Held<float> z{a + 5}; b[0] = z * 2;", "b[0] = a[5] * 2;"),
    "to a class": ("Out z(a); Lazy y = z; b[0] = y;", "b[0] = a[3] + a[67];"),
    "by a constructor": ("Maybe<Row> m = row(a); put(b, m);", FOUR),
    "by a constructor, returned": ("put(b, maybe(a));", FOUR),
    "by a constructor, in braces": ("put(b, braced(a));", FOUR),
    "by a constructor, assigned": ("Maybe<Row> m; m = row(a); put(b, m);", FOUR),
    "by a constructor, passed": ("put(b, row(a));", FOUR),
    "by a constructor, bound": ("put_bound(b, row(a));", FOUR),
    "by a constructor, or none": (
        "put(b, none(a));",
        "float r[4]; if (a[0] > 0) {} else for (int i = 0; i < 4; ++i) r[i] = a[i];"
        " for (int i = 0; i < 4; ++i) b[i] = r[i];",
    ),
    "an object through its operator": (
        "auto m = maybe(a); for (int i = 0; i < 4; ++i) b[i] = (*m).e[i];", FOUR),
    "a member through an arrow": ("auto m = maybe(a); for (int i = 0; i < 4; ++i) b[i] = m->e[i];", FOUR),
    "written through an arrow": ("Row r; At w{&r}; for (int i = 0; i < 4; ++i) w->e[i] = a[i]; put(b, r);", FOUR),
    "iterators": ("Steps s; int i = 0; for (float& x : s) x = a[i++];"
                  " Step t = s.begin(); for (i = 0; i < 4; ++i) b[i] = *t++;", FOUR),
    "what a lambda gives": (
        "const auto r = [&] { return row(a); }(); int i = 0; for (float x : r.e) b[i++] = x;", FOUR),
    "a pointer to an array of a member": (
        "Row r; float* p = r.data(); for (int i = 0; i < 4; ++i) *p++ = a[i];"
        " const float* q = &r.e[0]; for (int i = 0; i < 4; ++i) b[i] = q[i];", FOUR),
    "declared in a condition": ("if (float x = a[n]) b[0] = x * 3;", "float x = a[n]; if (x) b[0] = x * 3;"),
    "at the end": ("Flush f{b, 1}; f.v = a[n];", "atomicAdd(b, a[n]);"),
    "at the end of a block": ("{ Flush f{b, a[2]}; } b[3] = 1;", "atomicAdd(b, a[2]); b[3] = 1;"),
    "at each return": (
        "Flush f{b, a[2]}; if (n > 3) { b[1] = 2; return; } b[2] = 3;",
        "float v = a[2]; if (n > 3) { b[1] = 2; atomicAdd(b, v); return; } b[2] = 3; atomicAdd(b, v);",
    ),
    "at a break": (
        "for (int i = 0; i < n; ++i) { Flush f{b, a[i]}; if (a[i] > 3) break; b[i] = 1; }",
        "for (int i = 0; i < n; ++i) { float v = a[i]; if (v > 3) { atomicAdd(b, v); break; } b[i] = 1;"
        " atomicAdd(b, v); }",
    ),
    "of members": ("Pair p{{b, a[1]}, {{b + 1, a[2]}, {b + 2, a[3]}}};",
                   "atomicAdd(b + 2, a[3]); atomicAdd(b + 1, a[2]); atomicAdd(b, a[1]);"),
    "of a base": ("Last l; l.out = b; l.v = a[1];", "b[1] = a[1]; atomicAdd(b, a[1]);"),
    "of a temporary": ("Guard(b + n);", "b[n] = 1;"),
    "returned once": ("Flush f = made(b);", "atomicAdd(b, 2.0f);"),
    "derived by reference": ("Derived d; d.v[0] = a[1]; d.v[1] = a[2]; d.run(b);", "b[0] = a[1]; b[1] = a[2];"),
    "derived by pointer": ("Derived d; d.v[1] = a[2]; b[0] = d.sum();", "b[0] = a[2] * 2;"),
}  # fmt: skip
SEEN = (Kind.LOAD, Kind.STORE, Kind.ATOMIC, Kind.CALL, Kind.UNKNOWN, Kind.BRANCH)


def effects(statements: str) -> Counter[Kind]:
    facts = facts_of(
        f"{BEFORE}__global__ void k(const float* __restrict__ a, float* b, int n) {{ {statements} }}", "cuda"
    )
    assert not facts.unknowns("sm_90")
    machine = executed(facts.input_for(facts.compiler("sm_90")))
    return Counter(op.kind for op in machine.graph.ops if op.kind in SEEN)


@pytest.mark.parametrize("form", SAME)
def test_implied_calls_are_executed(form: str) -> None:
    implied, plain = map(effects, SAME[form])
    assert implied == plain
    assert plain[Kind.STORE] + plain[Kind.ATOMIC]


def test_a_loop_that_declares_its_condition_asks_each_time() -> None:
    assert effects("while (int k = atomicAdd((int*)b, 1)) b[k] = a[k];") == effects(
        "int k; while ((k = atomicAdd((int*)b, 1))) b[k] = a[k];"
    )


def test_destructors_of_too_many_elements_are_in_the_ledger() -> None:
    text = f"{BEFORE}__global__ void k(float* b) {{ Flush f[100]; for (int i = 0; i < 100; ++i) f[i].v = b[i]; }}"
    assert [(one.kind, one.name) for one in facts_of(text, "cuda").unknowns("sm_90")] == [("callee", "~Flush")]


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("r += a[n];", "r.fetch_add(a[n]);"),
        ("r = a[n];", "r.store(a[n]);"),
        ("r++;", "r.fetch_add(1);"),
        ("--r;", "r.fetch_sub(1);"),
        ("sycl::atomic_ref<float, sycl::memory_order::relaxed>(b[n])++;", "r.fetch_add(1);"),
        ("auto q = sycl::atomic_ref<float, sycl::memory_order::relaxed>(b[n]); q += a[n];", "r.fetch_add(a[n]);"),
        ("auto q = sycl::atomic_ref<float, sycl::memory_order::relaxed>(b[n]); q++;", "r.fetch_add(1);"),
        ("(sycl::atomic_ref<float, sycl::memory_order::relaxed>(*(b + n)) +=(a[n]));", "r.fetch_add(a[n]);"),
    ],
)
def test_operators_of_atomic_references_are_their_members(written: str, called: str) -> None:
    made = "sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device> r(b[n + 3]); "
    assert effects(made + written) == effects(made + called)
    assert effects(made + written)[Kind.STORE if written == "r = a[n];" else Kind.ATOMIC]


_ATOMIC = "sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>"


@pytest.mark.parametrize("made", [f"auto r = {_ATOMIC}(b[0]); r", f"{_ATOMIC} r(b[0]); r", f"{_ATOMIC}(b[0])"])
def test_a_named_atomic_reference_widens_no_band(made: str) -> None:
    """It is the address of its object, whether it has a name or not."""
    text = (
        "void run(sycl::queue& q, float* a, float* b, int n) {"
        " q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {"
        f" int i = it.get_global_id(0); {made} += a[i] * 2.f; }}); }}"
    )
    twin = "__global__ void k(float* a, float* b) { int i = blockIdx.x * 256 + threadIdx.x; atomicAdd(b, a[i] * 2.f); }"
    (found, wanted) = (facts_of(text, "sycl").target("sm_90"), facts_of(twin, "cuda").target("sm_90"))
    assert found.registers.high - found.registers.low <= wanted.registers.high - wanted.registers.low + 1


def test_constructor_in_place_of_a_pointer_is_in_the_ledger() -> None:
    text = (
        "struct S { float v; __device__ S(const float* a) : v(a[3]) {} };"
        "__global__ void k(const float* a, float* b) { __shared__ char raw[64]; S* s = new (raw) S(a); b[0] = s->v; }"
    )
    assert [(one.kind, one.name) for one in facts_of(text, "cuda").unknowns("sm_90")] == [("callee", "new")]


@pytest.mark.parametrize("call", ["(*g)(y[1])", "g[1](y[1])", "(*g)((*g)(y[1]))"])
def test_a_functor_behind_a_pointer_is_executed(call: str) -> None:
    """`*g` is the object of the call and no `*this` in it: that was followed without an end."""
    functor = "struct Functor { float by; __device__ float operator()(float v) const { return v * by; } };"
    facts = facts_of(f"{functor}\n__global__ void k(float* y, const Functor* g) {{ y[0] = {call}; }}")
    assert not facts.unknowns("sm_90")
    products = [op for op in executed(facts.input_for(facts.compiler("sm_90"))).graph.ops if op == MULTIPLY]
    assert len(products) == call.count("(y") + call.count("((")


def test_a_function_with_the_name_of_the_functor_around_it_is_in_the_ledger() -> None:
    """`device::count(x)` in the `operator()` of a class `count`: no object of that class, which has no members."""
    text = (
        "namespace device { __device__ void count(int*, int); }\nnamespace kernels { struct count { template <class A>"
        " __device__ void operator()(A const& at, int* p) const { device::count(p, at); } }; }\n"
        "__global__ void k(int* p) { kernels::count f; f(threadIdx.x, p); }"
    )
    assert [(one.kind, one.name) for one in facts_of(text, "cuda").unknowns("sm_90")] == [("callee", "count")]


def test_a_member_of_a_primary_template_that_gives_nothing_is_in_the_ledger() -> None:
    text = (
        "template <class T, class = void> struct helper { __device__ static T add(T*, T) {"
        ' static_assert(sizeof(T) == 1, "never"); } };\n'
        "template <class T> __device__ T add(T* p, T v) { return helper<T>::add(p, v); }\n"
        "__global__ void k(int* p) { add(p, 1); }"
    )
    assert [(one.kind, one.name) for one in facts_of(text, "cuda").unknowns("sm_90")] == [("callee", "add")]
