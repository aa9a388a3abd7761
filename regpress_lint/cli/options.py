"""Options that several commands share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def value(parser: argparse._ActionsContainer, flag: str, name: str, text: str, default: str | None = None) -> None:
    """An option with a value; `name` is what the help calls it."""
    parser.add_argument(flag, metavar=name, default=default, help=text)


def repeated(parser: argparse._ActionsContainer, flag: str, name: str, text: str) -> None:
    """An option that may be given several times."""
    parser.add_argument(flag, metavar=name, action="append", help=text)


def switch(parser: argparse._ActionsContainer, flag: str, text: str) -> None:
    """An option without a value."""
    parser.add_argument(flag, action="store_true", help=text)


def paths(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    value(parser, "--stdin-filename", "PATH", "name that standard input is treated as")


def configuration(parser: argparse.ArgumentParser) -> None:
    repeated(parser, "--arch", "NAMES", "GPUs: gfx90a,sm_90 (default: by language)")
    value(parser, "--block-size", "N", "threads per block if the source does not say (default: 256)")
    group = parser.add_argument_group("files and configuration")
    repeated(group, "--exclude", "GLOB", "leave out files and folders that match")
    switch(group, "--force-exclude", "--exclude holds for files named here too")
    group.add_argument(
        "-I",
        "--include-dirs",
        metavar="DIR",
        action="append",
        help="where headers are found, also outside of the project",
    )
    defines(group)
    compilation(group)
    value(group, "--max-file-bytes", "N", "leave out larger files (default: 4194304)")
    configuration_file(group)
    group.add_argument("-j", "--jobs", metavar="N", help="processes (default: one per core, none for small runs)")
    switch(group, "--no-cache", "use no answers of earlier runs and keep none")
    cache_folder(group)


def one_file(parser: argparse.ArgumentParser) -> None:
    """How one file is read."""
    parser.add_argument("-I", "--include-dirs", metavar="DIR", action="append", help="where project headers are found")
    defines(parser)
    compilation(parser)
    value(parser, "--max-file-bytes", "N", "leave out a larger file (default: 4194304)")
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
    value(parser, "--semantic", "auto|off|on", "use libclang (auto: with compile commands)")
    value(parser, "--semantic-seconds", "N", "seconds libclang may use per file (default: 10)")


def rules(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options that decide which findings are shown."""
    group = parser.add_argument_group("rules")
    repeated(group, "--select", "RULES", "only these: codes, prefixes or names, with commas")
    repeated(group, "--extend-select", "RULES", "these too; shows all their findings")
    repeated(group, "--ignore", "RULES", "not these")
    repeated(group, "--per-file-ignores", "GLOB:RULES", "not these for files that match")
    repeated(group, "--severity", "RULE:LEVEL", "give all findings of these rules this severity")
    value(group, "--profile", "default|strict", "strict shows hints too")
    value(group, "--min-severity", "LEVEL", "lowest severity shown: error, warning, info or hint")
    value(group, "--low-occupancy", "FRACTION", "report occupancy at or below this share (default: 0.25)")
    value(group, "--block-size-gain", "FRACTION", "waves another block size must gain to be named (default: 0.25)")
    baseline_file(group)
    group.add_argument(
        "--no-baseline", dest="baseline", action="store_const", const="", help="report known findings, too"
    )
    return group


def text_or_json(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    value(parser, "--output-format", "NAME", "text (default) or json", default="text")


def baseline_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    value(parser, "--baseline", "FILE", "known findings (default: the nearest regpress-baseline.toml)")


def configuration_file(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    value(parser, "--config", "FILE", "use this configuration file, not the nearest")
    switch(parser, "--isolated", "ignore configuration files")


def cache_folder(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    value(parser, "--cache-dir", "DIR", "where answers are kept (default: in the user's folder for caches)")


def compilers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("compiling")
    group.add_argument(
        "-p", "--build-dir", metavar="BUILD_DIR", help="folder of compile_commands.json: flags, or all files"
    )
    group.add_argument(
        "-I", "--include-dirs", metavar="DIR", action="append", help="for sources without a compile command"
    )
    defines(group)
    limits(group)
    group.add_argument("-j", "--jobs", metavar="N", default="2", help="compilers at once (default: 2)")


def limits(group: argparse._ArgumentGroup) -> None:
    repeated(group, "--compiler", "PATH", "hipcc, clang++, nvcc, ptxas or ocloc; nvcc@12.6 (default: on PATH)")
    switch(group, "--trust-project-compilers", "run the compilers that the project's configuration names, too")
    value(group, "--seconds", "N", "what one file may take (default: 300)", default="300")


def verbose(parser: argparse._ActionsContainer) -> None:
    """The part of an internal error that is shown."""
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors, on standard error")
