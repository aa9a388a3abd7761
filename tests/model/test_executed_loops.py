"""Loops that stay loops: copies of their bodies by compilers, and values live in them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import compilers
import pytest
from loop_sources import INDEX, SUM, functions, kernels
from ssa_helpers import count, named, run, trace

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.interpreter import private_objects

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


# ------------------------------------------------------------------------------------------- nvcc's countable loops

LONG_BODY = " ".join(f"s = s * s + {k}.5f;" for k in range(90))
# Loops and whether nvcc counts their iterations before they run: then it makes four copies of the body.
COUNTABLE = {
    "step_one": ("for (int k = 0; k < n; k++) s += a[k * n + tid];", True),
    "step_one_unsigned": ("for (unsigned k = 0; k < u; k++) s += a[k * n + tid];", True),
    "step_down": ("for (int k = n; k > 0; k--) s += a[k * n + tid];", True),
    "step_four": ("for (int k = 0; k < n; k += 4) s += a[k * n + tid];", True),
    "step_four_in_full": ("for (int k = 0; k < n; k = k + 4) s += a[k * n + tid];", True),
    "step_halving": ("for (int k = n; k > 0; k = k / 2) s += a[k * n + tid];", False),
    "stride_macro": ("\n#define BLOCK 128\nfor (int k = tid; k < n; k += BLOCK) s += a[k];", True),
    "bound_of_floats": ("float most = n * 0.5f; for (int k = 0; k < most; k++) s += a[k * n + tid];", False),
    "bound_of_64_bits": ("long most = n; for (int k = 0; k < most; k++) s += a[k * n + tid];", True),
    "bound_beyond_unsigned": ("size_t most = n; for (unsigned k = 0; k < most; k++) s += a[k * n + tid];", False),
    "counter_of_64_bits": ("for (size_t k = 0; k < u; k++) s += a[k * n + tid];", True),
    "step_four_unsigned": ("for (unsigned k = 0; k < u; k += 4) s += a[k * n + tid];", False),
    "stride_signed": ("for (int k = tid; k < n; k += m) s += a[k];", True),
    "stride_unsigned": ("for (unsigned k = tid; k < u; k += m) s += a[k];", False),
    "stride_block": ("for (int k = tid; k < n; k += blockDim.x) s += a[k];", False),
    "stride_grid": ("int by = blockDim.x * gridDim.x; for (int k = tid; k < n; k += by) s += a[k];", True),
    "step_one_written_out": ("for (unsigned k = 0; k < u; k += 1) s += a[k * n + tid];", True),
    "not_equal": ("for (int k = 0; k != n; k++) s += a[k * n + tid];", True),
    "doubling": ("for (int k = 1; k < n; k *= 2) s += a[k * n + tid];", False),
    "searching": ("for (int k = 0; k < n; k++) { float y = a[k * n + tid]; if (y < 0) break; s += y; }", False),
    "walking": ("for (int k = tid; k != n; k = x[k]) s += 1;", False),
    "moving_stride": ("int by = 1; for (int k = 0; k < n; k += by) { s += a[k * n + tid]; by++; }", False),
    "with_barrier": ("for (int k = 0; k < n; k++) { s += a[k * n + tid]; __syncthreads(); }", True),
    "skipping": ("for (int k = 0; k < n; k++) { if (k == tid) continue; s += a[k * n + tid]; }", True),
    "counted_down": ("while (n--) s += a[n * m + tid];", True),
    "until_zero": ("for (; n; --n) s += a[n * m + tid];", True),
    "step_first": ("int k = 0; while (k < n) { k++; s += a[k * m + tid]; }", True),
    "step_between": ("int k = 0; while (k < n) { s += a[k * m + tid]; k++; s *= 3; }", True),
    "step_inside": ("int k = 0; while (k < n) { s += a[k++ * m + tid]; s *= 3; }", True),
    "bound_in_what_it_writes_through": (
        "struct { float *x[16]; int n; } w = {{b}, m}; for (int k = 0; k < w.n; k++) { w.x[0][k] = 1; s += a[k * n]; }",
        True,
    ),
    "step_under_a_condition": ("int k = 0; while (k < n) { if (s < 9) k++; s += a[k * m + tid]; }", False),
    "step_twice": ("int k = 0; while (k < n) { k++; s += a[k * m + tid]; if (s < 9) k++; s *= 3; }", False),
    "nested": ("for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) s += a[k * n + tid + j];", True),
}


def nvidia(loop: str) -> Machine:
    return run(f"float s = 0; {loop} b[tid] = s;", SUM, vendor="nvidia")


@pytest.mark.parametrize(("loop", "countable"), COUNTABLE.values(), ids=list(COUNTABLE))
def test_nvcc_copies_a_loop_four_times_if_it_can_count_its_iterations(loop: str, countable: bool) -> None:
    assert count(nvidia(loop), "load global") == (4 if countable else 1)


def test_addresses_of_writes_are_on_their_way_on_nvidia() -> None:
    """ptxas takes 16, 22, 30 and 32 registers for 4, 8, 12 and 16 writes of one number to places far apart."""
    writes = " ".join(f"b[tid + n * {k}] = 1.5f;" for k in range(8))
    assert trace(writes, SUM, vendor="nvidia").totals.flight == 8 * 2
    assert not trace(writes, SUM).totals.flight


CALLED = """
__device__ float square(float x) { return x * x; }
__device__ float early(float x) { if (x > 3.0f) return 1.0f; return x * x; }
__device__ float chosen(float x, int k) { switch (k) { case 0: x += 1; break; default: x *= 2; } return x; }
"""


@pytest.mark.parametrize("call", ["square(v)", "early(v)", "chosen(v, n)"])
def test_return_in_a_callee_is_not_a_loop_exit(call: str) -> None:
    """nvcc copies a loop that calls `square` four times, ptxas again: 19 registers, with `v * v` as well."""
    text = f"float s = 0; for (int k = 0; k < n; k++) {{ float v = a[k * 64 + tid]; s += {call}; }} b[tid] = s;"
    assert count(run(text, SUM, CALLED, "nvidia"), "load global") == 4


STEPS = """
#define READ s += a[k * 64]
template <int C> __device__ float stepped(const float *a, int n) {
  float s = 0; for (int k = 0; k < n; k += C) READ; return s;
}
__device__ float moved(const float *a, int n, int c) { float s = 0; for (int k = 0; k < n; k += c) READ; return s; }
__device__ float longer(const float *a, int n) {
  int c = 2; float s = 0; for (int k = 0; k < n; k += c) { READ; c += n; } return s;
}
"""


@pytest.mark.parametrize(
    ("call", "copies"), [("stepped<1>(a, n)", 4), ("stepped<2>(a, n)", 4), ("moved(a, n, 2)", 4), ("longer(a, n)", 1)]
)
def test_step_of_a_template_number_is_countable(call: str, copies: int) -> None:
    assert count(run(f"b[tid] = {call};", SUM, STEPS, "nvidia"), "load global") == copies


WIDENED = """
template <class T> __device__ T widened(const T *a, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i) for (int k = 0; k < (int)(1 << i); ++k) s += a[k * 64];
  return s;
}
"""
SIZED = "for (int k = 0; k < 512 / (sizeof(double) / sizeof(a[0])); k++) s += a[k * 64];"


def test_counter_of_a_template_function_is_not_constant() -> None:
    """What `i` begins with is all that the text of an instantiated function shows of it."""
    machine = run("b[tid] = widened(a, n);", SUM, WIDENED, "nvidia")
    assert [note.trips for note in machine.tally.plans] == [None, None]


def test_loop_bound_is_evaluated_once() -> None:
    machine = run(f"float s = 0; {SIZED} b[tid] = s;", SUM, vendor="nvidia")
    assert [note.trips for note in machine.tally.plans] == [256]
    assert machine.evaluated < 256


def test_four_copies_are_alive_together_only_on_nvidia() -> None:
    loop = "float s = 0; for (int k = 0; k < n; k++) s += a[k * n + tid] * a[k * m + tid]; b[tid] = s;"
    assert trace(loop, SUM, vendor="nvidia").totals.reads == 8
    assert trace(loop, SUM).totals.reads == 2


TWELVE_READS = "s += a[k * n + tid] * a[k * n + tid + m] * a[k * m];"


@pytest.mark.parametrize(
    ("loop", "again"),
    [
        ("for (int k = 0; k < n; k++) s += a[k * n + tid];", True),
        (f"for (int k = 0; k < n; k++) {TWELVE_READS}", True),
        ("for (int k = 0; k < n; k++) s += a[k] * a[k * n] * a[k * m] * a[k * n + tid];", False),  # 16 reads
        ("for (int k = 0; k < n; k++) { float v = a[k]; " + 8 * "v = v * s + 1.5f; " + "s += v; }", True),
        ("for (int k = 0; k < n; k++) { float v = a[k]; " + 9 * "v = v * s + 1.5f; " + "s += v; }", False),
        ("for (int k = 0; k < 250; k++) s += a[k] * a[k + n];", True),  # two copies by nvcc
        ("while (n--) s += a[n * 8 + tid];", True),
        ("for (int k = 0; k < n; k++) s += expf(a[k]);", True),
        ("for (int k = 0; k < n; k++) s = s * s + a[tid];", False),  # read in front of it
        ("for (int k = 0; k < n; k++) s += sqrtf(a[k]);", False),
        ("for (int k = 0; k < n; k++) s += a[k] / a[tid];", False),
        ("for (int k = 0; k < n; k++) if (x[k] > 0) s += a[x[k]];", True),
        ("for (int k = 0; k < n; k++) { s += a[k * n + tid]; __syncthreads(); }", False),
        ("for (int k = 0; k < n; k++) atomicAdd(b + k, a[k]);", False),
        ("for (int k = 0; k < n; k++) { s += a[k * n + tid]; if (s > 3) break; }", False),
        ("for (int k = 0; k < n; k += blockDim.x) s += a[k * n + tid];", False),
        ("for (int k = tid; k < n; k += m) s += a[k];", False),  # 16 registers
        ("for (long k = 0; k < n; k++) s += a[k];", False),  # 14
        ("for (long k = tid; k < n; k++) s += a[k];", True),
        ("for (long k = 0; k < n; k += 2) s += a[k * 256 + tid];", True),
        ("for (long k = n; k > 0; k -= 64) s += a[k + tid];", True),
        ("for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) s += a[k * n + tid];", True),
    ],
)
def test_ptxas_copies_small_loops_again(loop: str, again: bool) -> None:
    """Those it does take 24 to 32 registers, the others 14 to 20 (nvcc 13.0 for sm_90)."""
    text = f"float s = 0; {loop} b[tid] = s;"
    assert bool(trace(text, SUM, vendor="nvidia").totals.again) == again
    assert not trace(text, SUM).totals.again


@pytest.mark.parametrize("trips", [3, 8, 12, 20])
def test_loops_of_copies_that_are_undone_are_not_listed(trips: int) -> None:
    loop = "for (int k = 0; k < n; k++) s += a[k * n + j]; s = s * s + j; s = s * s + m;"
    machine = nvidia(f"for (int j = 0; j < {trips}; j++) {{ {loop} }}")
    assert machine.loops.again
    assert all(item in machine.block_of for region in machine.loops.again for item in region.items)


def test_copies_by_ptxas_are_reads_on_their_way() -> None:
    loop = "float s = 0; for (int k = 0; k < n; k++) s += a[k * n + tid]; b[tid] = s;"
    found = trace(loop, SUM, vendor="nvidia")
    assert found.totals.reads == 4
    assert found.totals.flight >= 4 * 4


@pytest.mark.parametrize(
    ("loop", "registers"),
    [
        ("for (int k = tid; k < n; k++) s += a[k];", 31),
        ("for (int k = x[tid]; k < x[tid + 1]; k++) s += a[k];", 31),
        ("for (int k = 0; k < n; k++) s *= a[tid] - a[k];", 32),
        ("for (int j = 0; j < m; j++) for (int k = 0; k < n; k++) s += a[k + j];", 31),
        ("for (int k = 0; k < n; k++) { int d = x[k]; if (d != tid) s += a[d]; }", 32),
        ("for (int k = tid; k < n; k += m) s += a[k];", 16),
        ("for (long k = 0; k < n; k++) s += a[k];", 14),
        ("for (long k = tid; k < n; k += 256) s += a[k];", 30),
        ("for (int k = 0; k < n; k++) s += sqrtf(a[k]);", 14),
        ("for (int k = 0; k < n; k++) b[k * m] += a[k];", 22),  # each read behind the write before
    ],
)
def test_a_loop_that_ptxas_copies_again_fills_the_unit(loop: str, registers: int) -> None:
    text = f"__global__ void k({SUM}) {{ {INDEX} float s = 0; {loop} b[tid] = s; }}"
    file = testing.build(text, "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).target("sm_90").registers
    assert found.low <= registers <= found.high


def test_a_pragma_of_one_ends_all_copies() -> None:
    assert count(nvidia("\n#pragma unroll 1\nfor (int k = 0; k < n; k++) s += a[k * n + tid];\n"), "load global") == 1
    found = nvidia("\n#pragma unroll 2\nfor (int k = 0; k < n; k++) s += a[k * n + tid];\n")
    assert count(found, "load global") == 2
    assert not found.loops.again


# --------------------------------------------------------------------------------------- what is alive in a loop


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_initial_value_of_a_sum_is_not_live_beside_it(vendor: str) -> None:
    def widest(carried: int) -> int:
        names = range(carried)
        reads = " ".join(f"float s{k} = a[tid + {k}];" for k in names)
        moved = " ".join(f"s{k} = s{k} * 1.5f;" for k in names)
        total = " + ".join(f"s{k}" for k in names)
        text = f"{reads}\n#pragma unroll 1\nfor (int k = 0; k < n; k++) {{ {moved} }} b[tid] = {total};"
        return trace(text, SUM, vendor=vendor).held.vector

    assert widest(12) - widest(4) == 8  # not 16


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_left_operand_is_evaluated_first(vendor: str) -> None:
    def widest(terms: int) -> int:
        chain = " ".join(f"r ^= (y >> {k + 1}) * (y << {k + 2});" for k in range(terms))
        text = f"unsigned y = x[tid], r = 0; {chain} b[tid] = r;"
        return trace(text, SUM, vendor=vendor).held.vector

    # The sum so far, `y` and one term's operands: the terms are not worked out before the sum that they go into.
    assert widest(3) == widest(12)


def test_it_is_also_where_it_reads() -> None:
    def widest(terms: int) -> int:
        chain = "".join(f" ^ x[tid + {2 * k}] * x[tid + {2 * k + 1}]" for k in range(terms))
        return trace(f"unsigned r = 0 {chain}; b[tid] = r;", SUM).held.vector

    assert widest(12) - widest(3) <= 1


# ------------------------------------------------------------------------------------------ asked of the compilers


@pytest.mark.compiler
def test_nvcc_counts_the_same_loops(tmp_path: Path) -> None:
    compilers.need(".cu")
    loops = {name: loop for name, (loop, _) in COUNTABLE.items()}
    source, ptx = tmp_path / "loops.cu", tmp_path / "loops.ptx"
    source.write_text(kernels(loops, f"{INDEX} float s = 0;", "b[tid] = s;", ""))
    subprocess.run(["nvcc", "-arch=sm_90", "-ptx", "-O3", "-o", str(ptx), str(source)], check=True, timeout=300)
    found = functions(ptx.read_text(), r"\.entry ")
    reads = {name: found[name].count("ld.global") for name in COUNTABLE}
    # Four copies and a loop for the rest; in a loop around it the rest is three copies more.
    expected = {name: (4 + 3 if name == "nested" else 4 + 1) if each else 1 for name, (_, each) in COUNTABLE.items()}
    assert reads == expected


# ------------------------------------------------------------------------------ what clang counts of a copy (clang 19)

RESTRICTED = "const float *__restrict__ a, float *__restrict__ b, int n"


@pytest.mark.parametrize("parameters", [RESTRICTED, "const float *a, float *b, int n"])
def test_overwritten_store_is_not_copied(parameters: str) -> None:
    """The sum stays in a register until the loop ends: clang makes 20 copies; with a write each it would make none."""
    body = "b[tid] += a[k * n + tid]; b[tid] *= 3; b[tid] += 7; b[tid] *= 5; b[tid] += 9;"
    plans = run(f"for (int k = 0; k < 20; k++) {{ {body} }}", parameters).tally.plans
    assert [note.plan.copies for note in plans if note.plan.whole] == [20]


def test_a_write_that_may_have_been_read_is_one() -> None:
    body = " ".join(f"b[tid] = x; x = x * c[tid * n + {k}] + {k};" for k in range(5))
    kept, free = (
        run(f"float x = 1; for (int k = 0; k < 20; k++) {{ {body} }}", parameters).tally.plans
        for parameters in ("float *c, float *b, int n", "const float *__restrict__ c, float *__restrict__ b, int n")
    )
    assert [note.plan.whole for note in kept] == [False]
    assert [note.plan.whole for note in free] == [True]


def test_invariants_and_zero_extensions_are_not_copied() -> None:
    """clang makes seven copies: products by 16 are shifts, and counters are never negative."""
    inner = """x -= a[i * 7 + k] * a[p + 16 * (7 * k + j) + q]; x += a[p + 16 * (i * 7 + k) + q] * a[k * 7 + j];
        x += a[49 + i * 7 + k] * a[p + 16 * (7 * k + j) + 8 + q];
        x -= a[p + 16 * (i * 7 + k) + 8 + q] * a[49 + k * 7 + j];"""
    text = f"""int p = tid / 8 * 784, q = tid % 8;
      for (int i = 0; i < 7; i++) for (int j = 0; j < 7; j++) {{
        float x = 0; for (int k = 0; k < 7; k++) {{ {inner} {inner} }} b[tid + i * 7 + j] = x; }}"""
    assert [note.plan.copies for note in run(text, RESTRICTED).tally.plans][:1] == [7]


INVARIANT = "const float* __restrict__ h, const float* __restrict__ x, float* y, int n, float c"


@pytest.mark.parametrize(
    ("body", "outside"),
    [
        ("s += h[3] * v;", True),
        ("if (v < c) s += h[3] * v * v * v;", False),
        ("s += v < c ? h[3] : 0.0f;", False),
        ("if (v < c) continue; s += h[3] * v;", False),
        ("if (v < c) break; s += h[3] * v;", False),
        ("s += inner(v) * h[3];", True),
        ("switch (j & 3) { case 0: s += h[3]; break; default: s += v; }", False),
    ],
)
def test_no_read_leaves_a_loop_that_may_never_execute_it(body: str, outside: bool) -> None:
    before = "__device__ float inner(float v) { if (v > 1.0f) return v * v; return v * v * v; }"
    text = f"float s = 0; for (int j = 0; j < n; ++j) {{ float v = x[j * 64 + tid]; {body} }} y[tid] = s;"
    machine = run(text, INVARIANT, before, "nvidia")
    graph = machine.graph
    known = [number for number in named(machine, "load") if not graph.divergent[graph.args[number][0]]]
    assert known
    assert {graph.homes[number] is None for number in known} == {outside}


def test_constant_memory_is_read_before_the_loop() -> None:
    text = "float s = 0; for (int j = 0; j < n; ++j) { if (a[j * 64 + tid] < 1.0f) s += t[n]; } b[tid] = s;"
    machine = run(text, "const float *a, float *b, int n", "__constant__ float t[64];", "nvidia")
    graph = machine.graph
    assert [number for number in named(machine, "load constant") if graph.homes[number] is None]


@pytest.mark.parametrize("test", ["true", "1 == 1", "!done && n > 0"])
def test_a_step_that_the_test_does_not_name_is_not_run_a_thousand_times(
    test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    told = private_objects.scalar

    def heard(machine: Machine, value: Value) -> int:
        asked.append(value)
        return told(machine, value)

    monkeypatch.setattr("regpress_lint.model.interpreter.trip_counts.scalar", heard)
    text = f"int n = 3; bool done = false; int r = 0; while ({test}) {{ if (a[r] > 1.0f) break; r++; }} a[0] = r;"
    run(text, "float *a")
    assert len(asked) <= 3  # the test and the `break`'s, once each


@pytest.mark.parametrize("test", ["1", "n > 2"])
def test_a_step_that_writes_an_array_decides_nothing_of_a_test_without_it(
    test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regpress_lint.model.interpreter.trip_counts._MAX_TRIPS", 10**9)  # it would not end
    machine = run(f"int n = 3; while ({test}) a[tid] = 2.0f;", "float *a")
    assert [note.trips for note in machine.tally.plans] == [None]


def test_a_step_that_the_test_names_is_run_to_the_end() -> None:
    (note,) = run("for (int i = 64; i > 0; i >>= 1) a[i] = 0;").tally.plans
    assert note.trips == 7


def test_copies_that_no_graph_has_room_for_are_not_made_to_see_it() -> None:
    body = " ".join(f"if (i < n) s[{element}] = a[i * n + {element}];" for element in range(6))
    text = f"float s[9];\n#pragma unroll\nfor (int i = 0; i < 1024; i++) {{ {body} }} b[0] = s[n];"
    machine = run(text, "const float *a, float *b, int n", vendor="nvidia")
    (note,) = machine.tally.plans
    assert not note.plan.whole
    assert machine._steps < 200  # with the thousand copies for which there is no room five thousand


def test_kept_loop_is_copied_only_as_far_as_needed() -> None:
    body = " ".join(f"s += a[k * n + {number}] * s;" for number in range(150))
    text = f"float s = 0;\n#pragma unroll\nfor (int k = 0; k < 64000; k++) {{ {body} }} b[0] = s;"
    machine = run(text, vendor="nvidia")
    (note,) = machine.tally.plans
    assert note.plan.copies == 8  # of nvcc
    assert 2_400 < len(machine.graph) < 2_400 + 900  # one copy more


# A loop over a private array in other words: the array is in registers in all of them, and filled by eight reads.
IN_OTHER_WORDS = {
    "pointer": "for (float* p = h; p != h + 8; ++p, q += n) *p = *q;",
    "pointer_behind": "float* p = h; while (p != h + 8) { *p++ = *q; q += n; }",
    "range": "for (float& x : h) { x = *q; q += n; }",
    "do": "int k = 0; do { h[k] = q[k * n]; } while (++k < 8);",
    "step_inside": "int k = 0; while (k < 8) h[k++] = q[k * n];",
    "break": "for (int k = 0;; ++k) { if (k == 8) break; h[k] = q[k * n]; }",
    "rows": "float g[2][4]; float* p = g[0]; for (int k = 0; k < 8; ++k) p[k] = q[k * n]; "
    "for (int k = 0; k < 8; ++k) h[k] = g[k / 4][k % 4];",
}


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
@pytest.mark.parametrize("loop", IN_OTHER_WORDS.values(), ids=list(IN_OTHER_WORDS))
def test_loop_over_a_private_array_is_copied_in_every_form(loop: str, vendor: str) -> None:
    sum_ = "float s = 0; for (int k = 0; k < 8; ++k) s = s * 0.5f + h[7 - k]; b[0] = s;"
    text = f"float h[8]; const float* q = a; {loop} {sum_}"
    machine = run(text, "const float *a, float *b, int n", vendor=vendor)
    assert all(note.plan.whole for note in machine.tally.plans)
    assert count(machine, "load global") == 8
    assert not count(machine, "load private")
    assert count(machine, "store private") == 0


def test_nvcc_keeps_an_array_whose_inner_loop_with_two_exits_begins_at_an_outer_counter() -> None:
    inner = "const float x = v[k]; int j = k; while (j > 0 && v[j - 1] > x) { v[j] = v[j - 1]; j--; } v[j] = x;"
    text = (
        f"float v[8]; for (int k = 0; k < 8; k++) v[k] = a[k]; for (int k = 1; k < 8; k++) {{ {inner} }} b[0] = v[3];"
    )
    whole = {vendor: [note.plan.whole for note in run(text, vendor=vendor).tally.plans] for vendor in ("amd", "nvidia")}
    assert all(whole["amd"])
    assert not all(whole["nvidia"])


TILE_OF_ROWS = """
template <int ROWS> __global__ void tile(const float* a, float* o, int n) {
  float acc[ROWS * 128] = {0}, m[ROWS * 8], c[16];
  __shared__ float x[1024];
  for (int t = 0; t < n; ++t) {
    x[threadIdx.x] = a[t];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      for (int i = 0; i < 8; ++i) m[i] = x[k * 64 + i];
      for (int i = 0; i < 16; ++i) c[i] = x[k * 32 + i];
      for (int r = 0; r < ROWS; ++r)
        for (int w = 0; w < 4; ++w)
          for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 4; ++j) acc[(r * 8 + i) * 16 + w * 4 + j] += m[i] * c[w * 4 + j];
    }
    __syncthreads();
  }
  for (int i = 0; i < ROWS * 128; ++i) o[i * n + threadIdx.x] = acc[i];
}
void run(float* a, float* o) { tile<1><<<64, 256>>>(a, o, 64); }
"""


def test_single_iteration_of_any_length_is_copied() -> None:
    file = testing.build(TILE_OF_ROWS, "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).target("sm_90")
    assert found.registers.scratch_bytes == 0
    assert found.registers.low <= 168 <= found.registers.high  # nvcc 13.0.88
