"""Generated pages match their generators, and every example of the Python interface runs."""

from __future__ import annotations

import pytest
from snippets import fences_of

from regpress_lint.cli.parser import COMMANDS, grammar
from tools.generators import commands_page, result_tables

EXAMPLES = [fence for fence in fences_of("docs/python.md") if fence.language == "python"]


def test_the_page_of_the_command_line_is_the_generated_one() -> None:
    assert commands_page.main(["--check"]) == 0, "run tools/generators/commands_page.py"


def test_every_command_and_option_is_on_the_page() -> None:
    text = commands_page.page()
    for name, parser in grammar().items():
        if name == commands_page._INTERNAL:
            continue
        assert f"\n## {name}\n" in text
        missing = [
            word for each in commands_page._shown(parser) for word in each.option_strings if f"`{word}" not in text
        ]
        assert not missing
    assert len(COMMANDS) - 1 == text.count("\nusage: regpress-lint ")


@pytest.mark.slow
def test_tables_of_measurements_are_the_datas() -> None:
    assert result_tables.main(["--check"]) == 0, "run tools/generators/result_tables.py"


def test_a_result_far_older_than_the_others_is_marked() -> None:
    row = {"sample": "own", "metric": "m", "target": "sm_90", "value": "1", "kernels": "2", "date": "2026-01-01"}
    shown = result_tables.accuracy([row, {**row, "target": "gfx90a", "date": "2026-11-01"}])
    assert "| m | 1 | 1 (old) |" in shown


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        result_tables.filled("<!-- table: nothing -->\n<!-- end -->")


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_example_of_the_python_interface_runs(example: object) -> None:
    exec(compile(example.text, str(example), "exec"), {})  # type: ignore[attr-defined]  # its assertions are the test


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2
