"""RP002: suppressions that silence nothing, cases where that is unknown, and the text that the fix removes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run, run_json

from regpress_lint import lint_bytes
from regpress_lint.core.fixes import apply
from regpress_lint.core.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

LINE = "  x[i] = pow(x[i], 2.0);"
QUIET = HIP.replace(LINE, "  x[i] = x[i] + 1.0;")
ADD = "  x[i] = x[i] + 1.0;"


def unused(text: str, **settings: object) -> list[str]:
    """Messages of RP002."""
    report = lint_bytes(text.encode(), "a.hip", Settings(**settings))  # type: ignore[arg-type]
    return [each.message for each in report.diagnostics if each.code == "RP002"]


def repaired(text: str) -> str:
    report = lint_bytes(text.encode(), "a.hip", Settings())
    fixes = [each.fix for each in report.diagnostics if each.code == "RP002" and each.fix is not None]
    assert all(fix.applicability == "safe" for fix in fixes)
    return apply(text.encode(), fixes)[0].decode()


@pytest.mark.parametrize(
    ("line", "after"),
    [
        (f"{ADD}  // regpress: ignore[RP201] no pow any more", ADD),
        (f"{ADD}  /* regpress: ignore[RP201] */", ADD),
        (f"{ADD} // regpress: ignore[RP201]", ADD),
        (f"{ADD}\t \t// regpress: ignore[RP201]", ADD),
        (f"{ADD}  // NOLINT(regpress-RP201)", ADD),
        (f"  // regpress: ignore[RP201]\n{ADD}", ADD),
        (f"  // regpress: ignore-next-line\n{ADD}", ADD),
        (f"  // regpress: ignore-begin[RP2]\n{ADD}\n  // regpress: ignore-end[RP2]", ADD),
        (f"  // regpress: ignore[RP201]\r\n{ADD}", ADD),
        ("  x[i] = /* regpress: ignore[RP201] */ x[i] + 1.0;", "  x[i] = x[i] + 1.0;"),
        ("  int/* regpress: ignore[RP201] */j = i; x[j] = 1.0;", None),
    ],
)
def test_a_suppression_that_silences_nothing_is_removed(line: str, after: str | None) -> None:
    text = QUIET.replace(ADD, line)
    (message,) = unused(text)
    assert message.endswith("silences nothing here")
    if after is not None:
        assert repaired(text) == QUIET.replace(ADD, after)
        assert unused(repaired(text)) == []


def test_tokens_stay_separate() -> None:
    text = QUIET.replace(ADD, "  int/* regpress: ignore[RP201] */j = i; x[j] = 1.0;")
    assert "intj" not in repaired(text)


def test_only_the_unused_selector_is_removed() -> None:
    text = HIP.replace(LINE, f"{LINE}  // regpress: ignore[RP403, RP201, RP501] why")
    assert unused(text) == ["`RP403`, `RP501` in `regpress: ignore[RP403, RP201, RP501]` silences nothing here"]
    assert repaired(text) == HIP.replace(LINE, f"{LINE}  // regpress: ignore[RP201] why")
    foreign = QUIET.replace(ADD, f"{ADD}  // NOLINT(bugprone-foo, regpress-RP2*)")
    assert repaired(foreign) == QUIET.replace(ADD, f"{ADD}  // NOLINT(bugprone-foo)")
    mixed = HIP.replace(LINE, f"{LINE}  // NOLINT(bugprone-foo, regpress-RP403, regpress-RP201)")
    assert repaired(mixed) == HIP.replace(LINE, f"{LINE}  // NOLINT(bugprone-foo, regpress-RP201)")


def test_comment_for_another_linter_hides_nothing_after_it() -> None:
    text = QUIET.replace(ADD, f"{ADD}  // NOLINT(bugprone-foo)\n{ADD}  // NOLINT\n{ADD}  // regpress: ignore[RP201]")
    assert unused(text) == ["`regpress: ignore[RP201]` silences nothing here"]


def test_a_whole_file() -> None:
    text = f"// Copyright\n// regpress: ignore-file[RP403] generated\n{QUIET}"
    assert len(unused(text)) == 1
    assert repaired(text) == f"// Copyright\n{QUIET}"


@pytest.mark.parametrize(
    "line",
    [
        f"{LINE}  // regpress: ignore[RP201]",
        f"{LINE}  // regpress: ignore",
        f"{ADD}  // NOLINT",
        f"{ADD}  // NOLINT(*)",
        f"{ADD}  // NOLINTNEXTLINE",
        f"{ADD}  // regpress: ignore[RP999]",
        f"{ADD}  // regpress: ignore[RP403, RP002] kept for the other build",
    ],
)
def test_used_or_unknown(line: str) -> None:
    assert unused(HIP.replace(LINE, line)) == []


def test_hidden_finding_counts_as_silenced() -> None:
    text = HIP.replace(LINE, f"{LINE}  // regpress: ignore[RP201]")
    assert unused(text, severities={"RP201": 0}) == []


def test_unselected_rules_are_not_judged() -> None:
    text = QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP201]")
    assert len(unused(text)) == 1
    assert unused(text, ignore=("RP201",)) == []
    assert unused(text, select=("RP403", "RP002")) == []
    assert unused(text, ignore=("RP002",)) == []
    amd_only = QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP305]")
    assert len(unused(amd_only)) == 1
    assert unused(amd_only, architectures=("sm_90",)) == []


def test_a_comment_that_names_only_rules_about_other_languages_says_so() -> None:
    intel = QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP9]")
    assert unused(intel) == ["`regpress: ignore[RP9]` names no rule that reads HIP"]
    assert repaired(intel) == QUIET
    both = QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP401, per-lane-block-access]")
    assert len(unused(both)) == 1
    assert unused(both, architectures=("sm_90",)) == unused(both)
    for_the_cuda_build = QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP110]")
    assert unused(for_the_cuda_build) == []


def test_a_header_without_kernels_and_a_comment_with_other_text() -> None:
    assert unused("__device__ float f(float x) { return x; }  // regpress: ignore[RP201]\n") == []
    text = QUIET.replace(ADD, f"{ADD}  // the law of gravity; regpress: ignore[RP201]")
    assert len(unused(text)) == 1
    assert repaired(text) == text


@pytest.mark.slow
def test_a_header_is_judged_with_an_includer_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.h").write_text(QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP105]"))
    assert run_json(capsys, tmp_path / "k.h")["diagnostics"] == []
    (tmp_path / "main.hip").write_text('#include "k.h"\nvoid go(double *x) { square<<<100, 256>>>(x); }\n')
    (found,) = run_json(capsys, tmp_path)["diagnostics"]
    assert (found["code"], found["fix"]["applicability"]) == ("RP002", "unsafe")
    before = (tmp_path / "k.h").read_text()
    run(capsys, "check", "--fix", tmp_path)
    assert (tmp_path / "k.h").read_text() == before


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.hip"
    path.write_text(QUIET.replace(ADD, f"{ADD}  // regpress: ignore[RP201]"))
    (found,) = run_json(capsys, path)["diagnostics"]
    assert (found["code"], found["severity"]) == ("RP002", "info")
    assert run(capsys, "check", "--fix", path).status == 0
    assert path.read_text() == QUIET
