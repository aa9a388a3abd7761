"""`regpress-lint diff`: how registers, scratch, waves and findings of kernels moved between two trees.

`diff BASE HEAD --measured` compares compilers' numbers of two builds.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import check_rules, complain, run_context
from regpress_lint.cli.measured import measured
from regpress_lint.cli.parser import format_of, write_json
from regpress_lint.commands.diff.changes import changes
from regpress_lint.commands.diff.revisions import Tree, commit_of, extracted, gpu_files, side, unreached
from regpress_lint.commands.measure import ratchet
from regpress_lint.config.options import WrongValueError, whole
from regpress_lint.core.errors import UsageError
from regpress_lint.core.reading import relative
from regpress_lint.lint import git
from regpress_lint.measured.ratchet import compared, taken

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.commands.diff.changes import Changes
    from regpress_lint.core.measured import Row
    from regpress_lint.measured.ratchet import Taken


def run_measured(arguments: argparse.Namespace, context: Context, name: str) -> int:
    """Exit status: 1 with --exit-code if a kernel takes more. Raises UsageError."""
    if arguments.head is None:
        raise UsageError("diff --measured needs two files, BASE and HEAD")
    sides: list[list[Taken]] = []
    for path in (arguments.base, arguments.head):
        reading = measured((path,), context.settings.architectures)
        complain(reading.problems, "warning")
        sides.append(taken(reading.rows, context.settings.assumed_block_size, _file))
    moves = compared(*sides)
    if name == "json":
        write_json(ratchet.document(moves, arguments.base, arguments.head))
    elif name == "markdown":
        sys.stdout.writelines(ratchet.markdown(moves))
    else:
        from regpress_lint.render.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(ratchet.text(moves, palette, line_width(sys.stdout, os.environ)))
    return int(bool(arguments.exit_code) and any(move.verdict == "worse" for move in moves))


def _file(row: Row) -> str:
    """The file of a row, without folders: two builds are rarely in the same place."""
    return (row.path or row.unit or "").replace("\\", "/").rpartition("/")[2]


FORMATS = ("text", "json", "markdown")
DEFAULT_THRESHOLD = 2  # registers: less is within the noise of the model
_MOST_NAMED = 5  # files in a message


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"{parser.description}. A revision is read through git into a private folder; no checkout is "
        "touched. Files and folders behind -- narrow the comparison: `diff main -- src`."
    )
    parser.epilog = "Exit status: 0, 1 with --exit-code if a kernel is worse, 2 wrong use or internal error."
    parser.add_argument("base", metavar="BASE", help="git revision or folder; with --measured a file")
    parser.add_argument("head", metavar="HEAD", nargs="?", help="the same (default: the work tree)")
    options.switch(
        parser,
        "--measured",
        "BASE and HEAD are numbers of compilers: JSON of `measure`, logs or objects; no source is read",
    )
    options.switch(parser, "--exit-code", "exit 1 if a kernel is worse")
    options.repeated(parser, "--kernel", "GLOB", "only these kernels (repeatable)")
    options.switch(parser, "--only-worse", "only kernels that are worse")
    options.value(
        parser, "--threshold", "N", "registers by which an estimate must move to count by itself (default: 2)"
    )
    options.configuration(parser)
    options.value(parser, "--output-format", "NAME", "text (default), json or markdown", default="text")


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `diff`: 1 with --exit-code if a kernel is worse. Raises UsageError."""
    name = format_of(arguments.output_format, FORMATS)
    arguments.output_format = None
    arguments.paths = []
    context = run_context(arguments)
    if arguments.measured and arguments.within:
        raise UsageError("diff --measured compares two files of numbers: paths behind -- are for sources")
    if arguments.measured:
        return run_measured(arguments, context, name)
    check_rules([context.whole])
    threshold = _threshold(arguments.threshold)
    with ExitStack() as stack:
        base, head = (_tree(stack, revision) for revision in (arguments.base, arguments.head))
        wanted = _below(arguments.within, base, head)
        compared, problems, names = _compared(context, base, head, threshold, wanted)
    unmatched = [glob for glob in arguments.kernel or () if not any(fnmatchcase(name, glob) for name in names)]
    compared = compared.narrowed(tuple(arguments.kernel or ()), only_worse=arguments.only_worse)
    _write(compared, name, arguments.base, arguments.head or "working tree")
    if compared.unseen:
        complain([_no_kernel(compared.unseen)], "warning")
    elif unmatched:
        complain((f'no kernel that a change reaches is called "{glob}"' for glob in unmatched), "warning")
    complain(dict.fromkeys(problems))
    if problems or (arguments.exit_code and compared.unseen):
        return 2
    return int(bool(arguments.exit_code and compared.worse))


def _threshold(text: str | None) -> int:
    """Registers by which an estimate must move to be shown by itself. Raises UsageError for no whole number."""
    if text is None:
        return DEFAULT_THRESHOLD
    try:
        return whole(0, 512)(text)
    except WrongValueError as error:
        raise UsageError(f"--threshold: {error}") from None


def _no_kernel(files: Sequence[str]) -> str:
    """For changed GPU code that no known kernel reaches."""
    shown = ", ".join(files[:_MOST_NAMED]) + (
        f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
    )
    return (
        f"no kernel found that {shown} could change: {'it holds' if len(files) == 1 else 'they hold'} GPU code that "
        "nothing here launches; compare a tree with its launches"
    )


def _tree(stack: ExitStack, named: str | None) -> Tree:
    """The folder of a side: itself, a commit's sources, or the work tree."""
    if named is not None and os.path.isdir(named):
        folder = os.path.abspath(named)
        return Tree(folder, folder)
    if (bare := git.bare(".")) is not None:
        revision = named or "HEAD"
        full_name = git.commit(bare, revision)
        if full_name is None:
            raise UsageError(f'git does not know the revision "{revision}" here')
        folder = stack.enter_context(extracted(bare, full_name))
        return Tree(folder, folder)
    top, commit = commit_of(named or "HEAD")
    if named is None:
        return Tree(top, top)
    return Tree(stack.enter_context(extracted(top, commit)), top)


def _below(paths: Sequence[str], base: Tree, head: Tree) -> Callable[[str], bool]:
    """Whether a file, by its path in its tree, is one of those named after `--`, or below one of them; without
    names every file is. Raises UsageError for a name that is in neither tree.
    """
    if not paths:
        return lambda _: True
    top = git.top(".")
    if top is None or head.home != top:
        named = [os.path.normpath(path) for path in paths]
    else:
        named = [relative(os.path.realpath(path), os.path.realpath(top)) for path in paths]
    for argument, path in zip(paths, named, strict=True):
        if not any(os.path.lexists(os.path.join(tree.folder, path)) for tree in (base, head)):
            raise UsageError(f'no such file or folder in this comparison: "{argument}"')
    inside = [path.replace(os.sep, "/") for path in named]
    return lambda path: any(prefix in (".", path) or path.startswith(f"{prefix}/") for prefix in inside)


def _compared(
    context: Context, base: Tree, head: Tree, threshold: int, wanted: Callable[[str], bool]
) -> tuple[Changes, list[str], set[str]]:
    """The differences, the errors, and the names of the compared kernels. Files that no change reaches are
    not analysed at all.
    """
    same = unreached(base, head)
    after, problems = side(context, head, lambda path: path not in same and wanted(path))
    before, more = side(context, base, lambda path: path not in same and wanted(path))
    seen = before.kernels or after.kernels
    unseen = [] if seen else [path for path in gpu_files(head) if path not in same and wanted(path)]
    compared = changes(before, after, threshold)._replace(unseen=tuple(unseen))
    return compared, [*problems, *more], {seen.row.name for seen in (*before.kernels, *after.kernels)}


def _write(compared: Changes, name: str, base: str, head: str) -> None:
    if name == "json":
        from regpress_lint.commands.diff.output import document

        write_json(document(compared, base, head))
    elif name == "markdown":
        from regpress_lint.commands.diff.output import markdown as markdown

        sys.stdout.writelines(markdown(compared))
    else:
        from regpress_lint.commands.diff.output import text
        from regpress_lint.render.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(text(compared, palette, line_width(sys.stdout, os.environ)))
