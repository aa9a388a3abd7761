"""Actions of the editor at a finding: its fix, a comment that silences it, the rule's page; and all safe fixes.

Findings as the editor shows them.

Commands: a rule's page, and the page of `pressure`, with a sweep if asked for.
"""

from __future__ import annotations

import os
import tempfile
from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.core import fixes
from regpress_lint.core.diagnostics import PROMISES, Severity
from regpress_lint.core.errors import UsageError
from regpress_lint.core.source import Span
from regpress_lint.lint import registry
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.server.open_texts import offset_of, range_of, to_client, uri_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.commands.kernels.sweep import Axis
    from regpress_lint.core.diagnostics import Diagnostic, Location, ResolvedEdit, RuleInfo
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.open_texts import Encoding
    from regpress_lint.server.workbench import Look, Services


SOURCE = "regpress-lint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def diagnostics(look: Look, encoding: Encoding) -> list[types.Diagnostic]:
    """All findings of a text, in its order."""
    return [_shown(diagnostic, look, encoding) for diagnostic in look.diagnostics]


def _shown(diagnostic: Diagnostic, look: Look, encoding: Encoding) -> types.Diagnostic:
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(_uri(note.location, look), range_at(note.location, encoding)), note.message
        )
        for note in diagnostic.related
    ]
    return types.Diagnostic(
        range=range_at(diagnostic.location, encoding),
        message=message(diagnostic),
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(diagnostic.url) if diagnostic.url else None,
        source=SOURCE,
        related_information=related or None,
    )


def message(diagnostic: Diagnostic) -> str:
    """The finding, for which GPUs it holds, and what to do."""
    targets = f" [{', '.join(diagnostic.targets)}]" if diagnostic.targets else ""
    return f"{diagnostic.message}{targets}" + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")


def range_at(location: Location, encoding: Encoding) -> types.Range:
    return types.Range(to_client(location.start, encoding), to_client(location.end, encoding))


def _uri(location: Location, look: Look) -> str:
    return look.text.uri if location.path == look.text.path else uri_of(location.path)


EXPLAIN = "regpress-lint.explain"
PRESSURE = "regpress-lint.pressure"
SWEEP = "regpress-lint.sweep"
BLOCKS = "block=64,128,256,512,1024"  # what is swept if nothing is named


def explained(word: str) -> RuleInfo | None:
    """The explanation of a rule; None if there is none of that code or name."""
    try:
        return registry.info(word)
    except UsageError:
        return None


def axes_in(texts: Iterable[str]) -> tuple[Axis, ...]:
    """The axes of `NAME=V1,V2` each; block sizes if nothing is named. Raises UsageError."""
    from regpress_lint.commands.kernels.sweep import axes_of

    return axes_of(tuple(texts) or (BLOCKS,))


def pressure_page(look: Look, services: Services, kernel: str | None, axes: tuple[Axis, ...] = ()) -> str | None:
    """The page of `pressure` of a text, or of one of its kernels, with their sweeps over `axes`; None if there is
    nothing to show.
    """
    from regpress_lint.commands.kernels.sweep import kernel_sweep
    from regpress_lint.commands.pressure.page import page_of_file
    from regpress_lint.commands.pressure.page.data import Shown

    analysis = look.analysis
    assert analysis is not None

    def shown(kernel: Kernel) -> Iterator[Shown]:
        if (row := look.row(kernel)) is not None:
            sections = tuple(services.sections(analysis, kernel))
            yield Shown(row.name, row, sections, swept=kernel_sweep(analysis, kernel, axes) if axes else None)

    wanted = [candidate for candidate in look.kernels if kernel in (None, candidate.name)]
    answer = analysis.attempt("measuring its pressure", lambda: tuple(chain.from_iterable(map(shown, wanted))))
    return page_of_file(look.source, answer, look.diagnostics) if answer else None


class Pages:
    """Pages that were written for a browser: one per file, in a folder that is removed with the server."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, name: str, page: str) -> str:
        """Path of a page; one of the same name is replaced."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="regpress-lint-")
        path = os.path.join(self._folder.name, f"{name}.html")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(page)
        return path

    def close(self) -> None:
        """Remove them."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


FIX_ALL = "source.fixAll.regpress-lint"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)


def actions(look: Look, where: types.Range, only: Iterable[str] | None, encoding: Encoding) -> list[types.CodeAction]:
    """Actions at a range; `only` has the requested kinds, None for all."""
    wanted = tuple(only) if only is not None else None
    actions: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, wanted):
        actions += _at_findings(look, where, encoding)
    if _is_wanted(FIX_ALL, wanted):
        actions += _fix_all(look, encoding)
    return actions


def _is_wanted(kind: str, wanted: tuple[str, ...] | None) -> bool:
    """Kinds are paths: `source.fixAll` includes `source.fixAll.regpress-lint`."""
    return wanted is None or any(not prefix or kind == prefix or kind.startswith(f"{prefix}.") for prefix in wanted)


def _at_findings(look: Look, where: types.Range, encoding: Encoding) -> Iterator[types.CodeAction]:
    start, end = (offset_of(look.source, place, encoding) for place in (where.start, where.end))
    shown = zip(look.diagnostics, diagnostics(look, encoding), strict=True)
    touched = [pair for pair in shown if pair[0].location.start.byte <= end and start <= pair[0].location.end.byte]
    for diagnostic, as_shown in touched:
        if diagnostic.fix is not None and diagnostic.fix.edits:
            safe, kind = diagnostic.fix.applicability == "safe", diagnostic.fix.applicability
            yield types.CodeAction(
                title=f"{diagnostic.code}: {diagnostic.fix.title}{'' if safe else f' ({PROMISES[kind]})'}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[as_shown],
                is_preferred=safe or None,
                edit=_edit(look, diagnostic.fix.edits, encoding),
            )
    for diagnostic, as_shown in touched:
        if diagnostic.code != INTERNAL_ERROR:
            yield from _suppressions(look, diagnostic, as_shown, encoding)
    for code in dict.fromkeys(finding.code for finding, _ in touched):
        yield types.CodeAction(
            title=f"Explain {code}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[as_shown for finding, as_shown in touched if finding.code == code],
            command=types.Command(f"Explain {code}", EXPLAIN, arguments=[code]),
        )


def _edit(look: Look, edits: Iterable[ResolvedEdit], encoding: Encoding) -> types.WorkspaceEdit:
    shown = [
        types.TextEdit(types.Range(to_client(edit.start, encoding), to_client(edit.end, encoding)), edit.text)
        for edit in edits
    ]
    return types.WorkspaceEdit(changes={look.text.uri: shown})


def _fix_all(look: Look, encoding: Encoding) -> Iterator[types.CodeAction]:
    """All safe fixes that do not touch each other, in one step."""
    in_text = (diagnostic for diagnostic in look.diagnostics if diagnostic.location.path == look.text.path)
    wanted = [fix for group in fixes.collect(in_text).values() for fix in group]
    chosen = fixes.chosen(look.source.data, wanted)
    edits, count = [edit for fix in chosen for edit in fix.edits], len(chosen)
    if count:
        title = f"Fix {count} {'finding' if count == 1 else 'findings'} (safe fixes of regpress-lint)"
        yield types.CodeAction(title=title, kind=FIX_ALL, edit=_edit(look, edits, encoding))


# ---------------------------------------------------------------------------------------------------- suppressions


def _suppressions(
    look: Look, diagnostic: Diagnostic, as_shown: types.Diagnostic, encoding: Encoding
) -> Iterator[types.CodeAction]:
    source = look.source
    line = diagnostic.location.start.line
    text = source.line_text(line)
    if not (line > 1 and look.source.line_text(line - 1).endswith("\\")):  # a comment would end the macro's definition
        indent = text[: len(text) - len(text.lstrip())]
        yield _insertion(
            look,
            f"Silence {diagnostic.code} on this line",
            source.line_span(line).start if line > 1 else source.text_start,
            f"{indent}// regpress: ignore[{diagnostic.code}]\n",
            as_shown,
            encoding,
        )
    yield _insertion(
        look,
        f"Silence {diagnostic.code} in this file",
        source.text_start,
        f"// regpress: ignore-file[{diagnostic.code}]\n",
        as_shown,
        encoding,
    )


def _insertion(
    look: Look, title: str, offset: int, text: str, as_shown: types.Diagnostic, encoding: Encoding
) -> types.CodeAction:
    edit = types.TextEdit(range_of(look.source, Span(offset, offset), encoding), text)
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[as_shown],
        edit=types.WorkspaceEdit(changes={look.text.uri: [edit]}),
    )
