"""Choose the reader of an input by its content, never by its file name.

The JSON that `measure` writes, read again: rows, or an error for any other document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.errors import UsageError
from regpress_lint.core.measured import NUMBERS, Row
from regpress_lint.measured import amd, binary_places, clang_remarks, intel, nvidia
from regpress_lint.measured.bundles import BUNDLE, COMPRESSED, FAT, PACKAGE, device_binaries
from regpress_lint.measured.dwarf import Effort
from regpress_lint.measured.elf import MACHINE_AMDGPU, MACHINE_CUDA, MAGIC, ElfError
from regpress_lint.measured.rows import Reading, reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.measured.bundles import Found
    from regpress_lint.measured.elf import Elf


_WORDS = ("target", "compiler", "version", "path", "unit")
_LARGEST = 1 << 40


def is_document(data: bytes) -> bool:
    """Whether this is JSON rather than a log or an object."""
    return data[:64].lstrip().startswith(b"{")


def rows_of(data: bytes, name: str) -> tuple[Row, ...]:
    """Rows of a document. Raises UsageError with one line for the user."""
    import json

    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UsageError(f'"{name}" is of version {content["version"]!r}, this program reads version 1')
        return tuple(_row(instance) for kernel in content["kernels"] for instance in kernel["instances"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f'"{name}" was not written by `regpress-lint measure --output-format json`') from None


def _row(fields: dict[str, Any]) -> Row:
    symbol = fields["symbol"]
    if not isinstance(symbol, str):
        raise TypeError
    values: dict[str, Any] = {name: _number(fields.get(name)) for name in (*NUMBERS, "line")}
    values |= {name: _word(fields.get(name)) for name in _WORDS}
    return Row(symbol, **values, origin="+".join(map(str, fields["origin"])), inputs=tuple(map(str, fields["inputs"])))


def _number(value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST):
        return value
    raise TypeError


def _word(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise TypeError


ARCHIVE = b"!<arch>\n"
_ARCHIVE_HEADER = 60
_CUOBJDUMP = "\nResource usage:\n"
_STARTS = (MAGIC, BUNDLE, COMPRESSED, FAT, PACKAGE)


def is_object(data: bytes) -> bool:
    """Whether this is a binary that may hold device code."""
    return data.startswith((*_STARTS, ARCHIVE))


def read(data: bytes, name: str, targets: Sequence[str] = ()) -> Reading:
    """Rows of a file, and what could not be read of it. targets: the user's GPUs, for what names none."""
    took = _objects(data, name, targets) if is_object(data) else _text(data.decode("utf-8", "replace"), name, targets)
    return took if took.rows or took.problems else Reading((), (f"{name}: no kernel in it",))


def _text(text: str, name: str, targets: Sequence[str]) -> Reading:
    parts = []
    if amd.MARK in text:
        parts.append(amd.read_assembly(text, name))
    if clang_remarks.MARK in text:
        parts.append(clang_remarks.read(text, name, _of_vendor(targets, "amd")))
    if any(mark in text for mark in nvidia.MARKS):
        parts.append(nvidia.read_log(text, name))
    if intel.MARK in text:
        parts.append(intel.read_log(text, name, _of_vendor(targets, "intel")))
    if not parts and _CUOBJDUMP in text:  # it adds what the system keeps of shared memory, or not
        return Reading((), (f"{name}: what cuobjdump prints; give the object itself, which says more",))
    if not parts:
        return Reading((), (f"{name}: neither a log of a GPU compiler nor an object with device code",))
    return _together(parts)


def _of_vendor(targets: Sequence[str], vendor: str) -> list[str]:
    from regpress_lint.targets.occupancy import architecture, is_known

    return [target for target in targets if is_known(target) and architecture(target).vendor == vendor]


def _objects(data: bytes, name: str, targets: Sequence[str]) -> Reading:
    parts = []
    effort = Effort()
    for member, content in _members(data, name):
        parts += [_object(binary, member, targets, effort) for binary in device_binaries(content)]
    if not parts:
        return Reading((), (f"{name}: no device code in it",))
    return _together(parts)


def _object(binary: Found, name: str, targets: Sequence[str], effort: Effort) -> Reading:
    if binary.elf is None:
        return Reading((), (f"{name}: {binary.problem}",))
    try:
        return _rows(binary.elf, name, targets, effort)
    except ElfError as error:
        return Reading((), (f"{name}: {error}",))


def _rows(elf: Elf, name: str, targets: Sequence[str], effort: Effort) -> Reading:

    if elf.machine == MACHINE_AMDGPU:
        return binary_places.placed(amd.read_object(elf, name), elf, name, effort, binary_places.of_code_object)
    if elf.machine == MACHINE_CUDA:
        return binary_places.placed(nvidia.read_cubin(elf, name), elf, name, effort, binary_places.of_cubin)
    ours = _of_vendor(targets, "intel")
    return intel.read_zebin(elf, name, ours[0] if len(ours) == 1 else None)


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
