"""Findings of the page: which kernel each is about, and what its fix changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats.page.packs import plain
from regpress_lint.formats.page.page_data import PageFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.formats.page.page_data import PageFile


def page_findings(data: bytes, diagnostics: Iterable[Diagnostic]) -> tuple[PageFinding, ...]:
    """Findings of a file with these bytes, with what each fix changes."""
    from regpress_lint.core.fixes import apply, unified_diff

    found = []
    for diagnostic in diagnostics:
        fixed = data if diagnostic.fix is None else apply(data, (diagnostic.fix,))[0]
        found.append(PageFinding(diagnostic, unified_diff(diagnostic.location.path, data, fixed)))
    return tuple(found)


def places(files: Sequence[PageFile], findings: Iterable[PageFinding]) -> list[tuple[int, int] | None]:
    """The kernel that each finding is about, as file and number in it; None for one about the file."""
    by_path = {file.path: at for at, file in enumerate(files)}
    found: list[tuple[int, int] | None] = []
    for diagnostic, _ in findings:
        at, line = by_path.get(diagnostic.location.path), diagnostic.location.start.line
        kernels = () if at is None else files[at].kernels
        named = [i for i, entry in enumerate(kernels) if entry.row.name == diagnostic.kernel]
        inside = [i for i in named if kernels[i].row.line <= line <= kernels[i].row.end_line]
        chosen = next(iter(inside or named), None)
        found.append(None if at is None or chosen is None else (at, chosen))
    return found


def findings_data(files: Sequence[PageFile], findings: Sequence[PageFinding]) -> list[dict[str, Any]]:
    """All findings, worst first; `kernel` is the number of the kernel in the index."""
    starts, total = [], 0
    for file in files:
        starts.append(total)
        total += len(file.kernels)
    found = [
        _finding(finding, None if place is None else starts[place[0]] + place[1])
        for finding, place in zip(findings, places(files, findings), strict=True)
    ]
    order = sorted(range(len(found)), key=lambda i: (-findings[i].diagnostic.severity, i))
    return [found[i] for i in order]


def _finding(finding: PageFinding, kernel: int | None) -> dict[str, Any]:
    diagnostic, diff = finding
    location, fix = diagnostic.location, diagnostic.fix
    return {
        "code": plain(diagnostic.code),
        "name": plain(diagnostic.name),
        "severity": diagnostic.severity.label,
        "path": plain(location.path),
        "line": location.start.line,
        "column": location.start.column,
        "text": plain(location.line_text.strip()),
        "kernel": kernel,
        "targets": list(map(plain, diagnostic.targets)),
        "message": plain(diagnostic.message),
        "help": plain(diagnostic.help),
        "url": plain(diagnostic.url),
        "related": [
            [plain(each.location.path), each.location.start.line, plain(each.message)] for each in diagnostic.related
        ],
        "fix": None if fix is None else [plain(fix.title), fix.applicability],
        "diff": [plain(line) for line in diff.split("\n")[2:] if line],
    }
