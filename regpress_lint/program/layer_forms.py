"""Lambdas and functors that a portability layer launches as kernels; what it runs on the host is none."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.ancestors import nodes_around
from regpress_lint.cpp.mask.block_lambdas import KIND as BLOCK
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.lowering import head_words
from regpress_lint.program.layers import ELSEWHERE, Layer
from regpress_lint.program.sycl_forms import Entry, arguments, broken, call_of, kernel_owner, owner_name, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import Unit

_WORD = pattern(r"\w+")
_FUNCTION = "function_definition"
_AROUND_MARK = ("lambda_expression", "compound_statement", _FUNCTION)
_DEVICE = pattern(
    r"__device__|__global__|KOKKOS_\w*FUNCTION|RAJA_(?:HOST_)?DEVICE|AMREX_GPU_\w*DEVICE|ALPAKA_FN_\w*ACC|H?DINLINE"
)
_GPU_POLICY = pattern(rb"\b(?:cuda|hip|sycl)_(?:exec|launch_t|work)\w*|\b(?:Cuda|Hip|Sycl)Kernel\w*")
_ALIAS = rb"\busing\s+%s\s*=\s*([^;]*);"
_LONGEST_POLICY = 4096
_MOST_ALIASES = 16


class Launched(NamedTuple):
    """A kernel of a layer before it is lowered; `policy` is what its launch says besides the kernel itself."""

    entry: Entry
    layer: Layer
    policy: str = ""


def launched(unit: Unit, layers: Sequence[Layer]) -> tuple[Launched, ...]:
    """All kernels of the layers in a file, each once, from the rung that reads it best, a launch in view first."""
    best: dict[int, Launched] = {}
    for found in (*_calls(unit, layers), *_functors(unit, layers)):
        start = start_of(found.entry)
        known = best.get(start)
        if known is None or (broken(known.entry) and not broken(found.entry)):
            best[start] = found
    return tuple(best[start] for start in sorted(best))


def _calls(unit: Unit, layers: Sequence[Layer]) -> Iterator[Launched]:
    for index, parsed in enumerate(unit.parses):
        for layer in layers:
            for call in (*_named_calls(unit, index, layer), *_calls_with_marks(unit, index, layer)):
                yield from _of_call(unit, index, call, layer)
        if not parsed.has_error and not parsed.level.one_branch:
            break


def _named_calls(unit: Unit, index: int, layer: Layer) -> Iterator[Node]:
    """Calls of the functions by which a layer launches."""
    text, root = unit.parses[index].masked.text, unit.parses[index].tree.root_node
    for match in _launches(layer).finditer(text) if layer.launches else ():
        call = call_of(root, match.start(1), match.end(1))
        if call is not None:
            yield call


@lru_cache(maxsize=64)
def _launches(layer: Layer) -> re.Pattern[bytes]:
    spaces = "|".join(map(re.escape, layer.namespaces))
    return re.compile(rf"(?:{spaces})\b({'|'.join(sorted(layer.launches))})\s*[<(]".encode())


def _calls_with_marks(unit: Unit, index: int, layer: Layer) -> Iterator[Node]:
    """Calls of whatever function with a lambda that only a layer can run."""
    parsed = unit.parses[index]
    for item in parsed.masked.items:
        block = item.kind == BLOCK and not layer.marks.isdisjoint(_WORD.findall(item.expansion))
        if not block and layer.any_call.isdisjoint(_WORD.findall(item.text.decode("utf-8", "replace"))):
            continue
        around = iter(nodes_around(parsed.tree.root_node, item.start, item.start + 1))
        node = next((each for each in around if each.type in _AROUND_MARK), None)
        above = next(around, None) if node is not None and node.type == "lambda_expression" else None
        call = next(around, None) if above is not None and above.type == "argument_list" else None
        if call is not None and (layer.any_call or _last_word(unit, call) in layer.launches):
            yield call


def _last_word(unit: Unit, call: Node) -> str:
    """Last name of the function or macro that is called, as the file spells it."""
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    data, end = unit.source.data, function.end_byte
    while data[end : end + 1].isalnum() or data[end : end + 1] == b"_":  # the mask may have left less of a macro
        end += 1
    words = _WORD.findall(data[function.start_byte : end].partition(b"<")[0].decode("utf-8", "replace"))
    return words[-1] if words else ""


def _of_call(unit: Unit, index: int, call: Node, layer: Layer) -> Iterator[Launched]:
    if call.type != "call_expression" or _is_device_code(unit, index, call):
        return
    text = unit.parses[index].masked.text
    given = arguments(call)
    function = call.child_by_field_name("function")
    plain = [node for node in (function, *given) if node is not None and node.type != "lambda_expression"]
    said = b" ".join(text[node.start_byte : node.end_byte] for node in plain)
    policy = _with_aliases(text, said, call.start_byte)
    if ELSEWHERE.search(policy):
        return
    form = _last_word(unit, call)
    for node in given:
        owner = kernel_owner(unit, index, call, node)
        if owner is None:
            continue
        marks = _marks(unit, index, owner)
        if layer.marks.isdisjoint(marks) and not (layer.name == "RAJA" and _GPU_POLICY.search(policy)):
            continue
        name = "::".join((*((layer.name,) if layer.name else ()), form))
        entry = Entry(owner, call, name, owner_name(owner), index)
        yield Launched(entry, layer, policy.decode("utf-8", "replace"))


def _with_aliases(text: bytes, said: bytes, position: int) -> bytes:
    """What a launch says, and what the nearest aliases before it stand for: `using Policy = RAJA::cuda_exec<256>;`."""
    said = said[:_LONGEST_POLICY]
    names = list(dict.fromkeys(re.findall(rb"[A-Za-z_]\w*", said)))[:_MOST_ALIASES]
    found = (_alias(text, name, position) for name in names)
    return b" ".join((said, *(each[:_LONGEST_POLICY] for each in found if each)))


def _alias(text: bytes, name: bytes, position: int) -> bytes:
    if text.find(b"using") < 0:
        return b""
    pattern = re.compile(_ALIAS % re.escape(name))
    before = [match[1] for match in pattern.finditer(text, 0, position)]
    later = pattern.search(text, position) if not before else None
    return before[-1] if before else later[1] if later is not None else b""


def _functors(unit: Unit, layers: Sequence[Layer]) -> Iterator[Launched]:
    """Each `void operator()` whose words say that a layer calls it on the device."""
    for function in unit.functions_by_name.get("operator()", ()):
        words = _marks(unit, function.parse_index, function)
        layer = next((layer for layer in layers if not layer.functors.isdisjoint(words)), None)
        name = owner_name(function)
        if layer is not None and layer.owners in name and _gives_nothing(unit, function):
            entry = Entry(function, None, f"{layer.name}::functor", name, function.parse_index)
            yield Launched(entry, layer)


def _gives_nothing(unit: Unit, function: FunctionNode) -> bool:
    text = unit.parses[function.parse_index].masked.text
    head = text[function.node.start_byte : function.body.start_byte].decode("utf-8", "replace")
    return re.search(r"\bvoid\s+(?:[\w:<>, ]*::\s*)?operator\b|->\s*void\b", head) is not None


def _marks(unit: Unit, index: int, owner: Node | FunctionNode) -> frozenset[str]:
    """Words in the head of a lambda or a function, those that its macros stand for included."""
    if isinstance(owner, FunctionNode):
        return frozenset(word for text in head_words(owner, unit) for word in _WORD.findall(text))
    body = owner.child_by_field_name("body")
    end = body.start_byte if body is not None else owner.end_byte
    found: set[str] = set()
    for item in unit.parses[index].masked.items:
        if item.start >= end:
            break
        if item.start >= owner.start_byte:
            found.update(_WORD.findall(item.text.decode("utf-8", "replace")), _WORD.findall(item.expansion))
    return frozenset(found)


def _is_device_code(unit: Unit, index: int, call: Node) -> bool:
    """True where a thread of the device makes the call: it starts no kernel."""
    node = call.parent
    while node is not None and node.type != _FUNCTION:
        if node.type == "lambda_expression" and any(map(_on_device, _marks(unit, index, node))):
            return True
        node = node.parent
    function = unit.function_around(call.start_byte)
    return function is not None and any(_DEVICE.search(word) for word in head_words(function, unit))


def _on_device(word: str) -> bool:
    return _DEVICE.fullmatch(word) is not None or word in ("KOKKOS_LAMBDA", "KOKKOS_CLASS_LAMBDA", "HEMI_LAMBDA")
