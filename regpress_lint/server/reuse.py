"""Which kernels an edit does not concern, so that findings about them stay valid.

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
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.open_texts import Edit

_DIRECTIVE = re.compile(rb"^[ \t]*#(?![ \t]*pragma\b)(?:[^\n]*\\\r?\n)*[^\n]*", re.MULTILINE)
_HIDING = re.compile(rb"[\"'#\\]|/\*|\*/")  # what can take directives away, or make some
_WORD = re.compile(rb"[A-Za-z_]\w*")
_JOINED = re.compile(rb"\w\w")
# Words that mean the same everywhere.
_EVERYWHERE = frozenset(
    b"auto bool break char const constexpr continue double else float for if int long return short signed static true "
    b"false unsigned void while size_t std sycl".split()
)
_PLAIN = re.compile(r"[A-Za-z_]\w*\Z")


class Region(NamedTuple):
    """A function, or the lambda of a SYCL kernel (then `function` is None): all of it, and its body with the braces."""

    name: str
    span: Span
    body: Span
    function: FunctionNode | None = None

    def holds(self, span: Span) -> bool:
        return self.span.contains(span)


class Untouched:
    """The kernels of a text that an edit inside of one function does not concern."""

    def __init__(
        self, edit: Edit, before: Parsed, after: Parsed, regions: tuple[Region, Region], concerned: frozenset[int]
    ) -> None:
        self._edit = edit
        self._before, self._after = before, after
        self._regions = regions
        self._concerned = concerned

    def holds(self, old: Kernel, new: Kernel) -> bool:
        """Whether a kernel, as it was and as it is, is one of them."""
        edited = self._regions[1]
        if edited.function is None:  # the lambda of one kernel
            return not edited.holds(new.name_span)
        home = _innermost(_functions(self._after.parsed), new.name_span)
        if home is None:
            return False
        return home.body.start not in self._concerned or (home.body == edited.body and self._leaves_lambda(old, new))

    def _leaves_lambda(self, old: Kernel, new: Kernel) -> bool:
        """Whether an edit on the host, in the function around a kernel's lambda, leaves the lambda alone: what
        it captures is an argument, and everything else is looked up outside of functions. Names on the host are also
        checked, except while the text is broken, which is analysed again later.
        """
        if old.entry is None or new.entry is None or self._edit.moved(old.entry) != new.entry:
            return False
        for parsed, entry in ((self._before, old.entry), (self._after, new.entry)):
            node = parsed.parsed.parses[0].tree.root_node.descendant_for_byte_range(*entry)
            if node is None or node.has_error or (node.start_byte, node.end_byte) != entry:
                return False
        if not self._after.parsed.whole:
            return True
        words = frozenset(_WORD.findall(self._after.parsed.source.data, *new.entry))
        return self._named_on_the_host(old.entry, new.entry).isdisjoint(words)

    def _named_on_the_host(self, old: Span, new: Span) -> frozenset[bytes]:
        """Names in the statements that were edited, and in those that share a name with them, and so on; code in the
        lambdas of kernels assigns no host value.
        """
        changed: set[bytes] = set()
        others: list[frozenset[bytes]] = []
        edits = _whole_words(self._after.parsed.source.data, self._edit)
        for parsed, region, entry, edit in zip(
            (self._before, self._after), self._regions, (old, new), edits, strict=True
        ):
            assert region.function is not None
            host = parsed.host
            for place in _statements(region.function.body, entry):
                words = frozenset(_WORD.findall(host, *place)) - _EVERYWHERE
                if place.start < edit.end and edit.start < place.end:
                    changed |= words
                else:
                    others.append(words)
        while more := [words for words in others if not changed.isdisjoint(words) and not words <= changed]:
            changed = changed.union(*more)
        return frozenset(changed)


def _whole_words(new: bytes, edit: Edit) -> tuple[Span, Span]:
    """The edited place in both texts, one more byte where the edit joins or cuts a word."""

    def joins(offset: int) -> int:
        return int(0 < offset < len(new) and _JOINED.match(new, offset - 1) is not None)

    first, last = joins(edit.start), joins(edit.new_end)
    return Span(edit.start - first, edit.old_end + last), Span(edit.start - first, edit.new_end + last)


class Parsed(NamedTuple):
    """One text as it was parsed, and its kernels."""

    parsed: ParsedFile
    kernels: tuple[Kernel, ...]

    @property
    def host(self) -> bytes:
        """The text with blanks for the lambdas of its kernels."""
        text = bytearray(self.parsed.source.data)
        for kernel in self.kernels:
            if kernel.entry is not None:
                text[kernel.entry.start : kernel.entry.end] = b" " * (kernel.entry.end - kernel.entry.start)
        return bytes(text)

    @property
    def regions(self) -> list[Region]:
        """Its functions, and the lambdas of its kernels."""
        path = self.parsed.source.path
        lambdas = [
            Region(kernel.name, kernel.entry, kernel.function.body_span)
            for kernel in self.kernels
            if kernel.entry is not None and kernel.path == path and kernel.entry.contains(kernel.function.body_span)
        ]
        return _functions(self.parsed) + lambdas


def untouched(edit: Edit, before: Parsed, after: Parsed) -> Untouched | None:
    """The parts that an edit leaves unchanged; None if there may be none."""
    old, new = before.parsed.source.data, after.parsed.source.data
    was = _innermost_body(before.regions, Span(edit.start, edit.old_end))
    is_ = _innermost_body(after.regions, Span(edit.start, edit.new_end))
    if was is None or is_ is None or not _same_head(was, is_, edit):
        return None
    places = Span(edit.start, edit.old_end), Span(edit.start, edit.new_end)
    if any(_is_near_directive(text, place) for text, place in zip((old, new), places, strict=True)):
        return None
    if _DIRECTIVE.findall(old, *was.body) != _DIRECTIVE.findall(new, *is_.body):
        return None
    if not _same_outside(before.parsed, after.parsed, edit, is_):
        return None
    if _local_classes(before.parsed) != _local_classes(after.parsed):
        return None
    concerned = frozenset[int]() if is_.function is None else _concerned(after, is_)
    return None if concerned is None else Untouched(edit, before, after, (was, is_), concerned)


def _local_classes(parsed: ParsedFile) -> dict[str, str]:
    """The classes of functions, which the whole file sees where their name means one only."""
    return {name: parsed.text(record.node) for name, record in parsed.local_records.items()}


def _statements(node: Node, entry: Span) -> Iterator[Span]:
    """The largest pieces of a function's body that do not hold a lambda."""
    for child in node.children:
        if child.start_byte <= entry.start and entry.end <= child.end_byte:
            if (child.start_byte, child.end_byte) != entry:
                yield from _statements(child, entry)
        else:
            yield Span(child.start_byte, child.end_byte)


def _functions(parsed: ParsedFile) -> list[Region]:
    return [
        Region(
            function.name,
            Span(function.head_start, function.node.end_byte),
            Span(function.body.start_byte, function.body.end_byte),
            function,
        )
        for function in parsed.functions
    ]


def _is_near_directive(text: bytes, place: Span) -> bool:
    """Whether a directive stands on the lines of a place, or its text may hide or expose one at an end."""
    first = text.rfind(b"\n", 0, place.start) + 1
    last = text.find(b"\n", place.end)
    lines = text[first : last if last >= 0 else len(text)]
    continues = text[:first].rstrip(b"\r\n").endswith(b"\\")
    window = text[max(place.start - 1, 0) : place.end + 1]
    return continues or _DIRECTIVE.search(lines) is not None or _HIDING.search(window) is not None


def _innermost_body(regions: Iterable[Region], edit: Span) -> Region | None:
    """The innermost region whose body holds an edit between its braces."""
    inside = (region for region in regions if region.body.start < edit.start and edit.end < region.body.end)
    return max(inside, key=lambda region: region.body.start, default=None)


def _innermost(regions: Iterable[Region], span: Span) -> Region | None:
    return max((region for region in regions if region.holds(span)), key=lambda region: region.body.start, default=None)


def _same_head(was: Region, is_: Region, edit: Edit) -> bool:
    if (was.function is None) != (is_.function is None):
        return False
    for function in (was.function, is_.function):  # an operator, a constructor or the like is called without its name
        if function is not None and (function.record or not _PLAIN.match(function.qualified)):
            return False
    return (was.name, *was.body) == (is_.name, is_.body.start, is_.body.end - edit.grown)


def _same_outside(before: ParsedFile, after: ParsedFile, edit: Edit, edited: Region) -> bool:
    """Whether all but the edited body was parsed as before."""
    first, second = before.parses[0], after.parses[0]
    if first.level is not second.level or len(before.functions) != len(after.functions):
        return False
    if not _same_children(first.tree.root_node, second.tree.root_node, edit, edited.body):
        return False
    pairs = zip(before.functions, after.functions, strict=True)
    return all(_same_function(before, after, function, two, edited) for function, two in pairs)


def _same_function(
    before: ParsedFile, after: ParsedFile, function: FunctionNode, two: FunctionNode, edited: Region
) -> bool:
    if two.head_start <= edited.span.start and edited.span.end <= two.node.end_byte:
        return function.name == two.name  # it is, or holds, the edited one
    texts = [
        parsed.parses[node.parse_index].masked.text[node.head_start : node.node.end_byte]
        for parsed, node in ((before, function), (after, two))
    ]
    levels = before.parses[function.parse_index].level, after.parses[two.parse_index].level
    return levels[0] is levels[1] and texts[0] == texts[1] and _same_tree(function.node, two.node)


def _same_tree(node: Node, two: Node) -> bool:
    """Whether two nodes over the same text are the same; without errors they are."""
    return not (node.has_error or two.has_error) or str(node) == str(two)


def _same_children(node: Node, two: Node, edit: Edit, body: Span) -> bool:
    """Whether two nodes have the same children except those on the way to the edited body."""
    ours, theirs = node.children, two.children
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
    values of constants and instantiations are all seen. None if a name stands where it may concern everything. The body
    of a kernel concerns no other function: it returns no value, and its launches are compared (`same_kernel`).
    """
    parsed, regions = after.parsed, _functions(after.parsed)
    starts = {region.body.start for region in regions if region.holds(edited.span)}
    head = edited.function.name_node.start_byte if edited.function is not None else -1
    if any(kernel.name_span.start == head for kernel in after.kernels):
        return frozenset(starts)
    words = {region.body.start: frozenset(_WORD.findall(parsed.source.data, *region.span)) for region in regions}
    waiting = [edited.name.encode()]
    seen: set[bytes] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for region in regions:
            if region.body.start not in starts and name in words[region.body.start]:
                if region.function is None or region.function.record or not _PLAIN.match(region.function.qualified):
                    return None
                starts.add(region.body.start)
                waiting.append(region.name.encode())
    return None if seen & _outside(parsed) else frozenset(starts)


def _outside(parsed: ParsedFile) -> frozenset[bytes]:
    """Words outside of functions, and in directives."""
    data = bytearray(parsed.source.data)
    for function in parsed.functions:
        start, end = function.name_node.start_byte, function.node.end_byte
        data[start:end] = b" " * (end - start)
    words = set(_WORD.findall(data))
    for line in re.findall(rb"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", parsed.source.data, re.MULTILINE):
        words |= set(_WORD.findall(line))
    return frozenset(words)


# ------------------------------------------------------------------------------------------------------------- kernels


def same_kernel(old: Kernel, new: Kernel, texts: tuple[bytes, bytes]) -> bool:
    """Whether all that is known of a kernel beside its text is what it was: its launches, bounds, instantiations, and
    what a lambda captures. texts: of the file before and now.
    """
    return _known_of(old, texts[0]) == _known_of(new, texts[1])


def _known_of(kernel: Kernel, text: bytes) -> object:
    bounds = kernel.launch_bounds
    return (
        (kernel.name, kernel.language, kernel.explicit_simd, kernel.sub_group_size, kernel.grf_mode),
        (kernel.local_accessors_bytes, kernel.cluster, dict(kernel.bindings)),
        None if bounds is None else bounds._replace(span=Span(0, 0)),
        [launch._replace(span=Span(0, 0), line=0, block_span=None) for launch in kernel.launches],
        [(instance.arguments, instance.path) for instance in kernel.instances],
        [
            (capture.name, capture.type, len(capture.dims), text[capture.declaration.start : capture.declaration.end])
            for capture in kernel.function.captures
        ],
    )


def by_name(kernels: Iterable[Kernel]) -> Mapping[tuple[str, int], Kernel]:
    """Kernels by name and by which of that name they are."""
    result: dict[tuple[str, int], Kernel] = {}
    for kernel in kernels:
        number = 0
        while (kernel.name, number) in result:
            number += 1
        result[kernel.name, number] = kernel
    return result
