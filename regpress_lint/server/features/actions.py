"""Actions of the editor at a finding: its fix, a comment that silences it, the rule's page; and all safe fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.core import fixes
from regpress_lint.core.diagnostics import PROMISES
from regpress_lint.core.source import Span
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.server.features.page_commands import EXPLAIN
from regpress_lint.server.features.shown_findings import diagnostics
from regpress_lint.server.positions import offset_of, range_of, to_client

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.core.diagnostics import Diagnostic, ResolvedEdit
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding

FIX_ALL = "source.fixAll.regpress-lint"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)


def actions(look: Look, where: types.Range, only: Iterable[str] | None, encoding: Encoding) -> list[types.CodeAction]:
    """Actions at a range; `only` has the requested kinds, None for all."""
    wanted = tuple(only) if only is not None else None
    found: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, wanted):
        found += _at_findings(look, where, encoding)
    if _is_wanted(FIX_ALL, wanted):
        found += _fix_all(look, encoding)
    return found


def _is_wanted(kind: str, wanted: tuple[str, ...] | None) -> bool:
    """Kinds are paths: `source.fixAll` includes `source.fixAll.regpress-lint`."""
    return wanted is None or any(not each or kind == each or kind.startswith(f"{each}.") for each in wanted)


def _at_findings(look: Look, where: types.Range, encoding: Encoding) -> Iterator[types.CodeAction]:
    start, end = (offset_of(look.source, place, encoding) for place in (where.start, where.end))
    shown = zip(look.diagnostics, diagnostics(look, encoding), strict=True)
    here = [pair for pair in shown if pair[0].location.start.byte <= end and start <= pair[0].location.end.byte]
    for found, as_shown in here:
        if found.fix is not None and found.fix.edits:
            safe, kind = found.fix.applicability == "safe", found.fix.applicability
            yield types.CodeAction(
                title=f"{found.code}: {found.fix.title}{'' if safe else f' ({PROMISES[kind]})'}",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[as_shown],
                is_preferred=safe or None,
                edit=_edit(look, found.fix.edits, encoding),
            )
    for found, as_shown in here:
        if found.code != INTERNAL_ERROR:
            yield from _suppressions(look, found, as_shown, encoding)
    for code in dict.fromkeys(found.code for found, _ in here):
        yield types.CodeAction(
            title=f"Explain {code}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[as_shown for found, as_shown in here if found.code == code],
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
    own = (found for found in look.diagnostics if found.location.path == look.text.path)
    wanted = [fix for each in fixes.collect(own).values() for fix in each]
    made = fixes.chosen(look.source.data, wanted)
    edits, count = [edit for fix in made for edit in fix.edits], len(made)
    if count:
        title = f"Fix {count} {'finding' if count == 1 else 'findings'} (safe fixes of regpress-lint)"
        yield types.CodeAction(title=title, kind=FIX_ALL, edit=_edit(look, edits, encoding))


# ---------------------------------------------------------------------------------------------------- suppressions


def _suppressions(
    look: Look, found: Diagnostic, as_shown: types.Diagnostic, encoding: Encoding
) -> Iterator[types.CodeAction]:
    source = look.source
    line = found.location.start.line
    text = source.line_text(line)
    if not _in_macro(look, line):  # a comment would end the macro's definition
        indent = text[: len(text) - len(text.lstrip())]
        yield _insertion(
            look,
            f"Silence {found.code} on this line",
            source.line_span(line).start if line > 1 else source.text_start,
            f"{indent}// regpress: ignore[{found.code}]\n",
            as_shown,
            encoding,
        )
    yield _insertion(
        look,
        f"Silence {found.code} in this file",
        source.text_start,
        f"// regpress: ignore-file[{found.code}]\n",
        as_shown,
        encoding,
    )


def _in_macro(look: Look, line: int) -> bool:
    return line > 1 and look.source.line_text(line - 1).endswith("\\")


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
