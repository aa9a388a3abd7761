"""AMD's assembly (`-S`, `-save-temps`): the metadata at its end, and comments and debug information beside it.

MessagePack to Python values: as much as notes of AMD's code objects use, which is nearly all of it.

AMD's targets as compilers write them, and how many registers of the file two kinds of them take.

AMD's code objects (ELF): the notes with what every kernel takes.

File and line of functions in AMD's assembly: by `.loc` lines, and by the entries of debug information, which clang
prints with a comment beside every value.
"""

from __future__ import annotations

import os
import re
import struct
from typing import TYPE_CHECKING, Any

from regpress_lint.core.measured import Row
from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.dwarf import SPLIT
from regpress_lint.measured.elf import FUNCTION, Elf, ElfError
from regpress_lint.measured.rows import Reading, clang_version, reading, without_spills
from regpress_lint.targets.occupancy import KernelUse, architecture, is_known
from regpress_lint.targets.occupancy.amd import total_registers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_MOST_DEEP = 64
_FIXED = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_PLAIN = {0xC0: None, 0xC2: False, 0xC3: True}
# Lengths in 8, 16 or 32 bits.
_LENGTHS = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I",
            0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}  # fmt: skip


def unpacked(data: bytes) -> Any:
    """The first value. Raises ValueError if it is truncated, nested too deeply or of a kind that notes do not
    contain."""
    try:
        return _Reader(data).value(0)
    except struct.error:
        raise ValueError("MessagePack that is cut") from None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def value(self, depth: int) -> Any:
        if depth > _MOST_DEEP:
            raise ValueError("MessagePack that is nested too deeply")
        head = self._take(">B")
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 256
        if head < 0x90:
            return self._map(head & 15, depth)
        if head < 0xA0:
            return self._array(head & 15, depth)
        if head < 0xC0:
            return self._bytes(head & 31).decode("utf-8", "replace")
        if head in _PLAIN:
            return _PLAIN[head]
        if head in _FIXED:
            return self._take(_FIXED[head])
        if head not in _LENGTHS:
            raise ValueError(f"MessagePack of an unknown kind ({head:#x})")
        length = int(self._take(_LENGTHS[head]))
        if head <= 0xC6:
            return self._bytes(length)
        if head <= 0xDB:
            return self._bytes(length).decode("utf-8", "replace")
        return self._array(length, depth) if head <= 0xDD else self._map(length, depth)

    def _take(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return value

    def _bytes(self, length: int) -> bytes:
        self._fits(length)
        data = self._data[self._at : self._at + length]
        self._at += length
        return data

    def _array(self, length: int, depth: int) -> list[Any]:
        self._fits(length)
        return [self.value(depth + 1) for _ in range(length)]

    def _map(self, length: int, depth: int) -> dict[Any, Any]:
        self._fits(2 * length)
        table: dict[Any, Any] = {}
        for _ in range(length):
            key, value = self.value(depth + 1), self.value(depth + 1)
            if isinstance(key, str):  # a list cannot be a key, and notes have names alone
                table[key] = value
        return table

    def _fits(self, length: int) -> None:
        """Each element takes a byte at least: a length beyond the data is wrong, and no memory is set aside for it."""
        if length > len(self._data) - self._at:
            raise ValueError("MessagePack with a length beyond its end")


_GFX = re.compile(r"(?:\b|(?<=amd_gpu_))gfx[0-9a-f]{3,5}\b")
_LARGEST = 1 << 32


def canonical(name: str) -> str | None:
    """`gfx90a` of `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-` and the like; None where no GPU of AMD is named."""
    match = _GFX.search(name)
    if match is None:
        return None
    return architecture(match[0]).name if is_known(match[0]) else match[0]


def has_accumulators(target: str) -> bool | None:
    """Whether a target has accumulation registers; None if we do not know it."""
    return architecture(target).acc_regs != "none" if is_known(target) else None


def target_for(targets: Sequence[str], accumulators: bool) -> str | None:
    """The only one of these targets that has, or has not, accumulation registers."""
    fitting = [target for target in targets if has_accumulators(target) in (accumulators, None)]
    return fitting[0] if len(fitting) == 1 else None


def arranged(target: str | None, vgprs: int, agprs: int | None) -> int | None:
    """Registers of the file that both kinds take; None where the target would have to be known for that."""
    if not agprs:
        return vgprs
    if target is None or not is_known(target):
        return None
    return total_registers(architecture(target), KernelUse(vgprs=vgprs, agprs=agprs))


def row_of(kernel: Mapping[str, Any], target: str | None) -> Row | None:
    """The row of one entry of `amdhsa.kernels`; None for one without a name.

    On GPUs with one file for both kinds `.vgpr_count` is the whole of it, so that VGPRs alone are known only of a
    kernel without accumulation registers.
    """
    symbol = kernel.get(".name")
    if not isinstance(symbol, str) or not symbol:
        return None
    count = {key: _number(kernel.get(key)) for key in kernel if isinstance(key, str)}
    get = count.get
    vgprs, agprs = get(".vgpr_count"), get(".agpr_count")
    unified = target is not None and is_known(target) and architecture(target).acc_regs == "unified"
    registers = vgprs
    if agprs and vgprs is not None and not unified:
        registers = arranged(target, vgprs, agprs)
    scratch, spills = get(".private_segment_fixed_size"), get(".vgpr_spill_count")
    return Row(
        symbol,
        target,
        registers=registers,
        vgprs=None if agprs and unified else vgprs,
        agprs=agprs,
        sgprs=get(".sgpr_count"),
        spills=spills,
        sgpr_spills=get(".sgpr_spill_count"),
        scratch_bytes=scratch,
        unspilled_scratch_bytes=without_spills(scratch, spills),
        lds_bytes=get(".group_segment_fixed_size"),
        wave_size=get(".wavefront_size"),
        max_threads=get(".max_flat_workgroup_size"),
        compiler="clang",
    )


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST else None


_METADATA_NOTE = 32  # NT_AMDGPU_METADATA
_OWNER = b"AMDGPU"


def read_object(elf: Elf, name: str) -> Reading:
    """Rows of one code object."""
    rows: list[Row] = []
    problems: list[str] = []
    version = _version(elf)
    sizes = {symbol.name: symbol.size for symbol in elf.symbols() if symbol.kind == FUNCTION and symbol.size}
    has_kernels = False
    try:
        for owner, kind, content in elf.notes():
            if owner != _OWNER or kind != _METADATA_NOTE:
                continue
            has_kernels = True
            notes = unpacked(content)
            if not isinstance(notes, dict):
                raise ValueError("AMD's note is not a map")
            named = notes.get("amdhsa.target")
            target = canonical(named) if isinstance(named, str) else None
            kernels = notes.get("amdhsa.kernels")
            for kernel in kernels if isinstance(kernels, list) else ():
                row = row_of(kernel, target) if isinstance(kernel, dict) else None
                if row is None:
                    problems.append(f"{name}: an entry of AMD's note has no kernel's name")
                else:
                    code = sizes.get(row.symbol)
                    rows.append(row._replace(version=version, code_bytes=code, origin="code object", inputs=(name,)))
    except (ElfError, ValueError) as error:
        problems.append(f"{name}: {error}")
    if not has_kernels and not problems:
        problems.append(f"{name}: a code object without AMD's note")
    return reading(rows, problems)


def _version(elf: Elf) -> str | None:
    section = elf.section(".comment")
    return None if section is None else clang_version(elf.content(section).decode("utf-8", "replace"))


_FILE = re.compile(
    r"^[ \t]*\.file[ \t]+(\d{1,9})[ \t]+\"([^\"\n]{0,4096})\"(?:[ \t]+\"([^\"\n]{1,4096})\")?", re.MULTILINE
)
_BEGIN = re.compile(r"^\.Lfunc_begin(\d{1,9}):", re.MULTILINE)
_LOC = re.compile(r"^[ \t]*\.loc[ \t]+(\d{1,9})[ \t]+(\d{1,9})\b", re.MULTILINE)
# The place of the function itself stands before its prologue; later ones may be of what is inlined first.
_OWN = re.compile(
    r"^\.Lfunc_begin\d+:[^\n]*\n(?:[ \t]*\.(?:file|cfi_sections)[^\n]*\n)*" + _LOC.pattern[1:], re.MULTILINE
)
_ENTRIES = re.compile(r"^[ \t]*\.section[ \t]+\.debug_info\b[^\n]*\n(.*?)^[ \t]*\.section\b", re.MULTILINE | re.DOTALL)
_SPLIT = re.compile(r"^[ \t]*\.section[ \t]+\.debug_info\.dwo\b", re.MULTILINE)
_WORD = re.compile(
    r"^[ \t]*(?:\.\w+[ \t]+(\S+))?[ \t]*;(?: Abbrev \[\d+\] \w+:\w+)?"
    r" DW_(TAG_\w+|AT_(?:high_pc|decl_file|decl_line|call_file|call_line))[ \t]*$",
    re.MULTILINE,
)
_END_OF = re.compile(r"\.Lfunc_end(\d{1,9})-")
_NUMBER = re.compile(r"\d{1,9}")


class _Entry(NamedTuple):
    """The places in a function's entry: file and line of its definition, and those of the first call in it."""

    file: int | None = None
    line: int | None = None
    call_file: int | None = None
    call_line: int | None = None


class Places:
    """The places of an assembly file's functions. split: its entries go into another file, which numbers files from the
    start."""

    def __init__(self, text: str) -> None:
        named = _FILE.findall(text)  # a file's folder is left out where it is the working folder
        self._files = {int(number): os.path.join(folder, file) if file else folder for number, folder, file in named}
        self.split = _SPLIT.search(text) is not None
        section = None if self.split else _ENTRIES.search(text)
        self._entries = _entries(section[1]) if section is not None else None

    def of(self, body: str) -> tuple[str, int] | None:
        """File and line of the function with this body; None where nothing says them for sure."""
        function, begin = _OWN.search(body), _BEGIN.search(body)
        if function is not None:
            return self._place(int(function[1]), int(function[2]))
        if begin is None or self._entries is None:
            return None
        entry = self._entries.get(int(begin[1]), _Entry())
        if entry.line is not None:
            return self._place(entry.file, entry.line)
        if entry.call_line is not None:
            return self._place(entry.call_file, entry.call_line)
        lines = [(int(file), int(line)) for file, line in _LOC.findall(body)]
        return self._place(lines[0][0], min(line for file, line in lines if file == lines[0][0])) if lines else None

    def _place(self, file: int | None, line: int) -> tuple[str, int] | None:
        path = self._files.get(-1 if file is None else file)
        return None if path is None or line <= 0 else (os.path.normpath(path).replace("\\", "/"), line)


def _entries(text: str) -> dict[int, _Entry]:
    """Entries of functions by the number of their labels."""
    entries: dict[int, _Entry] = {}
    number, tag = -1, ""
    for value, word in _WORD.findall(text):
        if word.startswith("TAG_"):
            tag = word
            number = -1 if word == "TAG_subprogram" else number
        elif word == "AT_high_pc" and tag == "TAG_subprogram":
            end = _END_OF.match(value)
            number = int(end[1]) if end is not None else -1
            entries.setdefault(number, _Entry())
        elif number >= 0 and _NUMBER.fullmatch(value) is not None:
            field = _FIELDS.get((tag, word))
            if field is not None and getattr(entries[number], field) is None:
                entries[number] = entries[number]._replace(**{field: int(value)})
    return entries


_FIELDS = {
    ("TAG_subprogram", "AT_decl_file"): "file",
    ("TAG_subprogram", "AT_decl_line"): "line",
    ("TAG_inlined_subroutine", "AT_call_file"): "call_file",
    ("TAG_inlined_subroutine", "AT_call_line"): "call_line",
}


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


def read_assembly(text: str, name: str) -> Reading:
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
    if (sizes := _SIZES.search(body)) is not None:
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
