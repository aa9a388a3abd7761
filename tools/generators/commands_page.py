"""Writes docs/commands.md: every command with its options, exit statuses, environment and files.

    python -m tools.generators.commands_page [--check]

The commands come from the parser of the command line, the rest from commands_page.md beside this file.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.cli.parser import grammar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = Path(__file__).with_suffix(".md")
PAGE = ROOT / "docs" / "commands.md"
_SHARED = 3
_INTERNAL = "ir"  # the template names it
_FIRST = "check"  # whose options others repeat
_MANY = 12  # with more shared options than these, a command's line names those that it lacks


def page() -> str:
    """The text of docs/commands.md."""
    parsers = {name: parser for name, parser in grammar().items() if name != _INTERNAL}
    uses = Counter(row for parser in parsers.values() for row in _rows(parser))
    shared = [row for row, count in uses.items() if count >= _SHARED and row.startswith("| `-")]
    lines = ["## Shared options", "", f"Options of {_SHARED} commands and more:", "", *_table(shared), ""]
    lines += [
        line for name, parser in parsers.items() for line in _command(name, parser, shared, _rows(parsers[_FIRST]))
    ]
    commands = "\n".join(lines)
    return TEMPLATE.read_text(encoding="utf-8").replace("{{commands}}\n", f"{commands}\n")


def _shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Arguments of a command, positional ones first."""
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS and action.dest != "help"]
    return sorted(shown, key=lambda action: bool(action.option_strings))


def _rows(parser: argparse.ArgumentParser) -> list[str]:
    return [f"| {_name(action)} | {_cell(_help(parser, action))} |" for action in _shown(parser)]


def _table(rows: Sequence[str]) -> list[str]:
    return ["| argument | meaning |", "|---|---|", *rows]


def _command(name: str, parser: argparse.ArgumentParser, shared: Sequence[str], first: Sequence[str]) -> Iterator[str]:
    words = [action for action in _shown(parser) if not action.option_strings]
    yield f"## {name}"
    yield ""
    if parser.description:
        yield _sentence(parser.description)
        yield ""
    yield "```text"
    yield " ".join(
        ["usage: regpress-lint", name, *(f"[{_word(word)}]" if _optional(word) else _word(word) for word in words)]
    )
    yield "```"
    yield ""
    rows = _rows(parser)
    own = [
        row for row in rows if row not in shared and (name == _FIRST or row not in first) and not row.endswith("|  |")
    ]
    if own:
        yield from _table(own)
        yield ""
    if as_there := [_short(row) for row in rows if row in first and row not in (*own, *shared)]:
        yield f"As for [{_FIRST}](#{_FIRST}): {', '.join(as_there)}."
        yield ""
    common, lacking = ([_short(row) for row in shared if (row in rows) is found] for found in (True, False))
    if common:
        few = f"all except {', '.join(lacking)}" if len(common) > _MANY and lacking else ", ".join(common)
        yield f"[Shared options](#shared-options): {few}."
        yield ""


def _short(row: str) -> str:
    """A shared option by its shortest name: `-p` for `-p BUILD_DIR`, `--build-dir BUILD_DIR`."""
    return f"`{row.split('`')[1].split()[0]}`"


def _optional(action: argparse.Action) -> bool:
    return action.nargs in ("?", "*") or not action.required


def _word(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else None
    word = metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    return f"{word}..." if action.nargs in ("*", "+") else word


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{_word(action)}`".replace("|", "\\|")
    value = "" if action.nargs == 0 else f" {_word(action)}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings).replace("|", "\\|")


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return (
        (action.help or "") % {**vars(action), "prog": parser.prog} if "%" in (action.help or "") else action.help or ""
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    if "--check" in (sys.argv[1:] if arguments is None else arguments):
        return int(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
