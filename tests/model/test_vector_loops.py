"""Loops that clang for AMD runs as vectors of two numbers (`vectorized loop` of `-Rpass=loop-vectorize`, clang 19.1.7
for gfx90a); gfx90a and later have instructions for pairs of floats, gfx908 has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.passes.placement import executed
from regpress_lint.targets.compilers import habits

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine

KERNEL = """__global__ void k(const T* R a, const T* R b, T* R c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = 0;
  BODY
  c[i] = s;
}
"""
SUM = "for (int k = 0; k < n; ++k) s += a[k * 256 + i];"
COPY = "for (int k = 0; k < n; ++k) c[k * 256 + i] = a[k * 256 + i];"


def machine_of(code: str, target: str) -> Machine:
    return executed(facts_of(code).input_for(habits(target)))


def copies(body: str, type_: str = "int", target: str = "gfx90a", restrict: str = "__restrict__") -> int:
    """Iterations that are written side by side."""
    code = KERNEL.replace("BODY", body).replace("T", type_).replace("R ", f"{restrict} ")
    (note,) = machine_of(code, target).tally.plans
    return note.plan.copies


@pytest.mark.parametrize(
    "body",
    [
        SUM,
        "for (int k = 0; k < n; ++k) s -= a[k * 256 + i] * b[i];",
        "for (int k = 0; k < n; ++k) s = max(s, a[k * 256 + i]);",
        "for (int k = 0; k < n; ++k) s = a[k * 256 + i] > s ? a[k * 256 + i] : s;",
        "for (int k = 0; k < n; ++k) if (a[k * 256 + i] > 3) ++s;",
        "for (int k = 0; k < n; ++k) s += a[b[k * 256 + i]];",
        "for (int k = n - 1; k >= 0; --k) s ^= a[k * 256 + i];",
        "int v[2] = {}; for (int k = 0; k < n; ++k) { v[0] += a[k * 256 + i]; v[1] |= b[k]; } s = v[0] + v[1];",
        COPY,
        "for (long k = i; k < n; k += gridDim.x * blockDim.x) s += a[k];",
        "for (unsigned k = i; k < n; k += 256) s += a[k];",
        "for (unsigned long k = i; k < n; k += 32) s += a[k];",
    ],
)
def test_whole_numbers_are_added_up_in_two_lanes(body: str) -> None:
    assert copies(body) == 2


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < n; ++k) s = s * 3 + a[k * 256 + i];",
        "for (int k = 0; k < n; ++k) { s += a[k * 256 + i]; c[k * 256 + i] = s; }",
        "for (int k = 0; k < n; ++k) { int x = a[k * 256 + i]; if (x < 0) break; s += x; }",
        "for (int k = 0; k < n; ++k) if (a[k * 256 + i] > 3) s += b[k];",
        "for (int k = 0; k < n; ++k) { s += a[k * 256 + i]; __syncthreads(); }",
        "for (int k = 0; k < n; ++k) atomicAdd(&c[k * 256 + i], a[k * 256 + i]);",
        "int p = 0; for (int k = 0; k < n; ++k) if (a[k * 256 + i] > s) { s = a[k * 256 + i]; p = k; } s = p;",
        "for (int k = i; k < n; k += gridDim.x * blockDim.x) s += a[k];",
        "for (unsigned k = i; k < n; k += 24) s += a[k];",
        "for (unsigned long k = i; k < n; k += gridDim.x) s += a[k];",
        "for (int k = 1; k < n; ++k) c[k * 256 + i] = c[k * 256 - 256 + i] + a[k];",
    ],
)
def test_iterations_that_need_each_other_stay_one_after_the_other(body: str) -> None:
    assert copies(body) == 1


def test_only_what_fits_twice_into_a_pair_of_registers() -> None:
    assert copies(SUM, "long") == 1
    assert copies(COPY, "double") == 1


def test_shorter_numbers_have_more_lanes() -> None:
    assert (copies(COPY, "short"), copies(COPY, "unsigned char")) == (4, 8)


def test_elements_of_structs_are_not_beside_each_other() -> None:
    code = """struct Row { int v[4096]; };
__global__ void k(const Row* a, int* c) {
  int s = 0;
  for (int k = 0; k < 4096; ++k) s += a[k].v[threadIdx.x];
  c[threadIdx.x] = s;
}
"""
    (note,) = machine_of(code, "gfx90a").tally.plans
    assert note.plan.reason.startswith("2 lanes")


def test_floats_are_not_added_up_in_another_order() -> None:
    assert copies(SUM, "float") == 1
    assert copies(COPY, "float") == 2


def test_pointers_that_may_meet_are_not_compared_at_run_time() -> None:
    assert copies(COPY, restrict="") == 1
    assert copies("for (int k = 0; k < n; ++k) c[k * 256 + i] *= 3;", restrict="") == 2


def test_a_single_row_is_summed_up_in_four() -> None:
    """`interleaved count: 2`."""
    assert copies("for (int k = 0; k < n; ++k) s += a[i * n + k];") == 4
    assert copies("for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k];") == 2


def test_reads_of_a_lane_need_not_wait_for_writes_of_another() -> None:
    """clang takes 30 registers, for four roots side by side."""
    body = "for (int k = 0; k < n; ++k) c[i * n + k] = sqrtf(c[i * n + k]);"
    assert copies(body, "float") == 4
    code = KERNEL.replace("BODY", body).replace("T", "float").replace("R ", "")
    assert facts_of(code).target("gfx90a").registers.estimate == pytest.approx(30, rel=0.1)


LDS = "__shared__ T t[512]; for (HEAD) t[k] = a[k]; __syncthreads(); s = t[i % 512];"


@pytest.mark.parametrize(
    ("head", "type_", "number"),
    [
        ("int k = threadIdx.x; k < n; k += 256", "float", 16),
        ("int k = threadIdx.x; k < 512; k += blockDim.x", "float", 16),
        ("long k = threadIdx.x; k < n; k += 256", "float", 2),
        ("int k = threadIdx.x; k < n; k += blockDim.x", "float", 1),
        ("int k = threadIdx.x; k < n; k += 256", "double", 1),
        ("int k = threadIdx.x; k < 512; k += blockDim.x", "double", 1),
        ("int k = threadIdx.x; k < n; ++k", "double", 1),
        ("int k = 0; k < n; k += 2", "double", 8),
        ("int k = n; k > 0; --k", "double", 8),
        ("long k = 0; k < n; k += 2", "double", 1),
        ("int k = threadIdx.x; k < n; k += 256", "float2", 1),
    ],
)
def test_copies_that_fill_lds_need_a_cheap_count(head: str, type_: str, number: int) -> None:
    """clang 19.1.7 makes 8 copies of such a loop, of vectors or of single numbers, where it can say in front of it how
    often it runs by four instructions at most (`isHighCostExpansion` of ScalarEvolutionExpander.cpp).
    """
    assert copies(LDS.replace("HEAD", head), type_) == number


@pytest.mark.parametrize(("held", "expected"), [(2, 2), (3, 4), (8, 4)])
def test_sums_with_many_floats_held_are_of_two_vectors(held: int, expected: int) -> None:
    """The values that a loop holds, its start among them, are subtracted from four registers without a sign."""
    names = [f"h{number}" for number in range(held)]
    before = "".join(f"T {name} = b[i * 8 + {number}]; " for number, name in enumerate(names))
    total = " + ".join(f"{name} * {'xy'[number % 2]}" for number, name in enumerate(names))
    loop = f"for (int k = i; k < n; k += 16) {{ T x = a[k], y = a[k + n]; if ({total} < 4) ++count; }}"
    assert copies(f"{before}int count = 0; {loop} s = count;", "float") == expected


def test_floats_held_in_a_loop_of_vectors_are_there_twice_more() -> None:
    """clang takes 60 registers with eight of them, 24 with none."""
    names = [f"h{number}" for number in range(8)]
    before = "".join(f"T {name} = b[i * 8 + {number}]; " for number, name in enumerate(names))
    total = " + ".join(f"{name} * {'xy'[number % 2]}" for number, name in enumerate(names))
    loop = "for (int k = i; k < n; k += 16) {{ T x = a[k], y = a[k + n]; if ({} < 4) ++count; }}"
    with_, without = (
        KERNEL.replace("BODY", f"{held}int count = 0; {loop.format(value)} s = count;").replace("T", "float")
        for held, value in ((before, total), ("", "x * y"))
    )
    alive = [facts_of(code.replace("R ", " ")).peak("gfx90a").registers for code in (with_, without)]
    assert alive[0] - alive[1] >= 3 * 8


def test_eight_iterations_at_most_are_as_many_copies() -> None:
    """Of a loop that fills LDS clang 19.1.7 makes eight copies, and no loop is left where it has no more iterations; of
    fewer it makes none, and the first five of these every thread needs.
    """
    head = "int k = threadIdx.x; k < LIMIT; k += 256"
    copied = {limit: copies(LDS.replace("HEAD", head.replace("LIMIT", limit)), "double") for limit in ("1024", "2048")}
    assert copied == {"1024": 1, "2048": 8}


@pytest.mark.parametrize(
    ("head", "number"),
    [
        ("int k = 0; k < n; ++k", 4),
        ("int k = i; k < n; ++k", 4),
        ("long k = i; k < n; ++k", 2),
        ("int k = i; k < i + n; ++k", 2),
        ("int k = i; k < 4096; k += blockDim.x", 2),
    ],
)
def test_two_vectors_at_a_time_where_the_head_holds_little(head: str, number: int) -> None:
    """`interleaved count: 2` where start, bound and step are arguments and constants, except one."""
    assert copies(f"for ({head}) s += a[k];") == number


def test_vectors_of_a_thread_that_counts_by_itself_hold_the_count() -> None:
    """clang takes 26 registers, which hold how many there are, how many are done in pairs, and how many are left."""
    code = KERNEL.replace("BODY", "for (int k = i; k < n; k += 256) c[k] = a[k] * 2 + b[k];")
    registers = facts_of(code.replace("T", "float").replace("R ", "__restrict__ ")).target("gfx90a").registers
    assert registers.low <= 26 <= registers.high


def test_lanes_beside_each_other_are_read_by_one_instruction() -> None:
    """LLVM then makes more copies of the vectors (`unrolled loop by a factor of 8`, and of 16)."""
    assert copies("for (int k = 0; k < 256; ++k) s += a[k * 256 + i];") == 16
    assert copies("for (int k = 0; k < 256; ++k) s += a[i * 256 + k];") == 32


def test_a_pragma_counts_vectors() -> None:
    assert copies("#pragma unroll 4\n  " + SUM) == 8


def test_other_gpus_have_no_vectors_of_them() -> None:
    assert copies(SUM, target="gfx942") == 2
    assert copies(SUM, target="gfx908") == 1
    assert copies(SUM, target="gfx1100") == 1


def test_the_lanes_are_added_up_behind_the_loop() -> None:
    code = KERNEL.replace("BODY", SUM).replace("T", "int").replace("R ", "")
    graph = machine_of(code, "gfx90a").graph
    ends = {value for value, op in enumerate(graph.ops) if op == "exit"}
    assert any(op == "+" and ends.issuperset(graph.args[value]) for value, op in enumerate(graph.ops))
