"""Loops of which only the most iterations are known (clang 19 for gfx90a, nvcc 13.0 for sm_90, IGC 1.0.12504 for pvc).

Each form was compiled with 8 to 64 doubles: clang leaves the loop and the array in memory, nvcc copies it as often as
it may run, and IGC does what clang does.
"""

from __future__ import annotations

import pytest
from ssa_helpers import run

_KERNEL = """
double v[{most}]; for (int q = 0; q < {most}; q++) v[q] = 0;
{before} for (int i = 0; {test}; i++) {{ v[i] += a[i * 32 + tid]; }}
for (int q = 0; q < {most}; q++) d[q * 32 + tid] = v[q];
"""
_STRIDED = """
double v[32]; for (int q = 0; q < 32; q++) v[q] = 0;
{before} for (int i = 0; e < n && i < 32; i++) {{ v[i] += a[e]; e += blockDim.x; }}
for (int q = 0; q < 32; q++) d[q * 32 + tid] = v[q];
"""
_SUM = "float s = 0; for (int i = 0; i < min(n, {most}); i++) s += a[i * 32 + tid]; b[tid] = s;"


def _in_memory(test: str, vendor: str, most: int = 32, before: str = "") -> bool:
    text = _KERNEL.format(most=most, test=test.format(most=most), before=before.format(most=most))
    return bool(run(text, vendor=vendor).arrays.in_memory)


@pytest.mark.parametrize(
    ("test", "before"),
    [
        ("i < min(n, {most})", ""),
        ("i < std::min(n, {most})", ""),
        ("i < e", "const int e = min(n, {most});"),
        ("i < (n < {most} ? n : {most})", ""),
        ("i < (n >= {most} ? {most} : n)", ""),
        ("i < n && i < {most}", ""),
        ("i < {most} && i < n", ""),
        ("i < (n & {most} - 1)", ""),
        ("a[i] > 0.5f && i < {most}", ""),  # what is asked second is cheap
    ],
)
def test_only_nvcc_copies_a_bounded_loop(test: str, before: str) -> None:
    assert _in_memory(test, "amd", before=before)
    assert not _in_memory(test, "nvidia", before=before)


@pytest.mark.parametrize("test", ["i < {most} && a[i] > 0.5f", "i < {most} && v[i] < 4.0"])
def test_a_second_exit_is_copied_by_both(test: str) -> None:
    assert not _in_memory(test, "amd")
    assert not _in_memory(test, "nvidia")


def test_expression_that_bounds_nothing_is_not_a_bound() -> None:
    for vendor in ("amd", "nvidia"):
        assert _in_memory("i < max(n, {most})", vendor)
        assert _in_memory("i < (n > {most} ? n : {most})", vendor)
        assert _in_memory("i < e--", vendor, before="int e = min(n, {most});")


@pytest.mark.parametrize(("most", "memory"), [(8, False), (9, True), (20, True)])
def test_clang_copies_up_to_eight_for_a_pragma(most: int, memory: bool) -> None:
    found = run(_KERNEL.format(most=most, test=f"i < min(n, {most})", before="\n#pragma unroll\n"), vendor="amd")
    assert (found.tally.loops_kept == 1) == memory


@pytest.mark.parametrize("test", ["i < min(n, {most})", "i < {most} && i < n", "i < (n & {most} - 1)"])
@pytest.mark.parametrize(("number", "by_clang"), [(8, True), (32, False), (64, False)])
def test_number_in_a_pragma_is_enough_for_clang_and_keeps_the_loop_for_nvcc(
    test: str, number: int, by_clang: bool
) -> None:
    before = f"\n#pragma unroll {number}\n"
    assert _in_memory(test, "nvidia", before=before)
    assert _in_memory(test, "amd", before=before) == by_clang


def test_number_in_a_pragma_is_enough_for_nvcc_where_all_iterations_are_counted() -> None:
    for test, memory in (("i < {most} && a[i] > 0.5f", False), ("i < {most} && i < n", True)):
        assert _in_memory(test, "nvidia", before="\n#pragma unroll 32\n") == memory


@pytest.mark.parametrize(("number", "memory"), [(8, True), (32, False)])
def test_number_in_a_pragma_is_enough_where_iterations_cannot_be_counted(number: int, memory: bool) -> None:
    pragma = f"int e = tid;\n#pragma unroll {number}\n"
    for vendor in ("amd", "nvidia"):
        found = run(_STRIDED.format(before=pragma), vendor=vendor)
        assert bool(found.arrays.in_memory) == memory


@pytest.mark.parametrize(("most", "bodies"), [(4, 1), (16, 1), (24, 4), (256, 4)])
def test_nvcc_copies_long_loops_four_times_without_an_array(most: int, bodies: int) -> None:
    assert [note.plan.copies for note in run(_SUM.format(most=most), vendor="nvidia").tally.plans] == [bodies]
    assert [note.plan.copies for note in run(_SUM.format(most=most), vendor="amd").tally.plans] == [1]


_LEFT = """
double v[32]; for (int q = 0; q < 32; q++) v[q] = 0;
for (int j = 0; j < n; j++) for (int i = 0; i < 32; i++) {{ {body} }}
for (int q = 0; q < 32; q++) d[q * 32 + tid] = v[q];
"""
_ADD = "v[i] += a[i * 32 + tid];"


def _left_in_memory(body: str, vendor: str) -> bool:
    return bool(run(_LEFT.format(body=body), vendor=vendor).arrays.in_memory)


@pytest.mark.parametrize(
    "body",
    [
        f"if (i >= n) break; {_ADD}",
        f"if (tid + i >= n) {{ break; }} {_ADD}",
        f"if (i * 3 == n) break; {_ADD}",
        f"if (i < n) {{ {_ADD} }} else break;",
        f"if (i >= n || a[i] < 0) break; {_ADD}",
        f"if (i >= n) break; if (a[i] < 0) break; {_ADD}",
    ],
)
def test_a_break_at_the_top_is_one_exit_with_the_test(body: str) -> None:
    assert _left_in_memory(body, "amd")
    assert _left_in_memory(body, "intel")
    assert not _left_in_memory(body, "nvidia")


def test_only_clang_counts_a_break_at_the_end_as_an_exit() -> None:
    assert _left_in_memory(f"{_ADD} if (i >= n) break;", "amd")
    assert not _left_in_memory(f"{_ADD} if (i >= n) break;", "nvidia")


@pytest.mark.parametrize(
    "body",
    [
        f"if (a[i] < 0) break; {_ADD}",  # reads
        f"b[i * 77 + tid] = j; if (i >= n) break; {_ADD}",  # behind a write
        f"if (j >= n - 3) break; {_ADD}",  # the loop does not change it: a loop for either answer
        f"if (i >= n) return; {_ADD}",  # goes elsewhere
    ],
)
def test_other_exits_are_copied_with_the_body(body: str) -> None:
    assert not _left_in_memory(body, "amd")
