"""Itanium-mangled names of kernels to the names that a source has: a small demangler of our own.

Names with unsupported encodings (some expressions in template arguments) are shown as symbols.
"""

from __future__ import annotations

import re
from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.lexical import list_start
from regpress_lint.measured.mangled_names import MangledName, UnknownFormError

_NVCC_STATIC = re.compile(r"^_?_?nv_static_\d+__.*?_(_Z.*)$")
_LONGEST = 20_000


class Name(NamedTuple):
    """A function: `lbm::step`, `<float, 64>`. whole: both and, of a type's name, the type."""

    qualified: str
    arguments: str

    @property
    def whole(self) -> str:
        return self.qualified + self.arguments

    @property
    def last(self) -> str:
        """The name without its scopes."""
        return self.qualified.rpartition("::")[2]


@lru_cache(maxsize=65_536)
def demangled(symbol: str) -> Name:
    """The name of a kernel; a symbol that is no mangled name, or one that we cannot read, is the name itself."""
    inner = _NVCC_STATIC.match(symbol)
    text = inner[1] if inner else symbol
    if len(text) > _LONGEST or not text.startswith("_Z"):
        return Name(symbol, "")
    try:
        named = _split(MangledName(text).kernel())
        return named if named.qualified else Name(symbol, "")
    except (UnknownFormError, IndexError, RecursionError):
        return Name(symbol, "")


def _split(name: str) -> Name:
    """The arguments of the last template apart from the name."""
    start = list_start(name, len(name)) if name.endswith(">") else -1
    return Name(name[:start], name[start:]) if start >= 0 else Name(name, "")
