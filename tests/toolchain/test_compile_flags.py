"""Facts read from a compiler's arguments, and arguments that are never used."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from regpress_lint.compilation.flags import parse, split
from regpress_lint.core.settings import CompileCommand, IncludeDir, RegisterOptions
from regpress_lint.targets.occupancy import architectures

if TYPE_CHECKING:
    from pathlib import Path

NVCC = "/usr/local/cuda/bin/nvcc"


def flags(text: str, file: str = "/p/a.cu") -> CompileCommand:
    """Facts read from a command line, whose first word is the compiler."""
    return parse(["c++", *(split(text) or ())], "/p/build", file)


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
        ("-I- -iquote-x", []),
        ("-isystem =/x", [("/x", "system")]),
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
        ("--offload-arch=gfx9-4-generic,gfx11-generic", ["gfx942", "gfx1102"]),
        ("-fsycl -fsycl-targets=amd_gpu_gfx1154,intel_gpu_xyz", ["gfx1153"]),
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
    assert split(r'C:\x\nvcc.exe -I"C:\a b\c" -DS=\"q\"', windows=True) == [r"C:\x\nvcc.exe", r"-IC:\a b\c", '-DS="q"']


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
# The default of `st.text`, which takes seconds to find out that surrogates have no UTF-8.
CHARACTERS = st.characters(exclude_categories=["Cs"])
WORD = st.one_of(
    st.sampled_from(OPTIONS),
    st.text(CHARACTERS, max_size=8),
    st.tuples(st.sampled_from(OPTIONS), st.text(CHARACTERS, max_size=6)).map("".join),
)
KNOWN = {architecture.name for architecture in architectures()}


@given(
    st.lists(WORD, max_size=12),
    st.sampled_from(["/p", "relative", "/p/../q", ""]),
    st.sampled_from([".cu", ".cpp", ""]),
)
def test_only_allowed_options_are_read_from_any_words(words: list[str], directory: str, extension: str) -> None:
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


@given(st.text(CHARACTERS, max_size=60))
def test_splitting_never_raises(text: str) -> None:
    for windows in (False, True):
        words = split(text, windows)
        assert words is None or all(isinstance(word, str) for word in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-O3 -DN=4", RegisterOptions()),
        ("-maxrregcount=64", RegisterOptions(64)),
        ("-maxrregcount 64 --maxrregcount=48", RegisterOptions(48)),
        ("-Xptxas -maxrregcount=40", RegisterOptions(40)),
        ("-Xptxas=-v,--maxrregcount=40 --ptxas-options=-v", RegisterOptions(40)),
        ("-Xcuda-ptxas --maxrregcount=40", RegisterOptions(40)),
        ("-maxrregcount=300 -maxrregcount=x -maxrregcount", RegisterOptions()),  # ptxas ignores more than 255
        ("-o -maxrregcount=64", RegisterOptions()),
        ("--gpu-max-threads-per-block=256", RegisterOptions(max_threads=256)),
        ("-ftarget-register-alloc-mode=pvc:large", RegisterOptions(grf=256)),
        ("-ftarget-register-alloc-mode=bmg:large,pvc:auto", RegisterOptions(grf=0)),
        ("-ftarget-register-alloc-mode=bmg:large", RegisterOptions()),
        ("-Xs -ze-opt-large-register-file", RegisterOptions(grf=256)),
        ("-Xsycl-target-backend=spir64_gen -ze-intel-128-GRF-per-thread", RegisterOptions(grf=128)),
        ("-ze-intel-enable-auto-large-GRF-mode", RegisterOptions(grf=0)),
        ("-Xs '-options -ze-opt-intel-enable-auto-large-GRF-mode'", RegisterOptions(grf=0)),  # as Intel's guide has it
        ("-Xs '-device pvc -options \"-g -ze-opt-large-register-file\"'", RegisterOptions(grf=256)),
        ("-Xs-ze-opt-large-register-file", RegisterOptions(grf=256)),
        ("-Xsycl-target-backend=intel_gpu_pvc '-options -cl-intel-256-GRF-per-thread'", RegisterOptions(grf=256)),
        ("-Xsycl-target-backend '-options -cl-opt-large-register-file'", RegisterOptions(grf=256)),
        ("-Xsycl-target-backend '-cl-intel-reqd-eu-thread-count=4'", RegisterOptions(grf=256)),
        ("-Xs '-options \"-cl-intel-reqd-eu-thread-count 8\"'", RegisterOptions(grf=128)),
        ("-Xs '-cl-intel-reqd-eu-thread-count=40'", RegisterOptions()),
        ("-Xsycl-target-backend=nvptx64-nvidia-cuda --offload-arch=sm_90", RegisterOptions()),
    ],
)
def test_options_that_cap_registers(text: str, expected: RegisterOptions) -> None:
    assert flags(text).registers == expected
