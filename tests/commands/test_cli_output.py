"""Where the output goes wrong: full disks, closed pipes, flags and environment that are not numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_helpers import CUDA, HIP, ROOT, run

FULL = Path("/dev/full")
COMMANDS = (
    ["check", "a.hip"],
    ["kernels", "a.hip"],
    ["pressure", "a.hip"],
    ["occupancy", "--arch", "gfx90a", "--registers", "100"],
    ["targets"],
    ["--help"],
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP)


def started(arguments: list[str], stdout: int, stderr: int, buffered: str) -> subprocess.Popen[bytes]:
    """The command line as its own process; `buffered` is PYTHONUNBUFFERED."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}", "PYTHONUNBUFFERED": buffered}
    command = [sys.executable, "-m", "regpress_lint", *arguments]
    return subprocess.Popen(command, stdout=stdout, stderr=stderr, env=environment)


by_command = pytest.mark.parametrize(
    ("arguments", "buffered"),
    [
        *(pytest.param(each, "", id=each[0], marks=pytest.mark.slow if n else ()) for n, each in enumerate(COMMANDS)),
        pytest.param(COMMANDS[0], "1", id="unbuffered"),
    ],
)


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
@by_command
def test_a_full_disk_is_one_line(arguments: list[str], buffered: str) -> None:
    with FULL.open("wb") as full:
        process = started(arguments, full.fileno(), subprocess.PIPE, buffered)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said.startswith(b"regpress-lint: error: cannot write the output: no space left on device; ")
    assert said.count(b"\n") == 1


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
def test_both_streams_on_a_full_disk() -> None:
    with FULL.open("wb") as full:
        process = started(["targets"], full.fileno(), full.fileno(), "")
        assert process.wait(timeout=60) == 2


@by_command
def test_a_closed_pipe_is_silent(arguments: list[str], buffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = started(arguments, writer, subprocess.PIPE, buffered)
    os.close(writer)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (141, b"")


NINES = "9" * 5000


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-j", NINES], f'-j: expected an integer from 1 to 1024, got "{NINES[:37]}..."'),
        (["--jobs=-" + NINES], "-j: expected an integer from 1 to 1024, got"),
        (["--jobs=--1"], '-j: expected an integer from 1 to 1024, got "--1"'),
        (["--block-size", "²"], '--block-size: expected an integer from 1 to 1024, got "²"'),
        (["--block-size", "abc"], '--block-size: expected an integer from 1 to 1024, got "abc"'),
        (["--max-file-bytes", "0"], '--max-file-bytes: expected an integer from 1 to 1073741824, got "0"'),
        (["--low-occupancy", "2"], '--low-occupancy: expected a number from 0 to 1, got "2"'),
        (["--low-occupancy", NINES], "--low-occupancy: expected a number from 0 to 1, got"),
        (["--fail-on", "eror"], 'warning, info, hint, got "eror", did you mean "error"?'),
    ],
)
def test_wrong_flags(capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str) -> None:
    result = run(capsys, "check", *arguments, "a.hip")
    assert result.status == 2
    assert expected in result.err
    assert result.err.count("\n") == 1
    assert len(result.err) < 200


def test_the_largest_numbers_of_flags_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "-j", "1024", "--max-file-bytes", "1073741824", "--exit-zero", "a.hip").status == 0


def test_a_number_of_a_file_that_python_would_not_print(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text(f"block-size = 0x{'f' * 5000}\n")
    result = run(capsys, "check", "a.hip")
    assert result.status == 2
    assert "block-size: expected an integer from 1 to 1024, got an integer\n" in result.err


@pytest.mark.parametrize("columns", ["²", "", "abc", "-5", "9" * 5000, "60"])
def test_help_for_any_width(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str) -> None:
    from regpress_lint.__main__ import main

    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    widest = max(map(len, capsys.readouterr().out.splitlines()))
    assert widest <= (60 if columns == "60" else 110)


LIMITED = """#include <sycl/sycl.hpp>
void run(sycl::queue &q, float *x, int n) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> s(16384, h);
    h.parallel_for<class Big>(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { s[0] = x[0]; });
  });
}
"""


def test_kernels_speak_as_the_calculator(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b.cpp").write_text(LIMITED)
    monkeypatch.setenv("COLUMNS", "160")
    head, row = run(capsys, "kernels", "b.cpp").out.splitlines()
    column = {name: head.index(name) for name in ("limited by", "next step")}
    assert row[column["limited by"] :].startswith("SLM  ")
    assert row[column["next step"] :] == "SLM 32768 bytes -> 1 hardware thread"
    assert "  0.5 of 8  " in row
    (free,) = run(capsys, "kernels", "a.hip").out.splitlines()[1:]
    assert free.endswith("wave slots")
    (tmp_path / "a.cu").write_text(CUDA)
    assert run(capsys, "kernels", "a.cu").out.splitlines()[1].endswith("warp slots")
    mixed = run(capsys, "kernels", "a.hip", "a.cu").out
    assert "waves/SIMD" in mixed
    assert "a wave is a warp on NVIDIA" in mixed


UNKNOWN = "".join(f"__global__ void k{number}(float* a) {{ a[0] = seen_nowhere(a); }}\n" for number in range(8))


def test_of_many_kernels_that_are_not_known_whole_some_are_shown_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cu"
    path.write_text(UNKNOWN)
    out = run(capsys, "check", path).out
    assert out.count("info[RP001") == 5
    assert "3 more of RP001" in out
    assert "Found 8 info" in out
    assert run(capsys, "check", "--select", "RP001", path).out.count("info[RP001") == 8
    assert run(capsys, "check", "--output-format", "full", path).out.count("info[RP001") == 8
    assert run(capsys, "check", "--output-format", "concise", path).out.count("RP001") == 8


def test_places_of_an_included_body_are_shown_in_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "body.inc").write_text(
        "  float t[40];\n  for (int i = 0; i < n; ++i) t[i % 40] = a[i];\n"
        "  for (int i = 0; i < n; ++i) a[i] = t[i * 3 % 40];\n"
    )
    kernels = (f'__global__ void {name}(float* a, int n) {{\n#include "body.inc"\n}}\n' for name in ("one", "two"))
    (tmp_path / "a.cu").write_text("".join(kernels))
    out = run(capsys, "check", "--no-cache", tmp_path / "a.cu").out
    assert out.count("RP403") == 2, "one finding, and where it is explained"
    assert "the same holds for `two`" in out
    places = out[out.index("body.inc:1:9") :]
    assert places.index("t[i % 40] =") < places.index("indexed at run time here") < places.index("t[i * 3 % 40];")
