"""RP106: its threshold, one finding per kernel, the finding's place, and cases left to RP105."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run
from frontend_helpers import build

from regpress_lint import testing
from regpress_lint.api import Rule, Severity
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_rules import rules

if TYPE_CHECKING:
    from pathlib import Path

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}
TEXT = """#include <cuda_runtime.h>
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}
void run(const float* a, float* b, int n) { %s }
"""


def found(launches: str, settings: Settings | None = None, code: str = "RP106") -> tuple[testing.Found, ...]:
    return testing.run([RULES[code]], TEXT % launches, "example.cu", "cuda", settings)


@pytest.mark.parametrize(
    ("block", "gain", "severity"),
    [
        (100, 0.25, Severity.WARNING),  # 28 of 128 lanes: full warps would do 28 % more
        (100, 0.3, Severity.INFO),
        (176, 0.08, Severity.WARNING),
        (768, 0.33, Severity.INFO),  # 48 to 64 warps
        (768, 0.34, None),
        (384, 0.05, Severity.INFO),  # 60 to 64 warps
        (384, 0.25, None),
        (32, 1.0, Severity.INFO),  # 32 to 64 warps, but a kernel is made around a block of one warp
        (256, 0.0, None),  # full: nothing can gain
    ],
)
def test_requested_gain_decides(block: int, gain: float, severity: Severity | None) -> None:
    settings = Settings(architectures=("sm_90",), block_size_gain=gain)
    assert [each.severity for each in found(f"scale<<<n, {block}>>>(a, b, n);", settings)] == (
        [] if severity is None else [severity]
    )


@pytest.mark.parametrize(
    ("block", "help_text"),
    [
        (100, "launch a multiple of 32 (96 or 128) and let threads beyond the data return or loop"),
        (24, "launch a multiple of 32 and let threads beyond the data return or loop"),
    ],
)
def test_the_help_names_the_sizes_around(block: int, help_text: str) -> None:
    (only,) = found(f"scale<<<n, {block}>>>(a, b, n);", Settings(architectures=("sm_90",)))
    assert only.finding.help == help_text


def test_the_threshold_is_an_option(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(TEXT % "scale<<<n, 100>>>(a, b, n);")
    arguments = ("check", "--isolated", "--select", "RP106", "--output-format", "concise", path)
    assert "RP106" in run(capsys, *arguments).out
    assert run(capsys, *arguments).status == 1
    assert run(capsys, *arguments, "--block-size-gain", "0.5").status == 0  # information now
    assert "block-size-gain = 0.5" in run(capsys, "check", "--show-settings", "--block-size-gain", "0.5", path).out


def test_one_finding_a_kernel_with_the_other_launches_as_notes() -> None:
    (only,) = found("scale<<<n, 100>>>(a, b, n); scale<<<n, 48>>>(a, b, n); scale<<<2 * n, 100>>>(a, b, n);")
    assert [note.message for note in only.finding.notes] == ["launched with the same size here"]
    (note,) = only.finding.notes
    assert (TEXT % "").find("scale<<<") < only.finding.span.start < note.span.start


@pytest.mark.parametrize("grid", ["n", "dim3(n, 100)", "dim3(n, 2)", "(n + 99) / 100"])
def test_finding_is_at_the_size(grid: str) -> None:
    text = TEXT.replace("scale", "scale100") % f"scale100<<<{grid}, 100>>>(a, b, n);"
    (only,) = testing.run([RULES["RP106"]], text, "example.cu", "cuda")
    span = only.finding.span
    assert text[span.start - 2 : span.end + 3] == ", 100>>>"


def test_a_launch_in_another_file_is_a_note_at_the_kernel() -> None:
    header, main = TEXT.split("void run")[0], '#include "k.cuh"\nvoid run' + (TEXT % "").split("void run")[1]
    main = main.replace("{  }", "{ scale<<<n, 100>>>(a, b, n); }")
    file = build(header, "cuda", {"main.cu": main}, path="k.cuh")
    (kernel,) = file.kernels
    (only,) = RULES["RP106"]().check_kernel(kernel_facts(file, kernel, Settings()))
    assert header[only.span.start : only.span.end] == "scale"
    (note,) = only.notes
    assert (note.path, main[note.span.start : note.span.end]) == ("main.cu", "scale<<<n, 100>>>(a, b, n)")


def test_one_message_lists_the_waste_on_every_target() -> None:
    settings = Settings(architectures=("gfx90a", "sm_90", "gfx1100"))
    (only,) = found("scale<<<n, 32>>>(a, b, n);", settings)
    assert "32 of the 64 lanes of its wave of 64 are idle on gfx90a (50%)" in only.message
    assert "32 blocks fill 32 of 64 wave slots of an SM on sm_90" in only.message
    assert only.finding.severities == {"gfx90a": Severity.INFO, "sm_90": Severity.INFO}  # a block of one wave


@pytest.mark.parametrize("low", [0.25, 0.6])
def test_rp105_and_rp106_never_speak_of_the_same_slots(low: float) -> None:
    settings = Settings(architectures=("sm_90",), low_occupancy=low)
    both = [each.code for code in ("RP105", "RP106") for each in found("scale<<<n, 32>>>(a, b, n);", settings, code)]
    assert both == (["RP106"] if low < 0.5 else ["RP105"])


def test_rp105_names_the_better_block_where_the_block_size_limits() -> None:
    settings = Settings(architectures=("sm_90",), low_occupancy=0.6)
    (only,) = found("scale<<<n, 32>>>(a, b, n);", settings, "RP105")
    assert "limited by block slots; blocks of 64 would fill 64" in only.message
    assert "registers up to 64 are free on sm_90: the block size limits" in only.finding.help
