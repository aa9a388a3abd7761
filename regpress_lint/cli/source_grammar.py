"""Arguments of the commands that read source: `check`, `kernels`, `pressure` and their like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.cli.parser import (
    EPILOG,
    baseline_file,
    compilation,
    configuration,
    configuration_file,
    defines,
    paths,
    rules,
    text_or_json,
    verbose,
)

if TYPE_CHECKING:
    import argparse

_GITHUB = (
    "With GITHUB_ACTIONS=true and no format chosen (--output-format, --output or configuration), annotations in the "
    "github format follow the normal text."
)


def check(commands: Any) -> argparse.ArgumentParser:
    summary = "find smells (the default command)"
    parser: argparse.ArgumentParser = commands.add_parser(
        "check", help=summary, description=f"{summary}. {_GITHUB}", epilog=EPILOG
    )
    paths(parser, 'files and folders, default "."; - reads standard input')
    configuration(parser)
    _choice(rules(parser))
    _repair(parser.add_argument_group("repair"))
    _output(parser.add_argument_group("output"))
    return parser


def _choice(group: argparse._ArgumentGroup) -> None:
    """Options that choose the reported findings and kernels."""
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
        help="use compilers' numbers instead of estimates: JSON of `measure`, a log or an object",
    )
    group.add_argument("--kernel", metavar="GLOB", action="append", help="only findings of these kernels (repeatable)")
    group.add_argument(
        "--ignore-suppressions", action="store_true", help="report what comments silence, too: for an audit"
    )
    group.add_argument(
        "--confirmed", metavar="FILE", help="only findings whose fix a compiler confirmed: JSON of `verify`"
    )
    group.add_argument(
        "--why",
        metavar="FILE:LINE",
        help="what was tried at this line and why it is reported or not; text or --output-format json",
    )


def _repair(group: argparse._ArgumentGroup) -> None:
    """Options that write into the checked files."""
    group.add_argument("--fix", action="store_true", help="apply the fixes that keep every result bit for bit")
    group.add_argument("--unsafe-fixes", action="store_true", help="with --fix and --diff, include unsafe fixes")
    group.add_argument(
        "--add-ignore", metavar="REASON", help="silence what is found by comments in the files, with this reason"
    )
    group.add_argument("--show-fixes", action="store_true", help="name each fix that --fix makes, or --diff shows")
    group.add_argument("--diff", action="store_true", help="print what --fix would change and write nothing")


def _output(group: argparse._ArgumentGroup) -> None:
    """Options for the output and the exit status."""
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
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only findings, warnings and errors",
    )
    group.add_argument(
        "--statistics", action="store_true", help="findings of each rule instead; with --verbose their time"
    )
    group.add_argument("--exit-zero", action="store_true", help="exit 0 despite findings")
    group.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    group.add_argument("--show-files", action="store_true", help="print the files that would be checked")
    group.add_argument(
        "--show-settings",
        action="store_true",
        help="print the settings that hold for PATH, and which file or flag decided",
    )
    verbose(group)


def kernels(commands: Any) -> argparse.ArgumentParser:
    summary = "one row per kernel: registers, scratch, LDS, block size, occupancy, limiter, next step"
    parser: argparse.ArgumentParser = commands.add_parser("kernels", help=summary, description=summary)
    paths(parser, "files and folders; - reads standard input")
    configuration(parser)
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default), json or csv")
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
        "--sweep",
        metavar="NAME=VALUES",
        action="append",
        help="in place of the rows: one per value of the block size (block=64,128,256), a template parameter, a "
        "macro or a constant; repeat it for a grid",
    )
    parser.add_argument(
        "--kernel", metavar="GLOB", action="append", help="with --sweep: only these kernels (repeatable)"
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
    verbose(parser)
    return parser


def pressure(commands: Any) -> argparse.ArgumentParser:
    summary = "the source with the live registers beside every line, and the live values at the peak"
    parser: argparse.ArgumentParser = commands.add_parser("pressure", help=summary, description=summary)
    parser.add_argument("paths", nargs=1, metavar="FILE", help="one source file; - reads standard input")
    parser.add_argument("--stdin-filename", metavar="PATH", help="name that standard input is treated as")
    parser.add_argument(
        "--kernel",
        metavar="NAME",
        action="append",
        help="only this kernel, or one instantiation of it: 'k<float, 4>' (repeatable)",
    )
    parser.add_argument(
        "--without",
        metavar="LINE[:LINE]",
        action="append",
        help="without the branch that begins at this line, or the statements of these, tried in memory (repeatable)",
    )
    parser.add_argument("--fold", action="store_true", help="leave out what is far from the three widest places")
    parser.add_argument("--html", metavar="FILE", help="write one self-contained page instead of text")
    text_or_json(parser)
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs; bars show the first")
    parser.add_argument("--block-size", metavar="N", help="threads per block if the source does not say (default: 256)")
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    defines(parser)
    compilation(parser)
    parser.add_argument("--max-file-bytes", metavar="N", help="leave out a larger file (default: 4194304)")
    configuration_file(parser)
    verbose(parser)
    return parser


def report(commands: Any) -> argparse.ArgumentParser:
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
    configuration(parser)
    rules(parser)
    verbose(parser)
    return parser


def baseline(commands: Any) -> argparse.ArgumentParser:
    summary = "record known findings, so that only new ones are reported"
    parser: argparse.ArgumentParser = commands.add_parser(
        "baseline",
        help=summary,
        description=f"{summary}. `write` makes the file, `check` says what is repaired and what is new, `prune` "
        "removes what is repaired.",
        epilog="Exit status: 0, 1 if `check` finds a difference, 2 wrong use or internal error.",
    )
    parser.add_argument("action", metavar="write|check|prune")
    paths(parser, 'files and folders, default "."')
    parser.add_argument("--reason", metavar="TEXT", help="why the findings stay, for each that has no reason yet")
    parser.add_argument(
        "--measured",
        metavar="FILE",
        action="append",
        help="not findings, but registers, spills, scratch and waves of each kernel, in regpress-measured.toml: "
        "JSON of `measure`, a log or an object",
    )
    configuration(parser)
    baseline_file(parser)
    return parser


def diff(commands: Any) -> argparse.ArgumentParser:
    summary = "how registers, scratch, waves and findings of kernels changed between two revisions or folders"
    parser: argparse.ArgumentParser = commands.add_parser(
        "diff",
        help=summary,
        description=f"{summary}. A revision is read through git into a private folder; no checkout is touched. "
        "Files and folders behind -- narrow the comparison: `diff main -- src`.",
        epilog="Exit status: 0, 1 with --exit-code if a kernel is worse, 2 wrong use or internal error.",
    )
    parser.add_argument("base", metavar="BASE", help="git revision or folder; with --measured a file")
    parser.add_argument("head", metavar="HEAD", nargs="?", help="the same (default: the work tree)")
    parser.add_argument(
        "--measured",
        action="store_true",
        help="BASE and HEAD are numbers of compilers: JSON of `measure`, logs or objects; no source is read",
    )
    parser.add_argument("--exit-code", action="store_true", help="exit 1 if a kernel is worse")
    parser.add_argument("--kernel", metavar="GLOB", action="append", help="only these kernels (repeatable)")
    parser.add_argument("--only-worse", action="store_true", help="only kernels that are worse")
    parser.add_argument(
        "--threshold", metavar="N", help="registers by which an estimate must move to count by itself (default: 2)"
    )
    configuration(parser)
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default), json or markdown")
    return parser


def ir(commands: Any) -> argparse.ArgumentParser:
    summary = "a kernel's graph of values after a pass, for work on this tool; its form may change"
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
        help="leave out unrolling (no loop is copied), scalar-replacement (arrays are in memory), dead-code (all are "
        "needed), uniformity (all are vectors), schedule (written order)",
    )
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs (default: by language)")
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    defines(parser)
    compilation(parser)
    parser.add_argument("--max-file-bytes", metavar="N", help="leave out a larger file (default: 4194304)")
    configuration_file(parser)
    return parser
