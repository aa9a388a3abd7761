"""Write the tables of architectures and instructions as Python, which a run reads, from the TOML, which people change.

python -m tools.generators.target_tables
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any, cast

from regpress_lint.targets.occupancy.architectures import VENDORS, built, spellings
from tools.generators import checks_only

TARGETS = Path(__file__).resolve().parents[2] / "regpress_lint" / "targets"
TABLES = (*VENDORS, "instructions")
_HEAD = '''"""Made of data/{vendor}.toml by `python -m tools.generators.target_tables`."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLE: dict[str, Any] = {{
'''


def module_of(vendor: str) -> str:
    """The text of a vendor's module: a line per row, or a value. Raises ValueError as `check_rows` does."""
    try:
        table = tomllib.loads((TARGETS / "data" / f"{vendor}.toml").read_text())
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"data/{vendor}.toml: {error}") from None
    check_rows(vendor, table)
    lines = [_HEAD.format(vendor=vendor)]
    for key, value in table.items():
        if isinstance(value, dict):
            rows = "".join(f"        {name!r}: {row!r},\n" for name, row in value.items())
            lines.append(f"    {key!r}: {{\n{rows}    }},\n")
        else:
            lines.append(f"    {key!r}: {value!r},\n")
    return "".join((*lines, "}\n"))


def check_rows(vendor: str, table: dict[str, Any]) -> None:
    """Raises ValueError for an architecture of no family, with a number that no other one has or without one that is
    needed, and for a name that stands for two architectures or for none.
    """
    families, known = table.get("family", {}), {"family", "title", *table.get("sources", {})}
    known = known.union(*families.values())
    for name, row in table.get("arch", {}).items():
        where = f"data/{vendor}.toml: {name}"
        family = row.get("family", "all")
        if family not in families:
            what = f'no family "{family}"' if "family" in row else "it names no family"
            raise ValueError(f"{where}: {what}; known are {', '.join(families)}")
        for key in row.keys() - known:
            raise ValueError(f'{where}: no number "{key}"; [sources] names them')
        try:
            built(table, cast("Any", vendor), name)
        except KeyError as error:
            raise ValueError(f'{where}: no "{error.args[0]}"') from None
    if vendor in VENDORS:
        _check_names(vendor, table)


def _check_names(vendor: str, table: dict[str, Any]) -> None:
    for name in table["aliases"].keys() - table["arch"].keys():
        raise ValueError(f"data/{vendor}.toml: [aliases]: there is no {name} in [arch]")
    taken: dict[str, str] = {}
    for spelling, name in spellings(table):
        if taken.setdefault(spelling, name) != name:
            raise ValueError(f'data/{vendor}.toml: [aliases]: "{spelling}" is {taken[spelling]} and {name}')


def main() -> int:
    """Write all modules, or exit with 1 if one is stale."""
    check, stale = checks_only(__doc__), False
    for vendor in TABLES:
        try:
            text = module_of(vendor)
        except ValueError as error:
            print(error, file=sys.stderr)
            return 2
        path = TARGETS / f"{vendor}_table.py"
        if check:
            stale |= path.read_text() != text
        else:
            path.write_text(text)
    return int(stale)


if __name__ == "__main__":
    raise SystemExit(main())
