"""Tables of a rule's page on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.commands.rule import page, terminal_table
from regpress_lint.render.terminal import Palette, cells
from regpress_rules import rules

if TYPE_CHECKING:
    from regpress_lint.api import Rule

TABLE = """\
| | target | what was measured |
| --- | :---: | --- |
| `a || b` | sm_90 | 47 -> 31 registers, 0 -> 128 bytes |
| long | | |
""".splitlines()


def test_columns_are_aligned() -> None:
    assert list(terminal_table(TABLE, 80, Palette())) == [
        "          target  what was measured",
        "--------  ------  ----------------------------------",
        "`a || b`  sm_90   47 -> 31 registers, 0 -> 128 bytes",
        "long",
    ]


def test_wide_table_wraps_within_cells() -> None:
    lines = list(terminal_table(TABLE, 44, Palette()))
    assert lines[2:4] == ["`a || b`  sm_90   47 -> 31 registers, 0 ->", "                  128 bytes"]
    assert max(map(cells, lines)) <= 44


def test_the_head_is_bold() -> None:
    first, second, *_ = terminal_table(TABLE, 80, Palette(color=True))
    assert first.startswith("\x1b[1m")
    assert "\x1b" not in second


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("rule", list(rules()), ids=lambda rule: rule.code)
def test_tables_of_all_pages_fit_the_line(rule: type[Rule], width: int) -> None:
    info = rule.info()
    shown = list(page(info, Palette(), width))
    assert not any(line.startswith("|") for line in shown)
    code = {line.strip() for line in info.documentation.splitlines()}
    assert [line for line in shown if cells(line) > width and line.strip() not in code] == []
