"""Which kernels an edit does not concern, so that what was found about them still holds.

The question is answered carefully, and with no for an answer where there is a doubt. An edit leaves a kernel alone if
it lies inside of the body of one function, no preprocessor directive is near it, everything outside of that body was
parsed as before, and the kernel neither is that function nor names it, nor names a function that does, and so on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

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


class Region(NamedTuple):
    """A function, or the lambda of a SYCL kernel (then `function` is None): all of it, and its body with the braces."""

    name: str
    span: Span
    body: Span
    function: FunctionNode | None = None

    def holds(self, other: Span) -> bool:
        """Whether a span lies in it."""
        return self.span.contains(other)


class Untouched:
    """The kernels of a text that an edit inside of one function does not concern."""

    def __init__(self, after: Unit, edited: Region, concerned: frozenset[int]) -> None:
        self._after = after
        self._edited = edited
        self._concerned = concerned

    def holds(self, kernel: Kernel) -> bool:
        """Whether a kernel of the new text is one of them."""
        if self._edited.function is None:  # the lambda of one kernel
            return not self._edited.holds(kernel.name_span)
        home = _innermost(_functions(self._after), kernel.name_span)
        return home is not None and home.body.start not in self._concerned


class Parsed(NamedTuple):
    """One text as it was parsed, and its kernels."""

    unit: Unit
    kernels: tuple[Kernel, ...]

    @property
    def regions(self) -> list[Region]:
        """Its functions, and the lambdas of its kernels."""
        path = self.unit.source.path
        lambdas = [
            Region(kernel.name, kernel.entry, kernel.function.body.span)
            for kernel in self.kernels
            if kernel.entry is not None and kernel.path == path and kernel.entry.contains(kernel.function.body.span)
        ]
        return _functions(self.unit) + lambdas


def untouched(edit: Edit, before: Parsed, after: Parsed) -> Untouched | None:
    """What an edit leaves alone; None if that may be nothing."""
    old, new = before.unit.source.data, after.unit.source.data
    was = _innermost_body(before.regions, Span(edit.start, edit.old_end))
    is_ = _innermost_body(after.regions, Span(edit.start, edit.new_end))
    if was is None or is_ is None or not _same_head(was, is_, edit):
        return None
    bodies = (old[was.body.start : was.body.end], new[is_.body.start : is_.body.end])
    if any(_DIRECTIVE.search(body) or _CONTINUED.search(body) for body in bodies):
        return None
    if not _same_outside(before.unit, after.unit, edit, is_):
        return None
    concerned = frozenset[int]() if is_.function is None else _concerned(after, is_)
    return None if concerned is None else Untouched(after.unit, is_, concerned)


def _functions(unit: Unit) -> list[Region]:
    return [
        Region(
            each.name, Span(each.head_start, each.node.end_byte), Span(each.body.start_byte, each.body.end_byte), each
        )
        for each in unit.functions
    ]


def _innermost_body(regions: Iterable[Region], edit: Span) -> Region | None:
    """The innermost region whose body holds an edit between its braces."""
    inside = (each for each in regions if each.body.start < edit.start and edit.end < each.body.end)
    return max(inside, key=lambda region: region.body.start, default=None)


def _innermost(regions: Iterable[Region], span: Span) -> Region | None:
    return max((each for each in regions if each.holds(span)), key=lambda region: region.body.start, default=None)


def _same_head(was: Region, is_: Region, edit: Edit) -> bool:
    if (was.function is None) != (is_.function is None):
        return False
    for each in (was.function, is_.function):  # an operator, a constructor or the like is called without its name
        if each is not None and (each.record or not _PLAIN.match(each.qualified)):
            return False
    return (was.name, *was.body) == (is_.name, is_.body.start, is_.body.end - edit.grown)


def _same_outside(before: Unit, after: Unit, edit: Edit, edited: Region) -> bool:
    """Whether all but the edited body was parsed as before."""
    first, second = before.parses[0], after.parses[0]
    if first.level is not second.level or len(before.functions) != len(after.functions):
        return False
    if not _same_children(first.tree.root_node, second.tree.root_node, edit, edited.body):
        return False
    pairs = zip(before.functions, after.functions, strict=True)
    return all(_same_function(before, after, one, two, edited) for one, two in pairs)


def _same_function(before: Unit, after: Unit, one: FunctionNode, two: FunctionNode, edited: Region) -> bool:
    if two.head_start <= edited.span.start and edited.span.end <= two.node.end_byte:
        return one.name == two.name  # it is, or holds, the edited one
    texts = [
        unit.parses[each.parse_index].masked.text[each.head_start : each.node.end_byte]
        for unit, each in ((before, one), (after, two))
    ]
    levels = before.parses[one.parse_index].level, after.parses[two.parse_index].level
    return levels[0] is levels[1] and texts[0] == texts[1] and _same_tree(one.node, two.node)


def _same_tree(one: Node, two: Node) -> bool:
    """Whether two nodes over the same text are the same; without errors they are."""
    return not (one.has_error or two.has_error) or str(one) == str(two)


def _same_children(one: Node, two: Node, edit: Edit, body: Span) -> bool:
    """Whether two nodes have the same children but for those on the way to the edited body."""
    ours, theirs = one.children, two.children
    if len(ours) != len(theirs):
        return False
    for old, new in zip(ours, theirs, strict=True):
        if old.type != new.type:
            return False
        if new.start_byte <= body.start and body.end <= new.end_byte:
            if new.end_byte != old.end_byte + edit.grown or old.start_byte != new.start_byte:
                return False
            if (new.start_byte, new.end_byte) != body and not _same_children(old, new, edit, body):
                return False
        elif edit.moved(Span(old.start_byte, old.end_byte)) != (new.start_byte, new.end_byte) or not _same_tree(
            old, new
        ):
            return False
    return True


def _concerned(after: Parsed, edited: Region) -> frozenset[int] | None:
    """Where the bodies begin of the functions that an edit inside of one of them may concern: by names, so that calls,
    values of constants and instantiations are all seen. None if a name stands where it may concern everything. What
    stands in a kernel concerns no other function: it has no value, and what it launches is compared (`same_kernel`).
    """
    unit, regions = after.unit, _functions(after.unit)
    found = {each.body.start for each in regions if each.holds(edited.span)}
    head = edited.function.name_node.start_byte if edited.function is not None else -1
    if any(kernel.name_span.start == head for kernel in after.kernels):
        return frozenset(found)
    words = {each.body.start: frozenset(_WORD.findall(unit.source.data, *each.span)) for each in regions}
    waiting = [edited.name.encode()]
    seen: set[bytes] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for each in regions:
            if each.body.start not in found and name in words[each.body.start]:
                if each.function is None or each.function.record or not _PLAIN.match(each.function.qualified):
                    return None
                found.add(each.body.start)
                waiting.append(each.name.encode())
    return None if seen & _outside(unit) else frozenset(found)


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


def same_kernel(old: Kernel, new: Kernel, texts: tuple[bytes, bytes]) -> bool:
    """Whether all that is known of a kernel beside its text is what it was: its launches, bounds, instantiations, and
    what a lambda captures. texts: of the file before and now.
    """
    return _known_of(old, texts[0]) == _known_of(new, texts[1])


def _known_of(kernel: Kernel, text: bytes) -> object:
    bounds = kernel.launch_bounds
    return (
        (kernel.name, kernel.language, kernel.complete, kernel.sub_group_size, kernel.grf_mode),
        (kernel.local_accessors_bytes, dict(kernel.bindings)),
        None if bounds is None else bounds._replace(span=Span(0, 0)),
        [_without_places(launch) for launch in kernel.launches],
        [(each.arguments, each.path) for each in kernel.instances],
        [
            (each.name, each.type, len(each.dims), text[each.declaration.start : each.declaration.end])
            for each in kernel.function.captures
        ],
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
