"""When RP406's fix is safe: if the values fit for every input, in every configuration."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

RULE = next(rule for rule in rules() if rule.code == "RP406")
KERNEL = """__global__ void best(const float* c, float* b, int m, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[16];
  size_t at[16];
  for (int e = 0; e < 16; ++e) {{ s[e] = 1e30f; at[e] = 0; }}
  for ({0} = 0; j < m; ++j) {{
    float y = c[j * n + i];
    for (int e = 0; e < 16; ++e) if (y < s[e]) {{ s[e] = y; at[e] = j; }}
  }}
  {1}
  for (int e = 0; e < 16; ++e) b[e * n + i] = c[at[e]] * s[e];
}}
"""


@pytest.mark.parametrize(
    ("counter", "more", "expected"),
    [
        ("int j", "", "safe"),
        ("size_t j", "", "unsafe"),  # m may be negative
        ("int j", "\n#ifdef WIDE\n  at[0] = 1ul << 40;\n#endif\n", "unsafe"),
        ("int j", "if (n > 3) at[1] = at[0] + m;", None),
    ],
)
def test_fix_is_safe_if_all_values_fit(counter: str, more: str, expected: str | None) -> None:
    text = KERNEL.format(counter, more)
    found = testing.run([RULE], text, "k.cu", settings=Settings(architectures=("sm_90",)))
    fixes = [each.finding.fix.applicability if each.finding.fix is not None else None for each in found]
    assert fixes == ([expected] if expected else [])
    assert all(
        ("no loop to an unsigned bound" in (each.finding.help or "")) == (counter == "size_t j") for each in found
    )
