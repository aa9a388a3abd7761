"""The command line's grammar. One function a subcommand; what they do is in the modules of the same name."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from regpress_lint import __version__
from regpress_lint.core.errors import UsageError, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = (
    "check",
    "kernels",
    "pressure",
    "report",
    "occupancy",
    "measure",
    "verify",
    "rule",
    "targets",
    "baseline",
    "diff",
    "server",
    "cache",
    "completion",
    "ir",
)
_VERSION = ("-V", "--version")
_EPILOG = "Exit status: 0 nothing to report, 1 findings at or above --fail-on, 2 wrong use or internal error."
_GITHUB = (
    "With GITHUB_ACTIONS=true and no format chosen (--output-format, --output or configuration), annotations in the "
    "github format follow the normal text."
)


class _Parser(argparse.ArgumentParser):
    """One line for an error, without the usage that nobody reads; options must be written out."""

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
        words.insert(0, "check")
    parser, subparsers = _build(words[0])
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        known = [option for action in subparsers[arguments.command]._actions for option in action.option_strings]
        word = unknown[0].partition("=")[0]
        near = (
            suggestion(word, [option for option in known if option.startswith("--")]) if word.startswith("--") else ""
        )
        raise UsageError(f'unknown argument "{unknown[0]}"{near}')
    return arguments


def _build(command: str) -> tuple[_Parser, dict[str, argparse.ArgumentParser]]:
    """The grammar, of the other commands only where none is named: all of them take as long as a warm run."""
    parser = _Parser(
        prog="regpress-lint",
        description="Find what makes HIP, CUDA and SYCL kernels take too many registers. `regpress-lint PATHS` means "
        "`regpress-lint check PATHS`.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        *_VERSION,
        action="version",
        version=f"regpress-lint {__version__}",
        help="the version; with --verbose engines, tables and plugins too",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    makers: tuple[Callable[[Any], argparse.ArgumentParser], ...] = (
        _check,
        _kernels,
        _pressure,
        _report,
        _occupancy,
        _measure,
        _verify,
        _rule,
        _targets,
        _baseline,
        _diff,
        _server,
        _cache,
        _completion,
        _ir,
    )
    every = dict(zip(COMMANDS, makers, strict=True))
    wanted = {command: every[command]} if command in every else every
    return parser, {name: maker(commands) for name, maker in wanted.items()}


def grammar() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, for who describes the command line."""
    return _build("")[1]


def _check(commands: Any) -> argparse.ArgumentParser:
    summary = "find smells (the default command)"
    parser: argparse.ArgumentParser = commands.add_parser(
        "check", help=summary, description=f"{summary}. {_GITHUB}", epilog=_EPILOG
    )
    _paths(parser, 'files and folders, default "."; - reads standard input')
    _configuration(parser)
    group = _rules(parser)
    group.add_argument(
        "--fail-on", metavar="LEVEL", help="lowest severity that makes the exit status 1 (default: warning)"
    )
    group.add_argument(
        "--since", metavar="REF", help="only kernels that changed since this branch left REF (body, callees, launch)"
    )
    group.add_argument(
        "--measured",
        metavar="FILE",
        action="append",
        help="compilers' numbers in the place of estimates: JSON of `measure`, a log or an object",
    )
    group.add_argument(
        "--confirmed", metavar="FILE", help="only findings whose fix a compiler confirmed: JSON of `verify`"
    )
    group = parser.add_argument_group("repair")
    group.add_argument("--fix", action="store_true", help="apply the fixes that keep every result bit for bit")
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="count the other fixes too; --fix and --diff apply them"
    )
    group.add_argument(
        "--add-ignore", metavar="REASON", help="silence what is found by comments in the files, with this reason"
    )
    group.add_argument("--diff", action="store_true", help="print what --fix would change and write nothing")
    group = parser.add_argument_group("output")
    group.add_argument(
        "--output-format",
        metavar="NAME",
        help="full (default; on a terminal summary, if that is more than a screen), concise, summary, json, jsonl, "
        "github, gitlab, sarif, rdjson, rdjsonl, checkstyle, junit or markdown",
    )
    group.add_argument(
        "--output", metavar="NAME:FILE", action="append", default=[], help="write this format to a file too"
    )
    group.add_argument(
        "--path-prefix",
        metavar="PREFIX",
        default="",
        help="put this before paths in formats that name files of a repository (all but full, concise and json)",
    )
    group.add_argument("--statistics", action="store_true", help="print the number of findings of each rule instead")
    group.add_argument("--exit-zero", action="store_true", help="exit 0 despite findings")
    group.add_argument("--show-files", action="store_true", help="print the files that would be checked")
    group.add_argument(
        "--show-settings",
        action="store_true",
        help="print the settings that hold for PATH, and which file or flag decided",
    )
    group.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
    return parser


def _rules(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """What decides which findings are shown."""
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
        "--low-occupancy", metavar="FRACTION", help="occupancy of so much or less is low (default: 0.25)"
    )
    group.add_argument(
        "--block-size-gain", metavar="FRACTION", help="waves another block size must gain to be named (default: 0.25)"
    )
    _baseline_file(group)
    group.add_argument("--no-baseline", dest="baseline", action="store_const", const="", help="known findings, too")
    return group


def _kernels(commands: Any) -> argparse.ArgumentParser:
    summary = "one row a kernel: registers, scratch, LDS, block size, occupancy, limiter, next step"
    parser: argparse.ArgumentParser = commands.add_parser("kernels", help=summary, description=summary)
    _paths(parser, "files and folders; - reads standard input")
    _configuration(parser)
    _text_or_json(parser)
    parser.add_argument(
        "--sort", metavar="COLUMN", help="most first: registers, scratch, lds, block; fewest first: waves; or name"
    )
    parser.add_argument("--top", metavar="N", help="only the first N kernels")
    parser.add_argument(
        "--advise",
        metavar="KERNEL",
        nargs="?",
        const="",
        help="in place of the rows: the changes that bring a kernel (all of them, if none is named) to more waves or "
        "out of memory, tried on a copy in memory",
    )
    parser.add_argument(
        "--measured",
        metavar="FILE",
        action="append",
        help="compilers' numbers beside the estimate: JSON of `measure`, a log or an object",
    )
    parser.add_argument(
        "--disagreements", action="store_true", help="only kernels whose measured registers are outside the band"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
    return parser


def _pressure(commands: Any) -> argparse.ArgumentParser:
    summary = "the source with the live registers beside every line, and what is live at the peak"
    parser: argparse.ArgumentParser = commands.add_parser("pressure", help=summary, description=summary)
    parser.add_argument("paths", nargs=1, metavar="FILE", help="one source file; - reads standard input")
    parser.add_argument("--stdin-filename", metavar="PATH", help="name that standard input is treated as")
    parser.add_argument(
        "--kernel",
        metavar="NAME",
        action="append",
        help="only this kernel, or one instantiation of it: 'k<float, 4>' (repeatable)",
    )
    parser.add_argument("--fold", action="store_true", help="leave out what is far from the three widest places")
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page instead of text")
    _text_or_json(parser)
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs; the bars are for the first")
    parser.add_argument(
        "--block-size", metavar="N", help="threads a block where the source does not say (default: 256)"
    )
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    _compilation(parser)
    parser.add_argument("--max-file-bytes", metavar="N", help="leave out a larger file (default: 4194304)")
    _configuration_file(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
    return parser


def _report(commands: Any) -> argparse.ArgumentParser:
    summary = "one page for a repository: kernels, live registers, occupancy curves, findings with their fixes"
    parser: argparse.ArgumentParser = commands.add_parser(
        "report",
        help=summary,
        description=f"{summary}. One file that needs no network; docs/report.md shows around.",
        epilog="Exit status: 0, or 2 for wrong use and for files that could not be read or analysed.",
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help='files and folders, default "."')
    parser.add_argument("-o", "--output-file", metavar="FILE", required=True, help="the page to write, report.html")
    parser.add_argument("--advise", action="store_true", help="try changes that would help each kernel; takes long")
    _configuration(parser)
    _rules(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
    return parser


def _paths(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    parser.add_argument("--stdin-filename", metavar="PATH", help="name that standard input is treated as")


def _configuration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs: gfx90a,sm_90 (default: by language)")
    parser.add_argument(
        "--block-size", metavar="N", help="threads a block where the source does not say (default: 256)"
    )
    group = parser.add_argument_group("files and configuration")
    group.add_argument("--exclude", metavar="GLOB", action="append", help="leave out files and folders that match")
    group.add_argument("--force-exclude", action="store_true", help="--exclude holds for files named here too")
    group.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    _compilation(group)
    group.add_argument("--max-file-bytes", metavar="N", help="leave out larger files (default: 4194304)")
    _configuration_file(group)
    group.add_argument("-j", "--jobs", metavar="N", help="processes (default: one a core, for small runs none)")
    group.add_argument("--no-cache", action="store_true", help="use no answers of earlier runs and keep none")
    _cache_folder(group)


def _compilation(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "-p", "--build-dir", metavar="BUILD_DIR", help="folder of compile_commands.json (default: beside configuration)"
    )
    parser.add_argument("--semantic", metavar="auto|off|on", help="ask libclang (auto: with compile commands)")
    parser.add_argument("--semantic-seconds", metavar="N", help="what libclang may take for one file (default: 10)")


def _text_or_json(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default) or json")


def _occupancy(commands: Any) -> argparse.ArgumentParser:
    summary = "occupancy of a kernel by its resources, with the table of register steps"
    parser: argparse.ArgumentParser = commands.add_parser(
        "occupancy",
        help=summary,
        description=f"{summary}. Several GPUs are compared side by side.",
        epilog="Exit status: 0, or 2 for wrong use and for a launch that cannot work on one of the GPUs.",
    )
    parser.add_argument("--arch", metavar="NAMES", action="append", required=True, help="GPUs, with commas or repeated")
    parser.add_argument("--registers", metavar="N", required=True, help="vector registers per thread (AMD: VGPRs)")
    parser.add_argument("--block", metavar="N", default="256", help="threads a block (default: 256)")
    parser.add_argument("--lds", metavar="BYTES", default="0", help="LDS, shared memory of a block; 24K is understood")
    group = parser.add_argument_group("one vendor's")
    group.add_argument("--agprs", metavar="N", help="AMD CDNA: accumulation registers per thread (default: 0)")
    group.add_argument("--sgprs", metavar="N", help="AMD: scalar registers per wave (default: 0)")
    group.add_argument("--wave-size", metavar="N", help="AMD RDNA: 32 (default) or 64")
    group.add_argument(
        "--mode", metavar="cu|wgp", help="AMD RDNA: what a block stays on; wgp (default) is what the compiler assumes"
    )
    group.add_argument("--barriers", metavar="N", help="NVIDIA from sm_90, Intel: barriers of a block (default: 1)")
    group.add_argument("--carveout", metavar="PERCENT", help="NVIDIA: memory preferred as shared (default: all of it)")
    group.add_argument("--sub-group", metavar="N", help="Intel: sub-group size (default: the compiler's usual one)")
    group.add_argument(
        "--grf", metavar="128|256|auto", help="Intel: register mode (default: 128); auto: the smallest without spills"
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "--sweep", metavar="WHAT", help="the curve over registers, lds, block or sgprs: bars in text, points in json"
    )
    group.add_argument("--plot", metavar="FILE.svg", help="draw the curve with its limits (registers, or the --sweep)")
    _text_or_json(group)
    return parser


def _measure(commands: Any) -> argparse.ArgumentParser:
    summary = "what compilers say that kernels take: out of builds, sources, logs, assembly and objects"
    parser: argparse.ArgumentParser = commands.add_parser(
        "measure",
        help=summary,
        description=f"{summary}. Logs: clang's -Rpass-analysis=kernel-resource-usage, ptxas -v, IGC's warnings of "
        "spills. Objects: AMD's code objects, cubins, Intel's device binaries, and bundles, fat binaries, executables "
        "and libraries that hold them.",
        epilog="Exit status: 0, or 2 for wrong use and where no kernel was found.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="objects, assembly, logs, or sources to compile; - reads standard input",
    )
    parser.add_argument("--log", metavar="FILE", action="append", help="a build log; - reads standard input")
    parser.add_argument(
        "--arch", metavar="NAMES", action="append", help="GPUs that are compiled for, and of logs without names"
    )
    parser.add_argument("--block-size", metavar="N", default="256", help="threads a block for the waves (default: 256)")
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default), json or csv")
    parser.add_argument("--output", metavar="FILE", help="write to this file")
    _compilers(parser)
    return parser


def _compilers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compiling")
    group.add_argument(
        "-p", "--build-dir", metavar="BUILD_DIR", help="folder of compile_commands.json: flags, or all files"
    )
    group.add_argument(
        "-I", "--include-dirs", metavar="DIR", action="append", help="for sources without a compile command"
    )
    _limits(group)
    group.add_argument("-j", "--jobs", metavar="N", default="2", help="compilers at once (default: 2)")


def _limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--compiler", metavar="PATH", action="append", help="hipcc, clang++, nvcc or ocloc (default: on PATH)"
    )
    group.add_argument("--seconds", metavar="N", default="300", help="what one file may take (default: 300)")


def _verify(commands: Any) -> argparse.ArgumentParser:
    summary = "compile every fix before and after, on each target, and say which ones pay"
    parser: argparse.ArgumentParser = commands.add_parser(
        "verify",
        help=summary,
        description=f"{summary}. Files stay as they are without --fix; what is compiled is a copy in a private folder.",
        epilog="Exit status: 0, 1 if a compiler refutes a fix, 2 wrong use, or something could not be read.",
    )
    _paths(parser, 'files and folders, default "."')
    _configuration(parser)
    group = parser.add_argument_group("what is verified")
    group.add_argument("--select", metavar="RULES", action="append", help="fixes of these rules only")
    group.add_argument("--ignore", metavar="RULES", action="append", help="not of these")
    group.add_argument("--min-severity", metavar="LEVEL", help="lowest severity: error, warning, info or hint")
    group.add_argument("--profile", metavar="default|strict", help="strict takes hints too")
    group.add_argument("--unsafe-fixes", action="store_true", help="the unsafe fixes too")
    group.add_argument("--fix", action="store_true", help="apply what improves a target and hurts none")
    group = parser.add_argument_group("compiling")
    _limits(group)
    group.add_argument("--budget", metavar="SECONDS", help="begin no compilation after so many")
    _text_or_json(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
    return parser


def _rule(commands: Any) -> argparse.ArgumentParser:
    summary = "explain a rule; without an argument list them all"
    parser: argparse.ArgumentParser = commands.add_parser("rule", help=summary, description=summary)
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME")
    _text_or_json(parser)
    return parser


def _targets(commands: Any) -> argparse.ArgumentParser:
    summary = "the GPUs that are known, with their limits"
    parser: argparse.ArgumentParser = commands.add_parser("targets", help=summary, description=summary)
    parser.add_argument("names", nargs="*", metavar="NAME", help="every number of these GPUs, with source and check")
    _text_or_json(parser)
    return parser


def _baseline(commands: Any) -> argparse.ArgumentParser:
    summary = "adopt it in a repository that has findings: known ones are not reported again"
    parser: argparse.ArgumentParser = commands.add_parser(
        "baseline",
        help=summary,
        description=f"{summary}. `write` makes the file, `check` says what of it is repaired and what is new, `prune` "
        "removes what is repaired.",
        epilog="Exit status: 0, 1 if `check` finds a difference, 2 wrong use or internal error.",
    )
    parser.add_argument("action", metavar="write|check|prune")
    _paths(parser, 'files and folders, default "."')
    parser.add_argument("--reason", metavar="TEXT", help="why the findings stay, for each that has no reason yet")
    _configuration(parser)
    _baseline_file(parser)
    return parser


def _baseline_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--baseline", metavar="FILE", help="known findings (default: the nearest regpress-baseline.toml)"
    )


def _configuration_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--config", metavar="FILE", help="this configuration file, not the nearest")
    parser.add_argument("--isolated", action="store_true", help="no configuration file")


def _server(commands: Any) -> argparse.ArgumentParser:
    summary = "language server for editors, on standard input and output"
    parser: argparse.ArgumentParser = commands.add_parser(
        "server", help=summary, description=f"{summary}. It needs an extra: pip install 'regpress-lint[lsp]'."
    )
    parser.add_argument("--stdio", action="store_true", help="what it does in any case; some editors say so")
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs: gfx90a,sm_90 (default: by language)")
    _configuration_file(parser)
    return parser


def _diff(commands: Any) -> argparse.ArgumentParser:
    summary = "how registers, scratch, waves and findings of kernels moved between two revisions or folders"
    parser: argparse.ArgumentParser = commands.add_parser(
        "diff",
        help=summary,
        description=f"{summary}. A revision is read through git into a private folder; no checkout is touched.",
        epilog="Exit status: 0, 1 with --exit-code if a kernel is worse, 2 wrong use or internal error.",
    )
    parser.add_argument("base", metavar="BASE", help="git revision or folder")
    parser.add_argument("head", metavar="HEAD", nargs="?", help="the same (default: the work tree)")
    parser.add_argument("--exit-code", action="store_true", help="exit 1 if a kernel is worse")
    _configuration(parser)
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default), json or markdown")
    return parser


def _cache(commands: Any) -> argparse.ArgumentParser:
    summary = "the answers that are kept from run to run: where they are, or away with them"
    parser: argparse.ArgumentParser = commands.add_parser("cache", help=summary, description=summary)
    parser.add_argument("action", metavar="dir|clean")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what is checked: its configuration counts")
    _cache_folder(parser)
    _configuration_file(parser)
    return parser


def _completion(commands: Any) -> argparse.ArgumentParser:
    summary = "a script that completes commands, options and their values in a shell"
    parser: argparse.ArgumentParser = commands.add_parser(
        "completion",
        help=summary,
        description=f"{summary}. bash: source <(regpress-lint completion bash); zsh: the same behind compinit; fish: "
        "regpress-lint completion fish > ~/.config/fish/completions/regpress-lint.fish",
    )
    parser.add_argument("shell", metavar="bash|zsh|fish")
    return parser


def _ir(commands: Any) -> argparse.ArgumentParser:
    summary = "a kernel's graph of values after a pass, for who works on this tool; its form may change"
    parser: argparse.ArgumentParser = commands.add_parser("ir", help=summary, description=summary)
    parser.add_argument("paths", nargs=1, metavar="FILE", help="one source file")
    parser.add_argument("--kernel", metavar="NAME", help="only this kernel")
    parser.add_argument(
        "--after", metavar="PASS", default="liveness", help="build, uniformity, schedule or liveness (default)"
    )
    parser.add_argument(
        "--without",
        metavar="PASSES",
        action="append",
        help="leave out dead-code (all values are needed), uniformity (all are vectors), schedule (written order)",
    )
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs (default: by language)")
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    _compilation(parser)
    parser.add_argument("--max-file-bytes", metavar="N", help="leave out a larger file (default: 4194304)")
    _configuration_file(parser)
    return parser


def _cache_folder(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument(
        "--cache-dir", metavar="DIR", help="where answers are kept (default: in the user's folder for caches)"
    )


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
