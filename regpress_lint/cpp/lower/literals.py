"""Literals of numbers and the text of inline assembly: a text to its value, its type and its operands."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lower.lowering_context import Context, span_of, unknown
from regpress_lint.cpp.syntax_tree import Assembly, AssemblyOperand, Constant, Expr

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node


# C++ number literals: a text -> its value and type. The front end reads them, and template arguments hold them.


_INTEGER = pattern(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)$")
_NOWHERE = Span(0, 0)


def literal(ctx: Context, node: Node) -> Constant:
    """A number, truth, null pointer, character or string."""
    span, kind = span_of(node), node.type
    if kind == "number_literal":
        number = parse_number(ctx.text(node)) or Constant(span, None, "unknown")
        number.span = span
        return number
    if kind == "char_literal":
        text = ctx.text(node)
        return Constant(span, ord(text[1]) if len(text) == 3 else None, "char")
    if "string" in kind:
        return Constant(span, None, "string")
    return Constant(span, 1 if kind == "true" else 0, "bool" if kind != "null" else "pointer")


def parse_number(text: str) -> Constant | None:
    """Literal for a C++ number (digit separators, suffixes, hexadecimal floats), without a position."""
    value, kind = _number_of(text)
    return Constant(_NOWHERE, value, kind) if kind else None


@lru_cache(maxsize=2048)
def _number_of(text: str) -> tuple[int | float | None, str]:
    """Value and C type of a number; ("", None) if it is none, value None for one that no compiler accepts."""
    plain = text.replace("'", "")
    if plain[:1] in ("-", "+"):  # the grammar takes a sign into the number, one
        unsigned = plain[1:].lstrip()
        value, kind = _number_of(unsigned) if unsigned[:1] not in ("-", "+") else (None, "")
        return (-value if value is not None and plain[0] == "-" else value), kind
    if (match := _INTEGER.match(plain)) is not None:
        return _integer_of(match[1], match[2].lower())
    lowered = plain.lower()
    hexadecimal = lowered.startswith("0x")
    kind = "double"
    if lowered.endswith(("f16", "f32", "f64")):
        kind, lowered = ("double" if lowered.endswith("64") else "float"), lowered[:-3]
    elif lowered.endswith("f") and not (hexadecimal and "p" not in lowered):
        kind, lowered = "float", lowered[:-1]
    elif lowered.endswith("h"):
        kind, lowered = "half", lowered[:-1]
    elif lowered.endswith("l"):
        lowered = lowered[:-1]
    try:
        return (float.fromhex(lowered) if hexadecimal else float(lowered)), kind
    except (ValueError, OverflowError):
        return None, ""


def _integer_of(digits: str, suffix: str) -> tuple[int | None, str]:
    kind = ("unsigned " if "u" in suffix else "") + ("long" if "l" in suffix or "z" in suffix else "int")
    if not _valid(digits):
        return None, kind
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    value = int(digits, 8) if octal else int(digits, 0)
    if kind == "int" and value > 0x7FFFFFFF:
        # Only octal, binary and hexadecimal numbers may become unsigned.
        kind = "unsigned int" if (octal or not digits.isdigit()) and value <= 0xFFFFFFFF else "long"
    return value, kind


def _valid(digits: str) -> bool:
    # "08" is not an octal number; a hostile literal of a million digits is not worth a bignum.
    return len(digits) <= 40 and not (
        len(digits) > 1 and digits[0] == "0" and digits.isdigit() and not set(digits) <= set("01234567")
    )


# Inline assembly: its text, its inputs and its outputs.


_ESCAPE = pattern(r"\\(.)", re.DOTALL)
_BREAKS = frozenset("nrt")
_OUTPUTS, _INPUTS, _CLOBBERS = (f"gnu_asm_{what}_list" for what in ("output_operand", "input_operand", "clobber"))


def assembly(ctx: Context, node: Node, lower: Callable[[Context, Node], Expr]) -> Assembly:
    """`asm(...)`; `lower` makes an expression of a node."""
    text: str | None = ""
    children: list[Expr] = []
    operands: dict[str, tuple[AssemblyOperand, ...]] = {}
    clobbers = ""
    for child in node.named_children:
        if child.type in (_OUTPUTS, _INPUTS):
            listed = operands[child.type] = _operands(ctx, child, lower)
            children.append(unknown(child, tuple(operand.value for operand in listed)))
        elif child.type == _CLOBBERS:
            clobbers = ctx.text(child)
        elif child.type.endswith("string_literal") or child.type == "concatenated_string":
            text = _text(ctx, child)
    return Assembly(
        span_of(node),
        tuple(children),
        text,
        operands.get(_OUTPUTS, ()),
        operands.get(_INPUTS, ()),
        '"memory"' in clobbers,
    )


def _operands(ctx: Context, node: Node, lower: Callable[[Context, Node], Expr]) -> tuple[AssemblyOperand, ...]:
    operands = []
    for operand in node.named_children:
        parts = operand.named_children
        at = next((place for place, part in enumerate(parts) if part.type == "string_literal"), None)
        if at is not None and at + 1 < len(parts):
            name = ctx.text(parts[0]) if at else ""
            operands.append(AssemblyOperand(_text(ctx, parts[at]) or "", lower(ctx, parts[at + 1]), name))
    return tuple(operands)


def _text(ctx: Context, node: Node) -> str | None:
    """The content of a string, several concatenated; None if there is a name among them."""
    if node.type == "concatenated_string":
        parts = [_text(ctx, child) for child in node.named_children]
        return None if None in parts else "".join(part for part in parts if part)
    if node.type == "raw_string_literal":
        return "".join(ctx.text(child) for child in node.named_children if child.type == "raw_string_content")
    if node.type != "string_literal":
        return None
    inner = ctx.text(node)
    start, end = inner.find('"') + 1, inner.rfind('"')
    return _ESCAPE.sub(lambda match: "\n" if match[1] in _BREAKS else match[1], inner[start:end])
