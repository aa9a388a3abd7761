"""The list of the built-in rules, rules/regpress_rules/_index.py, from their classes.

python -m tools.generators.rule_index           write the list
python -m tools.generators.rule_index --check   write nothing, exit 1 if the list is not what it should be
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import regpress_rules
from regpress_lint.api import Rule
from regpress_lint.lint.registry import entry
from regpress_rules import Listed

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(regpress_rules.__file__).parent
INDEX = FOLDER / "_index.py"
_HEAD = '''\
"""All built-in rules. Made by tools/generators/rule_index.py from their classes: change those and run it."""

# fmt: off
# ruff: noqa: E501

from regpress_rules import Listed

RULES = (
'''


def classes() -> Iterator[type[Rule]]:
    """Every rule that a module below the folder defines, by their codes."""
    found: list[type[Rule]] = []
    for path in FOLDER.rglob("*.py"):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        if not parts[-1].startswith("_"):
            module = import_module(".".join(("regpress_rules", *parts)))
            found += [
                value
                for value in vars(module).values()
                if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__
            ]
    return iter(sorted(found, key=lambda rule: rule.code))


def listed(rule: type[Rule]) -> Listed:
    """A rule's entry in the list."""
    info, hooks, scope, kind, _ = entry(rule)
    severity, precision = info.severity.name, info.precision
    return Listed(info.code, info.name, rule.__module__, kind, info.summary, severity, precision, hooks, *scope)


def text() -> str:
    """The list's source."""
    return _HEAD + "".join(map(_row, map(listed, classes()))) + ")\n"


def _row(row: Listed) -> str:
    always = len(row) - len(row._field_defaults)
    fields = [_literal(value) for value in row[:always]]
    fields += [f"{name}={_literal(getattr(row, name))}" for name in row._field_defaults if getattr(row, name)]
    return f"    Listed({', '.join(fields)}),\n"


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    quoted = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def main() -> int:
    """Write or check the list."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if the list is not current")
    arguments = parser.parse_args()
    made = text()
    stale = not INDEX.exists() or INDEX.read_text(encoding="utf-8") != made
    if stale and not arguments.check:
        INDEX.write_text(made, encoding="utf-8")
    return int(stale and arguments.check)


if __name__ == "__main__":
    sys.exit(main())
