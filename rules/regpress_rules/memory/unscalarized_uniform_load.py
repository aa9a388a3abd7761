"""RP604 unscalarized-uniform-load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.api.facts import WORD, Write, bytes_at_a_time, bytes_of, clobbers, writes
from regpress_lint.api.preprocessor import macro_made
from regpress_lint.api.report import place
from regpress_lint.api.targets import amd_targets, nvidia_targets
from regpress_lint.api.text import count, listing, one_line, pattern
from regpress_rules._scalar import saved_registers, scalar_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import MemoryAccess
    from regpress_lint.api.syntax import Variable

_WORTH = 32  # bytes; less was not seen to cost registers
# VGPRs of loads in flight. The estimate may have few of them: where it gains nothing by the fix, that says nothing. Of
# ten kernels that were compiled the most was 64; of two with 210 words one lost 8, and one none.
_MOST_SAVED = 64
_STAR = pattern(r"\*\s*(?:const\s+)?$")
_NOT_PLAIN = pattern(r"//|/\*|#|\\")


class UnscalarizedUniformLoad(Rule):
    """Loads that are the same for all threads, kept in vector registers because a store may change what they read."""

    code = "RP604"
    name = "unscalarized-uniform-load"
    vendors = ("amd",)
    needs = ("kernel.function.parameters", "kernel.function.captures")
    prices_fixes = True
    table_without_gain = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a pointer."""
        targets = amd_targets(facts)
        loads = _candidates(facts)
        if not loads:
            return
        stores = list(writes(facts))
        held: dict[Variable, list[MemoryAccess]] = {}
        sizes: dict[Variable, int] = {}
        for pointer, accesses in loads.items():
            if any(store.origin is pointer for store in stores):  # not for `__restrict__` to rule out
                continue
            clobbered = [load for load in accesses if any(clobbers(facts, store, load) for store in stores)]
            if not clobbered or bytes_of(facts, accesses) < _WORTH:  # how often loops are copied asks an execution
                continue
            if bytes_at_a_time(facts, clobbered, stores) < _WORTH:
                continue
            held[pointer] = [load for load in clobbered if _is_uniform(facts, load, targets)]
            size = bytes_at_a_time(facts, held[pointer], stores)
            if size >= _WORTH:
                sizes[pointer] = size
        if not sizes:
            return
        severities = {target: scalar_severity(facts, target, sum(sizes.values())) for target in targets}
        for pointer, size in sizes.items():
            yield _finding(facts, severities, pointer, held[pointer], size, stores)


def _candidates(facts: KernelFacts) -> dict[Variable, list[MemoryAccess]]:
    """Loads by the argument that they go through, as far as copies of loops may make enough of them; arguments without
    `__restrict__` only.
    """
    function = facts.kernel.function
    pointers = tuple(filter(_nameable, (*function.parameters, *function.captures)))
    if not pointers:
        return {}
    loads: dict[Variable, list[MemoryAccess]] = {}
    for access in facts.memory_of(function).accesses:
        origin = access.origin
        if access.kind == "read" and origin is not None and origin in pointers:
            type_ = access.type
            if type_ is not None and (type_.size or 0) >= WORD:
                loads.setdefault(origin, []).append(access)
    looped = {pointer for pointer, reads in loads.items() if any(load.loop >= 0 for load in reads)}
    return {name: reads for name, reads in loads.items() if name in looped or bytes_of(facts, reads) >= _WORTH}


def _is_uniform(facts: KernelFacts, load: MemoryAccess, targets: Sequence[str]) -> bool:
    """True if all threads of a wave read the same, on each target."""
    return all(facts.differs(load.expr, target) is False for target in targets)


def _nameable(parameter: Variable) -> bool:
    type_ = parameter.type
    return type_.pointers == 1 and not type_.restrict and not type_.pointee_volatile and not parameter.dims


# -------------------------------------------------------------------------------------------------------- report


def _finding(
    facts: KernelFacts,
    severities: Mapping[str, Severity],
    pointer: Variable,
    loads: Sequence[MemoryAccess],
    size: int,
    stores: Sequence[Write],
) -> Finding:
    first = loads[0]
    guilty = next(store for store in stores if clobbers(facts, store, first))
    where = place(facts, first.expr.span, facts.kernel.function.path, f"the loads through `{pointer.name}`")
    source = facts.file.source
    text = one_line(source, first.expr.span) if where.here else f"{pointer.name}[...]"
    what = "an atomic" if guilty.atomic else "a store"
    at = f" at line {source.line_of(guilty.span.start)}" if where.here else ""
    message = (
        f"`{text}` is the same for all threads, but {what}{at} may change it: {count(size, 'byte')} through "
        f"`{pointer.name}` are loaded into VGPRs instead of SGPRs"
    )
    cost = f"about {round(min(saved_registers(size), _MOST_SAVED))} VGPRs on {listing(severities)}"
    notes = list(where.notes)
    if where.here:
        notes.append(Note(guilty.span, f"{what} that may overlap what `{pointer.name}` points to"))
    help_ = (
        f"if nothing that the kernel writes overlaps it, add `{_word(facts)}` to `{pointer.name}`, and to this pointer "
        "only: on all of them it lets the compiler unroll and hoist more, which can cost registers"
    )
    if pointer.storage == "capture":
        help_ = (
            "if nothing that the kernel writes overlaps what it reads, give the kernel "
            f"`[[intel::kernel_args_restrict]]`, or read `{pointer.name}` into variables before the first store"
        )
    if nvidia_targets(facts) and any(load.loop >= 0 for load in loads):
        help_ += "; nvcc may then hold what it loads through a whole loop in registers"
    fix = _fix(facts, pointer) if where.here and pointer.storage == "parameter" else None
    return Finding(where.span, message, severities, help_, tuple(notes), fix, cost=cost)


def _word(facts: KernelFacts) -> str:
    return "restrict" if facts.kernel.language == "opencl" else "__restrict__"


def _fix(facts: KernelFacts, pointer: Variable) -> Fix | None:
    """`__restrict__` behind the star of the argument's declaration, if that is written out."""
    source = facts.file.source
    if source.text(pointer.span) != pointer.name or macro_made(facts.file, facts.kernel):
        return None
    head = source.text(Span(pointer.declaration.start, pointer.span.start))
    if not _STAR.search(head) or _NOT_PLAIN.search(head):
        return None
    start = pointer.span.start
    edit = Edit(Span(start, start), f"{_word(facts)} ")
    return Fix(f"add `{_word(facts)}` to `{pointer.name}`", "unsafe", (edit,))
