"""Compilers' limits on kernel arguments, which RP108 checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest

from regpress_lint import lint_bytes, testing
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_rules import rules
from tools.measure import toolchain

if TYPE_CHECKING:
    from pathlib import Path

STRUCT = "struct S {{ char c[{}]; }};\n"
SOURCE = {
    ".hip": STRUCT + "__global__ void k(S s, float* b) {{ b[threadIdx.x] = s.c[threadIdx.x & 3]; }}\n",
    ".cl": STRUCT + "__kernel void k(struct S s, __global float* b) {{ b[0] = s.c[3] + s.c[7]; }}\n",
}


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("target", "suffix", "size", "words"),
    [
        ("sm_90", ".cu", 32_764 - 16, ""),
        ("sm_90", ".cu", 32_764 - 8, "too much parameter space"),
        ("pvc", ".cl", 1024, ""),
        ("pvc", ".cl", 2048, "Total size of kernel arguments exceeds limit"),
        ("gfx90a", ".hip", 2_000_000, ""),
    ],
)
def test_how_many_bytes_of_arguments_a_compiler_takes(
    target: str, suffix: str, size: int, words: str, tmp_path: Path
) -> None:
    compilers.need(suffix)
    source = tmp_path / f"k{suffix}"
    source.write_text(SOURCE.get(suffix, SOURCE[".hip"]).format(size))
    if not words:
        assert toolchain.compile_for(compilers.chain(), source, target, tmp_path)
        return
    with pytest.raises(RuntimeError, match=words):
        toolchain.compile_for(compilers.chain(), source, target, tmp_path)


@pytest.mark.parametrize(
    ("target", "size", "expected"),
    [
        ("sm_90", 200, []),
        ("sm_90", 4088, []),
        ("sm_90", 4089, ["info"]),
        ("sm_90", 32_756, ["info"]),
        ("sm_90", 32_757, ["error"]),
        ("sm_61", 4089, ["error"]),
        ("gfx90a", 40_000, []),
    ],
)
def test_arguments_beyond_those_of_a_toolchain(target: str, size: int, expected: list[str]) -> None:
    text = f"struct S {{ char c[{size}]; }};\n__global__ void k(S s, float* b) {{ b[threadIdx.x] = s.c[3]; }}\n"
    found = lint_bytes(text.encode(), "k.cu", Settings(architectures=(target,), select=("RP108",))).diagnostics
    assert [each.severity.label for each in found] == expected


def test_arguments_are_judged_by_each_target() -> None:
    targets = ("gfx90a", "sm_61", "sm_90", "pvc")
    rule = next(rule for rule in rules() if rule.code == "RP108")
    text = "struct S { char c[8192]; };\n__global__ void k(S s, float* b) { b[threadIdx.x] = s.c[3]; }\n"
    (one,) = testing.run([rule], text, "k.cu", settings=Settings(architectures=targets))
    expected = (Severity.ERROR, Severity.INFO, Severity.ERROR)
    assert one.finding.severities == dict(zip(targets[1:], expected, strict=True))


def test_a_launch_is_judged_although_an_older_toolkit_would_not_compile_its_kernel() -> None:
    rule = next(rule for rule in rules() if rule.code == "RP108")
    text = """struct S { char c[8192]; };
__global__ void k(S s, float* b) { b[threadIdx.x] = s.c[3]; }
void run(S s, float* b) { k<<<1, 2048>>>(s, b); }
"""
    found = testing.run([rule], text, "k.cu", settings=Settings(architectures=("sm_90",)))
    assert [each.severity for each in found] == [Severity.INFO, Severity.ERROR]


@pytest.mark.parametrize(("size", "expected"), [(2040, []), (2041, ["error"])])
def test_capture_of_a_lambda_is_an_argument(size: int, expected: list[str]) -> None:
    text = f"""#include <sycl/sycl.hpp>
struct S {{ char c[{size}]; }};
void run(sycl::queue& q, S s, float* b) {{
  q.parallel_for(sycl::range<1>(9), [=](sycl::id<1> i) {{ b[i] = s.c[3]; }});
}}
"""
    found = lint_bytes(text.encode(), "k.cpp", Settings(architectures=("pvc",), select=("RP108",))).diagnostics
    assert [each.severity.label for each in found] == expected
