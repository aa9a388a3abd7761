"""A reader finds a module by its name: no two have the same."""

from __future__ import annotations

from collections import defaultdict

from cli_helpers import ROOT


def test_no_module_name_is_there_twice() -> None:
    named: dict[str, list[str]] = defaultdict(list)
    for package in ("regpress_lint", "rules/regpress_rules"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.name.startswith("__"):
                named[path.name].append(path.relative_to(ROOT).as_posix())
    assert len(named) > 400
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}
