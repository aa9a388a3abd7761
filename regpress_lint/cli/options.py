"""Options that several commands share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def paths(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    parser.add_argument("--stdin-filename", metavar="PATH", help="name that standard input is treated as")


def configuration(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--arch", metavar="NAMES", action="append", help="GPUs: gfx90a,sm_90 (default: by language)")
    parser.add_argument("--block-size", metavar="N", help="threads per block if the source does not say (default: 256)")
    group = parser.add_argument_group("files and configuration")
    group.add_argument("--exclude", metavar="GLOB", action="append", help="leave out files and folders that match")
    group.add_argument("--force-exclude", action="store_true", help="--exclude holds for files named here too")
    group.add_argument(
        "-I",
        "--include-dirs",
        metavar="DIR",
        action="append",
        help="where headers are found, also outside of the project",
    )
    defines(group)
    compilation(group)
    group.add_argument("--max-file-bytes", metavar="N", help="leave out larger files (default: 4194304)")
    configuration_file(group)
    group.add_argument("-j", "--jobs", metavar="N", help="processes (default: one per core, none for small runs)")
    group.add_argument("--no-cache", action="store_true", help="use no answers of earlier runs and keep none")
    cache_folder(group)


def one_file(parser: argparse.ArgumentParser) -> None:
    """How one file is read."""
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    defines(parser)
    compilation(parser)
    parser.add_argument("--max-file-bytes", metavar="N", help="leave out a larger file (default: 4194304)")
    configuration_file(parser)


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
        "--compiler",
        metavar="PATH",
        action="append",
        help="hipcc, clang++, nvcc, ptxas or ocloc; nvcc@12.6 (default: on PATH)",
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
