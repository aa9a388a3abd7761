"""The tables that a run reads are those that people read."""

from __future__ import annotations

import tomllib
from importlib import import_module

import pytest

from tools.generators import target_tables


@pytest.mark.parametrize("vendor", target_tables.TABLES)
def test_python_tables_are_generated_from_toml(vendor: str) -> None:
    path = target_tables.TARGETS / f"{vendor}_table.py"
    assert path.read_text() == target_tables.module_of(vendor), "run python -m tools.generators.target_tables"
    toml = tomllib.loads((target_tables.TARGETS / "data" / f"{vendor}.toml").read_text())
    assert toml == import_module(f"regpress_lint.targets.{vendor}_table").TABLE
