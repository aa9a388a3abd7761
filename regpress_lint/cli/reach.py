"""Which files may have other answers because some have changed."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def reached(changed: Iterable[str], gone: Iterable[str], data: Mapping[str, bytes | None]) -> set[str]:
    """Changed files, those that include them, and those that they include: launches and types may come from there.

    Includes are followed by the names of files alone, which takes some too many and none too few.
    """
    includes = {path: {_base(name) for name in _INCLUDE.findall(content or b"")} for path, content in data.items()}
    up = {os.fsencode(os.path.basename(path)) for path in (*changed, *gone)}
    found = set(changed)
    waiting = True
    while waiting:
        more = {path for path, names in includes.items() if path not in found and names & up}
        found |= more
        up |= {os.fsencode(os.path.basename(path)) for path in more}
        waiting = bool(more)
    down = {name for path in changed for name in includes.get(path, ())}
    while True:
        more = {path for path in includes if path not in found and os.fsencode(os.path.basename(path)) in down}
        if not more:
            return found
        found |= more
        down |= {name for path in more for name in includes[path]}


def _base(name: bytes) -> bytes:
    return name.replace(b"\\", b"/").rpartition(b"/")[2]
