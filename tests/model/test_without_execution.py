"""Facts that the source states about a kernel are known without executing it."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body, facts_of

from regpress_lint.api import effects
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.executions import Executions
from regpress_lint.lint.analysis import Analysis
from regpress_lint.lint.pipeline import judged
from regpress_lint.model.graph.objects import Placement
from regpress_lint.model.interpreter.machine import MisplacedError
from regpress_lint.model.passes import placement
from regpress_rules.arrays.constant_table_not_static import ConstantTableNotStatic
from regpress_rules.live import early_definition
from regpress_rules.live.fused_independent_loops import FusedIndependentLoops
from regpress_rules.live.lds_spill_candidate import LdsSpillCandidate
from regpress_rules.live.long_live_range import LongLiveRange, may_be_loaded
from regpress_rules.memory.unscalarized_uniform_load import UnscalarizedUniformLoad

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts

TILE = "float v[8]; for (int j = 0; j < 8; j++) v[j] = sinf(a[j]); for (int j = 0; j < n; j++) b[j] = v[j & 7];"


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Vendors for whose compilers the kernel was executed."""
    found: list[str] = []
    execute = Executions._executed

    def noted(executions: Executions, compiler: object) -> object:
        found.append(compiler.vendor)  # type: ignore[attr-defined]
        return execute(executions, compiler)  # type: ignore[arg-type]

    monkeypatch.setattr(Executions, "_executed", noted)
    return found


def test_sizes_kinds_and_calls_need_no_execution(executed: list[str]) -> None:
    facts = body(TILE)
    assert [(array.bytes, array.elements, array.table) for array in facts.arrays] == [(32, 8, False)]
    assert {access.kind for array in facts.arrays for access in array.described} == {"read", "write"}
    assert [site.call.name for site in facts.calls] == ["sinf"]
    assert (len(facts.source.loops), facts.launch.lds_at_least, facts.source_bound("gfx90a") > 8) == (2, 0, True)
    assert not executed


def test_accesses_match_an_execution(executed: list[str]) -> None:
    facts = body(TILE)
    assert [access.dynamic for access in facts.arrays[0].accesses] == [False, True]
    assert executed == ["amd", "nvidia"]
    assert facts.calls[0].loops == (facts.loops[0],)


def test_an_array_with_literal_indices_has_no_other(executed: list[str]) -> None:
    assert not body("float v[2]; v[0] = a[0]; v[1] = a[1]; b[0] = v[0] + v[1];").arrays[0].dynamic
    assert not executed


def test_bound_is_never_below_the_source_count() -> None:
    rows = "for (int i = 0; i < {0}; i++) for (int j = 0; j < {1}; j++) b[i] += a[i * n + j] * v[j];"
    for text in (
        *(
            f"float v[8]; v[n] = a[0]; {rows.format(*trips)}"
            for trips in ((2, 3), (8, "n"), ("n", 8), ("n", "n"), (3, 40))
        ),
        TILE,
        "float v[40]; for (int j = 0; j < 40; j++) v[j] = a[j * n]; b[0] = v[n];",
        "b[tid] = a[tid];",
    ):
        facts = body(text)
        for name in facts.targets:
            assert facts.source_bound(name) >= facts.source_registers(name)


def test_the_bound_counts_no_more_copies_than_a_loop_has_iterations(executed: list[str]) -> None:
    def bound(trips: str) -> int:
        loop = f"for (int i = 0; i < n; i++) for (int j = 0; j < {trips}; j++) b[0] += a[j];"
        return body(f"float v[1]; v[0] = a[1]; {loop}").source_bound("gfx90a")

    assert bound("n") < bound("2") < bound("8") < bound("16") == bound("40")
    assert not executed


COMPUTED = ["int x = tid * 2 + n;", "float x = -0.5f;", "const int y = blockIdx.y; int x = y > 3 ? y : 1;"]
LOADED = [
    "float x = a[tid];",
    "float y = a[tid]; float x = y;",
    "float x = *a;",
    "float x = f(n);",
    "int x = n; x = (int)a[n];",
    "int x = n; g(&x);",
    "int x = n; LOAD(x);",
    "int x = FIRST;",
    "S s = p[n]; int x = s.i;",
]


@pytest.mark.parametrize(("text", "expected"), [(each, False) for each in COMPUTED] + [(each, True) for each in LOADED])
def test_values_that_may_come_from_memory(text: str, expected: bool) -> None:
    facts = body(text, before="struct S { int i; };\n#define FIRST a[0]", parameters="float *a, S *p, int n")
    variable = next(each for each in facts.source.variables if each.name == "x")
    assert may_be_loaded(facts, variable) is expected


SUM = "float sum = 0; for (int j = 0; j < n; j++) sum += a[j]; b[tid] = sum;"
PAIRS = "float p = 0, q = 1; for (int j = 0; j < n; j++) {{ p += a[j]; q *= a[j]; }} b[0] = p; b[1] = q; {}"


def test_a_loop_that_too_little_lives_through_is_not_executed(executed: list[str]) -> None:
    held = [f"float held{number} = a[n + {number}];" for number in range(8)]
    used = [f"b[{number}] = held{number};" for number in range(8)]
    for rule in (LongLiveRange(), LdsSpillCandidate(), FusedIndependentLoops()):
        assert not list(rule.check_kernel(body(SUM)))
        assert not list(rule.check_kernel(body(" ".join([held[0], SUM, used[0]]))))
    assert not executed
    list(LongLiveRange().check_kernel(body(" ".join([*held, SUM, *used]))))
    assert executed


SHARED = "const int t = threadIdx.x; __shared__ float s[1024]; s[t] = a[t]; for (int j = 0; j < 4; j++) b[j] = {};"


def test_arrays_where_threads_meet_need_no_execution(executed: list[str]) -> None:
    """Whatever loops are copied, `s[0]` is the slot of another thread."""
    for other in ("s[0]", "s[t + n]", "s[t] + s[n + j]"):
        assert not body(SHARED.format(other)).per_thread_slots
    assert not executed
    _ = body(SHARED.format("s[t + 256 * j]")).per_thread_slots
    assert executed


def test_loads_without_a_clobber_need_no_execution(executed: list[str]) -> None:
    loads = "float sum = 0; for (int j = 0; j < 16; j++) sum += c[j]; {}"
    parameters = "const float *c, float *b, int *k, int n"
    for stores in ("b[tid] = sum;", "for (int j = 0; j < n; j++) k[j] = (int)sum;"):
        assert not list(UnscalarizedUniformLoad().check_kernel(body(loads.format(stores), parameters=parameters)))
    assert not executed
    list(
        UnscalarizedUniformLoad().check_kernel(
            body(f"b[n] = 1; {loads.format('b[tid] = sum;')}", parameters=parameters)
        )
    )
    assert executed


def test_wide_variables_are_a_reason_to_execute_a_loop(executed: list[str]) -> None:
    assert not list(FusedIndependentLoops().check_kernel(body(PAIRS.format(""))))
    assert not executed
    sums = " ".join(f"double s{number} = 0;" for number in range(8))
    adds = " ".join(f"s{number} += a[j + {number}];" for number in range(8))
    ends = " ".join(f"b[{number}] = s{number};" for number in range(8))
    list(FusedIndependentLoops().check_kernel(body(f"{sums} for (int j = 0; j < n; j++) {{ {adds} }} {ends}")))
    assert executed
    executed.clear()
    wide = " ".join(f"double w{number} = a[{number}];" for number in range(4))
    kept = " ".join(f"b[{number}] = w{number};" for number in range(4))
    list(LdsSpillCandidate().check_kernel(body(f"{wide} {SUM} {kept}")))
    assert executed


def test_template_is_not_executed_for_facts_of_its_instances(executed: list[str]) -> None:
    inside = f"float v[N]; int tid = n; {TILE.partition(';')[2]}"
    text = f"template <int N> __global__ void k(const float *a, float *b, int n) {{ {inside} }}"
    facts = facts_of(f"{text} void run(float *a) {{ k<8><<<1, 64>>>(a, a, 1); k<9><<<1, 64>>>(a, a, 1); }}")
    assert len(facts.instances) == 2
    assert facts.source_registers("gfx90a") == max(each.written("gfx90a").most for each in facts.instances.values())
    assert not facts.executions._traces


def test_needs_ask_for_no_execution(executed: list[str]) -> None:
    facts = facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {TILE} }}")
    assert LongLiveRange.scope().covers(facts)
    assert not executed


def test_a_long_block_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    writes_of = effects.writes_of

    def noted(facts: KernelFacts, statement: object) -> object:
        asked.append(statement)
        return writes_of(facts, statement)  # type: ignore[arg-type]

    monkeypatch.setattr(effects, "writes_of", noted)
    made = " ".join(f"double v{number} = a[tid] * {number}.5;" for number in range(40))
    used = " ".join(f"b[{number}] = v{number};" for number in range(40))
    list(early_definition.EarlyDefinition().check_kernel(body(f"{made} {used}")))
    assert asked
    assert len(asked) == len(set(asked))


def test_values_that_can_be_no_more_than_a_hint_are_not_looked_for(executed: list[str]) -> None:
    def text(value: str) -> str:
        made = " ".join(f"double v{number} = {value} * {number}.5;" for number in range(8))
        used = " + ".join(f"v{number}" for number in range(8))
        return f"{made} float sum = 0; for (int j = 0; j < n; j++) sum += a[j]; b[0] = sum + {used};"

    rule = early_definition.EarlyDefinition()
    list(rule.check_kernel(body(text("tid"))))
    assert not executed
    for suppressed in ("// regpress: ignore[RP302]\n", "// NOLINT\n"):
        list(rule.check_kernel(body(text("tid"), before=suppressed)))
        assert executed
        executed.clear()
    list(rule.check_kernel(body(text("a[tid]"))))
    assert executed


def test_array_of_other_values_is_not_a_table(executed: list[str]) -> None:
    filled = "float v[32]; v[0] = 1; v[1] = {}; for (int j = 0; j < n; j++) b[j] = v[j * 7 & 31];"
    rule = ConstantTableNotStatic()
    assert not list(rule.check_kernel(body(filled.format("a[0]"))))
    assert not executed
    assert list(rule.check_kernel(body(filled.format("2"))))
    assert executed


@pytest.mark.parametrize("launch", ["", "void go(float *a, float *b, int n) { k<<<n / 256, 256>>>(a, b, n); }"])
def test_a_plain_kernel_is_judged_without_being_executed(executed: list[str], launch: str) -> None:
    """Most kernels are like this, so they determine the time of `check` in a repository."""
    text = (
        "__global__ void k(const float *a, float *b, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) b[i] = 2.0f * a[i] + b[i];\n}\n" + launch
    )
    settings = Settings(architectures=("gfx90a", "gfx1100", "sm_90", "pvc"))
    judged(Analysis(Source("k.hip", text.encode()), "hip", settings), "k.hip", settings)
    assert not executed


@pytest.mark.parametrize(
    ("macro", "statements", "asked"),
    [
        ("#define SWAP(a, b) do { float t = (a); (a) = (b); (b) = t; } while (0)\n", "SWAP(b[0], b[1]);", False),
        ("#define INNER(x) ((x) * 2.0f)\n#define OUTER(x) INNER(x)\n", "b[0] = OUTER(a[0]);", False),
        ("#define STORE(p, x) write_to((p), (x))\n", "STORE(b, a[0]);", True),  # not in view
        (
            "__device__ void put(float *p, float x) { unseen(p, x); }\n#define PUT(p, x) put(p, x)\n",
            "PUT(b, 1.0f);",
            True,
        ),
        ("", "*b = a[0];", False),
    ],
)
def test_macro_expansion_is_searched_for_unknowns(
    executed: list[str], macro: str, statements: str, *, asked: bool
) -> None:
    facts = facts_of(f"{macro}__global__ void k(const float *a, float *b) {{ {statements} }}")
    found = facts.decisive_unknowns("gfx90a")
    assert (bool(found), bool(executed)) == (asked, asked)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of each execution how many arrays and objects are in memory."""
    counted: list[int] = []
    execute = placement._executed

    def noted(*args: object) -> object:
        counted.append(len(args[2].memory))  # type: ignore[attr-defined]
        return execute(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(placement, "_executed", noted)
    return counted


def test_first_instantiation_decides_which_arrays_stay_in_memory(counted: list[int]) -> None:
    facts = facts_of(
        "template <int N> __global__ void k(const float *a, float *b) {\n"
        "  float v[128]; for (int i = 0; i < N; i++) v[i] = a[i]; b[0] = v[int(a[N])];\n}\n"
        "void go(float *a, float *b) { k<4><<<1, 64>>>(a, b); k<6><<<1, 64>>>(a, b); k<8><<<1, 64>>>(a, b); }\n"
    )
    assert len(facts.instances) == 3
    assert facts.target("gfx90a").registers.scratch_bytes == 528
    assert counted == [0, 1, 1, 1]  # the first is executed a second time, for the others it is known


@pytest.mark.parametrize(
    "arrays",
    [
        "float v[128], w[128]; v[n[0]] = a[0]; w[n[0]] = a[1]; float sum = v[n[1]] + w[n[1]];",
        "float sum = taken<128>(a, n);",
    ],
)
def test_execution_restarts_once_for_arrays_certainly_in_memory(arrays: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []  # arrays in memory, and work
    execute = placement._executed

    def noted(*args: object) -> object:
        memory = len(args[2].memory)  # type: ignore[attr-defined]
        try:
            machine = execute(*args)  # type: ignore[arg-type]
        except MisplacedError as broken_off:
            seen.append((memory, broken_off.work))
            raise
        seen.append((memory, machine.work))
        return machine

    monkeypatch.setattr(placement, "_executed", noted)
    facts = facts_of(
        "template <int N> __device__ float taken(const float *a, const int *n) {\n"
        "  float v[N], w[N]; v[n[0]] = a[0]; w[n[0]] = a[1]; return v[n[1]] + w[n[1]];\n}\n"
        "__global__ void k(const float *a, const int *n, float *b) {\n"
        f"  {arrays}\n"
        "  #pragma unroll\n  for (int i = 0; i < 100; i++) sum += a[i] * a[i + 1];\n  b[0] = sum;\n}\n"
    )
    assert facts.target("gfx90a").registers.scratch_bytes >= 1024
    (first, little), (second, all_) = seen
    assert (first, second) == (0, 2)
    assert little < 200 < 1000 < all_


def test_large_frame_known_from_amd_takes_one_execution(counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "__global__ void k(const float *a, const int *n, float *b) {\n  float v[128], w[4];\n"
        "  for (int i = 0; i < n[9]; i++) { v[n[i]] = a[i]; w[n[i] & 3] += a[i]; }\n  b[0] = v[n[0]] + w[n[1]];\n}\n"
    )
    alone = facts_of(source).target("sm_90").registers
    assert counted == [0, 2]
    facts = facts_of(source)
    assert facts.target("gfx90a").registers.scratch_bytes
    counted.clear()
    assert facts.target("sm_90").registers == alone
    assert counted == [2]

    counted.clear()
    monkeypatch.setattr(placement, "_likely", lambda kernel: Placement(frozenset((kernel.arrays[0].variable,))))
    assert facts_of(source).target("sm_90").registers == alone
    assert counted == [1, 2]  # a frame that has grown is gone on with


@pytest.mark.parametrize(
    ("objects", "memory"),
    [
        ("float v[20];\n  for (int i = 0; i < n[9]; i++) v[n[i]] = a[i];\n  b[0] = v[n[0]];", 1),
        ("P own = {a[0]}, *p = n[0] ? &own : (P *)b;\n  b[1] = p->x;", 1),
    ],
)
def test_memory_seen_for_amd_takes_one_execution(objects: str, memory: int, counted: list[int]) -> None:
    source = (
        "struct P { float x, y, z; };\n"
        f"__global__ void k(const float *a, const int *n, float *b) {{\n  {objects}\n}}\n"
    )
    alone = facts_of(source).target("sm_90").registers
    assert counted == [0, memory]
    facts = facts_of(source)
    assert facts.target("gfx90a").registers
    counted.clear()
    assert facts.target("sm_90").registers == alone
    assert counted == [memory]


def test_counters_of_loops_kept_in_a_large_graph_restart_nothing(counted: list[int]) -> None:
    facts = facts_of(
        "#define TWICE(a, j) { float t = a[7 + (8 * j)]; a[7 + (8 * j)] = a[6 + (8 * j)]; a[6 + (8 * j)] = t; }\n"
        "__device__ float one(const float *p) { return p[0]; }\n"
        "__device__ void turn(float *w) {\n  for (int j = 0; j < 5; j++) { TWICE(w, j) }\n}\n"
        "__global__ void k(const float *a, float *b) {\n  float v[512], sum = 0;\n"
        "  #pragma unroll\n  for (int i = 0; i < 500; i++) sum += a[i] * a[i + 1];\n"
        "  for (int i = 0; i < 40; i++) v[i] = a[i];\n  turn(v);\n"
        f"  for (int i = 0; i < 40; i++) sum += v[i] * a[i];\n  {'sum += one(a); ' * 60}\n  b[0] = sum;\n}}\n"
    )
    assert facts.target("gfx90a").registers.scratch_bytes == 0
    assert counted == [0]


def test_array_that_a_long_loop_goes_through_begins_in_memory(counted: list[int]) -> None:
    facts = facts_of(
        "__global__ void k(const float *a, float *b) {\n  float v[400], sum = 0;\n"
        f"  {'sum = sum * a[0] + 1; ' * 400}\n"
        "  for (int i = 0; i < 400; i++) v[i] = a[i] * sum;\n  for (int i = 0; i < 400; i++) b[i] = v[399 - i];\n}\n"
    )
    assert facts.target("gfx90a").registers.scratch_bytes >= 1600
    assert counted == [1]


def test_object_indexed_behind_a_large_graph_restarts_soon(counted: list[int]) -> None:
    """At an index out of memory, which no copies of a loop make a constant."""
    sums = "if (n[1]) sum = sum * a[0] + 1; "
    facts = facts_of(
        "struct P { float x[300]; };\n"
        f"__global__ void k(const float *a, const int *n, float *b) {{\n  float sum = 0;\n  {sums * 400}\n"
        f"  P p; for (int i = 0; i < n[0]; i++) p.x[n[i]] = a[i];\n  {sums * 900}\n  b[0] = sum + p.x[n[1]];\n}}\n"
    )
    assert facts.target("gfx90a").registers.scratch_bytes >= 1200
    assert counted == [0, 1]
    again = placement.executed(facts.executions.input_for(facts.compiler("gfx90a")))
    assert facts.work("gfx90a") < 1.7 * again.work


PHASE = """short aN[3000] = {0}, bN[3000] = {0}; int wasN[17] = {0}, isN[17] = {0};
for (int i = 0; i < n; i++) { at = 0; q = p[n + i]; for (int j = 0; j < n; j++) { wasN[0] = bN[at]; unsigned u = p[j];
  for (int k = 30; k >= 0; k -= 2) { int base = (u >> k) & 3, m = 0; isN[m] = bN[at + 1];
    for (int l = 30; l >= 0; l -= 2) {
      m++; isN[m] = wasN[m - 1] + (((q >> l) & 3) == base); isN[m] = max(isN[m], max(isN[m - 1], wasN[m])); }
    at++; aN[at] = isN[16]; if (at == n) { if (i == n - 1) { o[t] = isN[n % 16]; return; } break; }
    k -= 2; base = (u >> k) & 3; m = 0; wasN[m] = bN[at + 1];
    for (int l = 30; l >= 0; l -= 2) {
      m++; wasN[m] = isN[m - 1] + (((q >> l) & 3) == base); wasN[m] = max(wasN[m], max(wasN[m - 1], isN[m])); }
    at++; aN[at] = wasN[16]; } } }
"""


def test_cut_off_execution_goes_on_with_more_arrays_in_memory(
    counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second half of the kernel is reached only with the arrays of the first in memory."""
    monkeypatch.setattr(placement, "MAX_WORK", 12_000)
    monkeypatch.setattr(placement, "_CUT_OFF_AND_AGAIN", 18_000)
    halves = "".join(PHASE.replace("N[", f"{number}[") for number in (1, 2))
    head = "__global__ void k(int* o, const unsigned* p, int n) { int t = threadIdx.x, at; unsigned q;"
    found = facts_of(f"{head} {halves} }}", "cuda").target("sm_90").registers
    assert len(counted) == 3
    assert counted == sorted(counted)
    assert found.scratch_bytes >= 4 * 6000


def test_loops_are_freed_without_the_collector() -> None:
    facts = facts_of("__global__ void k(float *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n")
    loop = weakref.ref(facts.source.loops[0])
    gc.collect()
    gc.disable()
    try:
        facts.forget()
        assert loop() is None
    finally:
        gc.enable()


def test_an_execution_goes_with_its_facts_and_waits_for_no_collector() -> None:
    """The copies of a loop whose counter bounds another one once held all of the machine in a circle."""
    facts = facts_of(
        "__global__ void k(const float *a, float *b) {\n  float v[8];\n"
        "  for (int i = 0; i < 8; i++) { v[i] = a[i]; for (int j = 0; j < i; j++) v[i] += v[j] * a[j]; }\n"
        "  for (int i = 0; i < 8; i++) b[i] = v[i];\n}\n"
    )
    gc.collect()
    gc.disable()
    try:
        machine = weakref.ref(facts.peak("sm_90").found.machine)
        facts.forget()
        assert machine() is None
    finally:
        gc.enable()
