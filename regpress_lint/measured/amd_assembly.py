"""AMD's assembly (`-S`, `-save-temps`): the metadata at its end, and comments and debug information beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from regpress_lint.measured.amd_targets import arranged, canonical, row_of
from regpress_lint.measured.assembly_places import Places
from regpress_lint.measured.dwarf import SPLIT
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.measured.versions import clang_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.measured import Row

MARK = ".amdgpu_metadata"
_METADATA = re.compile(r"^[ \t]*\.amdgpu_metadata[ \t\r]*$", re.MULTILINE)
_END = re.compile(r"^[ \t]*\.end_amdgpu_metadata", re.MULTILINE)
_TARGET = re.compile(r"\.amdgcn_target\s+\"([^\"\n]{1,200})\"")
_KERNEL_KEY = re.compile(r"^  (?:- |  )(\.\w{1,40}):\s*(.*?)\s*$")
_SIZES = re.compile(
    r"^; Kernel info:\s*\n; codeLenInByte = (?P<code>\d{1,9})\s*\n; (?:Total)?NumSgprs: \d{1,9}\s*\n"
    r"; NumVgprs: (?P<vgprs>\d{1,9})",
    re.MULTILINE,
)
_FOLDED = re.compile(r"; (\d{1,4})-byte Folded (?:Spill|Reload)")
# A slot at a known place of the frame: no register but the frame's own is in its address.
_SLOT = re.compile(
    r"^[ \t]*(?:buffer_(?:store|load)_dword\w* \S+, off, s\[\d+:\d+\], 0|scratch_store_\w+ off, \S+, off|"
    r"scratch_load_\w+ \S+, off, off)(?: offset:(?P<offset>\d{1,9}))?\s*"
    r"; (?P<size>\d{1,4})-byte Folded (?:Spill|Reload)",
    re.MULTILINE,
)


def read(text: str, name: str) -> Reading:
    """Rows of an assembly file."""
    target = next((canonical(match[1]) for match in _TARGET.finditer(text)), None)
    version = clang_version(text)
    block = _METADATA.search(text)
    end = _END.search(text, block.end()) if block is not None else None
    if block is None or end is None:
        return Reading((), (f"{name}: the metadata of this assembly is cut",))
    bodies, places = _bodies(text[: block.start()]), Places(text)
    rows, problems = [], []
    for kernel in _kernels(text[block.end() : end.start()]):
        row = row_of(kernel, target)
        if row is None:
            problems.append(f"{name}: metadata without a kernel's name")
            continue
        row = _with_body(row, bodies.get(row.symbol, ""), places)
        rows.append(row._replace(version=version, origin="assembly", inputs=(name,)))
    if places.split:
        problems.append(f"{name}: debug information: {SPLIT}")
    return reading(rows, problems)


def _kernels(text: str) -> Iterator[dict[str, Any]]:
    """Entries of `amdhsa.kernels`: keys of an entry follow a dash or four blanks, nested ones are indented further."""
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


def _with_body(row: Row, body: str, places: Places) -> Row:
    sizes = _SIZES.search(body)
    if sizes is not None:
        vgprs = int(sizes["vgprs"])
        # Where a file holds both kinds, the metadata has their sum alone.
        fits = arranged(row.target, vgprs, row.agprs) in (row.registers, None)
        row = row._replace(code_bytes=int(sizes["code"]), vgprs=vgprs if row.vgprs is None and fits else row.vgprs)
    if row.spills and row.scratch_bytes is not None:
        row = row._replace(unspilled_scratch_bytes=_without_slots(row.scratch_bytes, body))
    place = places.of(body)
    return row if place is None else row._replace(path=place[0], line=place[1])


def _without_slots(scratch: int, body: str) -> int | None:
    """Scratch apart from the slots of spilled registers; None unless every slot's place is known."""
    slots = list(_SLOT.finditer(body))
    if not slots or len(slots) != len(_FOLDED.findall(body)):
        return None
    taken = {int(slot["offset"] or 0) + byte for slot in slots for byte in range(int(slot["size"]))}
    return scratch - len(taken) if len(taken) <= scratch else None
