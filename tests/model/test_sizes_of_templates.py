"""Sizes that templates settle: a kernel has the registers that it has with the number written out.

With 36 floats nvcc 13.0.88 takes 48 registers for sm_90 in each of these forms; 25 to 32 were said without a word.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

CLASSES = """
template <int N> constexpr int twice = N * 2;
template <typename T> constexpr int lanes = 4;
template <> constexpr int lanes<float> = 36;
template <typename T> constexpr int lanes<T *> = 36;
template <bool B> constexpr int pick = B ? 36 : 4;
template <int N> struct Tile { static constexpr int v = N * 2; };
template <typename T, int N> struct Row { static constexpr int v = N * 2; };
template <int N, bool Small> struct Chosen { static constexpr int v = N; };
template <int N> struct Chosen<N, true> { static constexpr int v = 36; };
template <typename T, bool Wide = (sizeof(T) > 4)> struct Trait { static constexpr int v = 36; };
template <typename T> struct Trait<T, true> { static constexpr int v = 20; };
template <typename T, typename E = void> struct Real { static constexpr int v = 8; };
template <typename T> struct Real<T, std::enable_if_t<std::is_floating_point<T>::value>> {
  static constexpr int v = 36; };
template <typename T, typename E = void> struct Double { static constexpr int v = 36; };
template <typename T> struct Double<T, typename std::enable_if<sizeof(T) == 8>::type> { static constexpr int v = 20; };
"""
LOOPS = """float h[{0}]; int t = threadIdx.x;
  for (int i = 0; i < {0}; ++i) h[i] = p[i * 64 + t];
  for (int r = 0; r < n; ++r) for (int i = 0; i < {0}; ++i) h[i] = h[i] * h[(i + 1) % ({0})] + p[r];
  for (int i = 0; i < {0}; ++i) o[i * 64 + t] = h[i];"""
ARGUMENTS = "(const float *p, float *o, int n)"
FORMS = [
    *("twice<18>", "lanes<float>", "lanes<int *>", "pick<(3 < 4)>", "Tile<18>::v", "Row<float, 18>::v"),
    *("Row<unsigned int, 9 * 2>::v", "Chosen<4, (4 < 8)>::v", "Chosen<4, true>::v", "Trait<float>::v"),
    *("Real<float>::v", "Double<float>::v"),
]


def registers(kernel: str) -> tuple[int, int, int]:
    """The band of a text's only kernel."""
    found = facts_of(CLASSES + kernel).target("sm_90").registers
    return found.low, found.estimate, found.high


LITERAL = f"__global__ void k{ARGUMENTS} {{ {LOOPS.format(36)} }}"


@pytest.mark.parametrize("form", FORMS)
def test_a_constant_of_a_template_is_a_number(form: str) -> None:
    assert registers(f"__global__ void k{ARGUMENTS} {{ {LOOPS.format(form)} }}") == registers(LITERAL)


@pytest.mark.parametrize("form", ["twice<N>", "Tile<N>::v", "Row<float, N>::v", "Chosen<N, (N < 20)>::v"])
@pytest.mark.parametrize("way", ["kernel", "function"])
def test_in_terms_of_a_parameter_as_well(form: str, way: str) -> None:
    head, body = ("template <int N> ", LOOPS.format(form))
    if way == "kernel":
        text = f"{head}__global__ void k{ARGUMENTS} {{ {body} }}\ntemplate __global__ void k<18>{ARGUMENTS};"
    else:
        text = f"{head}__device__ void f{ARGUMENTS} {{ {body} }}\n__global__ void k{ARGUMENTS} {{ f<18>(p, o, n); }}"
    assert registers(text) == registers(LITERAL)


def test_an_unknown_size_in_a_function_is_said() -> None:
    text = f"""template <int N> __device__ void f{ARGUMENTS} {{ {LOOPS.format("N")} }}
      __global__ void k{ARGUMENTS} {{ f<far::Away<3>::size>(p, o, n); }}"""
    facts = facts_of(text)
    assert ("size", "h") in [(each.kind, each.name) for each in facts.unknowns("sm_90")]
    assert facts.target("sm_90").registers.high == 255


def test_comparisons_that_look_like_template_arguments() -> None:
    """`i < n && m > (r + 1)` is two comparisons, and calls nothing."""
    body = LOOPS.format(36).replace("r < n;", "r < n && m > (r + 1);")
    facts = facts_of(f"__global__ void k(const float *p, float *o, int n, int m) {{ {body} }}")
    assert not facts.unknowns("sm_90")
