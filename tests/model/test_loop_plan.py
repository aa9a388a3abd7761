"""How large a loop's body may be until a compiler keeps it: measured (`tools/measure/loop_limits.py`), planned."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of, trace_of
from corpus import drawn
from ssa_helpers import kernel_text, run

from regpress_lint.targets.compilers.amdgpu import LLVM
from regpress_lint.targets.compilers.igc import IGC_LOOPS
from regpress_lint.targets.compilers.nvcc import NVVM
from regpress_lint.targets.loop_plan import ALL, Shape, allowance, most, plan, settled
from regpress_lint.targets.occupancy import architecture
from tools.measure.loop_limits import Limit, limits, options, planned

if TYPE_CHECKING:
    from regpress_lint.targets.compilers.traits import Unrolling


# clang 19 for gfx1100 (for gfx90a it makes vectors of two elements of an array first), nvcc 13.0 for sm_90, IGC.
@pytest.mark.parametrize("row", drawn(limits(), 6), ids=lambda row: f"{row.target}-{row.series}-{row.trips}")
def test_loops_are_kept_where_compilers_keep_them(row: Limit) -> None:
    """About there, and just where it is written down (`python -m tools.measure.loop_limits --planned`)."""
    is_planned = partial(planned, architecture(row.target).vendor, row.series, row.trips)
    assert 0.75 * row.compiler - 1 <= row.planned <= 1.25 * row.compiler + 2
    assert is_planned(row.planned)
    assert not is_planned(row.planned + 1)


# What LLVM counts for the branch that is left, and that a limit is not reached: `UnrolledSize < Threshold`.
_BRANCH = 6


@pytest.mark.parametrize(
    ("option", "shape"),
    [
        ("unroll-threshold-aggressive", Shape(None)),
        ("amdgpu-unroll-threshold-private", Shape(None, arrays=(64,))),
        ("amdgpu-unroll-threshold-local", Shape(None, shared=1)),
    ],
)
def test_unrolling_fills_clangs_allowance(option: str, shape: Shape) -> None:
    """From `python -m tools.measure.loop_limits --options` (clang); each copy's counter and branch count as two."""
    room = options()[option] - _BRANCH
    for trips in range(34, 148):
        size = room // trips - 2
        assert plan(shape._replace(trips=trips, size=size), LLVM).whole
        assert not plan(shape._replace(trips=trips, size=size + 1), LLVM).whole


def test_pragma_has_clangs_allowance() -> None:
    room = options()["pragma-unroll-threshold"]
    assert plan(Shape(128, 128, size=room // 128 - 2), LLVM).whole
    assert not plan(Shape(113, 113, size=room // 113 - 2 + 1), LLVM).whole


def test_loop_with_a_known_maximum_is_unrolled_like_clang() -> None:
    most = options()["unroll-max-upperbound"]
    assert settled(Shape(None, ALL, size=4, most=most), LLVM).trips == most
    assert settled(Shape(None, ALL, size=4, most=most + 1), LLVM).trips is None


@pytest.mark.parametrize(
    ("table", "copied"), [(LLVM, (8, None, None)), (NVVM, (8, 9, 400)), (IGC_LOOPS, (8, None, None))]
)
def test_with_a_pragma_nvcc_copies_a_loop_as_often_as_it_is_bounded(
    table: Unrolling, copied: tuple[int | None, ...]
) -> None:
    assert tuple(settled(Shape(None, ALL, size=4, most=most), table).trips for most in (8, 9, 400)) == copied


@pytest.mark.parametrize(("table", "copied"), [(LLVM, None), (NVVM, 8), (IGC_LOOPS, 8)])
def test_without_one_nvcc_and_igc_do_so_for_an_array(table: Unrolling, copied: int | None) -> None:
    assert settled(Shape(None, size=4, most=8, arrays=(64,)), table).trips == copied
    assert settled(Shape(None, size=4, most=8), table).trips is None


@pytest.mark.parametrize("size", [3, 8, 27])
def test_copies_of_a_loop_that_stays_fill_half_of_it(size: int) -> None:
    """As many as divide the iterations; a default of clang's for all loops, less what the branch takes."""
    largest = (options()["unroll-threshold-default"] - _BRANCH + 1) // (size + 2)
    for trips in range(151, 400):
        fitting = max(count for count in range(1, largest + 1) if trips % count == 0)
        copies = plan(Shape(trips, size=size), LLVM).copies
        assert copies == fitting if fitting > 1 else copies <= 8


def test_an_alloca_of_more_than_960_bytes_gives_nothing_to_clang() -> None:
    assert plan(Shape(240, size=6, arrays=(960,)), LLVM).whole
    assert not plan(Shape(241, size=6, arrays=(964,)), LLVM).whole
    assert plan(Shape(241, size=6, arrays=(964,)), NVVM).whole


@pytest.mark.parametrize(
    ("shape", "copies"),
    [
        (Shape(300, size=8), 12),  # clang 19: the largest divisor of 300 with which they fit into 150
        (Shape(240, size=11), 10),
        (Shape(240, size=27), 5),  # five copies are 145, which is just what they may have
        (Shape(None, size=5), 1),
        (Shape(None, size=5, shared=1), 8),
        (Shape(None, factor=4, size=5), 4),
        (Shape(8, factor=2, size=5), 2),
    ],
)
def test_copies_in_a_loop_that_stays(shape: Shape, copies: int) -> None:
    found = plan(shape, LLVM)
    assert (found.whole, found.copies) == (False, copies)


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        (Shape(8, size=5), "8 copies of 5, a loop may have 705"),
        (Shape(None, size=8, countable=False), "its iterations cannot be counted"),
        (Shape(None, size=8), "its iterations are counted at run time"),
        (Shape(300, size=8, exits=True), "it is left early"),
        # An array takes its place in registers by copies, exits or not.
        (Shape(300, size=8, exits=True, arrays=(1200,)), "300 copies of 10, a loop may have 294"),
        (Shape(300, 4, 8), "a pragma requests 4"),
        (Shape(300, 300, 80), "300 copies of 82, a pragma allows 16384"),
        (Shape(300, size=8, written=2000), "the graph is large enough"),
        (Shape(300, size=8), "300 copies of 10, a loop may have 294"),
    ],
)
def test_plan_names_its_reason(shape: Shape, reason: str) -> None:
    """What `regpress-lint ir --after build` prints."""
    assert plan(shape, LLVM).reason == reason


@pytest.mark.parametrize(("size", "copies"), [(9, 16), (20, 8), (40, 4), (90, 2), (150, 1)])
def test_nvcc_copies_by_powers_of_two_that_divide_the_iterations(size: int, copies: int) -> None:
    assert plan(Shape(4096, size=size), NVVM).copies == copies


@pytest.mark.parametrize("table", [LLVM, NVVM, IGC_LOOPS])
@pytest.mark.parametrize("shape", [Shape(16), Shape(16, arrays=(64,)), Shape(16, shared=1), Shape(None), Shape(16, 4)])
def test_no_size_of_a_copy_allows_more_than_the_most(shape: Shape, table: Unrolling) -> None:
    assert all(allowance(shape._replace(size=size), table)[0] <= most(shape, table) for size in range(1, 60))


# Copies of a loop whose trip count no power of two, and on AMD no small divisor, goes into: reads that clang 19 and
# nvcc 13.0 leave in it, by the size of its body.
@pytest.mark.parametrize(
    ("table", "shape", "copies"),
    [
        (LLVM, Shape(251, size=4), 8),
        (LLVM, Shape(251, size=30), 4),
        (LLVM, Shape(251, size=60), 2),
        (LLVM, Shape(251, size=80), 1),
        (LLVM, Shape(254, size=4), 2),  # a divisor is taken, however few copies it makes
        (LLVM, Shape(1251, size=4), 9),
        (NVVM, Shape(251, size=4), 4),
        (NVVM, Shape(1251, size=48), 4),
        (NVVM, Shape(1251, size=90), 2),
        (NVVM, Shape(1250, size=4), 2),
        (NVVM, Shape(251, size=4, exits=True), 1),
        (NVVM, Shape(251, size=4, countable=False), 1),
    ],
)
def test_indivisible_trip_count_has_a_remainder(table: Unrolling, shape: Shape, copies: int) -> None:
    assert plan(shape, table)[:2] == (copies, False)


def test_a_trial_that_is_taken_back_keeps_no_loop() -> None:
    inner = "for (int k = 0; k < n; k++) b[tid] += a[k * j + i];"
    text = f"for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) {{ {inner} {inner} }}"
    assert run(text).tally.loops_kept == 4


def test_loop_kept_because_of_graph_size_is_reported() -> None:
    table = NVVM
    small = Shape(8, 8, 6, arrays=(32,), written=100)
    assert plan(small, table).whole
    large = plan(small._replace(written=20_000), table)
    assert not large.whole
    assert large.given_up
    assert not plan(small._replace(factor=4, written=20_000), table).given_up


def test_a_macro_around_an_index_changes_no_copies() -> None:
    """nvcc takes 56 registers and 4,096 bytes of memory for both (`large_local` of `testdata/golden`)."""
    loop = "for (int k = 0; k < 128; k++) ELEMENT(k) = ELEMENT(2 * k) * 3;"
    text = f"""#define AT(a, i) (a)[i]
__global__ void k(float* p, int n) {{
  float v[1024];
  for (int k = 0; k < 1024; k++) v[k] = p[k * n];
  {loop}
  p[n] = v[n];
}}
"""
    plain, by_macro = (
        trace_of(facts_of(text.replace("ELEMENT(2 * k)", second).replace("ELEMENT(k)", first), "cuda"), "sm_90")
        for first, second in (("v[k]", "v[2 * k]"), ("AT(v, k)", "AT(v, 2 * k)"))
    )
    assert by_macro.held.vector == plain.held.vector


@pytest.mark.parametrize(("trips", "copies"), [(56, 28), (64, 32), (96, 48), (53, 1)])
def test_clang_copies_calls_as_often_as_its_allowance_for_a_pragma_and_the_iterations_let_it(
    trips: int, copies: int
) -> None:
    made = plan(Shape(trips, ALL, 330, calls=True), LLVM)
    assert (made.whole, made.copies) == (False, copies)


@pytest.mark.parametrize(("trips", "used"), [(32, 144), (64, 157), (96, 221)])
def test_half_of_many_copies_of_calls_hold_as_much_as_so_many_alone(trips: int, used: int) -> None:
    """clang 19.1.7, gfx90a, `__launch_bounds__(256)`."""
    loop = f"for (int k = 0; k < {trips}; k++) {{ float x = a[k * 64 + tid]; s += sinf(x) * expf(x); }}"
    body = f"float s = 0;\n#pragma unroll\n{loop} a[tid] = s;"
    text = kernel_text(body, "float *a").replace("void k", "__launch_bounds__(256) void k")
    registers = facts_of(text).target("gfx90a").registers
    assert registers.low <= used <= registers.high
