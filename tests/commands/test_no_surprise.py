"""What commands do where users expect it: paths of `diff`, lines in a pipe, suggestions, our own name in comments."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run

from regpress_lint.commands.kernels.output import HEAD
from regpress_lint.core.errors import suggestion
from regpress_lint.core.source import Source
from regpress_lint.lint.suppressions import parse

if TYPE_CHECKING:
    from pathlib import Path

LONG = "a_folder_with_a_long_name/and_another_one_below_it/so_that_a_line_of_100_cells_is_too_short_for_it"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(*arguments: str) -> None:
    named = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(("git", *named, *arguments), check=True, capture_output=True)


@pytest.mark.slow
def test_paths_behind_dashes_narrow_a_comparison(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    for name in ("src", "other"):
        (here / name).mkdir()
        (here / name / f"{name}.hip").write_text(HIP.replace("square", name))
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    for name in ("src", "other"):
        (here / name / f"{name}.hip").write_text(HIP.replace("square", name).replace("double *x", "double *x, int k"))
        (here / name / "new.hip").write_text(HIP.replace("square", f"new_{name}"))
    both = run(capsys, "diff", "HEAD").out
    assert ("new_src" in both, "new_other" in both) == (True, True)
    for words in (("HEAD", "--", "src"), ("HEAD", "--threshold", "1", "--", "./src/"), ("HEAD", "HEAD", "--", "src")):
        found = run(capsys, "diff", *words)
        assert "new_other" not in found.out
        assert ("new_src" in found.out) is (words[1] != "HEAD")
        assert found.status == 0
    assert "new_other" in run(capsys, "diff", "--", "HEAD").out  # only the end of the options
    gone = run(capsys, "diff", "HEAD", "--", "nowhere")
    assert (gone.status, 'no such file or folder in this comparison: "nowhere"' in gone.err) == (2, True)


def test_a_kernel_is_one_line_in_a_pipe(here: Path) -> None:
    (here / LONG).mkdir(parents=True)
    (here / LONG / "a.hip").write_text(HIP)
    command = [sys.executable, "-m", "regpress_lint", "kernels", "--isolated", "--no-cache", "."]
    given = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    lines = subprocess.run(command, capture_output=True, text=True, check=True, env=given).stdout.splitlines()
    (line,) = (each for each in lines if "square" in each)
    assert "gfx90a" in line
    assert "waves" in lines[0] or "registers" in lines[0]


def test_kernels_as_csv(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "a.hip").write_text(HIP)
    result = run(
        capsys, "kernels", "--isolated", "--no-cache", "--arch", "gfx90a,sm_90", "--output-format", "csv", "a.hip"
    )
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert tuple(rows[0]) == HEAD
    assert [(row["kernel"], row["path"], row["line"], row["target"]) for row in rows] == [
        ("square", "a.hip", "2", "gfx90a"),
        ("square", "a.hip", "2", "sm_90"),
    ]
    assert all(int(row["low"]) <= int(row["registers"]) <= int(row["high"]) for row in rows)
    assert {row["block_size"] for row in rows} == {"256"}


@pytest.mark.parametrize("word", ["regpress", "regpress-lint"])
def test_a_comment_may_name_us_as_the_program_is_called(
    capsys: pytest.CaptureFixture[str], here: Path, word: str
) -> None:
    (here / "a.hip").write_text(HIP.replace("2.0);", f"2.0);  // {word}: ignore[RP201] as on the CPU"))
    assert "RP201" not in run(capsys, "check", "--isolated", "--no-cache", "a.hip").out
    found = parse(Source("a.hip", f"// {word}: ignroe[RP201]\n".encode()))
    assert found.entries == ()
    assert "unknown order" in found.warnings[0]


@pytest.mark.parametrize(
    ("word", "choices", "meant"),
    [
        ("nope.cu", ("bin.cu", "main.cu", "CMakeLists.txt"), ""),
        ("mian.cu", ("bin.cu", "main.cu"), "main.cu"),
        ("step.cu", ("step.hip", "steps.cu"), "steps.cu"),
        ("RP999", ("RP901", "RP905", "RP201"), ""),
        ("RP209", ("RP905", "RP201"), "RP201"),
        ("rp20l", ("RP201", "RP905"), "RP201"),
        ("gfx90", ("gfx90a", "sm_90"), "gfx90a"),
        ("pow-small-exponnt", ("pow-small-exponent",), "pow-small-exponent"),
    ],
)
def test_suggestion_is_the_intended_word(word: str, choices: tuple[str, ...], meant: str) -> None:
    assert suggestion(word, choices) == (f', did you mean "{meant}"?' if meant else "")


def test_impossible_launch_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "occupancy", "--arch", "sm_90", "--registers", "600")
    assert result.status == 2
    assert (result.out + result.err).count("the launch cannot work") == 1
    as_json = run(capsys, "occupancy", "--arch", "sm_90", "--registers", "600", "--output-format", "json")
    assert as_json.err.count("the launch cannot work") == 1


def test_folders_and_files_without_kernels_are_distinguished(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """A folder with nothing to lint is a mistake; a file named on the command line, as by a hook, may be empty."""
    (here / "texts").mkdir()
    (here / "empty").mkdir()
    (here / "empty" / "a.cu").write_text("")
    for command in ("check", "kernels"):
        assert [run(capsys, command, "--isolated", path).status for path in ("texts", "empty", "empty/a.cu")] == [
            2,
            2,
            0,
        ]


@pytest.mark.parametrize(
    ("declared", "said"), [("unsigned *slot[32]", "32 x unsigned *"), ("const double *slot[32]", "32 x double *")]
)
def test_an_array_of_pointers_is_called_one(
    capsys: pytest.CaptureFixture[str], here: Path, declared: str, said: str
) -> None:
    element = declared.partition("*")[0]
    (here / "a.cu").write_text(
        f"__global__ void k({element}**p, unsigned *out, int n) {{\n  {declared};\n"
        "  for (int i = 0; i < 32; ++i) slot[i] = p[i];\n  for (int i = 0; i < n; ++i) out[i] = *slot[i & 31];\n}\n"
    )
    found = run(capsys, "check", "--isolated", "--no-cache", "--min-severity", "hint", "a.cu").out
    lines = [line for line in found.splitlines() if "`slot`" in line and " x " in line]
    assert lines
    assert all(said in line for line in lines)


def test_an_include_folder_that_is_not_read_is_said(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    for name in ("project/inside", "outside"):
        (here / name).mkdir(parents=True)
        (here / name / "size.h").write_text("#define N 4\n")
    (here / "project" / "a.hip").write_text(HIP)
    result = run(capsys, "kernels", "project", "-I", "none")
    assert result.err.startswith(f"regpress-lint: warning: -I {here}/none: there is no such folder")
    for folder in ("project/inside", "outside"):
        assert not run(capsys, "kernels", "project", "-I", folder).err
    (here / "project" / "regpress.toml").write_text('include-dirs = ["../outside"]\n')
    outside = f"{here}/outside (include-dirs) is outside of the project ({here}/project)"
    assert run(capsys, "kernels", "project").err.startswith(f"regpress-lint: warning: {outside}")


def test_an_include_folder_outside_is_read_when_the_user_names_it(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    """From where the project lies and from elsewhere, and again when the header has changed meanwhile."""
    for folder in ("project", "library/include/deep"):
        (here / folder).mkdir(parents=True)
    size = here / "library" / "include" / "deep" / "size.h"
    (here / "project" / "a.cu").write_text(
        "#include <deep/size.h>\n__global__ void k(int *p, int n) {\n  int a[N];\n"
        "  for (int i = 0; i < N; ++i) a[i] = p[i];\n  p[0] = a[n];\n}\n"
    )

    def scratch(*paths: str) -> int | None:
        found = run(capsys, "kernels", *paths, "--cache-dir", str(here / "cache"), "--output-format", "json").out
        scratch: int | None = json.loads(found)["kernels"][0]["targets"]["sm_90"]["scratch_bytes"]
        return scratch

    for count in (100, 200):
        size.write_text(f"#define N {count}\n")
        assert scratch("project", "-I", "library/include") == 4 * count
        assert scratch(str(here / "project"), "-I", str(here / "library" / "include")) == 4 * count
    assert scratch("project") != 800
