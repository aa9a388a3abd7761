"""`v.store<4>(x)`: the grammar reads two comparisons where such a call is the whole of an expression."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

STRUCT = """
struct V {
  float* p;
  template <int N> __device__ void store(float x) { for (int i = 0; i < N; ++i) p[i * 32] = x * i; }
  template <bool B> __device__ float get(int i, float x) const { return B ? sqrtf(p[i] + x) : p[i]; }
  __device__ void store8(float x) { for (int i = 0; i < 8; ++i) p[i * 32] = x * i; }
  __device__ float root(int i, float x) const { return sqrtf(p[i] + x); }
};
"""


def held(statement: str) -> int:
    text = f"{STRUCT}__global__ void k(float* o, float x, int n) {{ V v{{o + threadIdx.x}}; V* w = &v; {statement} }}\n"
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert not facts.unknowns("sm_90")
    return facts.target("sm_90").registers.estimate


@pytest.mark.parametrize(
    ("template", "plain"),
    [
        ("v.store<8>(x);", "v.store8(x);"),
        ("w->store<8>(x + 1);", "w->store8(x + 1);"),
        ("v.store<4 + 4>(x);", "v.store8(x);"),
        ("if (n > 3) v.store<8>(x); else v.store<8>(x + n);", "if (n > 3) v.store8(x); else v.store8(x + n);"),
        ("float z = v.get<true>(n, x); o[n] = z;", "float z = v.root(n, x); o[n] = z;"),
        ("o[n] = w->get<true>(n + 1, x) + 1;", "o[n] = w->root(n + 1, x) + 1;"),
        ("if (v.get<true>(n, x) > 3) o[n] = 2;", "if (v.root(n, x) > 3) o[n] = 2;"),
    ],
)
def test_a_member_template_with_a_number_is_called(template: str, plain: str) -> None:
    """Its stores vanished, and the kernel was whole: 4 to 10 registers said, 28 compiled."""
    assert held(template) == held(plain) > held(";")


def test_a_chain_of_comparisons_stays_one() -> None:
    assert held("o[n] = v.p[0] < x && n > (3);") == held("o[n] = (v.p[0] < x) && (n > 3);")


def test_a_member_with_its_own_template_arguments_does_not_call_itself() -> None:
    """`0` fits the overloads for a number and for a pair as well; sixteen calls deep it was given up."""
    text = """
struct Row { float x[4]; __device__ void init(int i, const float* v) { for (int k = 0; k < 4; ++k) x[k] = v[i + k]; } };
struct Mesh {
  const float* v;
  template <class Node> __device__ Node fetch(int i) const { Node n{}; n.init(i, v); return n; }
  template <class Node> __device__ Node fetch(int2 i) const { Node n{}; n.init(i.x + i.y, v); return n; }
  __device__ Row fetch(const int i) const { return fetch<Row>(i); }
  __device__ Row fetch(const int2 i) const { return fetch<Row>(i); }
};
__global__ void k(Row* o, Mesh m) { o[threadIdx.x] = m.fetch(0); }
"""
    file = testing.build(text, "k.cu", "cuda")
    assert not kernel_facts(file, file.kernels[0], Settings()).unknowns("sm_90")


def test_an_object_with_bit_fields_begins_with_empty_braces() -> None:
    text = """
struct Child { unsigned a : 12; unsigned b : 12; unsigned : 8; unsigned c : 12; };
__global__ void k(Child* o, float x) { Child c{}; if (x > 2) { c.a = x; c.c = 3; } o[threadIdx.x] = c; }
"""
    file = testing.build(text, "k.cu", "cuda")
    assert not kernel_facts(file, file.kernels[0], Settings()).unknowns("sm_90")


def test_a_macro_may_announce_the_class_template_that_it_specialises() -> None:
    """As the atomics of PyTorch: what `AddImpl<...>()` calls was not known."""
    text = """
#define DECIMAL(NAME) \\
template <typename T, size_t n> struct NAME##Impl; \\
template <typename T> struct NAME##Impl<T, 4> { __device__ void operator()(T* a, T v) { a[0] = sqrtf(v); } };
DECIMAL(Add)
__global__ void k(float* o, float x) { AddImpl<float, sizeof(float)>()(o + threadIdx.x, x); }
"""
    file = testing.build(text, "k.cu", "cuda")
    assert not kernel_facts(file, file.kernels[0], Settings()).unknowns("sm_90")


@pytest.mark.parametrize("type_", ["uvec<3>", "lib::uvec<3>", "Part<unsigned, 3>"])
def test_a_macro_may_write_alias_templates_and_a_class_template_unions(type_: str) -> None:
    """As the vectors of tiny-cuda-nn, whose size was not known."""
    text = f"""
template <class T, unsigned N, size_t A = sizeof(T)> struct alignas(A) Part {{ T e[N]; }};
template <class T, size_t A> struct alignas(A) Part<T, 3, A> {{
  union {{ T x, r; }}; union {{ T y, g; }}; union {{ T z, b; }};
}};
#define ALIASES(name, T) \\
  template <unsigned N> using name = Part<T, N>; \\
  using name##2 = name<2>;
namespace lib {{
ALIASES(uvec, unsigned)
ALIASES(dvec, double)
}}
using namespace lib;
__global__ void k(unsigned* o, unsigned r) {{
  {type_} p; p.x = r; p.y = o[r]; p.z = o[r + 1]; o[threadIdx.x] = p.x * p.y + p.b;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    assert not kernel_facts(file, file.kernels[0], Settings()).unknowns("sm_90")
