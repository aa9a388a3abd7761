"""What divisions and library calls cost: which kind of division a compiler makes, what folds, and what clang takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from ssa_helpers import run, trace

from regpress_lint.model.graph.ops import DIVIDE
from regpress_lint.targets.costs import COSTS

if TYPE_CHECKING:
    from pathlib import Path

PARAMETERS = "const float *a, const double *d, const int *x, float *b, double *e, long long *q, int *out, T"
UNIFORM = "int n, unsigned u, long long l, unsigned long long m"
VENDORS = pytest.mark.parametrize("vendor", ["amd", "nvidia"])


def libraries(statements: str, vendor: str = "amd") -> tuple[str, ...]:
    return trace(statements, PARAMETERS.replace("T", UNIFORM), vendor=vendor).execution.libraries


# ------------------------------------------------------------------------------------------------------ divisions


@VENDORS
@pytest.mark.parametrize(
    ("statements", "key"),
    [
        ("b[tid] = 1.0 / a[tid];", "/:f"),
        ("float y = a[tid]; y /= 3.0; b[tid] = y;", "/:f"),
        ("b[tid] = a[tid] / 0.1;", "/:d"),  # no number of single precision
        ("b[tid] = 1.0 / d[tid];", "/:d"),
        ("double y = 1.0 / a[tid]; e[tid] = y * y; b[tid] = y;", "/:d"),
        ("b[tid] = 1.0 / a[tid] + 0.5;", "/:d"),
    ],
)
def test_a_quotient_that_becomes_a_float_is_one(statements: str, key: str, vendor: str) -> None:
    """14 registers of nvcc 13.0.88 for the first, 7 of clang 19.1.7, as for `1.0f`."""
    assert libraries(statements, vendor) == (key,)


@VENDORS
@pytest.mark.parametrize(
    ("expression", "key"),
    [
        ("x[tid] / n", "/:i"),
        ("x[tid] % n", "/:i"),
        ("n / x[tid]", "/:i"),
        ("(unsigned)x[tid] / u", "/:i"),
        ("x[tid] / 7", "/constant:i"),
        ("x[tid] % 100", "/constant:i"),
        ("n / (int)u", "/uniform:i"),
        ("n % 7", "/constant:i"),
        ("blockIdx.x / u", "/uniform:i"),
        ("q[tid] / l", "/:l"),
        ("q[tid] % 7", "/constant:l"),
        ("q[tid] / x[tid]", "/:l"),
    ],
)
def test_integer_division_uses_known_ranges(expression: str, key: str, vendor: str) -> None:
    assert libraries(f"q[tid] = {expression};", vendor) == (key,)


def test_uniform_numbers_are_divided_for_all_threads_at_once() -> None:
    assert libraries("q[tid] = l / n + m % u;") == ("/uniform:l", "/uniform:l")


@VENDORS
@pytest.mark.parametrize(
    ("expression", "key"),
    [
        ("a[tid] / a[tid + 1]", "/:f"),
        ("a[tid] / 3.0f", "/:f"),  # exact, also by a constant
        ("1.0f / a[tid]", "/:f"),
        ("a[tid] / n", "/:f"),
        ("d[tid] / 3.0", "/:d"),
        ("d[tid] / a[tid]", "/:d"),
        ("1 / d[tid]", "/:d"),
    ],
)
def test_floats_are_divided_exactly(expression: str, key: str, vendor: str) -> None:
    assert libraries(f"e[tid] = {expression};", vendor) == (key,)


@VENDORS
@pytest.mark.parametrize(
    "expression",
    [
        "x[tid] / 8",
        "x[tid] % 64",
        "q[tid] / 1024",
        "q[tid] % 1",
        "a[tid] / 4.0f",  # a product with 0.25
        "a[tid] / 0.5f",
        "100 / 7",
        "0 / n",
        "7.0f / 3.0f",
    ],
)
def test_shifts_products_and_constants_are_not_divisions(expression: str, vendor: str) -> None:
    assert libraries(f"e[tid] = {expression};", vendor) == ()


@pytest.mark.parametrize(
    ("dividend", "short"),
    [
        ("(unsigned long long)x[tid]", False),  # may be negative
        ("(unsigned long long)v[tid]", True),
        ("((unsigned long long)threadIdx.x + blockDim.x)", True),
        ("(unsigned long long)(v[tid] >> 1)", True),
        ("(w[tid] & 1023)", True),
        ("w[tid]", False),
        ("((unsigned long long)v[tid] << 8)", False),
        ("(unsigned long long)v[tid] * 3", False),
    ],
)
def test_a_division_of_which_the_upper_half_is_zero_is_short_on_amd_only(dividend: str, short: bool) -> None:
    parameters = "long long *q, const int *x, const unsigned *v, const unsigned long long *w"
    for vendor, key in (("amd", "/constant:i" if short else "/constant:l"), ("nvidia", "/constant:l")):
        assert trace(f"q[tid] = {dividend} / 7;", parameters, vendor=vendor).execution.libraries == (key,)


def test_sign_extended_number_is_divided_in_32_bits() -> None:
    # clang 19: one v_mul_hi_i32.
    assert trace("q[tid] = (long long)x[tid] / 7;", "long long *q, const int *x").execution.libraries == (
        "/constant:i",
    )


@pytest.mark.parametrize(("expression", "key"), [("m / 7", "/constant:l"), ("l / n", "/uniform:l")])
def test_arguments_of_64_bits_are_divided_as_such_on_nvidia(expression: str, key: str) -> None:
    assert libraries(f"q[tid] = {expression};", "nvidia") == (key,)


def test_equal_divisions_are_computed_once() -> None:
    found = run("out[tid] = x[tid] / n; out[tid + 1] = x[tid] / n + 1;", "const int *__restrict__ x, int *out, int n")
    assert found.graph.ops.count(DIVIDE) == 1


@VENDORS
def test_division_takes_its_registers_at_its_place(vendor: str) -> None:
    def widest(expression: str) -> int:
        return trace(f"q[tid] = {expression};", "long long *q, long long l", vendor=vendor).held.vector

    assert widest("q[tid] / l") == widest("q[tid] + l") + COSTS[vendor]["/:l"].once
    assert widest("q[tid] / 7") < widest("q[tid] / l") + 1


# ------------------------------------------------------------------------------------------------------- the library


@VENDORS
@pytest.mark.parametrize(
    "expression",
    [
        "cosf(30.0f * 3.14f / 180)",
        "sqrtf(2.0f) + sqrt(3.0)",
        "exp(1.0)",
        "powf(2.0f, 0.5f)",
        "logf(10)",
        "fmod(7.5, 2.0)",
    ],
)
def test_calls_with_constants_cost_nothing(expression: str, vendor: str) -> None:
    plain = trace("e[tid] = d[tid] * 2.5;", "const double *d, double *e", vendor=vendor)
    found = trace(f"e[tid] = d[tid] * ({expression});", "const double *d, double *e", vendor=vendor)
    assert found.execution.libraries == ()
    assert (found.totals.call, found.held.vector) == (plain.totals.call, plain.held.vector)


@VENDORS
@pytest.mark.parametrize(
    ("expression", "key"),
    [
        ("sqrtf(x)", "sqrt:f"),
        ("sqrt(y)", "sqrt:d"),
        ("rsqrtf(x)", "rsqrt:f"),
        ("rsqrt(y)", "rsqrt:d"),
        ("fmodf(x, x + 3.0f)", "fmod:f"),
        ("fmodf(x, 3.0f)", "fmod/constant:f"),
        ("fmod(y, 2147483647.0)", "fmod/constant:d"),
        ("hypot(3.0, y)", "hypot:d"),
        ("powf(2.0f, x)", "constant/pow:f"),
        ("pow(10.0, y)", "constant/pow:d"),
        ("pow(y, 2.5)", "pow:d"),
        ("fmod(y, y + 1)", "fmod:d"),
        ("hypot(y, 2.0)", "hypot:d"),
        ("cbrtf(x)", "cbrt:f"),
        ("roundf(x)", "round:f"),
        ("tanhf(x)", "tanh:f"),
        ("erf(y)", "erf:d"),
        ("std::sqrt(x)", "sqrt:f"),
    ],
)
def test_calls_have_the_cost_of_their_function(expression: str, key: str, vendor: str) -> None:
    found = trace(f"float x = a[tid]; double y = d[tid]; e[tid] = {expression};",
                  "const float *a, const double *d, double *e", vendor=vendor)  # fmt: skip
    assert (found.execution.libraries, found.totals.call) == ((key,), COSTS[vendor][key].once)


@pytest.mark.parametrize("name", ["fabsf", "fminf", "floorf", "fmaf", "__expf", "copysignf"])
def test_single_instructions_cost_nothing(name: str) -> None:
    arguments = {"fminf": "x, 2.0f", "fmaf": "x, x, 2.0f", "copysignf": "x, 1.0f"}
    found = trace(f"float x = a[tid]; b[tid] = {name}({arguments.get(name, 'x')});")
    assert found.execution.libraries == ()
    assert found.held.vector == trace("b[tid] = a[tid] + 2.0f;").held.vector


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
@pytest.mark.parametrize("name", ["hexp", "hsqrt", "hrcp", "hfloor", "htanh"])
def test_functions_of_halves_are_known(name: str, vendor: str) -> None:
    found = trace(f"p[tid] = {name}(q[tid]);", "__half *p, const __half *q", vendor=vendor)
    assert found.execution.unknowns == ()
    assert found.held == trace("p[tid] = __habs(q[tid]);", "__half *p, const __half *q", vendor=vendor).held


def test_the_cost_in_a_loop_is_for_gfx9_and_for_loops_that_stay() -> None:
    parameters = "const double *d, double *e, int n"
    loop = "double s = 0; for (int k = 0; k < {}; k++) s += exp(d[tid + k]); e[tid] = s;"
    cost = COSTS["amd"]["exp:d"]
    assert trace(loop.format("n"), parameters).totals.call == cost.in_loop
    assert trace(loop.format("n"), parameters, gfx9=False).totals.call == cost.once
    assert trace(loop.format("3"), parameters).totals.call == cost.several


def test_a_remainder_holds_no_constants_through_a_loop() -> None:
    """clang 19 for gfx90a, `s = fmod(s * 16807.0, y)` in a loop: 20 registers, 14 if y is 2147483647.0."""
    parameters = "const double *d, double *e, int n"
    loop = "double s = d[tid]; for (int k = 0; k < n; k++) s = fmod(s * 16807.0, {}); e[tid] = s;"
    assert trace(loop.format("d[n]"), parameters).totals.call == COSTS["amd"]["fmod:d"].once
    assert trace(loop.format("2147483647.0"), parameters).totals.call == COSTS["amd"]["fmod/constant:d"].once


def test_constants_of_a_routine_that_a_block_calls_twice_wait_in_scalar_registers() -> None:
    """clang 19 for gfx90a: 55 registers for one atan, 21 for two in a block, 54 for one on each side of a branch."""
    parameters, cost = "const double *d, double *e, int n", COSTS["amd"]["atan:d"]
    assert trace("e[tid] = atan(d[tid]);", parameters).totals.call == cost.once
    assert trace("e[tid] = atan(atan(d[tid]));", parameters).totals.call == cost.several
    sides = "if (n > 3) e[tid] = atan(d[tid]); else e[tid] = atan(d[tid + n]) + 1;"
    assert trace(sides, parameters).totals.call == cost.once
    assert (
        trace("e[tid] = atan(atan(d[tid]));", parameters, vendor="nvidia").totals.call == COSTS["nvidia"]["atan:d"].once
    )


def test_independent_divisions_overlap() -> None:
    """clang 19 for gfx90a: 15, 25 and 39 registers for one, two and three quotients; nvcc calls a function for each."""
    read = "double x = d[tid], y = d[tid + 1], z = d[tid + 2], w = d[tid + 3];"
    beside = COSTS["amd"]["/:d"].beside

    def found(statements: str, vendor: str = "amd") -> int:
        return trace(f"{read} {statements}", "const double *d, double *e, int n", vendor=vendor).beside

    assert found("e[tid] = x / w + y + z;") == 0
    assert 0 < found("e[tid] = x / w + y / w + z;") <= beside < found("e[tid] = x / w + y / w + z / w;")
    assert found("e[tid] = x / (y / (z / w));") == 0
    assert found("e[tid] = x / w + y / w + z / w;", "nvidia") == 0


# ------------------------------------------------------------------------------------------------ asked of clang

_ASKED = {
    "sqrt:f": ("float", "sqrtf(x)"),
    "sqrt:d": ("double", "sqrt(x)"),
    "rsqrt:f": ("float", "rsqrtf(x)"),
    "rsqrt:d": ("double", "rsqrt(x)"),
    "fmod:f": ("float", "fmodf(x, o[i + n])"),
    "fmod:d": ("double", "fmod(x, o[i + n])"),
    "fmod/constant:f": ("float", "fmodf(x, 7.25f)"),
    "fmod/constant:d": ("double", "fmod(x, 7.25)"),
    "constant/pow:f": ("float", "powf(7.25f, x)"),
    "constant/pow:d": ("double", "pow(7.25, x)"),
    "exp:d": ("double", "exp(x)"),
    "/:f": ("float", "x / o[i + n]"),
    "/:d": ("double", "x / o[i + n]"),
    "/constant:l": ("long long", "x / 7"),
    "/constant:i": ("int", "x / 7"),
}


def asked(name: str, type_: str, expression: str) -> str:
    return (
        f"__global__ void {name}({type_} *o, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; "
        f"{type_} x = o[i]; o[i] = {expression}; }}\n"
    )


@pytest.mark.compiler
def test_costs_match_clang(tmp_path: Path) -> None:
    """Registers beyond the same kernel with a sum in the place of the operation."""
    compilers.need(".hip")
    text = "#include <hip/hip_runtime.h>\n"
    for number, (type_, expression) in enumerate(_ASKED.values()):
        plain = "x + o[i + n]" if "o[i" in expression else "x + 1"
        text += (
            f'extern "C" {asked(f"call{number}", type_, expression)}extern "C" {asked(f"plain{number}", type_, plain)}'
        )
    taken = compilers.allocations(text, ".hip", tmp_path)
    found = {key: taken[f"call{n}"].registers - taken[f"plain{n}"].registers for n, key in enumerate(_ASKED)}
    known = {key: COSTS["amd"][key].once for key in _ASKED}
    assert {key: cost for key, cost in found.items() if abs(cost - known[key]) > 4} == {}, (found, known)


def test_a_loop_counts_no_division_for_a_constant_over_a_float() -> None:
    """Of 48 iterations nvcc 13.0.88 leaves none in a loop, whose PTX reads 48 times; of 96 with `1000 / (j + 1)` it
    does.
    """
    loop = "float s = 0; for (int j = 0; j < {}; ++j) s += a[j * n] * {}; b[tid] = s;"
    parameters = "const float *a, float *b, int n"
    floats = trace(loop.format(48, "(1.0f / (j + 1))"), parameters, vendor="nvidia").execution
    integers = trace(loop.format(96, "(1000 / (j + 1))"), parameters, vendor="nvidia").execution
    assert floats.operations > 48 * 4
    assert integers.operations < 96 * 4
