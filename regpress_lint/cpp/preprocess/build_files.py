"""A folder's headers and macros from a Makefile or CMakeLists.txt, as far as it is written out in words."""

from __future__ import annotations

import posixpath
import re

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.preprocess.macros import Macro
from regpress_lint.cpp.preprocess.makefiles import taken

_ASSIGNMENT = pattern(r"^[ \t]*+([A-Za-z_]\w*+)[ \t]*+[:?]?=[ \t]*+([^\n#]*+)", re.MULTILINE)
_CMAKE_SET = pattern(r"\bset[ \t]*+\([ \t]*+([A-Za-z_]\w*+)[ \t]++\"?([^\s\"()]++)\"?[ \t]*+\)", re.IGNORECASE)
_VARIABLE = pattern(r"\$(?:\(([A-Za-z_]\w*+)\)|\{([A-Za-z_]\w*+)\})")
_FLAG = pattern(r"(?:^|[\s\"'=])-(?:I|isystem|iquote)[ \t]*+((?:\$\(\w*+\)|[^\s\"';)])++)")
_DEFINE_FLAG = pattern(r"(?:^|[\s\"'=])-D[ \t]*+([A-Za-z_]\w*+)(?:=([^\s\"';\\]++))?")
_CMAKE_DIRECTORIES = pattern(r"\b(?:target_)?include_directories[ \t]*+\(([^()]*+)\)", re.IGNORECASE)
_CMAKE_KEYWORDS = frozenset(("PUBLIC", "PRIVATE", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"))
_CMAKE_HERE = frozenset(
    ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR", "PROJECT_SOURCE_DIR", "CMAKE_SOURCE_DIR")
)


def build_directories(text: str, directory: str, *, cmake: bool) -> list[str]:
    """Include directories written out in a Makefile or CMakeLists.txt; one with an unknown variable is left out."""
    values = _assignments(text, cmake)
    named = [match.group(1) for match in _FLAG.finditer(text)]
    if cmake:
        for match in _CMAKE_DIRECTORIES.finditer(text):
            words = match.group(1).replace('"', " ").split()
            first = 1 if match.group(0).lower().startswith("target_") else 0
            named += [word for word in words[first:] if word not in _CMAKE_KEYWORDS]
    known = (_substitute(name, values) for name in named)
    return [posixpath.normpath(posixpath.join(directory, name)) for name in known if name]


def build_macros(text: str, path: str, *, cmake: bool) -> list[Macro]:
    """Macros given as `-DNAME` (value 1) or `-DNAME=value` in a build file; unknown variables leave the macro out."""
    text = text if cmake else taken(text)
    values = _assignments(text, cmake)
    found: list[Macro] = []
    for match in _DEFINE_FLAG.finditer(text):
        value = _substitute(match.group(2) or "1", values)
        if value:
            found.append(Macro(match.group(1), None, value, path, match.start(1)))
    return found


def _assignments(text: str, cmake: bool) -> dict[str, str]:
    """Variables assigned once to plain words."""
    values: dict[str, str] = {}
    several: set[str] = set()
    for match in (_CMAKE_SET if cmake else _ASSIGNMENT).finditer(text):
        name, value = match.group(1), match.group(2).strip()
        if name in values and values[name] != value:
            several.add(name)
        values.setdefault(name, value)
    plain = {
        name: value
        for name, value in values.items()
        if name not in several and not re.search(r"[\s`]|\$\(shell", value)
    }
    return plain | dict.fromkeys(_CMAKE_HERE, ".") if cmake else plain


def _substitute(text: str, values: dict[str, str]) -> str:
    """`text` with its variables replaced, a few levels deep; empty when one is unknown."""
    for _ in range(4):
        if "$" not in text:
            return text
        text = _VARIABLE.sub(lambda match: values.get(match.group(1) or match.group(2), "$"), text)
        if len(text) > 4096:
            return ""
    return "" if "$" in text else text
