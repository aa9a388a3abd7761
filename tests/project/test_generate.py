"""`tools/generate.py`: one command writes all generated files, names stale ones, and starts a rule."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING

import pytest
from snippets import ROOT

from regpress_lint import testing
from tools import generate
from tools.generators import advice_evidence, target_tables

if TYPE_CHECKING:
    from pathlib import Path


OTHERS = {"generate", "measure_evidence", "measure_testdata", "rule_size"}  # need compilers, or check a limit


def test_every_script_that_can_check_its_output_is_a_generator() -> None:
    scripts = {
        path.stem
        for path in (ROOT / "tools").rglob("[!_]*.py")
        if re.search(r'"--check"|checks_only\(', path.read_text(encoding="utf-8")) and path.stem not in OTHERS
    }
    assert scripts <= {generator.script for generator in generate.GENERATORS}


def test_measured_pairs_match_the_evidence() -> None:
    written = advice_evidence.WRITTEN.read_text(encoding="utf-8")
    assert written == advice_evidence.text(), "run python tools/generate.py advice_evidence"


def test_every_output_exists() -> None:
    for generator in generate.GENERATORS:
        for pattern in generator.outputs:
            assert list(ROOT.glob(pattern)), f"{generator.script} writes no {pattern}"


def test_the_list_of_scripts_is_the_generated_one() -> None:
    assert generate.INDEX.read_text(encoding="utf-8") == generate.index(), "run python tools/generate.py"


def test_a_stale_file_is_named_and_left_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "commands.md"
    before = page.read_text(encoding="utf-8")
    try:
        page.write_text("stale", encoding="utf-8")
        assert generate.main(["--check", "commands_page"]) == 1
        assert capsys.readouterr().out == "docs/commands.md is stale: run python tools/generate.py commands_page\n"
        assert page.read_text(encoding="utf-8") == "stale"
    finally:
        page.write_text(before, encoding="utf-8")


def test_an_unknown_generator_is_an_error_that_lists_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        generate.main(["nothing"])
    assert "known are target_tables, rule_index" in capsys.readouterr().err


def test_a_new_rule_gets_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "GROUPS", tmp_path / "rules")
    (tmp_path / "rules" / "live").mkdir(parents=True)
    (tmp_path / "rules" / "live" / "__init__.py").touch()
    written = list(generate.new_rule("unused-lane", "live", "RP399", "Lanes that compute nothing", ["cuda", "hip"]))
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "rules/live/unused_lane.py",
        "rules/live/unused_lane.md",
        *(f"testdata/rules/RP399/{kind}{suffix}" for suffix in (".cu", ".hip") for kind in ("positive", "near_miss")),
        "testdata/evidence/RP399/unused_lane.cu",
    ]
    kind = ast.parse(written[0].read_text()).body[-1]
    assert isinstance(kind, ast.ClassDef)
    assert (kind.name, ast.get_docstring(kind)) == ("UnusedLane", "Lanes that compute nothing.")
    assert '    languages = ("cuda", "hip")\n' in written[0].read_text()
    assert written[-1].read_text().startswith("// targets: gfx90a, gfx1100, sm_90\n")
    assert not any(testing.expectations(path.read_text()) for path in written[2:])
    with pytest.raises(ValueError, match="exists already"):
        list(generate.new_rule("unused-lane", "live", "RP398", "Again"))


@pytest.mark.parametrize(
    ("name", "group", "code", "reason"),
    [
        ("unused-lane", "nothing", "RP399", 'no group "nothing"; known are arrays'),
        ("lane", "live", "RP399", "no name of a rule"),
        ("unused-lane", "retired", "RP399", 'no group "retired"'),
        ("unused-lane", "live", "X1", "no code"),
        ("unused-lane", "math", "RP399", "rules of math have RP2, not RP399"),
        ("unused-lane", "live", "RP301", "RP301 exists already"),
    ],
)
def test_a_wrong_word_for_a_new_rule_is_explained(name: str, group: str, code: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        list(generate.new_rule(name, group, code, "x"))


@pytest.mark.parametrize(
    ("vendor", "row", "reason"),
    [
        ("amd", 'family = "rdna9"\ntitle = "x"', 'no family "rdna9"; known are gcn1'),
        ("amd", 'title = "x"', "it names no family; known are gcn1"),
        ("amd", 'family = "rdna3"\ntitle = "x"\nlds_byte = 1', 'no number "lds_byte"'),
        ("amd", 'family = "rdna3"', 'no "title"'),
        ("nvidia", 'title = "x"\nsmem_kib_per_sm = 1', 'no "simds"'),
    ],
)
def test_a_wrong_row_for_a_new_gpu_is_explained(vendor: str, row: str, reason: str) -> None:
    text = (target_tables.TARGETS / "data" / f"{vendor}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text.replace("\n[aliases]\n", f"\n[arch.new0]\n{row}\n\n[aliases]\n"))
    with pytest.raises(ValueError, match=re.escape(f"data/{vendor}.toml: new0: {reason}")):
        target_tables.check_rows(vendor, table)


@pytest.mark.parametrize(
    ("alias", "reason"),
    [('new0 = ["rx0"]', "there is no new0 in [arch]"), ('gfx950 = ["mi100"]', '"mi100" is gfx908 and gfx950')],
)
def test_a_wrong_alias_is_explained(alias: str, reason: str) -> None:
    text = (target_tables.TARGETS / "data" / "amd.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    table["aliases"] |= tomllib.loads(alias)
    with pytest.raises(ValueError, match=re.escape(f"data/amd.toml: [aliases]: {reason}")):
        target_tables.check_rows("amd", table)
