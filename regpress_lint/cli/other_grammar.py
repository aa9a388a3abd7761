"""Arguments of the commands that read no source, or that ask compilers about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.cli.parser import (
    cache_folder,
    compilers,
    configuration,
    configuration_file,
    limits,
    paths,
    text_or_json,
    verbose,
)

if TYPE_CHECKING:
    import argparse


def occupancy(commands: Any) -> argparse.ArgumentParser:
    summary = "occupancy of a kernel by its resources, with the table of register steps"
    parser: argparse.ArgumentParser = commands.add_parser(
        "occupancy",
        help=summary,
        description=f"{summary}. Several GPUs are compared side by side.",
        epilog="Exit status: 0, or 2 for wrong use and for a launch that cannot work on one of the GPUs.",
    )
    parser.add_argument("--arch", metavar="NAMES", action="append", required=True, help="GPUs, with commas or repeated")
    parser.add_argument("--registers", metavar="N", required=True, help="vector registers per thread (AMD: VGPRs)")
    parser.add_argument("--block", metavar="N", default="256", help="threads per block (default: 256)")
    parser.add_argument("--lds", metavar="BYTES", default="0", help="LDS, shared memory of a block; 24K is understood")
    group = parser.add_argument_group("one vendor's")
    group.add_argument("--agprs", metavar="N", help="AMD CDNA: accumulation registers per thread (default: 0)")
    group.add_argument("--sgprs", metavar="N", help="AMD: scalar registers per wave (default: 0)")
    group.add_argument("--wave-size", metavar="N", help="AMD RDNA: 32 (default) or 64")
    group.add_argument(
        "--mode", metavar="cu|wgp", help="AMD RDNA: what a block stays on; wgp (default) is what the compiler assumes"
    )
    group.add_argument("--barriers", metavar="N", help="NVIDIA from sm_90, Intel: barriers of a block (default: 1)")
    group.add_argument("--cluster", metavar="N", help="NVIDIA from sm_90: blocks of a cluster (default: 1)")
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
    text_or_json(group)
    return parser


def measure(commands: Any) -> argparse.ArgumentParser:
    summary = (
        "registers and memory of kernels as compilers report them: from builds, sources, logs, assembly and objects"
    )
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
    parser.add_argument(
        "--block-size", metavar="N", default="256", help="threads per block for the waves (default: 256)"
    )
    parser.add_argument("--output-format", metavar="NAME", default="text", help="text (default), json or csv")
    parser.add_argument("--output", metavar="FILE", help="write to this file")
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar=("BASE", "HEAD"),
        help="compile the sources by two compilers and show the kernels that come out differently",
    )
    compilers(parser)
    return parser


def verify(commands: Any) -> argparse.ArgumentParser:
    summary = "compile the code before and after each fix, for each target, and say which fixes pay"
    parser: argparse.ArgumentParser = commands.add_parser(
        "verify",
        help=summary,
        description=f"{summary}. Files stay as they are without --fix; what is compiled is a copy in a private folder.",
        epilog="Exit status: 0, 1 if a compiler refutes a fix, 2 wrong use, or something could not be read.",
    )
    paths(parser, 'files and folders, default "."')
    configuration(parser)
    group = parser.add_argument_group("what is verified")
    group.add_argument("--select", metavar="RULES", action="append", help="fixes of these rules only")
    group.add_argument("--ignore", metavar="RULES", action="append", help="not of these")
    group.add_argument("--min-severity", metavar="LEVEL", help="lowest severity: error, warning, info or hint")
    group.add_argument("--profile", metavar="default|strict", help="strict takes hints too")
    group.add_argument("--unsafe-fixes", action="store_true", help="the unsafe fixes too")
    group.add_argument(
        "--advise", action="store_true", help="for findings without a fix try what `kernels --advise` would change"
    )
    group.add_argument("--fix", action="store_true", help="apply what improves a target and hurts none")
    group.add_argument(
        "--time", metavar="COMMAND", help="with --fix: run this before and after, and take back what is slower"
    )
    group.add_argument("--repeat", metavar="N", default="5", help="runs that --time compares (default: 5)")
    group = parser.add_argument_group("compiling")
    limits(group)
    group.add_argument("--budget", metavar="SECONDS", help="stop compiling after SECONDS")
    text_or_json(parser)
    verbose(parser)
    return parser


def rule(commands: Any) -> argparse.ArgumentParser:
    summary = "explain a rule, or list them all"
    parser: argparse.ArgumentParser = commands.add_parser("rule", help=summary, description=summary)
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME")
    text_or_json(parser)
    return parser


def targets(commands: Any) -> argparse.ArgumentParser:
    summary = "the GPUs that are known, with their limits"
    parser: argparse.ArgumentParser = commands.add_parser("targets", help=summary, description=summary)
    parser.add_argument("names", nargs="*", metavar="NAME", help="every number of these GPUs, with source and check")
    text_or_json(parser)
    return parser


def server(commands: Any) -> argparse.ArgumentParser:
    summary = "language server for editors, on standard input and output"
    parser: argparse.ArgumentParser = commands.add_parser(
        "server", help=summary, description=f"{summary}. It needs an extra: pip install 'regpress-lint[lsp] @ git+URL'."
    )
    parser.add_argument("--stdio", action="store_true", help="what it does in any case; some editors say so")
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs: gfx90a,sm_90 (default: by language)")
    configuration_file(parser)
    return parser


def cache(commands: Any) -> argparse.ArgumentParser:
    summary = "answers kept from earlier runs: show where they are, or delete them"
    parser: argparse.ArgumentParser = commands.add_parser("cache", help=summary, description=summary)
    parser.add_argument("action", metavar="dir|clean")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what is checked: its configuration counts")
    cache_folder(parser)
    configuration_file(parser)
    return parser


def completion(commands: Any) -> argparse.ArgumentParser:
    summary = "a script that completes commands, options and their values in a shell"
    parser: argparse.ArgumentParser = commands.add_parser(
        "completion",
        help=summary,
        description=f"{summary}. bash: source <(regpress-lint completion bash); zsh: the same behind compinit; fish: "
        "regpress-lint completion fish > ~/.config/fish/completions/regpress-lint.fish",
    )
    parser.add_argument("shell", metavar="bash|zsh|fish")
    return parser
