"""The shared state of lowering one function: bytes, scopes, types and the masked items it must remember."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import split_template_arguments, squeezed, with_meanings
from regpress_lint.cpp.syntax_tree import (
    Block,
    Cast,
    Constant,
    Declare,
    Expr,
    Member,
    Name,
    Type,
    Unary,
    Unknown,
    Variable,
)
from regpress_lint.cpp.types import builtin_type
from regpress_lint.targets.builtins import SPELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.answers import AskedOf


# A tree that is nested deeper is generated or hostile; below that depth nothing is looked at.
MAX_DEPTH = 120

# A run makes millions of spans: this skips the Python function that a NamedTuple's own constructor is.
_new_tuple = tuple.__new__


class Anchors:
    """Masked words by the offset of the first token that follows them (`__shared__ float s[8]` -> the `f`)."""

    __slots__ = ("_by_offset", "offsets")

    def __init__(self, by_offset: Mapping[int, tuple[str, ...]]) -> None:
        self._by_offset = by_offset
        self.offsets = sorted(by_offset)

    def at(self, offset: int) -> tuple[str, ...]:
        """Texts of the masked words directly in front of this offset."""
        return self._by_offset.get(offset, ())

    def between(self, start: int, end: int) -> list[int]:
        """Offsets of a range of the text that have masked words in front of them."""
        return self.offsets[bisect_left(self.offsets, start) : bisect_left(self.offsets, end)]


NO_ANCHORS = Anchors({})

_LONGEST_CONSTANT = 1024  # of one: constants that are made of each other twice double each time
_ATOM = pattern(r"[-+]?[\w.':]+(?:<[\w\s,:<>*]*>(?:::\w+)*)?")  # `(T::N) * 4` would be a cast


class LoopHead(NamedTuple):
    """The expansion of a macro that begins a loop; not `certain` where no file that was found defines it, and then
    empty if its arguments do not tell.
    """

    text: str
    certain: bool = True


def _never(_name: str) -> bool:
    return False


class Context:
    """Mutable state of one lowering; lives as long as one function is being lowered."""

    def __init__(
        self,
        data: bytes,
        types: Callable[[str], Type | None],
        anchors: Anchors,
        unrolls: Mapping[int, tuple[Span, str]],
        defined: Callable[[str], str | None],
        names: Mapping[str, Variable] | None = None,
        bound: dict[str, str] | None = None,
        heads: Mapping[int, LoopHead] | None = None,
        type_words: Mapping[int, str] | None = None,
        calls: frozenset[int] = frozenset(),
        annexes: Mapping[int, Node] | None = None,
    ) -> None:
        self.data = data
        self.types = types
        self.anchors = anchors
        self.unrolls = unrolls
        self.unroll: tuple[Span, str] | None = None  # of the `#if` in front of what is lowered next
        self.heads: Mapping[int, LoopHead] = heads if heads is not None else {}  # of loops that a macro begins
        # Names in the masked text that stand for others, and invocations that are written there without brackets.
        self.type_words: Mapping[int, str] = type_words or {}
        self.calls = calls
        self.annexes: Mapping[int, Node] = annexes or {}  # what `#include`s among the statements stand for
        self.defined = defined
        # What template parameters and aliases of the function stand for, as text; `types` looks into the same table.
        self.bound: dict[str, str] = bound if bound is not None else {}
        # One flat table and what each open scope hid: a look-up is one dictionary access, however deep the nest.
        self._names: dict[str, Variable] = dict(names) if names else {}
        self._shadowed: list[list[tuple[str, Variable | None]]] = [[]]
        self._constants: dict[Variable, str] = {}  # what local constants are, as text: arguments of templates name them
        self.spelled: dict[str, Type] = {}
        # The second tier, and the file that is being lowered; None where it is off.
        self.asked: AskedOf | None = None
        self.deduce: Callable[[str, Sequence[str]], tuple[str, ...]] | None = None  # arguments of a class template
        self.is_template: Callable[[str], bool] = _never
        self.opencl = False  # built-in functions and vectors are OpenCL C's
        self.parameters: frozenset[str] = frozenset()  # types that the templates around have as parameters
        self.unparsed: list[Span] = []
        self.within: dict[Variable, Variable] = {}  # members of unions without a name, and the objects they are in
        self.held: list[Declare] = []  # what lambdas of the statement that is lowered keep: `[w = f(x)]`
        self.depth = 0
        self.lower_block: Callable[[Context, Node], Block]

    def text(self, node: Node) -> str:
        """Masked source text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def substituted(self, text: str) -> str:
        """A text with template parameters, local aliases and local constants replaced by their definitions."""
        if self._constants:
            text = OWN_WORD.sub(lambda match: self.constant_text(match[0]) or match[0], text)
        return with_meanings(text, self.bound) if self.bound else text

    def constant_text(self, name: str) -> str | None:
        """The value of the local constant that a name stands for here, as text; None for any other name."""
        variable = self._names.get(name)
        return self._constants.get(variable) if variable is not None else None

    def declare_constant(self, variable: Variable, text: str) -> None:
        """Note that a declared variable is a constant whose initialiser has this text; one with a variable in it, whose
        value only the run knows, is none.
        """
        words = OWN_WORD.findall(text)
        if all(self._names.get(word) is None or self.constant_text(word) is not None for word in words):
            value = self.substituted(text)
            if len(value) <= _LONGEST_CONSTANT:
                self._constants[variable] = value if _ATOM.fullmatch(value) else f"({value})"
                self.spelled.clear()

    def alias(self, name: str, text: str) -> None:
        """`using name = text` from here on."""
        self.bound[name] = self.substituted(text.replace("::template ", "::"))
        self.spelled.clear()

    def find(self, name: str) -> Variable | None:
        """Innermost declaration of a name."""
        return self._names.get(name)

    def declare(self, variable: Variable) -> None:
        """Add a declaration to the innermost scope."""
        name = variable.name
        self._shadowed[-1].append((name, self._names.get(name)))
        self._names[name] = variable

    def enter(self) -> None:
        """Open a scope."""
        self._shadowed.append([])

    def leave(self) -> None:
        """Close the innermost scope: names that it hid are visible again."""
        names = self._names
        for name, hidden in reversed(self._shadowed.pop()):
            if self._constants and self._constants.pop(names[name], None) is not None:
                self.spelled.clear()
            if hidden is None:
                names.pop(name, None)
            else:
                names[name] = hidden


def span_of(node: Node) -> Span:
    """Byte span of a tree-sitter node."""
    return _new_tuple(Span, (node.start_byte, node.end_byte))


def operands(node: Node) -> list[Node]:
    """Named children; comments are masked, so that none is among them."""
    return node.named_children


def unknown(node: Node, children: tuple[Expr, ...] = ()) -> Unknown:
    """Placeholder for syntax without a class of its own."""
    return Unknown(span_of(node), node.type, children)


# Names in expressions: variables, arguments of templates, qualified names, names with template arguments.


# What a template's parameter may stand for in an expression: a type or a function, no number.
_NAMED = pattern(r"(?!(?:true|false)\b)((?:::)?[^\W\d]\w*(?:::\w+)*)(?:<(.*)>)?")


def _number(text: str) -> Constant | None:
    """The number that an argument of a template is, without a place."""
    from regpress_lint.cpp.lower.literals import parse_number

    return parse_number(text) if text[:1].isdigit() else None


def identifier(ctx: Context, node: Node) -> Expr:
    name = ctx.text(node)
    variable = ctx.find(name)
    if variable is None:
        # The mask writes a T for such a word; a parse of another level may have left the word itself.
        if name[:1] == "T" and node.start_byte in ctx.type_words:
            return Name(span_of(node), ctx.type_words[node.start_byte])
        if name in SPELLED:
            base, axis = SPELLED[name]
            return Member(span_of(node), Name(span_of(node), base), axis, arrow=False)
        if name in ctx.bound and (number := _number(ctx.bound[name])) is not None:
            return Constant(span_of(node), number.value, number.kind)
        if name in ctx.bound and ctx.bound[name].endswith("}"):  # an object, which has no other name
            return Name(span_of(node), squeezed(ctx.bound[name]))
        if name in ctx.bound and (match := _NAMED.fullmatch(ctx.bound[name])) is not None:
            return Name(span_of(node), match[1], None, split_template_arguments(match[2]) if match[2] else ())
        if name in ctx.bound and builtin_type(ctx.bound[name]) is not None:  # several words
            return Name(span_of(node), ctx.bound[name])
        if ctx.asked is not None:
            ctx.asked.note(name, node.start_byte)
    elif (whole := ctx.within.get(variable)) is not None:
        return Member(span_of(node), Name(span_of(node), "", whole), name, arrow=False)
    return _named(node, name, variable)


def is_alias(variable: Variable) -> bool:
    """True for `float (&t)[64] = s;`: another name for an array, or for the array behind a pointer."""
    if not variable.dims or not variable.type.reference or variable.storage != "local":
        return False
    init = variable.init.operand if isinstance(variable.init, Unary) and variable.init.op == "*" else variable.init
    return isinstance(init, Name) and init.variable is not None and bool(init.variable.dims)


def _named(node: Node, name: str, variable: Variable | None) -> Expr:
    span = span_of(node)
    if variable is None or not variable.dims or not is_alias(variable):
        return Name(span, name, variable)
    init = variable.init
    inner = init.operand if isinstance(init, Unary) else init
    assert isinstance(inner, Name)
    array = Name(span, inner.name, inner.variable)
    return Unary(span, "*", array) if isinstance(init, Unary) else array


def template_arguments(ctx: Context, node: Node | None) -> tuple[str, ...]:
    """Source texts of a template argument list."""
    return () if node is None else tuple(ctx.substituted(" ".join(ctx.text(child).split())) for child in operands(node))


def qualified(ctx: Context, node: Node) -> Expr:
    text = squeezed(ctx.text(node))
    tail = node
    args: tuple[str, ...] = ()
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    end = tail.start_byte
    if tail.type == "dependent_name" and (within := operands(tail)):  # `Op::template apply<T>`
        tail = within[0]
    if tail.type in ("template_function", "template_type", "template_method"):
        last = tail.child_by_field_name("name")
        args = template_arguments(ctx, tail.child_by_field_name("arguments"))
        head = ctx.data[node.start_byte : end].decode("utf-8", "replace")
        text = squeezed(head) + (ctx.text(last) if last is not None else "")
    name = ctx.substituted(text)
    if ctx.asked is not None:
        ctx.asked.note(name, node.start_byte, exact=name == text)
    return Name(span_of(node), name, None, args)


def name_of_text(ctx: Context, span: Span, text: str) -> Name:
    """A name as it is written, `Row<8>::width` or `size<8>`."""
    spelled = ctx.substituted(" ".join(text.split()))
    args = split_template_arguments(spelled.partition("<")[2]) if spelled.endswith(">") and "<" in spelled else ()
    return Name(span, spelled.partition("<")[0].strip() if args else squeezed(spelled), None, args)


def template_name(ctx: Context, node: Node) -> Expr:
    name = node.child_by_field_name("name")
    text = ctx.text(name) if name is not None else ctx.text(node)
    if (bound := ctx.bound.get(text, "")).isidentifier():  # a template that is the argument of another one
        text = bound
    if ctx.asked is not None:
        ctx.asked.note(text, node.start_byte)
    return Name(span_of(node), text, None, template_arguments(ctx, node.child_by_field_name("arguments")))


def of_parameter(ctx: Context, span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    """`T(x)`, `T{}` of a template's parameter that no instantiation says the type of; None if one does."""
    if len(args) > 1 or ctx.types(name) is not None:
        return None
    return Cast(span, Type(name), args[0] if args else Constant(span, 0, "int"))
