"""A folder's headers and macros from a Makefile or CMakeLists.txt, as far as it is written out in words."""

from __future__ import annotations

import posixpath
import re

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.preprocess.build_settings import CMAKE, Build
from regpress_lint.cpp.preprocess.macros import Macro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_LONGEST = 400  # characters of a condition
_DIRECTIVE = pattern(r"[ \t]*+(ifeq|ifneq|ifdef|ifndef|else|endif)\b[ \t]*+(.*)")
_PAIR = pattern(r"\(([^,]*),(.*)\)$|([\"'])(.*?)\3[ \t]+([\"'])(.*?)\5$")
_LINE_ASSIGNMENT = pattern(r"[ \t]*+([A-Za-z_]\w*+)[ \t]*+[:?]?=[ \t]*+([^#]*+)")
_ANY_VARIABLE = pattern(r"\$(?:\((\w+)\)|\{(\w+)\})")


class _Branch(NamedTuple):
    """The current branch of an open condition. taken: None if that is unknown; decided: an earlier one was taken."""

    taken: bool | None
    decided: bool = False


def taken(text: str) -> str:
    """The text with the lines of branches not taken blanked; offsets stay.

    A variable that nothing assigns is empty, as in make. One assigned in a branch, several times or by a function
    makes a condition unknown: then all branches stay.
    """
    if "if" not in text:
        return text
    values = _values(text)
    lines: list[str] = []
    chosen: list[_Branch] = []
    for line in text.split("\n"):
        match = _DIRECTIVE.match(line)
        if match is None:
            lines.append(" " * len(line) if any(branch.taken is False for branch in chosen) else line)
            continue
        lines.append(" " * len(line))
        word, condition = match.groups()
        if word == "endif":
            del chosen[-1:]
        elif word != "else":
            chosen.append(_Branch(_holds(word, condition, values)))
        elif chosen:
            chosen[-1] = _otherwise(chosen[-1], condition, values)
    return "\n".join(lines)


def _otherwise(before: _Branch, condition: str, values: dict[str, str | None]) -> _Branch:
    """The condition of `else`, or of `else ifeq (...)`."""
    if before.taken is None:
        return before
    if before.taken or before.decided:
        return _Branch(False, True)
    further = _DIRECTIVE.match(condition)
    return _Branch(True if further is None else _holds(further[1], further[2], values))


def _values(text: str) -> dict[str, str | None]:
    """Variables and their values, None where it is not plain which one holds."""
    values: dict[str, str | None] = {}
    depth = 0
    for line in text.split("\n"):
        if (directive := _DIRECTIVE.match(line)) is not None:
            depth += {"endif": -1, "else": 0}.get(directive[1], 1)
            continue
        if (match := _LINE_ASSIGNMENT.match(line)) is not None:
            name, value = match[1], match[2].strip()
            plain = depth <= 0 and name not in values and "$" not in value
            values[name] = value if plain or values.get(name) == value else None
        elif "+=" in line:
            values[line.partition("+=")[0].strip()] = None
    return values


def _holds(word: str, condition: str, values: dict[str, str | None]) -> bool | None:
    if word in ("ifdef", "ifndef"):
        value = values.get(condition.strip(), "")
        return None if value is None else bool(value) == (word == "ifdef")
    pair = _PAIR.match(condition.strip()) if len(condition) < _LONGEST else None
    if pair is None:
        return None
    sides = [_text(side, values) for side in (pair[1], pair[2], pair[4], pair[6]) if side is not None]
    if len(sides) != 2 or None in sides:
        return None
    return (sides[0] == sides[1]) == (word == "ifeq")


def _text(side: str, values: dict[str, str | None]) -> str | None:
    names = [first or second for first, second in _ANY_VARIABLE.findall(side)]
    if any(values.get(name, "") is None for name in names):
        return None
    text = _ANY_VARIABLE.sub(lambda match: values.get(match[1] or match[2], "") or "", side)
    return None if "$" in text else text.strip()


def build_of(directory: str, files: Iterable[tuple[str, bytes]]) -> Build:
    """The settings of a directory's build files, each with its path."""
    directories: list[str] = []
    macros: list[Macro] = []
    fast_math, asserts = False, True
    for path, data in files:
        text, cmake = data.decode("utf-8", "replace"), path.endswith(CMAKE)
        directories += build_directories(text, directory, cmake=cmake)
        macros += build_macros(text, path, cmake=cmake)
        fast_math = fast_math or _FAST_MATH.search(text if cmake else taken(text)) is not None
        asserts = asserts and not cmake and not _MAY_LEAVE_OUT.search(text)
    return Build(tuple(dict.fromkeys(directories)), tuple(macros), fast_math, asserts)


# A Makefile that may define NDEBUG, itself or by another file.
_MAY_LEAVE_OUT = pattern(r"(?m)NDEBUG|^\s*-?s?include\b")
_ASSIGNMENT = pattern(r"^[ \t]*+([A-Za-z_]\w*+)[ \t]*+[:?]?=[ \t]*+([^\n#]*+)", re.MULTILINE)
_CMAKE_SET = pattern(r"\bset[ \t]*+\([ \t]*+([A-Za-z_]\w*+)[ \t]++\"?([^\s\"()]++)\"?[ \t]*+\)", re.IGNORECASE)
_VARIABLE = pattern(r"\$(?:\(([A-Za-z_]\w*+)\)|\{([A-Za-z_]\w*+)\})")
_FLAG = pattern(r"(?:^|[\s\"'=])-(?:I|isystem|iquote)[ \t]*+((?:\$\(\w*+\)|[^\s\"';)])++)")
_DEFINE_FLAG = pattern(r"(?:^|[\s\"'=(])-D[ \t]*+([A-Za-z_]\w*+)(?:=([^\s\"';\\]++))?")
_FAST_MATH = pattern(r"^[^#\n]*\buse_fast_math\b", re.MULTILINE)
_CMAKE_DIRECTORIES = pattern(r"\b(?:target_)?include_directories[ \t]*+\(([^()]*+)\)", re.IGNORECASE)
_CMAKE_DEFINITIONS = pattern(r"\b(target|add)_compile_definitions\s*+\(([^()]*+)\)", re.IGNORECASE)
_CMAKE_DEFINITION = pattern(r"(?<![^\s\"])([A-Za-z_]\w*+)(?:=([^\s\";]++))?(?![^\s\"])")
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
    substituted = (_substitute(name, values) for name in named)
    return [posixpath.normpath(posixpath.join(directory, name)) for name in substituted if name]


def build_macros(text: str, path: str, *, cmake: bool) -> list[Macro]:
    """Macros given as `-DNAME` (value 1) or `-DNAME=value` in a build file, or by CMake's `target_compile_definitions`
    and `add_compile_definitions`; unknown variables leave the macro out.
    """
    text = text if cmake else taken(text)
    values = _assignments(text, cmake)
    named = [(match[1], match[2], match.start(1)) for match in _DEFINE_FLAG.finditer(text)]
    for call in _CMAKE_DEFINITIONS.finditer(text) if cmake else ():
        words = [*_CMAKE_DEFINITION.finditer(call[2])]
        first, at = 1 if call[1].lower() == "target" else 0, call.start(2)
        named += [(word[1], word[2], at + word.start(1)) for word in words[first:] if word[1] not in _CMAKE_KEYWORDS]
    return [
        Macro(name, None, value, path, at) for name, body, at in named if (value := _substitute(body or "1", values))
    ]


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
