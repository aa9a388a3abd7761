"""`x<0 || x>=n`, which the grammar takes for a template `x<0 || x>` and what follows it: read as C++ does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.lower.declared_types import lower_type_node
from regpress_lint.cpp.lower.lowering_context import Context, identifier, name_of_text, operands, span_of
from regpress_lint.cpp.syntax_tree import Binary, Call, Cast, Conditional, Expr, Index, Member, Name, Type, Unary

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    Lower = Callable[[Context, Node], Expr]


# How strongly operators bind, the strongest last.
_LEVELS = (
    ("||", "or"),
    ("&&", "and"),
    ("|", "bitor"),
    ("^", "xor"),
    ("&", "bitand"),
    ("==", "!=", "not_eq"),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_BINDS = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
# Operators that C++ lets one write as words.
SPELLED = dict(
    word.split("=", 1)
    for word in "and=&& or=|| not=! bitand=& bitor=| xor=^ compl=~ not_eq=!= and_eq=&= or_eq=|= xor_eq=^=".split()
)
_WITH_ARGUMENTS = ("template_function", "template_type")
_BEHIND = {"subscript_expression": "argument", "call_expression": "function"}
_PREFIXES = frozenset(("-", "+", "*", "&"))
_MAX_TOKENS = 256  # of one condition; the reader is recursive


def comparisons(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """The meaning of a binary operation, an assignment or a call whose template is none; None if nothing is misread."""
    if ctx.data.find(b"<", node.start_byte, node.end_byte) < 0 or not _is_misread(ctx, node, 0):
        return None
    reader = _Reader(ctx, lower)
    reader.add(node)
    return reader.read() if len(reader.tokens) <= _MAX_TOKENS else None


def comparison(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """The comparison that a name with arguments is whose template is a variable; None for any other name."""
    if (compared := _compared(ctx, node)) is None:
        return None
    reader = _Reader(ctx, lower)
    reader.add_compared(*compared, node)
    return reader.read()


def _is_misread(ctx: Context, node: Node, depth: int) -> bool:
    """Whether a template that is none is among the operands of a node, outside of parentheses."""
    if depth > _MAX_TOKENS:
        return False
    if node.type in ("qualified_identifier", *_BEHIND) and _compared(ctx, node) is not None:
        return True
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        if function is None or len(_given(node)) != 1:
            return False
        if function.type == "call_expression":  # `x<0 || x>(int)(n)`
            return _is_misread(ctx, function, depth + 1)
        return _parts(ctx, function) is not None
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return argument is not None and _is_misread(ctx, argument, depth + 1)
    if node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        return left is not None and _is_assigned(node) and _is_misread(ctx, left, depth + 1)
    if node.type == "binary_expression":
        sides = node.child_by_field_name("left"), node.child_by_field_name("right")
        return any(side is not None and _is_misread(ctx, side, depth + 1) for side in sides)
    return _parts(ctx, node) is not None


def _is_assigned(node: Node) -> bool:
    """`>=` at the end of a template's arguments is one operator."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is None or operator is None or operator.type != "=" or operator.start_byte != left.end_byte:
        return False
    return left.text is not None and left.text.endswith(b">")


def _given(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return operands(arguments) if arguments is not None else []


def _parts(ctx: Context, node: Node) -> tuple[Node, Node] | None:
    """The two sides that a misread template compares: `x` and `0 || x`. A variable is no template, nor is a member that
    is not called, nor what ends with `>=`; `f<A || B>(x)` and `is_small<A || B>` are templates.
    """
    named = node.child_by_field_name("field") if node.type == "field_expression" else node
    if named is None or named.type not in ("template_function", "template_method"):
        return None
    name, arguments = named.child_by_field_name("name"), named.child_by_field_name("arguments")
    inner = operands(arguments) if arguments is not None else []
    if name is None or len(inner) != 1 or inner[0].type == "type_descriptor":
        return None
    if ctx.data[node.end_byte : node.end_byte + 1] == b"=":
        return name, inner[0]
    if named is node:
        return (name, inner[0]) if ctx.find(ctx.text(name)) is not None else None
    called = node.parent is not None and node.parent.type == "call_expression"
    return (name, inner[0]) if not called else None


def _compared(ctx: Context, node: Node) -> tuple[Node, Node] | None:
    """The variable and what looks like its arguments in `i < Row<8>::width`, which the grammar takes for a member of
    `i<Row<8>`; also with an index or arguments behind it, and in `i < width<8> * 2`.
    """
    if node.type in _BEHIND and (inner := node.child_by_field_name(_BEHIND[node.type])) is not None:
        return _compared(ctx, inner) if inner.type == "qualified_identifier" else None
    first = node.child_by_field_name("scope") if node.type == "qualified_identifier" else node
    name = first.child_by_field_name("name") if first is not None and first.type in _WITH_ARGUMENTS else None
    arguments = first.child_by_field_name("arguments") if first is not None and name is not None else None
    if name is None or arguments is None or ctx.find(ctx.text(name)) is None:
        return None
    return name, arguments


def _is_template(ctx: Context, arguments: Node) -> bool:
    """Whether the first of such arguments, `width<8`, begins with a name that is no variable."""
    first = next(iter(operands(arguments)), None)
    named = first.child_by_field_name("left") if first is not None and first.type == "binary_expression" else None
    if named is not None and named.type == "cast_expression":
        named = named.child_by_field_name("value")
    if named is None or named.type not in ("identifier", "qualified_identifier"):
        return False
    return ctx.find(ctx.text(named)) is None


class _Reader:
    """Operands and operators in the order of the text, read by the strength of the operators."""

    def __init__(self, ctx: Context, lower: Lower) -> None:
        self._ctx, self._lower = ctx, lower
        self.tokens: list[Expr | str] = []
        self._choice: Node | None = None
        self._place = 0

    def _applied(self, argument: Expr) -> Expr:
        """The last operand with the brackets behind it: `(int)(n)`, or the call of a function."""
        last = self.tokens.pop()
        assert not isinstance(last, str)
        span = Span(last.span.start, argument.span.end)
        if isinstance(last, Name) and last.variable is None:
            return Cast(span, self._ctx.types(last.name) or Type(last.name), argument)
        return Call(span, last, "", "", (argument,))

    def add(self, node: Node) -> None:
        """Add the operands and operators of a node; parentheses and their content are one operand."""
        ctx, kind = self._ctx, node.type
        if kind == "binary_expression" and node.child_count == 3:
            left, operator, right = node.children
            compared = _compared(ctx, left) if left.type == "template_function" else None
            if compared is not None and _is_template(ctx, compared[1]):
                self.add_compared(*compared, left)
            else:
                self.add(left)
            self.tokens.append(operator.type)
            self.add(right)
        elif kind in ("qualified_identifier", *_BEHIND) and (compared := _compared(ctx, node)) is not None:
            self.add_compared(*compared, node)
        elif kind == "assignment_expression" and _is_misread(ctx, node, 0):
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and value is not None:
                self.add(target)
                self.tokens[-1] = ">="
                self.add(value)
        elif kind == "conditional_expression" and self.tokens and (asked := node.child_by_field_name("condition")):
            self._choice = node
            self.add(asked)
        elif kind == "unary_expression" and _is_misread(ctx, node, 0):
            operator, argument = node.children
            self.tokens.append(f"unary {operator.type}")
            self.add(argument)
        elif kind == "call_expression" and _is_misread(ctx, node, 0):
            if (function := node.child_by_field_name("function")) is not None:
                self.add(function)
                bracketed = self._lower(ctx, _given(node)[0])
                self.tokens.append(bracketed if function.type != "call_expression" else self._applied(bracketed))
        elif (parts := _parts(ctx, node)) is not None:
            self.tokens.extend((self._first(node, parts[0]), "<"))
            self.add(parts[1])
            self.tokens.append(">")
        else:
            self.tokens.append(self._lower(ctx, node))

    def add_compared(self, name: Node, arguments: Node, whole: Node) -> None:
        """Add `i < 2 * Row<8>::width`, where the first argument of the misread template has `2 * Row < 8`."""
        ctx = self._ctx
        self.tokens.extend((identifier(ctx, name), "<"))
        end, cast, node = whole.end_byte, None, next(iter(operands(arguments)), None)
        if whole.type in _BEHIND and (inner := whole.child_by_field_name(_BEHIND[whole.type])) is not None:
            end = inner.end_byte
        start = end
        while node is not None:
            start, below = node.start_byte, None
            if node.type == "binary_expression" and node.child_count == 3:
                below, operator, right = node.children
                if operator.type != "<":
                    self.add(below)
                    self.tokens.append(operator.type)
                    below = right
            elif node.type == "cast_expression":
                cast, below = node.child_by_field_name("type"), node.child_by_field_name("value")
            node = below
        read: Expr = self._behind(name_of_text(ctx, Span(start, end), ctx.data[start:end].decode()), whole)
        self.tokens.append(read if cast is None else Cast(read.span, lower_type_node(ctx, cast), read))

    def _behind(self, name: Name, whole: Node) -> Expr:
        """A name with the index or the arguments behind it."""
        span = Span(name.span.start, whole.end_byte)
        if whole.type == "subscript_expression":
            indices = whole.child_by_field_name("indices")
            places = [self._lower(self._ctx, index) for index in operands(indices)] if indices is not None else []
            return Index(span, name, places[0]) if len(places) == 1 else name
        if whole.type == "call_expression":
            args = tuple(self._lower(self._ctx, argument) for argument in _given(whole))
            return Call(span, name, name.name.rpartition("::")[2], name.name, args, name.template_args)
        return name

    def _first(self, node: Node, name: Node) -> Expr:
        base = node.child_by_field_name("argument") if node.type == "field_expression" else None
        if base is None:
            text = self._ctx.text(name)
            return Name(span_of(name), text, self._ctx.find(text))
        arrow = any(child.type == "->" for child in node.children)
        return Member(Span(node.start_byte, name.end_byte), self._lower(self._ctx, base), self._ctx.text(name), arrow)

    def read(self) -> Expr | None:
        """The expression, None if the tokens are none."""
        node = self._operation(0)
        if node is None or self._place != len(self.tokens) or self._choice is None:
            return node if self._place == len(self.tokens) else None
        arms = (self._choice.child_by_field_name(name) for name in ("consequence", "alternative"))
        chosen = [self._lower(self._ctx, arm) for arm in arms if arm is not None]
        span = Span(node.span.start, self._choice.end_byte)
        return Conditional(span, node, *chosen) if len(chosen) == 2 else None

    def _operation(self, level: int) -> Expr | None:
        left = self._operand()
        while left is not None and self._place < len(self.tokens):
            operator = self.tokens[self._place]
            binds = _BINDS.get(operator, -1) if isinstance(operator, str) else -1
            if binds < level or not isinstance(operator, str):
                return left
            self._place += 1
            right = self._operation(binds + 1)
            if right is None:
                return None
            left = Binary(Span(left.span.start, right.span.end), SPELLED.get(operator, operator), left, right)
        return left

    def _operand(self) -> Expr | None:
        if self._place >= len(self.tokens):
            return None
        token = self.tokens[self._place]
        self._place += 1
        if not isinstance(token, str):
            return token
        sign = token.removeprefix("unary ")
        if sign == token and sign not in _PREFIXES:  # `x>-1` is read as a difference
            return None
        argument = self._operand()
        return Unary(argument.span, sign, argument) if argument is not None else None


def shift(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """`i < n >> 4`, which the grammar reads as `i<n> > 4`; None where the left side is a template."""
    left, operator, right = node.children
    named = left.child_by_field_name("field") if left.type == "field_expression" else left
    arguments = named.child_by_field_name("arguments") if named is not None else None
    name = named.child_by_field_name("name") if named is not None else None
    if name is None or arguments is None or operator.start_byte != arguments.end_byte:
        return None
    inner = operands(arguments)
    if len(inner) != 1 or (named is left and ctx.find(ctx.text(name)) is None):
        return None
    only = inner[0]
    if only.type == "type_descriptor":  # a name alone
        only = only.named_children[0] if only.named_child_count == 1 else only
    shifted = Binary(Span(only.start_byte, right.end_byte), ">>", lower(ctx, only), lower(ctx, right))
    below = lower(ctx, name)
    base = left.child_by_field_name("argument") if named is not left else None
    if base is not None:
        arrow = any(child.type == "->" for child in left.children)
        below = Member(Span(left.start_byte, name.end_byte), lower(ctx, base), ctx.text(name), arrow)
    return Binary(span_of(node), "<", below, shifted)
