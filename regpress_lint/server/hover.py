"""The hover text of a name: a kernel, one of its arrays or other values, or a launch.

Sentences of the server about a kernel: the numbers of `kernels` and `pressure`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.commands.kernels.output import limiters, short
from regpress_lint.commands.kernels.rows import occupancy_row
from regpress_lint.commands.pressure.data import facts_of
from regpress_lint.commands.pressure.lines import kernel_pressure, type_text
from regpress_lint.core.source import Span
from regpress_lint.render.terminal import count
from regpress_lint.server.open_texts import offset_of, range_of
from regpress_lint.targets.occupancy import architecture, occupancy
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.commands.kernels.rows import KernelRow, OccupancyRow, StepRow, TargetRow
    from regpress_lint.commands.pressure.lines import Value
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Kernel, Launch
    from regpress_lint.server.open_texts import Encoding
    from regpress_lint.server.workbench import Look, Services
    from regpress_lint.source.arrays import PrivateArray


def summary(row: KernelRow, target: TargetRow) -> str:
    """One line above a kernel: `gfx90a: 46 registers (38 to 61), 5 of 8 waves (registers); 6 at 80 registers`."""
    registers, now = target.registers, target.occupancy
    text = f"{target.name}: {registers.estimate} registers ({registers.low} to {registers.high}), {waves(now)}"
    if target.scratch_bytes:
        text += f", {target.scratch_bytes} bytes of scratch"
    if now.next is not None:
        text += f"; {step(now.next)}"
    return text + (", block size assumed" if row.block_size_from == "assumed" else "")


def waves(now: OccupancyRow) -> str:
    """`5 of 8 waves per SIMD (registers)`."""
    why = f" ({limiters(now.limiters)})" if now.limiters else ""
    return f"{short(now.waves_per_simd)} of {now.max_waves_per_simd} waves per SIMD{why}"


def step(step: StepRow) -> str:
    """`6 waves at 80 registers`."""
    named = {"lds_bytes": "bytes of LDS", "block_size": "threads per block", "sgprs": "SGPRs"}
    return f"{short(step.waves_per_simd)} at {step.value} {named.get(step.resource, step.resource)}"


_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


def hover(look: Look, services: Services, position: types.Position, encoding: Encoding) -> types.Hover | None:
    """The hover text of a position; None if the server has no information about it."""
    if look.analysis is None or not look.analysis.parsed:
        return None
    offset = offset_of(look.source, position, encoding)
    word = _word_at(look, offset)
    if word is None:
        return None
    name, span = word
    place = look.parsed.inside(offset)
    lines = look.analysis.attempt("describing a name", lambda: list(_described(look, services, name, place)))
    if not lines:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n".join(lines))
    return types.Hover(content, range_of(look.source, span, encoding))


def _word_at(look: Look, offset: int) -> tuple[str, Span] | None:
    line = look.source.line_span(look.source.line_of(offset))
    for match in _WORD.finditer(look.source.data, line.start, line.end):
        if match.start() <= offset <= match.end():
            return match[0].decode(), Span(match.start(), match.end())
    return None


def _described(look: Look, services: Services, name: str, offset: int) -> Iterator[str]:
    for kernel in look.kernels:
        head = kernel.name_span
        if kernel.path == look.text.path and head.start <= offset <= head.end:
            yield from _kernel(look, services, kernel)
            return
    assert look.analysis is not None
    for launch in look.analysis.file.launches:
        if launch.path == look.text.path and launch.span.start <= offset <= launch.span.end:
            if name == launch.kernel_name.rsplit("::", 1)[-1] or offset < _arguments(look, launch):
                yield from _launch(look, launch)
            return
    for kernel in look.kernels:
        facts = look.facts(kernel)
        if (variable := _variable(look, facts, name, offset)) is not None:
            yield from _named(look, facts, variable)
            return


# --------------------------------------------------------------------------------------------------------- kernels


def _kernel(look: Look, services: Services, kernel: Kernel) -> Iterator[str]:
    assert look.analysis is not None
    look.facts(kernel)
    for section in services.sections(look.analysis, kernel):
        yield f"**{_plain(section.heading)}** on {section.target} ({section.title})\n"
        yield from (f"- *{label}*: {sentence}" for label, sentence in facts_of(section))
        yield ""


# -------------------------------------------------------------------------------------------------------- launches


def _arguments(look: Look, launch: Launch) -> int:
    """Where the arguments of a launch begin: a name among them is none of the launch."""
    end = look.source.data.find(b">>>", launch.span.start, launch.span.end)
    return launch.span.end if end < 0 else end


def _launch(look: Look, launch: Launch) -> Iterator[str]:
    name = launch.kernel_name
    block = "not settled by the source" if launch.block_size is None else f"{launch.block_size} threads"
    dynamic = launch.dynamic_lds_bytes
    lds = "" if dynamic == 0 else f", dynamic LDS {'not settled' if dynamic is None else f'{dynamic} bytes'}"
    yield f"launch of **{_plain(name)}**: block of {block}{lds}\n"
    kernel = next((kernel for kernel in look.kernels if launch in kernel.launches), None)
    if kernel is None:
        yield "its kernel is not in this file"
        return
    facts = look.facts(kernel)
    launched, complete = facts.launch.lds_of(launch)
    for target in facts.targets:
        estimate = facts.target(target)
        size = launched + estimate.arrays_in_lds
        use = estimate.use(estimate.registers.estimate)
        use = use._replace(block_size=launch.block_size or use.block_size, lds_bytes=size)
        now = occupancy(estimate.architecture, use)
        if now.impossible:
            yield f"- {target}: the launch cannot work: {now.impossible}"
            continue
        row = occupancy_row(now, None)
        least = "" if complete else ", at least"
        yield (
            f"- {target}: {waves(row)}, {row.fraction:.0%} of a full unit, at {use.vgprs} registers and "
            f"{size} bytes of LDS{least}"
        )


# ---------------------------------------------------------------------------------------------- arrays and values


def _variable(look: Look, facts: KernelFacts, name: str, offset: int) -> Variable | None:
    """The variable of that name in the function at an offset, if the kernel reaches that function."""
    path = look.text.path
    for function in facts.source.functions:
        if function.path in ("", path) and function.span.start <= offset <= function.span.end:
            variables = (*function.parameters, *facts.flow_of(function).declared)
            before = [variable for variable in variables if variable.name == name and variable.span.start <= offset]
            return max(before, key=lambda variable: variable.span.start, default=None)
    return None


def _named(look: Look, facts: KernelFacts, variable: Variable) -> Iterator[str]:
    array = next((array for array in facts.arrays if array.variable is variable), None)
    if array is None and variable.dims and variable.storage != "shared":
        return
    type_ = type_text(variable, facts.source.environment)
    yield f"`{variable.name}`: {type_}, in kernel **{_plain(facts.kernel.name)}**\n"
    if variable.storage == "shared":
        yield "- shared by the threads of a block: LDS, no registers"
        return
    if array is not None:
        yield _width(look, array)
    for target in facts.targets:
        where = _place(facts.array_for(target, array), target, facts) if array is not None else ""
        values = _values(look, facts, target, variable)
        if texts := [text for text in (where, *values) if text]:
            yield f"- {target}: {'; '.join(texts)}"
        elif array is None:
            yield f"- {target}: in no register of its own (constant, or worked out where it is used)"


def _width(look: Look, array: PrivateArray) -> str:
    size = "size not visible" if array.bytes is None else f"{array.bytes} bytes per thread"
    registers = "" if array.bytes is None else f" = {-(-array.bytes // 4)} registers if it stays in them"
    lines = sorted(
        look.parsed.line_of(access.span.start)
        for access in array.accesses
        if access.function.path in ("", look.text.path)
    )
    used = f", used in lines {lines[0]} to {lines[-1]}" if lines else ", never used"
    return f"- {size}{registers}{used}"


def _place(array: PrivateArray, target: str, facts: KernelFacts) -> str:
    """Where an array goes on a target, and why."""
    vendor = gpu(target)
    if array.stays_in_registers(vendor.vendor):
        return "stays in registers"
    why = "its address is passed on" if array.escapes else ""
    if array.dynamic:
        line = next((facts.file.source.line_of(access.span.start) for access in array.dynamic), None)
        why = "an index is known at run time only" + (f" (line {line})" if line is not None else "")
    return f"goes to {vendor.private_memory}" + (f": {why}" if why else "")


def _values(look: Look, facts: KernelFacts, target: str, variable: Variable) -> Iterator[str]:
    """Registers that the variable takes where it takes most, and from where to where it lives."""
    assert look.analysis is not None
    typical = facts.typical(target)
    pressure = kernel_pressure(typical, target, look.parsed, look.analysis.source_of)
    parts: list[Value] = [value for value in pressure.values if value.name.partition(".")[0] == variable.name]
    if not parts:
        peak = typical.peak(architecture(target).name)
        held = [number for number in peak.sequence if (name := peak.name(number)) is not None and name[0] is variable]
        if widest := max(map(peak.width, held), default=0):  # it is not alive where a line is widest
            yield f"up to {count(widest, 'register')}, from one instruction to the next"
        return
    first, last = min(part.defined for part in parts), max(part.last_used for part in parts)
    most = max(parts, key=lambda part: part.registers)
    shared = " of a wave" if most.scalar else ""
    text = f"up to {count(most.registers, 'register')}{shared}, live from line {first} to {last}"
    through = next((part.through for part in parts if part.through is not None), None)
    yield text + (f", through the loop at line {through[0]} that does not use it" if through is not None else "")


def _plain(text: str) -> str:
    """A name that Markdown leaves alone."""
    return re.sub(r"([\\`*_<>\[\]])", r"\\\1", text)
