"""SARIF 2.1.0 for code scanning.

Section numbers are those of the OASIS standard (Errata 01); limits are those that GitHub publishes for uploads:
25,000 results a run, 1,000 locations a result, 1,024 characters of a rule's descriptions.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote_from_bytes

from regpress_lint import __version__
from regpress_lint.core.diagnostics import PROMISES, Diagnostic, Location, Report, ResolvedFix, RuleInfo, Severity
from regpress_lint.render import Options, is_absolute, repository_path
from regpress_lint.render.services import fingerprints
from regpress_lint.render.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.source import Position


Level = Literal["error", "warning", "note"]
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 25_000
MAX_LOCATIONS = 1_000
MAX_DESCRIPTION = 1_024
TAGS = ("gpu", "performance", "register-pressure")
INTERNAL_ERROR = "RP009"
_LEVELS: Mapping[Severity, Level] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.HINT: "note",
}


def render_sarif(report: Report, options: Options) -> Iterator[str]:
    """One log with one run, pure ASCII, one result a line."""
    rules = _rules(report)
    indices = {rule.code: index for index, rule in enumerate(rules)}
    shown = _most_severe(report.diagnostics)
    run = json.dumps(_run(report, rules, options.root, len(report.diagnostics) - len(shown)))
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [\n{run[:-1]}, "results": ['
    separator, proofs = "\n", report.extra.get("proofs")
    for diagnostic, fingerprint in zip(shown, fingerprints(shown, options), strict=True):
        result = _result(diagnostic, indices[diagnostic.code], fingerprint, options)
        if isinstance(proofs, dict) and diagnostic.place in proofs:
            result["properties"] = {**_properties(diagnostic), "compiler": proofs[diagnostic.place]}
        yield separator + json.dumps(result)
        separator = ",\n"
    yield "\n]}]}\n"


def _most_severe(diagnostics: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    if len(diagnostics) <= MAX_RESULTS:
        return diagnostics
    worst = sorted(diagnostics, key=lambda diagnostic: (-diagnostic.severity, diagnostic.sort_key))[:MAX_RESULTS]
    return sorted(worst, key=lambda diagnostic: diagnostic.sort_key)


def _rules(report: Report) -> list[RuleInfo]:
    """The rules that results name, in the order of their codes: the pages of all others would be most of the file."""
    infos = {rule.code: rule for rule in report.rules}
    named = {
        diagnostic.code: RuleInfo(diagnostic.code, diagnostic.name, diagnostic.name, diagnostic.url)
        for diagnostic in report.diagnostics
    }
    return [infos.get(code, named[code]) for code in sorted(named)]


def _run(report: Report, rules: Sequence[RuleInfo], root: str | None, left_out: int) -> dict[str, object]:
    base: dict[str, object] = {
        "description": {"text": "The root of the repository, else the folder that was linted from."}
    }
    if root is not None:
        base["uri"] = _file_uri(f"{root.rstrip('/')}/")
    failed = bool(report.problems) or any(diagnostic.code == INTERNAL_ERROR for diagnostic in report.diagnostics)
    notes = [_notification(problem, "error") for problem in report.problems]
    if left_out:
        notes.append(_notification(f"{left_out} less severe results left out: GitHub takes {MAX_RESULTS}", "warning"))
    return {
        "tool": {
            "driver": {
                "name": "regpress-lint",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": "https://regpress-lint.readthedocs.io/",
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "automationDetails": {"id": "regpress-lint/"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"SRCROOT": base},
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": notes}],
    }


def _notification(text: str, level: Level) -> dict[str, object]:
    return {"level": level, "message": {"text": _plain(_sentence(text))}}


def _rule(rule: RuleInfo) -> dict[str, object]:
    """A rule as the log lists it, with its whole page, once: who does not read Markdown gets the link."""
    summary = _sentence(well_formed(rule.summary) or rule.name)
    brief = f"{summary} See {rule.url}" if rule.url else summary
    documentation = well_formed(rule.documentation) or brief
    introduction = re.split(r"(?m)^#+ ", documentation, maxsplit=1)[0].strip()
    descriptor: dict[str, object] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _shorten(summary)},
        "fullDescription": {"text": _shorten(_sentence(introduction) if introduction else summary)},
        "help": {"text": brief, "markdown": documentation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": list(TAGS),
            "precision": rule.precision,
            "problem.severity": "recommendation" if rule.severity < Severity.WARNING else rule.severity.label,
        },
    }
    return {**descriptor, "helpUri": rule.url} if rule.url else descriptor


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 3]}..."


def _sentence(text: str) -> str:
    """The text with a capital letter, unless it begins with a name of the code, and a full stop."""
    text = text.rstrip()
    first = text.partition(" ")[0].rstrip(",:;.")
    if first.islower() and first.replace("-", "").isalpha() and first.isascii():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _plain(text: str) -> str:
    """Message text in which nothing is taken for a link (3.11.6): a lambda `[=](1)` has the form of one."""
    text = well_formed(text)
    return re.sub(r"([\\\[\]])", r"\\\1", text) if "](" in text else text


def _properties(diagnostic: Diagnostic) -> dict[str, object]:
    return {"severity": diagnostic.severity.label, "targets": [well_formed(t) for t in diagnostic.targets]}


def _result(diagnostic: Diagnostic, index: int, fingerprint: str, options: Options) -> dict[str, object]:
    related = diagnostic.related[: MAX_LOCATIONS - 1]
    text = _plain(_sentence(diagnostic.message))
    if diagnostic.help:
        text += f" {_plain(_sentence(diagnostic.help))}"
    if related:
        links = (f"[{_link_text(note.message)}]({number})" for number, note in enumerate(related, 1))
        text += f" See {', '.join(links)}."
    location = _location(diagnostic.location, options)
    if diagnostic.kernel:
        location["logicalLocations"] = [{"name": well_formed(diagnostic.kernel), "kind": "function"}]
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:1"},
        "properties": _properties(diagnostic),
    }
    if related:
        result["relatedLocations"] = [
            {"id": number, **_location(note.location, options), "message": {"text": _plain(_sentence(note.message))}}
            for number, note in enumerate(related, 1)
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.fix, diagnostic.location.path, options)]
    return result


def _link_text(text: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", well_formed(text).rstrip("."))


def _location(location: Location, options: Options) -> dict[str, object]:
    region = _region(location.start, location.end)
    return {"physicalLocation": {"artifactLocation": _artifact(location.path, options), "region": region}}


def _region(start: Position, end: Position) -> dict[str, int]:
    return {"startLine": start.line, "startColumn": start.utf16, "endLine": end.line, "endColumn": end.utf16}


def _artifact(path: str, options: Options) -> dict[str, object]:
    relative = repository_path(path, options)
    if is_absolute(relative):
        return {"uri": _file_uri(relative)}
    return {"uri": _quote(relative), "uriBaseId": "SRCROOT"}


def _file_uri(path: str) -> str:
    if re.match(r"[A-Za-z]:/", path):
        return f"file:///{path[0]}:{_quote(path[2:])}"
    return f"file://{_quote('/' + path.lstrip('/'))}"


def _quote(path: str) -> str:
    # Colons too: in the first segment of a relative reference one would end a scheme.
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a UTF-16 pair: possible on Windows only
        raw = well_formed(path).encode()
    return quote_from_bytes(raw, safe="/")


def _fix(fix: ResolvedFix, path: str, options: Options) -> dict[str, object]:
    replacements = [
        {"deletedRegion": _region(edit.start, edit.end), "insertedContent": {"text": well_formed(edit.text)}}
        for edit in fix.edits
    ]
    return {
        "description": {"text": f"{_plain(fix.title)} ({PROMISES[fix.applicability]})."},
        "artifactChanges": [{"artifactLocation": _artifact(path, options), "replacements": replacements}],
    }
