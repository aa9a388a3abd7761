"""The command line's grammar: the commands, options that several share, and messages about wrong arguments.

One function per command declares its arguments, in `source_grammar` and `other_grammar`; what a command does is in
`commands`, in the module or the folder of its name.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from regpress_lint import __version__
from regpress_lint.core.errors import UsageError, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


EPILOG = "Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use or internal error."


def paths(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    parser.add_argument("--stdin-filename", metavar="PATH", help="name that standard input is treated as")


def configuration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs: gfx90a,sm_90 (default: by language)")
    parser.add_argument("--block-size", metavar="N", help="threads per block if the source does not say (default: 256)")
    group = parser.add_argument_group("files and configuration")
    group.add_argument("--exclude", metavar="GLOB", action="append", help="leave out files and folders that match")
    group.add_argument("--force-exclude", action="store_true", help="--exclude holds for files named here too")
    group.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    defines(group)
    compilation(group)
    group.add_argument("--max-file-bytes", metavar="N", help="leave out larger files (default: 4194304)")
    configuration_file(group)
    group.add_argument("-j", "--jobs", metavar="N", help="processes (default: one per core, none for small runs)")
    group.add_argument("--no-cache", action="store_true", help="use no answers of earlier runs and keep none")
    cache_folder(group)


def defines(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "-D",
        "--define",
        dest="defines",
        metavar="NAME[=VALUE]",
        action="append",
        help="a macro that only the build defines, as compilers take it",
    )


def compilation(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "-p", "--build-dir", metavar="BUILD_DIR", help="folder of compile_commands.json (default: beside configuration)"
    )
    parser.add_argument("--semantic", metavar="auto|off|on", help="use libclang (auto: with compile commands)")
    parser.add_argument("--semantic-seconds", metavar="N", help="seconds libclang may use per file (default: 10)")


def rules(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options that decide which findings are shown."""
    group = parser.add_argument_group("rules")
    group.add_argument(
        "--select", metavar="RULES", action="append", help="only these: codes, prefixes or names, with commas"
    )
    group.add_argument("--extend-select", metavar="RULES", action="append", help="these too; shows all their findings")
    group.add_argument("--ignore", metavar="RULES", action="append", help="not these")
    group.add_argument(
        "--per-file-ignores", metavar="GLOB:RULES", action="append", help="not these for files that match"
    )
    group.add_argument(
        "--severity", metavar="RULE:LEVEL", action="append", help="give all findings of these rules this severity"
    )
    group.add_argument("--profile", metavar="default|strict", help="strict shows hints too")
    group.add_argument("--min-severity", metavar="LEVEL", help="lowest severity shown: error, warning, info or hint")
    group.add_argument(
        "--low-occupancy", metavar="FRACTION", help="report occupancy at or below this share (default: 0.25)"
    )
    group.add_argument(
        "--block-size-gain", metavar="FRACTION", help="waves another block size must gain to be named (default: 0.25)"
    )
    baseline_file(group)
    group.add_argument(
        "--no-baseline", dest="baseline", action="store_const", const="", help="report known findings, too"
    )
    return group


def text_or_json(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default) or json")


def baseline_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--baseline", metavar="FILE", help="known findings (default: the nearest regpress-baseline.toml)"
    )


def configuration_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--config", metavar="FILE", help="use this configuration file, not the nearest")
    parser.add_argument("--isolated", action="store_true", help="ignore configuration files")


def cache_folder(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--cache-dir", metavar="DIR", help="where answers are kept (default: in the user's folder for caches)"
    )


def compilers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compiling")
    group.add_argument(
        "-p", "--build-dir", metavar="BUILD_DIR", help="folder of compile_commands.json: flags, or all files"
    )
    group.add_argument(
        "-I", "--include-dirs", metavar="DIR", action="append", help="for sources without a compile command"
    )
    limits(group)
    group.add_argument("-j", "--jobs", metavar="N", default="2", help="compilers at once (default: 2)")


def limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--compiler", metavar="PATH", action="append", help="hipcc, clang++, nvcc or ocloc (default: on PATH)"
    )
    group.add_argument(
        "--trust-project-compilers",
        action="store_true",
        help="run the compilers that the project's configuration names, too",
    )
    group.add_argument("--seconds", metavar="N", default="300", help="what one file may take (default: 300)")


def verbose(parser: argparse._ActionsContainer) -> None:
    """The part of an internal error that is shown."""
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")


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
_FOLDERS = frozenset(("check", "kernels", "pressure", "occupancy", "measure", "verify", "diff"))  # of several files
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


def module_of(command: str) -> str:
    """The module whose `run` does a command."""
    if command == "server":
        return "regpress_lint.server.command"
    return f"regpress_lint.commands.{command}{'.command' if command in _FOLDERS else ''}"


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
