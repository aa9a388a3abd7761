"""What findings say that they cost: the fix is tried, and the kernel is estimated with it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import corpus
import pytest

from regpress_lint import lint_bytes
from regpress_lint.core.diagnostics import Edit, Severity
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Type, Variable
from regpress_lint.lint.advice import trials
from regpress_lint.model.graph.objects import Placement
from regpress_lint.model.passes.scalar_replacement import SettledMemory
from regpress_lint.targets.compilers import compiler_by_vendor

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic

HEAD = "__global__ void k(double* o, const double* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def found(body: str, *, path: str = "k.hip", before: str = "", target: str = "gfx90a") -> tuple[Diagnostic, ...]:
    settings = Settings(architectures=(target,), select=("RP201", "RP205"))
    return lint_bytes(f"{before}{HEAD}  {body}\n}}\n".encode(), path, settings).diagnostics


def estimates(message: str) -> tuple[int, int]:
    (numbers,) = re.findall(r"the estimate is (\d+) -> (\d+) VGPRs on gfx90a$", message)
    return int(numbers[0]), int(numbers[1])


def test_a_power_is_priced_by_the_kernel_without_it() -> None:
    """clang 19.1.7 takes 42 VGPRs with the call and 5 without."""
    (one,) = found("o[i] = pow(x[i], 2.0);")
    before, after = estimates(one.message)
    assert 32 <= before <= 52
    assert after <= 10
    assert "costs about" not in one.message


def nvidia(body: str) -> Diagnostic:
    code = f"__global__ void k(float* o, const float* x, int n) {{\n  float s = 0;\n  {body}\n  o[0] = s;\n}}\n"
    (one,) = lint_bytes(code.encode(), "k.cu", Settings(architectures=("sm_90",), select=("RP201",))).diagnostics
    return one


def test_nvcc_spends_on_reads_of_a_loop_what_a_power_took() -> None:
    """nvcc 13.0 for sm_90: 22 registers with `powf` in the loop and 32 without it; 15 and 10 where there is no loop."""
    looped = nvidia("for (int j = 0; j < n; ++j) s += powf(x[j], 2.0f);")
    assert re.search(r"estimate is \d+ -> \d+ to 32 registers on sm_90$", looped.message)
    assert "`powf(x, 2.0f)` took 1.28 times" in looped.help
    assert looped.severity == Severity.WARNING
    assert re.search(r"the estimate is 1\d -> \d+ registers on sm_90$", nvidia("s = powf(x[n], 2.0f);").message)


def test_a_float_power_in_a_loop_costs_time_and_no_register_on_nvidia() -> None:
    """Where no fix is tried, the table's figure of a call by itself says nothing of a loop."""
    looped = nvidia("for (int j = 0; j < n; ++j) s += powf(x[j], -2.0f);")
    assert looped.message.endswith("`powf(x, 2.0f)` took 1.28 times as long as `x * x` on an H200")


def test_a_kernel_that_took_long_is_not_executed_again_for_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not known then whether the fix gains something: no warning without that."""
    (before,) = found("o[i] = pow(x[i], 2.0);")
    monkeypatch.setattr(trials, "_MOST_WORK", 5)
    monkeypatch.setattr(trials.Trials, "after", lambda *given: pytest.fail(f"tried: {given}"))
    (one,) = found("o[i] = pow(x[i], 2.0);")
    assert one.message.endswith("costs about 35 VGPRs on gfx90a; not tried, for the kernel is large")
    assert (before.severity, one.severity) == (Severity.WARNING, Severity.INFO)
    assert one.fix is not None


def test_powers_of_a_kernel_are_priced_together() -> None:
    """Without one of them the others still hold the registers: 40 VGPRs, and 9 without all."""
    messages = [one.message for one in found("double v = x[i]; o[i] = pow(v, 2.0) + pow(v, 3.0) * pow(v, 4.0);")]
    assert len(messages) == 3
    assert all("with all 3 such fixes" in message for message in messages)
    before, after = estimates(messages[0])
    assert before - after >= 20


def test_table_has_the_cost_of_calls_without_a_fix() -> None:
    (one,) = found("o[i] = pow(x[i], -2.0);")
    assert one.fix is None
    assert one.message.endswith("the call alone costs about 35 VGPRs on gfx90a")


@pytest.mark.parametrize("exponent", ["12.0", "-9.0", "16.0"])
def test_higher_powers_are_products_as_well(exponent: str) -> None:
    """clang 19.1.7 takes 42 VGPRs for each, 7 to 13 for products; nvcc 30, 12 to 14."""
    (one,) = found(f"o[i] = pow(x[i], {exponent});")
    assert one.severity == Severity.WARNING
    assert one.help is not None
    assert "a chain of squares and products" in one.help


def test_findings_in_a_function_are_equal_in_every_kernel() -> None:
    """It is one finding for all kernels that reach it, and has no price of a single one."""
    function = "__device__ double square(double v) { return pow(v, 2.0); }\n"
    (one,) = found("o[i] = square(x[i]);", before=function)
    assert one.message.endswith("the call alone costs about 35 VGPRs on gfx90a")


@pytest.mark.parametrize(("target", "path", "severity"), [("gfx90a", "k.hip", "hint"), ("sm_90", "k.cu", "hint")])
def test_sine_and_cosine_are_a_hint_where_one_call_gains_nothing(target: str, path: str, severity: str) -> None:
    (one,) = found("float v = x[i]; o[i] = sinf(v); o[i + n] = cosf(v);", path=path, target=target)
    assert one.severity.label == severity
    assert "with the fix the estimate is" in one.message


def test_measured_time_is_in_the_help_if_the_estimate_gains_nothing() -> None:
    """The figures of a message are those of this kernel, or of a table, and never both."""
    body = "double w = exp(x[i]) * sin(x[i]) + log(x[i]) * cos(w); o[i] = w + pow(x[i], 2.0);"
    (one,) = (each for each in found(body, path="k.cu", target="sm_90") if each.code == "RP201")
    assert "1.75" not in one.message
    assert one.help.endswith("`pow(double, 2.0)` took 1.75 times as long as `x * x` on an H200")


LOOPED = """__global__ void k(double* o, const double* x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8] = {};
  for (int j = 0; j < m; ++j) {
    double e = erfc(x[j * n + i]);
    for (int c = 0; c < 8; ++c) s[c] += e * x[c * n + j];
  }
  for (int c = 0; c < 8; ++c) o[c * n + i] = s[c];
}
"""


def said(code: str, text: str) -> tuple[Diagnostic, ...]:
    return lint_bytes(text.encode(), "k.hip", Settings(architectures=("gfx90a",), select=(code,))).diagnostics


def test_advice_without_a_fix_is_also_tried() -> None:
    """Whether float is precise enough is for the author to say; the kernel is estimated with it."""
    (one,) = said("RP203", LOOPED)
    assert one.fix is None
    ((before, after),) = re.findall(r"with `erfcf` the estimate is (\d+) -> (\d+) VGPRs", one.message)
    assert int(before) - int(after) >= 15


def test_changes_of_a_kernel_are_tried_within_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would execute all of it again: eight of one in llama.cpp took 11 of 16 s of its file."""
    monkeypatch.setattr(trials, "_trials", lambda *_given: 1)
    divided = "o[i] = (long)x[i] / (long)n; o[i + n] = (long)x[i + n] % ((long)n + 1);"
    first, second = said("RP206", f"{HEAD.replace('int n', 'long n')}  {divided}\n}}\n")
    assert "in 32 bits the estimate is" in first.message
    assert second.message.endswith("; not tried, for the kernel is large")


def test_a_print_is_priced_by_the_kernel_without_it() -> None:
    """clang 19.1.7 takes 47 VGPRs and 160 bytes with it, 4 without."""
    text = f'{HEAD}  double v = x[i];\n  if (v < 0)\n    printf("%d\\n", i);\n  o[i] = v;\n}}\n'
    (one,) = said("RP204", text)
    assert "without it the estimate is" in one.message
    assert "160 -> 0 bytes of private memory" in one.message
    assert "about 42" not in one.message


def test_array_in_memory_is_found_after_an_edit_moved_it() -> None:
    """So that the changed kernel is executed once, and not again after a wrong guess."""

    def array(start: int) -> Any:
        span = Span(start, start + 5)
        return SimpleNamespace(variable=Variable("table", Type("float"), span, span))

    compiler, before, after = compiler_by_vendor("amd"), array(40), array(44)
    settled = SettledMemory()
    settled.note(Placement(frozenset((before.variable,))), compiler)
    longer = settled.moved((Edit(Span(20, 22), "longer"), Edit(Span(60, 62), "")))
    assert longer.like((after,), compiler) == Placement(frozenset((after.variable,)))
    assert longer.like((before,), compiler) == Placement()


def test_loads_in_flight_have_the_figure_of_the_table_where_the_estimate_gains_nothing() -> None:
    """clang 19.1.7 takes 36 VGPRs for the pair `counter`, 5 with `__restrict__`; the estimate has 11 for both."""
    source = (corpus.TESTDATA / "evidence" / "RP604" / "uniform.cu").read_bytes()
    settings = Settings(architectures=("gfx90a",), select=("RP604",))
    said = {one.kernel: one.message for one in lint_bytes(source, "uniform.hip", settings).diagnostics}
    assert said["counter_smell"].endswith("instead of SGPRs: about 19 VGPRs on gfx90a")
    assert "with the fix the estimate is" in said["lstm_smell"]


@pytest.mark.parametrize(("chosen", "number"), [((), 0), (("RP204",), 1)])
def test_hints_that_stay_hidden_are_not_tried(
    monkeypatch: pytest.MonkeyPatch, chosen: tuple[str, ...], number: int
) -> None:
    """Each trial is another analysis of the file: for prints of kernels that only print, 2 % of HeCBench's time."""
    tried: list[object] = []
    monkeypatch.setattr(trials, "_tried", lambda *given: tried.append(given))
    code = b'__global__ void hello() { printf("%d\\n", threadIdx.x); }\n'
    lint_bytes(code, "k.cu", Settings(architectures=("gfx90a", "sm_90"), extend_select=chosen))
    assert len(tried) == number
