"""Compile the kernels of a source that does not compile as a whole: what a compiler cannot read goes.

A header that is missing is taken from where the checkout has it, else it becomes empty. The function or declaration at
file scope that an error message points at is blanked, line breaks kept, and then what needed it; classes and types
stay. Of a host function the kernels whose template arguments it spells as constants are left, so that they are
instantiated. A kernel that is left compiles as it did.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Made = TypeVar("Made")

_ROUNDS = 7
_HEADERS = 25
_MISSING = re.compile(r"(?:fatal )?error: '?([\w./+-]+\.[a-z]{1,4})'?(?: file not found|: No such file)")
_AT = re.compile(r"(?m)^([^\s:(][^:(\n]*)[:(](\d+)[):].*?error")
_HIDDEN = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
_DIRECTIVE = re.compile(rb"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*")
_OPEN = re.compile(rb'\b(?:namespace\b[^;{}()]*|extern\s*"?\s*"?)\s*$')
_TYPE = re.compile(
    rb"^\s*(?:template\s*<.*>\s*)?(?:typedef\b|using\b|namespace\b|struct\b|class\b|union\b|enum\b)", re.DOTALL
)
_LAUNCH = re.compile(rb"\b([A-Za-z_][\w:]*)\s*<([^<>;(){}]*)>\s*<<<")
_SETTLED = re.compile(rb"(?:\s*(?:\d+|true|false|float|double|int|unsigned|u?int\d*_t|__half|half)\s*(?:,|$))+\s*")


class Piece(NamedTuple):
    """Something at file or namespace scope: where it begins, where its body does, and its end."""

    start: int
    body: int
    end: int


def _blank(data: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", data)


def pieces(data: bytes) -> Iterator[Piece]:
    """Definitions and declarations of a source, one after the other; namespaces are looked into."""
    text = _HIDDEN.sub(lambda match: _blank(match.group()), data)
    text = _DIRECTIVE.sub(lambda match: _blank(match.group()), text)
    start, depth, body = 0, 0, -1
    for match in re.finditer(rb"[{};]", text):
        mark, place = match.group(), match.start()
        if mark == b"{":
            if depth == 0 and _OPEN.search(text, start, place):
                start = place + 1
                continue
            if depth == 0:
                body = place
            depth += 1
        elif mark == b"}":
            if depth == 0:  # the end of a namespace
                start = place + 1
                continue
            depth -= 1
            if depth == 0 and b"=" not in text[start:body] and not _TYPE.match(text[start:body]):
                yield Piece(start, body, place + 1)
                start, body = place + 1, -1
        elif depth == 0:
            yield Piece(start, body, place + 1)
            start, body = place + 1, -1


def without(data: bytes, line: int) -> bytes | None:
    """A source without the function or declaration that has this line; None for types and where nothing is left."""
    for piece in pieces(data):
        first = piece.start + len(data[piece.start : piece.end]) - len(data[piece.start : piece.end].lstrip())
        if not data.count(b"\n", 0, first) < line <= data.count(b"\n", 0, piece.end) + 1:
            continue
        head = _DIRECTIVE.sub(b"", _HIDDEN.sub(b"", data[first : piece.body if piece.body >= 0 else piece.end]))
        if _TYPE.match(head) or not data[first : piece.end].strip():
            continue
        kept = b""
        if piece.body >= 0:
            named = {
                (name, given)
                for name, given in _LAUNCH.findall(data[piece.body : piece.end])
                if _SETTLED.fullmatch(given)
            }
            kept = b"".join(
                b" static const void* const kept_%d_%d = (const void*)%b<%b>;" % (piece.body, number, name, given)
                for number, (name, given) in enumerate(sorted(named))
            )
        return data[:first] + kept + _directives(data[first : piece.end]) + data[piece.end :]
    return None


def _directives(data: bytes) -> bytes:
    """Blank, except for the lines of the preprocessor: an `#endif` may be in the middle of what goes."""
    parts, last = [], 0
    for match in _DIRECTIVE.finditer(data):
        parts += [_blank(data[last : match.start()]), match.group()]
        last = match.end()
    return b"".join((*parts, _blank(data[last:])))


def compiled_in_part(path: Path, place: Path, folder: Path, compile_: Callable[[Path, list[str]], Made]) -> Made | None:
    """What `compile_(path, flags)` gives once what it cannot read is gone; None if nothing is left.

    place: an empty folder for shortened files and the headers that are missing. folder: whose files may be shortened.
    """
    missing, own = place / "missing", place / path.name
    missing.mkdir(parents=True, exist_ok=True)
    sources = {path.name: path}
    own.write_bytes(path.read_bytes())
    rounds, headers = _ROUNDS, _HEADERS
    while rounds and headers:
        try:
            return compile_(own, [f"-I{place}", f"-I{path.parent}", f"-I{missing}"])
        except RuntimeError as error:
            if _supplied(str(error), missing, folder):
                headers -= 1
            elif _shortened(str(error), place, sources, folder):
                rounds -= 1
            else:
                return None
    return None


def _supplied(words: str, missing: Path, folder: Path) -> bool:
    """Make the headers that an error message misses; False if it misses none."""
    done = False
    for name in _MISSING.findall(words):
        made = missing / name
        if ".." in name or made.exists():
            continue
        made.parent.mkdir(parents=True, exist_ok=True)
        there = [one for one in folder.rglob(made.name) if one.as_posix().endswith(f"/{name}")]
        nearest = min(there, key=lambda one: (len(one.parts), one), default=None)
        made.write_text(f'#include "{nearest}"\n' if nearest is not None else "")
        done = True
    return done


def _shortened(words: str, place: Path, sources: dict[str, Path], folder: Path) -> bool:
    """Take away what an error message is about; False if there was nothing to take."""
    done = False
    at: dict[str, set[int]] = {}
    for file, line in _AT.findall(words):
        found = Path(file)
        if found.parent != place and folder in found.parents:
            sources.setdefault(found.name, found)
        if found.name in sources:
            at.setdefault(found.name, set()).add(int(line))
    for name, lines in at.items():
        copy = place / name
        before = data = (copy if copy.exists() else sources[name]).read_bytes()
        for line in sorted(lines, reverse=True):
            data = without(data, line) or data
        if data != before:
            copy.write_bytes(data)
            done = True
    return done
