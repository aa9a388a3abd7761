"""RP103 launch-bounds-wrong-unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import argument_spans
from regpress_lint.api.targets import amd_targets
from regpress_lint.api.text import count
from regpress_rules.launch._bounds import Misread, misread, shown, threads_of_one_wave_each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds
    from regpress_lint.api.facts import TargetFacts
    from regpress_lint.api.text import Source

# What may stand in front of the bounds on the line where a declaration begins.
_HEAD = re.compile(r"\s*(?:(?:template\s*<[^<>]*>|__global__|static|inline|void|extern\s*\"C\"|extern)\s*)*$")
_ENDED = re.compile(r"[;{}]\s*$|^\s*(?://|#)|\*/\s*$|^\s*$")
_NEW_NAME = re.compile(r"[A-Za-z]\w*$")


class LaunchBoundsWrongUnit(Rule):
    """HIP reads the second argument of launch bounds as waves per SIMD, CUDA as blocks per multiprocessor."""

    code = "RP103"
    name = "launch-bounds-wrong-unit"
    vendors = ("amd",)
    needs = ("kernel.launch_bounds",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the bounds."""
        kernel = facts.kernel
        bounds = kernel.launch_bounds
        if bounds is None or len(bounds.texts) != 2:
            return
        by_target: dict[str, Misread] = {}
        for target in amd_targets(facts):
            reading = misread(facts, target)
            if reading is not None and (reading.severity > Severity.HINT or facts.wants_hints):
                by_target[target] = reading
        if not by_target:
            return
        severities = {target: reading.severity for target, reading in by_target.items()}
        worst = max(severities, key=lambda target: severities[target])
        where = place(facts, bounds.span, kernel.path, "the launch bounds")
        message = _message(kernel.name, bounds, facts.target(worst), by_target[worst])
        fix = _fix(facts, bounds, by_target[worst]) if where.here and severities[worst] > Severity.HINT else None
        help_ = _help(bounds, facts.target(worst), by_target[worst])
        yield Finding(where.span, message, severities, help_, where.notes, fix, kernel.name)


def _message(name: str, bounds: LaunchBounds, target: TargetFacts, misread: Misread) -> str:
    arch = target.architecture
    head = f"`{name}` has {shown(bounds)}: HIP reads "
    if misread.waves is None:
        return f"{head}`{bounds.texts[1]}` as waves per SIMD, and it looks like CUDA's blocks per multiprocessor"
    assert misread.meant is not None
    blocks = f"{count(misread.waves, 'block')} of {count(bounds.max_threads or 0, 'thread')}"
    meaning = f"{blocks}, CUDA's meaning, would be {misread.meant}"
    if misread.dropped:
        most = arch.max_waves_per_simd
        return f"{head}{misread.waves} as waves per SIMD, drops that ({arch.name} has {most}); {meaning}"
    text = f"{head}{misread.waves} as waves per SIMD, a cap of {misread.cap} VGPRs on {arch.name}"
    if misread.severity == Severity.HINT:
        return f"{text}; {meaning}"
    registers = target.registers
    return (
        f"{text}, the estimate is {registers.estimate} ({registers.low} to {registers.high}), and the rest spills; "
        f"{meaning}, a cap of {misread.meant_cap}"
    )


def _help(bounds: LaunchBounds, target: TargetFacts, misreading: Misread) -> str:
    unit = threads_of_one_wave_each(target.architecture)
    if misreading.meant is None:
        return f"write max(1, blocks * threads / {unit}) for AMD, under `#ifdef __HIP_PLATFORM_AMD__`"
    return (
        f"write {misreading.meant} (max(1, {misreading.waves} * {bounds.max_threads} / {unit})) for AMD, "
        "under `#ifdef __HIP_PLATFORM_AMD__`"
    )


# -------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, bounds: LaunchBounds, misread: Misread) -> Fix | None:
    spans, source, name = argument_spans(facts), facts.file.source, f"{facts.kernel.name.upper()}_MIN_BLOCKS"
    if spans is None or misread.meant is None or not _NEW_NAME.match(name) or name.encode() in source.data:
        return None
    parameters = {parameter.name for parameter in facts.kernel.function.template}
    if parameters & set(re.findall(r"\w+", " ".join(bounds.texts))):
        return None
    line = _declaration_line(source, bounds.span.start)
    if line is None:
        return None
    at = source.line_span(line).start
    end = "\r\n" if source.data[source.line_span(line).end :].startswith(b"\r") else "\n"
    lines = (
        "#ifdef __HIP_PLATFORM_AMD__",
        f"#define {name} {misread.meant}  // waves per SIMD",
        "#else",
        f"#define {name} {bounds.texts[1]}  // blocks per multiprocessor",
        "#endif",
    )
    block = "".join(f"{text}{end}" for text in lines)
    edits = (Edit(Span(at, at), block), Edit(spans[1], name))
    return Fix(f"ask AMD for {count(misread.meant, 'wave')} per SIMD", "costly", edits)


def _declaration_line(source: Source, offset: int) -> int | None:
    """Line on which the declaration around `offset` begins; None where the text does not make that plain."""
    line = source.line_of(offset)
    start = source.line_span(line).start
    if not _HEAD.match(source.data[start:offset].decode("utf-8", "replace")):
        return None
    while line > 1:
        above = source.line_text(line - 1)
        if _ENDED.search(above):
            # A line that ends in a backslash goes on: this one is inside a macro's body.
            return None if above.rstrip().endswith("\\") else line
        if not _HEAD.match(above):
            return None
        line -= 1
    return line
