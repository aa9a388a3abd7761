"""The preprocessor's effect at a place of the linted file: conditions around it, macros that wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.core.source import Source, Span
    from regpress_lint.program.expansions import Expansion as Expansion
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel

_CONDITION = pattern(rb"^[ \t]*#[ \t]*(if(?:n?def)?|el(?:se|if(?:n?def)?)|endif)\b([^\n]*)", re.MULTILINE)
_ARCHITECTURE_TEST = pattern(rb"\b(?:__CUDA_ARCH__|__gfx\w+__|\w*(?:SM|ARCH)_?\d+\w*|\w*_ARCH_\w+)")
_VENDOR_TEST = pattern(
    rb"\b(?:__HIP_PLATFORM_\w+|__HIP__|__HIPCC__|__AMDGCN__|__AMDGPU__|__CUDACC__|__NVCC__|__CUDA_ARCH__|\w*ROCM\w*"
    rb"|\w*(?:USE|ENABLE|WITH)_(?:HIP|CUDA)\w*)\b"
)


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
    """Whether a byte offset is inside an `#if` group that mentions a macro's name in a directive before it."""
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


def refuses(source: Source, offset: int) -> bool:
    """True for a place in the `#else` of a test of the GPU's architecture: code for other GPUs."""
    groups: list[tuple[bool, bool]] = []  # whether a directive so far asks for it, and whether the last is the `#else`
    for match in _CONDITION.finditer(source.data, 0, offset):
        kind, asks = match[1], _ARCHITECTURE_TEST.search(match[2]) is not None
        if kind.startswith(b"if"):
            groups.append((asks, False))
        elif groups and kind == b"endif":
            groups.pop()
        elif groups:
            groups[-1] = groups[-1][0] or asks, kind == b"else"
    return any(asks and in_else for asks, in_else in groups)


def for_one_vendor(source: Source, offset: int) -> bool:
    """Whether a place is under an `#if` for a vendor's compiler or platform that has no code before it: many files are
    entirely under one.
    """
    open_: list[tuple[int, bytes]] = []
    for match in _CONDITION.finditer(source.data, 0, offset):
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
