"""Launch bounds: their arguments as they are written, what a cap does to an estimate, and HIP's second argument."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import KernelFacts, Severity, Span
from regpress_lint.cpp.syntax import Unknown
from regpress_lint.cpp.traversal import names_in, walk
from regpress_lint.targets.occupancy import register_cap
from regpress_rules._place import vendor_of
from regpress_rules._rewrite import macro_made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds
    from regpress_lint.core.source import Source
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.targets.occupancy import Architecture

LARGEST_BLOCK = 1024
# Kernels of HeCBench without bounds, compiled under caps of 64 to 128 (gfx90a) and 32 to 64 (sm_90): of those whose
# estimate is above these shares of the cap 16 of 20 and 63 of 66 spill more than under `(256)`; between the cap and
# these 30 of 78 do, and within a tenth below it 13 of 137.
SURELY = {"amd": 1.1, "nvidia": 1.25, "intel": 1.25}

_ATTRIBUTE = re.compile(r"__launch_bounds__\s*\(")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_VENDOR_TEST = re.compile(
    rb"\b(?:__HIP_PLATFORM_\w+|__HIP__|__HIPCC__|__AMDGCN__|__AMDGPU__|__CUDACC__|__NVCC__|__CUDA_ARCH__|\w*ROCM\w*"
    rb"|\w*(?:USE|ENABLE|WITH)_(?:HIP|CUDA)\w*)\b"
)
# Names that say that their author counts waves.
_OWN_UNIT = re.compile(r"EU\b|_EU_|EXECUTION_UNIT|WAVES|WARPS", re.IGNORECASE)


def shown(bounds: LaunchBounds) -> str:
    """The attribute as code."""
    return f"`__launch_bounds__({', '.join(bounds.texts)})`"


def settled(facts: KernelFacts) -> Iterator[tuple[KernelFacts, str]]:
    """The facts whose bounds are known: the kernel's, or those of its instantiations with their arguments."""
    bounds = facts.kernel.launch_bounds
    if bounds is None:
        return
    if bounds.max_threads is not None and (bounds.min_blocks is not None or len(bounds.texts) < 2):
        yield facts, ""
        return
    for instance, own in facts.instances.items():
        theirs = own.kernel.launch_bounds
        if theirs is not None and theirs.max_threads and (theirs.min_blocks is not None or len(theirs.texts) < 2):
            yield own, instance.arguments


def oversized(facts: KernelFacts) -> int | None:
    """The largest block that is launched, if all sizes are known and the bound is at least twice as large."""
    bounds = facts.kernel.launch_bounds
    if bounds is None or bounds.dims or not bounds.max_threads or not facts.kernel.launches:
        return None
    sizes = [launch.block_size for launch in facts.kernel.launches]
    known = [size for size in sizes if size is not None and size > 1]
    largest = max(known, default=0)
    return largest if len(known) == len(sizes) and bounds.max_threads >= 2 * largest else None


def spill_severity(facts: KernelFacts, target: TargetFacts, cap: int) -> Severity:
    """How sure it is that a kernel spills under a cap that nobody chose for it: a warning if so says the estimate, and
    not by a hair's breadth, or the whole band; information if it is only just above, or where assembly language makes
    the estimate unsure; else a hint.
    """
    if not target.crowded and cap >= _CROWDED:
        return Severity.HINT
    registers = target.registers
    if registers.estimate <= cap:
        return Severity.HINT
    sure = registers.estimate > SURELY[target.architecture.vendor] * cap or registers.low > cap
    return Severity.WARNING if sure and not has_assembly(facts) else Severity.INFO


def has_assembly(facts: KernelFacts) -> bool:
    """True if the kernel or a device function that it reaches holds `asm`: its values are not seen."""
    called = (facts.callee_of(site.call) for site in facts.calls)
    functions = dict.fromkeys((facts.kernel.function, *(each for each in called if each is not None)))
    return any(
        isinstance(node, Unknown) and node.kind == "gnu_asm_expression"
        for function in functions
        for node in walk(function.body)
    )


# A kernel that is not crowded has an estimate below that (see TargetFacts).
_CROWDED = 90


# ------------------------------------------------------------------------------------------------- text of the file


def argument_spans(facts: KernelFacts) -> tuple[Span, ...] | None:
    """Where the arguments stand in the linted file; None if a macro or another file wrote them."""
    kernel, source = facts.kernel, facts.file.source
    bounds = kernel.launch_bounds
    if bounds is None or bounds.required or kernel.path != source.path or macro_made(facts.file, kernel):
        return None
    text = source.text(bounds.span)
    opening = _ATTRIBUTE.match(text)
    if opening is None or not text.isascii() or not text.endswith(")"):
        return None
    spans: list[Span] = []
    position = opening.end()
    for argument in bounds.texts:
        start = text.find(argument, position)
        # Nothing but a comma and blanks may stand between: comments are kept by not touching them.
        if start < 0 or text[position:start].strip(", \t\r\n"):
            return None
        position = start + len(argument)
        spans.append(Span(bounds.span.start + start, bounds.span.start + position))
    return None if text[position:-1].strip() else tuple(spans)


def for_one_vendor(source: Source, offset: int) -> bool:
    """True for a place under an `#if` that asks for a vendor's compiler or platform, and that holds no code before it:
    many a file stands under one as a whole.
    """
    open_: list[tuple[int, bytes]] = []
    for match in _DIRECTIVE.finditer(source.data, 0, offset):
        if match[1].startswith(b"if"):
            open_.append((match.end(), match[2]))
        elif match[1] == b"endif":
            del open_[-1:]
        elif open_:  # what `#else` stands for is in the tests before it
            start, test = open_[-1]
            open_[-1] = (start, test + match[2])
    return any(_VENDOR_TEST.search(test) and b"{" not in source.data[start:offset] for start, test in open_)


def defined_twice(source: Source, text: str) -> bool:
    """True if a name in a text is a macro with several definitions: which one holds, the build decides."""
    return any(
        len(re.findall(rb"^[ \t]*#[ \t]*define[ \t]+" + name.encode() + rb"\b", source.data, re.MULTILINE)) > 1
        for name in re.findall(r"[A-Za-z_]\w*", text)
    )


# ------------------------------------------------------------------------------------------------ the second argument


class Misread(NamedTuple):
    """A second argument that looks like CUDA's blocks per multiprocessor, on an AMD target.

    waves: what it asks HIP for, None where the source does not settle it. meant: waves per SIMD that CUDA's meaning
    would be. dropped: more than there are, so that clang does not listen.
    """

    severity: Severity
    waves: int | None
    meant: int | None
    dropped: bool
    cap: int
    meant_cap: int


def misread(facts: KernelFacts, name: str) -> Misread | None:
    """What HIP makes of a second argument that was written for CUDA; None where it is not one, or the same in both."""
    bounds = facts.kernel.launch_bounds
    if bounds is None or bounds.required or len(bounds.texts) != 2 or vendor_of(name) != "amd":
        return None
    if _own_unit(facts, bounds):
        return None
    target = facts.target(name)
    arch, threads, waves = target.architecture, bounds.max_threads, bounds.min_blocks
    if not threads or not waves or threads < 1:
        return _unsettled(facts, bounds, target)
    unit = threads_of_one_wave_each(arch)
    meant = max(1, waves * threads // unit)
    if waves < 2 or meant == waves:
        return None
    cap, meant_cap = register_cap(arch, threads, waves), register_cap(arch, threads, min(meant, waves))
    dropped = waves > arch.max_waves_per_simd
    severity = Severity.HINT
    if not dropped and meant_cap > cap:
        severity = spill_severity(facts, target, cap)
    return Misread(severity, waves, meant, dropped, cap, meant_cap)


def threads_of_one_wave_each(arch: Architecture) -> int:
    """Threads that put one wave on every SIMD of a unit: with blocks of that size both meanings agree."""
    return arch.default_wave_size * arch.modes[-1].simds


def _unsettled(facts: KernelFacts, bounds: LaunchBounds, target: TargetFacts) -> Misread | None:
    """An argument worked out from the block size, of a template for instance: CUDA's threads per multiprocessor."""
    if not _of_block_size(facts, bounds):
        return None
    arch = target.architecture
    least = register_cap(arch, None, arch.max_waves_per_simd)
    severity = min(spill_severity(facts, target, least), Severity.INFO)
    return Misread(severity, None, None, False, least, register_cap(arch))


def _of_block_size(facts: KernelFacts, bounds: LaunchBounds) -> bool:
    first, second = (facts.file.expression(text) for text in bounds.texts)
    if first is None or second is None or "/" not in bounds.texts[1]:
        return False
    names = {name.name for name in names_in(first)}
    return any(name.name in names for name in names_in(second))


def _own_unit(facts: KernelFacts, bounds: LaunchBounds) -> bool:
    """True if the author meant HIP: names that count waves, or an `#if` for the vendor around the bounds or around the
    macro that is their second argument.
    """
    text, source = bounds.texts[1], facts.file.source
    if _OWN_UNIT.search(text):
        return True
    if facts.kernel.path != source.path:
        return False
    if for_one_vendor(source, bounds.span.start):
        return True
    if not text.isidentifier():
        return False
    define = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+" + text.encode() + rb"\b", re.MULTILINE)
    return any(for_one_vendor(source, match.start()) for match in define.finditer(source.data))
