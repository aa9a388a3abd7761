"""Choose the reader of an input by its content, never by its file name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.measured import amd_assembly, clang_remarks, igc, ptxas
from regpress_lint.measured.bundles import BUNDLE, COMPRESSED, FAT, PACKAGE, device_binaries
from regpress_lint.measured.dwarf import Effort
from regpress_lint.measured.elf import MACHINE_AMDGPU, MACHINE_CUDA, MAGIC, ElfError
from regpress_lint.measured.rows import Reading, reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.measured import Row
    from regpress_lint.measured.bundles import Found
    from regpress_lint.measured.elf import Elf

ARCHIVE = b"!<arch>\n"
_ARCHIVE_HEADER = 60
_CUOBJDUMP = "\nResource usage:\n"
_STARTS = (MAGIC, BUNDLE, COMPRESSED, FAT, PACKAGE)


def is_object(data: bytes) -> bool:
    """Whether this is a binary that may hold device code."""
    return data.startswith((*_STARTS, ARCHIVE))


def read(data: bytes, name: str, targets: Sequence[str] = ()) -> Reading:
    """Rows of a file, and what could not be read of it. targets: the user's GPUs, for what names none."""
    found = _objects(data, name, targets) if is_object(data) else _text(data.decode("utf-8", "replace"), name, targets)
    return found if found.rows or found.problems else Reading((), (f"{name}: no kernel in it",))


def _text(text: str, name: str, targets: Sequence[str]) -> Reading:
    parts = []
    if amd_assembly.MARK in text:
        parts.append(amd_assembly.read(text, name))
    if clang_remarks.MARK in text:
        parts.append(clang_remarks.read(text, name, _of_vendor(targets, "amd")))
    if any(mark in text for mark in ptxas.MARKS):
        parts.append(ptxas.read(text, name))
    if igc.MARK in text:
        parts.append(igc.read(text, name, _of_vendor(targets, "intel")))
    if not parts and _CUOBJDUMP in text:  # it adds what the system keeps of shared memory, or not
        return Reading((), (f"{name}: what cuobjdump prints; give the object itself, which says more",))
    if not parts:
        return Reading((), (f"{name}: neither a log of a GPU compiler nor an object with device code",))
    return _together(parts)


def _of_vendor(targets: Sequence[str], vendor: str) -> list[str]:
    from regpress_lint.targets.occupancy import architecture, is_known

    return [each for each in targets if is_known(each) and architecture(each).vendor == vendor]


def _objects(data: bytes, name: str, targets: Sequence[str]) -> Reading:
    parts = []
    effort = Effort()
    for member, content in _members(data, name):
        parts += [_object(found, member, targets, effort) for found in device_binaries(content)]
    if not parts:
        return Reading((), (f"{name}: no device code in it",))
    return _together(parts)


def _object(found: Found, name: str, targets: Sequence[str], effort: Effort) -> Reading:
    if found.elf is None:
        return Reading((), (f"{name}: {found.problem}",))
    try:
        return _rows(found.elf, name, targets, effort)
    except ElfError as error:
        return Reading((), (f"{name}: {error}",))


def _rows(elf: Elf, name: str, targets: Sequence[str], effort: Effort) -> Reading:
    from regpress_lint.measured import amd_objects, binary_places, cuda_objects, zebin

    if elf.machine == MACHINE_AMDGPU:
        return binary_places.placed(amd_objects.read(elf, name), elf, name, effort, binary_places.of_code_object)
    if elf.machine == MACHINE_CUDA:
        return binary_places.placed(cuda_objects.read(elf, name), elf, name, effort, binary_places.of_cubin)
    intel = _of_vendor(targets, "intel")
    return zebin.read(elf, name, intel[0] if len(intel) == 1 else None)


def _members(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """The file itself, or the members of a static library."""
    if not data.startswith(ARCHIVE):
        yield name, data
        return
    at = len(ARCHIVE)
    while at + _ARCHIVE_HEADER <= len(data):
        size = data[at + 48 : at + 58].strip()
        if not size.isdigit() or data[at + 58 : at + 60] != b"`\n":
            return
        content = data[at + _ARCHIVE_HEADER : at + _ARCHIVE_HEADER + int(size)]
        if content.startswith(_STARTS):
            yield name, content
        at += _ARCHIVE_HEADER + int(size) + int(size) % 2


def _together(parts: Sequence[Reading]) -> Reading:
    rows: list[Row] = [row for part in parts for row in part.rows]
    return reading(rows, (line for part in parts for line in part.problems))
