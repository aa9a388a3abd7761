"""Smells that the text shows at a line and no rule reports there: the change that a rule would ask for, to be tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Call, Constant, Evaluate
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.cpp.typing_rules import types_within
from regpress_lint.facts.loop_groups import indexes_array
from regpress_lint.facts.math_functions import is_fp64_transcendental
from regpress_lint.lint.advice.advice_data import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.kernel import KernelFacts

_PRINTS = frozenset(("printf", "assert"))


def silent_smells(facts: KernelFacts, line: int) -> Iterator[Change]:
    """A change for each smell of a line, of a kernel and of the functions that it calls in its file."""
    for function in facts.functions:
        if function.path in ("", facts.file.path):
            yield from _literals(facts, function, line)
            yield from _calls(facts, function, line)
            yield from _prints(facts, function, line)
            yield from _pragmas(facts, function, line)


def _literals(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    edits: dict[Span, Edit] = {}
    for node in nodes_of(function):
        if isinstance(node, Constant) and node.kind == "double" and source.line_of(node.span.start) == line:
            text = source.text(node.span)
            if "." in text and not text.startswith("0x"):
                edits[node.span] = Edit(node.span, f"{text}f")
    if edits:
        texts = " and ".join(f"`{source.text(span)}`" for span in sorted(edits))
        yield Change("fix", f"{texts} with the suffix `f`", line, tuple(edits.values()), "", "RP202")


def _calls(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    """Functions of the library in double precision, in single."""
    if facts.kernel.has_work_items:  # a function follows the type of its argument
        return
    source, types = facts.file.source, types_within(function, facts.file.type_of)
    for node in nodes_of(function):
        if not isinstance(node, Call):
            continue
        if source.line_of(node.span.start) != line or not is_fp64_transcendental(node, types):
            continue
        if source.text(node.callee.span) == node.name:
            code = "RP201" if node.name == "pow" else "RP203"
            edit = Edit(node.callee.span, f"{node.name}f")
            yield Change("fix", f"`{node.name}f` for `{node.name}`", line, (edit,), "", code)


def _prints(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    for node in nodes_of(function):
        call = node.expression if isinstance(node, Evaluate) else None
        if isinstance(call, Call) and call.name in _PRINTS and source.line_of(node.span.start) == line:
            yield Change("fix", f"without `{call.name}`", line, (Edit(node.span, ";"),), "", "RP204")


def _pragmas(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    for loop in facts.loops_of(function):
        unroll = loop.loop.unroll
        if unroll is None or source.line_of(unroll.span.start) != line or indexes_array(facts, loop):
            continue
        whole = source.line_span(line)
        text = source.text(whole)
        start = whole.start + len(text) - len(text.lstrip())
        if text.lstrip().startswith("#"):
            edit = Edit(Span(start, whole.start + len(text.rstrip().encode())), "#pragma unroll 1")
            yield Change("fix", "`#pragma unroll 1`", line, (edit,), "", "RP501")


def kept_arrays(facts: KernelFacts, line: int) -> Iterator[tuple[str, str]]:
    """Arrays that are declared at a line, with what becomes of them: no change could gain anything."""
    source = facts.file.source
    for array in facts.arrays:
        if array.function.path not in ("", facts.file.path) or source.line_of(array.variable.span.start) != line:
            continue
        names = [name for name in facts.targets if not facts.array_for(name, array).dynamic]
        if names and not array.escapes and array.bytes:
            registers = -(-array.bytes // 4)
            room = ", ".join(f"{facts.target(name).budget} on {name}" for name in names)
            yield (
                f"private array `{array.variable.name}`",
                f"not reported: every index is a constant once the loops are unrolled, so that it can stay in "
                f"registers: {registers} of {room}",
            )
