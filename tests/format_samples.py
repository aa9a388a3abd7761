"""The shared set of diagnostics that every format is tested on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from cli_helpers import ROOT

from regpress_lint.core.diagnostics import (
    Applicability,
    Diagnostic,
    Location,
    Related,
    Report,
    ResolvedEdit,
    ResolvedFix,
    RuleInfo,
    Severity,
)
from regpress_lint.core.source import BOM, Position, Source
from regpress_lint.render import render

# Astral plane, byte order mark and CRLF; tabs and wide characters; a minified line; an escape sequence.
LBM = Source("src/lbm.hip", BOM + "__global__ void step() {\r\n  /* 𐐀 */ double a = pow(x, 2.0);\r\n}\r\n".encode())
TILE = Source("src/tile.cu", "\tfor (;;) { // 漢字\n\t\tacc[n] = 界[i]; use(acc);\n\t}\n".encode())
MINIFIED = Source("gen/min.cpp", b"int a;" * 200 + b"volatile float v;" + b"int b;" * 9000 + b"\n")
HOSTILE = Source("src/hostile.hip", b"x = \x1b[31m\x07y\xc2\x9b2J\xff;\xe2\x80\xae z\n")

# Of a file that nobody can read.
NOWHERE = Location("src/wide.cu", Position(1, 1, 1, 1, 0), Position(1, 1, 1, 1, 0), "")


def locate(source: Source, text: str, until: str | None = None) -> Location:
    start = source.data.index(text.encode())
    last = text if until is None else until
    end = source.data.index(last.encode(), start) + len(last.encode())
    return Location(source.path, source.position(start), source.position(end), source.line_text(source.line_of(start)))


def fix_at(location: Location, text: str, title: str, applicability: Applicability) -> ResolvedFix:
    return ResolvedFix(title, applicability, (ResolvedEdit(location.start, location.end, text),))


def sample() -> Report:
    pow_call, tile = locate(LBM, "pow(x, 2.0)"), locate(TILE, "acc[n]")
    volatile = locate(MINIFIED, "volatile float v")
    url = "https://regpress-lint.readthedocs.io/rules/"
    found = (
        Diagnostic(
            code="RP201",
            name="pow-small-exponent",
            severity=Severity.WARNING,
            location=pow_call,
            message="`pow(x, 2.0)` costs 34 VGPRs where `x * x` costs 2",
            kernel="step",
            targets=("gfx90a", "gfx942"),
            help="multiply: the compiler does not do it for a double without -ffast-math, so that the whole of pow, "
            "with its table and its special cases, is inlined at each of these calls",
            url=f"{url}pow-small-exponent",
            fix=fix_at(pow_call, "x * x", "Replace by `x * x`", "safe"),
        ),
        Diagnostic(
            code="RP403",
            name="runtime-indexed-array",
            severity=Severity.WARNING,
            location=tile,
            message="private array `acc` (256 bytes) is indexed at run time",
            kernel="tile<float>",
            targets=("sm_90",),
            help="unroll the loop",
            url=f"{url}runtime-indexed-array",
            related=(
                Related(locate(TILE, "界[i]"), "index [n](1) is read here"),
                Related(locate(LBM, "__global__ void step()"), "kernel starts here"),
            ),
        ),
        Diagnostic(
            code="RP501",
            name="unbounded-unroll",
            severity=Severity.INFO,
            location=locate(TILE, "for", "\t}"),
            message="loop has no bound",
        ),
        Diagnostic(
            code="RP401",
            name="volatile-private",
            severity=Severity.HINT,
            location=volatile,
            message="`v` is volatile",
            fix=fix_at(volatile, "float v", "Drop `volatile`", "unsafe"),
        ),
        Diagnostic(
            code="RP102",
            name="launch-bounds-mismatch",
            severity=Severity.ERROR,
            location=locate(HOSTILE, "y"),
            message="bad \x1b[2J\r\n::error::x",
        ),
        Diagnostic(
            code="RP001",
            name="parse-incomplete",
            severity=Severity.INFO,
            location=NOWHERE,
            message="the file was not linted: it is UTF-16 text",
        ),
    )
    page = "Small powers.\n\nA call for what a product does.\n\n## Why it hurts\n\nRegisters.\n"
    rules = (
        RuleInfo("RP201", "pow-small-exponent", "Small powers.", f"{url}pow-small-exponent", read=lambda: page),
        RuleInfo("RP105", "low-occupancy", "Few waves", "", Severity.INFO, "medium", read=lambda: "Few waves\n"),
    )
    ordered = tuple(sorted(found, key=lambda item: item.sort_key))
    return Report(diagnostics=ordered, files=4, kernels=7, rules=rules, problems=("cannot read `a.hip`",), suppressed=1)


def text_of(name: str, report: Report, **options: Any) -> str:
    return "".join(render(name, report, **options))


def hostile(
    path: str = "a\n::error::b,c:%\udcff\ud800.hip", message: str = "m%0A\r\n::set-output::\x1b]0;t\x07"
) -> Report:
    item = next(item for item in sample().diagnostics if item.related)
    location = item.location._replace(path=path)
    note = Related(location, message)
    return Report(
        diagnostics=(replace(item, location=location, message=message, kernel=message, related=(note,)),),
        files=1,
        kernels=1,
    )


def one(report: Report, **changes: Any) -> Report:
    return replace(report, diagnostics=(replace(report.diagnostics[0], **changes),))


def strict(schema: Any) -> Any:
    """The schema with every object closed: the contract fixes the keys, the published schema leaves room for more."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **closed} if schema.get("type") == "object" else closed


def validate(name: str, document: Any) -> None:
    """Raise an error of jsonschema for a document that has not exactly the form of a published schema."""
    import jsonschema

    found = json.loads((ROOT / "schemas" / f"{name}.v1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    jsonschema.Draft202012Validator(strict(found)).validate(document)
