"""Write the tables of architectures and instructions as Python, which a run reads, from the TOML, which people change.

python -m tools.generators.target_tables
"""

from __future__ import annotations

import tomllib
from pathlib import Path

TARGETS = Path(__file__).resolve().parents[2] / "regpress_lint" / "targets"
VENDORS = ("amd", "nvidia", "intel")
TABLES = (*VENDORS, "instructions")
_HEAD = '''"""Made of data/{vendor}.toml by `python -m tools.generators.target_tables`."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

from typing import Any

TABLE: dict[str, Any] = {{
'''


def module_of(vendor: str) -> str:
    """The text of a vendor's module: a line per row, or a value."""
    table = tomllib.loads((TARGETS / "data" / f"{vendor}.toml").read_text())
    lines = [_HEAD.format(vendor=vendor)]
    for key, value in table.items():
        if isinstance(value, dict):
            rows = "".join(f"        {name!r}: {row!r},\n" for name, row in value.items())
            lines.append(f"    {key!r}: {{\n{rows}    }},\n")
        else:
            lines.append(f"    {key!r}: {value!r},\n")
    return "".join((*lines, "}\n"))


def main() -> int:
    """Write all modules."""
    for vendor in TABLES:
        (TARGETS / "tables" / f"{vendor}_table.py").write_text(module_of(vendor))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
