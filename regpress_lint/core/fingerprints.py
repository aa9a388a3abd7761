"""The stable parts of a finding when lines move and numbers change: its rule, file, kernel and subject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic

_LONGEST = 120
_QUOTED = pattern(r"`([^`]*)`")


def subject(diagnostic: Diagnostic) -> str:
    """The subject of a finding: the first name that its message quotes, else the text of its line, blanks made one.

    A kernel's own name adds no information.
    """
    quoted = [" ".join(text.split()) for text in _QUOTED.findall(diagnostic.message)]
    named = next((text for text in quoted if text and text != diagnostic.kernel), "")
    if not named and not quoted:
        named = " ".join(diagnostic.location.line_text.split())
    return named if len(named) <= _LONGEST else f"{named[: _LONGEST - 3]}..."
