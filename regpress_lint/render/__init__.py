"""What commands share to show their results: formats of a report (pure functions from a report to text, each module
imported on first use), the terminal, columns.
"""

from __future__ import annotations

from importlib import import_module

from regpress_lint.core.diagnostics import Report, Severity, joined
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.render.terminal import DEFAULT_HEIGHT, DEFAULT_WIDTH, Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


# Formats of a report, and the modules here with their functions `render_NAME`.
_MODULES = {
    "full": "text",
    "concise": "text",
    "summary": "text",
    "json": "json",
    "jsonl": "json",
    "github": "services",
    "gitlab": "services",
    "sarif": "sarif",
    "rdjson": "services",
    "rdjsonl": "services",
    "checkstyle": "xml",
    "junit": "xml",
    "markdown": "markdown",
}
NAMES = tuple(_MODULES)
_PEOPLE = ("full", "summary", "concise")  # for programs each kernel has a finding of its own
SEVERITY_STYLES: Mapping[Severity, Style] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    Severity.HINT: "hint",
}


class Options(NamedTuple):
    """Information for a format about the destination of its text.

    color: ANSI colours (`full`, `summary`, `concise`). links: OSC 8 hyperlinks (`full`, `summary`). width: cells of a
    terminal line (`full`, `summary`). height: lines of a screen (`summary`).
    root: absolute path, forward slashes, of the folder that paths are shown relative to in formats for machines that
    know the repository; None if the paths are relative to it already and the output shall not depend on where it was
    made. folder: the absolute path that relative paths start from, `root` by default. prefix: what such a format puts
    before a relative path. unsafe: whether fixes count that are not safe. quiet: findings without their counts and
    without words on where more is said (`full`, `summary`). brief: of many kernels that are not known whole only some,
    and the number of the others (`full`).
    """

    color: bool = False
    links: bool = False
    width: int = DEFAULT_WIDTH
    root: str | None = None
    folder: str | None = None
    prefix: str = ""
    unsafe: bool = False
    height: int = DEFAULT_HEIGHT
    quiet: bool = False
    brief: bool = False


def render(name: str, report: Report, options: Options | None = None, **changes: Any) -> Iterator[str]:
    """Text of a report in pieces, each of whole lines with their newline; joined, they are the output.

    `name` is one of `NAMES`, else ValueError; `changes` are fields of `Options`. Every piece can be encoded as UTF-8,
    whatever the paths hold.
    """
    if name not in NAMES:
        raise ValueError(f"unknown output format {name!r}; known: {', '.join(NAMES)}")
    if name in _PEOPLE:
        report = replace(report, diagnostics=joined(report.diagnostics))
    module = import_module(f"{__name__}.{_MODULES[name]}")
    pieces: Iterator[str] = getattr(module, f"render_{name}")(report, (options or Options())._replace(**changes))
    return pieces


def repository_path(path: str, options: Options) -> str:
    """A path as it is called in the repository: relative to `options.root` if it is below it, with the prefix.

    Other paths are absolute: `..` would mean another place for every reader.
    """
    from posixpath import join, normpath

    path = normpath(path)
    if options.root is not None:
        root = normpath(options.root).rstrip("/") + "/"
        absolute = path if is_absolute(path) else normpath(join(options.folder or root, path))
        path = absolute.removeprefix(root)
    return path if is_absolute(path) or not options.prefix else join(options.prefix, path)


def is_absolute(path: str) -> bool:
    """True for a path with forward slashes that starts at a root or a drive."""
    return path.startswith("/") or (path[1:3] == ":/" and path[0].isalpha())
