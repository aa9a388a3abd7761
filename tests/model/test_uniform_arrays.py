"""Arrays that all threads of a wave fill alike: IGC keeps one copy in registers, of eight times as many bytes."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ALIKE = "for (int j = 0; j < 64; ++j) a[j] = {};"
READ = "o[t + m] = a[ix[t] & 63];"


def scratch(body: str, target: str = "pvc", kind: str = "float") -> int:
    text = f"""__kernel void k(__global float* o, __global const float* in, __global const int* ix, int n, int m) {{
  int t = get_global_id(0);
  {kind} a[64];
  {body}
}}
"""
    file = testing.build(text, "k.cl", "opencl")
    return scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=(target,))), target)


@pytest.mark.parametrize("value", ["1", "j * 3 + 1", "n", "in[n + j]", "get_group_id(0)"])
def test_what_is_the_same_in_all_threads_is_held_once(value: str) -> None:
    """ocloc with IGC 1.0.12504, as all numbers here."""
    assert scratch(ALIKE.format(value) + READ) == 0


@pytest.mark.parametrize("value", ["t", "in[t]", "in[t + j * n]"])
def test_what_differs_from_thread_to_thread_takes_memory(value: str) -> None:
    assert scratch(ALIKE.format(value) + READ) == 256


@pytest.mark.parametrize(
    ("change", "in_memory"),
    [
        *(("a[n & 63] = m;", False), ("for (int i = 0; i < n; ++i) a[i & 63] += m;", False)),
        *(("a[ix[t] & 63] = 1;", True), ("if (n > 5) a[3] = 2;", False), ("if (t > n) a[3] = 2;", True)),
        *(("for (int i = t; i > 0; i >>= 1) a[3] = 1;", True), ("if (t > n) return;", False)),
        ("for (int i = 0; i < m; ++i) { a[3] = i; if (ix[t + i] == 1) break; }", True),
    ],
)
def test_one_write_by_some_threads_is_enough(change: str, in_memory: bool) -> None:
    assert bool(scratch(ALIKE.format(1) + change + READ)) == in_memory


def test_a_branch_around_the_declaration_does_not_count() -> None:
    inside = "if (t > n) { float b[64]; for (int j = 0; j < 64; ++j) b[j] = 1; o[t] = b[ix[t] & 63]; }"
    assert scratch(inside) == 0


def test_a_value_at_a_constant_index_goes_to_its_reads() -> None:
    fill = "#pragma unroll 1\nfor (int j = 0; j < 64; ++j) a[j] = 1; "
    assert scratch(fill + "a[13] = in[t]; o[t] = a[13] + a[9];") == 0
    assert scratch(fill + "a[13] = in[t];" + READ) == 256


def test_others_hold_a_copy_for_each_thread() -> None:
    assert scratch("for (int j = 0; j < 64; ++j) a[j] = 1;" + READ, "gfx90a") > 0
    assert scratch(ALIKE.format("n") + READ, kind="uchar") == 64, "bytes are never indexed in registers"


@pytest.mark.parametrize(("iterations", "in_memory"), [(4, False), (8, False), (16, True)])
def test_a_bounded_loop_that_reads_an_array_is_copied(iterations: int, in_memory: bool) -> None:
    fill = ALIKE.format("in[t + j * n]")
    loop = f"float s = 0; for (int i = 0; i < {iterations} && i < n; ++i) s += a[i]; o[t] = s;"
    assert bool(scratch(fill + loop)) == in_memory
