"""Advice of findings, word for word, because users copy it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

if TYPE_CHECKING:
    from regpress_lint.api import Rule

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}


def found(code: str, statements: str) -> testing.Found:
    """The one finding of a rule in a kernel for gfx90a."""
    head = (
        "#include <hip/hip_runtime.h>\n__global__ void k(const double *x, double *y, int n) {\n  int t = threadIdx.x;\n"
    )
    (one,) = testing.run([RULES[code]], f"{head}{statements}\n}}\n", settings=Settings(architectures=("gfx90a",)))
    return one


@pytest.mark.parametrize(
    ("exponent", "advice"),
    [
        ("-2.0", "write `1.0 / (x[t] * x[t])`"),
        ("-1.0", "write `1.0 / x[t]`"),
        ("0.0", "write `1`"),
        ("0.5", "write `sqrt(x[t])` (it differs at -0 and at minus infinity)"),
        ("1.0", "write `x[t]`"),
        ("2.0", "write `x[t] * x[t]`"),
        ("3.0", "write `x[t] * x[t] * x[t]` (one more rounding)"),
        ("4.0", "square twice: `y = x[t] * x[t]`, then `y * y` (one more rounding)"),
    ],
)
def test_a_power_is_written_out_by_its_exponent(exponent: str, advice: str) -> None:
    assert found("RP201", f"  y[t] = pow(x[t], {exponent});").finding.help == advice


def test_a_reciprocal_power_of_a_float_stays_in_float() -> None:
    assert found("RP201", "  float v = x[t];\n  y[t] = powf(v, -1.0f);").finding.help == "write `1.0f / v`"


def test_computed_base_gets_a_name() -> None:
    fix = found("RP201", "  double d = x[t];\n  y[t] = pow(exp(d) + 1.0, 2.0);").finding.fix
    assert fix is not None
    assert fix.applicability == "unsafe"
    assert [edit.text for edit in fix.edits] == ["const double base1 = exp(d) + 1.0;\n  ", "base1 * base1"]


@pytest.mark.parametrize(
    ("bounds", "advice"),
    [
        (
            "",
            "make the array smaller, or declare `__launch_bounds__`: without them a thread may have no more registers",
        ),
        (
            "__launch_bounds__(1024) ",
            "split the work so that a thread keeps fewer elements, or keep a part of them in LDS",
        ),
    ],
)
def test_missing_launch_bounds_are_named(bounds: str, advice: str) -> None:
    text = (
        f"#include <hip/hip_runtime.h>\n__global__ void {bounds}k(const double *x, double *y, int n) {{\n"
        "  double a[80];\n  for (int i = 0; i < 80; ++i) a[i] = x[i * n + threadIdx.x];\n"
        "  for (int j = 0; j < n; ++j) for (int i = 0; i < 80; ++i) a[i] = a[i] * x[j] + a[(i + 1) % 80];\n"
        "  for (int i = 0; i < 80; ++i) y[i * n + threadIdx.x] = a[i];\n}\n"
    )
    (one,) = testing.run([RULES["RP402"]], text, settings=Settings(architectures=("gfx90a",)))
    assert one.finding.help == advice


@pytest.mark.parametrize(("init", "texts"), [("", ["unsigned"]), (" = {}", [])])
def test_an_array_with_an_initialiser_keeps_its_type(init: str, texts: list[str]) -> None:
    """Values in braces must not narrow: such a fix would not compile."""
    text = (
        "__global__ void best(const float* c, float* b, int m, int n) {\n  int i = threadIdx.x;\n  float s[16];\n"
        f"  size_t at[16]{init};\n#pragma unroll\n  for (int e = 0; e < 16; ++e) {{ s[e] = 1e30f; at[e] = 0; }}\n"
        "  for (int j = 0; j < m; ++j) {\n    float y = c[j * n + i];\n#pragma unroll\n"
        "    for (int e = 0; e < 16; ++e) if (y < s[e]) { s[e] = y; at[e] = j; }\n  }\n#pragma unroll\n"
        "  for (int e = 0; e < 16; ++e) b[e * n + i] = c[at[e]] * s[e];\n}\n"
    )
    (one,) = testing.run([RULES["RP406"]], text, "k.cu", settings=Settings(architectures=("sm_90",)))
    assert one.finding.help == "declare `at` as `unsigned`"
    assert [edit.text for edit in (one.finding.fix.edits if one.finding.fix else ())] == texts


TAPS = "#include <cuda_runtime.h>\nstruct Taps { float weight[20]; };\n"
SUM = "__device__ __noinline__ float at(const Taps &taps, int k) { return taps.weight[k]; }\n"


@pytest.mark.parametrize(
    ("before", "read", "notes"),
    [
        ("", "taps.weight[k]", ["indexed at run time here"]),
        (SUM, "at(taps, k)", ["passed on here"]),
        ("", "taps.weight[j]", None),  # a constant by another name
    ],
)
def test_expression_that_moves_an_argument_to_memory_is_shown(before: str, read: str, notes: list[str] | None) -> None:
    text = (
        f"{TAPS}{before}__global__ void k(Taps taps, float *out, int m) {{\n  const int j = 3;\n"
        f"  for (int k = 0; k < m; ++k) out[k] += {read};\n}}\n"
    )
    made = testing.run([RULES["RP601"]], text, "a.cu", "cuda", Settings(architectures=("sm_90",)))
    assert [[note.message for note in each.finding.notes] for each in made] == ([] if notes is None else [notes])


@pytest.mark.parametrize(
    ("made", "reported"), [("new float(x[t])", True), ("new float[n]", True), ("new (y) float(1.0f)", False)]
)
def test_only_allocations_are_reported(made: str, reported: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(const float *x, float *y, int n) {\n"
        f"  int t = threadIdx.x;\n  float *p = {made};\n  y[t] = p[0];\n}}\n"
    )
    assert bool(testing.run([RULES["RP204"]], text, "a.cu", "cuda", Settings(architectures=("sm_90",)))) == reported


@pytest.mark.parametrize(("elements", "fits"), [(64, True), (240, False)])
def test_an_array_that_no_thread_can_have_in_registers_is_for_shared_memory(elements: int, fits: bool) -> None:
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(const float *x, float *y, int n) {\n"
        f"  float a[{elements}];\n  for (int i = 0; i < n; ++i) a[i] = x[i * 32 + threadIdx.x];\n"
        "  float s = 0;\n  for (int r = 0; r < n; ++r) for (int i = 0; i < n; ++i) s = s * a[i] + r;\n"
        "  y[threadIdx.x] = s;\n}\nvoid run(const float *x, float *y, int n) { k<<<n, 32>>>(x, y, n); }\n"
    )
    (one,) = testing.run([RULES["RP403"]], text, settings=Settings(architectures=("sm_90",)))
    help_ = one.finding.help
    assert help_ is not None
    assert help_.startswith("give the loops over `i` a constant bound") == fits
    assert help_.startswith("keep it in shared memory, a column for each thread: `a[240][32]`") != fits
    assert ("it is too large for registers (about " in help_) != fits


@pytest.mark.parametrize(
    ("block", "row", "number"),
    [
        ("64", "0", "threadIdx.x"),
        ("dim3(64)", "0", "threadIdx.x"),
        ("dim3(32, 2)", "0", "threadIdx.y * blockDim.x + threadIdx.x"),
        ("dim3(8, w, 1)", "threadIdx.y", "threadIdx.y * blockDim.x + threadIdx.x"),
        ("dim3(8, 4, 2)", "0", "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"),
    ],
)
def test_no_two_threads_of_a_block_are_advised_the_same_column(block: str, row: str, number: str) -> None:
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(const int *at, float *y, int n) {\n"
        f"  float a[24] = {{}};\n  for (int i = 0; i < n; ++i) a[at[i + {row}]] += i;\n"
        "  y[threadIdx.x] = a[at[n]];\n}\n"
        f"void run(const int *x, float *y, int n, int w) {{ k<<<n, {block}>>>(x, y, n); }}\n"
    )
    (one,) = testing.run([RULES["RP403"]], text, settings=Settings(architectures=("sm_90",)))
    assert one.finding.help is not None
    assert f"indexed `[k][{number}]`" in one.finding.help


def test_a_loop_that_the_compiler_leaves_is_named_although_its_bounds_are_constants() -> None:
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(const float *w, const float *x, float *y, int n) {\n"
        "  float h[200];\n  for (int j = 0; j < 200; ++j) {\n    float s = 0;\n"
        "    for (int i = 0; i < n; ++i) s += w[j * n + i] * x[i];\n    h[j] = tanhf(s);\n  }\n"
        "  for (int j = 0; j < n; ++j) {\n    float s = 0;\n"
        "    for (int i = 0; i < 200; ++i) s += w[j * 200 + i] * h[i];\n    y[j] = tanhf(s);\n  }\n}\n"
    )
    (one,) = testing.run([RULES["RP403"]], text, settings=Settings(architectures=("sm_90",)))
    assert "the loop over `j` is too long to be unrolled (200 iterations of its body)" in one.finding.message
