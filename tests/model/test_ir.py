"""The graph of every kernel of testdata is sound after each pass, and `regpress-lint ir` prints it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body
from cli_helpers import run
from corpus import TESTDATA, walked
from ssa_helpers import consistent

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.values import INT, Region
from regpress_lint.model.passes.liveness import lifetimes_in
from regpress_lint.model.passes.orders import as_written
from regpress_lint.model.passes.schedule import scheduled
from regpress_lint.model.passes.trace import PASSES, scheduled_kernel
from regpress_lint.program import build_file, detect_language
from regpress_lint.targets.compilers.amdgpu import GFX9
from regpress_lint.targets.compilers.nvcc import NVCC
from tools.robustness.graph_invariants import lifetime_problems, losses, order_problems, problems

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from regpress_lint.model.passes.trace import Scheduled

SOURCES = sorted(path for path in TESTDATA.rglob("*") if path.suffix in (".hip", ".cu", ".cpp"))


def faults(found: Scheduled) -> list[str]:
    """Errors in a graph, in both of its orders and in their lifetimes."""
    graph, needed = found.machine.graph, found.values.needed
    said = [*problems(graph, found.machine.top), *losses(found.machine)]
    for order in (scheduled(found.machine, found.values), as_written(found.machine, needed)):
        said += order_problems(graph, needed, order)
        said += lifetime_problems(found.machine, lifetimes_in(found.machine, order))
    return said


@pytest.mark.parametrize("path", walked(SOURCES, every=40, whole=True))
def test_every_graph_is_sound(path: Path) -> None:
    data = path.read_bytes()
    language = detect_language(path.as_posix(), data)
    if language is None:
        pytest.skip("no kernel")
    file = build_file(Source(path.as_posix(), data), language, Project())
    for kernel in file.kernels:
        facts = kernel_facts(file, kernel, Settings())
        for compiler in (GFX9, NVCC):
            found = scheduled_kernel(facts.input_for(compiler))
            assert faults(found) == []
            consistent(found.machine)
            unplaced = [found.machine.graph.ops[n] for n, node in enumerate(found.machine.graph.nodes) if node is None]
            assert set(unplaced) <= {"source"}


@pytest.mark.parametrize("without", PASSES)
def test_a_pass_that_is_left_out_leaves_a_sound_graph(without: str) -> None:
    loads = " ".join(f"double x{k} = a[tid + {k} * n];" for k in range(16))
    facts = body(f"{loads} double dead = exp(x0); b[tid] = {' + '.join(f'x{k}' for k in range(16))} + n * n;")
    whole = scheduled_kernel(facts.input_for(GFX9))
    found = scheduled_kernel(facts.input_for(GFX9), frozenset((without,)))
    # What nothing uses has no place of its own in an order that starts at the effects.
    assert (
        all(said.endswith("is in no block") for said in faults(found)) if without == "dead-code" else not faults(found)
    )
    if without == "dead-code":
        assert sum(found.values.needed) > sum(whole.values.needed)
    elif without == "uniformity":
        assert found.live.held.scalar == 0 < whole.live.held.scalar
    elif without in ("unrolling", "scalar-replacement"):  # there is no loop and no array
        assert found.live.held == whole.live.held
    else:
        assert found.live.held.vector >= whole.live.held.vector


COPIED = """
  float h[8];
  for (int i = 0; i < 8; i++)
    h[i] = a[tid + i * n];
  for (int i = 7; i >= 0; i--)
    b[tid + i * n] = h[i];
"""


def test_loops_and_arrays_are_decided_by_passes_that_can_be_left_out() -> None:
    facts = body(COPIED)
    whole, rolled, apart = (
        scheduled_kernel(facts.input_for(NVCC), frozenset(without))
        for without in ((), ("unrolling",), ("scalar-replacement",))
    )
    assert (whole.machine.tally.loops_kept, whole.machine.arrays.in_memory) == (0, frozenset())
    # A loop that stays indexes the array at run time.
    assert rolled.machine.tally.loops_kept == 2
    assert {variable.name for variable in rolled.machine.arrays.in_memory} == {"h"}
    assert apart.machine.tally.loops_kept == 0
    assert {variable.name for variable in apart.machine.arrays.in_memory} == {"h"}


def test_invalid_graph_is_reported() -> None:
    facts = body("b[tid] = a[tid] + 1;")
    found = scheduled_kernel(facts.input_for(NVCC))
    graph = found.machine.graph
    last = graph.add(ops.ADD, (len(graph), 1), INT)
    graph.widths[last] = -1
    said = " ".join(problems(graph, found.machine.top))
    assert "is defined after it" in said
    assert "-1 registers" in said
    found.machine.top.items += [Region(), 0, 0]
    said = " ".join(problems(graph, found.machine.top))
    assert "a loop that is not its parent" in said
    assert "twice" in said


def test_invalid_order_is_reported() -> None:
    facts = body("b[tid] = a[tid] + a[tid + n];")
    found = scheduled_kernel(facts.input_for(NVCC))
    order = found.live.lifetimes.order
    order.sequence.reverse()
    order.sequence.append(order.sequence[0])
    said = " ".join(order_problems(found.machine.graph, found.values.needed, order))
    assert "is in the order twice" in said
    assert "is in front of" in said
    del order.sequence[1:]
    assert "is in no block" in " ".join(order_problems(found.machine.graph, found.values.needed, order))


@pytest.mark.parametrize(
    ("end", "said"), [(-1, "dies at"), (10_000, "dies at"), (None, "in front of"), ("loop", "is used in a loop")]
)
def test_invalid_lifetime_is_reported(end: int | str | None, said: str) -> None:
    facts = body("float t = a[tid]; for (int i = 0; i < n; i++) b[tid + i] = t * a[i]; b[n] = t;")
    found = scheduled_kernel(facts.input_for(NVCC))
    lifetimes, graph = found.live.lifetimes, found.machine.graph
    assert list(lifetime_problems(found.machine, lifetimes)) == []
    places = lifetimes.places
    ((begin, _, _),) = lifetimes.order.loops
    # The value that is read before the loop, used in it and behind it.
    held = next(number for number in places if graph.ops[number] == "load global" and places[number] < begin)
    lifetimes.ends[held] = end if isinstance(end, int) else places[held] if end is None else begin + 3
    assert f"%{held}" in " ".join(lifetime_problems(found.machine, lifetimes))
    assert said in " ".join(lifetime_problems(found.machine, lifetimes))


KERNEL = """__global__ void k(const float *a, float *b, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[i * 32 + t];
  b[t] = s;
}
"""


@pytest.fixture
def kernel_file(tmp_path: Path) -> str:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    return str(path)


def test_the_graph_is_printed_after_a_pass(kernel_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "ir", kernel_file, "--arch", "gfx90a")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "kernel k, gfx90a"
    assert re.match(r"after liveness: \d+ values, 1 loops$", lines[1])
    assert lines.count("loop {") == lines.count("}") == 1
    assert re.search(r"^  %\d+ = phi\(0\.0, %\d+\) +1f VD +\d+  line 4 +s$", result.out, re.MULTILINE)
    assert re.search(r"^vector \d+, scalar \d+, together \d+$", result.out, re.MULTILINE)
    assert run(capsys, "ir", kernel_file, "--arch", "gfx90a").out == result.out


@pytest.mark.parametrize("stage", ["build", "uniformity", "schedule"])
def test_earlier_pass_prints_less(stage: str, kernel_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "ir", kernel_file, "--arch", "gfx90a", "--after", stage).out
    assert f"after {stage}: " in out
    assert "vector" not in out
    assert (" VD" in out) == (stage != "build")


def test_decisions_of_the_construction_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(const float *a, float *b, int n) {{\n  int tid = threadIdx.x;{COPIED}}}\n")
    out = run(capsys, "ir", str(path), "--arch", "sm_90", "--after", "build").out
    assert "loop, line 4: replaced, 8 copies of" in out
    out = run(capsys, "ir", str(path), "--arch", "sm_90", "--after", "build", "--without", "unrolling").out
    assert "loop, line 4: stays, 1 body, copies are left out" in out
    assert "in memory: h" in out.splitlines()
    assert "loop, line 4" not in run(capsys, "ir", str(path), "--arch", "sm_90", "--after", "schedule").out


def test_a_pass_is_left_out(kernel_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "ir", kernel_file, "--arch", "gfx90a", "--without", "uniformity,schedule").out
    assert " S " not in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--after", "bild"), 'no pass "bild", did you mean "build"'),
        (("--without", "schedul"), 'no pass "schedul", did you mean "schedule"'),
        (("--kernel", "kk"), 'no kernel "kk", did you mean "k"'),
    ],
)
def test_wrong_use_of_ir(
    arguments: tuple[str, ...], expected: str, kernel_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, "ir", kernel_file, *arguments)
    assert (result.status, result.out) == (2, "")
    assert expected in result.err


@pytest.mark.parametrize("make", [ops.routine, ops.begun, ops.ended, ops.service])
def test_operation_does_not_depend_on_the_function_name(make: Callable[[str], ops.Op]) -> None:
    for name in ("sin", "load global", "store shared ended", "phi"):
        assert (make(name).kind, make(name).about) == (make("f").kind, name)
    assert make("sin") == make("sin") != make("cos")
    assert make("phi").kind is not ops.PHI.kind


def test_parts_of_a_routine_are_operations_of_their_own() -> None:
    made = {
        ops.routine("f"),
        ops.begun("f"),
        ops.ended("f"),
        ops.ended("f", 0),
        ops.result_of("f", 0),
        ops.lane_of("f", 0),
    }
    assert len(made) == 6


def test_the_value_of_a_uniform_vector_function_is_in_vector_registers_on_amd() -> None:
    facts = body("half2 h = __float2half2_rn(1.5f * n); b[tid] = __low2float(h) + a[tid];")
    found = scheduled_kernel(facts.input_for(GFX9))
    results = [number for number, op in enumerate(found.machine.graph.ops) if op.kind is ops.Kind.RESULT]
    assert results
    assert all(found.values.registers[number] for number in results)
