"""The parts of a declaration: specifiers before the name, pointers and extents at it, and the type they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lower.lowering_context import Context, operands, span_of
from regpress_lint.cpp.lower.spelled_types import lower_type_node
from regpress_lint.cpp.syntax_tree import Constant, Expr, Storage, Type
from regpress_lint.cpp.types import pointer_to
from regpress_lint.cpp.vector_attributes import product, vector_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.core.source import Span


_AUTO = frozenset(("placeholder_type_specifier", "auto", "decltype"))


class Specifiers:
    """The specifiers before the declarators of one declaration."""

    __slots__ = ("constexpr", "extern", "is_auto", "static", "type", "volatile_span", "words", "work_group")

    def __init__(self, type_: Type) -> None:
        self.type = type_
        self.is_auto = self.static = self.extern = self.constexpr = False
        self.volatile_span: Span | None = None
        self.words: tuple[str, ...] = ()  # masked words: __shared__, __constant__, ...
        self.work_group = False  # SYCL's local memory, by its words


class Declarator:
    """One declarator while it is being unwound."""

    __slots__ = (
        "call_parameters",
        "dims",
        "function",
        "name",
        "names",
        "pointer_const",
        "pointer_volatile",
        "pointers",
        "reference",
        "restrict",
        "rows",
    )

    def __init__(self) -> None:
        self.name: Node | None = None
        self.pointers = 0
        self.reference = self.pointer_const = self.restrict = False
        self.rows = False  # `(*p)[N]`: a pointer to arrays, of which nobody says how many there are
        self.pointer_volatile: Span | None = None
        self.dims: tuple[Node | None, ...] = ()
        self.call_parameters: Node | None = None
        self.function = False  # `(*f)(...)`: a pointer to a function
        self.names: tuple[Node, ...] = ()  # structured binding


def parameter_list(node: Node | None) -> Node | None:
    while node is not None:
        if (found := node.child_by_field_name("parameters")) is not None:
            return found
        node = node.child_by_field_name("declarator") or next(
            (c for c in node.named_children if c.type.endswith("declarator")), None
        )
    return None


def read_specifiers(ctx: Context, node: Node) -> Specifiers:
    type_node = node.child_by_field_name("type")
    result = Specifiers(Type("auto"))
    const = False
    words = list(ctx.anchors.at(node.start_byte))
    for child in node.children:
        kind = child.type
        if kind == "type_qualifier":
            text = ctx.text(child)
            const = const or text in ("const", "constexpr", "constinit")
            result.constexpr = result.constexpr or text == "constexpr"
            if text == "volatile":
                result.volatile_span = span_of(child)
        elif kind == "storage_class_specifier":
            text = ctx.text(child)
            result.static, result.extern = result.static or text == "static", result.extern or text == "extern"
        elif kind.endswith("declarator") or kind in ("identifier", ":", ";"):
            words.extend(ctx.anchors.at(child.start_byte))
            break
        words.extend(ctx.anchors.at(child.start_byte))
    if type_node is not None:
        if type_node.type in _AUTO:
            result.is_auto = True
        elif type_node.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            name = type_node.child_by_field_name("name")
            text = ctx.text(name) if name is not None else ""
            result.type = ctx.types(text) or Type(
                text or "struct", 4 if type_node.type[0] == "e" else None, struct=True
            )
        else:
            result.type = lower_type_node(ctx, type_node)
    if const:
        result.type = result.type._replace(const=True)
    result.words = tuple(words)
    for word in words:
        if "vector_" in word:
            result.type = (
                vector_type(result.type, word, lambda text: product(ctx.substituted(text), ctx.types)) or result.type
            )
    return result


def unwind(ctx: Context, node: Node, out: Declarator) -> None:
    sizes: list[Node | None] = []  # of the last dimension first
    _unwind(ctx, node, out, sizes)
    out.dims = (*reversed(sizes), *out.dims)


def _unwind(ctx: Context, node: Node, out: Declarator, sizes: list[Node | None]) -> None:
    while True:
        kind = node.type
        if kind in ("identifier", "field_identifier", "qualified_identifier", "type_identifier"):
            out.name = node
            out.restrict = out.restrict or any("restrict" in word for word in ctx.anchors.at(node.start_byte))
            return
        if kind in ("pointer_declarator", "abstract_pointer_declarator"):
            out.pointers += 1
            out.rows = out.rows or bool(sizes or out.dims)
            out.function = out.function or out.call_parameters is not None
            for child in node.children:
                if child.type == "type_qualifier":
                    text = ctx.text(child)
                    out.pointer_const = out.pointer_const or text == "const"
                    out.restrict = out.restrict or "restrict" in text
                    if text == "volatile":
                        out.pointer_volatile = span_of(child)
                elif child.type == "ms_pointer_modifier":
                    out.restrict = out.restrict or "restrict" in ctx.text(child)
        elif kind in ("reference_declarator", "abstract_reference_declarator"):
            out.reference = True
        elif kind in ("array_declarator", "abstract_array_declarator"):
            sizes.append(node.child_by_field_name("size"))
        elif kind == "function_declarator":
            out.call_parameters = node.child_by_field_name("parameters")
        elif kind == "structured_binding_declarator":
            out.names = tuple(child for child in operands(node) if child.type == "identifier")
            return
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((c for c in node.named_children if c.type.endswith(("declarator", "identifier"))), None)
        if inner is None:
            return
        node = inner


_LEADS_TO = frozenset(("__local", "local", "__constant", "constant", "__global", "global"))


def storage_of(specifiers: Specifiers, *, pointer: bool = False) -> Storage:
    """The storage of a variable. OpenCL's words in front of a pointer say where that leads to, and not where it is."""
    words = " ".join(word for word in specifiers.words if not (pointer and word in _LEADS_TO))
    if "__shared__" in words or "__local" in words or "group_local" in words:
        return "shared"
    if "__constant" in words:
        return "constant"
    if specifiers.static:
        return "static"
    if "__device__" in words or "__managed__" in words:
        return "global"
    return "constexpr" if specifiers.constexpr else "local"


def complete_type(ctx: Context, declarator: Declarator, specifiers: Specifiers, init: Expr | None) -> Type:
    base = specifiers.type
    if specifiers.is_auto:
        from regpress_lint.cpp.typing_rules import expression_type

        inferred = expression_type(init, ctx.types) if init is not None else None
        base = inferred or Type("auto")
        if declarator.pointers and base.pointers:
            declarator.pointers = 0
    if specifiers.volatile_span is not None:
        base = base._replace(volatile=True)
    if declarator.pointers:
        base = pointer_to(base._replace(extents=()), declarator.pointers)
        if declarator.pointer_volatile is not None:
            base = base._replace(volatile=True)
        base = base._replace(const=declarator.pointer_const)
    if declarator.function:  # nothing is behind it that could be read
        base = Type(base.name, 8, pointers=1, const=base.const, volatile=base.volatile)
    if declarator.reference:
        base = base._replace(reference=True)
    return base._replace(restrict=True) if declarator.restrict else base


def extents_of(type_: Type, span: Span) -> tuple[Constant, ...]:
    """The extents that a name for an array brings, as expressions at a place of the source."""
    return tuple(Constant(span, extent, "int") for extent in type_.extents)


def volatile_span(type_: Type, declarator: Declarator, specifiers: Specifiers) -> Span | None:
    if not type_.volatile:
        return None
    return declarator.pointer_volatile if declarator.pointers else specifiers.volatile_span
