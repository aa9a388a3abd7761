"""Bytecode and regular expressions of earlier runs, in one file.

A run over one small file is mostly imports. Python searches folders for each of 220 modules, opens it, and compiles 110
regular expressions. Here a module is a piece of one open file, and an expression a list of numbers. That is a sixth of
0.32 s.

The file is in the folder of Python's own bytecode of this package: it is trusted as much as that. A piece is valid
while its source has the same time and size, which is Python's own rule, and the whole file only for the interpreter
that wrote it. Anything that cannot be read is imported or compiled as usual. Only the command line uses the file:
programs that import the package get Python's importer.
"""

from __future__ import annotations

import _imp
import marshal
import os
import re
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import FileIO
    from types import CodeType, ModuleType
    from typing import AnyStr, TypeAlias

    # Source, its time in seconds and its size; offset and length of the bytecode; whether it is a package; the file
    # that Python keeps the bytecode in.
    Row: TypeAlias = tuple[str, int, int, int, int, bool, str]
    Key: TypeAlias = tuple[str | bytes, int]

_PACKAGES = ("regpress_lint", "regpress_rules")
_HEAD = 16  # bytes in front of Python's own bytecode
_LENGTH = 8  # bytes of the index's length, in front of all
_VERSION = f"2 {sys.version}"  # of this form of the file, and of the bytecode
_UNREADABLE = (OSError, ValueError, TypeError, EOFError, KeyError, IndexError, AttributeError, RuntimeError)


class _Loader(SourceFileLoader):
    """Loads a module from bytecode that was read already."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        return self._code


class Store:
    """The content of the file, and the additions of this run. path: of the file, "" for none."""

    def __init__(self, path: str = "") -> None:
        self._path = path
        self._stream: FileIO | None = None
        self._start = 0
        self._before = frozenset(sys.modules)
        self.modules: dict[str, Row] = {}
        self.expressions: dict[Key, bytes] = {}
        self.learned: dict[Key, re.Pattern[str] | re.Pattern[bytes]] = {}
        if path:
            try:
                self._open()
            except _UNREADABLE:
                self.modules, self.expressions = {}, {}

    def _open(self) -> None:
        stream = open(self._path, "rb", buffering=0)  # noqa: SIM115 - read from until the run ends
        length = int.from_bytes(stream.read(_LENGTH), "little")
        if length > os.fstat(stream.fileno()).st_size:
            raise ValueError
        version, modules, expressions = marshal.loads(stream.read(length))
        if version == _VERSION:
            self._stream, self._start = stream, _LENGTH + length
            self.modules, self.expressions = modules, expressions

    # -------------------------------------------------------------------------------------------- modules

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module if the file has its bytecode; called by `sys.meta_path`."""
        row = self.modules.get(name)
        if row is None or self._stream is None:
            return None
        source, _, _, at, length, is_package, cached = row
        try:
            if not _is_same(row):
                return None
            code = marshal.loads(self._piece(at, length))
            if code.co_filename != source:  # compiled where the package had another path, as Python's importer mends
                _imp._fix_co_filename(code, source)  # type: ignore[attr-defined]
        except _UNREADABLE:
            return None
        spec = ModuleSpec(name, _Loader(name, source, code), origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = cached  # else worked out from the source's path, once for each module
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def _piece(self, at: int, length: int) -> bytes:
        """Bytecode. Workers are forks and share the position in the file: none is used where there are forks."""
        assert self._stream is not None
        if hasattr(os, "pread"):
            return os.pread(self._stream.fileno(), length, self._start + at)
        self._stream.seek(self._start + at)
        return self._stream.read(length)

    # ---------------------------------------------------------------------------------------- expressions

    def expression(self, text: AnyStr, flags: int) -> re.Pattern[AnyStr]:
        """The result of `re.compile`."""
        if (stored := self.expressions.get((text, flags))) is not None:
            try:
                import _sre  # type: ignore[import-not-found]

                expression: re.Pattern[AnyStr] = _sre.compile(text, *marshal.loads(stored))
                return expression
            except (ImportError, *_UNREADABLE):
                del self.expressions[text, flags]
        compiled = re.compile(text, flags)
        if self._path:
            self.learned[text, int(flags)] = compiled
        return compiled

    # -------------------------------------------------------------------------------------------- writing

    def keep(self) -> None:
        """Add new modules and expressions of this run to the file, if it can be written."""
        if not self._path or sys.dont_write_bytecode:
            return
        try:
            new = {name: files for name, module in [*sys.modules.items()] if (files := self._new(name, module))}
            if new or self.learned:
                self._write(new)
        except _UNREADABLE:
            return

    def _new(self, name: str, module: ModuleType) -> tuple[str, str] | None:
        """Source and bytecode file of an own module that Python imported."""
        source, spec = getattr(module, "__file__", None), getattr(module, "__spec__", None)
        cached = spec.cached if spec is not None else None
        is_ours = name.partition(".")[0] in _PACKAGES and name not in self._before
        if not is_ours or not source or not cached or type(module.__loader__) is not SourceFileLoader:
            return None
        return source, cached

    def _write(self, new: dict[str, tuple[str, str]]) -> None:
        """Under another name first: a program that starts meanwhile sees the old file or the whole new one."""
        pieces: list[bytes] = []
        rows: dict[str, Row] = {}
        size = 0
        for name in (*self.modules, *(name for name in new if name not in self.modules)):
            row, code = self._fresh(*new[name]) if name in new else self._old(name)
            if row is None:
                continue
            is_package = hasattr(sys.modules[name], "__path__") if name in new else row[5]
            rows[name] = (*row[:3], size, len(code), is_package, row[6])
            pieces.append(code)
            size += len(code)
        expressions = {**self.expressions}
        for key, compiled in self.learned.items():
            if (parts := _parts(key, compiled)) is not None:
                expressions[key] = parts
        index = marshal.dumps((_VERSION, rows, expressions))
        temporary = f"{self._path}.{os.getpid()}"
        try:
            with open(temporary, "xb") as stream:
                stream.write(len(index).to_bytes(_LENGTH, "little"))
                stream.writelines((index, *pieces))
            os.replace(temporary, self._path)
        finally:
            if os.path.lexists(temporary):
                os.unlink(temporary)

    def _old(self, name: str) -> tuple[Row | None, bytes]:
        row = self.modules[name]
        if self._stream is None or not _is_same(row):
            return None, b""
        return row, self._piece(row[3], row[4])

    def _fresh(self, source: str, cached: str) -> tuple[Row | None, bytes]:
        """The bytecode that Python wrote, if it matches the source."""
        try:
            with open(cached, "rb") as stream:
                data = stream.read()
        except OSError:  # in a folder that nothing is written to
            return None, b""
        status = os.stat(source)
        when, size = int(status.st_mtime), status.st_size
        head = b"".join((field & 0xFFFFFFFF).to_bytes(4, "little") for field in (0, when, size))
        return ((source, when, size, 0, 0, False, cached) if data[4:_HEAD] == head else None), data[_HEAD:]


def _is_same(row: Row) -> bool:
    try:
        status = os.stat(row[0])
    except OSError:  # a later version of this program has no such module
        return False
    return int(status.st_mtime) == row[1] and status.st_size == row[2]


def _parts(key: Key, compiled: re.Pattern[str] | re.Pattern[bytes]) -> bytes | None:
    """The arguments of `_sre.compile` for an expression, checked by compiling it again."""
    try:
        import _sre
        from re import _compiler, _parser  # type: ignore[attr-defined]

        text, flags = key
        tree = _parser.parse(text, flags)
        code = _compiler._code(tree, flags)
        names = tree.state.groupdict
        numbers: list[str | None] = [None] * tree.state.groups
        for name, number in names.items():
            numbers[number] = name
        fields = (flags | tree.state.flags, code, tree.state.groups - 1, names, tuple(numbers))
        parts = [_plain(part) for part in fields]
        return marshal.dumps(parts) if _sre.compile(text, *parts) == compiled else None
    except (ImportError, *_UNREADABLE):
        return None


def _plain(value: object) -> object:
    """The same value without subclasses of int, which marshal refuses."""
    if isinstance(value, int):
        return int(value)
    return [int(flag) for flag in value] if isinstance(value, list) else value


_store = Store()


def begin() -> None:
    """Use the file for modules and expressions from now on."""
    global _store
    cached = __spec__.cached if __spec__ is not None else None
    if cached:  # not for an interpreter without bytecode
        _store = Store(f"{os.path.splitext(cached)[0]}.all")
        sys.meta_path.insert(0, _store)


def expression(text: AnyStr, flags: int) -> re.Pattern[AnyStr]:
    """The result of `re.compile`."""
    return _store.expression(text, flags)


def keep() -> None:
    """Save additions at the end of a run."""
    _store.keep()
