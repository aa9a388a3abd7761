"""One branch of every `#if`: what a file looks like when its alternatives are not all read at once."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Container

    from regpress_lint.cpp.lexical import Directive, Lexed

_OPEN = frozenset(("if", "ifdef", "ifndef"))
_NEXT = frozenset(("elif", "elifdef", "elifndef", "else"))
# Names that are taken as defined: the file is read as C++ by a GPU compiler.
_DEFINED = r"(?:__cplusplus|__CUDACC__|__HIPCC__|__HIP__|__CUDA__|SYCL_LANGUAGE_VERSION)"
_FALSE = pattern(rf"#\s*(?:if\s+0|if\s+!\s*defined\s*\(?\s*{_DEFINED}\s*\)?|ifndef\s+{_DEFINED})\s*", re.ASCII)
_TRUE = pattern(rf"#\s*(?:(?:el)?if\s+1|if\s+defined\s*\(?\s*{_DEFINED}\s*\)?|ifdef\s+{_DEFINED})\s*", re.ASCII)


_DEFINED_NAME = r"defined\s*\(?\s*\w+\s*\)?"
_ASKS = pattern(rf"#\s*if(?:def\s+\w+|\s+{_DEFINED_NAME}(?:\s*\|\|\s*{_DEFINED_NAME})*)\s*", re.ASCII)
_KERNEL_WORDS = ("__global__", "__device__", "<<<", "KOKKOS_", "AMREX_", "RAJA", "ALPAKA_FN_ACC")
_ASKED = pattern(r"(?:ifdef\s+|defined\s*\(?\s*)(\w+)", re.ASCII)


def _verdict(bare: str, directive: Directive) -> bool | None:
    text = bare[directive.start : directive.end]
    if _FALSE.fullmatch(text):
        return False
    return True if _TRUE.fullmatch(text) else None


def _is_left_out(lexed: Lexed, parts: list[Directive], known: Container[str]) -> bool:
    """True for `#ifdef DEBUG` without an `#else`, of an undefined name, around a part of a function: printing
    that is switched off. Definitions are read whatever they stand under.
    """
    if len(parts) != 2:
        return False
    text = lexed.bare[parts[0].start : parts[0].end]
    names = _ASKED.findall(text) if _ASKS.fullmatch(text) else []
    if not names or any(name in known or name.startswith("_") for name in names):
        return False
    inside = lexed.code[parts[0].end : parts[1].start]
    if any(word in inside for word in _KERNEL_WORDS):
        return False
    return inside.count("{") == inside.count("}")


def _conditionals(lexed: Lexed) -> tuple[list[list[Directive]], list[list[Directive]]]:
    """Directives of each conditional from its `#if` to its `#endif`, inner ones first, and of those without an end."""
    closed: list[list[Directive]] = []
    stack: list[list[Directive]] = []
    for directive in lexed.directives:
        if directive.name in _OPEN:
            stack.append([directive])
        elif directive.name in _NEXT and stack:
            stack[-1].append(directive)
        elif directive.name == "endif" and stack:
            closed.append([*stack.pop(), directive])
    return closed, stack


def hidden_ranges(lexed: Lexed, last: bool, known: Container[str] = ()) -> list[tuple[int, int]]:
    """Ranges to blank so that each conditional keeps one branch: its first, or with `last` its last, unless the
    condition is known; `known` are the defined macros.

    The directive lines of the conditionals themselves are in the ranges, which are sorted and do not overlap.
    """
    ranges: list[tuple[int, int]] = []
    closed, open_ones = _conditionals(lexed)
    for parts in closed:
        if _is_left_out(lexed, parts, known):
            ranges.append((parts[0].start, parts[1].end))
        else:
            ranges += _hidden_of(lexed.bare, parts, last)
    for unfinished in open_ones:
        ranges += [(directive.start, directive.end) for directive in unfinished]
    return _merged(ranges)


def never_compiled(lexed: Lexed) -> list[tuple[int, int]]:
    """Ranges of branches that no build compiles: under `#if 0`, or behind a branch whose condition always holds."""
    ranges: list[tuple[int, int]] = []
    for parts in _conditionals(lexed)[0]:
        chosen = False
        for part, after in pairwise(parts):
            verdict = _verdict(lexed.bare, part)
            if chosen or verdict is False:
                ranges.append((part.start, after.start))
            chosen = chosen or verdict is True
    return _merged(ranges)


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same ground without overlaps: deep nests would otherwise be blanked once for each level."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _hidden_of(bare: str, parts: list[Directive], last: bool) -> list[tuple[int, int]]:
    """Hidden ranges of one conditional; `parts` are its directives from `#if` to `#endif`."""
    branches = range(len(parts) - 1)
    verdicts = [_verdict(bare, parts[i]) for i in branches]
    certain = next((i for i in branches if verdicts[i] is True), None)
    open_ones = [i for i in branches if verdicts[i] is not False]
    chosen = certain if certain is not None else (open_ones[-1 if last else 0] if open_ones else None)
    hidden = [(parts[i].start, parts[i].end) for i in (*branches, len(parts) - 1)]
    hidden += [(parts[i].start, parts[i + 1].end) for i in branches if i != chosen]
    return hidden
