"""Names that hide in macros: `#define AT(i) (row * width + (i))` reads `row` and `width` wherever `AT` stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.cpp.preprocess.macros import Macro, MacroTable

# A name behind a dot or an arrow is a member and none of a variable.
_WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*", re.ASCII)
_NONE: frozenset[str] = frozenset()


class MacroWords:
    """Look-up of the names that a macro's expansion holds beside its arguments, the macros in it expanded."""

    def __init__(self, table: MacroTable) -> None:
        self._table = table
        self._known: dict[Macro, frozenset[str]] = {}

    def __call__(self, name: str, path: str, offset: int) -> frozenset[str]:
        """Names behind `name` as it is used at a byte offset of a file; empty if it is no macro."""
        macro = self._macro(name, path, offset)
        return _NONE if macro is None else self._words(macro, path, offset)

    def _macro(self, name: str, path: str, offset: int) -> Macro | None:
        """The nearest definition above, as kernels that follow each other define the same name anew; else the first."""
        found = self._table.all(name)
        above = [macro for macro in found if macro.path == path and macro.offset < offset]
        return above[-1] if above else found[0] if found else None

    def _words(self, macro: Macro, path: str, offset: int) -> frozenset[str]:
        known = self._known.get(macro)
        if known is None:
            self._known[macro] = _NONE  # a macro does not expand itself
            own = frozenset(_WORD.findall(macro.body)) - frozenset(macro.params or ())
            known = own.union(*(self(word, path, offset) for word in own))
            self._known[macro] = known
        return known
