"""A line above each kernel: what it takes, and what that leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.server.features.page_commands import PRESSURE
from regpress_lint.server.features.words import summary
from regpress_lint.server.positions import range_of

if TYPE_CHECKING:
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding


def lenses(look: Look, encoding: Encoding) -> list[types.CodeLens]:
    """One a kernel and target; a click opens the page of `pressure`."""
    found = []
    for kernel in look.kernels:
        row = look.row(kernel) if kernel.path == look.text.path else None
        if row is None:
            continue
        for target in row.targets:
            command = types.Command(summary(row, target), PRESSURE, arguments=[look.text.uri, kernel.name])
            found.append(types.CodeLens(range_of(look.source, kernel.name_span, encoding), command))
    return found
