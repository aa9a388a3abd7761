"""`__grid_constant__`: what nvcc no longer copies, and the fix of RP601 that adds it."""

from __future__ import annotations

import pytest

from regpress_lint import lint_bytes, testing
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_rules import rules

RULE = next(rule for rule in rules() if rule.code == "RP601")
TEXT = """struct Rows { const float* at[8]; int many; };
%s__global__ void k(%s rows, float* out) {
  for (int i = 0; i < rows.many; ++i) out[threadIdx.x] += rows.at[%s][threadIdx.x];
}
"""


def found(
    declared: str, index: str = "i", before: str = "", path: str = "k.cu", target: str = "sm_90"
) -> tuple[testing.Found, ...]:
    settings = Settings(architectures=(target,))
    return testing.run([RULE], TEXT % (before, declared, index), path, "cuda", settings)


@pytest.mark.parametrize(
    ("declared", "bytes_"), [("Rows", 72), ("const Rows", 72), ("const __grid_constant__ Rows", 0)]
)
def test_nvcc_makes_no_copy_of_a_grid_constant(declared: str, bytes_: int) -> None:
    analysis = analyse((TEXT % ("", declared, "i")).encode(), "k.cu", Settings(architectures=("sm_90",)))
    assert isinstance(analysis, Analysis)
    (kernel,) = analysis.file.kernels
    assert analysis.facts(kernel).target("sm_90").registers.scratch_bytes == bytes_
    assert len(found(declared)) == bool(bytes_)


@pytest.mark.parametrize(
    ("declared", "written"), [("Rows", "const __grid_constant__ Rows"), ("const Rows", "__grid_constant__ const Rows")]
)
def test_fix_adds_the_missing_part(declared: str, written: str) -> None:
    text = (TEXT % ("", declared, "i")).encode()
    (one,) = lint_bytes(text, "k.cu", Settings(architectures=("sm_90",), select=("RP601",))).diagnostics
    assert one.fix is not None
    assert one.fix.applicability == "safe"
    (edit,) = one.fix.edits
    changed = text[: edit.start.byte] + edit.text.encode() + text[edit.end.byte :]
    assert f"k({written} rows".encode() in changed
    assert not lint_bytes(changed, "k.cu", Settings(architectures=("sm_90",), select=("RP601",))).diagnostics


@pytest.mark.parametrize(
    ("before", "path"),
    [("__global__ void k(Rows rows, float* out);\n", "k.cu"), ("template <int N> ", "k.cu"), ("", "k.cuh")],
)
def test_the_fix_is_unsafe_where_another_declaration_has_to_agree(before: str, path: str) -> None:
    (one,) = found("Rows", before=before, path=path)
    assert one.finding.fix is not None
    assert one.finding.fix.applicability == "unsafe"


def test_constant_memory_is_not_advised_for_an_index_of_each_thread() -> None:
    """There it was measured to be slower than the copy."""
    (one,) = found("Rows", "(i + threadIdx.x) & 7")
    assert one.severity.label == "info"
    assert one.finding.fix is None
    assert one.finding.help.startswith("copy `rows` to shared memory")


def test_no_fix_for_gpus_that_do_not_have_it() -> None:
    (one,) = found("Rows", target="sm_61")
    assert one.finding.fix is None


def test_clang_reads_a_part_of_an_argument_where_it_is() -> None:
    """clang 19.1.7 takes 2 VGPRs: the index is the same for all threads."""
    text = "struct P { const float* in[4]; float* out[4]; };\n__global__ void k(P p) { int i = blockIdx.y; "
    text += "p.out[i][threadIdx.x] = p.in[i][threadIdx.x] * 2; }\n"
    analysis = analyse(text.encode(), "k.cu", Settings(architectures=("gfx90a",)))
    assert isinstance(analysis, Analysis)
    registers = analysis.facts(analysis.file.kernels[0]).target("gfx90a").registers
    assert (registers.low, registers.estimate, registers.scratch_bytes) < (2, 4, 1)
