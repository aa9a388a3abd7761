"""Bytecode and expressions of earlier runs (`core/bytecode.py`): they are what Python would have made, or not used."""

from __future__ import annotations

import importlib
import importlib.util
import py_compile
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from regpress_lint.core import bytecode

MODULE = "WORD = 'first'\n\ndef answer():\n    return 6 * 7\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that takes the place of this program's own; its one module has not been imported yet."""
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "__init__.py").write_text("")
    (tmp_path / "own_package" / "module.py").write_text(MODULE)
    monkeypatch.setattr(bytecode, "_PACKAGES", ("own_package",))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("own_package", "own_package.module"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path / "own_package" / "module.py"


@pytest.fixture
def kept(source: Path, tmp_path: Path) -> str:
    """The file after a run that has imported the module and used two expressions."""
    store = bytecode.Store(str(tmp_path / "code.all"))
    importlib.import_module("own_package.module")
    store.expression(r"(?P<name>[a-z]\w*+)\s*(?:=|$)", re.ASCII | re.IGNORECASE)
    store.expression(rb"[^\x80-\xff]{2,}", 0)
    store.keep()
    return str(tmp_path / "code.all")


def test_the_next_run_executes_the_module_from_the_file(kept: str, source: Path) -> None:
    spec = bytecode.Store(kept).find_spec("own_package.module")
    assert spec is not None
    assert spec.loader is not None
    source.with_name("__pycache__").joinpath(Path(importlib.util.cache_from_source(str(source))).name).unlink()
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (module.WORD, module.answer()) == ("first", 42)
    assert module.__file__ == str(source)
    assert module.answer.__code__.co_filename == str(source)  # as a traceback shows it
    package = bytecode.Store(kept).find_spec("own_package")
    assert package is not None
    assert package.submodule_search_locations == [str(source.parent)]


def test_a_traceback_shows_where_the_module_is_now(source: Path, tmp_path: Path) -> None:
    cached = importlib.util.cache_from_source(str(source))
    py_compile.compile(str(source), cached, dfile="elsewhere/module.py")
    store = bytecode.Store(str(tmp_path / "code.all"))
    importlib.import_module("own_package.module")
    store.keep()
    spec = bytecode.Store(str(tmp_path / "code.all")).find_spec("own_package.module")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    assert module.answer.__code__.co_filename == str(source)


def test_a_module_that_was_edited_is_read_by_python(kept: str, source: Path) -> None:
    source.write_text(MODULE + "MORE = 1\n")
    assert bytecode.Store(kept).find_spec("own_package.module") is None
    assert bytecode.Store(kept).find_spec("own_package") is not None
    source.unlink()
    assert bytecode.Store(kept).find_spec("own_package.module") is None


def test_a_run_that_has_learned_nothing_writes_nothing(kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Path(kept).stat()
    bytecode.Store(kept).keep()
    again = bytecode.Store(kept)
    again.expression(rb"[^\x80-\xff]{2,}", 0)
    again.keep()
    assert Path(kept).stat().st_ino == before.st_ino
    again.expression("new", 0)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    again.keep()
    assert Path(kept).stat().st_ino == before.st_ino
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    again.keep()
    assert Path(kept).stat().st_ino != before.st_ino
    # What was there stays there.
    assert bytecode.Store(kept).find_spec("own_package.module") is not None
    assert len(bytecode.Store(kept).expressions) == 3


def test_a_module_that_is_gone_is_dropped_and_the_rest_is_kept(kept: str, source: Path) -> None:
    source.unlink()
    store = bytecode.Store(kept)
    store.expression("new", 0)
    store.keep()
    after = bytecode.Store(kept)
    assert [*after.modules] == ["own_package"]
    assert ("new", 0) in after.expressions


@pytest.mark.parametrize("damage", ["", "short", "text", "index", "other interpreter"])
def test_unusable_file_is_ignored(kept: str, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path(kept).read_bytes()
    damaged = {"": b"", "short": data[:30], "text": b"hello" * 9, "index": data[:8] + b"\0" * 99 + data[107:]}
    if damage == "other interpreter":
        monkeypatch.setattr(bytecode, "_VERSION", f"{bytecode._VERSION}, another one")
    else:
        Path(kept).write_bytes(damaged[damage])
    store = bytecode.Store(kept)
    assert store.find_spec("own_package.module") is None
    assert store.expression("a+", 0) == re.compile("a+")
    store.keep()  # and is made anew
    assert bytecode.Store(kept).expressions


def test_a_module_cut_short_is_read_by_python(kept: str) -> None:
    data = Path(kept).read_bytes()
    Path(kept).write_bytes(data[:-40])
    assert bytecode.Store(kept).find_spec("own_package.module") is None


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (r"(?P<name>[a-z]\w*+)\s*(?:=|$)", re.ASCII | re.IGNORECASE),
        (rb"[^\x80-\xff]{2,}", 0),
        (r"(a)|(?P<second>b)(?(second)c|d)", 0),
        (r"(?ms)^\s*+(?<!x)é.*?[äöü-]$", 0),
        (r"(x)(?>a*)(?i:b)\1??", re.VERBOSE),
    ],
)
def test_stored_expression_equals_the_compiled_one(tmp_path: Path, text: Any, flags: int) -> None:
    expected = re.compile(text, flags)
    first = bytecode.Store(str(tmp_path / "code.all"))
    assert first.expression(text, flags) == expected
    first.keep()
    second = bytecode.Store(str(tmp_path / "code.all"))
    assert (text, int(flags)) in second.expressions
    found = second.expression(text, flags)
    assert found == expected
    assert not second.learned
    assert found.groupindex == expected.groupindex


def test_only_the_command_line_puts_a_finder_in_front_of_pythons(tmp_path: Path) -> None:
    code = (
        "import sys, regpress_lint.__main__ as m; before = len(sys.meta_path); {}; print(len(sys.meta_path) - before)"
    )
    within = "m.main(['targets', 'gfx90a', '--output-format', 'json'])"
    alone = "sys.argv = ['regpress-lint', 'targets', 'gfx90a', '--output-format', 'json']; m.main()"
    for call, added in ((within, "0"), (alone, "1")):
        run = subprocess.run(
            [sys.executable, "-c", code.format(call)], capture_output=True, text=True, cwd=tmp_path, check=True
        )
        assert run.stdout.splitlines()[-1] == added
