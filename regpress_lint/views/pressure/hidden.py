"""What an op reads beyond what it names: variables in a macro's body, and the thread's id inside a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from regpress_lint.targets.costs import library_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.syntax import Call, Function, Variable
    from regpress_lint.source_level.flow import Flow, Op

# (name, path, byte offset of its use) -> names in the macro's expansion; empty for what is no macro
MacroWords: TypeAlias = "Callable[[str, str, int], frozenset[str]]"
_THREAD = frozenset(("threadIdx", "hipThreadIdx_x", "hipThreadIdx_y", "hipThreadIdx_z", "laneid", "laneId"))


# Functions that are not in view and whose result is as uniform as their arguments.
_PURE = frozenset(
    (
        *("min", "max", "abs", "clamp", "fma", "fmaf", "sqrt", "sqrtf", "rsqrt", "rsqrtf", "floor", "floorf", "ceil"),
        *("fabs", "fabsf", "fmin", "fminf", "fmax", "fmaxf", "round", "roundf", "trunc", "fmod", "fmodf", "sizeof"),
    )
)
_PURE_STARTS = ("make_", "__", "float", "double", "int", "uint", "half", "static_cast", "std::")


class Hidden(NamedTuple):
    """What one op reads unseen: variables, and whether something in it differs between the threads of a wave."""

    uses: int
    seed: bool


class Lookups(NamedTuple):
    """What this analysis asks of the kernel's facts and of the project; `known` keeps what it found of functions."""

    words: MacroWords
    callee_of: Callable[[Call], Function | None]
    flow_of: Callable[[Function], Flow]
    known: dict[Function, bool]


def hidden_reads(flow: Flow, lookups: Lookups) -> dict[int, Hidden]:
    """Hidden reads of ops, by the op's id; an op without any is left out."""
    by_name: dict[str, list[Variable]] = {}
    for variable in flow.bits:
        by_name.setdefault(variable.name, []).append(variable)
    found: dict[int, Hidden] = {}
    for block in flow.blocks:
        for op in block.ops:
            read = _reads(flow, op, lookups, by_name)
            if read.uses & ~op.uses or read.seed:
                found[id(op)] = read
    return found


def _reads(flow: Flow, op: Op, lookups: Lookups, by_name: dict[str, list[Variable]]) -> Hidden:
    uses, seed = 0, any(_varies(record.call, flow, lookups) for record in op.calls)
    for name in {*op.free, *(record.call.name for record in op.calls)}:
        for word in lookups.words(name, flow.function.path, op.span.start):
            seed = seed or word in _THREAD
            # Of several variables of that name the last one above.
            above = [v for v in by_name.get(word, ()) if v.span.start < op.span.start]
            if above:
                uses |= flow.bits[max(above, key=lambda v: v.span)]
    return Hidden(uses, seed)


def _varies(call: Call, flow: Flow, lookups: Lookups) -> bool:
    """Whether a call with the same arguments may give other threads of a wave another result."""
    target = lookups.callee_of(call)
    if target is None:
        known = call.name in _PURE or call.name.startswith(_PURE_STARTS) or library_key(call.name, None) is not None
        return not known and not lookups.words(call.name, flow.function.path, call.span.start)
    if target not in lookups.known:
        lookups.known[target] = False  # recursion ends here
        inner = lookups.flow_of(target)
        seeded = any(op.seed for block in inner.blocks for op in block.ops)
        lookups.known[target] = seeded or any(_varies(record.call, inner, lookups) for record in inner.calls)
    return lookups.known[target]
