"""The command line's grammar: the commands, and messages about wrong arguments.

The arguments and the work of a command are in `commands`, in the module or the folder of its name.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from itertools import pairwise

from regpress_lint import __version__
from regpress_lint.core.errors import UsageError, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, NoReturn

# argparse asks gettext for a translation of its words, which reads the locale and looks for catalogues: a twentieth of
# a run in which nothing has changed, for words that stand among English ones. Where nobody has imported either before,
# it gets two functions that translate nothing.
if TYPE_CHECKING or {"argparse", "gettext"} & sys.modules.keys():
    import argparse
else:
    from types import ModuleType

    _plain = ModuleType("gettext")
    _plain.gettext = str
    _plain.ngettext = lambda one, many, number: one if number == 1 else many
    sys.modules["gettext"] = _plain
    try:
        import argparse
    finally:
        del sys.modules["gettext"]

EPILOG = "Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use or internal error."
# The commands as help lists them.
COMMANDS = {
    "check": "find smells (the default command)",
    "kernels": "one row per kernel: registers, scratch, LDS, block size, occupancy, limiter, next step",
    "pressure": "the source with the live registers beside every line, and the live values at the peak",
    "report": "one page for a repository: kernels, live registers, occupancy curves, findings with their fixes",
    "occupancy": "occupancy of a kernel by its resources, with the table of register steps",
    "measure": "registers and memory of kernels as compilers report them: from builds, sources, logs, assembly and "
    "objects",
    "verify": "compile the code before and after each fix, for each target, and say which fixes pay",
    "rule": "explain a rule, or list them all",
    "targets": "the GPUs that are known, with their limits",
    "baseline": "record known findings, so that only new ones are reported",
    "diff": "how registers, scratch, waves and findings of kernels changed between two revisions or folders",
    "server": "language server for editors, on standard input and output",
    "cache": "answers kept from earlier runs: show where they are, or delete them",
    "completion": "a script that completes commands, options and their values in a shell",
    "ir": "a kernel's graph of values after a pass, for work on this tool; its form may change",
}
_FOLDERS = frozenset(("check", "kernels", "pressure", "occupancy", "measure", "verify", "diff"))  # of several files
_COLOURED = frozenset(("check", "pressure", "occupancy", "rule", "baseline", "diff"))
_VERSION = ("-V", "--version")


class _Parser(argparse.ArgumentParser):
    """One line for an error, without the usage, which hides it; options must be written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Formatter, **options})

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        action = super().add_argument(*names, **options)
        if action.nargs in (argparse.ZERO_OR_MORE, argparse.REMAINDER):
            action.required = False  # else argparse asks for words that may be left out
        return action

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version; argparse itself is silent where they cannot be written."""
        if message:
            (file or sys.stdout).write(message)


class _Formatter(argparse.HelpFormatter):
    """Wide enough that most options stay on one line."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        readable = columns.isascii() and columns.isdigit() and len(columns) <= 9  # "²" is a digit to isdigit alone
        width = int(columns) if readable and int(columns) > 40 else 110
        super().__init__(prog, max_help_position=32, width=min(width, 120))


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Arguments of a command; `check` is meant where none is named. Raises UsageError; --help and --version exit."""
    words = list(argv)
    first = words[0] if words else ""
    if first in _VERSION and {"-v", "--verbose"} & {*words[1:]}:
        return argparse.Namespace(command="version")
    if first not in (*COMMANDS, "-h", "--help", *_VERSION):
        _refuse_slip(first)
        words.insert(0, "check")
    parser, subparsers = _build([words[0]] if words[0] in COMMANDS else ())
    within: list[str] = []
    if words[0] == "diff":
        words, within = _behind_dashes(words)
    arguments, unknown = parser.parse_known_args(words)
    if words[0] == "diff":
        arguments.within = within
    if unknown and not _taken(arguments, unknown, subparsers[arguments.command]):
        options = [option for action in subparsers[arguments.command]._actions for option in action.option_strings]
        word = unknown[0].partition("=")[0]
        near = (
            suggestion(word, [option for option in options if option.startswith("--")]) if word.startswith("--") else ""
        )
        raise UsageError(f'unknown argument "{unknown[0]}"{near}')
    return arguments


def _behind_dashes(words: list[str]) -> tuple[list[str], list[str]]:
    """Words of `diff`, and the paths behind `--`, as git has them. A `--` before BASE only ends options."""
    at = words.index("--") if "--" in words else len(words)
    before = words[1:at]
    valued = ("--kernel", "--threshold", "--output-format", *_valued(_build(("diff",))[1]["diff"]))
    named = [word for last, word in pairwise(("", *before)) if not word.startswith("-") and last not in valued]
    return (words[:at], words[at + 1 :]) if named else (words, [])


def _valued(parser: argparse.ArgumentParser) -> list[str]:
    """Options that the next word belongs to."""
    return [option for action in parser._actions if action.nargs is None for option in action.option_strings]


def _taken(arguments: argparse.Namespace, words: list[str], command: argparse.ArgumentParser) -> bool:
    """Whether these are paths behind an option that follows others: argparse takes all of them in one place."""
    paths = next((action for action in command._actions if action.nargs == "*" and not action.option_strings), None)
    if paths is None or any(word.startswith("-") for word in words):
        return False
    before = getattr(arguments, paths.dest)
    setattr(arguments, paths.dest, words if before is paths.default else [*before, *words])
    return True


def _refuse_slip(word: str) -> None:
    """Raise UsageError for a word that is no path and most likely a command's name with a slip in it."""
    if not word or word.startswith("-") or os.path.basename(word) != word or os.path.lexists(word):
        return
    near = suggestion(word, COMMANDS)
    if near and not suggestion(word, _names_here()):
        raise UsageError(f'no such file, folder or command: "{word}"{near}')


def _names_here() -> list[str]:
    try:
        return os.listdir()
    except OSError:  # somebody has deleted the working folder
        return []


def _build(declared: Collection[str]) -> tuple[_Parser, dict[str, argparse.ArgumentParser]]:
    """The grammar with the arguments of these commands, or with the names of all: a command's module is loaded only to
    declare its arguments, and all of them take as long as a warm run.
    """
    parser = _Parser(
        prog="regpress-lint",
        description="Find what makes HIP, CUDA, SYCL and OpenCL kernels take too many registers. `regpress-lint PATHS` "
        "means `regpress-lint check PATHS`.",
        epilog=EPILOG,
    )
    parser.add_argument(
        *_VERSION,
        action="version",
        version=f"regpress-lint {__version__}",
        help="the version; with --verbose engines, tables and plugins too",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    subparsers: dict[str, argparse.ArgumentParser] = {}
    for name in declared or COMMANDS:
        subparsers[name] = commands.add_parser(name, help=COMMANDS[name], description=COMMANDS[name])
        if name in declared:
            import_module(module_of(name)).declare(subparsers[name])
            if name in _COLOURED:
                subparsers[name].add_argument(
                    "--color",
                    metavar="auto|always|never",
                    choices=("auto", "always", "never"),
                    help="colours (default: auto, on a terminal and as NO_COLOR and FORCE_COLOR say)",
                )
    return parser, subparsers


def module_of(command: str) -> str:
    """The module of a command: its `declare` adds its arguments to a parser, its `run` does it."""
    if command == "server":
        return "regpress_lint.server.command"
    return f"regpress_lint.commands.{command}{'.command' if command in _FOLDERS else ''}"


def grammar() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, for who describes the command line."""
    return _build(COMMANDS)[1]


def output_is_json(arguments: argparse.Namespace) -> bool:
    """Whether a command with `text` and `json` shall write json. Raises UsageError for another format."""
    return format_of(arguments.output_format, ("text", "json")) == "json"


def format_of(name: str, known: Sequence[str]) -> str:
    """An output format by its name. Raises UsageError for one that is not known."""
    if name not in known:
        names = f"{', '.join(known[:-1])} and {known[-1]}"
        raise UsageError(f'unknown output format "{name}"{suggestion(name, known)}; known are {names}')
    return name


def write_json(value: object) -> None:
    """Print a JSON document."""
    import json

    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")
