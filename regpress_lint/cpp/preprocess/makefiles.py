"""The part of a Makefile that a plain `make` uses: the branches of `ifeq` and `ifdef` that its own variables choose."""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern

_LONGEST = 400  # characters of a condition
_DIRECTIVE = pattern(r"[ \t]*+(ifeq|ifneq|ifdef|ifndef|else|endif)\b[ \t]*+(.*)")
_PAIR = pattern(r"\(([^,]*),(.*)\)$|([\"'])(.*?)\3[ \t]+([\"'])(.*?)\5$")
_ASSIGNMENT = pattern(r"[ \t]*+([A-Za-z_]\w*+)[ \t]*+[:?]?=[ \t]*+([^#]*+)")
_VARIABLE = pattern(r"\$(?:\((\w+)\)|\{(\w+)\})")


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
    kept: list[str] = []
    chosen: list[_Branch] = []
    for line in text.split("\n"):
        found = _DIRECTIVE.match(line)
        if found is None:
            kept.append(" " * len(line) if any(branch.taken is False for branch in chosen) else line)
            continue
        kept.append(" " * len(line))
        word, rest = found.groups()
        if word == "endif":
            del chosen[-1:]
        elif word != "else":
            chosen.append(_Branch(_holds(word, rest, values)))
        elif chosen:
            chosen[-1] = _otherwise(chosen[-1], rest, values)
    return "\n".join(kept)


def _otherwise(before: _Branch, rest: str, values: dict[str, str | None]) -> _Branch:
    """The condition of `else`, or of `else ifeq (...)`."""
    if before.taken is None:
        return before
    if before.taken or before.decided:
        return _Branch(False, True)
    further = _DIRECTIVE.match(rest)
    return _Branch(True if further is None else _holds(further[1], further[2], values))


def _values(text: str) -> dict[str, str | None]:
    """Variables and their values, None where it is not plain which one holds."""
    values: dict[str, str | None] = {}
    depth = 0
    for line in text.split("\n"):
        directive = _DIRECTIVE.match(line)
        if directive is not None:
            depth += {"endif": -1, "else": 0}.get(directive[1], 1)
            continue
        found = _ASSIGNMENT.match(line)
        if found is not None:
            name, value = found[1], found[2].strip()
            plain = depth <= 0 and name not in values and "$" not in value
            values[name] = value if plain or values.get(name) == value else None
        elif "+=" in line:
            values[line.partition("+=")[0].strip()] = None
    return values


def _holds(word: str, rest: str, values: dict[str, str | None]) -> bool | None:
    if word in ("ifdef", "ifndef"):
        value = values.get(rest.strip(), "")
        return None if value is None else bool(value) == (word == "ifdef")
    pair = _PAIR.match(rest.strip()) if len(rest) < _LONGEST else None
    if pair is None:
        return None
    sides = [_text(side, values) for side in (pair[1], pair[2], pair[4], pair[6]) if side is not None]
    if len(sides) != 2 or None in sides:
        return None
    return (sides[0] == sides[1]) == (word == "ifeq")


def _text(side: str, values: dict[str, str | None]) -> str | None:
    names = [first or second for first, second in _VARIABLE.findall(side)]
    if any(values.get(name, "") is None for name in names):
        return None
    found = _VARIABLE.sub(lambda match: values.get(match[1] or match[2], "") or "", side)
    return None if "$" in found else found.strip()
