"""Text and data in a form that a page can hold: nothing hidden, nothing that is markup, small."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

from regpress_lint.formats.terminal import visible, well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable

_PACK = 1 << 18  # bytes of JSON that a browser unpacks at once


def plain(text: str) -> str:
    """Text as the page shows it: hidden and reordering characters written out, as in the terminal."""
    return well_formed("\t".join(visible(part) for part in text.split("\t")))


def packed(value: object) -> str:
    """JSON as base64 of a zlib stream, which every browser unpacks by itself."""
    return _compressed(json.dumps(value, separators=(",", ":")))


def unpacked(text: str) -> Any:
    """The input of `packed`."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


def joined(files: Iterable[str]) -> list[tuple[list[int], str]]:
    """Join the packs of files into larger ones, which are smaller in total; each with the numbers of its files."""
    packs: list[tuple[list[int], list[str]]] = []
    size = _PACK
    for at, file in enumerate(files):
        if file:
            text = zlib.decompress(base64.b64decode(file)).decode()
            if size >= _PACK:
                packs.append(([], []))
                size = 0
            packs[-1][0].append(at)
            packs[-1][1].append(text)
            size += len(text)
    return [(numbers, _compressed(f"[{','.join(parts)}]")) for numbers, parts in packs]


def _compressed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
