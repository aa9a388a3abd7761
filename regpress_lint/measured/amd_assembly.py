"""AMD's assembly (`-S`, `-save-temps`): the metadata at its end, and what comments and `.loc` lines say beside it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from regpress_lint.measured.amd import arranged, canonical, row_of
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.measured.versions import clang_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.measured import Row

MARK = ".amdgpu_metadata"
_METADATA = re.compile(
    r"^[ \t]*\.amdgpu_metadata\s*$(?P<text>.*?)^[ \t]*\.end_amdgpu_metadata", re.DOTALL | re.MULTILINE
)
_TARGET = re.compile(r"\.amdgcn_target\s+\"([^\"\n]{1,200})\"")
_KERNEL_KEY = re.compile(r"^  (?:- |  )(\.\w{1,40}):\s*(.*?)\s*$")
_SIZES = re.compile(
    r"^; Kernel info:\s*\n; codeLenInByte = (?P<code>\d{1,9})\s*\n; (?:Total)?NumSgprs: \d{1,9}\s*\n"
    r"; NumVgprs: (?P<vgprs>\d{1,9})",
    re.MULTILINE,
)
_FILE = re.compile(r"^\s*\.file\s+(\d{1,9})\s+\"([^\"\n]{0,4096})\"(?:\s+\"([^\"\n]{1,4096})\")?", re.MULTILINE)
# The place of the function itself stands before its prologue; later ones may be of what is inlined first.
_LOC = re.compile(
    r"^\.Lfunc_begin\d+:[^\n]*\n(?:[ \t]*\.(?:file|cfi_sections)[^\n]*\n)*[ \t]*\.loc\s+(\d{1,9})\s+(\d{1,9})\b",
    re.MULTILINE,
)
_FOLDED = re.compile(r"; (\d{1,4})-byte Folded (?:Spill|Reload)")
# A slot at a known place of the frame: no register but the frame's own is in its address.
_SLOT = re.compile(
    r"^\s*(?:buffer_(?:store|load)_dword\w* \S+, off, s\[\d+:\d+\], 0|scratch_store_\w+ off, \S+, off|"
    r"scratch_load_\w+ \S+, off, off)(?: offset:(?P<offset>\d{1,9}))?\s*"
    r"; (?P<size>\d{1,4})-byte Folded (?:Spill|Reload)",
    re.MULTILINE,
)


def read(text: str, name: str) -> Reading:
    """Rows of an assembly file."""
    target = next((canonical(match[1]) for match in _TARGET.finditer(text)), None)
    version = clang_version(text)
    named = _FILE.findall(text)  # a file's folder is left out where it is the working folder
    files = {int(number): os.path.join(folder, file) if file else folder for number, folder, file in named}
    block = _METADATA.search(text)
    if block is None:
        return Reading((), (f"{name}: the metadata of this assembly is cut",))
    bodies = _bodies(text[: block.start()])
    rows, problems = [], []
    for kernel in _kernels(block["text"]):
        row = row_of(kernel, target)
        if row is None:
            problems.append(f"{name}: metadata without a kernel's name")
            continue
        row = _with_body(row, bodies.get(row.symbol, ""), files)
        rows.append(row._replace(version=version, origin="assembly", inputs=(name,)))
    return reading(rows, problems)


def _kernels(text: str) -> Iterator[dict[str, Any]]:
    """Entries of `amdhsa.kernels`: keys of one stand behind a dash or four blanks, what is nested further right."""
    kernel: dict[str, Any] | None = None
    inside = False
    for line in text.splitlines():
        if not line.startswith(" ") and line.strip():
            inside = line.startswith("amdhsa.kernels:")
            if kernel:
                yield kernel
            kernel = None
        elif inside and (match := _KERNEL_KEY.match(line)) is not None:
            if line.startswith("  - "):
                if kernel:
                    yield kernel
                kernel = {}
            if kernel is not None:
                kernel[match[1]] = _value(match[2])
    if kernel:
        yield kernel


def _value(text: str) -> int | str:
    plain = text.strip("'\"")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 12 else plain


def _bodies(text: str) -> dict[str, str]:
    """The text from every function's label to the next function's: its instructions and the comments behind them."""
    starts = [
        (match.start(), match[1]) for match in re.finditer(r"^([A-Za-z_$][\w.$]*):\s*(?:;.*)?$", text, re.MULTILINE)
    ]
    ends = [start for start, _ in starts[1:]] + [len(text)]  # one too many where there is no label at all
    return {symbol: text[start:end] for (start, symbol), end in zip(starts, ends, strict=False)}


def _with_body(row: Row, body: str, files: dict[int, str]) -> Row:
    sizes = _SIZES.search(body)
    if sizes is not None:
        vgprs = int(sizes["vgprs"])
        # Where a file holds both kinds, the metadata has their sum alone.
        fits = arranged(row.target, vgprs, row.agprs) in (row.registers, None)
        row = row._replace(code_bytes=int(sizes["code"]), vgprs=vgprs if row.vgprs is None and fits else row.vgprs)
    if row.spills and row.scratch_bytes is not None:
        row = row._replace(unspilled_scratch_bytes=_without_slots(row.scratch_bytes, body))
    place = _LOC.search(body)
    if place is not None and int(place[1]) in files:
        row = row._replace(path=os.path.normpath(files[int(place[1])]).replace("\\", "/"), line=int(place[2]))
    return row


def _without_slots(scratch: int, body: str) -> int | None:
    """Scratch apart from the slots of spilled registers; None unless every slot's place is known."""
    slots = list(_SLOT.finditer(body))
    if not slots or len(slots) != len(_FOLDED.findall(body)):
        return None
    taken = {int(slot["offset"] or 0) + byte for slot in slots for byte in range(int(slot["size"]))}
    return scratch - len(taken) if len(taken) <= scratch else None
