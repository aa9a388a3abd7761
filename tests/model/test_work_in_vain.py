"""Copies that are thrown away, and executions that end too soon to be of use, are ended as soon as that is known."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from ssa_helpers import count, run

from regpress_lint.cpp.syntax_tree import Loop
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.ops import LOAD_PRIVATE
from regpress_lint.model.interpreter import kept_loops
from regpress_lint.model.interpreter.loop_text import nodes
from regpress_lint.model.interpreter.machine import Machine
from regpress_lint.model.passes import placement

# The body of the outer loop has so many copies of the inner one that no compiler copies it as well.
NESTED = (
    "float s = 0;\n{0}for (int k = 0; k < 4; k++) {{\n"
    "#pragma unroll\n  for (int j = 0; j < 256; j++) {{ s += a[j * n + k]; s *= b[j + k * n]; s -= a[j + n * 7]; }}\n"
    "}}\nout[tid] = s;"
)


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_a_loop_around_many_copies_is_given_up_before_the_last(vendor: str) -> None:
    tried, kept = (run(NESTED.format(pragma), vendor=vendor) for pragma in ("", "#pragma unroll 1\n"))
    assert tried.tally.loops_kept == kept.tally.loops_kept == 1
    assert len(tried.graph) == len(kept.graph)
    assert tried.work < 1.2 * kept.work


def test_statements_are_walked_once_and_range_loops_each_time() -> None:
    def loop(text: str) -> Loop:
        facts = facts_of(f"__global__ void k(float *a, int n) {{ float v[4] = {{0}}; {text} a[n] = v[n & 3]; }}")
        return next(node for node in walk(facts.kernel.function.body) if isinstance(node, Loop))

    counted = loop("for (int i = 0; i < n; i++) if (i & 1) { a[i] = v[i & 3]; }")
    assert nodes(counted) is nodes(counted)
    assert set(nodes(counted)) == set(walk(counted))
    ranged = loop("for (int i = 0; i < n; i++) { for (float x : unseen(i)) a[i] += x; }")
    assert nodes(ranged) is not nodes(ranged)


def test_plain_bounds_are_not_evaluated_on_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    mark = Machine.mark

    def noted(machine: Machine) -> object:
        found.append(machine)
        return mark(machine)

    def marks(bound: str) -> int:
        found.clear()
        run(f"float s = 0; for (int i = 0; i < {bound}; i++) {{ s += a[i]; }} out[tid] = s;")
        return len(found)

    monkeypatch.setattr(Machine, "mark", noted)
    assert marks("n") < marks("n + 1")


def _executions(source: str, target: str, monkeypatch: pytest.MonkeyPatch) -> list[Machine]:
    found: list[Machine] = []
    execute = placement._executed

    def noted(*args: object) -> Machine:
        found.append(execute(*args))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(placement, "_executed", noted)
    assert not facts_of(source).execution(target).complete
    return found


def test_a_cut_execution_is_repeated_with_half_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    folded = "m = next(m);\n" * 5000
    first, second = _executions(
        "__device__ unsigned next(unsigned m) { return m * 3 + 1; }\n"
        "__global__ void k(const float *a, float *b, int n) {\n  float v[40]; unsigned m = 1;\n"
        "  for (int j = 0; j < 40; j++) v[j] = a[j];\n  v[n & 7] += a[n];\n"
        "  v[n & 3] += a[n];\n  v[n & 1] += a[n];\n  b[0] = v[n & 3];\n"
        f"{folded}  b[n] = m;\n}}\n",
        "sm_90",
        monkeypatch,
    )
    assert [len(machine.arrays.in_memory) for machine in (first, second)] == [0, 1]
    assert second.work == pytest.approx(first.work / 2, rel=0.05)


@pytest.mark.parametrize("bound", ["1 << (N - 1)", "4096 >> 3", "(1 << N) / 2"])
def test_a_shifted_bound_is_worked_out(bound: str) -> None:
    machine = run(f"for (int i = 0; i < ({bound}); i++) out[i + tid] += n;", before="constexpr int N = 10;")
    (plan,) = machine.tally.plans
    assert plan.trips == 512
    assert machine.work < 100


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_copies_in_which_the_work_ends_count(vendor: str) -> None:
    calls = "m = next(m); " * 9
    before = "__device__ unsigned next(unsigned m) { return m * 3 + 1; }"
    loop = f"#pragma unroll\nfor (int j = 0; j < 400; j++) {{ {calls} out[j] = n * m; }}"
    machine = run(f"unsigned m = 1;\n{loop}", before=before, vendor=vendor)
    assert not machine.tally.complete
    assert count(machine, "store") > 200


def _with_memory(body: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How often loops are executed with an array in memory that no execution has seen, and reads of the array."""
    tried: list[object] = []
    bodies = kept_loops._bodies

    def noted(*args: object) -> object:
        tried.append(args)
        return bodies(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_loops, "_bodies", noted)
    facts = facts_of(
        "__device__ void put(float *w, int at, float x) { w[at] = x; }\n"
        "__global__ void k(float *a, const int *ix, int n) {\n  int last = 3; float v[128], s = 0; v[last] = a[0];\n"
        "  for (int i = 0; i < n; i++) {\n    s += v[3];\n"
        f"    for (int j = 0; j < ix[i]; j++) {{ a[j] = s; {body} }}\n  }}\n  a[n] = s;\n}}\n"
    )
    given = facts.executions.input_for(facts.compiler("gfx90a"))
    machine = placement.executed(given, {"scalar-replacement"})
    return len(tried), machine.graph.ops.count(LOAD_PRIVATE)


@pytest.mark.parametrize("write", ["v[ix[j]] = a[j];", "put(v, ix[j], a[j]);"])
def test_loops_that_write_an_array_in_memory_are_executed_once(write: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _with_memory(write, monkeypatch) == (2, 1)


def test_a_write_that_is_not_executed_changes_no_array(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _with_memory("if (last < 0) put(v, ix[j], a[j]);", monkeypatch)[1] == 0
