"""A line above each kernel: what it takes, and what that leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.server.edits import edit_between
from regpress_lint.server.features.page_commands import PRESSURE
from regpress_lint.server.features.words import summary
from regpress_lint.server.positions import range_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding


def lenses(look: Look, encoding: Encoding) -> list[types.CodeLens]:
    """One a kernel and target; a click opens the page of `pressure`."""
    found = []
    for kernel, span in _shown(look):
        row = look.row(kernel) if look.standing is None else look.standing.known_row(kernel)
        if row is None:
            continue
        for target in row.targets:
            command = types.Command(summary(row, target), PRESSURE, arguments=[look.text.uri, kernel.name])
            found.append(types.CodeLens(range_of(look.source, span, encoding), command))
    return found


def _shown(look: Look) -> Iterator[tuple[Kernel, Span]]:
    """Kernels of the text and where they are named; of one that is being typed those that were there before."""
    edit = None if look.standing is None else edit_between(look.standing.text.data, look.text.data)
    for kernel in look.kernels if look.standing is None else look.standing.kernels:
        span = kernel.name_span if edit is None else edit.moved(kernel.name_span)
        if span is not None and kernel.path == look.text.path:
            yield kernel, span
