"""The page of `report` and `pressure --html`: one self-contained file of HTML, with nothing from elsewhere.

`data` turns kernels and findings into what the page holds, and makes it small. `page.css` and the scripts beside it go
into it as they are.
"""

from __future__ import annotations

import base64
import hashlib
import pkgutil
from html import escape
from typing import TYPE_CHECKING

from regpress_lint.commands.pressure.data import CAVEAT
from regpress_lint.commands.pressure.page.data import (
    NAMES,
    findings_data,
    index,
    joined,
    packed,
    page_file,
    page_findings,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.commands.pressure.page.data import PageFile, PageFinding, Shown
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.source import Source


_SCRIPTS = ("base.js", "table.js", "curve.js", "kernel.js", "start.js")
_WITHOUT_SCRIPT = "This page draws itself with a small script of its own; it loads nothing from elsewhere."


def page(title: str, files: Sequence[PageFile], findings: Sequence[PageFinding], summary: str = "") -> str:
    """The page, with a newline at its end; it can be encoded as UTF-8 whatever the sources contain.

    Kernels are in the order of the files; findings are those that `check` reports.
    """
    return "".join(_parts(title, files, findings, summary))


def page_of_file(source: Source, shown: Sequence[Shown], diagnostics: Iterable[Diagnostic]) -> str:
    """The page of one file, or of some of its kernels; of the findings those about these kernels and about the file."""
    names = {None, *(kernel.row.name for kernel in shown)}
    findings = page_findings(source.data, (diagnostic for diagnostic in diagnostics if diagnostic.kernel in names))
    return page(f"{source.path}: register pressure", (page_file(source.path, shown),), findings)


def _parts(title: str, files: Sequence[PageFile], findings: Sequence[PageFinding], summary: str) -> Iterator[str]:
    style, script = _own("page.css"), "(async () => {\n'use strict';\n" + "".join(map(_own, _SCRIPTS)) + "})();\n"
    packs = joined(file.packed for file in files)
    head = index(title, files, findings, summary) | {"tones": NAMES, "caveat": CAVEAT}
    head["packs"] = [numbers for numbers, _ in packs]
    # By their hashes: nothing else can run or be fetched here, whatever the sources hold.
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'"
    yield f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(plain(title))}</title>\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<style>{style}</style></head>\n<body><div id=app><noscript>{_WITHOUT_SCRIPT}</noscript></div>\n"
    yield _block("index", packed(head))
    yield _block("findings", packed(findings_data(files, findings)))
    yield from (_block(f"pack-{number}", text) for number, (_, text) in enumerate(packs))
    yield f"<script>{script}</script></body></html>\n"


def _block(name: str, data: str) -> str:
    """Data of letters, digits, `+`, `/` and `=` alone, which can be no markup."""
    return f'<script type="application/octet-stream" id="{name}">{data}</script>\n'


def _own(name: str) -> str:
    data = pkgutil.get_data(__package__ or "", name)  # also out of a zip file
    assert data is not None
    return data.decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
