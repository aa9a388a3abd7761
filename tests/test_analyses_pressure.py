"""Live registers line by line, checked against counts that were made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.preprocess.macro_words import MacroWords
from regpress_lint.cpp.preprocess.macros import MacroTable, scan_macros
from regpress_lint.views.pressure.lines import KernelPressure, LinePressure, kernel_pressure
from regpress_lint.views.pressure.views import Around

if TYPE_CHECKING:
    from regpress_lint.views.pressure.values import Value

HEAD = "__global__ void k(const float *a, float *b, int n) {\n  int t = threadIdx.x;\n"


class Found:
    """Pressure of a kernel that is written in a test; lines are named by a piece of their text."""

    def __init__(self, text: str, target: str = "sm_90") -> None:
        self.text = text
        facts = facts_of(text, "cuda" if target.startswith("sm") else "hip", Settings(architectures=(target,)))
        source = Source("kernel.hip", text.encode())
        table = MacroTable.of(scan_macros(text.encode(), "kernel.hip"))
        around = Around(lambda _path: source, MacroWords(table))
        self.pressure: KernelPressure = kernel_pressure(facts, target, source, around)

    def line(self, piece: str) -> LinePressure:
        numbers = [number for number, line in enumerate(self.text.splitlines(), 1) if piece in line]
        assert len(numbers) == 1, f"{piece!r} stands on lines {numbers}"
        return next(line for line in self.pressure.lines if line.line == numbers[0])

    def names(self, piece: str, *, scalar: bool = False) -> set[str]:
        found = (self.pressure.values[index] for index in self.line(piece).values)
        return {value.name for value in found if value.scalar == scalar}

    def value(self, name: str) -> Value:
        (found,) = (value for value in self.pressure.values if value.name == name and value.kind != "argument")
        return found


def body(statements: str, target: str = "sm_90", before: str = "") -> Found:
    return Found(f"{before}{HEAD}{statements}\n}}\n", target)


def test_a_value_is_live_from_its_definition_to_its_last_use() -> None:
    found = body("  float x = a[t];\n  float y = a[t + 1];\n  float z = x * x;\n  b[t] = y + z;")
    assert [found.line(p).live for p in ("x = a", "y = a", "z = x", "b[t]")] == [2, 3, 4, 3]
    assert found.names("z = x") == {"t", "x", "y", "z"}
    assert found.names("b[t]") == {"t", "y", "z"}
    x = found.value("x")
    assert (x.registers, x.defined, x.first_used, x.last_used, x.kind) == (1, 3, 5, 5, "load")
    assert found.value("z").kind == "cheap arithmetic"
    assert found.value("x").lines == (3, 5)


def test_what_is_declared_but_not_written_yet_is_not_live() -> None:
    found = body("  double x;\n  float y = a[t];\n  x = y * a[t + 2] * 3;\n  b[t] = x + y;")
    assert found.names("double x") == {"t"}
    assert found.names("y = a[t]") == {"t", "y"}
    assert found.line("x = y").live == 4
    assert found.value("x").defined == 5


def test_a_variable_that_holds_two_values_in_turn_has_two_live_ranges() -> None:
    found = body("  float x = a[t];\n  b[t] = x;\n  b[t + 1] = 0;\n  x = a[t + 1];\n  b[t + 2] = x;")
    ranges = sorted((value.defined, value.last_used) for value in found.pressure.values if value.name == "x")
    assert ranges == [(3, 4), (6, 7)]
    assert found.names("b[t + 1] = 0") == {"t"}


def test_both_branches_reach_one_use_and_an_early_return_ends_the_rest() -> None:
    found = body(
        "  float x;\n  if (t < n)\n    x = a[t];\n  else\n    x = a[n];\n"
        "  if (t == 7) return;\n  float y = x;\n  b[t] = y;"
    )
    x = found.value("x")
    assert (x.defined, x.last_used, x.lines) == (5, 9, (5, 7, 9))
    assert found.names("return") == {"t", "x"}


def test_what_a_loop_carries_and_what_it_only_holds() -> None:
    loop = "  for (int i = 0; i < n; i++) {\n    s += a[i * 32 + t];\n  }"
    found = body(f"  float w = a[t];\n  float s = 0;\n{loop}\n  b[t] = s * w;")
    assert found.names("s +=") == {"t", "w", "s", "i"}
    assert found.value("s").kind == "loop-carried"
    assert found.value("i").kind == "loop counter"
    assert found.value("w").through == (5, 7)
    assert found.value("s").through is None


def test_an_argument_takes_no_register_until_it_is_changed() -> None:
    found = body("  b[t] = n;\n  n = n * t;\n  b[t + n] = n;")
    assert found.names("b[t] = n") == {"t"}
    assert found.names("b[t + n]") == {"t", "n"}
    assert [value.kind for value in found.pressure.values if value.name == "n"] == ["argument", "cheap arithmetic"]


def test_out_parameters_are_written_by_the_call() -> None:
    before = "__device__ void split(float v, float &lo, float &hi) { lo = v * 2; hi = v * 3; }\n"
    found = body("  float lo, hi;\n  split(a[t], lo, hi);\n  b[t] = lo;\n  b[t + 1] = hi;", before=before)
    assert found.names("float lo, hi;") == {"t"}
    assert found.names("b[t] = lo") == {"t", "lo", "hi"}
    assert found.value("hi").defined == 5
    found = body("  float s, c;\n  sincosf(a[t], &s, &c);\n  b[t] = s;\n  b[t + 1] = c;")
    assert found.names("float s, c;") == {"t"}
    assert found.names("b[t] = s") == {"t", "s", "c"}


def test_members_of_a_struct_are_values_of_their_own() -> None:
    before = "struct V { float x; double y; float z; };\n"
    found = body("  V v;\n  v.x = a[t];\n  v.y = a[n];\n  b[t] = v.x;\n  b[t + 1] = v.y;", before=before)
    assert found.names("V v;") == {"t"}
    assert found.names("v.x = a") == {"t", "v.x"}
    assert found.line("v.y = a").live == 4
    assert found.names("v.y;") == {"t", "v.y"}


def test_a_struct_that_is_filled_in_each_iteration_is_not_carried() -> None:
    before = "struct V { float x, y; };\n"
    loop = (
        "  for (int i = 0; i < n; i++) {\n    float w = a[i];\n    v.x = w;\n    v.y = w * 2;\n    s += v.x * v.y;\n  }"
    )
    found = body(f"  V v;\n  float s = 0;\n{loop}\n  b[t] = s;", before=before)
    assert found.names("float w") == {"t", "s", "i", "w"}
    assert found.names("s += v") == {"t", "s", "i", "v.x", "v.y"}


def test_a_struct_that_is_copied_whole_keeps_what_no_member_names() -> None:
    before = "struct V { float x, y, z, w; };\n__device__ void put(V v, float *b) { b[0] = v.x + v.y + v.z + v.w; }\n"
    found = Found(
        f"{before}__global__ void k(const V *a, float *b) {{\n  int t = threadIdx.x;\n  V v = a[t];\n  v.x = b[0];\n"
        "  put(v, b + t);\n}\n"
    )
    assert found.line("v.x = b").live == 5
    assert found.names("v.x = b") == {"t", "v.x", "v (rest)"}


def test_elements_at_constant_indices_are_values_of_their_own() -> None:
    found = body("  float u[3];\n  u[0] = a[t];\n  u[1] = a[n];\n  u[2] = u[0] * u[1];\n  b[t] = u[2];")
    assert found.names("u[1] = a") == {"t", "u[0]", "u[1]"}
    assert found.names("b[t]") == {"t", "u[2]"}


def test_an_array_at_a_loop_counter_is_held_whole() -> None:
    fill = "  for (int i = 0; i < 4; i++)\n    u[i] = a[t + i];"
    drain = "  for (int j = 0; j < 4; j++)\n    b[t + j] = u[j];"
    found = body(f"  float u[4];\n  float q = a[n];\n{fill}\n{drain}\n  b[n] = q;")
    assert found.names("float q") == {"t", "q"}
    assert found.line("b[t + j] = u").live == 6
    assert found.value("u").kind == "array"
    assert "i" not in found.names("u[i] = ")  # unrolled: a constant in each copy
    assert found.line("u[i] = ").in_flight == 3


@pytest.mark.parametrize(("bound", "carried"), [("4", False), ("3", True)])
def test_an_array_that_is_filled_anew_in_each_iteration_is_not_carried(bound: str, carried: bool) -> None:
    fill = f"    for (int i = 0; i < {bound}; i++)\n      u[i] = f * i;"
    loop = f"  for (int r = 0; r < n; r++) {{\n    float f = a[r];\n{fill}"
    drain = "    for (int j = 0; j < 4; j++)\n      s += u[j];\n  }"
    found = body(f"  float u[4];\n  float s = 0;\n{loop}\n{drain}\n  b[t] = s;")
    assert ("u" in found.names("f = a[r]")) is carried


@pytest.mark.parametrize(("trips", "carried"), [(1, False), (2, True)])
def test_a_loop_that_runs_once_carries_nothing(trips: int, carried: bool) -> None:
    loop = f"  for (int i = 0; i < {trips}; i++) {{\n    float f = a[i];\n    v.x = f;\n    u[i].y = f;\n  }}"
    found = body(
        f"  V v, u[2];\n  int late = n * t;\n{loop}\n  b[t] = v.x + u[t & 1].y + late;",
        before="struct V { float x, y; };\n",
    )
    assert ("u" in found.names("float f")) is carried
    assert "late" in found.names("v.x = f")


def test_a_nested_fill_and_one_under_a_condition() -> None:
    fill = "    for (int i = 0; i < 2; i++)\n      for (int j = 0; j < 3; j++)\n        {guard}u[i][j] = f;"
    use = "    for (int i = 0; i < 2; i++)\n      s += u[i][0] + u[i][1] + u[i][2];\n  }"
    for guard, carried in (("", False), ("if (f > j) ", True)):
        loop = f"  for (int r = 0; r < n; r++) {{\n    float f = a[r];\n{fill.format(guard=guard)}\n{use}"
        found = body(f"  float u[2][3];\n  float s = 0;\n{loop}\n  b[t] = s;")
        assert ("u" in found.names("f = a[r]")) is carried


def test_an_array_in_scratch_is_named_and_not_counted() -> None:
    found = body("  float u[300];\n  for (int i = 0; i < n; i++)\n    u[i] = a[i];\n  b[t] = u[n];")
    assert found.pressure.scratch == (("u", 1200),)
    assert "u" not in {value.name for value in found.pressure.values}


def test_an_array_that_is_used_through_a_pointer_is_named_and_not_counted() -> None:
    found = body("  float u[8];\n  float *p = u;\n  p[n] = a[t];\n  b[t] = p[t];")
    assert found.pressure.pointed == ("u",)
    assert "u" not in {value.name for value in found.pressure.values}
    assert "p" in found.names("p[n] = a")


def test_variables_that_macros_name_are_read_where_the_macro_stands() -> None:
    macros = "#define COLUMN (row + 1)\n#define AT(i) (COLUMN * 8 + (i))\n#define ME threadIdx.x\n"
    found = body("  int row = t * n;\n  float x = a[0];\n  b[AT(3)] = x;\n  int m = ME;\n  b[m] = 1;", "gfx90a", macros)
    assert found.names("float x") >= {"row"}
    assert found.value("row").last_used == 8
    assert found.names("b[m]") == {"m"}
    again = "#undef AT\n#define AT(i) (i)\n"
    found = body(f"  int row = t * n;\n  float x = a[0];\n{again}  b[AT(3)] = x;", before=macros)
    assert "row" not in found.names("float x")


@pytest.mark.parametrize(
    ("call", "scalar"),
    [("twice(n)", True), ("mine(n)", False), ("outer(n)", False), ("max(n, 3)", True), ("unseen(n)", False)],
)
def test_a_result_is_uniform_only_if_nothing_in_the_function_asks_for_the_thread(call: str, scalar: bool) -> None:
    before = (
        "__device__ int twice(int v) { return v * 2; }\n__device__ int mine(int v) { return v + threadIdx.x; }\n"
        "__device__ int outer(int v) { return mine(v) * 2; }\n"
    )
    found = body(f"  int m = {call};\n  b[t] = m;", "gfx90a", before)
    assert ("m" in found.names("b[t] = m", scalar=True)) is scalar


def test_constants_and_aliases_take_no_register() -> None:
    found = body("  const int w = 4;\n  float h;\n  h = 2.5f;\n  float x = a[t];\n  float &r = x;\n  b[t + w] = r * h;")
    assert found.names("b[t + w]") <= {"t", "x", "r"}
    assert found.line("float &r").live == 2
    assert body("  const float c = 1.f / 3.f;\n  b[t] = a[t] * c;").line("float c").total == 1


def test_amd_keeps_what_a_wave_shares_in_scalar_registers() -> None:
    text = "  int m = n * 3;\n  float f = n * 0.5f;\n  float x = a[t];\n  b[t + m] = x * f;"
    found = body(text, "gfx90a")
    assert found.names("b[t + m]") == {"t", "x", "f"}  # gfx9 has no scalar floating-point unit
    assert {"m", "b"} <= found.names("b[t + m]", scalar=True)
    assert found.line("b[t + m]").scalar == 3
    assert "m" in body(text, "sm_90").names("b[t + m]")


@pytest.mark.parametrize(("pointer", "scalar"), [("const float *w", False), ("const float *__restrict__ w", True)])
def test_a_uniform_load_behind_a_store_is_scalar_only_if_nothing_may_alias(pointer: str, scalar: bool) -> None:
    statements = "  b[threadIdx.x] = 0;\n  float x = w[3];\n  b[threadIdx.x] = x;"
    text = f"__global__ void k({pointer}, float *b) {{\n{statements}\n}}\n"
    found = Found(text, "gfx90a")
    assert ("x" in found.names("= x;", scalar=True)) is scalar
    assert ("x" in found.names("= x;")) is not scalar


def test_an_inlined_function_is_shown_where_it_is_called() -> None:
    before = (
        "__device__ float dot(float p, float q) {\n  float u = p * 2;\n  float v = q * 3;\n  return u * v + p;\n}\n"
    )
    found = body("  float x = a[t];\n  float y = a[n];\n  float z = dot(x, y);\n  b[t] = z;", before=before)
    line = found.line("z = dot")
    assert line.callee is not None
    assert (line.callee.name, line.callee.registers) == ("dot", 3)  # u, v and the product; p and q are x and y
    assert (line.callee.line, line.callee.live, line.callee.values) == (3, 2, (("u", 1), ("v", 1)))
    assert found.line("b[t] = z").callee is None


def test_a_call_in_a_call_is_followed_to_the_widest_line() -> None:
    inner = "__device__ double leaf(double p) {\n  double u = p * 2;\n  return exp(u);\n}\n"
    outer = "__device__ double outer(double p) {\n  double w = p + 1;\n  double r = leaf(w);\n  return r * w;\n}\n"
    callee = body("  b[t] = outer(a[t]);", before=inner + outer).line("b[t]").callee
    assert callee is not None
    assert (callee.name, callee.line, dict(callee.values)) == ("outer", 7, {"w": 2, "r": 2})
    assert callee.callee is not None
    assert (callee.callee.name, callee.callee.line, callee.callee.values) == ("leaf", 3, (("u", 2),))
    assert callee.callee.callee is not None
    assert callee.callee.callee.name == "exp"
    assert callee.registers == callee.live + callee.callee.registers


def test_a_recursive_function_ends() -> None:
    before = "__device__ int f(int i) { int j = i * 2; return j > 9 ? j : f(j + 1); }\n"
    line = body("  b[t] = f(t);", before=before).line("b[t]")
    assert line.callee is not None
    assert line.callee.registers > 0


def test_math_calls_and_divisions_are_shown_by_name() -> None:
    found = body("  double x = a[t];\n  double y = exp(x);\n  double z = y / x;\n  b[t] = z;", "gfx90a")
    call, division = found.line("y = exp").callee, found.line("z = y").callee
    assert call is not None
    assert (call.name, call.registers) == ("exp", 24)
    assert division is not None
    assert (division.name, division.registers) == ("double division", 9)


def test_the_peak_is_the_first_of_the_widest_lines() -> None:
    found = body("  float x = a[t];\n  float y = a[n];\n  b[t] = x;\n  b[n] = y;")
    assert found.pressure.peak is not None
    peak = found.pressure.lines[found.pressure.peak]
    assert peak.total == max(line.total for line in found.pressure.lines)
    assert all(line.total < peak.total for line in found.pressure.lines[: found.pressure.peak])
    assert Found("__global__ void k() {\n}\n").pressure.peak is None


def test_lines_without_code_show_what_is_carried_past() -> None:
    found = body(
        "  float x = a[t];\n  // between\n  if (t < n) {\n    float y = a[n];\n    b[t] = y;\n"
        "  } // closed\n\n  b[n] = x;"
    )
    assert found.names("// between") == {"t", "x"}
    assert not found.line("// between").code
    assert found.names("// closed") == {"x"}


def test_all_lines_of_a_long_expression_count() -> None:
    found = body("  float x =\n    a[t] +\n    a[n];\n  b[t] = x;")
    assert [found.line(piece).code for piece in ("float x =", "a[t] +", "a[n];")] == [True] * 3
    assert found.names("a[n];") == {"t", "x"}


def test_the_body_of_a_lambda_has_lines_of_its_own() -> None:
    before = "template <class F> __device__ void each(F f) { f(1); }\n"
    found = body("  float x = a[t];\n  each([&](int i) {\n    float y = a[n];\n    b[t] = x * y;\n  });", before=before)
    assert {"t", "x", "y"} <= found.names("b[t] = x")
    assert "y" not in found.names("each([&]")


def test_types_out_of_view_are_marked_as_guesses() -> None:
    found = body("  Real x = a[t];\n  b[t] = x;")
    assert found.value("x").guessed
    assert found.value("x").type == "Real"
    assert not found.value("t").guessed


def test_a_load_that_waits_for_its_use() -> None:
    between = "\n".join(f"  b[t + {i}] = 0;" for i in range(30))
    found = body(f"  float x = a[t];\n{between}\n  b[t] = x;")
    assert found.value("x").waits == 31
