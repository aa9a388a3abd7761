"""`regpress-lint diff`: how registers, scratch, waves and findings of kernels moved between two trees."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from regpress_lint.cli.compared import Tree, side, unreached
from regpress_lint.cli.context import complain, context
from regpress_lint.cli.parser import write_json
from regpress_lint.cli.selectors import check_rules
from regpress_lint.cli.trees import commit_of, extracted
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.views.changes import Side, changes

if TYPE_CHECKING:
    import argparse

    from regpress_lint.cli.context import Context
    from regpress_lint.views.changes import Changes

FORMATS = ("text", "json", "markdown")


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `diff`: 1 with --exit-code if a kernel is worse. Raises UsageError."""
    name = arguments.output_format
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(f'unknown output format "{name}"{suggestion(name, FORMATS)}; known are {known}')
    arguments.output_format = None
    arguments.paths = []
    here = context(arguments)
    if arguments.measured:
        from regpress_lint.cli import measured_diff

        return measured_diff.run(arguments, here, name)
    check_rules([here.whole])
    with ExitStack() as stack:
        trees = [_tree(stack, given) for given in (arguments.base, arguments.head)]
        found, problems = _compared(here, *trees)
    _write(found, name, arguments.base, arguments.head or "working tree")
    complain(dict.fromkeys(problems))
    return 2 if problems else int(bool(arguments.exit_code and found.worse))


def _tree(stack: ExitStack, given: str | None) -> Tree:
    """The folder of a side: itself, a commit's sources, or the work tree."""
    if given is not None and os.path.isdir(given):
        folder = os.path.abspath(given)
        return Tree(folder, folder)
    top, commit = commit_of(".", given or "HEAD")
    if given is None:
        return Tree(top, top)
    return Tree(stack.enter_context(extracted(top, commit)), top)


def _compared(here: Context, base: Tree, head: Tree) -> tuple[Changes, list[str]]:
    """What differs, and what went wrong. A file that nothing has reached is looked at once, for both."""
    after, problems = side(here, head)
    same = unreached(base, head)
    before, more = side(here, base, lambda path: path not in same)
    kernels = (*before.kernels, *(seen for seen in after.kernels if seen.row.path in same))
    findings = (*before.diagnostics, *(each for each in after.diagnostics if each.location.path in same))
    return changes(Side(kernels, findings), after), [*problems, *more]


def _write(found: Changes, name: str, base: str, head: str) -> None:
    if name == "json":
        from regpress_lint.formats.changes_json import document

        write_json(document(found, base, head))
    elif name == "markdown":
        from regpress_lint.formats.changes_markdown import render as markdown

        sys.stdout.writelines(markdown(found))
    else:
        from regpress_lint.formats.changes_text import render
        from regpress_lint.formats.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(render(found, palette, line_width(sys.stdout, os.environ)))
