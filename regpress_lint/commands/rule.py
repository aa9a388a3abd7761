"""`regpress-lint rule`: a rule's page, or the list of all rules. Tables of a page have aligned columns, and long
cells are broken within the line's width.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import complain
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.lint import registry
from regpress_lint.render.columns import GAP, NARROWEST, lines as broken, narrowed, table
from regpress_lint.render.terminal import Palette, cells, line_width, use_color

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import RuleInfo


_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|`])+|(?<=\|)(?=\|)")
_RULE = re.compile(r":?-+:?")


def terminal_table(lines: Sequence[str], width: int, palette: Palette) -> Iterator[str]:
    """Lines of a Markdown table, its head in bold; no wider than `width` cells as far as words can be broken."""
    rows = [[cell.strip() for cell in _CELL.findall(line.strip().strip("|"))] for line in lines]
    columns = max(map(len, rows))
    rows = [row + [""] * (columns - len(row)) for row in rows]
    head = next((number for number, row in enumerate(rows) if all(map(_RULE.fullmatch, row))), None)
    body = [row for number, row in enumerate(rows) if number != head]
    natural = [max(1, *map(cells, column)) for column in zip(*body, strict=True)]
    widths = narrowed(natural, [NARROWEST] * columns, width)
    for number, row in enumerate(rows):
        if number == head:
            yield GAP.join("-" * column for column in widths)
            continue
        for line in broken(row, widths):
            yield palette.paint(line, "bold") if head is not None and number < head else line


_WIDTH = 96

_ITEM = re.compile(r"(?:[-*]|[a-z]\.|\d+\.) ")  # of a list
_BOLD = re.compile(r"(?<!\S)\*\*(?=\S)(.+?)(?<=\S)\*\*")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME")
    options.text_or_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `rule`. Raises UsageError for an unknown rule."""
    as_json = output_is_json(arguments)
    loaded = registry.load()
    if arguments.rule is None:
        infos = [rule.info for rule in loaded.rules]
        if as_json:
            write_json({"version": 1, "rules": [_as_dict(info) for info in infos]})
        else:
            rows = [(info.code, info.name, info.summary) for info in infos]
            print("\n".join(table(rows, frozenset({0, 1, 2}), line_width(sys.stdout, os.environ))))
    else:
        info = registry.info(arguments.rule)
        if as_json:
            write_json({"version": 1, **_as_dict(info)})
        else:
            width = line_width(sys.stdout, os.environ)
            print("\n".join(page(info, Palette(use_color(sys.stdout, os.environ)), width)))
    complain(loaded.problems)
    return 2 if loaded.problems else 0


def _as_dict(info: RuleInfo) -> dict[str, str]:
    return {name: getattr(info, name) for name in ("code", "name", "summary", "documentation", "url")}


def page(info: RuleInfo, palette: Palette, width: int = _WIDTH) -> Iterator[str]:
    """Lines of a rule's page: Markdown as a terminal shows it best. Prose stays narrow, tables take all of the line."""
    from regpress_lint.render.terminal import wrap

    yield palette.paint(f"{info.code} {info.name}", "bold")
    paragraph: list[str] = []
    rows: list[str] = []
    in_code = False
    for line in (*info.documentation.splitlines(), ""):
        fence = line.strip().startswith("```")
        row = line.startswith("|") and not in_code
        plain = line.strip() and not fence and not in_code and not row and not line.startswith("#")
        starts_item = _ITEM.match(line)
        if paragraph and (not plain or starts_item):
            item = _ITEM.match(paragraph[0])
            text = _BOLD.sub(r"\1", " ".join(paragraph))
            yield from wrap(text, min(_WIDTH, width), indent=" " * item.end() if item else "")
            paragraph = []
        if rows and not row:
            yield from terminal_table(rows, width, palette)
            rows = []
        if fence:
            in_code = not in_code
        elif in_code:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            yield palette.paint(line.lstrip("# "), "bold")
        elif row:
            rows.append(line)
        elif plain:
            paragraph.append(line.strip())
        else:
            yield line
    if info.url:
        yield info.url
