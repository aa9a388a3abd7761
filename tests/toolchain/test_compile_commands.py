"""`compile_commands.json`: whose command is found for a file, and files that mean harm."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from regpress_lint.compilation import commands as module
from regpress_lint.compilation.commands import CompileCommands, load
from regpress_lint.compilation.flags import MAX_WORDS
from regpress_lint.core.errors import UsageError
from regpress_lint.core.settings import IncludeDir

if TYPE_CHECKING:
    from pathlib import Path


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


def test_the_nearest_entry_of_a_root_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = write(tmp_path, [entry(f"{tmp_path}/real/a.cu")])
    assert found.nearest(f"{tmp_path}/link/b.h", f"{tmp_path}/link") is not None


def test_many_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = write(tmp_path, [entry(f"{tmp_path}/real/d{i}/main.cu", f"nvcc -DN={i}") for i in range(2000)])
    for i in (0, 1999):
        own, header = found.of(f"{tmp_path}/link/d{i}/main.cu"), found.nearest(f"{tmp_path}/real/d{i}/main.h")
        assert own is not None
        assert own.macros == (("N", str(i)),)
        assert header == own


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
    start = time.process_time()
    read = [found.of(one["file"]) for one in odd]
    assert time.process_time() - start < 3
    assert all(command is None or command.targets == () for command in read)
    assert found.of("/p/x\0y.cu") is None
    assert found.nearest("/p/x\0y.cu") is None
    assert found.of("\ud800\udfff.cu") is None
    bounded = found.of("/p/dirs.cu")
    assert bounded is not None
    assert len(bounded.include_dirs) <= 512
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
        (b"[" + b'{"file":"a","command":"c"},' * 250_000 + b"1]", "250,001 entries, more than the 200,000"),
    ],
    ids=range(10),
)
def test_invalid_database(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "compile_commands.json").write_bytes(content)
    start = time.process_time()
    with pytest.raises(UsageError, match=expected):
        load(str(tmp_path))
    assert time.process_time() - start < 10


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


def test_names_that_are_not_utf_8_are_kept_as_in_the_file_system(tmp_path: Path) -> None:
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
    start = time.process_time()
    found = load(str(tmp_path))
    assert found.of("/p/src/d3/f170.cu") is not None
    assert found.nearest("/p/src/d3/x.h", "/p") is not None
    assert time.process_time() - start < 1
