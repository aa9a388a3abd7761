"""The page of `pressure --html`: that of `report`, of one file or kernel, safe whatever the source holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run
from page_helpers import HOSTILE, TWO, block, detail, findings, index

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / HOSTILE).write_text(TWO)
    result = run(capsys, "pressure", HOSTILE, "--html", "page.html")
    assert (result.status, result.out, result.err) == (0, "", "")
    return tmp_path / "page.html"


def test_it_is_the_page_of_report(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "report", "-o", "report.html", HOSTILE).status == 0
    one, two = page.read_text(), (page.parent / "report.html").read_text()
    assert [detail(one, 0), findings(one)] == [detail(two, 0), findings(two)]
    assert index(one)["kernels"] == index(two)["kernels"]
    assert {each["code"] for each in findings(one)} >= {"RP201"}


@pytest.mark.slow
def test_one_instantiation_has_its_own_numbers(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    estimates = []
    for name in ("tile<4>", "tile<24>"):
        wanted = ("--kernel", name, "--html", "one.html", "--output-format", "json")
        (found,) = json.loads(run(capsys, "pressure", HOSTILE, *wanted).out)["kernels"]
        text = (page.parent / "one.html").read_text()
        (kernel,) = index(text)["kernels"]
        assert kernel["name"] == name
        (target,) = kernel["targets"]
        assert target["registers"] == list(found["registers"].values())
        assert {each["code"] for each in findings(text)}.isdisjoint({"RP201"}), "of another kernel"
        estimates.append(target["registers"][1])
    assert estimates[0] < estimates[1]


def test_nothing_of_the_source_becomes_markup(page: Path) -> None:
    text = page.read_text()
    assert text.count("<script") == text.count("</script>") == 4
    assert text.count("<style") == text.count("</style>") == 1
    assert "<title>&lt;img src=x&gt;&amp;&#x27;.hip: register pressure</title>" in text
    for unwanted in ("<img", "<!--", "<b>bold", "\u202e", "\u2028"):
        assert unwanted not in text
    assert "default-src 'none'" in text


def test_page_without_scripts_names_its_requirement(page: Path) -> None:
    assert "<noscript>This page draws itself" in page.read_text()


def test_json_and_html_together(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "pressure", HOSTILE, "--html", "two.html", "--output-format", "json")
    assert json.loads(result.out)["version"] == 1
    assert (page.parent / "two.html").read_text() == page.read_text()


def test_bytes_that_are_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "latin.hip", tmp_path / "latin.html"
    source.write_bytes(TWO.encode().replace(b"quoted", b"\xe9\xff"))
    assert run(capsys, "pressure", str(source), "--html", str(target)).status == 0
    assert "evil" in json.dumps(index(target.read_text(encoding="utf-8")))
    assert block(target.read_text(encoding="utf-8"), "findings")
