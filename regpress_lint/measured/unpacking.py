"""The compression of bundles and fat binaries: zlib, zstd where this Python has it, and LZ4."""

from __future__ import annotations

MOST_BYTES = 1 << 30
"""No more is unpacked of one file, whatever its header promises."""


class UnpackingError(ValueError):
    """Data that is cut, or a method that this machine lacks; the text says which."""


def zlib_unpacked(data: bytes, size: int) -> bytes:
    """At most `size` bytes of a zlib stream."""
    import zlib

    try:
        return zlib.decompressobj().decompress(data, min(size, MOST_BYTES))
    except zlib.error:
        raise UnpackingError("the zlib stream is cut or wrong") from None


def zstd_unpacked(data: bytes, size: int) -> bytes:
    """At most `size` bytes of a zstd frame: by Python 3.14's own module or the package `zstandard`, else an error."""
    if size > MOST_BYTES:
        raise UnpackingError(f"more than {MOST_BYTES:,} bytes")
    try:
        return _by_python(data, size) or _by_package(data, size)
    except UnpackingError:
        raise
    except Exception as error:  # each module has its own
        raise UnpackingError(f"the zstd frame is cut or wrong ({type(error).__name__})") from None


def _by_python(data: bytes, size: int) -> bytes | None:
    import importlib

    try:
        module = importlib.import_module("compression.zstd")
    except ImportError:
        return None
    found: bytes = module.ZstdDecompressor().decompress(data, size)
    return found


def _by_package(data: bytes, size: int) -> bytes:
    import importlib

    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        raise UnpackingError("it is compressed with zstd: Python 3.14 or `pip install zstandard` reads that") from None
    # decompress() makes room for whatever the frame promises; a reader gives as much as it is asked for.
    found: bytes = module.ZstdDecompressor().stream_reader(data).read(size)
    return found


def lz4_unpacked(data: bytes, size: int) -> bytes:
    """`size` bytes of an LZ4 block, which CUDA's fat binaries hold."""
    if size > MOST_BYTES:
        raise UnpackingError(f"more than {MOST_BYTES:,} bytes")
    out = bytearray()
    at = 0
    try:
        while at < len(data) and len(out) < size:
            token = data[at]
            at += 1
            literals, at = _length(data, at, token >> 4)
            out += data[at : at + literals]
            at += literals
            if len(out) >= size or at >= len(data):
                break
            distance = data[at] | data[at + 1] << 8
            copied, at = _length(data, at + 2, token & 15)
            if not 0 < distance <= len(out):
                raise UnpackingError("the LZ4 block is wrong")
            _copy(out, distance, min(copied + 4, size - len(out)))
    except IndexError:
        raise UnpackingError("the LZ4 block is cut") from None
    if len(out) < size:
        raise UnpackingError("the LZ4 block is cut")
    return bytes(out[:size])


def _length(data: bytes, at: int, first: int) -> tuple[int, int]:
    total = first
    while first == 15:
        total += data[at]
        at += 1
        if data[at - 1] != 255:
            break
    return total, at


def _copy(out: bytearray, distance: int, count: int) -> None:
    """Append what stands `distance` back; it may reach into what is being written."""
    begin = len(out) - distance
    piece = bytes(out[begin : begin + min(distance, count)])
    out += (piece * (count // distance + 1))[:count]
