"""Objects of class templates whose arguments are left to the compiler: their members were unknown, and the band open.
What they hold is what variables hold (clang 19.1.7 for gfx90a: 42 registers in each form).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from regpress_lint.model.estimate.registers import RegisterEstimate

KERNEL = """
#include <array>
#include <tuple>
#include <utility>
template <class A, class B> struct Pair { A first; B second; };
template <class T> struct Box { T v; __device__ Box(T x) : v(x) {} __device__ T get() const { return v; } };
template <class T> struct Row { T *p; int n; __device__ Row(T *p, int n) : p(p), n(n) {}
  __device__ T &operator[](int i) const { return p[i * n]; } };
template <class T, int N = 3> struct Three { T v[N]; };
template <class T> __device__ Three(T, T, T) -> Three<T>;
__global__ void k(float *out, const float *in, int n) {
  int t = threadIdx.x;
  float h[12];
  for (int j = 0; j < 12; ++j) h[j] = in[t + j * n];
  for (int r = 0; r < n; ++r)
    for (int j = 0; j < 12; ++j) { STEP }
  for (int j = 0; j < 12; ++j) out[t + j * n] = h[j];
}
"""
PLAIN = "h[j] = h[j] * in[r] + h[(j + 3) % 12];"
FORMS = """
Pair p{h[j], j}; h[j] = p.first * in[r] + h[(p.second + 3) % 12];
Pair p(h[j], j); h[j] = p.first * in[r] + h[(p.second + 3) % 12];
auto p = Pair{h[j], j}; Pair q = p; h[j] = q.first * in[r] + h[(q.second + 3) % 12];
const Pair p{h[j], j}; auto [x, y] = p; h[j] = x * in[r] + h[(y + 3) % 12];
h[j] = Box{h[j]}.get() * in[r] + Box(h[(j + 3) % 12]).v;
Row row(h, 1); h[j] = row[j] * in[r] + row[(j + 3) % 12];
Three q{h[j], in[r], h[(j + 3) % 12]}; h[j] = q.v[0] * q.v[1] + q.v[2];
std::array q{h[j], in[r], h[(j + 3) % 12]}; h[j] = q[0] * q[1] + q[2];
std::pair p{h[j], j}; h[j] = p.first * in[r] + h[(p.second + 3) % 12];
std::tuple q{h[j], j, in[r]}; h[j] = std::get<0>(q) * std::get<2>(q) + h[(std::get<1>(q) + 3) % 12];
"""


@cache
def held(step: str) -> RegisterEstimate:
    facts = facts_of(KERNEL.replace("STEP", step))
    assert not facts.unknowns("gfx90a")
    return facts.target("gfx90a").registers


@pytest.mark.parametrize("step", FORMS.strip().splitlines())
def test_class_of_an_object_by_its_initialisers(step: str) -> None:
    made = held(step)
    assert abs(made.estimate - held(PLAIN).estimate) <= 4
    assert made.low <= 42 <= made.high


def test_a_class_whose_arguments_stay_open_is_in_the_ledger() -> None:
    facts = facts_of(KERNEL.replace("STEP", "Pair p(elsewhere(j), j); h[j] = p.first;"))
    assert facts.unknowns("gfx90a")
