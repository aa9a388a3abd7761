"""Output formats: pure functions from a report to text. A format's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.diagnostics import Report, Severity
from regpress_lint.formats.terminal import DEFAULT_WIDTH, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAMES = ("full", "concise", "json", "github", "sarif")
SEVERITY_STYLES: Mapping[Severity, Style] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    Severity.HINT: "hint",
}


class Options(NamedTuple):
    """What a format may be told about where its text goes.

    color: ANSI colours (`full`, `concise`). links: OSC 8 hyperlinks (`full`). width: cells of a terminal line (`full`).
    root: absolute path, forward slashes, of the folder that paths are shown relative to (`github`, `sarif`);
    None if the paths are relative to it already and the output shall not depend on where it was made.
    """

    color: bool = False
    links: bool = False
    width: int = DEFAULT_WIDTH
    root: str | None = None


def render(
    name: str,
    report: Report,
    *,
    color: bool = False,
    links: bool = False,
    width: int = DEFAULT_WIDTH,
    root: str | None = None,
) -> Iterator[str]:
    """Text of a report in pieces, each of whole lines with their newline; joined, they are the output.

    `name` is one of `NAMES`, else ValueError. Every piece can be encoded as UTF-8, whatever the paths hold.
    """
    if name not in NAMES:
        raise ValueError(f"unknown output format {name!r}; known: {', '.join(NAMES)}")
    module = import_module(f"{__name__}.{name}")
    pieces: Iterator[str] = module.render(report, Options(color, links, width, root))
    return pieces


def relative_path(path: str, root: str | None) -> str:
    """`path` without `./` and `//`, and relative to `root` if it lies below it."""
    from posixpath import normpath

    path = normpath(path)
    if root is None:
        return path
    prefix = normpath(root).rstrip("/") + "/"
    return path.removeprefix(prefix)
