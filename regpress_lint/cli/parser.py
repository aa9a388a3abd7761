"""The command line's grammar: the commands, and messages about wrong arguments.

One function per command declares its arguments, in `source_grammar` and `other_grammar`; what a command does is in the
module of its name.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from regpress_lint import __version__
from regpress_lint.cli.shared_options import EPILOG
from regpress_lint.core.errors import UsageError, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# The commands, as help lists them, and the module that knows their arguments.
COMMANDS = {
    "check": "source_grammar",
    "kernels": "source_grammar",
    "pressure": "source_grammar",
    "report": "source_grammar",
    "occupancy": "other_grammar",
    "measure": "other_grammar",
    "verify": "other_grammar",
    "rule": "other_grammar",
    "targets": "other_grammar",
    "baseline": "source_grammar",
    "diff": "source_grammar",
    "server": "other_grammar",
    "cache": "other_grammar",
    "completion": "other_grammar",
    "ir": "source_grammar",
}
_COLOURED = frozenset(("check", "pressure", "occupancy", "rule", "baseline", "diff"))
_VERSION = ("-V", "--version")


class _Parser(argparse.ArgumentParser):
    """One line for an error, without the usage, which hides it; options must be written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Formatter, **options})

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
        known = columns.isascii() and columns.isdigit() and len(columns) <= 9  # "²" is a digit to isdigit alone
        width = int(columns) if known and int(columns) > 40 else 110
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
    parser, subparsers = _build(words[0])
    within: list[str] = []
    if words[0] == "diff":
        words, within = _behind_dashes(words)
    arguments, unknown = parser.parse_known_args(words)
    if words[0] == "diff":
        arguments.within = within
    if unknown and not _taken(arguments, unknown, subparsers[arguments.command]):
        known = [option for action in subparsers[arguments.command]._actions for option in action.option_strings]
        word = unknown[0].partition("=")[0]
        near = (
            suggestion(word, [option for option in known if option.startswith("--")]) if word.startswith("--") else ""
        )
        raise UsageError(f'unknown argument "{unknown[0]}"{near}')
    return arguments


def _behind_dashes(words: list[str]) -> tuple[list[str], list[str]]:
    """Words of `diff`, and the paths behind `--`, as git has them. A `--` before BASE only ends options."""
    at = words.index("--") if "--" in words else len(words)
    before = words[1:at]
    valued = ("--kernel", "--threshold", "--output-format", *_valued(_build("diff")[1]["diff"]))
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


def _build(command: str) -> tuple[_Parser, dict[str, argparse.ArgumentParser]]:
    """The grammar, of the other commands only where none is named: all of them take as long as a warm run."""
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
    wanted = (command,) if command in COMMANDS else tuple(COMMANDS)
    known = {name: _arguments_of(name)(commands) for name in wanted}
    for name in _COLOURED.intersection(known):
        known[name].add_argument(
            "--color",
            metavar="auto|always|never",
            choices=("auto", "always", "never"),
            help="colours (default: auto, on a terminal and as NO_COLOR and FORCE_COLOR say)",
        )
    return parser, known


def _arguments_of(command: str) -> Callable[[Any], argparse.ArgumentParser]:
    """The function that adds a command's parser; its module is loaded only for that command."""
    found: Callable[[Any], argparse.ArgumentParser] = getattr(
        import_module(f"regpress_lint.cli.{COMMANDS[command]}"), command
    )
    return found


def grammar() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, for who describes the command line."""
    return _build("")[1]


def output_is_json(arguments: argparse.Namespace) -> bool:
    """Whether a command with `text` and `json` shall write json. Raises UsageError for another format."""
    name: str = arguments.output_format
    if name not in ("text", "json"):
        raise UsageError(f'unknown output format "{name}"{suggestion(name, ("text", "json"))}; known are text and json')
    return name == "json"


def write_json(value: object) -> None:
    """Print a JSON document."""
    import json

    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")
