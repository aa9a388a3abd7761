"""Write the tables of architectures and instructions as Python, which a run reads, from the TOML, which people change.

python -m tools.generators.target_tables
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

TARGETS = Path(__file__).resolve().parents[2] / "regpress_lint" / "targets"
VENDORS = ("amd", "nvidia", "intel")
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
    """The text of a vendor's module: a line per row, or a value."""
    table = tomllib.loads((TARGETS / "data" / f"{vendor}.toml").read_text())
    check(vendor, table)
    lines = [_HEAD.format(vendor=vendor)]
    for key, value in table.items():
        if isinstance(value, dict):
            rows = "".join(f"        {name!r}: {row!r},\n" for name, row in value.items())
            lines.append(f"    {key!r}: {{\n{rows}    }},\n")
        else:
            lines.append(f"    {key!r}: {value!r},\n")
    return "".join((*lines, "}\n"))


def check(vendor: str, table: dict[str, Any]) -> None:
    """Raises ValueError for an architecture whose family there is not, or with a number that no other one has."""
    families = table.get("family", {})
    known = set().union(*families.values()) | {
        "family",
        "title",
        "verified",
        *table.get("sources", {}),
    }
    for name, row in table.get("arch", {}).items():
        family = row.get("family", "all")
        if family not in families:
            raise ValueError(f'data/{vendor}.toml: {name}: no family "{family}"; known are {", ".join(families)}')
        for key in row.keys() - known:
            raise ValueError(f'data/{vendor}.toml: {name}: no number "{key}"; [sources] names them')


def main() -> int:
    """Write all modules."""
    for vendor in TABLES:
        (TARGETS / "tables" / f"{vendor}_table.py").write_text(module_of(vendor))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
