"""One line per finding, as GCC writes them: vim, emacs and the problem matchers of editors read it."""

from __future__ import annotations

from regpress_lint.render import SEVERITY_STYLES, Options
from regpress_lint.render.terminal import Palette, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Diagnostic, Location, Report


def render_concise(report: Report, options: Options) -> Iterator[str]:
    """`path:line:col: severity: message [CODE name]`, columns in UTF-8 bytes, then a `note` line per related place."""
    palette = Palette(options.color)
    for diagnostic in report.diagnostics:
        yield "".join(f"{line}\n" for line in _lines(diagnostic, palette))


def _lines(diagnostic: Diagnostic, palette: Palette) -> Iterator[str]:
    severity = palette.paint(f"{diagnostic.severity.label}:", SEVERITY_STYLES[diagnostic.severity])
    rule = visible(f"[{diagnostic.code} {diagnostic.name}]")
    yield f"{_place(diagnostic.location, palette)} {severity} {visible(diagnostic.message)} {rule}"
    for related in diagnostic.related:
        yield f"{_place(related.location, palette)} {palette.paint('note:', 'bold')} {visible(related.message)}"


def _place(location: Location, palette: Palette) -> str:
    return palette.paint(f"{visible(location.path)}:{location.start.line}:{location.start.column}:", "bold")
