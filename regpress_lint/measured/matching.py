"""Which measured rows are of a kernel of the source: by name, file and line as far as an input has them.

A row that may be of several kernels of the same name in a file (overloads in an object, which names symbols only)
belongs to none: a number of another kernel is worse than none.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.rows import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.measured import Row

_UNITS = frozenset((".cu", ".hip", ".cpp", ".cc", ".cxx", ".c++", ".c", ".cl"))
_INTEGER = re.compile(r"\b(-?\d+)(?:u|l|ul|ll|ull)\b", re.IGNORECASE)
_CAST = re.compile(r"\((?:[\w:]+)\)(?=-?\d)")
# Types with several names; the compiler's comes out.
_SAME = {
    **dict.fromkeys(("unsigned", "uint", "uint32_t"), "unsignedint"),
    **dict.fromkeys(("uint64_t", "size_t"), "unsignedlong"),
    "int32_t": "int",
    "uint8_t": "unsignedchar",
    "int8_t": "signedchar",
    "uint16_t": "unsignedshort",
    "int16_t": "short",
    "int64_t": "long",
    "longint": "long",
    "longlongint": "longlong",
    "half": "__half",
}
_WORD = re.compile(r"[A-Za-z_]\w*")
# What a function template that a portability layer launches is given: a lambda of a function, `step::{lambda#1}`.
_INNER = re.compile(r"::\{(?:lambda|unnamed)#(\d+)\}")
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)$")
_NUMBERLESS = 0  # a functor
_LAMBDA = re.compile(r"(?:::\{(?:lambda|unnamed)#\d+\}|::operator\(\))+$")


class Place(NamedTuple):
    """A kernel of the source: its name, its file, the lines of its name and its end, and those of all kernels of this
    name in the file.
    """

    name: str
    path: str
    line: int
    end: int
    namesakes: tuple[tuple[int, int], ...] = ()


class Measurements:
    """Measured rows by kernel."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_name: dict[str, list[Row]] = {}
        self._by_argument: dict[str, list[tuple[int, Row]]] = {}  # lambdas with their number, functors
        for row in merged(rows):
            name = demangled(row.symbol)
            self._by_name.setdefault(_LAMBDA.sub("", name.qualified).rpartition("::")[2], []).append(row)
            for inner, number in _handed(name.arguments):
                self._by_argument.setdefault(inner, []).append((number, row))
        self._same: dict[tuple[str, str], bool] = {}

    def of(self, place: Place, target: str) -> tuple[Row, ...]:
        """Rows of a kernel on a target, one an instantiation (or more, where it was compiled in several ways)."""
        named = [row for row in self._by_name.get(place.name, ()) if row.target == target and self._fits(row, place)]
        if not named:
            return self._launched(place, target)
        if exact := [row for row in named if row.path is not None and _at(row, place)]:
            return tuple(exact)
        # The source may have moved since it was compiled; what has no line at all can only be of a single kernel.
        return tuple(named) if len(place.namesakes) <= 1 else ()

    def _launched(self, place: Place, target: str) -> tuple[Row, ...]:
        """Rows of a kernel that a portability layer launches: a function of the layer's has it for an argument, so that
        the row's own name and place are the layer's. Lambdas of one function are told apart by their number.
        """
        fitting = [
            (number, row)
            for number, row in self._by_argument.get(place.name, ())
            if row.target == target and (row.unit is None or self._fits(row._replace(path=None), place))
        ]
        if len(place.namesakes) <= 1:
            return tuple(row for _, row in fitting)
        numbers = sorted({number for number, _ in fitting})
        if len(numbers) != len(place.namesakes):
            return ()
        mine = numbers[sorted(place.namesakes).index((place.line, place.end))]
        return tuple(row for number, row in fitting if number == mine)

    def _fits(self, row: Row, place: Place) -> bool:
        if row.path is not None:
            return self._same_file(row.path, place.path)
        if row.unit is None or os.path.splitext(place.path)[1].lower() not in _UNITS:
            return True
        return self._same_file(row.unit, place.path)

    def _same_file(self, path: str, other: str) -> bool:
        key = (path, other)
        if key not in self._same:
            self._same[key] = _same_file(path, other)
        return self._same[key]


def _handed(arguments: str) -> Iterator[tuple[str, int]]:
    """Kernels among the template arguments of a layer's function, each once: a lambda by the function around it and its
    number there; without one, the functor that the first argument begins with, or contains.
    """
    handed = ((_function_before(arguments, match.start()), int(match[1])) for match in _INNER.finditer(arguments))
    lambdas = dict.fromkeys(lambda_ for lambda_ in handed if lambda_[0])
    yield from lambdas
    if not lambdas:
        yield from ((word, _NUMBERLESS) for word in dict.fromkeys(_WORD.findall(arguments)))


def _function_before(text: str, end: int) -> str:
    """The name that ends at a place in a text, template arguments left out."""
    depth = 0
    while end and (depth or text[end - 1] == ">"):
        end -= 1
        depth += {">": 1, "<": -1}.get(text[end], 0)
    match = _LAST_WORD.search(text[:end])
    return match[1] if match is not None else ""


def _same_file(path: str, other: str) -> bool:
    """Whether two paths, one as a compiler wrote it, may name one file: a relative one may be from another folder."""
    parts = [[part for part in path.replace("\\", "/").split("/") if part not in ("", ".")] for path in (path, other)]
    if os.path.isabs(path) and os.path.isabs(other):
        if parts[0] == parts[1] or os.path.realpath(path) == os.path.realpath(other):
            return True
        elsewhere = not os.path.exists(path)  # compiled on another machine, or in a container
        return elsewhere and len(parts[0]) > 1 and parts[0][-2:] == parts[1][-2:]
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    short, long = sorted(([part for part in path if part != ".."] for path in parts), key=len)
    return bool(short) and long[-len(short) :] == short


def _at(row: Row, place: Place) -> bool:
    """Whether the row's line is in the definition, or in front of it with no namesake behind that line."""
    if row.line is None or row.line > place.end:
        return False
    return row.line >= place.line or not any(line < place.line and row.line <= end for line, end in place.namesakes)


def normal(arguments: str) -> str:
    """Template arguments as they may be compared: without brackets, blanks, suffixes and other names of types."""
    plain = arguments.strip()
    plain = plain[1:-1] if plain.startswith("<") and plain.endswith(">") else plain
    plain = _INTEGER.sub(r"\1", _CAST.sub("", plain)).replace(" ", "")
    return _WORD.sub(lambda match: _SAME.get(match[0], match[0]), plain)


def of_instance(rows: Sequence[Row], arguments: str) -> tuple[Row, ...]:
    """Those of one instantiation, by its template arguments."""
    wanted = normal(arguments)
    return tuple(row for row in rows if normal(demangled(row.symbol).arguments) == wanted)


def median_registers(rows: Sequence[Row]) -> int | None:
    """The median over instantiations, of two in the middle the larger; None where no row has the number."""
    numbers = sorted(row.registers for row in rows if row.registers is not None)
    return numbers[len(numbers) // 2] if numbers else None
