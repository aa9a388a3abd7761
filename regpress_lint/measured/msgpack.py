"""MessagePack to Python values: as much as notes of AMD's code objects use, which is nearly all of it."""

from __future__ import annotations

import struct
from typing import Any

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
        found = self._data[self._at : self._at + length]
        self._at += length
        return found

    def _array(self, length: int, depth: int) -> list[Any]:
        self._fits(length)
        return [self.value(depth + 1) for _ in range(length)]

    def _map(self, length: int, depth: int) -> dict[Any, Any]:
        self._fits(2 * length)
        found: dict[Any, Any] = {}
        for _ in range(length):
            key, value = self.value(depth + 1), self.value(depth + 1)
            if isinstance(key, str):  # a list cannot be a key, and notes have names alone
                found[key] = value
        return found

    def _fits(self, length: int) -> None:
        """Each element takes a byte at least: a length beyond the data is wrong, and no memory is set aside for it."""
        if length > len(self._data) - self._at:
            raise ValueError("MessagePack with a length beyond its end")
