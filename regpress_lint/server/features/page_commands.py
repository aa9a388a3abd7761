"""Commands: a rule's page, and the page of `pressure`."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from regpress_lint.core.errors import UsageError
from regpress_lint.lint import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import RuleInfo
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.looks import Look
    from regpress_lint.server.workbench import Services

EXPLAIN = "regpress-lint.explain"
PRESSURE = "regpress-lint.pressure"


def explained(word: str) -> RuleInfo | None:
    """The explanation of a rule; None if there is none of that code or name."""
    try:
        return registry.info(word)
    except UsageError:
        return None


def pressure_page(look: Look, services: Services, kernel: str | None) -> str | None:
    """The page of `pressure` of a text, or of one of its kernels; None if there is nothing to show."""
    from regpress_lint.commands.pressure.page.data import Shown
    from regpress_lint.commands.pressure.page.document import page_of_file

    analysis = look.analysis
    assert analysis is not None

    def shown(one: Kernel) -> Iterator[Shown]:
        row = look.row(one)
        if row is not None:
            yield Shown(row.name, row, tuple(services.sections(analysis, one)))

    wanted = [each for each in look.kernels if kernel in (None, each.name)]
    found = analysis.attempt("measuring its pressure", lambda: tuple(each for one in wanted for each in shown(one)))
    return page_of_file(look.source, found, look.diagnostics) if found else None


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
