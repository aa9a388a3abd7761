"""Code hidden in macros, for rules that examine the text between two places of a function."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.unknowns import macro_words
from regpress_rules import rules

RULES = {rule.code: rule for rule in rules()}
LOADS = "".join(f"  float e{k} = w[{k} * n + i];\n" for k in range(24))
USES = "".join(f"  r += e{k} * r;\n" for k in range(24))


def found(code: str, text: str) -> list[testing.Found]:
    """Findings of one rule, hints included."""
    return list(testing.run([RULES[code]], text, "k.hip", settings=Settings(architectures=("gfx90a",))))


def early(between: str, macro: str = "") -> str:
    """24 loads in front of branches, needed behind them."""
    branch = (
        "  if (t > {0}) {{ for (int k = 0; k < 40; ++k) s[k] = s[k] * s[(k + 1) % 40] + s[(k + 3) % 40]; }}"
        " else {{ for (int k = 0; k < 40; ++k) s[k] = s[k] / s[(k + 2) % 40] - 0.5f; }}\n"
    )
    return (
        f"{macro}__global__ void __launch_bounds__(256) f(const float* w, const float* a, float* b, int n, int t) {{\n"
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n{LOADS}  float s[40];\n"
        f"  for (int k = 0; k < 40; ++k) s[k] = a[k * n + i];\n{branch.format(0)}{between}{branch.format(1)}"
        f"  float r = 0.0f;\n  for (int k = 0; k < 40; ++k) r += s[k];\n{USES}  b[i] = r;\n}}\n"
    )


@pytest.mark.parametrize(
    ("between", "macro", "expected"),
    [
        ("", "", 1),
        ("  if (t > 9) return;\n", "", 1),
        ("  s[0] += HALF;\n", "#define HALF (0.5f)\n", 1),
        ("  POKE;\n", "#define POKE b[i] = 2.0f\n", 0),  # what is loaded may be another value then
        ("  s[1] += SUM;\n", "#define SUM (" + " + ".join(f"e{k}" for k in range(24)) + ")\n", 0),  # needed here
        ("  if (t > 9) goto out;\n  s[2] = 0;\nout:\n", "", 0),  # C++ jumps over no declaration with a value
    ],
)
def test_values_that_may_be_made_later(between: str, macro: str, expected: int) -> None:
    assert len(found("RP302", early(between, macro))) == expected


@pytest.mark.parametrize(("between", "fixes"), [("", 1), ("STEP", 0), ("ZERO;", 1)])
def test_sine_and_cosine_of_one_value_are_not_joined_over_a_macro_that_changes_it(between: str, fixes: int) -> None:
    text = (
        "#define STEP x += 1.0f;\n#define ZERO 0\n__global__ void k(float* b, float x) {\n"
        f"  float s = sinf(x);\n  {between}\n  float c = cosf(x);\n  b[0] = s;\n  b[1] = c;\n}}\n"
    )
    assert sum(one.finding.fix is not None for one in found("RP205", text)) == fixes


def test_words_of_macros_come_from_their_bodies() -> None:
    text = b"#define A(x, y) x + \\\n  z * y\n  #  define B c\nint d;\n"
    assert macro_words(Source("k.cu", text)) == {"z", "c"}
