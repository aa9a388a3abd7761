"""testdata/seeds/README.md matches the tool and the compilers, and the documents' own code is understood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import compilers
import pytest
from cli_helpers import ROOT

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint.advice.ranking import file_advice
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.targets.occupancy import architecture
from tools.generators import seeds_document, seeds_lines
from tools.measure import evidence, measure_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from regpress_lint.core.diagnostics import Report

DOCUMENTS = ROOT.parent / "shared" / "seeds"
here = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the seed documents are not beside the repository")
# What stands around a fragment of the document about register blocking.
TILE = """
constexpr int TM_06 = 4, TN_06 = 2, BK_06 = 16, WM_06 = 16, WN_06 = 16, BN_06 = 32;
__global__ void __launch_bounds__(256) tile(float* out, int wx, int wy, int tx, int ty) {
  __shared__ float As[64 * 16], Bs[16 * 32];
  As[threadIdx.x] = out[threadIdx.x];
  Bs[threadIdx.x] = out[threadIdx.x + 256];
  __syncthreads();
%s
  for (int m = 0; m < TM_06; ++m)
    for (int n = 0; n < TN_06; ++n) out[m * TN_06 + n] = tmp[m][n];
}
"""

_SYCL_HEAD = "#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, std::vector<unsigned long> &input) {\n"


# What is out of its band, and by how much: a second look at each is in the sources (`// why`, `// differs`).
OUT_OF_BAND = {
    ("eight_tile", "smell", "gfx90a"), ("own_lds", "repaired", "sm_90"), ("wide_tile", "repaired", "sm_90"),
}  # fmt: skip


@pytest.mark.slow
def test_the_page_holds_and_says_of_pairs_as_much_as_compilers_do() -> None:
    """One look at all pairs on all targets, which takes long, and all that is known of it."""
    rows = seeds_document.compared()
    assert seeds_document.PAGE.read_text() == seeds_document.page(), "run: python -m tools.generators.seeds_document"
    former_mistakes_are_right_today(rows)
    every_difference_has_a_reason(rows)
    the_bad_version_is_reported_and_not_the_good_one(rows)


def former_mistakes_are_right_today(compared: Sequence[seeds_document.Compared]) -> None:
    """In the band of today are the compilers' registers, and private memory is where it is."""
    few = evidence.NOTICEABLE
    rows = {(row.technique.source.name, row.technique.name, row.target): row for row in compared}
    for case in seeds_lines.cases():
        row = rows[case["source"], case["pair"], case["target"]]
        for version, said, real in (
            ("smell", row.smell.row, row.effect.smell),
            ("repaired", row.repaired.row, row.effect.repaired),
        ):
            if (case["pair"], version, case["target"]) not in OUT_OF_BAND:
                low, _, high = said.registers
                assert low - few < real.registers < high + few, (case, version)
            assert (said.scratch_bytes > 0) == (real.scratch_bytes > 0), (case, version)


def every_difference_has_a_reason(compared: Sequence[seeds_document.Compared]) -> None:
    """What the tool and the compiler say differently is explained in the source."""
    differ = {
        (row.technique.source.name, row.technique.name, row.target)
        for row in compared
        if row.tool_gains != row.compiler_gains
    }
    assert differ <= seeds_document.differences().keys()


def the_bad_version_is_reported_and_not_the_good_one(compared: Sequence[seeds_document.Compared]) -> None:
    known = {row.technique.rule for row in compared if row.technique.rule}
    for technique in {row.technique for row in compared if row.technique.rule}:
        rows = [row for row in compared if row.technique == technique]
        assert any(technique.rule in row.smell.findings for row in rows), technique.name
        later = (row.repaired.findings.get(technique.rule, Severity.HINT) for row in rows)
        assert all(each < Severity.WARNING for each in later), technique.name
    assert len(known) > 10


def test_former_mistakes_are_all_of_the_issue() -> None:
    """Its nine rows, those of two targets or of two tiles apart."""
    pairs = {case["pair"] for case in seeds_lines.cases()}
    assert {"lattice", "filled", "early_load", "restrict_uniform", "own_lds_cdna1", "wide_tile"} <= pairs
    assert {"rolled_tile", "eight_tile", "many_calls", "unrolled_math"} <= pairs
    assert {each.version for each in seeds_lines.stored()} >= {"as it stands"}


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("source", "target"),
    [  # In CI each source is compiled for one of its targets: a source that changed is measured for none of them.
        pytest.param(
            source, target, marks=pytest.mark.long if target != evidence.targets_of(source)[number % 2 - 1] else ()
        )
        for number, source in enumerate(seeds_document.sources())
        for target in evidence.targets_of(source)
    ],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_compilers_still_agree_with_the_page(source: Path, target: str) -> None:
    suffix = {"amd": ".hip", "nvidia": ".cu", "intel": ".cl"}[architecture(target).vendor]
    compilers.need(suffix)
    now = measure_evidence.measured_source(source, target, compilers.chain(), compilers.workshop())
    stored = [row for row in seeds_document.stored_rows() if (row.file, row.target) == (source.name, target)]
    if {row.compiler for row in now} == {row.compiler for row in stored}:
        assert now == stored
    assert {row.pair for row in now} == {row.pair for row in stored}


@pytest.mark.parametrize("line", seeds_lines.lines(), ids=lambda each: each.command)
def test_commands_of_the_page_print_the_shown_text(line: seeds_lines.Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert line.shows in seeds_lines.printed(line.command)


@pytest.mark.slow
def test_the_commands_about_pairs_are_of_a_kind_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each source: it names the rule, or the kernels."""
    monkeypatch.chdir(ROOT)
    page = seeds_document.PAGE.read_text(encoding="utf-8").partition("## A command for everything")[2]
    commands = re.findall(r"\| `((?:check|kernels)[^`]*)` \| (\w+)", page)
    sample = {command.rpartition(" ")[2]: (command, answer) for command, answer in commands}
    assert len(sample) >= 5
    for command, answer in sample.values():
        output = seeds_lines.printed(command)
        assert (answer if command.startswith("check") else "registers") in output


# ------------------------------------------------------------------------------------------- the documents' own code


def _document(number: str) -> str:
    return next(DOCUMENTS.glob(f"{number}_*.txt")).read_text()


def _lint(code: str, path: str, arch: str) -> Report:
    settings = Settings(architectures=(arch,), min_severity=Severity.HINT)
    report = lint_bytes(code.encode(), path, settings)
    assert report.kernels == 1
    assert not {found.code for found in report.diagnostics} & {"RP001", "RP009"}
    return report


def _codes(report: Report, least: Severity = Severity.HINT) -> set[str]:
    return {found.code for found in report.diagnostics if found.severity >= least}


@here
@pytest.mark.parametrize("arch", ["gfx90a", "sm_90"])
def test_the_lattice_boltzmann_kernel_of_the_lab_notes(arch: str) -> None:
    """Its `pow` is named, and gone in the second version."""
    kernel = next(re.finditer(r"```c\+\+\n(__global__.*?\n})\n```", _document("000"), re.DOTALL))[1]
    assert "RP201" in _codes(_lint(kernel, "lbm.hip", arch))
    assert "RP201" not in _codes(
        _lint(kernel.replace("pow(current_phi,2.0)", "current_phi * current_phi"), "a.hip", arch)
    )


@here
def test_lattice_kernel_estimates_match_the_page() -> None:
    """Run: python -m tools.generators.seeds_lines ../shared/seeds"""
    stored = {(each.version, each.target): (each.registers, each.low, each.high) for each in seeds_lines.stored()}
    made = seeds_lines.versions(_document("000"))
    name = "`x * x` for `pow`"
    found = {version: seeds_lines.estimates(made[version]) for version in ("as it stands", name)}
    assert {(version, target): band for version, bands in found.items() for target, band in bands.items()} == {
        key: band for key, band in stored.items() if key[0] in found
    }


@pytest.mark.slow
@here
def test_no_change_of_the_lattice_kernel_is_promised_where_the_compiler_gives_none() -> None:
    """clang takes 104 VGPRs with the `pow` and without it: fourteen less by the estimate are no advice."""
    code = seeds_lines.versions(_document("000"))["as it stands"]
    analysis = analyse(code.encode(), "lattice.hip", Settings(architectures=("gfx90a",)))
    assert isinstance(analysis, Analysis)
    (found,) = next(file_advice(analysis)).targets
    assert found.tried
    assert not found.advice


@here
@pytest.mark.parametrize("arch", ["gfx90a", "sm_90"])
def test_both_tiles_of_register_blocking_are_silent(arch: str) -> None:
    blocks = re.findall(r"```C\+\+\n(float tmp.*?)```", _document("002"), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert not _codes(_lint(TILE % block, "tile.cu", arch), Severity.INFO)


@pytest.mark.slow
@here
def test_the_histograms_of_registerization() -> None:
    """Each block is understood whole; volatile bins are named, and those in private memory."""
    text = _document("004")
    blocks = re.findall(r"^constexpr int (?:BLOCK_SIZE|N) = .*?^\}\);\n\}\);$", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 4
    for block in blocks:
        code = (
            f"#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, std::vector<unsigned long> &input) {{\n{block}\n}}\n"
        )
        found = _codes(_lint(code, "histogram.cpp", "pvc"))
        assert ("RP401" in found) == ("volatile unsigned" in block)
        assert ("RP403" in found) == ("histogram[NUM_BINS];" in block)
