"""Where the fixes about scalar registers write, and where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules.live.wave_uniform_index import WaveUniformIndex
from regpress_rules.memory.unscalarized_uniform_load import UnscalarizedUniformLoad

if TYPE_CHECKING:
    from regpress_lint.api import Finding, Fix

GFX90A = Settings(architectures=("gfx90a",), select=("RP",))


def only(rule: type[UnscalarizedUniformLoad | WaveUniformIndex], text: str, *, path: str = "k.hip") -> Finding:
    language = "hip" if path.endswith(".hip") else "cuda"
    (found,) = testing.run([rule], text, path, language, GFX90A)  # type: ignore[arg-type]
    return found.finding


def fixed(text: str, fix: Fix | None) -> str | None:
    if fix is None:
        return None
    data = text.encode()
    for edit in reversed(fix.edits):
        data = data[: edit.span.start] + edit.text.encode() + data[edit.span.end :]
    return data.decode()


def filter_kernel(parameter: str, before: str = "") -> str:
    return (
        f"{before}__global__ void k({parameter}, float *b) {{\r\n  b[threadIdx.x] = 0;\r\n  float s = 0;\r\n"
        "  for (int k = 0; k < 16; ++k) s += w[k];\r\n  b[threadIdx.x] = s;\r\n}\r\n"
    )


@pytest.mark.parametrize(
    ("parameter", "repaired"),
    [
        ("const float* w", "const float* __restrict__ w"),
        ("const float *w", "const float *__restrict__ w"),
        ("float const * const w", "float const * const __restrict__ w"),
        ("const float\r\n    * w", "const float\r\n    * __restrict__ w"),
        ("const float* /* weights */ w", None),
        ("const float w[16]", None),
        ("POINTER w", None),
    ],
)
def test_restrict_is_written_in_front_of_the_name(parameter: str, repaired: str | None) -> None:
    text = filter_kernel(parameter, "#define POINTER const float*\r\n")
    found = testing.run([UnscalarizedUniformLoad], text, "k.hip", "hip", GFX90A)
    if repaired is None:
        assert all(each.finding.fix is None for each in found)
        return
    fix = found[0].finding.fix
    assert fix is not None
    assert fix.applicability == "unsafe"
    assert fixed(text, fix) == text.replace(parameter, repaired, 1)


def wave_kernel(init: str = "int w = threadIdx.x / 64;", launch: str = "k<<<9, 256>>>(a, a);") -> str:
    return (
        f"__global__ void k(const float* a, float* b) {{ {init} float s = 0;\n"
        "  for (int k = 0; k < 16; ++k) s += a[w * 16 + k];\n  b[threadIdx.x] = s; }\n"
        f"void run(float* a, int n) {{ {launch} }}\n"
    )


@pytest.mark.parametrize(
    ("text", "applicability"),
    [
        (wave_kernel(), "safe"),
        (wave_kernel("const unsigned w = threadIdx.x >> 6;"), "safe"),
        (wave_kernel("long w = threadIdx.x / 64;"), "unsafe"),
        (wave_kernel("int w = threadIdx.x / 64 + 1;"), "unsafe"),
        (wave_kernel(launch=""), "unsafe"),
        (wave_kernel(launch="k<<<9, n>>>(a, a);"), "unsafe"),
    ],
)
def test_launches_decide_whether_the_fix_is_safe(text: str, applicability: str) -> None:
    fix = only(WaveUniformIndex, text).fix
    assert fix is not None
    assert fix.applicability == applicability
    assert (fixed(text, fix) or "").count("__builtin_amdgcn_readfirstlane(threadIdx.x ") == 1


def test_no_fix_where_the_builtin_does_not_exist() -> None:
    assert only(WaveUniformIndex, wave_kernel(), path="k.cu").fix is None


def test_division_by_32_is_not_a_wave_index_with_64_lanes() -> None:
    text = wave_kernel("int w = threadIdx.x / 32;")
    assert not testing.run([WaveUniformIndex], text, "k.hip", "hip", GFX90A)
    both = Settings(architectures=("gfx1100", "gfx90a"), select=("RP",))
    (found,) = testing.run([WaveUniformIndex], text, "k.hip", "hip", both)
    assert set(found.finding.severities) == {"gfx1100"}
    assert found.finding.fix is None
