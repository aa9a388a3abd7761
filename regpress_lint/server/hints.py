"""Live registers behind the widest lines of each kernel; off unless the editor turns them on.

A line above each kernel: what it takes, and what that leaves.

The kernels of a text and their launches, for the editor's outline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.commands.pressure.lines import kernel_pressure
from regpress_lint.core.source import Span
from regpress_lint.server.actions import PRESSURE
from regpress_lint.server.hover import summary
from regpress_lint.server.open_texts import edit_between, range_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.commands.pressure.lines import KernelPressure
    from regpress_lint.program.model import Kernel, Launch
    from regpress_lint.server.open_texts import Encoding
    from regpress_lint.server.workbench import Look


_NEAR = 0.9  # of the peak, as `pressure` marks its lines


def hints(look: Look, where: types.Range, encoding: Encoding) -> list[types.InlayHint]:
    """Hints of the kernels that are in sight, for the first target."""
    return [
        hint
        for kernel in look.kernels
        if kernel.function.path in ("", look.text.path)
        and kernel.line - 1 <= where.end.line
        and where.start.line <= kernel.end_line - 1
        for hint in _of_kernel(kernel, look, encoding)
        if where.start.line <= hint.position.line <= where.end.line
    ]


def _of_kernel(kernel: Kernel, look: Look, encoding: Encoding) -> Iterator[types.InlayHint]:
    analysis = look.analysis
    assert analysis is not None
    target = analysis.targets[0]

    def measured() -> KernelPressure:
        facts = look.facts(kernel).typical(target)
        return kernel_pressure(facts, target, look.parsed, analysis.source_of)

    pressure = analysis.attempt("measuring its pressure", measured, kernel)
    if pressure is None or pressure.peak is None:
        return
    peak = pressure.lines[pressure.peak].total
    for line in pressure.lines:
        if line.code and line.total >= _NEAR * peak:
            end = look.source.line_span(line.line).end
            widest = ", the peak" if line is pressure.lines[pressure.peak] else ""
            yield types.InlayHint(
                position=range_of(look.source, Span(end, end), encoding).start,
                label=f"{line.total} live on {target}{widest}",
                padding_left=True,
            )


def lenses(look: Look, encoding: Encoding) -> list[types.CodeLens]:
    """One a kernel and target; a click opens the page of `pressure`."""
    shown = []
    for kernel, span in _shown(look):
        row = look.row(kernel) if look.standing is None else look.standing.known_row(kernel)
        if row is None:
            continue
        for target in row.targets:
            command = types.Command(summary(row, target), PRESSURE, arguments=[look.text.uri, kernel.name])
            shown.append(types.CodeLens(range_of(look.source, look.parsed.shown(span), encoding), command))
    return shown


def _shown(look: Look) -> Iterator[tuple[Kernel, Span]]:
    """Kernels of the text and where they are named; of one that is being typed those that were there before."""
    edit = None if look.standing is None else edit_between(look.standing.text.data, look.text.data)
    for kernel in look.kernels if look.standing is None else look.standing.kernels:
        span = kernel.name_span if edit is None else edit.moved(kernel.name_span)
        if span is not None and kernel.path == look.text.path:
            yield kernel, span


def symbols(look: Look, encoding: Encoding) -> list[types.DocumentSymbol]:
    """Kernels as functions, launches as events, in the order of the text. Nothing is estimated for them."""
    if look.analysis is None or not look.analysis.parsed:
        return []
    path, file = look.text.path, look.analysis.file
    symbols = [_kernel(kernel, look, encoding) for kernel in file.kernels if kernel.function.path in ("", path)]
    symbols += [_launch(launch, look, encoding) for launch in file.launches if launch.path == path]
    return sorted(symbols, key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))


def _kernel(kernel: Kernel, look: Look, encoding: Encoding) -> types.DocumentSymbol:
    name, span = kernel.name_span, kernel.function.span
    whole = Span(min(name.start, span.start), max(name.end, span.end))
    return types.DocumentSymbol(
        name=kernel.name or "kernel",
        kind=types.SymbolKind.Function,
        range=range_of(look.source, look.parsed.shown(whole), encoding),
        selection_range=range_of(look.source, look.parsed.shown(name), encoding),
        detail=f"{kernel.language} kernel",
    )


def _launch(launch: Launch, look: Look, encoding: Encoding) -> types.DocumentSymbol:
    block = "?" if launch.block_size is None else str(launch.block_size)
    place = range_of(look.source, look.parsed.shown(launch.span), encoding)
    return types.DocumentSymbol(
        name=launch.kernel_name or "launch",
        kind=types.SymbolKind.Event,
        range=place,
        selection_range=place,
        detail=f"launch, {block} threads per block",
    )
