"""Helpers for fixes: an expression written a second time (only if its text says all that it does, and doing it twice
changes nothing), and the places of arguments that may be replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.preprocessor import macro_made
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Binary, Call, Cast, Constant, Expr, Index, Member, Name, Type, Unary
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.targets.builtins import COORDINATES

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import File

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
        known = _known(file, expr) if base is not None else None
        return f"{base}[{index}]" if known is not None and index is not None else None
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
