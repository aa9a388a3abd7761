"""The tables of registers on Intel's pages are what Intel's compiler reports."""

from __future__ import annotations

import compilers
import pytest

from regpress_lint.lint import registry
from regpress_rules import rules
from regpress_rules.retired import RETIRED
from tools.measure import evidence, intel_live, toolchain

CODES = (*(rule.code for rule in rules()), *(old.code for old in RETIRED))
ALL = {code: registry.info(code).documentation for code in CODES}
PAGES = {code: page for code, page in ALL.items() if "tools.measure.intel_live" in page}


def test_pages_name_the_source_of_their_table() -> None:
    assert PAGES.keys() == {"RP901", "RP902", "RP905"}
    for code, page in PAGES.items():
        assert f"python -m tools.measure.intel_live testdata/evidence/{code}/" in page


@pytest.mark.compiler
@pytest.mark.parametrize("code", sorted(PAGES))
def test_table_matches_the_compiler(code: str) -> None:
    compilers.need(".cl")
    (source,) = (path for path in evidence.sources(code) if path.suffix == ".cl")
    stored = {row.compiler for row in evidence.measurements(code) if row.target == "pvc"}
    if stored != {toolchain.igc_version()}:
        pytest.skip("another version of IGC")
    assert "\n".join(intel_live.rows(source, "pvc")) in PAGES[code]
