"""Blocks that a macro makes a kernel or a loop of: as its last argument, and behind a macro that no file defines.

Macros whose arguments are code for the host, for a device, or for each dimension of space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import before, skip_space
from regpress_lint.cpp.preprocess.macros import expand_macro, substitute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.mask.draft import Draft
    from regpress_lint.cpp.preprocess.macros import Macro, MacroTable


# Kernels whose body is an argument of a macro: `FOR_3D(box, i, j, k, { ... })` becomes `FOR_3D([](i, j, k) { ... })`.
#
# The expansion shows this: a lambda with a word of the device, and the macro's last argument as its body. The names of
# the lambda's parameters stay where they are; their types are in the masked item (`Masked.items`, kind `block`).


KIND = "block"
BODY = "{}"
_DEVICE = r"(?:__device__|AMREX_GPU_(?:HOST_)?DEVICE|RAJA_(?:HOST_)?DEVICE|HEMI_LAMBDA|__hemi_lambda__)"
_LAMBDAS = r"(?:KOKKOS_(?:CLASS_)?LAMBDA|AMREX_GPU_LAMBDA|RAJA_LAMBDA)"
_LAMBDA = pattern(
    rf"(?:\[\s*[=&]\s*\][\w\s]*\b{_DEVICE}\b[\w\s]*|\b{_LAMBDAS}\s*)\((?P<parameters>[^()]*)\)[\w\s]*\{{\}}"
)
_NAME = pattern(r"\w+\Z")
_HEAD = "([]("


def mask_block(
    draft: Draft, start: int, macro: Macro, close: int, arguments: list[tuple[int, int]], table: MacroTable
) -> bool:
    """Mask the invocation at `start`, whose bracket closes at `close`, if it is one that makes a kernel of a block."""
    code = draft.code
    block = skip_space(code, arguments[-1][0])
    if len(arguments) < 2 or code[block : block + 1] != "{" or code[before(code, close)] != "}":
        return False
    arguments_before = tuple(draft.source[a:b].strip() for a, b in arguments[:-1])
    match = next(filter(None, map(_LAMBDA.search, _stands_for(macro, (*arguments_before, BODY), table))), None)
    names = _names(match["parameters"]) if match is not None else ()
    if match is None or not names or names != arguments_before[-len(names) :]:
        return False
    first = skip_space(code, arguments[-1 - len(names)][0])
    line = code.find("\n", start)
    room = min(first, line if line >= 0 else first) - start - len(_HEAD)
    if room < 1:
        return False
    word = macro.name if len(macro.name) <= room else "f"
    comma = arguments[-2][1]
    draft.note(start + len(word) + 1, comma, KIND, match[0].removesuffix(BODY))
    draft.patch(start, first, word + _HEAD)
    draft.patch(comma, comma + 1, ")")
    draft.blocks.add(block)
    end_in_a_blank(draft, close)
    return True


def _stands_for(macro: Macro, arguments: tuple[str, ...], table: MacroTable) -> Iterator[str]:
    """The expansion of an invocation: by each definition as it is written, then with all macros in it replaced."""
    definitions = table.all(macro.name)
    yield from (substitute(definition, arguments) for definition in definitions)
    yield from (expand_macro(definition, arguments, table) for definition in definitions)


def _names(parameters: str) -> tuple[str, ...]:
    matches = (_NAME.search(parameter.strip()) for parameter in parameters.split(","))
    return tuple(match[0] for match in matches if match is not None)


def end_in_a_blank(draft: Draft, close: int) -> None:
    """Put the `;` that a macro may stand without into a blank behind it."""
    after = skip_space(draft.code, close + 1)
    if draft.code[after : after + 1] in (";", ""):
        return
    if (blank := next((at for at in range(close + 1, after) if draft.source[at] in " \t"), None)) is not None:
        draft.patch(blank, blank + 1, ";")


# `CUDA_KERNEL_LOOP(i, n) { ... }`: a block behind a macro whose definition no file that was found has.
#
# Left as it is, the grammar reads a function inside a function, or a call without a `;`, and the block is lost. The
# macros of some libraries are known. Any other is taken for a loop over the threads of a grid where its name and
# arguments say so, and otherwise for a loop of which nothing is known; both are noted as `assumed`, and the kernel
# counts as not read whole.


# Name -> arguments: c10/cuda and ATen/native/cuda; OneFlow (core/device/cuda_util.h), mmcv and TensorFlow.
_KNOWN = {"CUDA_KERNEL_LOOP": 2, "CUDA_KERNEL_LOOP_TYPE": 3, "CUDA_1D_KERNEL_LOOP": 2, "GPU_1D_KERNEL_LOOP": 2}
_LOOP_NAME = pattern(r"[A-Z\d_]*(?:LOOP|STRIDE|FOR(?!M|CE|WARD)|EACH)[A-Z\d_]*")
_COUNTER = pattern(r"(?:((?:unsigned\s+|const\s+|long\s+)*[A-Za-z_][\w:]*)\s+)?([A-Za-z_]\w*)")


def begins_unknown_block(draft: Draft, start: int, end: int) -> bool:
    """Whether a block follows the invocation of an undefined macro at start:end, a statement in a function."""
    after = skip_space(draft.code, end)
    return draft.code[after : after + 1] == "{" and draft.brackets.in_a_body(start)


def mask_unknown_block(
    draft: Draft, name: str, start: int, end: int, arguments: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Write the head of a loop for `NAME(...)` at start:end; the arguments that are still in the text."""
    texts = [draft.source[a:b].strip() for a, b in arguments]
    head = _grid_stride(name, texts)
    draft.note(start, end, "loop" if head and _KNOWN.get(name) == len(texts) else "assumed", head)
    draft.patch(start, start + len(name), "while" if len(name) >= len("while") else "if")
    if not head:
        return arguments
    draft.patch(arguments[0][0], end - 1, "1")  # `int i, n` is no condition
    return []


def _grid_stride(name: str, arguments: list[str]) -> str:
    """A head for a counter, its end and, if there is a third argument, its type; empty where that is not likely."""
    counter = _COUNTER.fullmatch(arguments[0])
    if not 2 <= len(arguments) <= 3 or counter is None or _LOOP_NAME.fullmatch(name) is None:
        return ""
    type_ = counter[1] or "int"
    if len(arguments) == 3:
        if _COUNTER.fullmatch(arguments[2]) is None:
            return ""
        type_ = arguments[2]
    first, step = "blockIdx.x * blockDim.x + threadIdx.x", "blockDim.x * gridDim.x"
    return f"for ({type_} {counter[2]} = {first}; {counter[2]} < ({arguments[1]}); {counter[2]} += {step})"


# Code for the host or for a device alone, as macros of libcu++ and AMReX have it in a second pair of parentheses.
_BY_TARGET = pattern(r"\b(?:AMREX_IF_ON_(?:DEVICE|HOST)|NV_IF_(?:ELSE_)?TARGET)\s*\(", re.ASCII)


def by_target(code: str) -> bool:
    """Whether a text has code that a macro of a library chooses by target."""
    return ("AMREX_IF_ON_" in code or "NV_IF_" in code) and _BY_TARGET.search(code) is not None


def mask_targets(draft: Draft) -> None:
    """`NV_IF_TARGET(NV_IS_HOST, (a();), (b();))` as `{ b(); }`: a block with a device's code, which may be empty."""
    code, done = draft.code, 0
    for match in _BY_TARGET.finditer(code):
        close = draft.brackets.close(match.end() - 1)
        if close is None or match.start() < done or code.startswith("#", code.rfind("\n", 0, match.start()) + 1):
            continue
        parts = _in_parentheses(draft, match.end(), close)
        for_host = "HOST" in code[match.start() : parts[0][0] if parts else close]
        device = parts[1:2] if for_host else parts[:1]
        if not device:
            draft.patch(match.start(), close + 1, "{}")
            done = close
            continue
        ((start, end),) = device
        draft.patch(match.start(), start + 1, "{")
        draft.patch(end, close + 1, "}")


TERMS = "AMREX_D_TERM"


def mask_terms(draft: Draft) -> None:
    """`AMREX_D_TERM(a, + b, + c)` as `(a + b + c)`: a term for each dimension of space, with its operator in front;
    statements, and brackets of them, one after the other.
    """
    code = draft.code
    for match in re.finditer(rf"\b{TERMS}\(", code):
        opening = match.end() - 1
        close = draft.brackets.close(opening)
        if close is None or code.startswith("#", code.rfind("\n", 0, match.start()) + 1):
            continue
        draft.patch(match.start(), opening)
        if not {";", "}"}.isdisjoint(code[opening:close]):
            draft.patch(opening, opening + 1)
            draft.patch(close, close + 1, ";")
        at = opening + 1
        while at < close:
            if code[at] == "(":
                at = draft.brackets.close(at) or close
            elif code[at] == ",":
                draft.patch(at, at + 1)
            at += 1


def _in_parentheses(draft: Draft, start: int, end: int) -> list[tuple[int, int]]:
    """The arguments between two offsets that parentheses enclose, by the offsets of these."""
    code, spans = draft.code, []
    while start < end:
        if code[start] == "(" and (close := draft.brackets.close(start)) is not None:
            spans.append((start, close))
            start = close
        comma = code.find(",", start, end) if not code[start].isspace() else start
        start = comma + 1 if comma >= 0 else end
    return spans
