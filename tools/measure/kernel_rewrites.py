"""Kernels in other words that change nothing: each rewrite by its name."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.parse import parse_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node


EACH = 2
_MASKED = re.compile(
    rb"__(?:global|device|host|shared|restrict|forceinline|noinline)__|__launch_bounds__\([^()]*\)|#[^\n]*"
)
_PRAGMA = re.compile(r"#\s*pragma unroll[^\n]*\n\s*$")
_HELPERS = """\
#define AT_(array, index) ((array)[index])
typedef float float_t_;
typedef double double_t_;
typedef int int_t_;
template <class Place, class Value> __device__ inline void put_(Place& place, const Value& value) { place = value; }
"""


class Definition(NamedTuple):
    """A kernel in the text of a file. parameters: type and name of each. body: the braces."""

    data: bytes
    node: Node
    head: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    body: Node

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.data[node.start_byte : node.end_byte].decode()


def definitions(data: bytes) -> Iterator[Definition]:
    """Kernels of a file that are no templates."""
    tree = parse_plain(_MASKED.sub(lambda match: b" " * len(match[0]), data))
    for node in tree.root_node.named_children:
        declarator = node.child_by_field_name("declarator")
        body = node.child_by_field_name("body")
        if node.type != "function_definition" or declarator is None or body is None or node.has_error:
            continue
        start = data.rfind(b"__global__", 0, declarator.start_byte)
        between = data[start : declarator.start_byte]
        name, listed = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
        if start < 0 or re.search(rb"[;{}]", between) or name is None or listed is None:
            continue
        parameters = []
        for one in listed.named_children:
            word = re.fullmatch(r"(.*?)(\w+)", data[one.start_byte : one.end_byte].decode(), re.DOTALL)
            parameters.append((word[1].strip(), word[2]) if word else ("", ""))
        head = data[start : body.start_byte].decode()
        yield Definition(data, node, head, data[name.start_byte : name.end_byte].decode(), tuple(parameters), body)


def rendered(one: Definition, node: Node, rule: Callable[[Definition, Node, Callable[[Node], str]], str | None]) -> str:
    """The source of a node, in which the rule has replaced what it gives a text for."""

    def inner(node: Node) -> str:
        if (changed := rule(one, node, inner)) is not None:
            return changed
        parts: list[str] = []
        at = node.start_byte
        for child in node.children:
            gap, text = one.data[at : child.start_byte].decode(), inner(child)
            if text.startswith("{ /* loop */"):
                gap = _PRAGMA.sub("", gap)
            parts += (gap, text)
            at = child.end_byte
        return "".join((*parts, one.data[at : node.end_byte].decode()))

    return inner(node)


def _assigned(node: Node) -> tuple[Node, str, Node] | None:
    """Left side, operator and right side of a statement that assigns to an element."""
    inside = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
    if inside is None or inside.type != "assignment_expression":
        return None
    left, op, right = (inside.child_by_field_name(name) for name in ("left", "operator", "right"))
    if left is None or op is None or right is None or left.type != "subscript_expression":
        return None
    return left, op.type, right


def _by_reference(_one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _assigned(node)
    return found and f"{{ auto& place_ = {inner(found[0])}; place_ {found[1]} {inner(found[2])}; }}"


def _by_call(_one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _assigned(node)
    if found is None or found[1] != "=" or found[2].type == "initializer_list":
        return None
    return f"put_({inner(found[0])}, {inner(found[2])});"


def _element(node: Node) -> tuple[Node, Node] | None:
    """Array and index of a subscript."""
    if node.type != "subscript_expression":
        return None
    array, indices = node.child_by_field_name("argument"), node.child_by_field_name("indices")
    if array is None or indices is None or len(indices.named_children) != 1:
        return None
    return array, indices.named_children[0]


def _by_pointer(_one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _element(node)
    return found and f"(*({inner(found[0])} + ({inner(found[1])})))"


def _by_macro(_one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _element(node)
    return found and f"AT_({inner(found[0])}, {inner(found[1])})"


def _split(one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    inside = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
    right = inside.child_by_field_name("right") if inside is not None else None
    if inside is None or inside.type != "assignment_expression" or right is None or right.type != "binary_expression":
        return None
    left, op = inside.child_by_field_name("left"), inside.child_by_field_name("operator")
    first, second, way = (right.child_by_field_name(name) for name in ("left", "right", "operator"))
    if first is None or second is None or way is None or left is None or op is None or way.type not in "+-*/":
        return None
    parts = f"const auto first_ = {inner(first)}; const auto second_ = {inner(second)};"
    return f"{{ {parts} {inner(left)} {one.text(op)} first_ {way.type} second_; }}"


def _loop(one: Definition, node: Node, inner: Callable[[Node], str]) -> tuple[str, str, str, str] | None:
    """First statement, condition and body of a `for` as a `while` has them, with the pragma in front of it."""
    if node.type != "for_statement":
        return None
    parts = [node.child_by_field_name(name) for name in ("initializer", "condition", "update", "body")]
    first, test, step, body = parts
    if first is None or test is None or step is None or body is None or first.type != "declaration":
        return None
    if re.search(r"\bcontinue\b", one.text(body)):
        return None
    pragma = _PRAGMA.search(one.data[max(0, node.start_byte - 80) : node.start_byte].decode())
    words = "\n" + pragma[0].strip() + "\n" if pragma else ""
    return one.text(first), one.text(test), f"{{ {_plain(body, inner)} {one.text(step)}; }}", words


def _plain(body: Node, inner: Callable[[Node], str]) -> str:
    text = inner(body)
    return text if body.type == "compound_statement" else f"{{ {text} }}"


def _while(one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _loop(one, node, inner)
    return found and f"{{ /* loop */ {found[0]} {found[3]}while ({found[1]}) {found[2]} }}"


def _do(one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    found = _loop(one, node, inner)
    start = re.search(r"= (\d+);$", found[0]) if found else None
    end = re.fullmatch(r"\w+ <=? (\d+)", found[1]) if found else None
    if found is None or start is None or end is None or int(start[1]) >= int(end[1]):
        return None
    return f"{{ /* loop */ {found[0]} {found[3]}do {found[2]} while ({found[1]}); }}"


def _typedef(one: Definition, node: Node, _inner: Callable[[Node], str]) -> str | None:
    text = one.text(node) if node.type == "primitive_type" else ""
    sized = node.parent is not None and node.parent.type == "sized_type_specifier"
    return f"{text}_t_" if text in ("float", "double", "int") and not sized else None


def _struct_array(one: Definition, node: Node, inner: Callable[[Node], str]) -> str | None:
    names = set(_arrays(one))
    if node.type == "declaration" and (found := _array(one, node)) is not None and found[0] in names:
        return f"struct {{ {found[1]} of_{found[2]}; }} {found[0]};"
    return f"{one.text(node)}.of_" if node.type == "identifier" and one.text(node) in names else None


def _array(one: Definition, node: Node) -> tuple[str, str, str] | None:
    """Name, type and dimensions of a declaration that is nothing but one plain array."""
    match = re.fullmatch(r"((?:unsigned )?\w+) (\w+)((?:\[\w+\])+);", one.text(node))
    shared = one.data[: node.start_byte].rstrip().endswith(b"__shared__")
    return None if match is None or shared or match[1] == "return" else (match[2], match[1], match[3])


def _arrays(one: Definition) -> Iterator[str]:
    pending, body = [one.body], one.text(one.body)
    while pending:
        node = pending.pop()
        pending += node.children
        found = _array(one, node) if node.type == "declaration" else None
        if found is not None and len(re.findall(rf"(?:\w|[*&,]) +{found[0]}(?=\[[^\]]*\][\[;,]| =)", body)) == 1:
            yield found[0]


def _around(make: Callable[[Definition, str, str], str]) -> Callable[[Definition], str | None]:
    """A rewrite that moves the body elsewhere: `make` gets the arguments and the body."""

    def rewrite(one: Definition) -> str | None:
        if not all(type_ for type_, _ in one.parameters) or re.search(r"\bextern\b", one.text(one.body)):
            return None
        return make(one, ", ".join(name for _, name in one.parameters), one.text(one.body))

    return rewrite


def _members(one: Definition) -> str:
    return " ".join(f"{type_} {name};" for type_, name in one.parameters)


def _functor(one: Definition, names: str, body: str) -> str:
    work = f"struct {one.name}_work {{ {_members(one)} __device__ void operator()() const {body} }};"
    return f"{work}\n{one.head}{{ {one.name}_work work_{{{names}}}; work_(); }}"


def _member(one: Definition, names: str, body: str) -> str:
    work = f"struct {one.name}_work {{ {_members(one)} __device__ void run() {body} }};"
    return f"{work}\n{one.head}{{ {one.name}_work work_{{{names}}}; work_.run(); }}"


def _lambda(one: Definition, _names: str, body: str) -> str:
    return f"{one.head}{{ auto body_ = [&]() {body}; body_(); }}"


def _function(one: Definition, names: str, body: str) -> str:
    listed = ", ".join(f"{type_} {name}" for type_, name in one.parameters)
    return f"__device__ inline void {one.name}_body({listed}) {body}\n{one.head}{{ {one.name}_body({names}); }}"


def _template(one: Definition, names: str, body: str) -> str | None:
    literal = re.search(r"(?<=< )(\d+)(?=;)", body)
    if literal is None or int(literal[1]) < 3:
        return None
    inside = re.sub(rf"(?<=< ){literal[1]}(?=;)", "N_", body)
    listed = ", ".join(f"{type_} {name}" for type_, name in one.parameters)
    moved = f"template <int N_> __device__ inline void {one.name}_body({listed}) {inside}"
    return f"{moved}\n{one.head}{{ {one.name}_body<{literal[1]}>({names}); }}"


def _namespace(one: Definition) -> str:
    return f"namespace ours_ {{\n{one.head}{one.text(one.body)}\n}}\nusing ours_::{one.name};"


def _inside(rule: Callable[[Definition, Node, Callable[[Node], str]], str | None]) -> Callable[[Definition], str]:
    return lambda one: one.head + rendered(one, one.body, rule)


REWRITES: dict[str, Callable[[Definition], str | None]] = {
    "reference": _inside(_by_reference),
    "call": _inside(_by_call),
    "pointer": _inside(_by_pointer),
    "macro": _inside(_by_macro),
    "split": _inside(_split),
    "while": _inside(_while),
    "do": _inside(_do),
    "typedef": _inside(_typedef),
    "struct-array": _inside(_struct_array),
    "functor": _around(_functor),
    "member": _around(_member),
    "lambda": _around(_lambda),
    "function": _around(_function),
    "template": lambda one: _around(lambda each, names, body: _template(each, names, body) or "")(one) or None,
    "namespace": _namespace,
}


def rewritten(one: Definition, name: str) -> str | None:
    """The kernel in other words; None where this rewrite has nothing to change."""
    text = REWRITES[name](one)
    return None if text is None or text == one.head + one.text(one.body) else text


def chosen(data: bytes) -> dict[str, list[str]]:
    """Names of the rewrites of each kernel of a file."""
    names, found = list(REWRITES), {}
    for number, one in enumerate(definitions(data)):
        turn = (number * 2 + len(data)) % len(names)
        order = (*names[turn:], *names[:turn])
        found[one.name] = list(islice((name for name in order if rewritten(one, name) is not None), EACH))
    return found


def text_with(data: bytes, choice: dict[str, str]) -> str:
    """A file with some of its kernels in other words."""
    parts, at = [_HELPERS], 0
    for one in definitions(data):
        text = rewritten(one, choice[one.name]) if one.name in choice else None
        if text is not None:
            start = data.rfind(b"__global__", 0, one.body.start_byte)
            parts += (data[at:start].decode(), text)
            at = one.body.end_byte
    return "".join((*parts, data[at:].decode()))
