"""Symbolic execution of branches, switches and loops, and where it ends."""

from __future__ import annotations

import pytest
from ssa_helpers import POINTERS, constants, count, named, phis, run, run_text, stored

VENDORS = pytest.mark.parametrize("vendor", ["amd", "nvidia"])

# ------------------------------------------------------------------------------------------------ control flow


@pytest.mark.parametrize(("subject", "value"), [("0", 1), ("1", 7), ("2", 5), ("3", 0), ("9", 5)])
def test_a_switch_over_a_constant_takes_its_case(subject: str, value: int) -> None:
    text = (
        "int x = 0; switch (%s) { case 0: x = 1; break; case 1: x = 2; default: x += 5; break; case 3: ; } out[0] = x;"
    )
    machine = run(text % subject)
    assert constants(machine) == [value]
    assert count(machine, "branch") == 0


@pytest.mark.parametrize(("subject", "value"), [("'q'", 1), ("1", 2), ("3", 2), ("4", 3)])
def test_a_switch_over_a_constant_takes_its_range(subject: str, value: int) -> None:
    text = (
        "int x; switch (%s) { case 'a' ... 'z': x = 1; break; case 1 ... 3: x = 2; break; default: x = 3; } out[0] = x;"
    )
    assert constants(run(text % subject)) == [value]


def test_a_switch_in_an_unrolled_loop_takes_a_case_each_time() -> None:
    text = """int x = 0;
      for (int i = 0; i < 4; i++) switch (i) { case 0: x += 1; break; case 2: continue; case 1: x += 10; break;
                                               default: x += 100; }
      out[0] = x;"""
    assert constants(run(text)) == [111]


def test_a_switch_over_an_unknown_value_keeps_all_ways() -> None:
    machine = run("switch (n) { case 0: out[0] = 1; case 1: out[1] = 2; break; default: out[2] = 3; }")
    assert constants(machine) == [1, 2, 3]
    machine = run("int x = 5; switch (n) { case 0: x = 5; break; default: x = 5; } out[0] = x;")
    assert constants(machine) == [5]
    machine = run("int x = 5; switch (n) { case 0: x = 6; } out[0] = x;")
    assert constants(machine) == [None]


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("int x = 0; if (1) x = 2; else x = 3; out[0] = x;", 2),
        ("int x = 0; if (0) x = 2; else if (1) x = 3; out[0] = x;", 3),
        ("int x = n > 3 ? 7 : 7; out[0] = x;", 7),
        ("int x; if (n > 3) x = 7; else x = 7; out[0] = x;", 7),
        ("int x = 1; if (n > 3) return; out[0] = x;", 1),
        ("int x = 1; if (n > 3) { x = 2; return; } out[0] = x;", 1),
        ("if (1) { out[0] = 4; return; } out[0] = 5;", 4),
        ("int x = 0; for (int i = 0; i < 5; i++) { if (i == 3) break; x += i; } out[0] = x;", 3),
        ("int x = 0; for (int i = 0; i < 5; i++) { if (i % 2) continue; x += i; } out[0] = x;", 6),
        ("int x = 0; for (int i = 0; i < 9; i++) { if (i == 3) i = 7; x += i; } out[0] = x;", 18),
        ("int x = 0, i = 0; while (i < 9) { x += i; if (i == 3) { i += 3; } else { ++i; } } out[0] = x;", 27),
        ("int x = 0, s = 1; for (int i = 0; i < 9; i += s) { if (i & 1) s = 2; x += i; } out[0] = x;", 16),
        (
            "int x = 0; for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) { if (j > i) break; x++; } out[0] = x;",
            6,
        ),
        ("int x = 0; do { x = 5; break; } while (0); out[0] = x;", 5),
    ],
)
def test_known_conditions_leave_one_way(statements: str, value: int) -> None:
    machine = run(statements)
    assert constants(machine) == [value]
    assert machine.tally.loops_kept == 0


def test_both_sides_of_a_branch_meet_in_one_value() -> None:
    machine = run("float x = 1; if (n > 3) x = a[tid]; else x = a[tid + n]; b[0] = x;")
    (value,) = stored(machine)
    assert machine.graph.ops[value] == "select"


@pytest.mark.parametrize(
    "statements",
    [
        "goto e; out[0] = 1; e: out[1] = 2;",
        "int i = 0; again: if (i++ < n) goto again; out[0] = i;",
        "if (n) goto e; out[0] = 1; e: ;",
        "while (1) { if (n) goto e; } e: out[0] = 1;",
    ],
)
def test_goto_does_no_harm(statements: str) -> None:
    assert count(run(statements), "store") >= 1


# ------------------------------------------------------------------------------------------------------ loops


@VENDORS
@pytest.mark.parametrize(
    ("loop", "stores"),
    [
        ("for (int i = 0; i < 6; i++)", 6),
        ("for (int i = 5; i >= 0; i--)", 6),
        ("for (int i = 0; i <= 10; i += 3)", 4),
        ("for (unsigned i = 1; i < 100; i *= 2)", 7),
        ("for (int i = 64; i > 0; i >>= 1)", 7),
        ("for (int i = 0; i != 4; ++i)", 4),
        ("for (int i = 0; i < 0; i++)", 0),
        ("for (int o = 0; o < 4; o++) for (int i = 0; i <= o; i++)", 10),
        ("for (int o = 0; o < 3; o++) for (int i = o; i < 3; i++)", 6),
        ("for (float f = 0; f < 1; f += 0.1f)", 10),
        ("#pragma unroll\nfor (int i = 0; i < 200; i++)", 200),
        ("#pragma unroll 8\nfor (int i = 0; i < 8; i++)", 8),
    ],
)
def test_counted_loops_are_executed_copy_by_copy(loop: str, stores: int, vendor: str) -> None:
    machine = run(f"float *p = b + tid;\n{loop} *p++ = 1;", vendor=vendor)
    assert (count(machine, "store"), machine.tally.loops_kept) == (stores, 0)


@VENDORS
@pytest.mark.parametrize(
    ("loop", "kept"),
    [
        ("for (int i = 0; i < n; i++)", 1),
        ("#pragma unroll 1\nfor (int i = 0; i < 4; i++)", 1),
        ("#pragma unroll 2\nfor (int i = 0; i < 8; i++)", 1),
        ("for (int i = 0; i < 5000; i++)", 1),
        ("for (int i = tid; i < n; i += blockDim.x)", 1),
        ("for (int o = 0; o < n; o++) for (int i = 0; i < 3; i++)", 1),
        ("for (int o = 0; o < n; o++) for (int i = 0; i < o; i++)", 2),
        ("int i = 0; while (i++ < n)", 1),
    ],
)
def test_other_loops_stay_loops(loop: str, kept: int, vendor: str) -> None:
    machine = run(f"float *p = b + tid;\n{loop} *p++ = 1;", vendor=vendor)
    assert machine.tally.loops_kept == kept


def test_a_loop_whose_copies_are_too_many_stays_one() -> None:
    line = " ".join(f"x = x * {k}.5f + a[tid + n * {k + 1}];" for k in range(40))
    text = "float x = 0; {} for (int i = 0; i < 64; i++) {{ {} }} b[tid] = x;"
    assert run(text.format("", line)).tally.loops_kept == 1
    assert run(text.format("", "x = x * 0.5f;")).tally.loops_kept == 0


CARRIED = [
    ("float x = 0;", "x += a[i];", "x"),
    ("float x = 0; float &r = x;", "r += a[i];", "x"),
    ("float x = 0; float *p = &x;", "*p += a[i];", "x"),
    ("float x = 0; auto f = [&](float v) { x += v; };", "f(a[i]);", "x"),
    ("float x = 0;", "ADD(x, a[i]);", "x"),
    ("float x = 0;", "ADD_TO_X(a[i]);", "x"),
    ("float x = 0;", "add(x, a[i]);", "x"),
    ("float x = 0;", "add_to(&x, a[i]);", "x"),
    ("float x[2] = {0, 0};", "x[1] += a[i];", "x[1]"),
    ("float x[2][2] = {{0, 0}, {0, 0}};", "x[1][0] += a[i];", "x[1][0]"),
    ("float x[2] = {0, 0};", "add_both(x, a[i]);", "x[0]"),
    ("float2 x = make_float2(0, 0);", "x.y += a[i];", "x.y"),
    ("A x; x.v = 0; x.w = 1;", "x.v += a[i];", "x.v"),
    ("A x; x.v = 0; x.w = 1;", "x.add(a[i]);", "x.v"),
    ("A x; x.v = 0; x.w = 1;", "x.add_all(a, n);", "x.v"),
    ("A x; x.v = 0; x.w = 1; A *p = &x;", "p->v += a[i];", "x.v"),
    ("float x = 0;", "if (a[i] > 0) continue; x += a[i];", "x"),
    ("float x = 0;", "if (a[i] > 0) x += a[i];", "x"),
    ("float x = 0;", "for (int j = 0; j < n; j++) x += a[i * n + j];", "x"),
    ("float x = 0;", "for (int j = 0; j < 3; j++) x += a[i * n + j];", "x"),
]
CARRIERS = """
#define ADD(to, v) do { to += v; } while (0)
#define ADD_TO_X(v) x += v
__device__ void add(float &to, float v) { to += v; }
__device__ void add_to(float *to, float v) { *to += v; }
__device__ void add_both(float *to, float v) { to[0] += v; to[1] -= v; }
struct A { float v, w;
  __device__ void add(float x) { v += x; }
  __device__ void add_all(const float *p, int n) { for (int i = 0; i < n; i++) v += p[i]; } };
"""


@VENDORS
@pytest.mark.parametrize(("before", "body", "after"), CARRIED)
def test_changed_variable_is_carried_by_the_loop(before: str, body: str, after: str, vendor: str) -> None:
    """The sum behind the loop depends on the reads in it and on the sum of the iteration before."""
    text = f"{before} for (int i = 0; i < n; i++) {{ {body} }} b[tid] = {after};"
    machine = run(text, before=CARRIERS, vendor=vendor)
    graph, seen, pending = machine.graph, set[int](), stored(machine)[-1:]
    while pending:
        number = pending.pop()
        if number not in seen:
            seen.add(number)
            pending += graph.args[number]
    carried = [number for number in seen if graph.ops[number] == "phi" and graph.kinds[number] == 1]
    assert carried
    assert all(len(graph.args[phi]) == 2 for phi in carried)
    assert any(graph.ops[number].startswith("load") for number in seen)


def test_a_loop_of_a_function_carries_the_argument_of_each_call() -> None:
    before = "__device__ void sum(const float *p, int n, float &s) { for (int i = 0; i < n; i++) s += p[i]; }"
    machine = run("float x = 0, y = 0; sum(a, n, x); sum(a, n, y); out[0] = x; out[1] = y;", before=before)
    graph = machine.graph
    sums = [phi for phi in phis(machine) if graph.kinds[phi] == 1]
    assert len(sums) == 2
    assert all(len(graph.args[phi]) == 2 for phi in sums)


def test_unchanged_variable_has_no_phi() -> None:
    machine = run("float x = a[0]; for (int i = 0; i < n; i++) b[i] = x;")
    assert len(phis(machine)) == 1


def test_two_runs_give_the_same_graph() -> None:
    names = [f"v{k}" for k in range(12)]
    text = "".join(f"float {name} = {k};" for k, name in enumerate(names))
    text += "for (int i = 0; i < n; i++) { if (a[i] > 1) {" + "".join(f"{name} += a[i + n];" for name in names)
    text += "} } " + "".join(f"b[{k}] = {name};" for k, name in enumerate(names))
    graphs = [run(text).graph for _ in range(4)]
    assert all((graph.ops, graph.args) == (graphs[0].ops, graphs[0].args) for graph in graphs)


# ----------------------------------------------------------------------------------------------------- limits


@pytest.mark.slow
def test_oversized_kernel_is_cut_off_and_reported() -> None:
    text = "".join(f"b[tid * n + {k} * n] = a[tid * {k} + n];" for k in range(3000))
    machine = run(text)
    assert not machine.tally.complete
    assert len(machine.graph) <= 20_000


def test_a_loop_that_grows_too_large_inside_a_function_is_left_properly() -> None:
    """The first iteration promises less than the others make: the copies are given up inside a branch of a function."""
    lines = " ".join(f"b[n * (i * 16 + {k})] = n * (i + {k});" for k in range(16))
    before = f"__device__ void f(float *b, int n, int i) {{ if (i == 0) return; if (n > i) {{ {lines} }} }}"
    machine = run("#pragma unroll\nfor (int i = 0; i < 1000; i++) f(b, n, i);\nout[0] = 4;", before=before)
    assert machine.tally.complete
    assert machine.tally.loops_kept == 1
    assert machine.region is machine.top
    assert (len(machine.active), len(machine.memory.reads)) == (1, 1)
    assert (machine.loops.jumps, machine.frame.conditions) == ([], [])
    assert constants(machine)[-1] == 4


@pytest.mark.slow
def test_calls_that_double_on_every_level_end_in_time() -> None:
    lines = ["__device__ int f0(int x) { return x; }"]
    lines += [f"__device__ int f{k}(int x) {{ return f{k - 1}(x) + f{k - 1}(x) * f{k - 1}(x); }}" for k in range(1, 12)]
    assert count(run("out[0] = f11(n);", before="\n".join(lines)), "store") <= 1


def test_text_without_a_body_is_accepted() -> None:
    assert run_text("__global__ void k() {}").tally.complete


@pytest.mark.parametrize(
    ("head", "copies"),
    [
        ("int i = 0; i < 5; i++", 5),
        ("int i = 0; i < 5; i += 2", 3),
        ("unsigned i = 4; i > 0; --i", 4),
        ("int i = 3; i >= 0; i--", 4),  # leaves the numbers that are the same with and without sign
        ("unsigned char i = 253; i != 1; ++i", 4),  # wraps
        ("int i = 1; i < 8; i += i", 3),
        ("int i = 0, last = 3; i <= last; i++", 4),
        ("int i = 0; i < 6 - 2; i++", 4),
        ("long i = 6; i > LEAST; i -= STEP", 2),
    ],
)
def test_a_counted_loop_has_a_copy_of_its_body_for_every_iteration(head: str, copies: int) -> None:
    macros = "#define LEAST 1\n#define STEP 3\n"
    machine = run(f"  for ({head}) {{ out[tid] = tid; tid += n; }}", before=macros)
    assert machine.tally.loops_kept == 0
    assert count(machine, "store") == copies


def test_reads_of_a_failed_unrolling_are_dropped() -> None:
    big = "struct S { float v[4]; float w, x; };"
    body = "b[k] = s.w * s.w + s.x; " + " ".join(f"b[k + {n}] = s.w / (s.x + {n});" for n in range(1, 40))
    machine = run(f"  S s = p[tid]; for (int k = 0; k < 64; ++k) {{ {body} }} a[tid] = s.w;", f"{POINTERS}, S *p", big)
    assert machine.tally.loops_kept == 1
    graph = machine.graph
    assert graph.ops[graph.args[named(machine, "store")[-1]][1]] == "load global"
