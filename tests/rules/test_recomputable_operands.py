"""RP304 and RP702 where the advice would change a value, or where compilers have nothing to improve."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

RULES = {rule.code: rule for rule in rules()}
MADE = "".join(f"  double e{k} = u{k % 2} * {k}.5 + u{(k + 1) % 2};\n" for k in range(12))
STORED = "".join(f"  b[{k} * n + i] = e{k};\n" for k in range(12))
USED = "".join(f"  t += e{k} * s[{k}];\n" for k in range(12))


def found(code: str, text: str) -> int:
    """Number of a rule's findings for gfx90a, hints aside."""
    return len(testing.run([RULES[code]], text, "k.hip", settings=Settings(architectures=("gfx90a",))))


def carried(before: str, inside: str, behind: str) -> str:
    """12 values that a loop carries through, made of two others."""
    return (
        "#define BUMP u0 += 1.0;\n"
        "__global__ void __launch_bounds__(256) f(const double* w, const double* a, double* b, int m, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  double u0 = w[i], u1 = w[n + i];\n"
        f"{before}{MADE}{STORED}  double s[18];\n  for (int k = 0; k < 18; ++k) s[k] = 0.0;\n"
        f"  for (int j = 0; j < m; ++j) {{\n    double x = a[j * n + i];\n{inside}\n"
        "    for (int k = 0; k < 18; ++k) s[k] = s[k] * x + s[(k + 1) % 18];\n  }\n"
        f"{behind}  double t = u0 + u1;\n{USED}  for (int k = 12; k < 18; ++k) t += s[k];\n  b[i] = t;\n}}\n"
    )


@pytest.mark.parametrize(
    ("before", "inside", "behind", "expected"),
    [
        ("", "", "  if (m < 0) return;\n", 1),
        ("", "u0 += x;", "", 0),
        ("", "", "  u0 = 3.0;\n", 0),
        ("  double* p = &u0;\n", "*p = x;", "", 0),
        ("  double& r = u0;\n", "r = x;", "", 0),
        ("  auto g = [&]() { u0 += 1.0; };\n", "g();", "", 0),
    ],
)
def test_recomputed_value_has_constant_operands(before: str, inside: str, behind: str, expected: int) -> None:
    text = carried(before, inside, behind).replace("#define BUMP u0 += 1.0;\n", "")
    assert found("RP304", text) == expected


def test_a_macro_may_change_what_it_is_made_of() -> None:
    assert found("RP304", carried("", "", "  BUMP\n")) == 0


@pytest.mark.parametrize(
    ("call", "around", "expected"),
    [
        ("wave(s{0}, 1.5)", "{0}", 1),
        ("wave(s{0}, 1.5)", "if (n > 3) {{ {0} }}", 1),
        ("(s{0} > 0 ? wave(s{0}, 1.5) : 0.0)", "{0}", 0),  # clang: 88 VGPRs as they stand, 92 with `noinline`
    ],
)
def test_sines_on_conditions_of_their_own_are_not_begun_together(call: str, around: str, expected: int) -> None:
    text = (
        "__device__ double wave(double x, double k) { return sin(x * k) * x + k; }\n"
        "__global__ void __launch_bounds__(256) f(const double* a, double* b, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        + "".join(f"  double s{k} = a[{k} * n + i];\n" for k in range(12))
        + "  double r = 0;\n  "
        + around.format(" ".join(f"r += {call.format(k)};" for k in range(12)))
        + "\n"
        + "".join(f"  b[{k} * n + i] = s{k} * r;\n" for k in range(12))
        + "}\n"
    )
    assert found("RP702", text) == expected
