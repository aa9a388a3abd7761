"""Runs with a cache say what runs without one say, and do nothing twice."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cache_helpers import FLAGS, counted, looked_at, with_a_cache, write
from cli_helpers import CUDA, HIP, process, run
from corpus import drawn

from regpress_lint import lint_bytes
from regpress_lint.lint import cache_validation, pipeline

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Report


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return with_a_cache(monkeypatch, tmp_path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return counted(monkeypatch)


FILES = {
    "src/a.cu": '#include "size.h"\n' + CUDA.replace("double *x", "double *x, int (&t)[SIZE]"),
    "src/b.cu": CUDA,
    "src/deep/c.cu": '#include "../size.h"\n' + CUDA,
    "src/size.h": "#define SIZE 4\n",
    "src/other.h": "#define OTHER 4\n",
    "src/plain.cpp": "int main() {}\n",
}


def test_nothing_is_done_twice(cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write(FILES)
    first = run(capsys, "check", "src")
    assert looked_at(asked) == sorted(FILES)
    assert run(capsys, "check", "src") == first
    assert looked_at(asked) == []
    assert run(capsys, "check", "--no-cache", "src") == first
    assert looked_at(asked) == sorted(FILES)
    rows = run(capsys, "kernels", "src")
    assert looked_at(asked) == sorted(FILES)
    assert run(capsys, "kernels", "src") == rows
    assert looked_at(asked) == []


@pytest.mark.parametrize("header", ["torch/extension.h", "Eigen/Dense", "glm/glm.hpp", "cuComplex.h"])
def test_a_file_that_reads_a_header_of_our_own_is_kept(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str], header: str
) -> None:
    write({"a.cu": f"#include <{header}>\n{CUDA}"})
    first = run(capsys, "check", ".")
    assert looked_at(asked) == ["a.cu"]
    assert run(capsys, "check", ".") == first
    assert looked_at(asked) == []


@pytest.mark.slow
def test_an_edit_is_seen_by_the_files_that_saw_the_file(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(FILES)
    run(capsys, "check", "src")
    looked_at(asked)
    for edited, affected in (
        ("src/size.h", ["src/a.cu", "src/deep/c.cu", "src/size.h"]),
        ("src/other.h", ["src/other.h"]),
        ("src/plain.cpp", ["src/plain.cpp"]),
        ("src/b.cu", ["src/b.cu"]),
    ):
        path = Path(edited)
        path.write_text(path.read_text() + "// more\n")
        run(capsys, "check", "src")
        assert looked_at(asked) == affected, edited
        run(capsys, "check", "src")
        assert looked_at(asked) == [], edited


def test_an_earlier_state_is_still_known(cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    write(FILES)
    before = run(capsys, "check", "src")
    Path("src/size.h").write_text("#define SIZE 5\n")
    run(capsys, "check", "src")
    looked_at(asked)
    write(FILES)
    assert run(capsys, "check", "src") == before
    assert looked_at(asked) == []


def test_a_header_that_appears_where_it_was_looked_for_is_seen(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write({**FILES, "src/d.cu": '#include "late.h"\n' + CUDA})
    run(capsys, "check", "src")
    looked_at(asked)
    write({"src/late.h": "#define square other\n"})
    result = run(capsys, "check", "src", "--output-format", "concise")
    assert {"src/d.cu", "src/late.h"} <= set(looked_at(asked))
    assert result == run(capsys, "check", "src", "--output-format", "concise", "--no-cache")


@pytest.mark.parametrize(
    "flags",
    [("--arch", "gfx906"), ("--profile", "strict"), ("--select", "RP201"), ("--block-size", "64"), ("-I", "src")],
)
def test_settings_that_affect_findings_have_separate_answers(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str], flags: tuple[str, str]
) -> None:
    write(FILES)
    run(capsys, "check", "src")
    looked_at(asked)
    result = run(capsys, "check", "src", *flags)
    assert looked_at(asked) == sorted(FILES)
    assert result == run(capsys, "check", "src", "--no-cache", *flags)


@pytest.mark.parametrize("flags", [("--fail-on", "error"), ("--output-format", "json"), ("-v",), ("--exit-zero",)])
def test_output_settings_share_answers(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    write(FILES)
    run(capsys, "check", "src")
    looked_at(asked)
    result = run(capsys, "check", "src", *flags)
    assert looked_at(asked) == []
    assert result == run(capsys, "check", "src", "--no-cache", *flags)


@pytest.mark.parametrize("name", drawn(["full", "json", "github", "concise", "sarif"], 2))
def test_every_format_is_the_same_from_the_cache(cached: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    write({"a.hip": HIP, "b.cu": CUDA + "// regpress: ignore[RP999] nothing\n", "c.cpp": "int x;\n"})
    flags = ("--output-format", name, *FLAGS, ".")
    cold = run(capsys, "check", "--no-cache", *flags)
    assert run(capsys, "check", *flags) == cold
    assert run(capsys, "check", *flags) == cold
    if name in ("full", "json"):
        assert run(capsys, "check", "--statistics", *flags) == run(
            capsys, "check", "--statistics", "--no-cache", *flags
        )


@pytest.mark.parametrize("name", ["text", "json"])
def test_kernels_are_the_same_from_the_cache(cached: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = CUDA + "template <int N> __global__ void t(float *x) { x[0] = N; }\nvoid f() { t<1><<<1, 8>>>(0); }\n"
    write({"a.hip": HIP, "b.cu": text, "c.cpp": "int x;\n"})
    flags = ("--output-format", name, "--arch", "gfx90a,sm_90,pvc", ".")
    cold = run(capsys, "kernels", "--no-cache", *flags)
    assert run(capsys, "kernels", *flags) == cold
    assert run(capsys, "kernels", *flags) == cold


@pytest.mark.slow
def test_fixes_are_the_same_from_the_cache(cached: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"a.hip": HIP})
    run(capsys, "check", "a.hip")
    unsafe = ("--unsafe-fixes", "a.hip")
    diff = run(capsys, "check", "--diff", *unsafe)
    assert diff == run(capsys, "check", "--diff", "--no-cache", *unsafe)
    fixed = run(capsys, "check", "--fix", *unsafe)
    after = Path("a.hip").read_text()
    assert "pow" not in after
    write({"a.hip": HIP})
    assert run(capsys, "check", "--fix", "--no-cache", *unsafe) == fixed
    assert Path("a.hip").read_text() == after
    assert run(capsys, "check", "a.hip") == run(capsys, "check", "--no-cache", "a.hip")


def test_failures_are_retried(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    write({"a.hip": HIP})
    with monkeypatch.context() as patched:
        patched.setattr("regpress_lint.program.build_file", fail)
        assert run(capsys, "check", "a.hip").status == 2
        assert run(capsys, "kernels", "a.hip").status == 2
    looked_at(asked)
    assert run(capsys, "check", "a.hip").status == 1
    assert run(capsys, "kernels", "a.hip").status == 0
    assert looked_at(asked) == ["a.hip", "a.hip"]


@pytest.mark.slow
def test_a_worker_that_dies_keeps_nothing_from_the_cache_but_its_own_file(
    cached: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = lint_bytes

    def deadly(data: bytes, path: str, *rest: Any, **named: Any) -> Report:
        if path == "b.hip":
            os.kill(os.getpid(), signal.SIGKILL)
        report: Report = original(data, path, *rest, **named)
        return report

    write({f"{name}.hip": HIP for name in "abcd"})
    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "lint_bytes", deadly)
        result = run(capsys, "check", "-j", "2", "--output-format", "concise", ".")
    assert (result.status, result.out.count("RP201"), result.out.count("RP009")) == (2, 3, 1)
    asked = counted(monkeypatch)
    run(capsys, "check", ".")
    assert looked_at(asked) == ["b.hip"]


def test_a_file_that_changes_while_it_is_looked_at_is_looked_at_again(
    cached: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(FILES)
    original = lint_bytes

    def meanwhile(data: bytes, path: str, *rest: Any, **named: Any) -> Report:
        report = original(data, path, *rest, **named)
        if path == "src/a.cu":
            Path("src/size.h").write_text("#define SIZE 400\n")
            Path("src/b.cu").write_text('#include "a.cu"\n')
        return report

    monkeypatch.setattr(pipeline, "lint_bytes", meanwhile)
    run(capsys, "check", "src")
    monkeypatch.setattr(pipeline, "lint_bytes", original)
    flags = ("--output-format", "json", *FLAGS, "src")
    assert run(capsys, "check", *flags) == run(capsys, "check", "--no-cache", *flags)


def test_a_file_that_only_looks_new_is_read_once_more_and_then_known(
    cached: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `git checkout` there and back: what it says is the same, its time is not."""
    monkeypatch.setattr(cache_validation, "_RACY_NS", -1)
    write({"a.cu": CUDA})
    run(capsys, "check", ".")
    os.utime("a.cu", ns=(1, 1))
    read: list[str] = []
    original = cache_validation.Digests._read
    monkeypatch.setattr(
        cache_validation.Digests,
        "_read",
        lambda self, path: read.append(path) or original(self, path),  # type: ignore[func-returns-value]
    )
    for expected in (["a.cu"], []):
        read.clear()
        run(capsys, "check", ".")
        assert [os.path.relpath(path) for path in read] == expected


@pytest.mark.slow
def test_workers_and_several_processes_share_a_cache(cached: Path, tmp_path: Path) -> None:
    write({f"k{number}.hip": HIP for number in range(6)})
    xdg = str(tmp_path / "xdg")
    cold = process("check", "--no-cache", "-j", "1", ".", cwd=cached)
    for jobs in ("2", "1", "2"):
        result = process("check", "-j", jobs, ".", cwd=cached, REGPRESS_LINT_NO_CACHE="", XDG_CACHE_HOME=xdg)
        assert (result.returncode, result.stdout, result.stderr) == (cold.returncode, cold.stdout, cold.stderr)


@pytest.mark.slow
def test_a_damaged_cache_is_a_cold_one(cached: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(FILES)
    cold = run(capsys, "check", "src")
    (pack,) = (tmp_path / "xdg" / "regpress-lint").glob("*.pack")
    whole = pack.read_bytes()
    for data in (whole[: len(whole) // 2], whole[:-3], b"", b"\x80\x04garbage", whole.replace(b"RP201", b"RP20\xff")):
        pack.write_bytes(data)
        assert run(capsys, "check", "src") == cold
        assert run(capsys, "check", "src") == cold


def commands(cached: Path, *flags: str) -> None:
    """Compile commands for two of the files."""
    entries = [
        {"directory": str(cached), "file": name, "arguments": ["nvcc", *own, "-c", name]}
        for name, own in (("src/a.cu", flags), ("src/b.cu", ()))
    ]
    Path("compile_commands.json").write_text(json.dumps(entries))


def test_an_edit_of_the_compile_commands_is_seen_by_the_files_that_they_are_for(
    cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    body = "__global__ void k(double *x) { double t[SIZE]; t[int(x[0])] = 1; x[1] = t[2]; }\n"
    write({"src/a.cu": "#include <cuda_runtime.h>\n" + body, "src/b.cu": CUDA, "lib/size.h": "#define SIZE 300\n"})
    run_flags = ("--semantic", "off", "--output-format", "json", "src")
    seen = []
    for flags, affected in (
        (("-DSIZE=8",), ["src/a.cu", "src/b.cu"]),
        (("-DSIZE=8",), []),
        (("-DSIZE=300",), ["src/a.cu"]),
        (("-include", "lib/size.h"), ["src/a.cu"]),
        (("-DSIZE=8",), []),
    ):
        commands(cached, *flags)
        warm = run(capsys, "kernels", *run_flags)
        assert looked_at(asked) == affected, flags
        assert warm == run(capsys, "kernels", "--no-cache", *run_flags)
        seen.append(warm.out)
        looked_at(asked)
    assert seen[0] == seen[1] == seen[4]
    assert len(set(seen)) > 1


def test_questions_to_libclang_are_repeated(cached: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("clang.cindex")
    write({"a.cu": "#include <cuda_runtime.h>\n__global__ void k(Unknown *x) { Unknown t = *x; x[1] = t; }\n"})
    for _ in range(2):
        first = run(capsys, "kernels", "--semantic", "on", "a.cu")
        assert looked_at(asked) == ["a.cu"]
    assert first.status == 0


# ------------------------------------------------------------------------------------------------ where it is kept


def test_the_folder_can_be_chosen(cached: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"a.hip": HIP})
    run(capsys, "check", "--cache-dir", tmp_path / "here", "a.hip")
    assert list((tmp_path / "here").glob("*.pack"))
    Path("regpress.toml").write_text('cache-dir = "../kept"\n')
    run(capsys, "check", "a.hip")
    assert list(Path("../kept").glob("*.pack"))
    assert run(capsys, "cache", "dir").out == f"{cached.parent}/kept\n"
    assert run(capsys, "cache", "dir", "--isolated").out == f"{tmp_path}/xdg/regpress-lint\n"
    assert run(capsys, "cache", "dir", "--cache-dir", "x").out == f"{cached}/x\n"
    assert not (tmp_path / "xdg").exists()
    result = run(capsys, "cache", "clean")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("removed 1 file with ")
    assert not Path("../kept").exists()


def test_cache_command_has_two_actions(cached: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "cache", "clear")
    assert (result.status, result.out) == (2, "")
    assert 'cache does not know "clear"' in result.err
    assert run(capsys, "cache").status == 2


def test_without_a_folder_that_can_be_written_everything_works(
    cached: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a.hip": HIP})
    (tmp_path / "file").write_text("")
    cold = run(capsys, "check", "--no-cache", "a.hip")
    found = run(capsys, "check", "--cache-dir", tmp_path / "file" / "below", "a.hip", "a.hip")
    assert (found.status, found.out) == (cold.status, cold.out)
    assert found.err.count("warning: cannot write the cache in") == 1
    assert "not a directory" in found.err


def test_a_warm_run_imports_neither_parser_nor_rules(cached: Path, tmp_path: Path) -> None:
    write({"a.hip": HIP, "src/b.cu": '#include "size.h"\n' + CUDA, "src/size.h": "#define SIZE 4\n"})
    code = (
        "import sys; from regpress_lint.__main__ import main; main(sys.argv[1:]); "
        "print(*sorted(sys.modules), sep=chr(10), file=sys.stderr)"
    )
    import subprocess
    import sys

    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "xdg"), "PYTHONPATH": os.pathsep.join(sys.path)}
    for command in ("check", "kernels"):
        arguments = [sys.executable, "-c", code, command, "a.hip", "src"]
        for _ in range(2):
            result = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=120, check=True)
        modules = set(result.stderr.splitlines())
        assert {"tree_sitter", "tree_sitter_cpp", "multiprocessing", "hashlib", "subprocess"} & modules == set()
        heavy = ("regpress_lint.facts", "regpress_lint.model", "regpress_lint.cpp.names", "regpress_lint.compilation")
        assert [name for name in modules if name.startswith((*heavy, "regpress_rules.math", "clang"))] == []
