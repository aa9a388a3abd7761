"""`x<0 || x>=n`, which the grammar takes for a template `x<0 || x>` and what follows it: read as C++ does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.lower.lowering_context import Context, operands, span_of
from regpress_lint.cpp.syntax_tree import Binary, Call, Cast, Conditional, Expr, Member, Name, Type, Unary

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
_PREFIXES = frozenset(("-", "+", "*", "&"))
_MAX_TOKENS = 256  # of one condition; the reader is recursive


def comparisons(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """The meaning of a binary operation, an assignment or a call whose template is none; None if nothing is misread."""
    if ctx.data.find(b"<", node.start_byte, node.end_byte) < 0 or not _is_misread(ctx, node, 0):
        return None
    reader = _Reader(ctx, lower)
    reader.add(node)
    return reader.read() if len(reader.tokens) <= _MAX_TOKENS else None


def _is_misread(ctx: Context, node: Node, depth: int) -> bool:
    """Whether a template that is none is among the operands of a node, outside of parentheses."""
    if depth > _MAX_TOKENS:
        return False
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


class _Reader:
    """Operands and operators in the order of the text, read by the strength of the operators."""

    def __init__(self, ctx: Context, lower: Lower) -> None:
        self._ctx, self._lower = ctx, lower
        self.tokens: list[Expr | str] = []
        self._choice: Node | None = None
        self._place = 0

    def _applied(self, given: Expr) -> Expr:
        """The last operand with the brackets behind it: `(int)(n)`, or the call of a function."""
        last = self.tokens.pop()
        assert not isinstance(last, str)
        span = Span(last.span.start, given.span.end)
        if isinstance(last, Name) and last.variable is None:
            return Cast(span, self._ctx.types(last.name) or Type(last.name), given)
        return Call(span, last, "", "", (given,))

    def add(self, node: Node) -> None:
        """Add the operands and operators of a node; parentheses and their content are one operand."""
        ctx, kind = self._ctx, node.type
        if kind == "binary_expression" and node.child_count == 3:
            left, operator, right = node.children
            self.add(left)
            self.tokens.append(operator.type)
            self.add(right)
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
                given = self._lower(ctx, _given(node)[0])
                self.tokens.append(given if function.type != "call_expression" else self._applied(given))
        elif (parts := _parts(ctx, node)) is not None:
            self.tokens.extend((self._first(node, parts[0]), "<"))
            self.add(parts[1])
            self.tokens.append(">")
        else:
            self.tokens.append(self._lower(ctx, node))

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
