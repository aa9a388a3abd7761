"""Members of a union without a name are names of its function, and constructors make the operands of operators."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts


def facts_of(text: str) -> KernelFacts:
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90", "gfx90a")))


@pytest.mark.parametrize(
    ("members", "body"),
    [
        ("uint2 c; unsigned long long w;", "@c.x = x[i]; @c.y = x[i + n]; @w >>= n; o[i] = @c.x * @w;"),
        ("float f[4]; unsigned w[4];", "for (int k = 0; k < 4; k++) @w[k] = x[i + k * n]; o[i] = @f[0] * @f[3];"),
        ("double d; struct { int a, b; } p;", "@d = x[i]; @p.a ^= n; o[i] = @d;"),
    ],
)
def test_a_union_without_a_name_is_one_with_a_name(members: str, body: str) -> None:
    head = "__global__ void k(double* o, const unsigned* x, int n) { int i = threadIdx.x;"
    unnamed = facts_of(f"{head} union {{ {members} }}; {body.replace('@', '')} }}")
    named = facts_of(f"{head} union {{ {members} }} u; {body.replace('@', 'u.')} }}")
    for target in ("sm_90", "gfx90a"):
        assert not unnamed.unknowns(target)
        assert unnamed.target(target).registers == named.target(target).registers


CLASS = """struct Z {
  unsigned short v;
  __device__ Z() : v(0) {}
  __device__ Z(int x) : v(x % 3329) {}
  OPERATOR
};
REST
__global__ void k(Z* o, int n) { Z z = o[threadIdx.x]; o[threadIdx.x] = EXPR; }"""
MEMBER = "__device__ Z operator-(const Z& y) const { Z r; r.v = v >= y.v ? v - y.v : v + 3329 - y.v; return r; }"
FREE = "__device__ Z operator-(Z x, Z y) { Z r; r.v = x.v >= y.v ? x.v - y.v : x.v + 3329 - y.v; return r; }"


@pytest.mark.parametrize(
    ("operator", "rest", "short", "long"),
    [(MEMBER, "", "z - n", "z - Z(n)"), ("", FREE, "z - n", "z - Z(n)"), ("", FREE, "n - z", "Z(n) - z")],
)
def test_an_operator_takes_the_object_of_a_constructor(operator: str, rest: str, short: str, long: str) -> None:
    text = CLASS.replace("OPERATOR", operator).replace("REST", rest)
    ours, plain = (facts_of(text.replace("EXPR", expr)) for expr in (short, long))
    for target in ("sm_90", "gfx90a"):
        assert not ours.unknowns(target)
        assert ours.target(target).registers == plain.target(target).registers


def test_lanes_that_were_written_by_their_names_are_read_by_number() -> None:
    facts = facts_of("""__global__ void k(float* o, const float* x, int n) {
      union { float4 v[4]; float f[16]; } u;
      for (int i = 0; i < 4; i++) {
        u.v[i].x = x[i * 4 * 33 + n]; u.v[i].y = x[(i * 4 + 1) * 33 + n];
        u.v[i].z = x[(i * 4 + 2) * 33 + n]; u.v[i].w = x[(i * 4 + 3) * 33 + n];
      }
      __syncthreads();
      for (int i = 0; i < 16; i++) o[i * 77 + threadIdx.x] = u.f[i];
    }""")
    for target in ("sm_90", "gfx90a"):
        assert not facts.unknowns(target)
    assert 18 <= facts.target("sm_90").registers.estimate <= 34


def test_a_reference_to_an_object_with_a_union_has_its_members() -> None:
    facts = facts_of("""struct M { union { int a; float b; } u; int k; };
    struct P { unsigned long long id; float2 pos; M m; };
    __device__ void set(P* q, const P& p, int n) {
      q->id = p.id; q->pos = p.pos; q->m = p.m;
      if (n) q->m.u.a = p.m.k;
    }
    __global__ void k(P* o, P* x, int n) { for (int i = 0; i < n; i++) { auto& p = x[i]; set(&o[i], p, n); } }""")
    for target in ("sm_90", "gfx90a"):
        assert not facts.unknowns(target)
        assert facts.target(target).registers.estimate > 4
