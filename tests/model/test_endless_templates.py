"""Templates that call themselves with the next number, which a specialisation ends that the source does not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_helpers import facts_of

from regpress_lint.source.reached_calls import MOST_INSTANTIATIONS, without_dead

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.source.cfg import Flow

NETWORK = """
template <int I, int N>
struct Network {
  template <typename K>
  static __device__ void sort(K* keys) {
    for (int i = 1 & I; i < N - 1; i += 2)
      if (keys[i + 1] < keys[i]) { K t = keys[i]; keys[i] = keys[i + 1]; keys[i + 1] = t; }
    Network<I + 1, N>::sort(keys);
  }
};
template <int I>
struct Network<I, I> {
  template <typename K>
  static __device__ void sort(K* keys) {}
};
template <int N, typename K>
__global__ void sorted(K* keys) {
  K own[N];
  for (int i = 0; i < N; ++i) own[i] = keys[threadIdx.x * N + i];
  if (sizeof(int) == 8) own[0] = keys[1];
  Network<0, N>::sort(own);
  for (int i = 0; i < N; ++i) keys[threadIdx.x * N + i] = own[i];
}
"""


def test_live_calls_beside_dead_branches_are_followed() -> None:
    facts = facts_of(NETWORK, "cuda")
    walked: list[Function] = []

    def flow_of(function: Function) -> Flow:
        walked.append(function)
        assert len(walked) <= 4 * MOST_INSTANTIATIONS, "the walk has no end"
        return facts.flow_of(function)

    variables = facts.flow_of(facts.kernel.function).declared
    declared = [array for variable in variables if (array := facts.array_of(variable)) is not None]
    assert [array.variable.name for array in declared] == ["own"]
    kept = without_dead(declared, facts.kernel.function, facts.environment, flow_of, facts.callee_of)
    assert [array.variable.name for array in kept] == ["own"]
    assert len({function.name for function in walked}) == 2
