"""Types as they are spelled, and the parts of a declaration that make one: specifiers, pointers, extents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.lower.lowering_context import Context, is_alias, operands, span_of
from regpress_lint.cpp.syntax_tree import Binary, Call, Constant, Expr, Member, Name, Storage, Type, Unary, unnamed
from regpress_lint.cpp.types import pointer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Variable


# Vector types by an attribute, as clang and GCC have them: `typedef float f4 __attribute__((ext_vector_type(4)));`.


BY_ATTRIBUTE = " @ "  # between an element's type and the attribute, in the text of an alias that a function declares
MARK = "vector_"  # a text without it has no such attribute
_ATTRIBUTE = pattern(
    r"\b(?:clang\s*+::\s*+|gnu\s*+::\s*+)?_*(ext_vector_type|vector_size)_*\s*+\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
)
_SIZEOF = pattern(r"\s*+sizeof\s*+\(([^()]*)\)\s*+$")
_MOST = 64  # lanes: the accumulators of a 32 x 32 tile are 16 or 32 floats a lane


def vector_type(element: Type, text: str, value: Callable[[str], Number | None]) -> Type | None:
    """The vector type that an attribute in a text derives from an element type; None without one, and where its size is
    not known.

    `ext_vector_type` counts elements, `vector_size` bytes.
    """
    match = _ATTRIBUTE.search(text) if "vector_" in text else None
    if match is None or element.size is None or element.pointers or element.struct or element.lanes > 1:
        return None
    written = match[2].strip()
    count = value(written)
    if not isinstance(count, int):
        return None
    lanes = count if match[1] == "ext_vector_type" else count // element.size
    if not 2 <= lanes <= _MOST:
        return element if lanes == 1 else None
    stored = 1 << (lanes - 1).bit_length()  # three take the room of four
    return element._replace(name=f"{element.name} x{lanes}", size=element.size * stored, lanes=lanes)


def attribute_in(text: str) -> str:
    """The attribute in a definition that makes a vector type of its name; empty if there is none."""
    match = _ATTRIBUTE.search(text) if MARK in text and "{" not in text else None
    return match[0] if match is not None else ""


def is_attributed(type_: Type) -> bool:
    """True for a vector type that an attribute makes."""
    return type_.name.endswith(f" x{type_.lanes}")


def product(text: str, types: Callable[[str], Type | None]) -> int | None:
    """Value of `16` and of `4 * sizeof(float)`; None for anything else."""
    result = 1
    for factor in text.split("*"):
        match = _SIZEOF.match(factor)
        type_ = types(match[1].strip()) if match is not None else None
        number = int(factor) if factor.strip().isdigit() else type_.size if type_ is not None else None
        if number is None:
            return None
        result *= number
    return result


# Types as they are spelled: `const float *`, `unsigned int`, `T &`.


_QUALIFIERS = pattern(r"\b(?:const|volatile|typename|struct|class|union|enum|constexpr|static|inline|template)\b")
_SPLIT = pattern(r"::\s+")


_RECORDS = ("struct_specifier", "class_specifier", "union_specifier")


def lower_type_node(ctx: Context, node: Node) -> Type:
    """`lower_type_text` of a node's text, of a class that is defined there of its name."""
    if node.type in _RECORDS and node.child_by_field_name("body") is not None:
        node = node.child_by_field_name("name") or node
    return lower_type_text(ctx, ctx.text(node), node.start_byte)


def lower_type_text(ctx: Context, text: str, offset: int | None = None) -> Type:
    """Type from its spelling (`const float *`, `unsigned int`, `T &`); unknown names keep size None.

    offset: where it is spelled, if the file contains it verbatim.
    """
    type_ = ctx.spelled.get(text)
    if type_ is None:
        type_ = ctx.spelled[text] = _type_of_text(ctx, text, offset)
    return type_


def _type_of_text(ctx: Context, text: str, offset: int | None) -> Type:
    bare = text.strip()
    if (object_type := sycl_calls.pointer(ctx, bare) or sycl_calls.of_work_item(ctx, bare)) is not None:
        return object_type
    outside = _outside(bare)
    pointers = outside.count("*")
    reference = "&" in outside
    if outside == bare:
        core = bare.replace("*", " ").replace("&", " ")
    else:  # what stands within the brackets of `View<double**>` belongs to an argument
        end = bare.rfind(">") + 1
        core = bare[:end] + bare[end:].replace("*", " ").replace("&", " ")
    core = _QUALIFIERS.sub(" ", core)
    core = _SPLIT.sub("::", " ".join(core.split()))  # `Outer<T>::template Inner<4>`
    if ctx.asked is not None and offset is not None and core:
        ctx.asked.spell(core, offset + len(text[: text.find(core.split(None, 1)[0])].encode()))
    if "<" in core:
        core = OWN_WORD.sub(lambda word: ctx.constant_text(word[0]) or word[0], core)
    base = ctx.types(core) or Type(core)
    if "const" in bare or "volatile" in bare:
        base = base._replace(const="const" in bare, volatile="volatile" in bare)
    if pointers:
        return pointer_to(base if not base.extents else Type(core), pointers)
    return base._replace(reference=True) if reference else base


def _outside(text: str) -> str:
    """A type's spelling without its template arguments."""
    first, last = text.find("<"), text.rfind(">")
    return text[:first] + text[last + 1 :] if 0 <= first < last else text


# SYCL's local memory that a kernel declares itself: `group_local_memory<T>(group)` and `work_group_static<T>`.
#
# Their variables are what `__shared__` ones are elsewhere. Accessors belong to the launch (`program/accessors.py`).


_FUNCTIONS = ("group_local_memory", "group_local_memory_for_overwrite")
_STATIC = pattern(r"(?:.*::)?work_group_static\s*<(.+)>", re.DOTALL)
_ACCESSOR = pattern(r"(?:.*::)?local_accessor\s*+<\s*+(.+?)(?<!\s)\s*+(?:,\s*+(\d)\s*+)?>", re.DOTALL)
_ARRAY = pattern(r"(?:std|sycl)::m?array\s*+<\s*+([^<>]+(?:<[^<>]*+>)?)(?<!\s)\s*+,\s*+([^,<>]++)>")
_HANDED_OUT = frozenset(("get", "get_decorated", "get_raw"))
_EXTENT = pattern(r"\[([^\[\]]*)\]")


def to_work_group(ctx: Context, variable: Variable, extent: Callable[[str, Span], Expr | None]) -> None:
    """Make a variable that stands for local memory one of its element type, extents and storage.

    extent: an extent's text as an expression, in the declaration with that span.
    """
    init, pointer = variable.init, True
    while isinstance(init, Call) and isinstance(init.callee, Member) and init.name in _HANDED_OUT and not init.args:
        init = init.callee.base
    if isinstance(init, Unary) and init.op == "*":
        init, pointer = init.operand, False
    if (match := _STATIC.fullmatch(variable.type.name)) is not None:
        text, pointer = match[1], False
    elif isinstance(init, Call) and init.name in _FUNCTIONS and init.template_args:
        text = init.template_args[0]
    else:
        return
    if (array := _ARRAY.fullmatch(text.strip())) is not None:
        text = f"{array[1]}[{array[2]}]"
    base, bracket, extents = text.partition("[")
    dims = tuple(extent(size, variable.declaration) for size in _EXTENT.findall(bracket + extents))
    # A pointer to an array of them is one more extent: `(*p)[3]` and `p[0][3]` are the same element.
    variable.dims = (Constant(variable.span, 1, "int"), *dims) if pointer and dims else dims
    variable.type = lower_type_text(ctx, base.strip())
    variable.storage, variable.init = "shared", None


def accessor_parameter(ctx: Context, variable: Variable) -> None:
    """Make a parameter that is a local accessor an array in local memory; how long it is the launch says."""
    match = _ACCESSOR.fullmatch(variable.type.name) if variable.storage == "parameter" else None
    if match is None:
        return
    variable.type = lower_type_text(ctx, match[1])
    variable.storage, variable.dims = "shared", (None,) * int(match[2] or 1)


# The parts of a declaration: specifiers before the name, pointers and extents at it, and the type they make.


_WITH_DECLTYPE = frozenset(("template_type", "qualified_identifier", "dependent_type"))
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
        if (listed := node.child_by_field_name("parameters")) is not None:
            return listed
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
        if (named := _of_decltype(ctx, type_node)) is not None:
            result.type = named
        elif type_node.type in _AUTO:
            result.is_auto = True
        elif type_node.type in ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier"):
            name = type_node.child_by_field_name("name")
            text = ctx.text(name) if name is not None else unnamed(span_of(type_node))
            result.type = ctx.types(ctx.substituted(text)) or Type(
                text if name is not None else "struct", 4 if type_node.type[0] == "e" else None, struct=True
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


_DECLTYPE = pattern(r"\bdecltype\s*\(\s*(\w+)\s*\)")


def _of_decltype(ctx: Context, node: Node) -> Type | None:
    """The type of the variable in `decltype(x)`, as which `__typeof__(x)` is also read, and in
    `std::remove_cv_t<std::remove_reference_t<decltype(x)>>`; None for anything else.
    """
    whole = node.type == "decltype"
    match = _DECLTYPE.search(ctx.text(node)) if whole or node.type in _WITH_DECLTYPE else None
    variable = ctx.find(match[1]) if match is not None else None
    if variable is None or variable.dims or variable.type.name == "auto":
        return None
    return variable.type if whole else variable.type._replace(reference=False, const=False)


def pointer_to_member(declarator: Node) -> Node | None:
    """The name that `float P::*m` declares; None for another declarator."""
    inner = declarator.child_by_field_name("name") if declarator.type == "qualified_identifier" else None
    is_pointer = inner is not None and inner.type == "pointer_type_declarator"
    return inner.child_by_field_name("declarator") if inner is not None and is_pointer else None


def unwind(ctx: Context, node: Node, out: Declarator) -> None:
    sizes: list[Node | None] = []  # of the last dimension first
    _unwind(ctx, node, out, sizes)
    out.dims = (*reversed(sizes), *out.dims)


def _unwind(ctx: Context, node: Node, out: Declarator, sizes: list[Node | None]) -> None:
    while True:
        kind = node.type
        if (of_member := pointer_to_member(node)) is not None:
            node, kind, out.function = of_member, of_member.type, True
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


def _is_of_open(init: Expr | None) -> bool:
    """True for an operation with an `auto` whose type the source alone does not tell: it may be an object."""
    while isinstance(init, Binary):
        if any(
            isinstance(side, Name) and side.variable and side.variable.type.name == "auto"
            for side in (init.left, init.right)
        ):
            return True
        init = init.left
    return False


def complete_type(ctx: Context, declarator: Declarator, specifiers: Specifiers, init: Expr | None) -> Type:
    base = specifiers.type
    if specifiers.is_auto:
        from regpress_lint.cpp.typing_rules import expression_type

        inferred = expression_type(init, ctx.types) if init is not None else None
        base = Type("auto") if inferred is None or _is_of_open(init) else inferred
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


def gives_an_object(type_: Node, body: Node) -> bool:
    """Whether `decltype(p[i])`, or `decltype(auto)` by all that is returned, is a reference."""
    meant = next(_nodes_of("decltype", type_), None)
    written = [] if meant is None else meant.named_children
    if len(written) == 1 and written[0].type == "auto":
        written = [node.named_children[0] for node in _nodes_of("return_statement", body) if node.named_children]
    return bool(written) and all(map(_is_object, written))


def _nodes_of(kind: str, root: Node) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == kind:
            yield node
        elif node.type != "lambda_expression":
            pending += node.named_children


def _is_object(node: Node) -> bool:
    """An element, what a pointer points to, or a name in parentheses."""
    if node.type == "parenthesized_expression":
        return node.named_children[0].type in ("identifier", "field_expression") or _is_object(node.named_children[0])
    return node.type == "subscript_expression" or (node.type == "pointer_expression" and node.children[0].type == "*")


def to_array_elsewhere(variable: Variable) -> None:
    """`T (&a)[4] = *(T (*)[4])p;` is `T *a = (T *)p;`: an array that an address or a call gives is not the thread's
    own, and its first element is where the array is.
    """
    init = variable.init
    if is_alias(variable) or variable.storage != "local":
        return
    if isinstance(init, Unary) and init.op == "*" and not isinstance(init.operand, Name):
        variable.init = init.operand
    elif isinstance(init, Call):
        variable.init = Unary(init.span, "&", init)
    else:
        return
    element = variable.type._replace(reference=False)
    if len(variable.dims) == 1:
        variable.type, variable.dims = pointer_to(element), ()
    else:
        variable.type, variable.dims, variable.storage = element, (None, *variable.dims[1:]), "parameter"
