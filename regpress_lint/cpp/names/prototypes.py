"""Device functions that a linker brings: declared here, defined in another program unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.cpp.names.name_index import CALLED, FUNCTION

if TYPE_CHECKING:
    from regpress_lint.cpp.names.header_search import Headers

# A line or a statement that begins with words, one of which makes it a function of the device.
_HEAD = rb"(?:^|[;{}])\s*(?:[A-Za-z_\"][\w\"]*\s+)*(?:__device__|SYCL_EXTERNAL)\b[^;{}()=/]*\b"
_TAIL = rb"\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*)*;"


def is_linked(headers: Headers, name: str) -> bool:
    """True for the name of a device function that is declared in view and defined nowhere in it. Of other files a
    compiler sees nothing when it compiles this one, so it cannot inline the call.
    """
    if not name.isidentifier() or name.startswith("__"):  # what vendors bring with the compiler is inlined
        return False
    prototype = None
    for unit in headers.saying(name, CALLED):
        if name not in unit.words:
            continue
        prototype = prototype or re.compile(_HEAD + name.encode() + _TAIL, re.MULTILINE)
        if prototype.search(unit.source.data):
            return not any(name in each.functions_by_name for each in headers.saying(name, FUNCTION))
    return False
