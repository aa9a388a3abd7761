"""The kernels of a text and their launches, for the editor's outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.core.source import Span
from regpress_lint.server.positions import range_of

if TYPE_CHECKING:
    from regpress_lint.program.model import Kernel, Launch
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding


def symbols(look: Look, encoding: Encoding) -> list[types.DocumentSymbol]:
    """Kernels as functions, launches as events, in the order of the text. Nothing is estimated for them."""
    if look.analysis is None or not look.analysis.parsed:
        return []
    path, file = look.text.path, look.analysis.file
    found = [_kernel(kernel, look, encoding) for kernel in file.kernels if kernel.function.path in ("", path)]
    found += [_launch(launch, look, encoding) for launch in file.launches if launch.path == path]
    return sorted(found, key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))


def _kernel(kernel: Kernel, look: Look, encoding: Encoding) -> types.DocumentSymbol:
    name, span = kernel.name_span, kernel.function.span
    whole = Span(min(name.start, span.start), max(name.end, span.end))
    return types.DocumentSymbol(
        name=kernel.name or "kernel",
        kind=types.SymbolKind.Function,
        range=range_of(look.source, whole, encoding),
        selection_range=range_of(look.source, name, encoding),
        detail=f"{kernel.language} kernel",
    )


def _launch(launch: Launch, look: Look, encoding: Encoding) -> types.DocumentSymbol:
    block = "?" if launch.block_size is None else str(launch.block_size)
    place = range_of(look.source, launch.span, encoding)
    return types.DocumentSymbol(
        name=launch.kernel_name or "launch",
        kind=types.SymbolKind.Event,
        range=place,
        selection_range=place,
        detail=f"launch, {block} threads a block",
    )
