"""Live registers line by line: the view of the graph, checked against kernels whose values are counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of, trace_of

from regpress_lint.commands.pressure.data import remark
from regpress_lint.commands.pressure.lines import (
    PARTIAL,
    Entry,
    KernelPressure,
    LinePressure,
    kernel_pressure,
    widest_inside,
)
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source

if TYPE_CHECKING:
    from regpress_lint.commands.pressure.lines import Value

HEAD = "__global__ void k(const float *a, float *b, int n) {\n  int t = threadIdx.x;\n"
TARGETS = ("gfx90a", "sm_90", "pvc")


class Found:
    """Pressure of a kernel that is written in a test; lines are named by a piece of their text."""

    def __init__(self, text: str, target: str = "sm_90") -> None:
        self.text = text
        self.facts = facts_of(text, "cuda" if target.startswith("sm") else "hip", Settings(architectures=(target,)))
        self.source = source = Source("kernel.hip", text.encode())
        self.pressure: KernelPressure = kernel_pressure(self.facts, target, source, lambda _path: source)
        self.estimate = self.facts.target(target).registers.estimate

    def line(self, piece: str) -> LinePressure:
        numbers = [number for number, line in enumerate(self.text.splitlines(), 1) if piece in line]
        assert len(numbers) == 1, f"{piece!r} stands on lines {numbers}"
        return next(line for line in self.pressure.lines if line.line == numbers[0])

    def held(self, piece: str, *, scalar: bool = False) -> dict[str, int]:
        """Registers of the variables on a line."""
        found = ((self.pressure.values[entry.value], entry) for entry in self.line(piece).values)
        return {value.name: entry.registers for value, entry in found if value.scalar == scalar and value.named}

    def value(self, name: str, kind: str = "") -> Value:
        (found,) = (v for v in self.pressure.values if v.name == name and kind in ("", v.kind))
        return found


def body(statements: str, target: str = "sm_90", before: str = "") -> Found:
    return Found(f"{before}{HEAD}{statements}\n}}\n", target)


def test_a_value_is_live_from_its_definition_to_its_last_use() -> None:
    found = body("  float x = a[t];\n  float y = a[t + n];\n  float z = x * y;\n  b[t] = z;\n  b[t + 1] = x;")
    assert found.held("z = x")["x"] == 1
    assert "y" not in found.held("b[t + 1]")
    x = found.value("x")
    assert (x.type, x.registers, x.defined, x.first_used, x.last_used, x.kind) == ("float", 1, 3, 5, 7, "load")
    assert x.lines == (3, 5, 7)


@pytest.mark.parametrize("target", TARGETS)
def test_widest_line_has_the_registers_of_the_estimate(target: str) -> None:
    loads = "\n".join(f"  double x{k} = a[t + {k} * n];" for k in range(12))
    found = body(f"{loads}\n  b[t] = {' + '.join(f'x{k} * x{11 - k}' for k in range(12))};", target)
    peak = found.facts.peak(target)
    assert found.pressure.peak is not None
    widest = found.pressure.lines[found.pressure.peak]
    assert widest.total == found.pressure.alive == peak.registers == max(line.total for line in found.pressure.lines)
    assert peak.place is not None
    inside = peak.graph.extra[peak.sequence[peak.place]]
    assert sum(value.registers for value in peak.values) + inside + peak.moved == peak.registers
    held = trace_of(found.facts, target).held
    assert peak.registers == (held.vector if target == "gfx90a" else held.together)


def test_the_first_of_equal_lines_is_the_peak() -> None:
    found = body("  b[t] = 1;\n  b[t + n] = 2;")
    assert found.pressure.peak is not None
    widest = found.pressure.lines[found.pressure.peak].total
    assert all(line.total < widest for line in found.pressure.lines[: found.pressure.peak] if line.code)


def test_loop_carried_and_live_through_values_are_distinguished() -> None:
    loop = "  for (int i = 0; i < n; i++) {\n    s += a[i * 32 + t];\n  }"
    found = body(f"  float w = a[t];\n  float s = 0;\n{loop}\n  b[t] = s * w;")
    assert {"w", "s", "i"} <= set(found.held("s +="))
    assert found.value("i", "loop counter").defined == 5
    assert found.value("w").through == (5, 7)
    assert found.value("s", "loop-carried").through is None


def test_copies_of_an_unrolled_loop_share_their_line() -> None:
    loop = "  for (int i = 0; i < 4; i++) s[i] += a[i * n + t];"
    for used, held in ((range(4), 4), ((0, 3), 2)):  # what nothing uses is not held
        stores = "\n".join(f"  b[t + {k}] = s[{k}];" for k in used)
        found = body(f"  float s[4] = {{}};\n  for (int j = 0; j < n; j++) {{\n{loop}\n  }}\n{stores}", "gfx90a")
        s = found.value("s", "loop-carried")
        assert (s.registers, s.copies, s.type) == (held, held, "float[4]")


def test_an_argument_takes_no_register_on_nvidia_and_a_scalar_one_on_amd() -> None:
    text = "  b[t] = a[t];\n  b[t + n] = 1;"
    assert all(value.kind != "argument" for value in body(text).pressure.values)
    found = body(text, "gfx90a")
    assert found.value("n", "argument").scalar


def found_names(found: Found) -> set[str]:
    return {value.name for value in found.pressure.values}


def test_members_of_a_struct_are_values_of_their_own() -> None:
    before = "struct V { float x; double y; float z; };\n"
    found = body(
        "  V v;\n  v.x = a[t];\n  v.y = a[n + t];\n  b[t] = v.x;\n  b[t + 1] = v.y * v.x + v.y;", "gfx90a", before
    )
    assert {"v.x", "v.y"} <= found_names(found)
    assert found.value("v.x").registers == 1


def test_a_struct_is_read_part_by_part() -> None:
    text = "struct P { double x, y; };\n__global__ void k(const P *in, double *out) {\n  P p = in[threadIdx.x];\n"
    found = Found(f"{text}  out[threadIdx.x] = p.x * (p.y + p.x);\n}}\n", "gfx90a")
    assert found.value("p.x").registers == found.value("p.y").registers == 2


def test_values_without_a_name_are_shown_as_they_are_written() -> None:
    found = body("  b[t] = a[t] * a[t + n];")
    assert "a[t + n]" in found_names(found)
    line = found.line("b[t] =")
    assert line.live == line.temporaries + sum(found.held("b[t] =").values())


def test_an_inlined_function_counts_at_its_call_and_is_named() -> None:
    before = "__device__ float f(float p) {\n  float q = p * p;\n  float r = q + p;\n  return r * q * (r - p);\n}\n"
    found = body("  float x = a[t];\n  float y = f(x);\n  b[t] = y;", before=before)
    line = found.line("y = f(x)")
    assert line.code
    assert [(inner.name, inner.path) for inner in line.inlined] == [("f", "kernel.hip")]
    assert line.inlined[0].line in (2, 3, 4)
    assert {"q", "r"} & found_names(found)
    assert {value.function for value in found.pressure.values if value.name in ("q", "r")} == {"f"}


NESTED = """__device__ float g(const float (&x)[4], float y) {
  float s = y * y, u = y + x[0], v = y - x[1];
  for (int k = 0; k < 4; ++k) s += x[k] * x[3 - k] * y;
  return s * u * v;
}
__device__ float f(const float *a, int i, int n) {
  float x[4];
  for (int k = 0; k < 4; ++k) x[k] = a[i + k * n];
  return g(x, a[i]);
}
"""


def test_functions_around_the_widest_place_have_lines_of_their_own() -> None:
    found = body("  b[t] = f(a, t, n);", before=NESTED)
    outer, inner = widest_inside(found.facts, "sm_90", lambda _: found.source)
    assert [(one.name, one.line) for one in (outer, inner)] == [("f", 6), ("g", 1)]
    alive = {line.line: line.live for line in (*outer.pressure.lines, *inner.pressure.lines)}
    assert alive[7] < alive[9] == alive[3] == found.line("f(a, t").live
    assert outer.pressure.lines[3].inlined[0].name == "g"
    (u,) = [value for value in inner.pressure.values if value.name == "u"]
    assert (u.registers, u.defined, u.last_used, u.function) == (1, 2, 4, "")
    assert list(widest_inside(body("  b[t] = a[t];").facts, "sm_90", lambda _: found.source)) == []


def test_a_call_in_a_call_is_followed() -> None:
    before = (
        "__device__ float g(float p) { return p * p + 1; }\n__device__ float f(float p) { return g(p) * g(p + 2); }\n"
    )
    found = body("  b[t] = f(a[t]);", before=before)
    inlined = found.facts.peak("sm_90").graph.sites
    assert {site.outer.name for site in inlined if site is not None and site.outer is not None} == {"f"}


def test_macro_counts_at_its_invocation() -> None:
    found = body("  float x = a[t];\n  float y = SQUARE(x);\n  b[t] = y + x;", before="#define SQUARE(v) ((v) * (v))\n")
    assert found.value("y").defined == 5


def test_a_recursive_function_ends() -> None:
    before = "__device__ int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }\n"
    assert body("  b[t] = f(n);", before=before).pressure.alive > 0


@pytest.mark.parametrize(
    ("expression", "name"), [("exp((double)a[t])", "exp"), ("a[t] / a[t + n]", "division"), ("n % t", "division")]
)
def test_math_calls_and_divisions_are_named(expression: str, name: str) -> None:
    line = body(f"  b[t] = {expression};", "gfx90a").line("b[t] =")
    assert line.routine is not None
    assert line.routine.name == name
    assert line.total == line.live + line.extra >= line.routine.registers


def test_a_call_begun_early_is_partial_and_says_so() -> None:
    loop = (
        "  double s = 0;\n  for (int j = 0; j < n; ++j) {\n    double x = a[j] + s;\n    double y = pow(x, 2.5);\n"
        "    s += y * sin(x) + cos(x);\n  }\n  b[t] = s;"
    )
    begun = body(loop, "gfx90a").value("sin(x)")
    assert begun.type == PARTIAL
    assert remark(begun, Entry(0, begun.registers, 1), begun.defined - 1) == "of a call that is begun early"
    assert remark(begun, Entry(0, begun.registers, 1), begun.defined) == ""


def test_an_array_in_scratch_is_named_and_not_counted() -> None:
    found = body("  float u[200];\n  for (int i = 0; i < n; i++) u[(i * t) % 200] += a[i];\n  b[t] = u[t];", "gfx90a")
    assert found.pressure.scratch == (("u", 800),)
    assert found.pressure.alive < 60


def test_constants_take_no_register() -> None:
    found = body("  const int two = 2;\n  float x = 3.0f;\n  b[t] = a[t] * two + x;")
    assert not {"two", "x"} & found_names(found)


def test_lines_without_code_show_values_live_past_them() -> None:
    found = body("  float x = a[t];\n\n  float y = a[t + n];\n  b[t] = x * y;\n  b[t + 1] = x;", "gfx90a")
    blank = next(line for line in found.pressure.lines if line.line == 4)
    assert not blank.code
    assert 0 < blank.live <= min(found.line("x = a[t]").live, found.line("y = a[t + n]").live)


def test_the_body_of_a_lambda_has_lines_of_its_own() -> None:
    found = body("  auto f = [&](float v) {\n    return v * v + 1;\n  };\n  b[t] = f(a[t]);")
    assert found.line("return v * v").code


def test_types_out_of_view_are_marked_as_guesses() -> None:
    found = body("  unknown_t u = a[t];\n  b[t] = a[t + n];\n  b[t + 1] = u * a[t + n];")
    assert found.value("u").guessed


def test_a_load_that_waits_for_its_use() -> None:
    lines = "\n".join(f"  b[t + {k}] = {k};" for k in range(1, 30))
    found = body(f"  float x = a[t];\n{lines}\n  b[t] = x;")
    assert found.value("x").waits == 30


def test_oversized_kernel_shows_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regpress_lint.model.graph.values.MAX_VALUES", 2_000)
    doubling = "\n".join(
        f"__device__ float f{k}(float x) {{ return f{k - 1}(x) + f{k - 1}(x * {k}); }}" for k in range(1, 16)
    )
    found = body("  b[t] = f15(a[t]);", before=f"__device__ float f0(float x) {{ return x * x; }}\n{doubling}\n")
    assert not found.pressure.complete
    assert found.pressure.peak is not None
    assert found.pressure.lines[found.pressure.peak].total == found.pressure.alive
