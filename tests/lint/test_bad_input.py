"""Arbitrary bytes in a file give a diagnostic or nothing, never a traceback or a hang, and never affect other files."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, ROOT, codes, process, run, run_json

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = HIP.encode()
BODY = b"__global__ void k(double *x) { x[0] = pow(x[0], 2.0); }\n"
HOSTILE = {
    "invalid UTF-8": b"// \xff\xfe\x80\n" + KERNEL,
    "NUL bytes": b"// \0\0\n" + KERNEL.replace(b"int i", b"\0int i"),
    "UTF-16": KERNEL.decode().encode("utf-16"),
    "empty": b"",
    "only a BOM": b"\xef\xbb\xbf",
    "only a marker": b"__global__",
    "unterminated comment": KERNEL + b"/* no end",
    "unterminated string": KERNEL + b'const char *s = "no end',
    "unterminated raw string": KERNEL + b'const char *s = R"x(no end',
    "nested braces": b"__global__ void k() " + b"{" * 10_000 + b"}" * 10_000,
    "open braces": b"__global__ void k() " + b"{" * 10_000,
    "nested parentheses": b"__global__ void k(int *x) { x[0] = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b"; }",
    "long sum": b"__global__ void k(int *x) { x[0] = " + b"+".join([b"1"] * 5_000) + b"; }",
    "nested templates": b"__global__ void k() { " + b"A<" * 5_000 + b" x; }",
    "launches without end": b"__global__ void k();" + b"k<<<" * 5_000,
    "conditionals without end": BODY + b"#if A\n" * 5_000,
    "template without end": b"template <class T, int N> struct Chain { Chain<Chain<T, N>, N + 1> next; T value; };\n"
    b"__global__ void k(Chain<float, 1> *p, float *o) { o[0] = p->value; }",
    "member type without end": b"template <class T, int N> struct Chain {"
    b" using type = typename Chain<Chain<T, N>, N>::type; type value; };\n"
    b"__global__ void k(Chain<float, 1> *p, float *o) { o[0] = p->value; }",
    "macro cycle": b"#define A B\n#define B A\n" + BODY.replace(b"2.0", b"A"),
    "one long line": b"__global__ void k(int *x) {" + b" x[0] += 1;" * 1_000 + b"}",
    "carriage returns only": KERNEL.replace(b"\n", b"\r"),
    "backslash at the end": KERNEL + b"\\",
    "includes itself": b'#include "a.hip"\n' + BODY,
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_end_in_a_report(name: str) -> None:
    report = lint_bytes(HOSTILE[name], "a.hip", Settings(profile="strict", architectures=("gfx90a", "sm_90", "pvc")))
    assert [d.message for d in report.diagnostics if d.code == "RP009"] == []


@pytest.mark.parametrize(  # what reads them is the same, and each is checked by itself above
    ("command", "every"), [("check", 4), pytest.param("check", 1, marks=pytest.mark.slow), ("kernels", 4)]
)
def test_hostile_files_do_not_disturb_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, every: int
) -> None:
    for index, data in enumerate([*HOSTILE.values()][::every]):
        (tmp_path / f"h{index:02}.hip").write_bytes(data)
    (tmp_path / "zz.hip").write_text(HIP)
    result = run(capsys, command, ".")
    assert "Traceback" not in result.err
    assert "zz.hip" in result.out
    assert result.status in (0, 1)


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_line_endings_and_byte_order_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], prefix: bytes, ending: bytes
) -> None:
    (tmp_path / "a.hip").write_bytes(prefix + KERNEL.replace(b"\n", ending))
    (found,) = run_json(capsys, "a.hip")["diagnostics"]
    assert found["start"]["line"] == 4
    assert found["start"]["column"] == HIP.splitlines()[3].index("pow") + 1
    run(capsys, "check", "--fix", "--unsafe-fixes", "a.hip")
    fixed = (tmp_path / "a.hip").read_bytes()
    assert fixed == prefix + KERNEL.replace(b"pow(x[i], 2.0)", b"x[i] * x[i]").replace(b"\n", ending)


@pytest.mark.slow
def test_a_large_file_is_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "big.hip").open("wb") as stream:
        stream.write(KERNEL)
        stream.truncate(50 * 1024 * 1024)
    (tmp_path / "a.hip").write_text(HIP)
    result = run(capsys, "check", "--output-format", "concise", ".")
    assert result.status == 1
    assert "a.hip:4:" in result.out
    assert "warning: big.hip: not linted, 52,428,800 bytes are more than the 4,194,304" in result.err
    assert run(capsys, "kernels", ".").status == 0
    nothing = run(capsys, "check", "--max-file-bytes", "10", ".")
    assert nothing.status == 2
    assert "a.hip: not linted" in nothing.err
    assert "nothing was linted: all files with GPU code were left out" in nothing.err


def test_standard_input_above_the_limit_fails(tmp_path: Path) -> None:
    result = process("check", "-", "--max-file-bytes", "100", cwd=tmp_path, stdin=KERNEL)
    assert result.returncode == 2
    assert b"not linted" in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    (tmp_path / "secret.hip").write_text(HIP)
    (tmp_path / "secret.hip").chmod(0)
    result = run(capsys, "check", ".")
    assert result.status == 2
    assert 'cannot read "secret.hip": permission denied' in result.err
    assert "a.hip" in result.out


def test_a_file_that_fails_to_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from regpress_lint.lint import work

    original = work.read_file

    def read(path: str, limit: int) -> bytes | int:
        if path == "bad.hip":
            raise PermissionError(13, "Permission denied", path)
        return original(path, limit)

    monkeypatch.setattr(work, "read_file", read)
    (tmp_path / "a.hip").write_text(HIP)
    (tmp_path / "bad.hip").write_text(HIP)
    result = run(capsys, "check", ".")
    assert (result.status, result.err) == (2, 'regpress-lint: error: cannot read "bad.hip": permission denied\n')
    assert "a.hip" in result.out


def test_irregular_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    (tmp_path / "folder.hip").mkdir()
    os.mkfifo(tmp_path / "pipe.hip")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.hip")
        result = run(capsys, "check", ".")
    assert result.status == 2
    assert result.err.count("not a regular file") == 2
    assert "a.hip" in result.out
    assert "dangling" not in run(capsys, "check", "a.hip").err


def test_included_pipe_does_not_hang(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.h")
    (tmp_path / "a.hip").write_text('#include "pipe.h"\n' + HIP)
    assert codes(capsys, "a.hip") == ["RP201"]


@pytest.mark.parametrize("name", ["two\nlines.hip", "-dash.hip", "blank s.hip", "per%cent,colon:.hip"])
def test_hostile_names(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / name).write_text(HIP)
    for form in ("full", "concise", "json", "github", "sarif"):
        result = run(capsys, "check", "--output-format", form, ".")
        assert (result.status, result.err.count("Traceback")) == (1, 0), form


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.hip", "wb") as stream:
        stream.write(KERNEL)
    forms = ("full", "concise", "json", "github", "sarif")
    assert in_one_process([["check", "--output-format", form, "."] for form in forms], tmp_path) == [1] * len(forms)


def in_one_process(runs: list[list[str]], folder: Path) -> list[int]:
    """Exit statuses of runs whose output no stream of a test can take."""
    code = f"import sys; from regpress_lint.__main__ import main; sys.exit(''.join(str(main(run)) for run in {runs!r}))"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**kept, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "rules")))},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return [int(digit) for digit in done.stderr.decode(errors="replace").split()[-1]]


def test_a_path_with_a_nul_byte(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "a\0b.hip").status == 2


def test_unparsed_kernel_is_named_and_the_others_are_linted() -> None:
    lost = b"__global__ void lost(int *x) { " + b"{" * 10_000 + b"}" * 10_000 + b" }\n"
    found = [(d.code, d.location.start.line) for d in lint_bytes(BODY + lost, "a.hip", Settings()).diagnostics]
    assert ("RP001", 2) in found
    assert ("RP201", 1) in found


@pytest.mark.parametrize(
    "text",
    [
        b"__global__ void k(int *x);\n",
        b"// __global__ void k() {\n",
        b"extern template __global__ void k<int>(int *);\n",
    ],
)
def test_prototypes_and_comments_are_not_lost_kernels(text: bytes) -> None:
    assert not lint_bytes(BODY.replace(b"2.0", b"9.5") + text, "a.hip", Settings()).diagnostics


UNREAD = {
    "wide.hip": (KERNEL.decode().encode("utf-16"), "it is UTF-16 text; save it as UTF-8"),
    "old.hip": (KERNEL.replace(b"\n", b"\r"), "its lines end in CR alone; convert them to LF"),
    "object.cu": (bytes(range(256)), "it is binary data, not text"),
}


@pytest.mark.parametrize("command", [("check",), ("kernels",), ("kernels", "--advise"), ("pressure",), ("verify",)])
@pytest.mark.parametrize("name", UNREAD)
def test_unreadable_named_file_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], name: str
) -> None:
    data, why = UNREAD[name]
    (tmp_path / name).write_bytes(data)
    result = run(capsys, *command, name)
    assert (result.status, result.err) == (2, f'regpress-lint: error: "{name}" cannot be read: {why}\n')


@pytest.mark.parametrize("name", UNREAD)
def test_unreadable_standard_input_is_wrong_use(tmp_path: Path, name: str) -> None:
    data, why = UNREAD[name]
    done = process("check", "-", "--stdin-filename", name, cwd=tmp_path, stdin=data)
    assert (done.returncode, done.stderr) == (2, f'regpress-lint: error: "{name}" cannot be read: {why}\n'.encode())
    (tmp_path / "regpress.toml").write_text(f'exclude = ["{name}"]\n')
    excluded = process("check", "-", "--force-exclude", "--stdin-filename", name, cwd=tmp_path, stdin=data)
    assert (excluded.returncode, excluded.stderr) == (0, b"")


def test_unreadable_found_file_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    for name, (data, _) in UNREAD.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "resource.h").write_bytes("#define IDI_ICON 1\n".encode("utf-16"))  # what a host program has
    found = {each["path"]: each for each in run_json(capsys, ".")["diagnostics"]}
    assert {path: each["code"] for path, each in found.items()} == {"a.hip": "RP201"} | dict.fromkeys(UNREAD, "RP001")
    for name, (_, why) in UNREAD.items():
        assert (found[name]["severity"], found[name]["message"]) == ("info", f"the file was not linted: {why}")
    said = run(capsys, "check", "--ignore", "RP201", "--output-format", "concise", ".")
    assert said.status == 0
    assert all(f"{name}:1:1: " in said.out for name in UNREAD)
    without = run(capsys, "check", "--ignore", "RP001", ".").err
    assert without.count(": not linted, ") == len(UNREAD)  # still not without a word
    assert run(capsys, "check", "resource.h").status == 0


def test_unreadable_file_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, (data, _) in UNREAD.items():
        (tmp_path / name).write_bytes(data)
    result = run(capsys, "check", "--add-ignore", "known", ".")
    assert "silenced" not in result.err
    assert result.out.count("the file was not linted") == len(UNREAD)
    run(capsys, "check", "--fix", "--unsafe-fixes", ".")
    assert {name: (tmp_path / name).read_bytes() for name in UNREAD} == {
        name: data for name, (data, _) in UNREAD.items()
    }


def test_pressure_of_another_kind_of_file_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "README.md").write_text("# Kernels\n")
    said = (
        'regpress-lint: error: "README.md" contains no HIP, CUDA, SYCL or OpenCL code and has none of their file names '
    )
    assert run(capsys, "pressure", "README.md") == (2, "", said + "(.cu, .hip, .cl, .cpp, .h, ...)\n")


@pytest.mark.parametrize(
    "launch",
    [
        "k<<<1, 1e999>>>(a);",
        "k<<<1, dim3(1e999, 2)>>>(a);",
        "k<<<1, 64, 1e999>>>(a);",
        "k<<<FAR, -FAR>>>(a);",
        "k<<<1, ENDLESS>>>(a);",
        "hipLaunchKernelGGL(k, dim3(1), dim3(1e999 * 2), 1e999, 0, a);",
    ],
)
def test_a_launch_of_infinitely_many_threads_is_read(launch: str) -> None:
    before = "#include <hip/hip_runtime.h>\n#define FAR 1e999\nconst double ENDLESS = 1e999;\n"
    text = f"{before}__global__ void k(float* a) {{ a[threadIdx.x] = 1; }}\nvoid run(float* a) {{ {launch} }}\n"
    report = lint_bytes(text.encode(), "a.hip", Settings())
    assert not [each for each in report.diagnostics if each.code == "RP009"]
