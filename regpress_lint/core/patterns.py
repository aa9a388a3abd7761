"""Regular expressions that are compiled when they are used first: most runs over one file use a third of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    from re import Pattern


def pattern(text: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    """The result of `re.compile`, later; only its methods may be used, not `re.sub` and the like."""
    return cast("Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled expression; from then on it is an attribute of this object."""
        found = getattr(re.compile(self._text, self._flags), name)  # `re` keeps what it has compiled
        setattr(self, name, found)
        return found
