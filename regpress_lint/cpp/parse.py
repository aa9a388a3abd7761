"""From bytes to syntax trees: the best mask first, further ones only where it leaves an error that matters."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import TYPE_CHECKING

from tree_sitter import Language, Node, Parser, Point, Range, Tree

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import checkpoint, is_interruptible
from regpress_lint.core.source import differing
from regpress_lint.cpp.assigned_commas import assigned_comma
from regpress_lint.cpp.mask.masking import Holds, Level, Masked, mask, undecided

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from types import ModuleType

    from regpress_lint.cpp.preprocess.macros import MacroTable


# The C++ grammar without the rest of its package, which loads `importlib.resources` for queries, which are unused
# here.


_PACKAGE = "tree_sitter_cpp"


@cache
def language() -> Language:
    """The grammar. Raises ImportError if its package is not installed."""
    grammar: Language = Language(_binding().language())
    return grammar


def _binding() -> ModuleType:
    """The compiled part of the package; all of it if that is not in a folder, as in a zip archive."""
    package = PathFinder.find_spec(_PACKAGE)
    places = None if package is None else package.submodule_search_locations
    spec = None if places is None else PathFinder.find_spec(f"{_PACKAGE}._binding", places)
    if spec is None or spec.loader is None:
        import tree_sitter_cpp

        return tree_sitter_cpp
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The nodes around a place of a file, in its syntax tree.


_last: list[tuple[Node, ...]] = [()]
"""The last result, root first: successive lookups are mostly for neighbours, even deep in the tree."""


def nodes_around(root: Node, start: int, end: int) -> list[Node]:
    """The smallest node that holds a range, its parent, and so on up to the root.

    One way down: `Node.parent` looks from the root on, for each step up, and a file may nest as deep as it likes. The
    way begins where the one before it leaves off, not at the root.
    """
    smallest = root.descendant_for_byte_range(start, end)
    nodes = _shared(root, start, end)
    node: Node | None = nodes.pop() if nodes else root
    while node is not None and smallest is not None and node != smallest:
        nodes.append(node)
        node = node.child_with_descendant(smallest)
    nodes += [] if smallest is None else [smallest]
    _last[0] = tuple(nodes)
    return nodes[::-1]


def _shared(root: Node, start: int, end: int) -> list[Node]:
    """The part of the last way, root first, that leads to a range as well: all of it lies around the range, with room
    on both sides, for at an edge another node without text may hold it.
    """
    last = _last[0]
    if not last or last[0] != root:
        return []
    for number in range(len(last) - 1, 0, -1):
        if last[number].start_byte < start and end < last[number].end_byte:
            return [*last[: number + 1]]
    return []


def above(root: Node, node: Node) -> list[Node]:
    """The nodes around a node of a tree, from the inside out, as `Node.parent` gives them step by step."""
    nodes = nodes_around(root, node.start_byte, node.end_byte)
    if (at := next((position for position, outer in enumerate(nodes) if outer == node), None)) is not None:
        return nodes[at + 1 :]
    return [*ancestors(node)]  # a node without text, or of another tree


def children_of(node: Node | None, field: str = "") -> list[Node]:
    """The children of a node, or of what a field of it holds, without punctuation and comments."""
    listed = node.child_by_field_name(field) if node is not None and field else node
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, from the inside out; each costs a way down from the root."""
    outer = node.parent
    while outer is not None:
        yield outer
        outer = outer.parent


def nearest(node: Node | None, types: Container[str], field: str = "") -> Node | None:
    """A node, or the first of these types around it; with a field the first behind it."""
    while node is not None and node.type not in types:
        node = node.child_by_field_name(field) if field else node.parent
    return node


def past(node: Node | None, types: Container[str], field: str = "") -> Node | None:
    """A node, or the first around it, or behind a field, of none of these types."""
    while node is not None and node.type in types:
        node = node.child_by_field_name(field) if field else node.parent
    return node


_BRANCH_RUNGS = (Level.M2_LIKELY, Level.M2_OTHER)
_KEYWORD_RUNGS = (Level.M1, Level.M1_LIKELY)
_DEVICE_KINDS = frozenset(("global", "launch_open", "launch_bounds", "lambda", "block"))
_DEVICE_WORDS = pattern(
    rb"__device__|parallel_for|single_task|\bnd_item\b|\bsub_group\b|nd_launch|LaunchKernel|sycl_kernel_submit|\bh_item\b|SYCL_EXTERNAL"
    rb"|KOKKOS_\w*FUNCTION|AMREX_GPU_\w*DEVICE|RAJA_(?:HOST_)?DEVICE|RAJA::(?:forall|kernel|launch)|ALPAKA_FN_ACC|HEMI_LAMBDA"
)


_LONG, _PIECE = 200_000, 1 << 16  # bytes


class Parsed(NamedTuple):
    """One rung of the ladder. Byte offsets of `tree` are offsets in the file."""

    masked: Masked
    tree: Tree
    level: Level
    has_error: bool


@cache
def _parser() -> Parser:
    return Parser(language())


def parse_plain(data: bytes) -> Tree:
    """Tree of a snippet that needs no mask."""
    return _parser().parse(data)


def parse_part(data: bytes, start: int) -> Tree:
    """The tree of a text from an offset on; the parser never reads the text before it."""
    parser = _part_parser()
    parser.included_ranges = [Range(Point(0, start), Point(0, len(data)), start, len(data))]
    return parser.parse(data)


@cache
def _part_parser() -> Parser:
    return Parser(language())


def parse_level(
    data: bytes, macros: MacroTable, level: Level, before: Parsed | None = None, holds: Holds = undecided
) -> Parsed:
    """Mask and parse once; of the tree of the text `before` an edit, what the edit leaves as it was is taken over."""
    masked = mask(data, macros, level, holds)
    old = _edited(before, masked.text) if before is not None and before.level is level else None
    tree = _tree(_parser(), masked.text, old)
    return Parsed(masked, tree, level, tree.root_node.has_error)


def _tree(parser: Parser, text: bytes, old: Tree | None) -> Tree:
    """The tree of a text. A long one is parsed piece by piece where the work may be called off."""
    if len(text) < _LONG or not is_interruptible():
        return parser.parse(text, old) if old is not None else parser.parse(text)
    raised: list[BaseException] = []

    def stops(_offset: int, _error: bool) -> bool:
        try:
            checkpoint()
        except BaseException as error:
            raised.append(error)
        return bool(raised)

    def piece(offset: int, _place: Point) -> bytes:
        return text[offset : offset + _PIECE]

    try:
        if old is not None:
            return parser.parse(piece, old, progress_callback=stops)
        return parser.parse(piece, progress_callback=stops)
    except ValueError:  # the parser's own word for a parse that was stopped
        if not raised:
            raise
        parser.reset()
        raise raised[0] from None


def _edited(before: Parsed, text: bytes) -> Tree:
    """A copy of a tree that knows where its text was changed to another one."""
    old_text = before.masked.text
    start, old_end, new_end = differing(old_text, text)
    tree = before.tree.copy()
    tree.edit(start, old_end, new_end, _point(old_text, start), _point(old_text, old_end), _point(text, new_end))
    return tree


def _point(text: bytes, offset: int) -> Point:
    return Point(text.count(b"\n", 0, offset), offset - text.rfind(b"\n", 0, offset) - 1)


def parse_ladder(
    data: bytes, macros: MacroTable, *, hasty: bool = False, before: Parsed | None = None, holds: Holds = undecided
) -> tuple[Parsed, ...]:
    """The best tree first; others follow only when an error of the first touches device code or a launch, and never for
    callers in a hurry. before: the first tree of the text before it was edited.
    holds: which arms of its conditionals are likely compiled.

    A one-branch rung is never alone: it hides what the other branch holds. Kernels are the union over the rungs.
    Raises nothing, whatever the bytes are.
    """
    first = parse_level(data, macros, Level.M2, before, holds)
    if hasty or not first.has_error or not error_matters(first, data):
        return (first,)
    branches = [parse_level(data, macros, level, holds=holds) for level in _BRANCH_RUNGS if b"#" in data]
    rungs = [first, *branches]
    if not branches or any(rung.has_error and error_matters(rung, data) for rung in branches):
        # The branches of an `#if` are not the reason, or not the only one: the macro rules may be.
        rungs += [
            parse_level(data, macros, level, holds=holds)
            for level in _KEYWORD_RUNGS
            if b"#" in data or not level.one_branch
        ]
    whole = [rung for rung in rungs if not rung.level.one_branch]
    best = min(whole, key=lambda rung: (error_bytes(rung), rung.level is not Level.M2))
    return (best, *(rung for rung in rungs if rung is not best))


def error_nodes(root: Node) -> Iterator[Node]:
    """Outermost ERROR and MISSING nodes under `root`, in order; looks only where there is one."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            comma = assigned_comma(node)
            stack += reversed(node.children if comma is None else comma)


def error_bytes(parsed: Parsed) -> int:
    """Bytes inside outermost ERROR nodes, a missing token counted as one."""
    if not parsed.has_error:
        return 0
    return sum(max(node.end_byte - node.start_byte, 1) for node in error_nodes(parsed.tree.root_node))


def error_matters(parsed: Parsed, data: bytes) -> bool:
    """Whether an error is in a definition, or next to it, that holds device code or a launch."""
    marks = [item.start for item in parsed.masked.items if item.kind in _DEVICE_KINDS]
    for start, end in _error_regions(parsed.tree.root_node):
        index = bisect_left(marks, start)
        if index < len(marks) and marks[index] < end:
            return True
        if _DEVICE_WORDS.search(data, start, end) is not None:
            return True
    return False


def _error_regions(root: Node) -> Iterator[tuple[int, int]]:
    """For each broken outermost definition the range from the end of its left neighbour to the end of its right one."""
    stack = [root]
    while stack:
        node = stack.pop()
        children = node.children
        for index, child in enumerate(children):
            if not (child.has_error or child.is_missing):
                continue
            if child.type in _CONTAINERS:
                stack.append(child)
                continue
            # What was masked in front of a definition, such as its `__global__`, lies before the node's own start.
            # After an ERROR the parser may cut the rest of a definition into pieces: the neighbours belong to it. A `;`
            # that it missed ends a piece, such as the `void` in front of an `#if` with attributes.
            first = index - 1 if child.is_missing else index
            start = children[first - 1].end_byte if first > 0 else (0 if node is root else node.start_byte)
            if (
                first > 0
                and children[first - 1].type in _ATTRIBUTES_IN
                and start - children[first - 1].start_byte < _FEW
            ):
                start = children[first - 1].start_byte  # `#ifdef GPU __device__ #endif inline int f(int n)`
            cut = (child.is_error or child.is_missing) and index + 1 < len(children)
            end = children[index + 1].end_byte if cut else child.end_byte
            yield start, max(end, start + 1)
    if root.is_error:
        yield 0, root.end_byte


_ATTRIBUTES_IN = ("preproc_if", "preproc_ifdef")
_FEW = 200  # bytes of a conditional that may hold but attributes
_CONTAINERS = frozenset(
    """
    namespace_definition declaration_list linkage_specification preproc_if preproc_ifdef preproc_else preproc_elif
    preproc_elifdef
    """.split()
)
