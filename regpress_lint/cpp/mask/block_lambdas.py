"""Kernels whose body is an argument of a macro: `FOR_3D(box, i, j, k, { ... })` becomes `FOR_3D([](i, j, k) { ... })`.

The expansion shows this: a lambda with a word of the device, and the macro's last argument as its body. The
names of the lambda's parameters stay where they are; their types are in the masked item (`Masked.items`, kind `block`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import before, skip_space
from regpress_lint.cpp.preprocess.macros import expand_macro, substitute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.mask.draft import Draft
    from regpress_lint.cpp.preprocess.macros import Macro, MacroTable

KIND = "block"
_BODY = "{}"
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
    given = tuple(draft.source[a:b].strip() for a, b in arguments[:-1])
    found = next(filter(None, map(_LAMBDA.search, _stands_for(macro, (*given, _BODY), table))), None)
    names = _names(found["parameters"]) if found is not None else ()
    if found is None or not names or names != given[-len(names) :]:
        return False
    first = skip_space(code, arguments[-1 - len(names)][0])
    line = code.find("\n", start)
    room = min(first, line if line >= 0 else first) - start - len(_HEAD)
    if room < 1:
        return False
    word = macro.name if len(macro.name) <= room else "f"
    comma = arguments[-2][1]
    draft.note(start + len(word) + 1, comma, KIND, found[0].removesuffix(_BODY))
    draft.patch(start, first, word + _HEAD)
    draft.patch(comma, comma + 1, ")")
    draft.blocks.add(block)
    _end(draft, close)
    return True


def _stands_for(macro: Macro, given: tuple[str, ...], table: MacroTable) -> Iterator[str]:
    """The expansion of an invocation: by each definition as it is written, then with all macros in it replaced."""
    definitions = table.all(macro.name)
    yield from (substitute(each, given) for each in definitions)
    yield from (expand_macro(each, given, table) for each in definitions)


def _names(parameters: str) -> tuple[str, ...]:
    found = (_NAME.search(each.strip()) for each in parameters.split(","))
    return tuple(match[0] for match in found if match is not None)


def _end(draft: Draft, close: int) -> None:
    """Put the `;` that a macro may stand without into a blank behind it."""
    after = skip_space(draft.code, close + 1)
    if draft.code[after : after + 1] in (";", ""):
        return
    blank = next((at for at in range(close + 1, after) if draft.source[at] in " \t"), None)
    if blank is not None:
        draft.patch(blank, blank + 1, ";")
