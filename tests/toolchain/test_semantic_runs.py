"""The command line with the libclang tier: on, off, automatic, late, and with hostile compile commands."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import ROOT, run
from semantic_helpers import write

from regpress_lint.compilation.commands import load
from regpress_lint.cpp.answers import Sources
from regpress_lint.semantics.arguments import arguments

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """#include "sizes.h"
__global__ void k(real_t* out, int i) {
    real_t a[kItems];
    for (int j = 0; j < kItems; ++j) a[j] = out[j];
    out[0] = a[i];
}
void run(real_t* p) { k<<<1, kBlock>>>(p, 1); }
"""
# A constexpr function with an array and a class template: nothing that the trees evaluate.
SIZES = """#pragma once
typedef double real_t;
template <int W> struct Tile { static constexpr int items = W; };
template <> struct Tile<64> { static constexpr int items = 20; };
constexpr __host__ __device__ int rounded(int n, int step) { int to[1] = {n}; return (to[0] + step - 1) / step * step; }
enum { kItems = Tile<64>::items, kBlock = rounded(150, WAVE) };
"""


def project(folder: Path, command: str = "hipcc -DWAVE=64 -I../vendor --offload-arch=gfx942 -c a.hip") -> Path:
    """A project whose header is outside of it, in a folder given by the compile command."""
    write(folder, {"vendor/sizes.h": SIZES, "project/a.hip": KERNEL, "project/regpress.toml": ""})
    entries = [{"directory": str(folder / "project"), "file": "a.hip", "command": command}]
    (folder / "project/compile_commands.json").write_text(json.dumps(entries))
    return folder / "project"


def kernel(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The only kernel of a run of `kernels`, the whole answer, and the text on standard error."""
    result = run(capsys, "kernels", "--output-format", "json", *arguments)
    assert result.status == 0, result.err
    answer = json.loads(result.out)
    (found,) = answer["kernels"]
    return found, answer, result.err


@pytest.mark.parametrize(("flags", "asked"), [((), True), (("--semantic", "on"), True), (("--semantic", "off"), False)])
def test_compile_commands_switch_the_tier_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], asked: bool
) -> None:
    """Automatic means: when they are there."""
    folder = project(tmp_path)
    found, answer, _ = kernel(capsys, folder, *flags)
    assert list(found["targets"]) == ["gfx942"]
    assert found["block_size"] == (192 if asked else 256)
    assert found["targets"]["gfx942"]["scratch_bytes"] == (176 if asked else 0)
    settled = {one["text"]: (one["value"], one["origin"], one["certain"]) for one in answer.get("settled", ())}
    assert (settled.get("kBlock") == (192, "libclang", True)) is asked
    assert (settled.get("kItems") == (20, "libclang", True)) is asked


def test_without_compile_commands_the_project_s_folders_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file's own folder is one of them."""
    header = SIZES.replace("WAVE", "64")
    write(tmp_path, {"src/a.hip": KERNEL, "src/sizes.h": header})
    off, _, _ = kernel(capsys, "--isolated", tmp_path)
    on, _, _ = kernel(capsys, "--isolated", "--semantic", "on", tmp_path)
    assert off["block_size_from"] == "assumed"
    assert (on["block_size"], on["block_size_from"]) == (192, "launch")


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each worker has a child of its own."""
    folder = project(tmp_path)
    for number in range(2):
        (folder / f"b{number}.hip").write_text(
            KERNEL.replace("void k(", f"void k{number}(").replace("k<<<", f"k{number}<<<")
        )
    one = run(capsys, "kernels", "--output-format", "json", "-j", "1", folder)
    two = run(capsys, "kernels", "--output-format", "json", "-j", "2", folder)
    assert one == two
    assert len(json.loads(one.out)["kernels"]) == 3
    assert all(found["block_size"] == 192 for found in json.loads(one.out)["kernels"])


def test_a_file_that_takes_too_long_is_linted_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a line says so."""
    folder = project(tmp_path)
    bomb = '#if __INCLUDE_LEVEL__ < 190\n#include "bomb.h"\n#include "bomb.h"\n#endif\n'
    write(folder, {"bomb.h": bomb})
    (folder / "a.hip").write_text('#include "bomb.h"\n' + KERNEL)
    found, _, err = kernel(capsys, "--semantic-seconds", "0.3", folder)
    assert found["block_size_from"] == "assumed"
    assert "note: libclang did not answer for 1 file (--verbose says why)" in err
    result = run(capsys, "check", "--semantic-seconds", "0.3", "--verbose", folder)
    assert "a.hip: libclang: no answer within" in result.err


def test_verbose_lists_settled_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For the three commands that look at kernels."""
    folder = project(tmp_path)
    for command in (("check", folder), ("kernels", folder), ("pressure", folder / "a.hip")):
        result = run(capsys, *command, "--verbose")
        assert "a.hip:3: `kItems` is 20 (libclang)" in result.err, command
    assert "`kItems`" not in run(capsys, "check", folder).err


HOSTILE = (
    "touch SENTINEL; $(touch SENTINEL) `touch SENTINEL` env CC=evil ccache hipcc -x hip"
    " -fplugin=evil.so -fplugin evil.so -Xclang -load -Xclang evil.so -fpass-plugin=evil.so -load evil.so"
    " -fplugin-arg-evil-x @evil.rsp -o SENTINEL -MF SENTINEL -MD --save-temps -save-temps=obj -ftime-trace=SENTINEL"
    " -fmodules -fmodule-file=evil.pcm -include-pch evil.pch -fmodule-map-file=evil -ivfsoverlay evil.yaml"
    " -B /evil -specs=evil --config evil.cfg -fuse-ld=evil -wrapper evil -Wl,-plugin,evil -Wa,evil -Xpreprocessor -evil"
    " --gcc-toolchain=/evil -resource-dir /evil -isysroot /evil --sysroot=/evil -working-directory=/evil"
    " -serialize-diagnostics SENTINEL"
    " -fdiagnostics-format=sarif -index-store-path SENTINEL -E -S -emit-ast -cc1 -mllvm -evil"
    " -DWAVE=64 -I../vendor --offload-arch=gfx942 -c a.hip"
)


def test_hostile_compile_commands_run_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a command says, libclang gets flags of ours, and the good parts still count."""
    folder = project(tmp_path, HOSTILE)
    (folder / "evil.rsp").write_text("-fplugin=evil.so")
    monkeypatch.chdir(folder)
    found, _, _ = kernel(capsys, ".")
    assert found["block_size"] == 192
    assert not list(tmp_path.rglob("SENTINEL"))
    hostile = load(str(folder)).of(str(folder / "a.hip"))
    innocent = load(str(project(tmp_path))).of(str(folder / "a.hip"))
    own = (str(folder),)
    assert arguments("hip", hostile, Sources(), own) == arguments("hip", innocent, Sources(), own)


def test_entry_cannot_extend_the_readable_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A forced include outside of the project and of the include folders is not read."""
    write(tmp_path, {"secret/s.h": "enum { kItems = 20, kBlock = 192 };\ntypedef double real_t;\n"})
    folder = project(tmp_path, f"hipcc -include {tmp_path / 'secret/s.h'} -c a.hip")
    (folder / "a.hip").write_text(KERNEL.replace('#include "sizes.h"\n', ""))
    found, answer, _ = kernel(capsys, folder)
    assert found["block_size_from"] == "assumed"
    assert "settled" not in answer


@pytest.mark.parametrize("command", ["check", "kernels", "pressure"])
def test_a_plain_run_imports_nothing_of_the_tier(tmp_path: Path, command: str) -> None:
    """No compile commands, no cost: neither libclang's binding nor our own side of it."""
    (tmp_path / "a.hip").write_text(KERNEL)
    code = (
        "import sys\n"
        "from regpress_lint.__main__ import main\n"
        f"main([{command!r}, '--isolated', {str(tmp_path / 'a.hip')!r}])\n"
        "ours = ('arguments', 'clang', 'client', 'confine', 'server', 'translation')\n"
        "heavy = {'clang', 'clang.cindex', 'multiprocessing', *(f'regpress_lint.semantics.{name}' for name in ours)}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == "[]"


def test_a_fix_is_not_safe_where_a_header_was_not_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What libclang says then may be that of another configuration."""
    text = (
        '#include "sizes.h"\n__global__ void k(real_t* out, real_t x) {\n'
        "    auto y = scaled(x);\n    for (int i = 0; i < 9; ++i) out[i] = sinf(out[i] * y) + cosf(out[i] * y);\n}\n"
    )
    header = "typedef float real_t;\n__device__ inline real_t scaled(real_t x) { return x * 2; }\n"
    write(tmp_path, {"vendor/sizes.h": header, "src/a.hip": text, "lost/a.hip": '#include "absent.h"\n' + text})
    for folder, expected in (("src", "safe"), ("lost", "unsafe")):
        flags = ("--isolated", "--semantic", "on", "-I", tmp_path / "vendor", "--select", "RP205")
        result = run(capsys, "check", "--output-format", "json", *flags, tmp_path / folder / "a.hip")
        (found,) = (each for each in json.loads(result.out)["diagnostics"] if each["code"] == "RP205")
        assert found["fix"]["applicability"] == expected, result.out
