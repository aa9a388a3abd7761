"""Live registers behind the widest lines of each kernel; off unless the editor turns them on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.commands.pressure.lines import kernel_pressure
from regpress_lint.core.source import Span
from regpress_lint.server.positions import range_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.commands.pressure.lines import KernelPressure
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding

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
        return kernel_pressure(facts, target, look.source, analysis.source_of)

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
