"""Symbolic execution follows code passed as a value or a type: functions, function objects, lambdas.

Constructors give members their values. Calls through a pointer cannot be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from frontend_helpers import build
from ssa_helpers import constants, count, named, run, run_text, stored, trace

from regpress_lint.targets.costs import COSTS, INDIRECT

if TYPE_CHECKING:
    from regpress_lint.model.passes.liveness import Pressure

FUNCTIONS = """
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
template <int (*F)(int, int)> __device__ int on_both(int a, int b) { return F(a, F(a, b)); }
template <class T, T (*F)(T, T), int N> __device__ T power(T a) {
  T r = a;
  for (int k = 1; k < N; k++) r = F(r, a);
  return r;
}
"""
OBJECTS = """
struct Plus { __device__ int operator()(int a, int b) const { return a + b; } };
struct Times { static __device__ int apply(int a, int b) { return a * b; } };
struct Other { static __device__ int apply(int a, int b) { return a - b; } };
template <class Op> __device__ int made(int a, int b) { return Op()(a, b); }
template <class Op> __device__ int named(int a, int b) { Op op; return op(a, b); }
template <class Op> __device__ int by_class(int a, int b) { return Op::apply(a, b); }
template <class F, class G> struct Chain { F f; G g; };
"""


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("out[0] = on_both<plus>(2, 3);", 7),
        ("out[0] = on_both<&times>(2, 3);", 12),
        ("out[0] = power<int, times, 4>(3);", 81),
        ("int (*f)(int, int) = times; out[0] = f(4, 5);", 20),
        ("int (*f)(int, int) = &plus; out[0] = (*f)(4, 5);", 9),
    ],
)
def test_functions_are_followed_as_arguments_and_in_variables(statements: str, value: int) -> None:
    assert constants(run(statements, before=FUNCTIONS)) == [value]


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("out[0] = made<Plus>(2, 3);", 5),
        ("out[0] = named<Plus>(2, 3);", 5),
        ("out[0] = by_class<Times>(2, 3);", 6),
        ("out[0] = by_class<Other>(2, 3);", -1),
        ("auto twice = [](int x) { return 2 * x; }; const auto same = twice; out[0] = same(21);", 42),
        ("Chain<Plus, Plus> c; out[0] = c.f(1, c.g(2, 3));", 6),
    ],
)
def test_types_of_function_objects_and_lambdas_in_structs_are_followed(statements: str, value: int) -> None:
    assert constants(run(statements, before=OBJECTS)) == [value]


@pytest.mark.parametrize(("function", "value"), [("plus", 5), ("times", 6)])
def test_a_kernel_is_instantiated_for_a_function(function: str, value: int) -> None:
    text = f"""{FUNCTIONS}
    template <int (*F)(int, int)> __global__ void k(int* out) {{ out[0] = F(2, 3); }}
    template __global__ void k<{function}>(int*);"""
    file = build(text)
    assert [one.arguments for one in file.kernels[0].instances] == [function]
    assert constants(run_text(text)) == [value]


SPECIAL = """
template <class T> struct Traits { static constexpr int N = 1; static __device__ int to(T) { return 10; } };
template <> struct Traits<double> { static constexpr int N = 2; static __device__ int to(double) { return 20; } };
template <class T> __device__ int size() { return 100; }
template <> __device__ int size<float>() { return 200; }
template <class T> __device__ int all(T x) { return Traits<T>::N + Traits<T>::to(x) + size<T>(); }
"""


@pytest.mark.parametrize(("argument", "value"), [("1", 111), ("1.0", 122), ("1.0f", 211)])
def test_explicit_specialisation_overrides_the_template(argument: str, value: int) -> None:
    assert constants(run(f"out[0] = all({argument});", before=SPECIAL)) == [value]


POINT = """
struct Point {
  int x, y;
  __device__ Point(int a, int b) : x(a), y{b * 2} {}
  __device__ Point moved(int by) const { return Point(x + by, y + by); }
};
struct Plain { int a; int b[2]; Point p; };
"""


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("Point p(1, 2); out[0] = p.x; out[1] = p.y;", [1, 4]),
        ("Point p = Point(1, 2).moved(1); out[0] = p.x; out[1] = p.y;", [2, 10]),
    ],
)
def test_constructor_initialises_members_from_its_list(statements: str, values: list[int]) -> None:
    assert constants(run(statements, before=POINT)) == values


AGGREGATES = """
struct Pair { int first, second; };
struct Nested { Pair pair; float2 xy; int tail[2]; };
__device__ Pair swapped(Pair p) { return {p.second, p.first}; }
"""


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("Pair p = {3, 4}; Pair q = swapped(p); out[0] = q.first; out[1] = q.second;", [4, 3]),
        ("Pair p = swapped(Pair{5, 6}); out[0] = p.first;", [6]),
        ("Nested n = {{1, 2}, {3, 4}, {5, 6}}; out[0] = n.pair.second + n.tail[1]; out[1] = n.xy.y;", [8, 4]),
        ("Pair p; p = {7, 8}; out[0] = p.second;", [8]),
        ("Pair p = {9}; out[0] = p.second;", [0]),
    ],
)
def test_braces_give_the_members_their_values(statements: str, values: list[int]) -> None:
    assert constants(run(statements, before=AGGREGATES)) == values


VIRTUAL = """
struct Shape {
  __device__ virtual float area() const { return 1.0f; }
  __device__ float twice() const { return area() + area(); }
};
struct Square : Shape { float a; __device__ float area() const override { return a * a; } };
typedef float (*Op)(float);
"""


@pytest.mark.parametrize(
    ("statements", "parameters"),
    [
        ("b[tid] = s[tid]->area();", "Shape **s, float *b"),
        ("b[tid] = f(a[tid]);", "float *a, Op f, float *b"),
        ("b[tid] = f[tid & 1](a[tid]);", "float *a, Op *f, float *b"),
    ],
)
@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_indirect_call_takes_the_registers_of_the_convention(statements: str, parameters: str, vendor: str) -> None:
    machine = run(statements, parameters, VIRTUAL, vendor)
    assert max(machine.graph.extra) == COSTS[vendor][INDIRECT].once
    assert machine.tally.unresolved == 1


@pytest.mark.parametrize("call", ["s.area()", "of(s)", "at->area()"])
def test_a_virtual_function_of_an_object_of_the_kernels_own_is_known(call: str) -> None:
    of = "__device__ float of(const Shape& s) { return s.area(); }\n"
    machine = run(f"Square s; s.a = 3; Shape* at = &s; out[0] = {call};", before=VIRTUAL + of)
    assert constants(machine) == [9]
    assert machine.tally.unresolved == 0


@pytest.mark.parametrize("call", ["of(s)", "at->area()", "at->twice()"])
def test_a_virtual_function_in_a_loop_stays_a_call_through_a_base(call: str) -> None:
    """48 VGPRs and 32 bytes of clang 19.1.7 for such a loop, 34 registers and 24 bytes of nvcc 13.0.88."""
    of = "__device__ float of(const Shape& s) { return s.area(); }\n"
    text = f"Square s; s.a = a[tid]; Shape* at = &s; float v = 0; for (int i = 0; i < n; ++i) v += {call}; b[tid] = v;"
    machine = run(text, "float *a, float *b, int n", VIRTUAL + of)
    assert machine.tally.unresolved
    assert {each.name for each in machine.tally.unknowns} == {"area"}
    direct = run(text.replace(call, "s.area()"), "float *a, float *b, int n", VIRTUAL + of)
    assert not direct.tally.unresolved
    assert not direct.tally.unknowns


@pytest.mark.parametrize("call", ["f(a[tid])", "(*f)(a[tid])", "s.f(a[tid])"])
def test_calls_of_an_open_class_are_said(call: str) -> None:
    head = "template <class F> struct S { F f; };\ntypedef float (*Op)(float);\nstruct By { Op f; };\n"
    machine = run(f"b[tid] = {call};", f"float *a, F {'*' * ('*' in call)}f, By s, float *b", head)
    assert machine.tally.unresolved == 1
    assert [each.kind for each in machine.tally.unknowns] == ["callee"] * ("s." not in call)


@pytest.mark.parametrize(
    ("statements", "services"),
    [
        ("p[tid] = new int[n];", ["malloc"]),
        ("delete p[tid];", ["free"]),
        ("p[tid] = (int*)malloc(4 * n); free(p[0]);", ["malloc", "free"]),
        ("p[tid] = new (p[0]) int(3);", []),
    ],
)
def test_the_heap_of_the_device_is_a_service(statements: str, services: list[str]) -> None:
    machine = run(statements, "int **p, int n")
    assert [key for key, _ in machine.tally.services] == services
    assert count(machine, "store") >= (statements[0] == "p")


def test_new_returns_a_pointer() -> None:
    machine = run("p[tid] = new int[n];", "int **p, int n")
    assert machine.graph.widths[stored(machine)[0]] == 2


@pytest.mark.parametrize(
    ("text", "services"),
    [
        ("assert(sizeof(int) == 4);", 0),
        ('assert(4 > 3 && "four is more");', 0),
        ("assert(n > 0);", 1),
        ("assert(false);", 1),
    ],
)
def test_assertion_known_to_hold_is_removed(text: str, services: int) -> None:
    assert len(run(text).tally.services) == services


def test_assertion_is_removed_under_ndebug() -> None:
    assert not run("assert(n > 0);", before="#define NDEBUG").tally.services


def test_macro_named_like_an_array_is_not_a_call() -> None:
    machine = run("out[tid] = out(1, tid);", before="#define out(i, j) out[(i) * 64 + (j)]")
    assert machine.tally.unresolved == 0
    assert count(machine, "load") == 1


WRITTEN_OUT = "  double x = a[tid], y = a[tid + n]; x = x * y + 1; out[tid] = x + y;"


@pytest.mark.parametrize(
    ("macro", "use"),
    [
        ("#define BODY(T) T x = a[tid], y = a[tid + n]; x = x * y + 1; out[tid] = x + y;", "BODY(double)"),
        ("#define BODY(T) T x = a[tid], y = a[tid + n]; x = x * y + 1; out[tid] = x + y", "BODY(double);"),
        (
            "#define READ(T, V, I) T V = a[I];\n"
            "#define BODY(T) READ(T, x, tid) READ(T, y, tid + n) x = x * y + 1; out[tid] = x + y;",
            "BODY(double)",
        ),
        (
            "#define READ(N, I) double v##N = a[I];\n"
            "#define BODY(P, Q) READ(P, tid) READ(Q, tid + n) v##P = v##P * v##Q + 1; out[tid] = v##P + v##Q;",
            "BODY(0, 1)",
        ),
    ],
    ids=["a type", "no semicolon of its own", "a type handed on", "pasted names"],
)
def test_a_body_that_a_macro_writes_for_a_type_is_as_if_written_out(macro: str, use: str) -> None:
    assert held(use, before=macro) == held(WRITTEN_OUT)


@pytest.mark.parametrize("use", ["STORE", "PUT(1)", "PUT_ALL()"])
def test_an_invocation_at_the_end_of_a_body_without_a_semicolon_is_not_lost(use: str) -> None:
    before = "#define STORE out[tid] = 1;\n#define PUT(x) out[tid] = x;\n#define PUT_ALL() out[tid] = 1;"
    assert constants(run(use, before=before)) == [1]


def held(statements: str, before: str = "") -> Pressure:
    return trace(statements, "double *a, double *out, int n", before).held


TOWERS = {
    "no arguments": "__device__ int low() { return high() + high(); }\n__device__ int high() { return low() + low(); }",
    "a template": "template <class T> __device__ int low(T v) { return v ? low<T>(v / 2) + low<T>(v / 3) : 0; }",
    "each in the other's arguments": "__device__ int low(int v) { return high(low(v), low(v + 1)); }\n"
    "__device__ int high(int v, int w) { return low(high(v, w)) + low(high(w, v)); }",
}


@pytest.mark.parametrize("name", TOWERS)
def test_functions_that_call_each_other_do_not_double_the_work_on_every_level(name: str) -> None:
    call = {"no arguments": "low()", "a template": "low<int>(tid)"}.get(name, "low(tid)")
    machine = run(f"out[tid] = {call};", before=TOWERS[name])
    assert machine._steps < 60


@pytest.mark.parametrize("call", ["sum<3>(tid)", "sum_of<int, 3>(tid)"])
def test_a_template_that_calls_itself_with_another_constant_is_followed(call: str) -> None:
    before = (
        "template <int N> __device__ int sum(int v) { if (N > 0) return v * N + sum<N - 1>(v); return 0; }\n"
        "template <class T, int N> __device__ T sum_of(T v) { if (N) return v * N + sum_of<T, N - 1>(v); return 0; }"
    )
    machine = run(f"out[0] = {call};", before=before)
    assert machine.tally.unresolved == 0
    assert machine.tally.complete
    assert machine._steps < 60


def test_library_class_member_is_not_a_project_function() -> None:
    before = (
        "struct Vec { int v[2]; __device__ int max() const { return std::numeric_limits<int>::min(); }\n"
        "  __device__ int min() const { return std::numeric_limits<int>::max(); } };"
    )
    machine = run("out[tid] = std::numeric_limits<int>::max();", before=before)
    assert machine._steps < 20
    assert 2147483647 in machine.graph.constants


@pytest.mark.parametrize(
    "body", ["(x = (t), (x = x + 1))", "(x = (t), x += 1)", "(x += (t), x = f(x, 1), x)", "((x = (t)), (x + 1))"]
)
def test_a_macro_may_be_a_comma_of_assignments(body: str) -> None:
    macros = f"#define STEP(t) {body}\n#define PUT(v) {{ out[tid] = v; }}\n"
    before = f"{macros}__device__ int f(int a, int b) {{ return a + b; }}"
    found = run("int x = 0; PUT(STEP(6));", before=before)
    assert constants(found) == [7]


def test_redefined_macro_has_its_value_at_each_place() -> None:
    text = """
#define STEP(t) (t + CONSTANT)
#define CONSTANT 1
__device__ int first(int x) { return STEP(x); }
#undef CONSTANT
#define CONSTANT 100
__global__ void k(int *out) {
  out[0] = first(0);
  out[1] = STEP(0);
#undef CONSTANT
#define CONSTANT 1000
  out[2] = STEP(0) + first(0);
}
#undef CONSTANT
#define CONSTANT 5
"""
    assert constants(run_text(text)) == [1, 100, 1001]


HALVES = """
#define HALF(n) (int)(n / 2)
template <int N> struct Merge {{
  static __device__ void run(float *a) {{
    a[N] *= 2;
    Merge<{first}>::run(a);
    Merge<{second}>::run(a + 1);
  }}
}};
template <> struct Merge<1> {{ static __device__ void run(float *a) {{ a[0] += 1; }} }};
template <int N> __device__ void merged(float *a) {{ Merge<N>::run(a); }}
"""


@pytest.mark.slow
def test_a_template_whose_arguments_have_no_value_has_an_end() -> None:
    """With N unknown no specialisation ends `Merge<N / 2>`: two calls in each are 2 ** 16 of them."""
    found = run("merged<8>(a);", before=HALVES.format(first="HALF(N)", second="N - HALF(N)"))
    assert found.tally.complete
    assert found._steps < 100


def test_a_template_whose_arguments_have_a_value_is_followed() -> None:
    machine = run("Merge<3>::run(a);", before=HALVES.format(first="N - 1", second="1"))
    assert count(machine, "store global") > 2


EARLY = """
__device__ void found(int n, int* row) {
  for (int r = 0; r < n; r++) {
    if (r * r == n) { *row = 7; return; }
  }
}
__device__ void set(float& x, const float* p, int n) {
  if (n > 3) { x = expf(p[0]); return; }
  x = p[1];
}
struct Ray { float t; __device__ bool hits(const float* p) { if (p[0] > 1) { t = p[2]; return true; } return false; } };
"""


@pytest.mark.parametrize(
    ("statements", "reads"),
    [
        ("float x; set(x, p, n); o[0] = x;", 2),
        ("Ray ray; ray.t = 1; ray.hits(p); o[0] = ray.t;", 2),
        ("auto early = [&](float& x) { if (n > 2) { x = p[5]; return; } x = 1; }; float y = 0; early(y); o[0] = y;", 1),
    ],
)
def test_writes_before_an_early_return_are_kept(statements: str, reads: int) -> None:
    machine = run(statements, "float* o, const float* p, int n", EARLY, vendor="nvidia")
    (waiting,), behind = [stored(machine)], set[int]()
    while waiting:
        number = waiting.pop()
        behind.add(number)
        waiting += [arg for arg in machine.graph.args[number] if arg not in behind]
    assert len(behind.intersection(named(machine, "load global"))) == reads


def test_early_return_out_of_a_loop_keeps_its_writes() -> None:
    machine = run("int row = 3; found(n, &row); o[0] = row;", "int* o, int n", EARLY)
    (stored_value,) = stored(machine)
    assert 7 in [machine.graph.constants[arg] for arg in machine.graph.args[stored_value]]


PARAMETERS = "float *p, float *o, int n"


def test_blocks_that_macros_write_are_visible() -> None:
    """Arguments that the text behind `...` drops, and braces around a value; nvcc 13.0.88: 8 registers for sm_90."""
    text = """#define DIE(...) {__trap(); }
      #define LEAST(a, b) { ((a < b) ? a : b) }
      #define LESS(a, b, c) { c = (a); if ((b) < (c)) c = (b); }
      __global__ void k(float *x, float y) {
        float d = LEAST(x[0], y); LESS(x[3], y, x[4])
        if (x[0] < 0) { DIE("below %d", 1) }
        x[1] = d * y; }"""
    facts = facts_of(text)
    assert not facts.unknowns("sm_90")
    found = facts.target("sm_90").registers
    assert found.low <= 8 <= found.high


@pytest.mark.parametrize("operation", ["fmax", "fmaxf", "sum"])
@pytest.mark.parametrize("inside", [False, True], ids=["kernel", "member"])
def test_a_function_that_a_macro_is_given_is_called(operation: str, inside: bool) -> None:
    """Built-in functions had no meaning there; nvcc 13.0.88: 31 registers for sm_90 in each of these."""
    of_class = f"s.go(p, o, n); }}\n__global__ void unused({PARAMETERS}) {{"
    text = f"""#define REDUCE(load, op) {{ float mine = 0; for (int i = threadIdx.x; i < n; i += 32) {{ \\
        mine = op(mine, load(i)); }} o[threadIdx.x] = mine; }}
      #define AT(i) fabs(p[i])
      __device__ float sum(float a, float b) {{ return a + b; }}
      struct S {{ float low; __device__ void go({PARAMETERS}) {{ REDUCE(AT, {operation}) o[0] += low; }} }};
      __global__ void k({PARAMETERS}, S s) {{ {of_class if inside else f"REDUCE(AT, {operation})"} }}"""
    facts = facts_of(text)
    assert not facts.unknowns("sm_90")
    found = facts.target("sm_90").registers
    assert found.low <= 31 <= found.high
