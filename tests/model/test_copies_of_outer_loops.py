"""nvcc copies a loop that stays where those inside it are gone, as often as the size of the rest allows.

Copies by nvcc 13.0.88 for sm_90, counted in its PTX.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

SUM = "s[j] += a[q * SIZE + j + t];"
HASH = "s[j] = (s[j] ^ v) * 5;"
COLUMN = "s[0] += a[(q * SIZE + j) * m + t];"


def copies(statement: str, size: int, head: str = "int q = 0; q < n; ++q", around: str = "") -> int:
    """Copies of a loop around one of so many iterations."""
    text = f"""__global__ void k(int* b, const int* a, int n, int m) {{
  int t = threadIdx.x, s[SIZE] = {{0}};
  for ({head}) {{
    {around}
    int v = a[q * 32 + t];
    for (int j = 0; j < SIZE; ++j) {statement}
  }}
  for (int j = 0; j < SIZE; ++j) b[t * SIZE + j] = s[j];
}}
"""
    (made,) = facts_of(text.replace("SIZE", str(size)), "cuda").execution("sm_90").notes.copies.values()
    return made


@pytest.mark.parametrize(
    ("statement", "fours", "twos", "one"), [(SUM, 8, 10, 20), (SUM, 8, 17, 20), (HASH, 20, 24, 48), (COLUMN, 5, 8, 14)]
)
def test_the_rest_of_a_loop_decides(statement: str, fours: int, twos: int, one: int) -> None:
    assert (copies(statement, fours), copies(statement, twos), copies(statement, one)) == (4, 2, 1)


def test_iterations_that_are_counted_in_the_source_divide() -> None:
    assert [copies(SUM, size, "int q = 0; q < 1000; ++q") for size in (2, 8, 16)] == [8, 4, 2]


def test_one_with_another_loop_inside_or_an_exit_is_not_copied() -> None:
    assert copies(SUM, 4, around="if (a[q * 7] < 0) break;") == 1
    facts = facts_of(
        """__global__ void k(float* b, const float* a, int n) {
  float s = 0;
  for (int q = 0; q < n; ++q)
    for (int j = 0; j < n; ++j) s += a[q * n + j];
  b[threadIdx.x] = s;
}
""",
        "cuda",
    )
    assert sorted(facts.execution("sm_90").notes.copies.values()) == [1, 4]


def test_a_loop_without_one_inside_is_copied_by_the_same_size() -> None:
    def flat(count: int) -> int:
        sums = " ".join(f"s{k} += a[q * {count} + {k} + t];" for k in range(count))
        names = ", ".join(f"s{k} = 0" for k in range(count))
        writes = " ".join(f"b[t * {count} + {k}] = s{k};" for k in range(count))
        text = f"__global__ void k(int* b, const int* a, int n) {{ int t = threadIdx.x, {names}; "
        text += f"for (int q = 0; q < n; ++q) {{ {sums} }} {writes} }}"
        (made,) = facts_of(text, "cuda").execution("sm_90").notes.copies.values()
        return made

    assert [flat(count) for count in (8, 10, 18, 20)] == [4, 2, 2, 1]
