"""The schema and the page of the configuration: every key, as the program takes it, and no other."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import HIP, run

from regpress_lint.config.load import EXTEND, REQUIRED_VERSION, load, require
from regpress_lint.config.options import OPTIONS
from regpress_lint.core.errors import UsageError
from tools.generators import config_schema
from tools.generators.config_schema import KEYS, document

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "a.hip").write_text(HIP)


def test_every_option_is_described() -> None:
    assert set(KEYS) == {option.key for option in OPTIONS} | {EXTEND, REQUIRED_VERSION}


def test_the_committed_files_are_the_generated_ones() -> None:
    for path, text in config_schema.texts().items():
        assert path.read_text() == text, "run tools/generators/config_schema.py"
    assert config_schema.main(["--check"]) == 0


@cache
def _validator(jsonschema: Any) -> Any:
    """Keys of the schema, itself a mapping."""
    jsonschema.Draft202012Validator.check_schema(document())
    return jsonschema.Draft202012Validator(document())


@pytest.mark.parametrize("name", [name for name in KEYS if name != EXTEND])
def test_every_example_is_taken_by_schema_and_program(tmp_path: Path, name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    example = KEYS[name].example
    _validator(jsonschema).validate(tomllib.loads(example))
    (tmp_path / "regpress.toml").write_text(f"{example}\n")
    found = load(["a.hip"])
    assert found.path is not None
    own = found.output_format or found.jobs or found.cache_dir or found.compilers
    assert name == REQUIRED_VERSION or found.settings or own


def test_schema_refuses_invalid_values_like_the_program() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(document())
    for text in ("selct = []", "select = 201", "jobs = true", "block-size = 99999", "low-occupancy = 25"):
        assert list(validator.iter_errors(tomllib.loads(text))), text
    for text in ('profile = "strikt"', "fail-on = 3", 'per-file-ignores = "x"', 'output-format = "x"'):
        assert list(validator.iter_errors(tomllib.loads(text))), text


# extend and required-version


def test_a_file_extends_another(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'profile = "strict"\nexclude = ["gen/x"]\nblock-size = 64\njobs = 3\n'
        'severity = { RP2 = "info", RP4 = "hint" }\n'
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "regpress.toml").write_text(
        'extend = "../base.toml"\nblock-size = 32\nexclude = ["own"]\nseverity = { RP2 = "error" }\n'
    )
    found = load(["sub/a.hip"])
    assert (found.settings["profile"], found.settings["assumed_block_size"], found.jobs) == ("strict", 32, 3)
    assert found.settings["exclude"] == (f"{tmp_path}/gen/x", "own")
    assert {key: value.label for key, value in found.settings["severities"].items()} == {"RP2": "error", "RP4": "hint"}
    assert found.origins["profile"].endswith("base.toml")
    assert found.origins["assumed_block_size"] == str(tmp_path / "sub" / "regpress.toml")


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ('extend = "absent.toml"', "", "cannot read configuration file"),
        ('extend = "other.toml"', 'extend = "regpress.toml"', "a circle"),
        ('extend = "regpress.toml"', "", "a circle"),
        ('extend = "other.toml"', "selct = []", 'other.toml: unknown key "selct"'),
        ("extend = 3", "", "extend: expected a path"),
        ('extnd = "x"', "", 'did you mean "extend"?'),
    ],
)
def test_impossible_extension(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own: str, other: str, expected: str
) -> None:
    (tmp_path / "regpress.toml").write_text(own)
    (tmp_path / "other.toml").write_text(other)
    result = run(capsys, "check", "a.hip")
    assert result.status == 2
    assert expected in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "wanted", ["1.2.3", "==1.2.3", ">=1", ">=1.0,<2", "~=1.2", "~=1.2.0", "!=1.2.4", "> 1.2.2", "<=1.2.3.0"]
)
def test_versions_that_fit(wanted: str) -> None:
    require(wanted, "f: required-version", "1.2.3")


@pytest.mark.parametrize("wanted", ["1.2", ">=2", "<1.2.3", "~=1.1.0", "~=1.3", "!=1.2.3", ">=1,<1.2"])
def test_versions_that_do_not(wanted: str) -> None:
    with pytest.raises(UsageError, match=r"f: required-version: requires .*, but this is regpress-lint 1\.2\.3"):
        require(wanted, "f: required-version", "1.2.3")


def test_a_version_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text('required-version = ">=99"\n')
    assert "required-version: requires" in run(capsys, "check", "a.hip").err
    (tmp_path / "regpress.toml").write_text('required-version = "new"\n')
    assert "is not a version clause" in run(capsys, "check", "a.hip").err


# --show-settings


def test_settings_name_their_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "regpress.toml").write_text('extend = "../base.toml"\nignore = ["RP2"]\n')
    (tmp_path / "base.toml").write_text('exclude = ["gen"]\njobs = 2\n')
    out = run(capsys, "check", "--show-settings", "--block-size", "64", "--exclude", "x", "sub/b.hip", "a.hip").out
    first, second = out.split("\n\n")
    assert first.startswith("# for sub/b.hip\n")
    assert 'ignore = ["RP2"]  # sub/regpress.toml\n' in first
    assert 'exclude = ["gen", "x"]  # base.toml and command line\n' in first
    assert "jobs = 2  # base.toml\n" in first
    assert "block-size = 64  # command line\n" in first
    (off,) = [line for line in first.splitlines() if line.startswith("# off:")]
    assert off.startswith("# off: RP201 RP202")
    assert off.endswith('  # ignore "RP2", sub/regpress.toml')
    assert second.startswith("# for a.hip\n# configuration file: none\n")
    assert "# off:" not in second


def test_settings_name_the_key_that_disabled_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text('select = ["RP2"]\n[per-file-ignores]\n"a.*" = ["RP201"]\n')
    out = run(capsys, "check", "--show-settings", "--ignore", "RP203", "a.hip").out
    assert '# off: RP201  # per-file-ignores "a.*" = "RP201", regpress.toml\n' in out
    assert '# off: RP203  # ignore "RP203", command line\n' in out
    assert "  # not in select, regpress.toml\n" in out
