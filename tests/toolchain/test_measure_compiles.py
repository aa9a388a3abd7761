"""`measure` of sources: with whose words, by whose compilers, and within which limits."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import compilers
import pytest
from cli_helpers import HIP, run

from regpress_lint.commands.measure.compilers import in_parallel
from regpress_lint.compilation.commands import load
from regpress_lint.measured import processes, toolchains
from regpress_lint.measured.compile import Unit, cuda_command, hip_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
CUDA_LOG = (FOLDER / "ptxas.log").read_text()
HOSTILE = (
    "ccache tree/nvcc -x cu -Xclang -load -Xclang evil.so -fplugin=evil.so -wrapper gdb -ccbin tree/g++ -specs=evil "
    "-o ../victim -MF ../victim.d -I inc -isystem /opt/x -DA=1 -UB --use_fast_math -rdc=true -maxrregcount=64 -O2 "
    "--generate-code=arch=compute_90,code=sm_90 @outside.rsp -c a.cu"
)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder with one entry that wants more than it gets, and a compiler in the tree that must not be run."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.cu").write_text('extern "C" __global__ void spills(float *x, int n) { x[n] = 0; }\n')
    entry = {"file": "a.cu", "directory": str(folder), "command": HOSTILE}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    program(folder / "nvcc", "touch ran-from-the-tree")
    return folder


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def told(path: Path) -> list[str]:
    return path.read_text().split("\n")


def words_of(folder: Path) -> list[str]:
    command = load(str(folder)).of(str(folder / "a.cu"))
    assert command is not None
    return cuda_command("nvcc", Unit(command), "sm_90", "out")


def test_only_words_of_the_allow_list_come_back(build: Path) -> None:
    words = words_of(build)
    for wanted in ("--use_fast_math", "-rdc=true", "-O2", "-maxrregcount=64", "-DA=1", "-UB", "/opt/x", "-arch=sm_90"):
        assert wanted in words
    text = " ".join(words)
    for evil in ("evil", "gdb", "g++", "victim", "ccache", "outside", "-load"):
        assert evil not in text
    assert str(build / "inc") in words


def test_words_of_one_compiler_are_not_for_the_other(build: Path) -> None:
    command = load(str(build)).of(str(build / "a.cu"))
    assert command is not None
    unit = Unit(command._replace(codegen=("-ffast-math", "-mcumode", "--use_fast_math", "-O3")))
    assert {"-ffast-math", "-mcumode", "-O3"} < set(hip_command("clang++", unit, "gfx90a", "out"))
    assert "--use_fast_math" not in hip_command("clang++", unit, "gfx90a", "out")
    assert not {"-ffast-math", "-mcumode"} & set(cuda_command("nvcc", unit, "sm_90", "out"))


def test_a_compiler_in_the_tree_is_never_run(build: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((str(build), "tree", ".", str(tmp_path / "bin"))))
    assert toolchains.find([str(build)]).cuda is None
    (tmp_path / "bin").mkdir()
    mine = program(tmp_path / "bin/nvcc", "true")
    assert toolchains.find([str(build)]).cuda == str(mine)


def test_a_link_into_the_tree_is_the_tree(build: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bin").symlink_to(build)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert toolchains.find([str(build)]).cuda is None


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        *(
            ("NVCC_CCBIN", spelled)
            for spelled in ("link", "of several", "relative", "relative to it", "relative to us")
        ),
        *((name, "in") for name in ("NVCC_CCBIN", "HIP_CLANG_PATH", "LD_PRELOAD", "PERL5LIB")),
    ],
)
def test_environment_paths_into_the_tree_are_hidden_from_compilers(
    build: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, spelled: str
) -> None:
    evil = program(build / "g++", "true")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/g++").symlink_to(evil)
    value = {
        "in": str(evil),
        "link": str(tmp_path / "outside"),
        "of several": f"/usr/lib:{build}",
        "relative": f"../../../../../../..{evil}",  # the compiler's folder is a private one
        "relative to it": f"../{evil.relative_to(tmp_path)}",
        "relative to us": f"./{evil.relative_to(tmp_path)}",
    }[spelled]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv(name, value)
    assert toolchains.find([str(build)]).without == {name}
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert not toolchains.find([str(build)]).without


@pytest.mark.parametrize("inside", [True, False])
def test_a_host_compiler_of_the_tree_is_never_run(
    capsys: pytest.CaptureFixture[str], build: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, inside: bool
) -> None:
    (tmp_path / "log").write_text(CUDA_LOG)
    fake = program(tmp_path / "nvcc-fake", f'"${{NVCC_CCBIN:-true}}"; cat {tmp_path}/log')
    (tmp_path / "bin").mkdir()
    host = program((build if inside else tmp_path / "bin") / "host", f"touch {tmp_path}/ran-host")
    monkeypatch.setenv("NVCC_CCBIN", str(host))
    assert run(capsys, "measure", "-p", build, "--compiler", fake).status == 0
    assert (tmp_path / "ran-host").exists() is not inside


def test_two_compilers_are_compared(capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path) -> None:
    fakes = []
    for number, registers in ((12, 30), (13, 46)):
        (tmp_path / f"log{number}").write_text(re.sub(r"Used \d+ registers", f"Used {registers} registers", CUDA_LOG))
        fakes.append(program(tmp_path / f"nvcc-{number}", f"cat {tmp_path}/log{number}"))
    found = run(capsys, "measure", "-p", build, "--compare", *fakes)
    assert found.status == 0
    assert "worse: 30 -> 46 registers" in found.out
    as_json = json.loads(run(capsys, "measure", "-p", build, "--compare", *fakes, "--output-format", "json").out)
    assert (as_json["base"], as_json["summary"]["worse"]) == (str(fakes[0]), 4)
    (tmp_path / "host.cu").write_text("int main() { return 0; }\n")
    beside = run(capsys, "measure", "-p", build, "--compare", *fakes, *build.glob("*.cu"), tmp_path / "host.cu")
    assert beside.err.count("host.cu: no HIP or CUDA source") == 1
    missing = run(capsys, "measure", "-p", build, "--compare", fakes[0], tmp_path / "other" / "nvcc-13")
    assert (missing.status, "no compiler" in missing.err) == (2, True)
    wrong = run(capsys, "measure", "--log", tmp_path / "log12", "--compare", *fakes)
    assert (wrong.status, "--compare compiles" in wrong.err) == (2, True)


def test_an_older_assembler_gets_the_ptx_with_the_version_that_it_reads(
    capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").write_text(CUDA_LOG)
    (tmp_path / "bin").mkdir()
    written = 'while [ "$1" != -o ]; do shift; done; printf ".version 9.0\\n.target sm_90\\n" > "$2"'
    program(tmp_path / "bin/nvcc", f'echo "$@" >> {tmp_path}/words; {written}')
    says = "ptxas unit.ptx, line 1; fatal   : Unsupported .version 9.0; current version is '8.5'"
    older = program(
        tmp_path / "ptxas",
        f'echo "$@" >> {tmp_path}/given\nfor f in "$@"; do case $f in *.ptx) grep -q "version 8.5" $f || '
        f'{{ echo "{says}"; exit 255; }};; esac; done; cat {tmp_path}/log',
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    result = run(capsys, "measure", "-p", build, "--compiler", older, "--output-format", "json")
    assert result.status == 0
    assert [kernel["name"] for kernel in json.loads(result.out)["kernels"]] == ["indexed", "lbm::step", "spills"]
    assert "-ptx" in (tmp_path / "words").read_text()
    given, words = ([set(line.split()) for line in told(tmp_path / name) if line] for name in ("given", "words"))
    assert len(given) == 2 * len(words)
    assert all("-v" in each for each in given)
    assert any({"-c", "-maxrregcount=64"} < each for each in given)


def test_a_compiler_of_a_release(
    capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "nvidia/cuda_nvcc/bin").mkdir(parents=True)
    (site / "nvidia_cuda_nvcc_cu12-12.6.85.dist-info").mkdir()
    (site / "nvidia_cuda_nvcc_cu12-12.6.85.dist-info/METADATA").write_text(
        "Name: nvidia-cuda-nvcc-cu12\nVersion: 12.6.85\n"
    )
    mine = program(site / "nvidia/cuda_nvcc/bin/ptxas", "true")
    monkeypatch.syspath_prepend(str(site))
    assert toolchains.released("nvcc@12.6") == str(mine)
    assert toolchains.find([str(build)], ("nvcc@12.6",)).assembler == str(mine)
    assert [toolchains.released(each) for each in ("nvcc@12.66", "nvcc@1", "clang@19", "./a@b", "nvcc")] == [
        *("nvcc@12.66", "nvcc@1", "clang++-19", "./a@b", "nvcc")
    ]
    for words in (("--compiler", "nvcc@12.66"), ("--compare", "nvcc@12.66", "nvcc")):
        missing = run(capsys, "measure", "-p", build, *words)
        assert (missing.status, "no nvcc 12.66: neither" in missing.err) == (2, True)


def test_a_source_whose_kernels_are_in_headers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "log").write_text(CUDA_LOG)
    fake = program(tmp_path / "nvcc-fake", f"cat {tmp_path}/log")
    (tmp_path / "tree").mkdir()
    source = tmp_path / "tree" / "main.cu"
    source.write_text('#include "kernels.cuh"\n')
    assert run(capsys, "measure", "--compiler", fake, source).status == 0
    (tmp_path / "log").write_text("")
    found = run(capsys, "measure", "--compiler", fake, source)
    assert (found.status, "no kernel was found" in found.err) == (2, True)


def test_a_build_is_measured_by_the_chosen_compiler(
    capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path
) -> None:
    (tmp_path / "log").write_text(CUDA_LOG)
    fake = program(
        tmp_path / "nvcc-fake", f'pwd > {tmp_path}/where; echo "$TMPDIR" >> {tmp_path}/where; cat {tmp_path}/log'
    )
    out = run(capsys, "measure", "-p", build, "--compiler", fake, "--output-format", "json").out
    found = json.loads(out)["kernels"]
    assert [kernel["name"] for kernel in found] == ["indexed", "lbm::step", "spills"]
    assert found[2]["instances"][0]["unit"] == "tree/a.cu"
    folder, temporary, *_ = told(tmp_path / "where")
    assert (folder == temporary, os.path.exists(folder)) == (True, False)
    assert not list(build.glob("ran-*"))


@pytest.mark.parametrize(
    "word", ["-DA=$(touch ran-1)", "-DA=`touch ran-2`", "-DA=\\\\$(touch ran-3)", '-I/x";touch ran-4;"']
)
def test_word_with_shell_characters_is_not_passed_to_nvcc(
    capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path, word: str
) -> None:
    """nvcc hands its words to a shell, in double quotes."""
    fake = program(tmp_path / "nvcc", f"touch {tmp_path}/called")
    entry = {"file": "a.cu", "directory": str(build), "arguments": ["nvcc", word, "-c", "a.cu"]}
    (build / "compile_commands.json").write_text(json.dumps([entry]))
    result = run(capsys, "measure", "-p", build, "--compiler", fake)
    assert (result.status, "cannot be run: it passes its arguments to a shell" in result.err) == (2, True)
    assert not (tmp_path / "called").exists()


def test_macro_strings_and_blanks_in_paths_are_not_commands(build: Path, tmp_path: Path) -> None:
    fake = program(tmp_path / "nvcc", 'echo "$@"')
    words = ['-DNAME="a b"', "-I/x y;z"]
    assert processes.run([str(fake), *words], str(tmp_path), os.environ["PATH"], 20).words.split() == [
        *('-DNAME="a', 'b"', "-I/x", "y;z")
    ]


def test_a_file_that_does_not_compile_is_a_line(
    capsys: pytest.CaptureFixture[str], build: Path, tmp_path: Path
) -> None:
    fake = program(tmp_path / "nvcc-fake", "echo 'a.cu(1): error: no such thing'; exit 1")
    result = run(capsys, "measure", "-p", build, "--compiler", fake)
    assert (result.status, result.out) == (2, "")
    assert "tree/a.cu: does not compile for sm_90: a.cu(1): error: no such thing" in result.err


def test_a_file_for_other_gpus_is_named(capsys: pytest.CaptureFixture[str], build: Path) -> None:
    result = run(capsys, "measure", build / "a.cu", "--arch", "gfx90a")
    assert (result.status, "CUDA is not compiled for gfx90a" in result.err) == (2, True)


def test_a_deadline_ends_all_that_a_compiler_started(tmp_path: Path) -> None:
    begun = time.monotonic()
    text = f"(touch {tmp_path}/early; sleep 2; touch {tmp_path}/late) & sleep 20"
    slow = program(tmp_path / "slow", text)
    ended = processes.run([str(slow)], str(tmp_path), os.environ["PATH"], 1)
    assert ended.status is None
    assert time.monotonic() - begun < 10
    while time.monotonic() - begun < 4:  # what it started would have come to its end by then
        time.sleep(0.1)
    assert ((tmp_path / "early").exists(), (tmp_path / "late").exists()) == (True, False)


def test_interruption_ends_running_compilers(tmp_path: Path) -> None:
    slow = program(tmp_path / "slow", f"touch {tmp_path}/begun; sleep 20")
    begun = time.monotonic()

    def interrupt() -> None:
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    waits = partial(processes.run, [str(slow)], str(tmp_path), os.environ["PATH"], 20)
    work: list[Callable[[], object]] = [interrupt, waits, waits]
    with pytest.raises(KeyboardInterrupt):
        list(in_parallel(work, 2))
    assert time.monotonic() - begun < 10


def test_hipcc_is_called_for_amd_beside_nvcc(build: Path, tmp_path: Path) -> None:
    """As it stands it calls nvcc if there is one; and it puts `-lamdhip64` behind all, which behind `--` is a file."""
    tell = program(tmp_path / "hipcc", 'echo "$HIP_PLATFORM $*"')
    command = load(str(build)).of(str(build / "a.cu"))
    assert command is not None
    unit = Unit(command._replace(macros=()))
    words = hip_command(str(tell), unit, "gfx90a", "out")
    assert words[-1] == unit.source
    assert "--" not in words
    assert processes.run(words, str(tmp_path), os.environ["PATH"], 20).words.startswith("amd -x hip ")
    assert "--" in hip_command("/usr/bin/clang++-19", unit, "gfx90a", "out")


def test_flags_of_the_environment_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NVCC_APPEND_FLAGS", "GCC_EXEC_PREFIX", "COMPILER_PATH"):
        monkeypatch.setenv(name, "-G")
    tell = program(tmp_path / "tell", 'echo "[$NVCC_APPEND_FLAGS$GCC_EXEC_PREFIX$COMPILER_PATH]"')
    assert processes.run([str(tell)], str(tmp_path), os.environ["PATH"], 20).words.split() == ["[]"]


def test_a_compiler_has_limits_of_memory_and_files(tmp_path: Path) -> None:
    tell = program(tmp_path / "tell", "ulimit -c; ulimit -v; ulimit -f")  # in units of 1024 and of 512 bytes
    core, memory, file = processes.run([str(tell)], str(tmp_path), os.environ["PATH"], 20).words.split()
    assert (core, int(memory), int(file)) == ("0", processes.MEMORY // 1024, processes.FILE // 512)


def rows(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Iterator[dict[str, Any]]:
    out = run(capsys, "measure", "--output-format", "csv", *arguments).out
    return csv.DictReader(io.StringIO(out))


@pytest.mark.compiler
@pytest.mark.parametrize(("suffix", "log"), [(".hip", "remarks.log"), (".cu", "ptxas.log"), (".cl", "igc.log")])
def test_source_and_its_log_agree(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str, log: str) -> None:
    reason = compilers.missing(suffix)
    if reason:
        pytest.skip(reason)
    source = tmp_path / f"kernels{suffix}"
    text = (FOLDER / ("kernels.cl" if suffix == ".cl" else "kernels.hip")).read_text()
    source.write_text(text.replace("#include <hip/hip_runtime.h>", "") if suffix == ".cu" else text)
    compiled = {row["symbol"]: row for row in rows(capsys, source)}
    names = ("target", "registers", "spills", "scratch_bytes", "lds_bytes", "spill_operations")
    for row in rows(capsys, FOLDER / log):
        for name in names:
            assert row[name] in ("", compiled[row["symbol"]][name])


@pytest.mark.compiler
def test_a_newer_chip_than_the_device_libraries_know(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    compilers.need(".hip")
    (tmp_path / "a.hip").write_text(HIP)
    found = {row["target"]: row for row in rows(capsys, tmp_path / "a.hip", "--arch", "gfx90a,gfx1100")}
    assert sorted(found) == ["gfx1100", "gfx90a"]
    assert found["gfx1100"]["agprs"] == ""
