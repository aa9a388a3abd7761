"""`required-version` of a configuration: which versions of this program it was written for."""

from __future__ import annotations

import re

from regpress_lint import __version__
from regpress_lint.core.errors import UsageError
from regpress_lint.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_CLAUSE = pattern(r"\s*+(==|!=|>=|<=|>|<|~=)?\s*+v?(\d{1,9}(?:\.\d{1,9}){0,4})\s*+\Z")
_LONGEST = 200
_Release = tuple[int, ...]
_HOLDS: Mapping[str, Callable[[_Release, _Release], bool]] = {
    "==": lambda own, other: own == other,
    "!=": lambda own, other: own != other,
    ">=": lambda own, other: own >= other,
    "<=": lambda own, other: own <= other,
    ">": lambda own, other: own > other,
    "<": lambda own, other: own < other,
}


def require(wanted: Any, where: str, version: str = __version__) -> None:
    """Raise UsageError unless the version fits: clauses as in `>=0.2,<1`; a bare number is one version alone.

    where: the file and key that say so, for the message.
    """
    if not isinstance(wanted, str) or not wanted.strip():
        raise UsageError(f'{where}: expected a version such as ">=0.1"')
    if len(wanted) > _LONGEST:
        raise UsageError(f"{where}: {len(wanted):,} characters are not a version")
    for clause in wanted.split(","):
        match = _CLAUSE.match(clause)
        if match is None:
            raise UsageError(f'{where}: "{clause.strip()}" is not a version clause such as ">=0.1"')
        if not _fits(_release(version), match[1] or "==", match[2]):
            raise UsageError(f'{where}: requires "{wanted}", but this is regpress-lint {version}')


def _fits(own: _Release, sign: str, text: str) -> bool:
    if sign == "~=":  # the last number may grow, those before it may not
        parts = text.split(".")
        return own >= _release(text) and own[: len(parts) - 1] == tuple(map(int, parts[:-1]))
    return _HOLDS[sign](own, _release(text))


def _release(version: str) -> _Release:
    """The numbers of a version, five of them: `1.2` and `1.2.0` are the same."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    found = tuple(map(int, numbers[0].split("."))) if numbers else ()
    return (*found, 0, 0, 0, 0, 0)[:5]
