"""Conditions on the GPU (`#if __CUDA_ARCH__ >= 800`): each target has the text that it compiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import lint_bytes
from regpress_lint.commands.kernels.rows import kernel_rows
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.conditions import asked_of_gpu, told_apart
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.lint.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.commands.kernels.rows import KernelRow
    from regpress_lint.core.settings import Language

KEPT = """  float kept[48]; int c = 0;
  for (int i = 0; i < n; ++i) { float v = p[i * 64 + threadIdx.x]; if (v > 0.0f && c < 48) kept[c++] = v; }
  for (int l = 0; l < c; ++l) o[l * 64 + threadIdx.x] = kept[l];
"""
BODY = f"""__global__ void body(const float *p, float *o, int n) {{
#if __CUDA_ARCH__ >= 900
  o[threadIdx.x] = p[threadIdx.x] * n;
#else
{KEPT}#endif
}}
"""
SIZES = """
#if defined(__gfx90a__) || defined(__gfx942__)
#define N 40
#else
#define N 8
#endif
__global__ void sizes(const float *p, float *o, int n) { float v[N]; int t = threadIdx.x;
  for (int i = 0; i < N; ++i) v[i] = p[i * 64 + t];
  for (int r = 0; r < n; ++r) for (int i = 0; i < N; ++i) v[i] = v[i] * v[(i + 1) % N] + p[r];
  for (int i = 0; i < N; ++i) o[i * 64 + t] = v[i]; }
"""


def rows(
    text: str, targets: tuple[str, ...], language: Language = "cuda", headers: Mapping[str, str] | None = None
) -> list[KernelRow]:
    files = {name: content.encode() for name, content in (headers or {}).items()}
    project = Project(IncludeResolver(".", lambda path: files.get(path)), architectures=targets)
    settings = Settings(architectures=targets)
    return list(kernel_rows(Analysis(Source("k.cu", text.encode()), language, settings, lambda: project)))


def test_each_target_reads_its_branch() -> None:
    """nvcc 13.0.88: 24 registers and 192 B of stack for sm_80, 12 and none for sm_90; sm_80 had sm_90's."""
    (row,) = rows(BODY, ("sm_80", "sm_90"))
    assert [(each.name, each.scratch_bytes) for each in row.targets] == [("sm_80", 192), ("sm_90", 0)]
    for target in row.targets:
        (alone,) = rows(BODY, (target.name,))
        assert alone.targets == (target,)


@pytest.mark.parametrize("targets", [("gfx90a", "gfx942", "gfx1100"), ("gfx1100", "gfx1030"), ("gfx1100", "gfx90a")])
def test_processors_of_amd(targets: tuple[str, ...]) -> None:
    """clang 19.1.7 takes 46 VGPRs for gfx90a."""
    (row,) = rows(SIZES, targets, "hip")
    assert [each.name for each in row.targets] == list(targets)
    for target in row.targets:
        assert (target.registers.estimate > 30) == target.name.startswith("gfx9")


def test_a_header_may_ask() -> None:
    text = '#include "tile.h"\n__global__ void body(const float *p, float *o, int n) { copy(p, o, n); }\n'
    header = f"""__device__ inline void copy(const float *p, float *o, int n) {{
#if __CUDA_ARCH__ < 800
{KEPT}#else
      o[threadIdx.x] = p[n];
#endif
    }}"""
    (row,) = rows(text, ("sm_70", "sm_90"), headers={"tile.h": header})
    assert [each.scratch_bytes for each in row.targets] == [192, 0]


def test_findings_are_for_the_targets_that_have_them() -> None:
    settings = Settings(architectures=("sm_80", "sm_86", "sm_90"))
    found = lint_bytes(BODY.encode(), "k.cu", settings).diagnostics
    assert {each.code: each.targets for each in found} == {"RP403": ("sm_80", "sm_86")}


def test_targets_with_the_same_answers_are_read_once() -> None:
    text = b"#if __CUDA_ARCH__ < 600\n#endif\n#define HAS (__CUDA_ARCH__ >= 800)\n#ifdef OTHER\n#endif\n"
    conditions = asked_of_gpu(text)
    assert conditions == ("#if __CUDA_ARCH__ < 600", "#if (__CUDA_ARCH__ >= 800)")
    assert told_apart(conditions, "cuda", ("sm_80", "sm_90", "gfx90a")) == (("sm_80", "sm_90", "gfx90a"),)
    assert told_apart(conditions, "cuda", ("sm_70", "sm_90", "gfx90a")) == (("sm_70",), ("sm_90", "gfx90a"))
    analysis = Analysis(Source("k.cu", BODY.encode()), "cuda", Settings(architectures=("sm_90", "gfx90a")))
    assert analysis.parts == (analysis,)
