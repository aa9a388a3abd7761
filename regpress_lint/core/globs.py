"""File patterns of `exclude` and `per-file-ignores`.

`*` and `?` stay inside one path component, `**` crosses them. A pattern without a slash matches any component
("third_party" leaves out every folder of that name), one with a slash belongs to the folder of its configuration
file. What matches a folder matches everything in it.
"""

from __future__ import annotations

import re
from functools import cache
from os import path as paths
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def anchor(pattern: str, base: str) -> str:
    """The pattern with the folder that it is relative to; patterns without a slash hold everywhere."""
    bare = pattern.rstrip("/")
    if "/" not in bare or paths.isabs(bare) or bare.startswith("**/"):
        return bare
    return paths.join(base, bare.removeprefix("./")).replace("\\", "/")


def matches(path: str, patterns: Iterable[str]) -> bool:
    """True if one of the (anchored) patterns matches the file or a folder that holds it."""
    absolute = ""
    for pattern in patterns:
        absolute = absolute or paths.abspath(path).replace("\\", "/")
        if _expression(pattern).search(absolute):
            return True
    return False


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    body = "".join(_translate(token) for token in re.findall(r"\*\*/?|\[[^]]+\]|.", pattern, re.DOTALL))
    start = "^" if pattern.startswith("/") or paths.isabs(pattern) else "(?:^|/)"
    return re.compile(f"{start}{body}(?:/|$)", re.DOTALL)


def _translate(token: str) -> str:
    if token in ("**/", "**"):
        return "(?:.*/)?" if token == "**/" else ".*"
    if token in ("*", "?"):
        return "[^/]*" if token == "*" else "[^/]"
    if len(token) > 1:
        negated, members = token[1] == "!", token[1:-1].lstrip("!").replace("\\", "\\\\").replace("^", "\\^")
        return f"[{'^' if negated else ''}{members}]"
    return re.escape(token)
