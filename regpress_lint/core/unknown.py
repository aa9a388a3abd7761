"""An unknown of an analysis: one entry of the ledger that every estimate comes with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    from regpress_lint.core.source import Span

    # size: of an array. type: of a value. callee: a function that is not in view. store: a write whose place is not
    # known. loop: how often it runs, or whether it is one. argument: of a template. macro: what only the build defines,
    # or an `#include` that was not found. limit: what was not read, or not executed because it is too large.
    Kind: TypeAlias = Literal["size", "type", "callee", "store", "loop", "argument", "macro", "limit"]
    # Where the number of registers may lie: above the estimate, below it, on either side, or where it is.
    Opens: TypeAlias = Literal["up", "down", "both", "nothing"]


class Unknown(NamedTuple):
    """Something that the estimate would need and that is unknown.

    name: as the source spells it. path, span: its place. text: one sentence for people, which says what would
    tell. opens: to which side the band opens; "nothing" where the numbers are the same either way. at_most: registers
    by which they are off, None where nothing says how many; 0 for what only concerns private memory.
    """

    kind: Kind
    name: str
    path: str
    span: Span
    text: str
    opens: Opens = "up"
    at_most: int | None = None

    @property
    def matters(self) -> bool:
        """True where the numbers may be others."""
        return self.opens != "nothing"
