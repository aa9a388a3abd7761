"""Which member function a class template means where its argument is a number of the function around the call."""

from __future__ import annotations

import pytest
from analysis_helpers import trace_of
from frontend_helpers import build

from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

CLASSES = """
template <class T> __device__ void lift(T *p) { T x = p[0], y = p[1]; x += y; y -= x; p[0] = x; p[1] = y; }
template <int N> struct Transform;
template <> struct Transform<32> {
  template <class T> __device__ void run(T *p) { for (int i = 0; i < 31; ++i) lift(p + i); }
};
template <> struct Transform<4> { template <class T> __device__ void run(T *p) { lift(p); } };
template <int N> struct Reader { const float *data; };
template <int N> __device__ void block(float *v, int n) {
  long long q[N];
  for (int i = 0; i < N; ++i) q[i] = v[i * n];
  Transform<N> transform;
  transform.run(q);
  for (int i = 0; i < N; ++i) v[i * n] = q[i];
}
template <class T, int N> __device__ void read(Reader<N> &from, T *v, int n) {
  T q[N];
  for (int i = 0; i < N; ++i) q[i] = from.data[i * n];
  Transform<N> transform;
  transform.run(q);
  for (int i = 0; i < N; ++i) v[i * n] = q[i];
}
"""
BODIES = {"given": "block<{0}>(v, n);", "deduced": "Reader<{0}> from; from.data = v + 1; read(from, v, n);"}


def facts(body: str, without: int) -> KernelFacts:
    """The kernel of a text from which one specialisation is taken away."""
    classes = CLASSES.replace(f"template <> struct Transform<{without}>", f"struct Other{without}")
    file = build(f"{classes}\n__global__ void k(float *v, int n) {{ {body} }}")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a", "sm_90")))


@pytest.mark.parametrize(("size", "other"), [(4, 32), (32, 4)])
@pytest.mark.parametrize("way", BODIES)
def test_the_specialisation_for_the_number_is_executed(way: str, size: int, other: int) -> None:
    """The first one was taken for all: 31 steps where there is one."""
    body = BODIES[way].format(size)
    found, alone = facts(body, 0), facts(body, other)
    for target in found.targets:
        assert found.target(target).registers == alone.target(target).registers
        assert len(trace_of(found, target).execution.notes.elements) == len(
            trace_of(alone, target).execution.notes.elements
        )
    assert found.target("sm_90").registers != facts(BODIES[way].format(other), 0).target("sm_90").registers
