"""What compile commands change in a run: headers, sizes, language and GPUs of a file, and how they are found."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import CUDA, HIP, run, run_json

from regpress_lint.compilation.commands import load
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.conditions import predefined
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.cpp.names.project import Project
    from regpress_lint.program.file import File

KERNEL = """#include <cuda_runtime.h>
#include "sizes.h"
__global__ void k(float *p, int i) { __shared__ float a[N]; a[i] = p[i]; p[i] = a[i + 1]; }
"""


@pytest.fixture(autouse=True)
def _source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "p" / "src").mkdir(parents=True)
    (tmp_path / "p" / ".git").mkdir()
    (tmp_path / "build" / "gen").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "p")


def database(tmp_path: Path, folder: str = "build", **commands: str) -> Path:
    """Commands by file below `src`, its last `_` a dot; `ROOT` stands for the temporary folder."""
    entries = []
    for name, command in commands.items():
        file = f"{tmp_path}/p/src/{'.'.join(name.rsplit('_', 1))}"
        text = f"{command} -c {file}".replace("ROOT", str(tmp_path))
        entries.append({"directory": str(tmp_path / "build"), "command": text, "file": file})
    path = tmp_path / folder / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return path


def kernels(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    """What `kernels` says as JSON."""
    result = run(capsys, "kernels", "--output-format", "json", *arguments)
    assert result.status == 0, result.err
    found: list[dict[str, Any]] = json.loads(result.out)["kernels"]
    return found


def project(tmp_path: Path, *paths: str, root: str = "") -> Project:
    """The project of files below the temporary folder, with its database."""
    absolute = [f"{root or tmp_path}/p/{path}" for path in paths]
    return Projects(absolute, (), (), load(str(tmp_path / "build"))).of(absolute[0])


def model(tmp_path: Path, path: str, *others: str) -> File:
    """Model of a file of the project, with its database."""
    full = tmp_path / "p" / path
    data = full.read_bytes()
    language = detect_language(str(full), data)
    assert language is not None
    return build_file(Source(str(full), data), language, project(tmp_path, path, *others))


# -------------------------------------------------------------------------------------------------- what they give


def test_a_generated_header_outside_the_source_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL)
    (tmp_path / "build" / "gen" / "sizes.h").write_text("#define N 96\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "sizes.h").write_text("#define N 7\n")
    database(tmp_path, a_cu="nvcc -x cu -IROOT/elsewhere -Igen")
    (before,) = kernels(capsys, "src")
    assert before["lds_bytes"] is None
    for path in ("src", tmp_path / "p" / "src"):  # as a relative and as an absolute path
        (after,) = kernels(capsys, path, "-p", tmp_path / "build")
        assert after["lds_bytes"] == 4 * 96  # nothing outside project and build folder is read


def test_folders_are_looked_through_in_the_order_of_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "p" / "src" / "a.cu"
    for folder, size in (("p/src", 1), ("p/one", 2), ("p/two", 3), ("build/gen", 4)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "sizes.h").write_text(f"constexpr int N = {size};\n")

    def value(include: str, command: str) -> object:
        source.write_text(KERNEL.replace('"sizes.h"', include))
        database(tmp_path, a_cu=f"nvcc -x cu {command}")
        return model(tmp_path, "src/a.cu").constant("N")

    assert value('"sizes.h"', "-IROOT/p/one") == 1
    assert value("<sizes.h>", "-IROOT/p/one -IROOT/p/two") == 2
    assert value("<sizes.h>", "-isystem ROOT/p/one -IROOT/p/two") == 3
    assert value("<sizes.h>", "-isystem=ROOT/build/gen -idirafter ROOT/p/one") == 4
    (tmp_path / "p" / "src" / "sizes.h").unlink()
    assert value('"sizes.h"', "-IROOT/p/two -iquote ROOT/p/one") == 2
    assert value("<sizes.h>", "-IROOT/p/two -iquote ROOT/p/one") == 3


def test_only_so_many_folders_are_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(200):
        (tmp_path / "p" / f"d{i}").mkdir()
    (tmp_path / "p" / "d100" / "sizes.h").write_text("#define N 4\n")
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL)
    folders = " ".join(f"-IROOT/p/d{i} -IROOT/p/no{i}" for i in range(200))
    database(tmp_path, a_cu=f"nvcc {folders}")
    opened: list[str] = []
    monkeypatch.setattr("regpress_lint.lint.projects.read_header", opened.append)
    model(tmp_path, "src/a.cu")
    assert len([path for path in opened if "/no" in path]) == 0
    assert 128 <= len([path for path in opened if path.endswith("sizes.h")]) <= 140
    monkeypatch.undo()
    assert model(tmp_path, "src/a.cu").constant("N") == 4


def test_macros_change_the_size_of_an_array(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL.replace('#include "sizes.h"', "#ifndef N\n#define N 8\n#endif"))
    (tmp_path / "p" / "src" / "Makefile").write_text("FLAGS = -DN=32\n")
    for command, size in (("", 32), ("-DN=64", 64), ("-DN=64 -UN", 8), ("-UN", 8), ("-UN -DN=16 -DN=24", 24)):
        database(tmp_path, a_cu=f"nvcc -x cu {command}")
        (found,) = kernels(capsys, "src", "-p", "../build")
        assert found["lds_bytes"] == 4 * size, command


def test_forced_includes_and_function_like_macros(tmp_path: Path) -> None:
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL)
    (tmp_path / "build" / "gen" / "config.h").write_text("#define N 9\n")
    for forced in ("-include gen/config.h", "-include config.h -Igen", "--pre-include=config.h -Igen"):
        database(tmp_path, a_cu=f"nvcc -x cu '-DTWICE(x, y)=((x)*2)' {forced}")
        assert model(tmp_path, "src/a.cu").constant("N") == 9
    macro = project(tmp_path, "src/a.cu").macros(f"{tmp_path}/p/src/a.cu", b"").get("TWICE")
    assert macro is not None
    assert (macro.params, macro.body) == (("x", "y"), "((x)*2)")


def test_the_standard_and_the_gpu_decide_what_the_compiler_defines() -> None:
    assert predefined("cuda") == predefined("cuda", None, ())
    assert predefined("cuda", "c++20", ("sm_80", "sm_100"))["__cplusplus"] == "202002"
    assert predefined("cuda", "gnu++1z", ("sm_80", "sm_100"))["__CUDA_ARCH__"] == "1000"
    assert predefined("hip", None, ("gfx90a",))["__gfx90a__"] == "1"
    assert "__gfx90a__" not in predefined("hip", None, ("gfx90a", "gfx942"))
    assert "__HIP_PLATFORM_AMD__" not in predefined("hip", undefined=["__HIP_PLATFORM_AMD__", "X"])


def test_the_compiler_s_macros_hold_in_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = "#if __CUDA_ARCH__ >= 900\n#define N 128\n#else\n#define N 64\n#endif"
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL.replace('#include "sizes.h"', sizes))
    for target, size in (("sm_70", 64), ("sm_90", 128)):
        database(tmp_path, a_cu=f"nvcc -x cu -arch={target}")
        (found,) = kernels(capsys, "src", "-p", "../build")
        assert found["lds_bytes"] == 4 * size


# ------------------------------------------------------------------------------------------------ language, targets


def test_compile_command_decides_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.cu").write_text(CUDA)
    (tmp_path / "p" / "src" / "b.cpp").write_text(CUDA)
    database(tmp_path, a_cu="clang++ -x hip --offload-arch=gfx90a:xnack-", b_cpp="g++")
    by_name = {found["path"]: found for found in kernels(capsys, "src", "-p", "../build")}
    assert by_name["src/a.cu"]["language"] == "hip"
    assert list(by_name["src/a.cu"]["targets"]) == ["gfx90a"]
    assert by_name["src/b.cpp"]["language"] == "cuda"  # a host compiler says nothing about it


def test_all_gpus_of_a_fat_binary_that_we_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    (tmp_path / "p" / "src" / "b.hip").write_text(HIP)
    database(tmp_path, a_hip="hipcc --offload-arch=gfx908,gfx90a:xnack- --offload-arch=gfx9999", b_hip="hipcc")
    wanted = {"src/a.hip": ["gfx908", "gfx90a"], "src/b.hip": ["gfx90a"]}
    assert {k["path"]: list(k["targets"]) for k in kernels(capsys, "src", "-p", "../build")} == wanted
    found = run_json(capsys, "src", "-p", "../build", "--select", "RP201")["diagnostics"]
    assert {one["path"]: one["targets"] for one in found} == wanted
    # Who names GPUs gets those.
    for chosen in kernels(capsys, "src", "-p", "../build", "--arch", "gfx942"):
        assert list(chosen["targets"]) == ["gfx942"]
    (tmp_path / "p" / "regpress.toml").write_text('arch = "mi100"\n')
    assert {tuple(k["targets"]) for k in kernels(capsys, "src", "-p", "../build")} == {("gfx908",)}


def test_pressure_shows_the_gpus_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    database(tmp_path, a_hip="hipcc --offload-arch=gfx1100")
    result = run(capsys, "pressure", "src/a.hip", "-p", "../build", "--output-format", "json")
    assert '"gfx1100"' in result.out


# --------------------------------------------------------------------------------------------------------- headers

DEVICE = "#pragma once\n__global__ void k(float *p) { __shared__ float a[N]; a[0] = p[0]; p[1] = a[1]; }\n"


def test_a_header_is_read_as_the_file_that_includes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "p" / "src"
    (source / "deep.h").write_text(DEVICE)
    (source / "middle.h").write_text('#include "deep.h"\n')
    (source / "z.cpp").write_text('#include "middle.h"\nvoid run() { k<<<1, 64>>>(0); }\n')
    (source / "a.cpp").write_text("__global__ void other(float *p) { p[0] = 1; }\n")
    database(tmp_path, z_cpp="hipcc --offload-arch=gfx942 -DN=100", a_cpp="nvcc -x cu -arch=sm_70 -DN=3")
    by_name = {found["path"]: found for found in kernels(capsys, "src", "-p", "../build")}
    header = by_name["src/deep.h"]
    assert (header["language"], list(header["targets"]), header["lds_bytes"]) == ("hip", ["gfx942"], 400)


def test_header_without_includers_is_read_like_the_nearest_file(tmp_path: Path) -> None:
    source = tmp_path / "p" / "src"
    (source / "k.cuh").write_text(DEVICE)
    (source / "other.cuh").write_text(DEVICE)
    for name in ("k.cu", "a.cu"):
        (source / name).write_text("__global__ void f(float *p) { p[0] = 1; }\n")
    database(tmp_path, k_cu="nvcc -arch=sm_80 -DN=7", a_cu="nvcc -arch=sm_70 -DN=3")
    own = project(tmp_path, "src/k.cuh", "src/other.cuh", "src/k.cu", "src/a.cu")
    targets = [getattr(own.command_of(f"{tmp_path}/p/src/{name}"), "targets", None) for name in ("k.cuh", "other.cuh")]
    assert targets == [("sm_80",), ("sm_70",)]
    assert own.command_of(f"{tmp_path}/elsewhere/x.cuh") is None


@pytest.mark.parametrize(
    ("name", "text", "taken"),
    [
        ("new.cu", "__device__ int f() { return 1; }\n", True),
        ("new.hip", "__device__ int f() { return 1; }\n", False),
        ("new.cpp", "#include <hip/hip_runtime.h>\n__global__ void k() {}\n", False),
        ("new.cpp", "#include <cuda_runtime.h>\n__global__ void k() {}\n", True),
        ("new.cpp", "#include <sycl/sycl.hpp>\nvoid f(sycl::queue q) { q.single_task([] {}); }\n", False),
    ],
)
def test_a_file_without_a_command_keeps_its_language(tmp_path: Path, name: str, text: str, *, taken: bool) -> None:
    (tmp_path / "p" / "src" / name).write_text(text)
    database(tmp_path, a_cu="nvcc -arch=sm_80")
    own = project(tmp_path, f"src/{name}")
    assert (own.command_of(f"{tmp_path}/p/src/{name}") is not None) == taken


def test_sycl_only_header_is_not_read_as_hip(tmp_path: Path) -> None:
    source = tmp_path / "p" / "src"
    (source / "a.cpp").write_text(
        '#ifdef SYCL\n#include "s.hpp"\n#endif\n#include "both.hpp"\n__global__ void k() {}\n'
    )
    (source / "s.hpp").write_text(
        "void f(sycl::queue q) { q.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) {}); }\n"
    )
    both = "#ifdef SYCL\nsycl::queue q; sycl::nd_item<1> i; sycl::range<1> r;\n#else\n__device__ int f();\n#endif\n"
    (source / "both.hpp").write_text(both)
    database(tmp_path, a_cpp="hipcc")
    own = project(tmp_path, "src/a.cpp", "src/s.hpp", "src/both.hpp")
    found = [own.command_of(f"{source}/{name}") is not None for name in ("s.hpp", "both.hpp")]
    assert found == [False, True]


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    source = tmp_path / "p" / "src"
    count = 150
    for i in range(count):
        (source / f"h{i}.h").write_text(f'#include "h{(i + 1) % count}.h"\n__device__ int f{i}() {{ return {i}; }}\n')
    database(tmp_path, z_cu="nvcc")
    own = project(tmp_path, *(f"src/h{i}.h" for i in range(count)))
    assert own.command_of(f"{source}/h0.h") is not None


def test_a_root_that_is_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "p" / "src" / "a.cu").write_text(KERNEL)
    (tmp_path / "p" / "inc").mkdir()
    (tmp_path / "p" / "inc" / "sizes.h").write_text("#define N 11\n")
    database(tmp_path, a_cu="nvcc -IROOT/p/inc -arch=sm_80")
    own = project(tmp_path, "src/a.cu", root=f"{tmp_path}/link")
    command = own.command_of(f"{tmp_path}/link/p/src/a.cu")
    assert command is not None
    data = (tmp_path / "p" / "src" / "a.cu").read_bytes()
    found = build_file(Source(f"{tmp_path}/link/p/src/a.cu", data), "cuda", own)
    assert found.constant("N") == 11


# ---------------------------------------------------------------------------------------------------- command line


def targets_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """GPUs that the one kernel was judged for."""
    (found,) = kernels(capsys, "src", *arguments)
    return list(found["targets"])


def test_where_compile_commands_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    assert targets_of(capsys) == ["gfx90a"]
    database(tmp_path, "p", a_hip="hipcc --offload-arch=gfx906")  # the working folder
    assert targets_of(capsys) == ["gfx906"]
    (tmp_path / "regpress.toml").write_text("")
    assert targets_of(capsys) == ["gfx906"]  # none beside the configuration
    database(tmp_path, ".", a_hip="hipcc --offload-arch=gfx908")
    assert targets_of(capsys) == ["gfx908"]
    (tmp_path / "regpress.toml").write_text('build-dir = "build"\n')
    database(tmp_path, a_hip="hipcc --offload-arch=gfx942")
    assert targets_of(capsys) == ["gfx942"]
    database(tmp_path, "p/src", a_hip="hipcc --offload-arch=gfx1100")
    assert targets_of(capsys, "-p", "src") == ["gfx1100"]
    assert targets_of(capsys, "--build-dir=src/compile_commands.json") == ["gfx1100"]
    assert targets_of(capsys, "-p", "") == ["gfx90a"]
    # --isolated depends on nothing that is not on the command line.
    assert targets_of(capsys, "--isolated") == ["gfx90a"]
    assert targets_of(capsys, "--isolated", "-p", "src") == ["gfx1100"]


@pytest.mark.parametrize("command", ["check", "kernels", "pressure"])
def test_named_ones_that_cannot_be_used_are_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    for place, text in (("../build", "no compile_commands.json in"), ("nowhere", "no build folder"), ("src", "JSON")):
        (tmp_path / "p" / "src" / "compile_commands.json").write_text("{")
        result = run(capsys, command, "src/a.hip", "-p", place)
        assert result.status == 2
        assert text in result.err
        assert result.out == ""
    (tmp_path / "p" / "regpress.toml").write_text('build-dir = "nowhere"\n')
    assert run(capsys, command, "src/a.hip").status == 2


def test_found_ones_that_are_broken_are_left_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    plain = run(capsys, "check", "src")
    path = tmp_path / "p" / "compile_commands.json"
    for make in (
        lambda: path.write_text("[" * 5000),
        lambda: path.write_bytes(b"\0\xff"),
        lambda: path.symlink_to("compile_commands.json"),
        lambda: path.mkdir(),
    ):
        path.unlink(missing_ok=True)
        make()
        result = run(capsys, "check", "src")
        assert (result.status, result.out) == (plain.status, plain.out)
        assert result.err.startswith("regpress-lint: warning: compile commands not used: ")
        assert result.err.count("\n") == 1


def test_omitted_entries_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p" / "src" / "a.hip").write_text(HIP)
    (tmp_path / "p" / "compile_commands.json").write_text('[1, 2, {"file": "a"}]')
    lines = run(capsys, "check", "src").err.splitlines()
    assert len(lines) == 2
    assert "2 entries left out: not an object" in lines[0]


def test_a_hostile_file_does_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "p" / "src" / "a.hip"
    source.write_text('#include "secret.h"\n' + HIP)
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "secret.h").write_text("#define pow(a, b) 1\n")
    (tmp_path / "build" / "out.rsp").symlink_to(tmp_path / "secret" / "secret.h")
    os.mkfifo(tmp_path / "build" / "fifo.rsp")
    plain = run(capsys, "check", "src")
    evil = f"touch {tmp_path}/owned"
    database(
        tmp_path,
        a_hip=f"sh -c '{evil}' ; {evil} `{evil}` $({evil}) | ccache env X=1 hipcc -Xclang -load -Xclang evil.so "
        "-fplugin=evil.so -o ROOT/owned -MF ROOT/owned -save-temps=ROOT/owned --cuda-path=ROOT/secret "
        "@fifo.rsp @out.rsp @/dev/zero -I/ -IROOT/secret -I../secret -isystem ROOT/p/../secret "
        "-include ROOT/secret/secret.h -include secret.h -B ROOT/secret -ccbin 'touch ROOT/owned' "
        "-wrapper touch,ROOT/owned -Xcompiler -IROOT/p",
    )
    before = sorted(tmp_path.rglob("*"))
    result = run(capsys, "check", "src", "-p", "../build")
    assert (result.status, result.out) == (plain.status, plain.out)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--semantic", "maybe"], "--semantic: expected one of auto, off, on"),
        (["--semantic-seconds", "0"], "--semantic-seconds: expected seconds"),
        (["--semantic-seconds", "nan"], "--semantic-seconds: expected seconds"),
        (["--semantic-seconds", "99999"], "--semantic-seconds: expected seconds"),
    ],
)
def test_wrong_values(capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str) -> None:
    result = run(capsys, "check", "src", *arguments)
    assert result.status == 2
    assert expected in result.err


def test_settings_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database(tmp_path, a_hip="hipcc")
    out = run(capsys, "check", "--show-settings", "-p", "../build", "--semantic=on", "--semantic-seconds", "2.5").out
    assert f'build-dir = "{path.parent}"  # command line\n' in out
    assert 'semantic = "on"  # command line\n' in out
    assert "semantic-seconds = 2.5  # command line\n" in out


@pytest.mark.slow
def test_output_does_not_depend_on_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i in range(6):
        (tmp_path / "p" / "src" / f"f{i}.cu").write_text(KERNEL.replace("sizes", f"s{i}"))
        (tmp_path / "build" / "gen" / f"s{i}.h").write_text(f"#define N {i + 1}\n")
    database(tmp_path, **{f"f{i}_cu": f"nvcc -Igen -arch=sm_{70 + 10 * (i % 3)}" for i in range(5)})
    one, two = (kernels(capsys, "src", "-p", "../build", "-j", jobs) for jobs in ("1", "2"))
    assert one == two
    assert [found["lds_bytes"] for found in one] == [4, 8, 12, 16, 20, 24]


def test_standard_input_has_the_given_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    database(tmp_path, a_hip="hipcc --offload-arch=gfx906")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HIP.encode())))
    (found,) = kernels(capsys, "-", "--stdin-filename", "src/a.hip", "-p", "../build")
    assert list(found["targets"]) == ["gfx906"]


def test_settings_stay_small_for_the_workers(tmp_path: Path) -> None:
    path = database(tmp_path, **{f"f{i}_cu": "nvcc" for i in range(500)})
    assert len(pickle.dumps(Settings(build_dir=str(path)))) < 1000


def test_a_fat_binary_gets_no_advice_that_suits_one_gpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1,024 threads waste a third of an SM of sm_86 and nothing on sm_90; who names the GPU wants to hear of it."""
    kernel = "__global__ void k(float* p) { p[threadIdx.x + blockIdx.x * 1024] = 1.0f; }\n"
    (tmp_path / "a.cu").write_text(kernel + "void f(float* p) { k<<<64, 1024>>>(p); }\n")
    command = "nvcc --generate-code=arch=compute_86,code=sm_86 --generate-code=arch=compute_90,code=sm_90 -c a.cu"
    entries = [{"directory": str(tmp_path), "file": "a.cu", "command": command}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    flags = ("--isolated", "-p", tmp_path, "--select", "RP106", "--output-format", "json", tmp_path / "a.cu")
    assert json.loads(run(capsys, "check", *flags).out)["diagnostics"] == []
    named = json.loads(run(capsys, "check", "--arch", "sm_86,sm_90", *flags).out)["diagnostics"]
    assert [found["targets"] for found in named] == [["sm_86"]]
