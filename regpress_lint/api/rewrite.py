"""Helpers for fixes: an expression written a second time (only if its text says all that it does, and doing it twice
changes nothing), the places of arguments that may be replaced, and a name for a value in front of its statement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api.preprocessor import macro_made
from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    Index,
    Jump,
    LambdaExpr,
    Member,
    Name,
    Type,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.targets.builtins import COORDINATES

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function, Stmt
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File


# How programs spell the 64-bit integers of all three languages.
WIDE_INTEGER = pattern(
    r"\b(?:(?P<unsigned>unsigned\s+long(?:\s+long)?(?:\s+int)?|long(?:\s+long)?\s+unsigned(?:\s+int)?"
    r"|(?:std::)?(?:size_t|uint64_t))"
    r"|long(?:\s+long)?(?:\s+int)?|(?:std::)?(?:int64_t|ptrdiff_t))\b"
)
_BLANKS_AND_BRACKETS = pattern(r"[\s()]+")
_NOT_PLAIN = pattern(r"//|/\*|#|\\")
_ATTRIBUTE = pattern(r"__launch_bounds__\s*\(")
_IDENTIFIER = pattern(r"[A-Za-z_]\w*$")
_LITERAL = pattern(r"[0-9.][\w.']*$")
_POSTFIX = (Name, Member, Index, Constant)
_PURE_BINARY = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"))
# Longer operands are better named by a variable than written twice.
_LONGEST = 80


def writable(file: File, expr: Expr) -> str | None:
    """Source text of a pure expression, without outer brackets; None if it must not or cannot be written twice.

    Pure: names, members, subscripts, literals, arithmetic and casts to arithmetic types, nothing volatile. Macros are
    left alone, because a name that stands for more than itself may hold a call.
    """
    text = file.source.text(expr.span)
    if len(text) > _LONGEST or _NOT_PLAIN.search(text):
        return None
    rendered = _render(file, expr, 0)
    # Text that the parser did not see (a masked macro, an attribute) shows as a difference.
    return text if rendered is not None and rendered == _squeezed(text) else None


def plain_call(file: File, call: Call) -> bool:
    """True if a call's text is its callee, its arguments and nothing else: no comment, directive or macro between."""
    text = file.source.text(call.span)
    parts = [file.source.text(part.span) for part in (call.callee, *call.args)]
    expected = _squeezed(parts[0] + ",".join(parts[1:]))
    return text.endswith(")") and not _NOT_PLAIN.search(text) and _squeezed(text) == expected


def operand(expr: Expr, text: str) -> str:
    """Text of an expression as a factor of a product."""
    return text if isinstance(expr, _POSTFIX) and not text.startswith("-") else f"({text})"


def in_context(file: File, span: Span, product: str) -> str:
    """A product in brackets, unless the text around `span` binds no tighter than `*` does."""
    data = file.source.data
    before = data[max(0, span.start - 40) : span.start].decode("utf-8", "replace").rstrip()
    after = data[span.end : span.end + 40].decode("utf-8", "replace").lstrip()
    opens = before.endswith(("=", "(", ",", "{", "[", "return", "+", "-"))
    closes = after.startswith((";", ")", ",", "}", "]", "+", "-")) and not after.startswith("->")
    return product if opens and closes else f"({product})"


def argument_spans(facts: KernelFacts) -> tuple[Span, ...] | None:
    """The places of the launch bounds' arguments in the linted file; None if a macro or another file wrote them."""
    kernel, source = facts.kernel, facts.file.source
    bounds = kernel.launch_bounds
    if bounds is None or bounds.required or kernel.path != source.path or macro_made(facts.file, kernel):
        return None
    text = source.text(bounds.span)
    opening = _ATTRIBUTE.match(text)
    if opening is None or not text.isascii() or not text.endswith(")"):
        return None
    spans: list[Span] = []
    position = opening.end()
    for argument in bounds.texts:
        start = text.find(argument, position)
        # Nothing but a comma and blanks may stand between: comments are kept by not touching them.
        if start < 0 or text[position:start].strip(", \t\r\n"):
            return None
        position = start + len(argument)
        spans.append(Span(bounds.span.start + start, bounds.span.start + position))
    return None if text[position:-1].strip() else tuple(spans)


def _squeezed(text: str) -> str:
    return _BLANKS_AND_BRACKETS.sub("", text)


def _render(file: File, expr: Expr, depth: int) -> str | None:
    if depth > 12:
        return None
    if isinstance(expr, Constant):
        text = file.source.text(expr.span)
        return _squeezed(text) if _LITERAL.match(text.removeprefix("-").strip()) else None
    if isinstance(expr, Name):
        return _name(file, expr)
    if isinstance(expr, Member):
        return _member(file, expr, depth)
    if isinstance(expr, Index):
        base, index = _render(file, expr.base, depth + 1), _render(file, expr.index, depth + 1)
        array = _known(file, expr) if base is not None else None
        return f"{base}[{index}]" if array is not None and index is not None else None
    if isinstance(expr, Unary):
        inner = _render(file, expr.operand, depth + 1)
        return f"{expr.op}{inner}" if inner is not None and expr.op in ("-", "+", "~") else None
    if isinstance(expr, Binary):
        left, right = _render(file, expr.left, depth + 1), _render(file, expr.right, depth + 1)
        if left is None or right is None or expr.op not in _PURE_BINARY:
            return None
        return f"{left}{expr.op}{right}"
    if isinstance(expr, Cast):
        return _cast(file, expr, depth)
    return None


def _name(file: File, expr: Name) -> str | None:
    variable = expr.variable
    if variable is None or not _IDENTIFIER.match(expr.name) or file.macro(expr.name) is not None:
        return None
    return None if _touchy(variable.type) else expr.name


def _member(file: File, expr: Member, depth: int) -> str | None:
    dot = "->" if expr.arrow else "."
    if isinstance(expr.base, Name) and expr.base.name in COORDINATES:
        return f"{expr.base.name}{dot}{expr.field}"
    base = _render(file, expr.base, depth + 1)
    if base is None or _known(file, expr) is None or file.macro(expr.field) is not None:
        return None
    return f"{base}{dot}{expr.field}"


def _cast(file: File, expr: Cast, depth: int) -> str | None:
    inner = _render(file, expr.operand, depth + 1)
    if inner is None or expr.reinterpret or expr.type.size is None or expr.type.pointers or expr.type.lanes > 1:
        return None
    head = _squeezed(file.source.text(Span(expr.span.start, expr.operand.span.start)))
    plain = head == _squeezed(expr.type.name) or head == f"static_cast<{_squeezed(expr.type.name)}>"
    return f"{head}{inner}" if plain else None


def _known(file: File, expr: Expr) -> Type | None:
    """Type of a memory operand; None where it is unknown or volatile (its two reads may differ)."""
    type_ = expression_type(expr, file.type_of)
    return None if type_ is None or type_.size is None or _touchy(type_) else type_


def _touchy(type_: Type) -> bool:
    return type_.volatile or type_.pointee_volatile


_BLANK = pattern(rb"[ \t]*")
_DEEPEST = 12
_ARITHMETIC = ("+", "-", "*", "/")


class Temporary(NamedTuple):
    """A variable's name, and the edit that declares it."""

    name: str
    edit: Edit


def temporary(file: File, function: Function, expr: Expr, type_name: str) -> Temporary | None:
    """A constant of that type with the value of an expression, declared in front of the statement around it.

    None unless the expression is arithmetic and math functions over plain names, its statement is in a block, is
    evaluated as a whole, and changes nothing before the expression is reached: only its own target, at the end.
    """
    if not _is_movable(file, expr, 0):
        return None
    statement = _statement(function, expr)
    if statement is None or not _is_simple(file, statement):
        return None
    if any(isinstance(node, Jump) and node.kind == "goto" for node in nodes_of(function)):
        return None  # it must not jump over an initialisation
    data, start = file.source.data, statement.span.start
    line = data.rfind(b"\n", 0, start) + 1
    indent = data[line:start]
    if _BLANK.fullmatch(indent) is None:
        return None  # something else stands on the line in front of it
    if data[max(line - 3, 0) : line].rstrip(b"\r\n").endswith(b"\\"):
        return None  # the body of a macro
    name = _free_name(data, start)
    end = "\r\n" if data[data.find(b"\n", start) - 1 : data.find(b"\n", start)] == b"\r" else "\n"
    declared = f"const {type_name} {name} = {file.source.text(expr.span)};{end}{indent.decode()}"
    return Temporary(name, Edit(Span(start, start), declared))


def _is_movable(file: File, expr: Expr, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if writable(file, expr) is not None:
        return True
    if isinstance(expr, Binary):
        both = _is_movable(file, expr.left, depth + 1) and _is_movable(file, expr.right, depth + 1)
        return expr.op in _ARITHMETIC and both
    if isinstance(expr, Unary):
        return expr.op == "-" and _is_movable(file, expr.operand, depth + 1)
    if isinstance(expr, Cast):
        return not expr.reinterpret and _is_movable(file, expr.operand, depth + 1)
    return (
        isinstance(expr, Call)
        and _is_math(file, expr)
        and plain_call(file, expr)
        and all(_is_movable(file, argument, depth + 1) for argument in expr.args)
    )


def _is_math(file: File, call: Call) -> bool:
    is_plain = is_plain_math(call.name) and not isinstance(call.callee, Member)
    return is_plain and file.find_function(call.qualified, len(call.args)) is None and file.macro(call.name) is None


def _statement(function: Function, expr: Expr) -> Declare | Evaluate | None:
    """The statement of a block that an expression is a part of."""
    for node in nodes_of(function):
        if isinstance(node, Block):
            for statement in node.statements:
                if isinstance(statement, (Declare, Evaluate)) and any(node is expr for node in walk(statement)):
                    return statement
    return None


def _is_simple(file: File, statement: Stmt) -> bool:
    """True if all of a statement is evaluated, and nothing but an assignment at its top changes anything."""
    if isinstance(statement, Declare):
        if len(statement.variables) != 1 or statement.variables[0].storage != "local":
            return False
        top: object = None
    else:
        top = statement.expression if isinstance(statement, Evaluate) else None
    for node in walk(statement):
        if isinstance(node, (Conditional, LambdaExpr, Update, Unknown)) or (
            isinstance(node, Assign) and node is not top
        ):
            return False
        if isinstance(node, Binary) and node.op in ("&&", "||", ","):
            return False
        if isinstance(node, Call) and not _is_math(file, node):
            return False
    return True


def _free_name(data: bytes, start: int) -> str:
    """A name that the file does not have, with the call's number among the powers of the file: several of them are
    declared at a time.
    """
    number = data.count(b"pow", 0, start) + 1
    name = f"base{number}"
    while re.search(rb"\b" + name.encode() + rb"\b", data) is not None:
        name += "_"
    return name
