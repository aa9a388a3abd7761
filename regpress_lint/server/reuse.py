"""Which kernels an edit does not concern, so that what was found about them still holds.

The question is answered carefully, and with no for an answer where there is a doubt. An edit leaves a kernel alone if
it lies inside of the body of one function, no preprocessor directive is near it, everything outside of that body was
parsed as before, and the kernel neither is that function nor names it, nor names a function that does, and so on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Node

    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.cpp.names.parsed_file import FunctionNode, Unit
    from regpress_lint.program.model import Kernel, Launch

_DIRECTIVE = re.compile(rb"^[ \t]*#(?![ \t]*pragma\b)", re.MULTILINE)
_CONTINUED = re.compile(rb"\\\r?$", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_LINE = re.compile(r"\blines? \d")
_PLAIN = re.compile(r"[A-Za-z_]\w*\Z")
Found = dict[str, tuple["Finding", ...]]
"""What the rules found about a kernel, by code."""


class Edit(NamedTuple):
    """The bytes from `start` to `old_end` became those from `start` to `new_end`; lines: by how many there are more."""

    start: int
    old_end: int
    new_end: int
    lines: int

    @property
    def grown(self) -> int:
        """By how much all that stands behind has moved."""
        return self.new_end - self.old_end

    def moved(self, span: Span) -> Span | None:
        """Where a span is now; None for one that the edit touches."""
        if span.end <= self.start:
            return span
        return Span(span.start + self.grown, span.end + self.grown) if span.start >= self.old_end else None


def edit_between(old: bytes, new: bytes) -> Edit:
    """The one edit that makes a text of another, as small as it can be."""
    start = _common(old, new)
    least = min(len(old), len(new)) - start
    tail = min(_common(old[::-1], new[::-1]), least)
    old_end, new_end = len(old) - tail, len(new) - tail
    return Edit(start, old_end, new_end, new.count(b"\n", start, new_end) - old.count(b"\n", start, old_end))


def _common(one: bytes, two: bytes) -> int:
    """How many bytes two texts have in common at their begin."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Untouched:
    """The functions of a file that an edit inside of another one does not concern."""

    def __init__(self, after: Unit, concerned: frozenset[int]) -> None:
        self._after = after
        self._concerned = concerned

    def holds(self, kernel: Kernel) -> bool:
        """Whether a kernel of the new text is one of them."""
        home = _innermost(self._after, kernel.name_span.start)
        return home is not None and home.body.start_byte not in self._concerned


def untouched(edit: Edit, before: Unit, after: Unit, kernels: Iterable[Kernel]) -> Untouched | None:
    """What an edit leaves alone; None if that may be nothing. kernels: those of the new text."""
    old, new = before.source.data, after.source.data
    was, is_ = _edited(before, edit.start, edit.old_end), _edited(after, edit.start, edit.new_end)
    if was is None or is_ is None or not _same_head(was, is_, edit):
        return None
    bodies = (old[was.body.start_byte : was.body.end_byte], new[is_.body.start_byte : is_.body.end_byte])
    if any(_DIRECTIVE.search(body) or _CONTINUED.search(body) for body in bodies):
        return None
    if not _same_outside(before, after, edit, was, is_):
        return None
    concerned = _concerned(after, is_, kernels)
    return None if concerned is None else Untouched(after, concerned)


def _edited(unit: Unit, start: int, end: int) -> FunctionNode | None:
    """The innermost function whose body holds an edit between its braces."""
    inside = (f for f in unit.functions if f.body.start_byte < start and end < f.body.end_byte)
    return max(inside, key=lambda function: function.body.start_byte, default=None)


def _innermost(unit: Unit, offset: int) -> FunctionNode | None:
    inside = (f for f in unit.functions if f.head_start <= offset < f.node.end_byte)
    return max(inside, key=lambda function: function.body.start_byte, default=None)


def _same_head(was: FunctionNode, is_: FunctionNode, edit: Edit) -> bool:
    plain = not is_.record and _PLAIN.match(is_.qualified) is not None  # no operator, constructor or the like
    places = (was.name, was.body.start_byte, was.body.end_byte + edit.grown)
    return plain and not was.record and places == (is_.name, is_.body.start_byte, is_.body.end_byte)


def _same_outside(before: Unit, after: Unit, edit: Edit, was: FunctionNode, is_: FunctionNode) -> bool:
    """Whether all but the edited function was parsed as before."""
    first, second = before.parses[0], after.parses[0]
    if first.level is not second.level or len(before.functions) != len(after.functions):
        return False
    if not _same_children(first.tree.root_node, second.tree.root_node, edit, is_.body):
        return False
    for one, two in zip(before.functions, after.functions, strict=True):
        if two is is_:
            if one is not was:
                return False
        elif not _same_function(before, after, one, two, is_):
            return False
    return True


def _same_function(before: Unit, after: Unit, one: FunctionNode, two: FunctionNode, edited: FunctionNode) -> bool:
    if two.head_start <= edited.head_start and edited.node.end_byte <= two.node.end_byte:
        return one.name == two.name  # it holds the edited one
    texts = [
        unit.parses[each.parse_index].masked.text[each.head_start : each.node.end_byte]
        for unit, each in ((before, one), (after, two))
    ]
    levels = before.parses[one.parse_index].level, after.parses[two.parse_index].level
    return levels[0] is levels[1] and texts[0] == texts[1] and _same_tree(one.node, two.node)


def _same_tree(one: Node, two: Node) -> bool:
    """Whether two nodes over the same text are the same; without errors they are."""
    return not (one.has_error or two.has_error) or str(one) == str(two)


def _same_children(one: Node, two: Node, edit: Edit, body: Node) -> bool:
    """Whether two nodes have the same children but for those on the way to the edited body."""
    ours, theirs = one.children, two.children
    if len(ours) != len(theirs):
        return False
    for old, new in zip(ours, theirs, strict=True):
        if old.type != new.type:
            return False
        if new.start_byte <= body.start_byte and body.end_byte <= new.end_byte:
            if new.end_byte != old.end_byte + edit.grown or old.start_byte != new.start_byte:
                return False
            if (new.start_byte, new.end_byte) != (body.start_byte, body.end_byte) and not _same_children(
                old, new, edit, body
            ):
                return False
        elif edit.moved(Span(old.start_byte, old.end_byte)) != (new.start_byte, new.end_byte) or not _same_tree(
            old, new
        ):
            return False
    return True


def _concerned(unit: Unit, edited: FunctionNode, kernels: Iterable[Kernel]) -> frozenset[int] | None:
    """Where the bodies begin of the functions that an edit inside of one of them may concern: by names, so that calls,
    values of constants and instantiations are all seen. None if a name stands where it may concern everything. What
    stands in a kernel concerns no other function: it has no value, and what it launches is compared (`same_kernel`).
    """
    holding = frozenset(f.body.start_byte for f in unit.functions if _holds(f, edited))
    if any(kernel.name_span.start == edited.name_node.start_byte for kernel in kernels):
        return holding
    words = {
        each.body.start_byte: frozenset(_WORD.findall(unit.source.data, each.head_start, each.node.end_byte))
        for each in unit.functions
    }
    found = set(holding)
    waiting = [edited.name.encode()]
    seen: set[bytes] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for function in unit.functions:
            start = function.body.start_byte
            if start not in found and name in words[start]:
                if function.record or not _PLAIN.match(function.qualified):
                    return None
                found.add(start)
                waiting.append(function.name.encode())
    return None if seen & _outside(unit) else frozenset(found)


def _holds(function: FunctionNode, other: FunctionNode) -> bool:
    return function.head_start <= other.head_start and other.node.end_byte <= function.node.end_byte


def _outside(unit: Unit) -> frozenset[bytes]:
    """Words that stand in no function, and in directives."""
    data = bytearray(unit.source.data)
    for function in unit.functions:
        start, end = function.name_node.start_byte, function.node.end_byte
        data[start:end] = b" " * (end - start)
    words = set(_WORD.findall(data))
    for line in re.findall(rb"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", unit.source.data, re.MULTILINE):
        words |= set(_WORD.findall(line))
    return frozenset(words)


# --------------------------------------------------------------------------------------------- kernels and findings


def same_kernel(old: Kernel, new: Kernel) -> bool:
    """Whether all that is known of a kernel beside its text is what it was: its launches, bounds, instantiations."""
    return _known_of(old) == _known_of(new)


def _known_of(kernel: Kernel) -> object:
    bounds = kernel.launch_bounds
    return (
        (kernel.name, kernel.language, kernel.complete, kernel.sub_group_size, kernel.grf_mode),
        (kernel.local_accessors_bytes, dict(kernel.bindings)),
        None if bounds is None else bounds._replace(span=Span(0, 0)),
        [_without_places(launch) for launch in kernel.launches],
        [(each.arguments, each.path) for each in kernel.instances],
    )


def _without_places(launch: Launch) -> Launch:
    return launch._replace(span=Span(0, 0), line=0, kernel_span=None, block_span=None)


def rebased(found: Found, edit: Edit, path: str) -> Found | None:
    """What was found in a file, at its new places; None if the edit touches one, or a message tells a moved line."""
    try:
        return {code: tuple(_rebased(each, edit, path) for each in findings) for code, findings in found.items()}
    except _TouchedError:
        return None


class _TouchedError(Exception):
    """A place is not there any more, or a line is not known by its number any more."""


def _rebased(found: Finding, edit: Edit, path: str) -> Finding:
    def at(span: Span) -> Span:
        moved = edit.moved(span)
        if moved is None:
            raise _TouchedError
        return moved

    told = (found.message, found.help, *(note.message for note in found.notes))
    if edit.lines and any(_LINE.search(text) for text in told):
        raise _TouchedError
    fix = found.fix
    if fix is not None:
        fix = fix._replace(edits=tuple(each._replace(span=at(each.span)) for each in fix.edits))
    notes = tuple(each._replace(span=at(each.span)) if each.path in (None, "", path) else each for each in found.notes)
    return found._replace(span=at(found.span), notes=notes, fix=fix)


def by_name(kernels: Iterable[Kernel]) -> Mapping[tuple[str, int], Kernel]:
    """Kernels by name and by which of that name they are."""
    result: dict[tuple[str, int], Kernel] = {}
    for kernel in kernels:
        number = 0
        while (kernel.name, number) in result:
            number += 1
        result[kernel.name, number] = kernel
    return result
