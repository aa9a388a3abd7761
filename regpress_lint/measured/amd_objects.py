"""AMD's code objects (ELF): the notes with what every kernel takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.measured.amd_targets import canonical, row_of
from regpress_lint.measured.elf import FUNCTION, Elf, ElfError
from regpress_lint.measured.msgpack import unpacked
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.measured.versions import clang_version

if TYPE_CHECKING:
    from regpress_lint.core.measured import Row

_METADATA = 32  # NT_AMDGPU_METADATA
_OWNER = b"AMDGPU"


def read(elf: Elf, name: str) -> Reading:
    """Rows of one code object."""
    rows: list[Row] = []
    problems: list[str] = []
    version = _version(elf)
    sizes = {symbol.name: symbol.size for symbol in elf.symbols() if symbol.kind == FUNCTION and symbol.size}
    found = False
    try:
        for owner, kind, content in elf.notes():
            if owner != _OWNER or kind != _METADATA:
                continue
            found = True
            notes = unpacked(content)
            if not isinstance(notes, dict):
                raise ValueError("AMD's note is no map")
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
    if not found and not problems:
        problems.append(f"{name}: a code object without AMD's note")
    return reading(rows, problems)


def _version(elf: Elf) -> str | None:
    section = elf.section(".comment")
    return None if section is None else clang_version(elf.content(section).decode("utf-8", "replace"))
