"""`compile_commands.json`: what comes out of a compiler's words, what never does, and files that mean harm."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regpress_lint.compilation import commands as module
from regpress_lint.compilation.commands import CompileCommands, load
from regpress_lint.compilation.flags import MAX_WORDS, Flags, IncludeDir, parse, split
from regpress_lint.errors import UsageError
from regpress_lint.occupancy import architectures

if TYPE_CHECKING:
    from pathlib import Path

NVCC = "/usr/local/cuda/bin/nvcc"


def flags(text: str, file: str = "/p/a.cu") -> Flags:
    """What comes out of a command line; the compiler is in front of it."""
    return parse(["c++", *text.split()], "/p/build", file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-I/x -I /y -Iz -I=/w", [("/x", "normal"), ("/y", "normal"), ("/p/build/z", "normal"), ("/w", "normal")]),
        ("-I ../inc/./a", [("/p/inc/a", "normal")]),
        ("--include-path=/x --include-path /y", [("/x", "normal"), ("/y", "normal")]),
        ("-isystem /x -isystem/y -isystem=/z", [("/x", "system"), ("/y", "system"), ("/z", "system")]),
        ("--system-include=/x --system-include /y", [("/x", "system"), ("/y", "system")]),
        ("-iquote/x -iquote /y -idirafter /z", [("/x", "quote"), ("/y", "quote"), ("/z", "after")]),
        ("-I/x -I/x -isystem /x", [("/x", "normal"), ("/x", "system")]),
        # what looks like a folder and is the value of something else
        ("-o -I/x -MF -I/y -MT -I/z -MQ -I/w", []),
        ("-Xcompiler -I/x -Xcompiler=-I/y -Xclang -I/z -Xpreprocessor -I/w -Xptxas -I/v", []),
        ("-Xclang -load -Xclang evil.so -Xarch_gfx90a -I/x -Xopenmp-target=nvptx64 -I/y", []),
        ("--compiler-options -I/x -ccbin -I/y --linker-options -I/z -fplugin -I/w -mllvm -I/v", []),
        ("-include-pch -I/x -imacros -I/y -isysroot -I/z -cxx-isystem /w -ivfsoverlay -I/v", []),
        ("-iwithprefix /x -isystem-after /y -iframework /z -F /w --sysroot /v", []),
        ("-c a.cu -- -I/x", []),
        ("/I/x /x --I/x -i/x -L/x -B/x", []),
        ("-I", []),
        ("-Xcompiler=-fPIC -I/x", [("/x", "normal")]),
        ("-O -G -g -I/x", [("/x", "normal")]),
    ],
)
def test_include_folders(text: str, expected: list[tuple[str, str]]) -> None:
    assert flags(text).include_dirs == tuple(IncludeDir(*pair) for pair in expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-DA -D B -DC=4 -D D=5 -D=E", [("A", "1"), ("B", "1"), ("C", "4"), ("D", "5"), ("E", "1")]),
        ("-DA= -DF(x)=x*2 -DA=b=c", [("A", ""), ("F(x)", "x*2"), ("A", "b=c")]),
        ("--define-macro=A=1 --define-macro B --undefine-macro=A", [("A", "1"), ("B", "1"), ("A", None)]),
        ("-DA -UA -U B", [("A", "1"), ("A", None), ("B", None)]),
        ("-D1 -D-x -Da-b=1 -D -U", []),
        ("-Wp,-DA -Xcompiler -DB -Xclang -DC -o -DD", []),
    ],
)
def test_macros(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert flags(text).macros == tuple(expected)


def test_a_macro_cannot_smuggle_a_second_line() -> None:
    words = ["c++", "-DA=1\n#include </etc/passwd>", "-D", "B\n", "-DC=a\tb", "-DD=\x00", "-I/x\n/y", "-I/x\x00"]
    found = parse(words, "/p", "/p/a.cu")
    assert found.macros == (("C", "a\tb"),)
    assert found.include_dirs == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-std=c++17", "c++17"),
        ("--std gnu++20", "gnu++20"),
        ("-std c++14 --std=c++2b", "c++2b"),
        ("-std=gnu11", None),
        ("-std=c++17;rm", None),
        ("-std=c++", None),
    ],
)
def test_standard(text: str, expected: str | None) -> None:
    assert flags(text).standard == expected


@pytest.mark.parametrize(
    ("command", "file", "expected"),
    [
        ("clang++ -x hip -c a.cpp", "a.cpp", "hip"),
        ("clang++ -xhip -c a.cpp", "a.cpp", "hip"),
        ("clang++ -x cuda -c a.cpp", "a.cpp", "cuda"),
        (f"{NVCC} -x cu -c a.cpp", "a.cpp", "cuda"),
        (f"{NVCC} -c a.cu", "a.cu", "cuda"),
        (f"{NVCC} -c a.cpp", "a.cpp", None),
        ("g++ -c a.cpp", "a.cpp", None),
        ("clang++ -x hip -c a.cu", "a.cu", "hip"),
        ("clang++ -x c++ -c a.cu", "a.cu", None),
        ("/opt/rocm/bin/hipcc -c a.cpp", "a.cpp", "hip"),
        ("/opt/rocm/bin/hipcc -c a.cu", "a.cu", "hip"),
        ("hipcc.bin -x c++ -c a.cpp", "a.cpp", None),
        ("ccache /opt/rocm/bin/hipcc -c a.cpp", "a.cpp", "hip"),
        ("cmake -E env A=1 sccache hipcc -c a.cpp", "a.cpp", "hip"),
        ("clang++ -c a.hip", "a.hip", "hip"),
        ("icpx -fsycl -c a.cpp", "a.cpp", "sycl"),
        ("icpx -fsycl -fno-sycl -c a.cpp", "a.cpp", None),
        ("clang++ -fsycl-targets=nvptx64-nvidia-cuda a.cpp", "a.cpp", "sycl"),
        ("acpp --acpp-targets=generic a.cpp", "a.cpp", "sycl"),
        ("icpx -xCORE-AVX2 -xHost -fsycl a.cpp", "a.cpp", "sycl"),
    ],
)
def test_language(command: str, file: str, expected: str | None) -> None:
    assert parse(command.split(), "/p", f"/p/{file}").language == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--offload-arch=gfx90a", ["gfx90a"]),
        ("--offload-arch=gfx90a:sramecc+:xnack-", ["gfx90a"]),
        ("--offload-arch=gfx90a,gfx942 --offload-arch=gfx90a", ["gfx90a", "gfx942"]),
        ("--offload-arch=gfx90a:xnack-,gfx90a:xnack+", ["gfx90a"]),
        ("--offload-arch=native --offload-arch=gfx9999", []),
        ("--offload-arch=gfx90a --offload-arch=gfx942 --no-offload-arch=gfx90a", ["gfx942"]),
        ("--amdgpu-target=gfx90a --amdgpu-target=gfx908", ["gfx90a", "gfx908"]),
        ("--cuda-gpu-arch=sm_90", ["sm_90"]),
        ("-arch=sm_80", ["sm_80"]),
        ("-arch sm_80", ["sm_80"]),
        ("--gpu-architecture=compute_80 --gpu-code=sm_86,compute_80", ["sm_86"]),
        ("-arch=compute_80", ["sm_80"]),
        ("-arch=native -arch=all -arch=all-major -arch=host", []),
        ("-arch=sm_90a", ["sm_90"]),
        ("-gencode arch=compute_90,code=[sm_90,compute_90]", ["sm_90"]),
        ("-gencode=arch=compute_70,code=sm_70 -gencode arch=compute_90,code=compute_90", ["sm_70"]),
        ("--generate-code=arch=compute_70,code=[compute_70,sm_70]", ["sm_70"]),
        ("--generate-code arch=compute_75", ["sm_75"]),
        ("-gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=sm_80", ["sm_90", "sm_80"]),
        ("-fsycl -fsycl-targets=intel_gpu_pvc", ["pvc"]),
        ("-fsycl -fsycl-targets=spir64,nvidia_gpu_sm_80,amd_gpu_gfx90a", ["sm_80", "gfx90a"]),
        (
            "-fsycl -fsycl-targets=amdgcn-amd-amdhsa -Xsycl-target-backend=amdgcn-amd-amdhsa --offload-arch=gfx90a",
            ["gfx90a"],
        ),
        ("-fsycl-targets=amdgcn-amd-amdhsa -Xsycl-target-backend --offload-arch=gfx942", ["gfx942"]),
        ("-fsycl-targets=nvptx64-nvidia-cuda -Xsycl-target-backend --cuda-gpu-arch=sm_80", ["sm_80"]),
        ("--acpp-targets=hip:gfx90a;cuda:sm_80", ["gfx90a", "sm_80"]),
        ("-o --offload-arch=gfx90a -Xclang --offload-arch=gfx90a -Xcompiler -arch=sm_80", []),
    ],
)
def test_targets(text: str, expected: list[str]) -> None:
    assert list(flags(text).targets) == expected


def test_intel_device_behind_the_backend() -> None:
    words = ["icpx", "-fsycl", "-fsycl-targets=spir64_gen", "-Xsycl-target-backend=spir64_gen", "-device pvc,dg2"]
    assert parse(words, "/p", "/p/a.cpp").targets == ("pvc", "dg2")
    assert parse(["icpx", "-fsycl", "-Xs", "-device pvc"], "/p", "/p/a.cpp").targets == ("pvc",)
    assert parse(["icpx", "-fsycl", "-Xs-device pvc"], "/p", "/p/a.cpp").targets == ("pvc",)


def test_forced_includes_are_absolute_where_they_exist(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text("")
    words = [
        "c++",
        "-include",
        "config.h",
        "--pre-include=other.h",
        "-include",
        "config.h",
        "-Xclang",
        "-include",
        "x.h",
    ]
    assert parse(words, str(tmp_path), "/p/a.cu").includes == (f"{tmp_path}/config.h", "other.h")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('nvcc -DSTR="\\"a b\\"" \'-DX=1 2\' a\\ b', ["nvcc", '-DSTR="a b"', "-DX=1 2", "a b"]),
        ("  a   b\t\nc ", ["a", "b", "c"]),
        ("a'b'\"c\"d", ["abcd"]),
        ("'' \"\" a\\", ["", "", "a"]),
        ("a 'b", None),
        ('a "b', None),
        ('a "b\\"', None),
    ],
)
def test_a_command_line_is_split_as_a_shell_does(text: str, expected: list[str] | None) -> None:
    assert split(text) == expected


def test_on_windows_a_backslash_is_part_of_a_path() -> None:
    assert split(r'C:\x\nvcc.exe -I"C:\a b\c" -DS=\"q\"', windows=True) == [
        r"C:\x\nvcc.exe",
        r"-IC:\a b\c",
        '-DS="q"',
    ]


OPTIONS = (
    *("-I", "-isystem", "-iquote", "-D", "-U", "-std=", "-x", "-include", "--offload-arch=", "-gencode", "-arch", "-o"),
    *("-Xclang", "-Xcompiler", "-Xsycl-target-backend", "-fplugin", "-load", "@", "--options-file", "--", "-Xs", "-MF"),
    *(
        "/x",
        "evil.so",
        "gfx90a",
        "sm_90",
        "A=1",
        "c++17",
        "hip",
        "-device pvc",
        "=",
        "[",
        "",
        "-",
        "arch=",
        "code=[sm_90]",
    ),
)
WORD = st.one_of(
    st.sampled_from(OPTIONS),
    st.text(max_size=8),
    st.tuples(st.sampled_from(OPTIONS), st.text(max_size=6)).map("".join),
)
KNOWN = {architecture.name for architecture in architectures()}


@given(
    st.lists(WORD, max_size=12),
    st.sampled_from(["/p", "relative", "/p/../q", ""]),
    st.sampled_from([".cu", ".cpp", ""]),
)
def test_nothing_but_what_is_allowed_comes_out_of_any_words(words: list[str], directory: str, extension: str) -> None:
    asked: list[str] = []
    found = parse(words, directory, f"/p/a{extension}", lambda path: asked.append(path) or words)  # type: ignore[func-returns-value]
    assert found.language in (None, "hip", "cuda", "sycl")
    assert found.standard is None or re.fullmatch(r"(c|gnu)\+\+\w\w", found.standard)
    for folder in found.include_dirs:
        assert folder.kind in ("quote", "normal", "system", "after")
        assert folder.path == os.path.normpath(folder.path)
        assert not re.search(r"[\x00-\x1f]", folder.path)
    for name, body in found.macros:
        assert re.fullmatch(r"[A-Za-z_]\w*(\([\w\s,.]*\))?", name, re.ASCII)
        assert body is None or not re.search(r"[\x00\n\r]", body)
    assert all(not re.search(r"[\x00-\x1f]", include) for include in found.includes)
    assert set(found.targets) <= KNOWN
    assert len(set(found.targets)) == len(found.targets)


@given(st.text(max_size=60))
def test_splitting_never_raises(text: str) -> None:
    for windows in (False, True):
        words = split(text, windows)
        assert words is None or all(isinstance(word, str) for word in words)


# ------------------------------------------------------------------------------------------------------- the file


def entry(file: str, command: str = "nvcc -x cu", directory: str = "/p/build") -> dict[str, str]:
    """One entry as CMake writes it."""
    return {"directory": directory, "command": f"{command} -c {file}", "file": file}


def write(folder: Path, entries: Any) -> CompileCommands:
    """A database in a folder, read."""
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return load(str(folder))


def test_an_entry_by_its_path(tmp_path: Path) -> None:
    found = write(
        tmp_path,
        [
            {"directory": "sub", "file": "../a.cu", "arguments": ["nvcc", "-I..", "-DX=a b", "../a.cu"]},
            entry("b.cpp", "g++", str(tmp_path)),
        ],
    )
    own = found.of(f"{tmp_path}/a.cu")
    assert own is not None
    assert own.path == f"{tmp_path}/a.cu"
    assert own.directory == f"{tmp_path}/sub"
    assert own.include_dirs == (IncludeDir(str(tmp_path), "normal"),)
    assert (own.language, own.macros, own.targets) == ("cuda", (("X", "a b"),), ())
    assert found.of(f"{tmp_path}/sub/../b.cpp") is not None
    assert found.of(f"{tmp_path}/c.cu") is None
    assert found.problems == ()
    assert (found.path, found.folder) == (f"{tmp_path}/compile_commands.json", str(tmp_path))


def test_a_relative_path_and_a_root_reached_by_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.cu").write_text("")
    (tmp_path / "link").symlink_to("real")
    found = write(tmp_path, [entry(f"{tmp_path}/real/a.cu")])
    monkeypatch.chdir(tmp_path / "real")
    for path in ("a.cu", f"{tmp_path}/link/a.cu"):
        assert found.of(path) is not None
    assert write(tmp_path, [entry(f"{tmp_path}/link/a.cu")]).of(f"{tmp_path}/real/a.cu") is not None


def test_of_two_entries_the_gpu_code_counts(tmp_path: Path) -> None:
    found = write(tmp_path, [entry("/p/a.cpp", "g++ -DHOST"), entry("/p/a.cpp", "clang++ -x hip -DGPU")]).of("/p/a.cpp")
    assert found is not None
    assert (found.language, found.macros) == ("hip", (("GPU", "1"),))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/p/src/a.cuh", "/p/src/a.cu"),  # the same stem
        ("/p/include/b.h", "/p/src/b.cu"),  # ... near by
        ("/p/other/deep/b.h", "/p/other/z.cu"),  # ... far away is another program's
        ("/p/src/new.h", "/p/src/a.cu"),  # the same folder: GPU code first
        ("/p/src/deep/er/new.h", "/p/src/a.cu"),  # the longest common path
        ("/p/other/x/new.h", "/p/other/z.cu"),
        ("/q/new.h", None),  # outside the project
        ("/pq/new.h", None),
    ],
)
def test_the_nearest_entry(tmp_path: Path, path: str, expected: str | None) -> None:
    files = ("/p/src/a.cu", "/p/src/aa.cpp", "/p/src/b.cu", "/p/other/z.cu", "/q/new.cu")
    found = write(tmp_path, [entry(file, "g++" if file.endswith("cpp") else "nvcc") for file in files])
    nearest = found.nearest(path, "/p")
    assert (nearest.path if nearest is not None else None) == expected


def test_the_nearest_entry_without_a_root_is_below_the_folder_that_all_share(tmp_path: Path) -> None:
    found = write(tmp_path, [entry("/p/src/a.cu"), entry("/p/lib/b.cu")])
    assert found.nearest("/p/include/x.h") is not None
    assert found.nearest("/other/x.h") is None
    assert write(tmp_path, []).nearest("/p/x.h") is None


def test_response_files_of_the_build_folder_are_read(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "inc.rsp").write_text('-I/x -isystem=/y "-DS=a b" -o -I/z @deeper.rsp -Xclang -load')
    (build / "deeper.rsp").write_text("-I/deeper")
    found = write(build, [entry("/p/a.cu", "nvcc --options-file inc.rsp -I/last", str(build))]).of("/p/a.cu")
    assert found is not None
    assert [folder.path for folder in found.include_dirs] == ["/x", "/y", "/last"]
    assert found.macros == (("S", "a b"),)
    for command in ("nvcc @inc.rsp", "nvcc -optf inc.rsp", "nvcc --options-file=inc.rsp"):
        found = write(build, [entry("/p/a.cu", command, str(build))]).of("/p/a.cu")
        assert found is not None
        assert len(found.include_dirs) == 2


def test_no_other_response_file_is_read(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (tmp_path / "outside.rsp").write_text("-I/x")
    (build / "link.rsp").symlink_to("../outside.rsp")
    (build / "loop.rsp").symlink_to("loop.rsp")
    (build / "folder.rsp").mkdir()
    os.mkfifo(build / "fifo.rsp")
    (build / "large.rsp").write_text("-I/x " + " " * module.MAX_RESPONSE)
    names = ("../outside.rsp", f"{tmp_path}/outside.rsp", "link.rsp", "loop.rsp", "folder.rsp", "fifo.rsp", "large.rsp")
    words = [*(f"@{name}" for name in (*names, "no.rsp")), "--options-file", "/etc/passwd", "@/dev/zero", "-I/own"]
    commands = write(build, [{"directory": str(build), "file": "/p/a.cu", "arguments": ["nvcc", *words]}])
    found = commands.of("/p/a.cu")
    assert found is not None
    assert [folder.path for folder in found.include_dirs] == ["/own"]
    text = "\n".join(commands.problems)
    assert "5 response files not read: outside the build folder" in text
    assert "not a regular file" in text


HOSTILE: list[Any] = [
    None, 1, "x", [], {}, {"file": 1}, {"file": "a.cu"}, {"file": "a.cu", "command": 3}, {"file": "", "command": "x"},
    {"file": "a\0.cu", "command": "x"}, {"file": "a.cu", "directory": 5, "command": "x"},
    {"file": "a.cu", "directory": "x\0", "command": "x"}, {"file": "x" * 5000, "command": "x"},
    {"file": "a.cu", "arguments": "nvcc a.cu"}, {"file": "a.cu", "arguments": ["nvcc", 1]},
    {"file": "a.cu", "command": "x" * (2 << 20)},
]  # fmt: skip


def test_entries_of_a_wrong_shape_are_left_out_and_counted(tmp_path: Path) -> None:
    found = write(tmp_path, [*HOSTILE, entry("/p/a.cu")])
    assert len(found) == 1
    counts = [match for line in found.problems if (match := re.search(r": (\d+) entr", line))]
    assert sum(int(match[1]) for match in counts) == len(HOSTILE)
    assert len(found.problems) < len(HOSTILE)


def test_entries_that_are_odd_are_read_without_harm(tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"file": "/p/quote.cu", "command": 'nvcc "-I/x'},
        {"file": "/p/empty.cu", "arguments": []},
        {"file": "/p/many.cu", "arguments": ["-I/x"] * (3 * MAX_WORDS)},
        {"file": "/p/dirs.cu", "arguments": [f"-I/x{i}" for i in range(5000)] + [f"-DX{i}" for i in range(15000)]},
        {"file": "/p/gpus.cu", "arguments": [f"--offload-arch=gfx{i}" for i in range(15000)]},
        {
            "file": "/p/long.cu",
            "arguments": ["-I" + "x" * 100_000, "-D" + "y" * 100_000, "--offload-arch=" + "z" * 9999],
        },
        {"file": "/p/surrogate.cu", "directory": "\ud800", "arguments": ["-I\ud800", "-D\udc80", "-include", "\ud800"]},
        {"file": "/p/env.cu", "command": "env A=1 sh -c 'rm -rf /' ; $(evil) `evil` && evil | evil > /x"},
        {"file": "\ud800.cu", "arguments": ["nvcc"]},
        {"file": "../../../../../../../../etc/passwd", "arguments": ["nvcc"]},
    ]
    found = write(tmp_path, odd)
    start = time.perf_counter()
    read = [found.of(one["file"]) for one in odd]
    assert time.perf_counter() - start < 3
    assert all(command is None or command.targets == () for command in read)
    assert found.of("/p/x\0y.cu") is None
    assert found.nearest("/p/x\0y.cu") is None
    assert found.of("\ud800\udfff.cu") is None
    bounded = found.of("/p/dirs.cu")
    assert bounded is not None
    assert len(bounded.include_dirs) <= 1024
    assert len(bounded.macros) <= 8192


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe\x00garbage", "not valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"{}", "expected an array"),
        (b"3", "expected an array"),
        (b"[1" + b"0" * 10_000 + b"]", "not valid JSON"),
        (b'[{"file": "a.cu"', "not valid JSON"),
        (b"[" + b"[]," * 5_100_000 + b"[]]", "arrays and objects"),
        (b"[" + b'{"file":"a","command":"c"},' * 1_000_000 + b"1]", "1,000,001 entries, more than the 200,000"),
    ],
    ids=range(10),
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "compile_commands.json").write_bytes(content)
    start = time.perf_counter()
    with pytest.raises(UsageError, match=expected):
        load(str(tmp_path))
    assert time.perf_counter() - start < 10


def test_places_without_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "compile_commands.json"
    with pytest.raises(UsageError, match="CMAKE_EXPORT_COMPILE_COMMANDS"):
        load(str(tmp_path))
    with pytest.raises(UsageError, match="no build folder"):
        load(f"{tmp_path}/nowhere")
    with pytest.raises(UsageError, match="not a path"):
        load("a\0b")
    path.mkdir()
    with pytest.raises(UsageError, match="cannot read"):
        load(str(tmp_path))
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(UsageError, match="not a regular file"):
        load(str(tmp_path))
    path.unlink()
    path.symlink_to("compile_commands.json")
    with pytest.raises(UsageError, match="cannot read"):
        load(str(tmp_path))
    path.unlink()
    path.write_text("[]" + " " * 100)
    monkeypatch.setattr(module, "MAX_BYTES", 50)
    with pytest.raises(UsageError, match="at most 50 bytes"):
        load(str(tmp_path))


def test_names_that_are_no_utf_8_are_those_of_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_bytes(b'[{"file": "/p/\xe9.cu", "command": "nvcc -x cu"}]')
    assert load(str(tmp_path)).of("/p/\udce9.cu") is not None


def test_the_file_is_read_again_only_after_a_change(tmp_path: Path) -> None:
    first = write(tmp_path, [entry("/p/a.cu")])
    assert load(str(tmp_path)) is first
    assert write(tmp_path, [entry("/p/a.cu"), entry("/p/b.cu")]).of("/p/b.cu") is not None


def test_five_thousand_entries_load_in_well_under_a_second(tmp_path: Path) -> None:
    words = " ".join(f"-I/p/include/{i}/some/folder -DNAME_{i}={i}" for i in range(60))
    (tmp_path / "compile_commands.json").write_text(
        json.dumps([entry(f"/p/src/d{i // 50}/f{i}.cu", f"nvcc {words}") for i in range(5000)])
    )
    start = time.perf_counter()
    found = load(str(tmp_path))
    assert found.of("/p/src/d3/f170.cu") is not None
    assert found.nearest("/p/src/d3/x.h", "/p") is not None
    assert time.perf_counter() - start < 1
