"""Fixes as pure functions over bytes: which ones, applied together, and the difference that they make."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, ResolvedEdit, ResolvedFix


def collect(diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> dict[str, list[ResolvedFix]]:
    """Fixes of each path, in the order of the diagnostics: the safe ones, with `unsafe` the unsafe ones too."""
    by_path: dict[str, list[ResolvedFix]] = {}
    for diagnostic in diagnostics:
        fix = wanted(diagnostic, unsafe)
        if fix is not None:
            by_path.setdefault(diagnostic.location.path, []).append(fix)
    return by_path


def wanted(diagnostic: Diagnostic, unsafe: bool) -> ResolvedFix | None:
    """The fix of a diagnostic, if it changes something and is safe, or with `unsafe` any that changes something."""
    fix = diagnostic.fix
    return fix if fix is not None and fix.edits and (unsafe or fix.applicability == "safe") else None


def apply(data: bytes, fixes: Sequence[ResolvedFix]) -> tuple[bytes, int]:
    """`data` with as many fixes as do not touch each other, and how many those were.

    A fix is all or nothing. The first by position wins (then the shorter, then the order given); a caller that wants
    the others lints the result and applies again. A fix whose edits overlap or exceed `data` is left out.
    Line breaks in replacements follow the file's first line ending.
    """
    accepted = chosen(data, fixes)
    return (_replace(data, [edit for fix in accepted for edit in fix.edits]), len(accepted)) if accepted else (data, 0)


def chosen(data: bytes, fixes: Sequence[ResolvedFix]) -> list[ResolvedFix]:
    """The fixes that `apply` makes."""
    accepted: list[tuple[int, int]] = []
    taken: list[ResolvedFix] = []
    for fix in sorted(fixes, key=lambda item: [(edit.start.byte, edit.end.byte) for edit in item.edits]):
        if not _is_sound(fix, len(data)) or any(_conflicts(accepted, edit) for edit in fix.edits):
            continue
        for edit in fix.edits:
            insort(accepted, (edit.start.byte, edit.end.byte))
        taken.append(fix)
    return taken


class Moves:
    """New offsets of places in a text after edits."""

    def __init__(self, data: bytes, edits: Iterable[ResolvedEdit]) -> None:
        ordered = sorted(edits, key=lambda item: (item.start.byte, item.end.byte))
        self._starts = [edit.start.byte for edit in ordered]
        self._ends = [edit.end.byte for edit in ordered]
        crlf = _uses_crlf(data)
        sizes = (len(_bytes(edit, crlf)) - (edit.end.byte - edit.start.byte) for edit in ordered)
        self._moved = [0, *accumulate(sizes)]  # by how much what follows so many edits moves

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place of a range: the whole of a replacement that it touches, and insertions at its ends."""
        first, after = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < after and self._starts[first] < self._ends[first] == start:
            first += 1  # it ends where the range begins
        touched = range(first, after)
        low = min(start, self._starts[first]) if touched else start
        high = max(end, self._ends[after - 1]) if touched else end
        return low + self._moved[first], high + self._moved[max(first, after)]


def _is_sound(fix: ResolvedFix, size: int) -> bool:
    offset = 0
    for edit in fix.edits:
        if not offset <= edit.start.byte <= edit.end.byte <= size:
            return False
        offset = edit.end.byte
    return bool(fix.edits)


def _conflicts(accepted: Sequence[tuple[int, int]], edit: ResolvedEdit) -> bool:
    """True if `edit` overlaps an accepted range, or an insertion touches one: their order would be a guess."""
    start, end = edit.start.byte, edit.end.byte
    index = bisect_left(accepted, (start, end))
    for other_start, other_end in accepted[max(index - 2, 0) : index + 2]:
        is_insertion = start == end or other_start == other_end
        if (start <= other_end and other_start <= end) if is_insertion else (start < other_end and other_start < end):
            return True
    return False


def _replace(data: bytes, edits: Iterable[ResolvedEdit]) -> bytes:
    pieces, offset, crlf = [], 0, _uses_crlf(data)
    for edit in sorted(edits, key=lambda item: (item.start.byte, item.end.byte)):
        pieces += [data[offset : edit.start.byte], _bytes(edit, crlf)]
        offset = edit.end.byte
    return b"".join((*pieces, data[offset:]))


def _uses_crlf(data: bytes) -> bool:
    first_break = data.find(b"\n")
    return first_break > 0 and data[first_break - 1 : first_break] == b"\r"


def _bytes(edit: ResolvedEdit, crlf: bool) -> bytes:
    text = edit.text.replace("\r\n", "\n").replace("\n", "\r\n") if crlf else edit.text
    return text.encode("utf-8", "surrogateescape")


def unified_diff(path: str, before: bytes, after: bytes) -> str:
    """Difference in the form that `git apply` and `patch -p1` read; empty if there is none.

    Bytes that are not UTF-8 are kept as surrogates: encode with "surrogateescape" to get the exact bytes back. Lines
    end in LF; a CR before it belongs to the line.
    """
    if before == after:
        return ""
    import difflib

    name = path.lstrip("/")
    lines = difflib.unified_diff(
        _lines(before), _lines(after), _file_name(f"a/{name}"), _file_name(f"b/{name}"), lineterm="\n"
    )
    return "".join(_with_ending(lines))


def _lines(data: bytes) -> list[str]:
    # Not str.splitlines: it also breaks at form feeds and other characters that do not end a line of source.
    text = data.decode("utf-8", "surrogateescape")
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _with_ending(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _file_name(name: str) -> str:
    """As git writes it: quoted like a C string if it must be, a tab after a name with spaces (git and patch agree)."""
    if all(char.isprintable() and char.isascii() and char not in '"\\' for char in name):
        return f"{name}\t" if " " in name else name
    raw = name.encode("utf-8", "surrogateescape")
    quoted = "".join(chr(b) if 0x20 <= b < 0x7F and b not in b'"\\' else f"\\{b:03o}" for b in raw)
    return f'"{quoted}"'
