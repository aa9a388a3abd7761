"""Kernels of portability layers: what a layer launches, and what that executes under which bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern, whole_word
from regpress_lint.core.source import Span
from regpress_lint.cpp.mask.macro_blocks import KIND as BLOCK
from regpress_lint.cpp.names.definition_nodes import FunctionNode
from regpress_lint.cpp.names.function_trees import head_words
from regpress_lint.cpp.names.host_types import arguments_of
from regpress_lint.cpp.names.host_values import HostValues, Value
from regpress_lint.cpp.names.templates import parameters_of
from regpress_lint.cpp.parse import ancestors, nodes_around
from regpress_lint.program.host_places import agreed_on
from regpress_lint.program.instances import Instances
from regpress_lint.program.kernel_functions import stated_bounds
from regpress_lint.program.launches import make_launch
from regpress_lint.program.layers import ELSEWHERE, Layer
from regpress_lint.program.model import Instance, Kernel, LaunchBounds
from regpress_lint.program.sycl_forms import Entry, broken, call_of, kernel_owner, owner_name, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.program.model import Launch


# Lambdas and functors that a portability layer launches as kernels; what it runs on the host is none.


_WORD = pattern(r"\w+")
_FUNCTION = "function_definition"
_AROUND_MARK = ("lambda_expression", "compound_statement", _FUNCTION)
_DEVICE = pattern(
    r"__device__|__global__|KOKKOS_\w*FUNCTION|RAJA_(?:HOST_)?DEVICE|AMREX_GPU_\w*DEVICE|ALPAKA_FN_\w*ACC|H?DINLINE"
)
_GPU_POLICY = pattern(rb"\b(?:cuda|hip|sycl)_(?:exec|launch_t|work)\w*|\b(?:Cuda|Hip|Sycl)Kernel\w*")
_ALIAS = pattern(rb"using(?<!\wusing)\s+([A-Za-z_]\w*)\s*=(?=\s*([^;]*);)")
_NAMES = pattern(rb"[A-Za-z_]\w*")
_TEMPLATE = pattern(rb"template\s*<([^<>]*)>\s*")
_ENDED = pattern(rb"[;{}]")
_NO_TYPES = frozenset((b"return", b"else", b"new", b"delete", b"using", b"typename", b"case", b"goto"))
_INITIALISER = pattern(rb"\s*+[({=]")
# No two blanks in a row may share a stretch of them: where comments were, there are hundreds.
_DECLARED = pattern(rb"(?<![\w.>])([A-Za-z_][\w:]*(?:\s*<[^;{}()]*>)?)(?:\s*\bconst)?(?:\s*&|\s)\s*\Z")
_NEAR = 8192  # bytes before a launch in which a variable of its function may be declared
_LONGEST_HEAD = 256  # of the parameters of an alias template
_LONGEST_POLICY = 4096
_NOBODY = cast("Entry", None)
_MOST_ALIASES = 16


class Launched(NamedTuple):
    """A kernel of a layer before it is lowered.

    policy: the launch without the kernel itself. form: the layer's function that launches it, where a function of the
    project forwards the kernel to it.
    """

    entry: Entry
    layer: Layer
    policy: str = ""
    form: str = ""


# Calls of a function with the functors that they pass at a position, by rung, name and position: a layer's own header
# has hundreds of overloads of one name, each of which launches what it is handed.
_Passed = dict["tuple[int, str, int]", "tuple[tuple[Node, FunctionNode], ...]"]
Finder = Callable[[str, int], "tuple[ParsedFile, FunctionNode] | None"]


def launched(parsed: ParsedFile, layers: Sequence[Layer], find: Finder) -> tuple[Launched, ...]:
    """All kernels of the layers in a file, each once, from the rung that reads it best, a visible launch first.

    find: a function by its name and the count of its arguments.
    """
    best: dict[int, Launched] = {}
    for launch in (*_calls(parsed, layers, find), *_functors(parsed, layers)):
        start = start_of(launch.entry)
        earlier = best.get(start)
        if earlier is None or (broken(earlier.entry) and not broken(launch.entry)):
            best[start] = launch
    return tuple(best[start] for start in sorted(best))


def _calls(parsed: ParsedFile, layers: Sequence[Layer], find: Finder) -> Iterator[Launched]:
    passed: _Passed = {}
    for index, parse in enumerate(parsed.parses):
        for layer in layers:
            for call in (*_named_calls(parsed, index, layer), *_calls_with_marks(parsed, index, layer)):
                yield from _of_call(parsed, index, call, layer, find, passed)
        if not parse.has_error and not parse.level.one_branch:
            break


def _named_calls(parsed: ParsedFile, index: int, layer: Layer) -> Iterator[Node]:
    """Calls of the functions by which a layer launches."""
    text, root = parsed.parses[index].masked.text, parsed.parses[index].tree.root_node
    for match in _launches(layer).finditer(text) if layer.launches else ():
        if (call := call_of(root, match.start(1), match.end(1))) is not None:
            yield call


@lru_cache(maxsize=64)
def _launches(layer: Layer) -> re.Pattern[bytes]:
    spaces = "|".join(map(re.escape, layer.namespaces))
    return re.compile(rf"(?:{spaces})\b({'|'.join(sorted(layer.launches))})\s*[<(]".encode())


def _calls_with_marks(parsed: ParsedFile, index: int, layer: Layer) -> Iterator[Node]:
    """Calls of whatever function with a lambda that only a layer can run."""
    parse = parsed.parses[index]
    for item in parse.masked.items:
        block = item.kind == BLOCK and not layer.marks.isdisjoint(_WORD.findall(item.expansion))
        if not block and layer.any_call.isdisjoint(_WORD.findall(item.text.decode("utf-8", "replace"))):
            continue
        around = iter(nodes_around(parse.tree.root_node, item.start, item.start + 1))
        node = next((outer for outer in around if outer.type in _AROUND_MARK), None)
        above = next(around, None) if node is not None and node.type == "lambda_expression" else None
        call = next(around, None) if above is not None and above.type == "argument_list" else None
        if call is not None and (layer.any_call or _last_word(parsed, call) in layer.launches):
            yield call


def _last_word(parsed: ParsedFile, call: Node) -> str:
    """Last name of the function or macro that is called, as the file spells it."""
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    data, end = parsed.source.data, function.end_byte
    while data[end : end + 1].isalnum() or data[end : end + 1] == b"_":  # the mask may have left less of a macro
        end += 1
    words = _WORD.findall(data[function.start_byte : end].partition(b"<")[0].decode("utf-8", "replace"))
    return words[-1] if words else ""


def _of_call(
    parsed: ParsedFile, index: int, call: Node, layer: Layer, find: Finder, passed: _Passed
) -> Iterator[Launched]:
    if call.type != "call_expression" or _is_device_code(parsed, index, call):
        return
    text = parsed.parses[index].masked.text
    arguments = arguments_of(call)
    function = call.child_by_field_name("function")
    plain = [node for node in (function, *arguments) if node is not None and node.type != "lambda_expression"]
    template_text = b" ".join(text[node.start_byte : node.end_byte] for node in plain)
    policy = _with_aliases(text, template_text, call.start_byte)
    if ELSEWHERE.search(policy):
        return
    form = inner = _last_word(parsed, call)
    if form not in layer.launches and (within := _launch_within(find(form, len(arguments)), layer)) is not None:
        inner, more = within
        policy = b" ".join((policy, more))
    for node in arguments:
        owner = kernel_owner(parsed, index, call, node)
        if owner is None:
            launch = Launched(_NOBODY, layer, policy.decode("utf-8", "replace"), inner)
            yield from _handed_in(parsed, index, call, node, launch, passed)
            continue
        marks = _marks(parsed, index, owner)
        if layer.marks.isdisjoint(marks) and not (layer.name == "RAJA" and _GPU_POLICY.search(policy)):
            continue
        name = "::".join((*((layer.name,) if layer.name else ()), form))
        entry = Entry(owner, call, name, owner_name(owner), index)
        yield Launched(entry, layer, policy.decode("utf-8", "replace"), inner)


def _launch_within(definition: tuple[ParsedFile, FunctionNode] | None, layer: Layer) -> tuple[str, bytes] | None:
    """The first launch in a function that is handed a kernel: by which function of the layer, and with what policy."""
    if definition is None or not layer.launches:
        return None
    parsed, function = definition
    parse = parsed.parses[function.parse_index]
    for match in _launches(layer).finditer(parse.masked.text, function.body.start_byte, function.body.end_byte):
        call = call_of(parse.tree.root_node, match.start(1), match.end(1))
        if call is not None and call.type == "call_expression":
            call_text = parse.masked.text[call.start_byte : call.end_byte]
            return match[1].decode(), _with_aliases(parse.masked.text, call_text, call.start_byte)
    return None


def _handed_in(
    parsed: ParsedFile, index: int, call: Node, node: Node, launch: Launched, passed: _Passed
) -> Iterator[Launched]:
    """Functors of the file that callers pass to the function around a launch, which launches its argument."""
    around = parsed.function_around(call.start_byte) if node.type == "identifier" else None
    if around is None or around.template is None:
        return
    text = parsed.parses[index].masked.text
    name = text[node.start_byte : node.end_byte]
    head = around.declarator.child_by_field_name("parameters")
    names = [_NAMES.findall(text[child.start_byte : child.end_byte]) for child in head.named_children] if head else []
    position = next((at for at, words in enumerate(names) if words and words[-1] == name), None)
    if position is None:
        return
    key = index, around.name, position
    if key not in passed:
        passed[key] = tuple(_passed_to(parsed, *key))
    for outer, owner in passed[key]:
        if not launch.layer.marks.isdisjoint(_marks(parsed, index, owner)):
            entry = Entry(owner, outer, f"{launch.layer.name}::{launch.form}", owner_name(owner), index)
            yield launch._replace(entry=entry)


def _passed_to(parsed: ParsedFile, index: int, name: str, position: int) -> Iterator[tuple[Node, FunctionNode]]:
    """The calls of a function by name, each with the functor that it passes at a position."""
    parse = parsed.parses[index]
    for match in re.finditer(whole_word(name.encode()) + rb"\s*[<(]", parse.masked.text):
        outer = call_of(parse.tree.root_node, match.start(), match.start() + len(name))
        arguments = arguments_of(outer) if outer is not None and outer.type == "call_expression" else []
        if outer is not None and position < len(arguments):
            owner = kernel_owner(parsed, index, outer, arguments[position])
            if isinstance(owner, FunctionNode):
                yield outer, owner


def _with_aliases(text: bytes, said: bytes, position: int) -> bytes:
    """The text of a launch, with the definitions of its names: the nearest aliases and variables before it, and those
    in what these say.
    """
    parts = [said[:_LONGEST_POLICY]]
    seen: set[bytes] = set()
    for part in parts:  # grows while it is gone through
        for name in dict.fromkeys(_NAMES.findall(part)):
            if name in seen or len(seen) >= _MOST_ALIASES:
                continue
            seen.add(name)
            data = _alias(text, name, position) or _variable(text, name, position)
            if data and len(parts) < _MOST_ALIASES:
                parts.append(_with_arguments(data, part, name)[:_LONGEST_POLICY])
    return b" ".join(parts)


def _alias(text: bytes, name: bytes, position: int) -> bytes:
    places = _aliases(text).get(name, ())
    match = next((place for place in reversed(places) if place.end(2) < position), None)
    match = match or next((place for place in places if place.start() >= position), None)
    if match is None:
        return b""
    head = text.rfind(b"template", max(match.start() - _LONGEST_HEAD, 0), match.start())
    between = text[head : match.start()] if head >= 0 else b";"
    return (between if not _ENDED.search(between) else b"") + match[2]


@lru_cache(maxsize=4)
def _aliases(text: bytes) -> dict[bytes, list[re.Match[bytes]]]:
    """The aliases of a text by their names."""
    aliases: dict[bytes, list[re.Match[bytes]]] = {}
    for match in _ALIAS.finditer(text):
        aliases.setdefault(match[1], []).append(match)
    return aliases


def _with_arguments(data: bytes, part: bytes, name: bytes) -> bytes:
    """The type of an alias, with its arguments if it is a template: `Exec<256>`."""
    match = _TEMPLATE.match(data)
    if match is None:
        return data
    template = re.search(rb"\b%b\s*<([^<>]*)>" % re.escape(name), part)
    body = data[match.end() :]
    names = [words[-1] for parameter in match[1].split(b",") if (words := _NAMES.findall(parameter.partition(b"=")[0]))]
    for parameter, argument in zip(names, template[1].split(b",") if template is not None else (), strict=False):
        body = re.sub(rb"\b%b\b" % re.escape(parameter), argument.strip().replace(b"\\", b""), body)
    return body


def _begun(text: bytes, name: bytes, first: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a name is followed by an initialiser, and where that begins: only there is a type looked for."""
    at = text.find(name, first, end)
    while at >= 0:
        behind = at + len(name)
        begun = _INITIALISER.match(text, behind, end)
        if begun is not None:
            yield at, begun.end() - 1
        at = text.find(name, behind, end)


def _variable(text: bytes, name: bytes, position: int) -> bytes:
    """The type of a variable by that name, and its initialiser: `RangePolicy<...> policy(0, n);`."""
    first, code = max(position - _NEAR, 0), b""
    for at, init in _begun(text, name, first, position):
        start = max(first, *(text.rfind(mark, first, at) + 1 for mark in (b";", b"{", b"}", b"(", b")")))
        match = _DECLARED.search(text, start, at) if start <= at else None
        if match is None:
            continue
        end = text.find(b";", init, position)
        first = end if end >= 0 else position
        type_name = match[1].split(b"<")[0].strip()
        if type_name not in _NO_TYPES:
            code = b" ".join((match[1], text[init:first] if type_name == b"auto" else b""))
    return code


def _functors(parsed: ParsedFile, layers: Sequence[Layer]) -> Iterator[Launched]:
    """Each `void operator()` whose words say that a layer calls it on the device."""
    for function in parsed.functions_by_name.get("operator()", ()):
        words = _marks(parsed, function.parse_index, function)
        layer = next((layer for layer in layers if not layer.functors.isdisjoint(words)), None)
        name = owner_name(function)
        if layer is not None and layer.owners in name and _gives_nothing(parsed, function):
            entry = Entry(function, None, f"{layer.name}::functor", name, function.parse_index)
            yield Launched(entry, layer)


def _gives_nothing(parsed: ParsedFile, function: FunctionNode) -> bool:
    text = parsed.parses[function.parse_index].masked.text
    head = text[function.node.start_byte : function.body.start_byte].decode("utf-8", "replace")
    return re.search(r"\bvoid\s+(?:[\w:<>, ]*::\s*)?operator\b|->\s*void\b", head) is not None


def _marks(parsed: ParsedFile, index: int, owner: Node | FunctionNode) -> frozenset[str]:
    """Words in the head of a lambda or a function, those that its macros stand for included."""
    if isinstance(owner, FunctionNode):
        return frozenset(word for text in head_words(owner, parsed) for word in _WORD.findall(text))
    body = owner.child_by_field_name("body")
    end = body.start_byte if body is not None else owner.end_byte
    marks: set[str] = set()
    for item in parsed.parses[index].masked.items:
        if item.start >= end:
            break
        if item.start >= owner.start_byte:
            marks.update(_WORD.findall(item.text.decode("utf-8", "replace")), _WORD.findall(item.expansion))
    return frozenset(marks)


def _is_device_code(parsed: ParsedFile, index: int, call: Node) -> bool:
    """True where a thread of the device makes the call: it starts no kernel."""
    for node in takewhile(lambda node: node.type != _FUNCTION, ancestors(call)):
        if node.type == "lambda_expression" and any(map(_on_device, _marks(parsed, index, node))):
            return True
    function = parsed.function_around(call.start_byte)
    return function is not None and any(_DEVICE.search(word) for word in head_words(function, parsed))


def _on_device(word: str) -> bool:
    return _DEVICE.fullmatch(word) is not None or word in ("KOKKOS_LAMBDA", "KOKKOS_CLASS_LAMBDA", "HEMI_LAMBDA")


# Kernels of portability layers: what they execute, under the launch bounds that the layer compiles them with.


# Where a policy, or the template arguments of a call, say the launch bounds.
_STATED: Mapping[str, re.Pattern[str]] = {
    "Kokkos": pattern(r"\bLaunchBounds\s*<([^<>]*)>"),
    "AMReX": pattern(r"\b(?:ParallelFor(?:RNG)?|launch|For|HostDevice\w*For)\s*<\s*([^<>,]+)>"),
    "RAJA": pattern(
        r"\b(?:cuda|hip)_exec\w*_explicit\w*\s*<\s*([^<>,]+,\s*[^<>,]+)|\b(?:cuda|hip)_exec_explicit\w*\s*<\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:cuda|hip)_launch_explicit_t\s*<\s*\w+\s*,\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:Cuda|Hip)Kernel\w*FixedSM\w*\s*<\s*([^<>,]+,\s*[^<>,]+)"
        r"|\b(?:cuda|hip|sycl)_(?:exec|work)\w*\s*<\s*([^<>,]+)|\b(?:Cuda|Hip|Sycl)Kernel\w*Fixed\w*\s*<\s*([^<>,]+)"
        r"|\b(?:cuda|hip|sycl)_launch_t\s*<\s*\w+\s*,\s*([^<>,]+)"
    ),
}
_DYNAMIC_SHARED = pattern(r"Team|scratch|LaunchParams")


def layer_kernels(scope: Scope, layers: Sequence[Layer]) -> tuple[tuple[Kernel, ...], tuple[Launch, ...]]:
    """Kernels that the portability layers of a file launch in it, in its order, and their launches."""
    instances = Instances(scope)
    by_index: dict[int, HostValues] = {}
    kernels: list[Kernel] = []

    for launch in launched(scope.parsed, layers, scope.find_node):
        index = launch.entry.parse_index
        if index not in by_index:
            by_index[index] = HostValues(scope, scope.parsed, index)
        kernels.append(_kernel(by_index[index], launch, instances))
    return tuple(kernels), tuple(launch for kernel in kernels for launch in kernel.launches)


def _kernel(values: HostValues, launched: Launched, instances: Instances) -> Kernel:
    from regpress_lint.program.kernel_bodies import body_of, instances_of
    from regpress_lint.program.layer_loops import looped, threaded

    entry, layer = launched.entry, launched.layer
    around = partial(looped, layer.name, launched.form or entry.form, launched.policy)
    finish = partial(threaded, elements=layer.elements, around=around)
    body = body_of(values, entry, instances, through=False)
    owner = entry.body_owner
    spelled = " ".join(agreed_on(body.around).values()) if body.around else ""
    bounds = _bounds(values, launched, body.begin, spelled, body.bindings)
    kernel = Kernel(
        body.name,
        values.scope.language,
        finish(body.function),
        body.source.path,
        body.source.line_of(body.begin.start),
        body.end_line(entry),
        body.begin,
        entry.form,
        bounds,
        bindings=body.bindings,
        entry=None if isinstance(owner, FunctionNode) else Span(owner.start_byte, owner.end_byte),
        layer=layer.name or "user",
    )
    settled = partial(_bounds, values, launched, body.begin)
    kernel.instances = tuple(
        _bounded(instance, settled) for instance in instances_of(values, entry, kernel, body, finish)
    )
    if entry.call is not None:
        block = bounds.max_threads if bounds is not None else None
        size = Value((block,), "constant") if block else None
        lds = None if _DYNAMIC_SHARED.search(launched.policy) else 0
        path = values.parsed.source.path
        launch = make_launch(values, path, entry.call, body.name, (), entry.form, size, lds, "")
        kernel.launches = (launch,)
    return kernel


def _bounded(instance: Instance, bounds: Callable[[str, Mapping[str, Number]], LaunchBounds | None]) -> Instance:
    """An instantiation with the launch bounds that its own arguments give."""

    def made() -> Kernel:
        kernel = instance.kernel
        kernel.launch_bounds = bounds(instance.arguments, kernel.bindings)
        return kernel

    return Instance(instance.arguments, instance.path, instance.line, instance.weight, made)


def _bounds(
    values: HostValues, launched: Launched, span: Span, spelled: str, bound: Mapping[str, Number]
) -> LaunchBounds | None:
    """The launch bounds that the layer gives a kernel; those of the policy go first.

    spelled, bound: arguments of the template around the launch, and numbers among them by name.
    """
    pattern = _STATED.get(launched.layer.name)
    match = pattern.search(f"{launched.policy} {spelled}") if pattern is not None else None
    stated = next((group for group in match.groups() if group), "") if match is not None else ""
    call = launched.entry.call
    offset = call.start_byte if call is not None else span.start
    if texts := tuple(part.strip() for part in stated.split(",") if part.strip()):
        sizes = [_number(values, text, offset, bound) for text in texts]
        return stated_bounds(span, texts, sizes)
    if launched.layer.threads is None:
        return None
    constant = values.scope.constant(launched.layer.constant) if launched.layer.constant else None
    threads = int(constant) if isinstance(constant, int) and constant > 0 else launched.layer.threads
    return LaunchBounds(span, (launched.layer.constant or str(threads),), threads, None)


def _number(values: HostValues, text: str, offset: int, bound: Mapping[str, Number]) -> int | None:
    expr = values.scope.expression_of_text(text)
    number = values.number_in(expr, offset, bound) if expr is not None else None
    if number is None and text.isidentifier() and (default := _default(values, text, offset)) is not None:
        number = values.scope.value_of_text(default)
    return number if isinstance(number, int) else None


def _default(values: HostValues, name: str, offset: int) -> str | None:
    """The default of a template parameter of the function around a launch."""
    function = values.parsed.function_around(offset)
    if function is None:
        return None
    parameters = parameters_of(values.parsed, function)
    return next((parameter.default for parameter in parameters if parameter.name == name), None)
