"""Include resolution: project files only, bounded, as a build would find them."""

from __future__ import annotations

import pytest

from regpress_lint.cpp.preprocess import includes as module
from regpress_lint.cpp.preprocess.build_files import build_directories, build_macros
from regpress_lint.cpp.preprocess.build_settings import Given
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.cpp.preprocess.macros import Macro
from regpress_lint.cpp.preprocess.outlines import scan_includes


class Files:
    """An in-memory project that counts lookups."""

    def __init__(self, **files: str) -> None:
        self.content = {name.replace("__", "/").replace("_h", ".h"): text.encode() for name, text in files.items()}
        self.asked: list[str] = []

    def put(self, path: str, text: str) -> Files:
        self.content[path] = text.encode()
        return self

    def __call__(self, path: str) -> bytes | None:
        self.asked.append(path)
        return self.content.get(path)


def test_own_directory_then_the_headers_own_directory() -> None:
    files = Files().put("p/src/sub/b.h", '#include "c.h"\n').put("p/src/sub/c.h", "").put("p/src/c.h", "")
    assert IncludeResolver("p", files).closure("p/src/a.cu", b'#include "sub/b.h"\n') == (
        "p/src/sub/b.h",
        "p/src/sub/c.h",
    )


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("CFLAGS = -O3 --use_fast_math\n", True),
        ("CFLAGS = -O3 # --use_fast_math\n", False),
        ("FAST = no\nifeq ($(FAST),yes)\nCFLAGS += -use_fast_math\nendif\n", False),
        ("CFLAGS = -O3\n", False),
    ],
)
def test_fast_math_is_read_from_the_default_make_target(text: str, asked: bool) -> None:
    assert IncludeResolver("p", Files().put("p/s/Makefile", text)).fast_math("p/s/m.cu") is asked


def test_given_directories_precede_those_of_the_makefile() -> None:
    files = Files().put("p/x/a.h", "").put("p/y/a.h", "").put("p/s/Makefile", "FLAGS = -I../y\n")
    assert IncludeResolver("p", files, ["p/x"]).closure("p/s/m.cu", b"#include <a.h>") == ("p/x/a.h",)
    assert IncludeResolver("p", files).closure("p/s/m.cu", b"#include <a.h>") == ("p/y/a.h",)


@pytest.mark.parametrize("folder", ["rocprim", "hipcub", "cub", "thrust", "cuda", "my"])
def test_a_toolkits_header_in_a_folder_that_the_user_names_is_read(folder: str) -> None:
    files = Files().put(f"x/{folder}/a.hpp", "")
    include = f"#include <{folder}/a.hpp>".encode()
    assert IncludeResolver("p", files, ["x"], named_dirs=["x"]).closure("p/m.cu", include) == (f"x/{folder}/a.hpp",)
    assert IncludeResolver("p", files).closure("p/m.cu", include) == ()


@pytest.mark.parametrize("header", ["cuda_helper.h", "cudautils.h", "cuda_common_types.h"])
def test_a_projects_header_that_is_called_as_cudas_are_is_read(header: str) -> None:
    files = Files().put(f"p/{header}", "").put("p/cuda_runtime.h", "").put("p/cuda_fp16.h", "")
    text = f"#include <{header}>\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n".encode()
    assert IncludeResolver("p", files).closure("p/quark/m.cu", text) == (f"p/{header}",)


def test_a_sibling_tree_through_minus_i_as_in_hecbench() -> None:
    files = (
        Files().put("src/acc-hip/Makefile", "CFLAGS := -O3 -I../acc-cuda\n").put("src/acc-cuda/k.h", "#define N 64\n")
    )
    table = IncludeResolver("src", files).macros("src/acc-hip/main.cu", b'#include "k.h"\n')
    macro = table.get("N")
    assert macro is not None
    assert (macro.body, macro.path) == ("64", "src/acc-cuda/k.h")


def test_a_bare_name_of_versions_side_by_side_means_the_own_versions_file() -> None:
    files = Files().put("p/a-cuda/x/k.h", "#define N 1\n").put("p/a-hip/x/k.h", "#define N 2\n")
    resolver = IncludeResolver("p", files, named=lambda _name: ("p/a-hip/x/k.h", "p/a-cuda/x/k.h"))
    assert resolver.closure("p/a-cuda/y/main.cu", b'#include "k.h"\n') == ("p/a-cuda/x/k.h",)
    assert resolver.closure("p/b/main.cu", b'#include "k.h"\n') == ()
    two = IncludeResolver("p", files.put("p/a-cuda/z/k.h", ""), named=lambda _name: tuple(files.content))
    assert two.closure("p/a-cuda/y/main.cu", b'#include "k.h"\n') == ()


def test_paths_from_the_root_and_from_here_share_no_folder() -> None:
    files = Files().put("/q/a-cuda/x/k.h", "#define N 1\n").put("p/a-cuda/x/k.h", "#define N 2\n")
    resolver = IncludeResolver("/q", files, named=lambda _name: tuple(files.content))
    assert resolver.closure("/q/a-cuda/y/main.cu", b'#include "k.h"\n') == ("/q/a-cuda/x/k.h",)
    away = IncludeResolver("/q", files, named=lambda _name: ("p/a-cuda/x/k.h", "p/a-hip/x/k.h"))
    assert away.closure("/q/a-cuda/y/main.cu", b'#include "k.h"\n') == ()


def test_include_directories_above_the_file() -> None:
    files = Files().put("p/include/lib/a.h", "").put("p/k/include/b.h", "")
    found = IncludeResolver("p", files).closure("p/k/src/m.cu", b'#include <lib/a.h>\n#include "b.h"\n')
    assert found == ("p/include/lib/a.h", "p/k/include/b.h")


@pytest.mark.parametrize("include", ['"../../secret.h"', '"/etc/passwd"', '"../outside.h"', "<../../x/y.h>"])
def test_no_file_outside_the_project_is_read(include: str) -> None:
    files = (
        Files()
        .put("secret.h", "")
        .put("outside.h", "")
        .put("/etc/passwd", "")
        .put("p/Makefile", "F=-I/usr/include -I..\n")
    )
    assert IncludeResolver("p", files).closure("p/a.cu", f"#include {include}\n".encode()) == ()
    assert all(path.startswith("p/") for path in files.asked)


def test_a_folder_that_the_user_names_is_read_and_nothing_above_it() -> None:
    files = (
        Files().put("secret.h", "").put("lib/all.h", '#include "own.h"\n#include "../secret.h"\n').put("lib/own.h", "")
    )
    named = IncludeResolver("p", files, ["lib"], named_dirs=["lib"])
    assert named.closure("p/a.cu", b'#include "all.h"\n#include "../secret.h"\n') == ("lib/all.h", "lib/own.h")
    assert all(path.startswith(("p/", "lib/")) for path in files.asked)
    assert IncludeResolver("p", files, ["lib"]).closure("p/a.cu", b'#include "all.h"\n') == ()


@pytest.mark.parametrize("root", [".", ""])
def test_a_relative_root(root: str) -> None:
    files = Files().put("a.h", "")
    assert IncludeResolver(root, files).closure("a.cu", b'#include "./a.h"\n#include "../b.h"\n') == ("a.h",)
    assert "../b.h" not in files.asked


def test_cycles_and_self_includes_end() -> None:
    files = Files().put("p/a.h", '#include "b.h"\n').put("p/b.h", '#include "a.h"\n#include "b.h"\n#include "m.cu"\n')
    assert IncludeResolver("p", files).closure("p/m.cu", b'#include "a.h"\n#include "m.cu"\n') == ("p/a.h", "p/b.h")


def test_a_cycle_costs_each_of_its_headers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that were counted again and again would leave no room for the headers behind the cycle."""
    monkeypatch.setattr(module, "MAX_CLOSURE_BYTES", 100)
    files = Files().put("p/a.h", '#include "b.h"\n').put("p/b.h", '#include "a.h"\n').put("p/c.h", "int c;\n")
    found = IncludeResolver("p", files).closure("p/m.cu", b'#include "a.h"\n#include "c.h"\n')
    assert found == ("p/a.h", "p/b.h", "p/c.h")


def test_the_nearest_headers_are_read_where_they_are_too_many() -> None:
    files = Files().put("p/own.h", '#include "type.h"\n').put("p/type.h", "struct Type {};\n")
    for i in range(400):
        files.put(f"p/h{i}.h", f'#include "h{i + 1}.h"\n')
    found = IncludeResolver("p", files).closure("p/a.cu", b'#include "h0.h"\n#include "own.h"\n')
    assert len(found) == module.MAX_CLOSURE_FILES
    assert found[0] == "p/h0.h"
    assert found[-2:] == ("p/own.h", "p/type.h")  # in the order of a compiler


def test_the_closure_is_bounded_in_number_and_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files()
    for i in range(400):
        files.put(f"p/h{i}.h", f'#include "h{i + 1}.h"\n')
    assert len(IncludeResolver("p", files).closure("p/a.cu", b'#include "h0.h"')) == module.MAX_CLOSURE_FILES
    monkeypatch.setattr(module, "MAX_CLOSURE_BYTES", 100)
    assert len(IncludeResolver("p", files).closure("p/a.cu", b'#include "h0.h"')) <= 100 // len('#include "h1.h"\n')


def test_own_macros_override_headers_and_headers_override_build_flags() -> None:
    files = Files().put("p/a.h", "#define N 2\n#define M 3\n").put("p/Makefile", "F = -DN=4 -DM=5 -DK=6\n")
    table = IncludeResolver("p", files).macros("p/a.cu", b'#include "a.h"\n#define N 1\n')
    assert [macro.body for macro in table.all("N")] == ["1", "2", "4"]
    assert [macro.body for macro in table.all("M")] == ["3", "5"]
    assert [macro.body for macro in table.all("K")] == ["6"]


def test_compile_command_overrides_build_files() -> None:
    files = Files().put("p/a.h", "#define N 2\n").put("p/Makefile", "F = -DN=4 -DM=5 -DK=6 -DL=7\n")
    macros = tuple(Macro(name, None, "9", "commands", 0) for name in ("N", "M"))
    given = Given((), (), macros, frozenset("K"))
    table = IncludeResolver("p", files).macros("p/a.cu", b'#include "a.h"\n', given)
    assert {name: [macro.body for macro in table.all(name)] for name in "NMKL"} == {
        "N": ["2", "9"],
        "M": ["9"],
        "K": [],
        "L": ["7"],
    }


def test_files_with_different_commands_in_a_folder_are_separate() -> None:
    files = Files().put("p/x/a.h", "#define N 1\n").put("p/y/a.h", "#define N 2\n")
    resolver = IncludeResolver("p", files)
    bodies = []
    for directory in ("p/x", "p/y", "p/x"):
        macro = resolver.macros("p/s/m.cu", b"#include <a.h>", Given((), (directory,))).get("N")
        bodies.append(macro.body if macro is not None else None)
    assert bodies == ["1", "2", "1"]
    assert resolver.closure("p/s/m.cu", b"#include <a.h>") == ()


def test_the_build_folder_may_be_read_and_nothing_beside_it() -> None:
    files = Files().put("/b/gen/a.h", "").put("/b2/c.h", "").put("/c.h", "")
    resolver = IncludeResolver("p", files, build_folder="/b")
    given = Given((), ("/b/gen", "/b2", "/"))
    assert resolver.closure("p/m.cu", b'#include "a.h"\n#include "c.h"\n#include "../../c.h"', given) == ("/b/gen/a.h",)
    assert all(path.startswith(("/b/", "p/")) for path in files.asked)


def test_paths_that_are_not_there_are_forgotten_at_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_KNOWN", 20)
    files = Files().put("p/a.h", "")
    resolver = IncludeResolver("p", files)
    for i in range(100):
        assert resolver.closure("p/m.cu", f'#include "a.h"\n#include "no{i}.h"\n'.encode()) == ("p/a.h",)
        assert len(resolver._read) <= 20
    assert files.asked.count("p/a.h") == 1


def test_files_are_read_once() -> None:
    files = Files().put("p/a.h", "#define N 2\n")
    resolver = IncludeResolver("p", files)
    for name in ("p/x.cu", "p/y.cu", "p/x.cu"):
        resolver.macros(name, b'#include "a.h"\n#include "absent.h"\n#include <vector>\n#include <hip/hip_runtime.h>\n')
    assert len(files.asked) == len(set(files.asked))
    assert not any("vector" in path or "hip_runtime" in path for path in files.asked)


def test_makefile_variables_only_where_their_value_is_plain() -> None:
    text = "ROOT = ../lib\nINC:=$(ROOT)/include\nA = $(shell pwd)\nB = x\nB = y\n"
    text += "F = -I$(INC) -I ${ROOT} -I$(A) -I$(B) -I$(NO)\n"
    assert build_directories(text, "p/s", cmake=False) == ["p/lib/include", "p/lib"]
    macros = build_macros("W=32\nF=-DWARP=$(W) -DX=$(Y) -DFLAG -D SPACED=1", "Makefile", cmake=False)
    assert [(macro.name, macro.body) for macro in macros] == [("WARP", "32"), ("FLAG", "1"), ("SPACED", "1")]


def test_only_defines_of_a_plain_make_count() -> None:
    text = (
        "DEBUG = no\nKIND := fast\nLATER = a\nLATER = b\n"
        "ifeq ($(DEBUG),yes)\n  F += -DDEBUG\nelse\n  F += -DNDEBUG\nendif\n"
        "ifdef UNSET\n  F += -DUNSET\nendif\nifndef UNSET\n  F += -DNOT_SET\nendif\n"
        'ifneq "$(KIND)" "slow"\n F += -DFAST\nelse ifeq ($(KIND),fast)\n F += -DNEVER\nelse\n F += -DNOR\nendif\n'
        "ifeq ($(LATER),b)\n F += -DMAYBE\nelse\n F += -DOR_ELSE\nendif\nF += -DALWAYS=1\n"
    )
    found = build_macros(text, "Makefile", cmake=False)
    assert [macro.name for macro in found] == ["NDEBUG", "NOT_SET", "FAST", "MAYBE", "OR_ELSE", "ALWAYS"]
    assert all(text[macro.offset :].startswith(macro.name) for macro in found)


def test_cmake_definitions() -> None:
    text = (
        'set(N 8)\ntarget_compile_definitions(app PRIVATE WIDTH=${N} WIDE "REAL=double" PUBLIC $<IF:A> OPEN=${NO})\n'
        "add_compile_definitions(FAST=2)\nadd_definitions(-DOLD)\n"
    )
    found = build_macros(text, "CMakeLists.txt", cmake=True)
    assert [(macro.name, macro.body) for macro in found] == [
        ("OLD", "1"), ("WIDTH", "8"), ("WIDE", "1"), ("REAL", "double"), ("FAST", "2")
    ]  # fmt: skip
    assert not build_macros(text.replace("-DOLD", ""), "Makefile", cmake=False)


def test_cmake_directories() -> None:
    text = (
        "set(LIB ../lib)\ninclude_directories(${CMAKE_CURRENT_SOURCE_DIR}/inc)\n"
        "target_include_directories(app PUBLIC ${LIB} ${UNKNOWN}/x)\n"
    )
    assert build_directories(text, "p/s", cmake=True) == ["p/s/inc", "p/lib"]


def test_include_lines_are_read_in_every_spelling() -> None:
    data = b'#include "a.h"\r\n # include <b/c.h> // x\n#include MACRO\n#include "a.h"\n#include "unterminated\n'
    assert scan_includes(data) == (b'"a.h"', b"<b/c.h>")


def test_hostile_includes_do_no_harm() -> None:
    data = b'\0\xff#include "' + b"x" * 10_000 + b'"\n#include "\xff\xfe"\n#include ""\n' + b"#include <" * 10_000
    assert IncludeResolver("p", Files()).closure("p/a.cu", data) == ()


def test_a_header_whose_text_was_dropped_is_not_read_again_for_its_includes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers of a large library do not fit into what is kept: each file asks for their names, sizes and includes."""
    monkeypatch.setattr(module, "MAX_KEPT_BYTES", 40)
    files = Files().put("p/a.h", '#include "b.h"\n' + 20 * "int x;\n").put("p/b.h", 20 * "int y;\n")
    resolver = IncludeResolver("p", files)
    for name in ("p/one.cu", "p/two.cu"):
        assert resolver.closure(name, b'#include "a.h"\n') == ("p/a.h", "p/b.h")
    assert sorted(path for path in files.asked if path in files.content) == ["p/a.h", "p/b.h"]
