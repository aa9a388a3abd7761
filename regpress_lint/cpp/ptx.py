"""PTX, as inline assembly has it: the instructions of a text, one by one.

Only its shape is read: the instruction, its outputs, its inputs. Labels and jumps have no reading here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern

_NAMED = pattern(r"%\[(\w+)\]")
_COMMENT = pattern(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INSTRUCTION = pattern(
    r"(?:@(?P<negation>!?)\s*(?P<guard>[%\w$]+)\s+)?(?P<opcode>[a-z]\w*(?:(?:\.|::)\w+)*)(?:\s+(?P<rest>.*))?",
    re.DOTALL,
)
_DECLARED = pattern(r"\.reg\s*\.(?P<type>\w+)\s+(?P<names>.+)", re.DOTALL)
_RANGE = pattern(r"([%\w$]+)<(\d+)>")
_OPERAND = pattern(r"\{[^{}]*\}|\[[^\[\]]*\]|[^,{}\[\]]+", re.DOTALL)
_JUMPS = frozenset(("bra", "brx", "call", "ret", "exit"))
# They write nothing into a register.
_SILENT = frozenset(
    (
        *("applypriority", "bar", "barrier", "cp", "discard", "fence", "griddepcontrol", "membar", "nanosleep"),
        *("pmevent", "prefetch", "prefetchu", "red", "st", "stmatrix", "sured", "sust", "trap"),
    )
)


class Instruction(NamedTuple):
    """opcode: without its types and modifiers, which are in `parts`. results, operands: names, numbers, and addresses
    with their brackets; a vector is several. guard: the predicate that it is executed under, or, if it is negated,
    that it is not executed under.
    """

    opcode: str
    parts: tuple[str, ...]
    results: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str = ""
    is_negated: bool = False


class Text(NamedTuple):
    """Instructions in order, and the types of the registers that the text declares for itself."""

    instructions: tuple[Instruction, ...]
    declared: dict[str, str]


@lru_cache(256)
def read(text: str) -> Text | None:
    """The instructions of a text; None for one with a jump or an unknown instruction."""
    found: list[Instruction] = []
    declared: dict[str, str] = {}
    for statement in _COMMENT.sub(" ", _NAMED.sub(r"%\1", text.replace("%%", "%"))).split(";"):
        words = _without_scopes(statement)
        if not words:
            continue
        own = _DECLARED.fullmatch(words)
        if own is not None:
            declared.update(dict.fromkeys(_names(own["names"]), own["type"]))
            continue
        match = _INSTRUCTION.fullmatch(words)
        if match is None:
            return None
        opcode, *parts = re.split(r"\.|::", match["opcode"])
        if opcode in _JUMPS:
            return None
        operands = [each.strip() for each in _OPERAND.findall(match["rest"] or "") if each.strip()]
        results: list[str] = []
        if operands and opcode not in _SILENT and not operands[0].startswith("["):
            results = [name.strip() for name in re.split(r"[|,]", operands.pop(0).strip("{} \n"))]
        read_ = tuple(one.strip() for each in operands for one in _apart(each))
        guard, is_negated = match["guard"] or "", bool(match["negation"])
        found.append(Instruction(opcode, tuple(parts), tuple(results), read_, guard, is_negated))
    return Text(tuple(found), declared)


def _without_scopes(statement: str) -> str:
    """A statement without the braces around several; those of a vector are inside of it."""
    words = statement.strip()
    while words[:1] in ("{", "}"):
        words = words[1:].strip()
    return words


def _names(text: str) -> list[str]:
    """`a, b` or `r<3>`, which is r0, r1 and r2."""
    names: list[str] = []
    for part in text.split(","):
        several = _RANGE.fullmatch(part.strip())
        names += [f"{several[1]}{at}" for at in range(min(int(several[2]), 256))] if several else [part.strip()]
    return names


def _apart(operand: str) -> list[str]:
    return operand[1:-1].split(",") if operand.startswith("{") else [operand]
