"""Configuration files: where they are found, what they may hold, and who wins."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, codes, run

from regpress_lint.config.load import load
from regpress_lint.config.options import OPTIONS
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.errors import UsageError
from regpress_lint.core.patterns import anchor, matches
from regpress_lint.core.settings import Settings
from regpress_lint.lint.registry import load as load_rules
from regpress_lint.lint.selection import select

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.hip").write_text(HIP)


EVERYTHING = """
arch = ["mi250x", "sm_90"]
select = ["RP2", "volatile-private"]
extend-select = "RP101"
ignore = ["RP202,RP203"]
profile = "strict"
min-severity = "hint"
fail-on = "error"
exclude = ["third_party", "gen/*.cu"]
include-dirs = ["include"]
block-size = 128
low-occupancy = 0.5
block-size-gain = 0.4
max-file-bytes = 1000
semantic = "off"
build-dir = "build"
semantic-seconds = 2.5
output-format = "concise"
cache-dir = "kept"
compilers = ["tools/hipcc", "nvcc"]
baseline = "known.toml"
jobs = 2

[per-file-ignores]
"tests/**" = ["RP201"]

[budgets]
"step*" = ["vgpr<=96", "waves>=4 mi250x"]

[kernel-macros]
"MY_KERNEL(name)" = "__global__ void name"

[launch-functions]
"mesh::cells" = 128

[defines]
MAX_LEN = 1024
DIM_3D = true
DEBUG = false

[severity]
RP4 = "error"
volatile-private = "hint"
"""


def test_every_key(tmp_path: Path) -> None:
    (tmp_path / "regpress.toml").write_text(EVERYTHING)
    found = load(["src/a.hip"])
    assert found.path == str(tmp_path / "regpress.toml")
    assert (found.output_format, found.jobs, found.cache_dir) == ("concise", 2, f"{tmp_path}/kept")
    assert found.compilers == (f"{tmp_path}/tools/hipcc", "nvcc")
    assert found.settings == {
        "architectures": ("gfx90a", "sm_90"),
        "select": ("RP2", "volatile-private"),
        "extend_select": ("RP101",),
        "ignore": ("RP202", "RP203"),
        "profile": "strict",
        "min_severity": Severity.HINT,
        "fail_on": Severity.ERROR,
        "exclude": ("third_party", f"{tmp_path}/gen/*.cu"),
        "include_dirs": (f"{tmp_path}/include",),
        "assumed_block_size": 128,
        "low_occupancy": 0.5,
        "block_size_gain": 0.4,
        "max_file_bytes": 1000,
        "semantic": "off",
        "build_dir": f"{tmp_path}/build",
        "baseline": f"{tmp_path}/known.toml",
        "semantic_seconds": 2.5,
        "per_file_ignores": {f"{tmp_path}/tests/**": ("RP201",)},
        "budgets": {"step*": ("vgpr<=96", "waves>=4 mi250x")},
        "kernel_macros": {"MY_KERNEL(name)": "__global__ void name"},
        "launch_functions": {"mesh::cells": 128},
        "defines": {"MAX_LEN": "1024", "DIM_3D": "1", "DEBUG": None},
        "severities": {"RP4": Severity.ERROR, "volatile-private": Severity.HINT},
    }
    assert set(tomllib.loads(EVERYTHING)) == {option.key for option in OPTIONS}


def test_byte_order_mark_is_not_part_of_a_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_bytes(b'\xef\xbb\xbfarch = "gfx90b"\r\n')
    assert "arch: unknown architecture" in run(capsys, "check", "src").err
    (tmp_path / "regpress.toml").write_bytes('arch = "gfx90a"\n'.encode("utf-16"))
    assert "regpress.toml: it is UTF-16 text; save it as UTF-8\n" in run(capsys, "check", "src").err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("selct = []", 'unknown key "selct", did you mean "select"?'),
        ("select = 201", "select: expected a string or an array of strings, got an integer (201)"),
        ("jobs = true", "jobs: expected an integer from 1 to 1024, got a boolean"),
        ("block-size = 99999", "expected an integer from 1 to 1024"),
        ("low-occupancy = 25", "expected a number from 0 to 1"),
        ("block-size-gain = 25", "expected a number from 0 to 1"),
        ('profile = "strikt"', 'did you mean "strict"?'),
        ("fail-on = 3", "expected one of error, warning, info, hint"),
        ('arch = "gfx90b"', "arch: unknown architecture"),
        ('per-file-ignores = "x"', "expected a table"),
        ('kernel-macros = "x"', "kernel-macros: expected a table"),
        ('kernel-macros = { "a b" = "" }', "kernel-macros: expected the name of a macro"),
        ('defines = ["a b=5"]', 'defines: expected NAME or NAME=VALUE, got "a b" for a name'),
        ('defines = "A=5"', 'defines: expected a table, or an array of NAME=VALUE, got "A=5"'),
        ('launch-functions = { "a b" = 3 }', 'launch-functions: expected the name of a function, got "a b"'),
        ('kernel-macros = { A = "b\\n#define C" }', "kernel-macros: expected what the macro stands for in one line"),
        ('launch-functions = { f = "many" }', "launch-functions: expected an integer from 0 to 1024"),
        ("select = [", "not valid TOML"),
    ],
)
def test_wrong_keys_and_types_name_file_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, expected: str
) -> None:
    (tmp_path / "regpress.toml").write_text(text)
    result = run(capsys, "check", "src")
    assert result.status == 2
    assert result.err.count("\n") == 1
    assert f"{tmp_path}/regpress.toml: " in result.err
    assert expected in result.err


def test_unknown_rule_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text('[per-file-ignores]\n"nothing/*" = ["RP20l"]\n')
    result = run(capsys, "check", "src")
    assert result.status == 2
    assert 'unknown rule "RP20l"' in result.err


def test_the_nearest_file_with_our_section_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.regpress-lint]\nprofile = "strict"\n')
    (tmp_path / "src" / "pyproject.toml").write_text("[tool.black]\nline-length = 1\n")
    assert load(["src/a.hip"]).settings == {"profile": "strict"}
    (tmp_path / "regpress.toml").write_text("block-size = 64\n")
    assert load(["src/a.hip"]).settings == {"assumed_block_size": 64}
    (tmp_path / "src" / "regpress.toml").write_text("")
    assert load(["src/a.hip"]).settings == {}
    assert load(["src/a.hip", "other.hip"]).settings == {"assumed_block_size": 64}


def test_paths_elsewhere_fall_back_to_the_working_folder(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "regpress.toml").write_text("block-size = 64\n")
    assert load([str(tmp_path_factory.mktemp("elsewhere") / "x.hip")]).settings == {"assumed_block_size": 64}


def test_explicit_file_and_isolation(tmp_path: Path) -> None:
    (tmp_path / "regpress.toml").write_text("block-size = 64\n")
    (tmp_path / "other.toml").write_text("block-size = 32\n")
    assert load(["src"], "other.toml").settings == {"assumed_block_size": 32}
    assert load(["src"], isolated=True).settings == {}
    (tmp_path / "pyproject.toml").write_text("")
    with pytest.raises(UsageError, match=r"no \[tool.regpress-lint\] section"):
        load(["src"], "pyproject.toml")


def test_the_command_line_beats_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text('ignore = ["RP201"]\noutput-format = "concise"\n')
    assert run(capsys, "check", "src").status == 0
    assert codes(capsys, "--ignore", "RP401", "src") == ["RP201"]
    assert codes(capsys, "--isolated", "src") == ["RP201"]


def test_per_file_ignores(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.hip").write_text(HIP)
    (tmp_path / "regpress.toml").write_text('[per-file-ignores]\n"src/*.hip" = ["pow-small-exponent"]\n')
    assert "src" not in run(capsys, "check", "--output-format", "concise", ".").out
    assert codes(capsys, ".") == ["RP201"]
    monkeypatch.chdir(tmp_path / "src")
    assert codes(capsys, "a.hip") == []
    assert codes(capsys, "--isolated", "--per-file-ignores", "*.hip:RP2", "a.hip") == []


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("third_party", "/p/a/third_party/x.cu", True),
        ("third_party", "/p/third_party2/x.cu", False),
        ("*.cuh", "/p/deep/x.cuh", True),
        ("src/*.cu", "/p/src/x.cu", True),
        ("src/*.cu", "/p/src/deep/x.cu", False),
        ("src/**/*.cu", "/p/src/deep/er/x.cu", True),
        ("src/**/*.cu", "/p/src/x.cu", True),
        ("src/", "/p/deep/src/x.cu", True),
        ("./src/gen", "/p/src/gen/x.cu", True),
        ("./src/gen", "/q/src/gen/x.cu", False),
        ("[a-c]?.cu", "/p/b1.cu", True),
        ("[!a-c]?.cu", "/p/b1.cu", False),
        ("a.cu", "/p/abcu", False),
        ("**/gen/*.cu", "/q/gen/x.cu", True),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, (anchor(pattern, "/p"),)) is expected


def test_specific_selectors_win() -> None:
    rules = load_rules().rules

    def on(**values: tuple[str, ...]) -> set[str]:
        return {rule.code for rule in select(rules, Settings(**values)).rules}  # type: ignore[arg-type]

    everything = {rule.code for rule in rules}
    assert on() == everything
    assert on(ignore=("ALL",)) & {"RP201", "RP009"} == {"RP009"}
    assert "RP201" in on(ignore=("RP2",), select=("RP201",))
    assert "RP201" not in on(select=("RP2",), ignore=("RP201",))
    assert "RP201" not in on(select=("RP201",), ignore=("pow-small-exponent",))
    assert "RP009" in on(ignore=("RP009",))
    assert select(rules, Settings(select=("RP201",))).explicit == {"RP201"}
    assert select(rules, Settings(select=("RP20",))).explicit == frozenset()


@pytest.mark.parametrize("name", ["regpress_lint", "regpress", "RegPress-Lint"])
def test_a_section_of_another_name_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n[tool.{name}]\narch = ["sm_90"]\n')
    with pytest.raises(UsageError, match=r"the section is called \[tool\.regpress-lint\]"):
        load(["src"])
