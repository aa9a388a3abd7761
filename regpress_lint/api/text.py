"""How findings write numbers and name things, and what stands in the text of the linted file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.source import Source, Span
from regpress_lint.targets.gpu import gpu

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import File, Kernel
    from regpress_lint.targets.occupancy import Architecture, Occupancy

__all__ = [
    "Source",
    "Span",
    "count",
    "in_macro",
    "inside_condition",
    "limiter_names",
    "listing",
    "macro_made",
    "one_line",
    "sub_group",
    "waves",
]

_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(if(?:n?def)?|el(?:se|if(?:n?def)?)|endif)\b([^\n]*)", re.MULTILINE)

_LIMITERS = {
    "waves": "the block size",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}


def count(number: float, noun: str) -> str:
    """`1 byte`, `2 bytes`, `1,024 bytes`, `1.25 waves`."""
    shown = f"{int(number):,}" if number == int(number) else f"{number:g}"
    return f"{shown} {noun}" + ("" if number == 1 else "s")


def listing(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def waves(occupancy: Occupancy) -> str:
    """Waves per SIMD as people write them: `1 wave`, `2.5 waves`."""
    return count(occupancy.waves / occupancy.simds, "wave")  # not `waves_per_simd`: fractions take 2 ms to import


def sub_group(facts: KernelFacts, arch: Architecture) -> str:
    """The sub-group size that decides on Intel, and whether the kernel asks for it; nothing for the other vendors."""
    if not gpu(arch.name).is_intel:
        return ""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return f" at sub-group size {wanted}"
    return f" at sub-group size {arch.default_wave_size} (assumed)"


def limiter_names(occupancy: Occupancy, *, without: str = "") -> list[str]:
    """What holds the waves down, in words, `without` one limiter."""
    return [_LIMITERS[name] for name in occupancy.limiters if name != without]


# ----------------------------------------------------------------------------------------------- text of the file


def one_line(source: Source, span: Span) -> str:
    """Source text with all its blanks and line breaks made one blank each."""
    return " ".join(source.text(span).split())


def macro_made(file: File, kernel: Kernel) -> bool:
    """True if the kernel's name is not written where the model says: a macro wrote it."""
    return file.source.text(kernel.name_span) != kernel.name


def in_macro(file: File, span: Span) -> bool:
    """True if a line of `span` goes on behind a backslash: it is the body of a macro."""
    data = file.source.data
    end = data.find(b"\n", span.end)
    lines = data[data.rfind(b"\n", 0, span.start) + 1 : end if end >= 0 else len(data)].split(b"\n")
    return any(line.rstrip().endswith(b"\\") for line in lines)


def inside_condition(source: Source, offset: int, name: str) -> bool:
    """True if a byte offset stands inside an `#if` group, one of whose directives so far mentions a macro's name."""
    word = re.compile(rb"\b" + name.encode() + rb"\b")
    groups: list[bool] = []
    for match in _CONDITION.finditer(source.data, 0, offset):
        kind, mentions = match[1], word.search(match[2]) is not None
        if kind.startswith(b"if"):
            groups.append(mentions)
        elif groups and kind == b"endif":
            groups.pop()
        elif groups:
            groups[-1] |= mentions
    return any(groups)
