"""Numbers at which rules begin to say something, or something else: one below and one above."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from corpus import TESTDATA

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Profile, Settings
from regpress_rules.math import pow_small_exponent

COLUMN = """struct P {{ float x, y, z; }};
__global__ void __launch_bounds__({threads}) k(const float* a, float* b, int n) {{
  {element} v[{size}];
  for (int i = 0; i < {size}; i++) v[i]{member} = a[threadIdx.x + i];
  for (int j = 0; j < n; j++) v[(int)a[j] % {size}]{member} += a[j];
  b[threadIdx.x] = v[n % {size}]{member};
}}
"""


def said(text: str, code: str, target: str, name: str) -> list[str]:
    """Message and help of the findings of a rule, for one GPU."""
    found = lint_bytes(text.encode(), name, Settings(architectures=(target,), select=(code,))).diagnostics
    return [f"{each.message}; {each.help}" for each in found]


@pytest.mark.parametrize(
    ("element", "size", "threads", "fits"),
    [("float", 48, 256, True), ("float", 49, 256, False), ("float", 24, 512, True), ("float", 25, 512, False),
     ("P", 16, 256, True), ("P", 17, 256, False)],
)  # fmt: skip
def test_a_column_of_shared_memory_is_advised_where_a_block_has_48_kb_for_it(
    element: str, size: int, threads: int, fits: bool
) -> None:
    member = ".y" if element == "P" else ""
    text = COLUMN.format(element=element, size=size, threads=threads, member=member)
    (found,) = said(text, "RP403", "sm_90", "k.cu")
    assert (f"`v[{size}][{threads}]`" in found) is fits
    # Beyond the 48 KB of static arrays the launch can ask for dynamic shared memory.
    assert (f"`v[k * {threads} + threadIdx.x]` of `extern __shared__`" in found) is not fits


@pytest.mark.parametrize(
    ("target", "count", "many"),
    [("gfx90a", 39, False), ("gfx90a", 40, True), ("gfx1100", 47, False), ("gfx1100", 48, True)],
)
def test_so_many_pointers_in_a_loop_do_not_fit_into_scalar_registers(target: str, count: int, many: bool) -> None:
    parameters = ", ".join(f"float *p{number}" for number in range(count))
    uses = " ".join(f"p{number}[i] = {number};" for number in range(count))
    kernel = f"__global__ void k(int n, {parameters}) {{ for (int i = 0; i < n; i++) {{ {uses} }} }}"
    text = f"#include <hip/hip_runtime.h>\n{kernel}\n"
    found = said(text, "RP603", target, "k.hip")
    assert [each.partition(" ")[0] for each in found] == [str(count)] * many


VALUES = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) k(const double *a, double *b, int n) {{
  int tid = threadIdx.x; double u = a[tid], v = a[n + tid], s[20];
{early}
  for (int k = 0; k < 20; ++k) s[k] = 0.0;
  for (int j = 0; j < n; ++j) {{
    double x = a[j * n + tid];
    for (int k = 0; k < 20; ++k) s[k] = s[k] * x + s[(k + 1) % 20];
  }}
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
{late}
  b[tid] = r + u - v;
}}
"""


@pytest.mark.parametrize("code", ["RP302", "RP304"])
@pytest.mark.parametrize(("singles", "expected"), [(0, 1), (1, 0)])
def test_eight_registers_are_worth_a_word(code: str, singles: int, expected: int) -> None:
    """Four doubles are eight registers; with one of them a float it is one less."""
    types = ["float"] * singles + ["double"] * (4 - singles)
    early = "".join(f"  {type_} e{k} = u * v + {k}.5;\n" for k, type_ in enumerate(types))
    if code == "RP304":  # needed in front of the loop, too
        early += "".join(f"  b[{k + 1} * n + tid] = e{k};\n" for k in range(4))
    late = "".join(f"  r += e{k} * r;\n" for k in range(4))
    assert len(said(VALUES.format(early=early, late=late), code, "gfx90a", "k.hip")) == expected


@pytest.mark.parametrize(
    ("target", "profile", "expected"),
    [
        ("gfx90a", "default", ["info"]),
        ("gfx90a", "strict", ["hint", "hint", "hint", "info", "hint"]),
        ("sm_90", "default", []),
        ("sm_90", "strict", ["hint"] * 5),
    ],
)
def test_profitable_64_bit_divisions_are_reported_by_default(
    target: str, profile: Profile, expected: list[str]
) -> None:
    text = (TESTDATA / "rules" / "RP206" / "positive.hip").read_bytes()
    found = lint_bytes(text, "k.hip", Settings(architectures=(target,), profile=profile)).diagnostics
    assert [each.severity.label for each in found if each.code == "RP206"] == expected


def test_how_often_a_thread_makes_a_call_at_most() -> None:
    text = """__device__ float g(float x) { float s = 0; for (int i = 0; i < 4; i++) s += sinf(x + i); return s; }
__global__ void k(float *a, int n) {
  for (int j = 0; j < 8; j++) a[j] = g(a[j]);
  for (int j = 0; j < n; j++) a[j] += cosf(a[j]);
  a[0] = tanf(a[1]);
  for (int j = 0; j < 3; j++) for (int i = 0; i < 5; i++) a[j] += expf(a[i]);
  for (int j = 0; j < 0; j++) a[j] = logf(a[j]);
}
"""
    facts = facts_of(text)
    runs = {site.call.name: pow_small_exponent._runs(facts, site) for site in facts.calls}
    assert runs == {"g": 8, "sinf": 32, "cosf": None, "tanf": 1, "expf": 15, "logf": 1}


@pytest.mark.parametrize(("handed", "found"), [("len", False), ("n", True)])
def test_a_template_parameter_handed_to_a_function_may_be_a_constant(handed: str, found: bool) -> None:
    """`block(h, m, 256)` once it is instantiated and inlined: nvcc keeps the array in registers."""
    text = f"""__device__ void block(long* out, long* m, unsigned in_len) {{
  if (in_len % 8) m[(in_len - 128) / 8] &= -1l >> (64 - (in_len % 8) * 8);
  for (int i = 0; i < 16; ++i) out[i] = m[i] * 3;
}}
template <unsigned len> __global__ void k(long* out, const long* in, unsigned n) {{
  long m[16];
  for (int i = 0; i < 16; ++i) m[i] = in[i + threadIdx.x];
  block(out + threadIdx.x * 16, m, {handed});
}}
"""
    assert bool(said(text, "RP403", "sm_90", "k.cu")) is found
