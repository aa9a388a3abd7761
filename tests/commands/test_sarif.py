"""SARIF: requirements of the standard and of GitHub, and the official schema.

The schema is in `testdata/sarif`; the README there names its source.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from format_samples import LBM, hostile, locate, one, sample, text_of

from regpress_lint.core.diagnostics import Diagnostic, Report
from regpress_lint.core.source import Source

SCHEMA = Path(__file__).resolve().parents[2] / "testdata" / "sarif" / "sarif-2.1.0.schema.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}


def check_sarif(log: dict[str, Any]) -> None:
    """Requirements of the standard and of GitHub that the schema does not express."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    (run,) = log["runs"]
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["automationDetails"]["id"].endswith("/")
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert len(rule["properties"]["tags"]) <= 10
        assert rule["defaultConfiguration"]["level"] in LEVELS.values()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] == LEVELS[result["properties"]["severity"]]
        assert result["message"]["text"].endswith(".")
        assert result["partialFingerprints"]["primaryLocationLineHash"]
        related = result.get("relatedLocations", [])
        linked = re.findall(r"(?<!\\)\]\((\d+)\)", result["message"]["text"])
        assert [int(number) for number in linked] == [item["id"] for item in related]
        replaced = [change for fix in result.get("fixes", []) for change in fix["artifactChanges"]]
        assert all(fix["description"]["text"] for fix in result.get("fixes", []))
        places = [item["physicalLocation"] for item in (*result["locations"], *related)]
        regions = [place["region"] for place in places]
        regions += [item["deletedRegion"] for change in replaced for item in change["replacements"]]
        for region in regions:
            assert min(region.values()) >= 1
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
        for artifact in [place["artifactLocation"] for place in places] + [c["artifactLocation"] for c in replaced]:
            assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", artifact["uri"])
            assert not artifact["uri"].startswith(("/", "./"))
            assert artifact["uriBaseId"] in run["originalUriBaseIds"]


@pytest.mark.parametrize("report", [sample(), hostile(), Report()], ids=["sample", "hostile", "empty"])
def test_sarif_meets_the_standard_and_github(report: Report) -> None:
    check_sarif(json.loads(text_of("sarif", report)))


@pytest.mark.parametrize("report", [sample(), hostile(), Report()], ids=["sample", "hostile", "empty"])
def test_sarif_fits_the_official_schema(report: Report) -> None:
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    validator.validate(json.loads(text_of("sarif", report)))
    validator.validate(json.loads(text_of("sarif", report, root="/home/a b")))
    broken = json.loads(text_of("sarif", report))
    broken["runs"][0]["columnKind"] = "bytes"
    with pytest.raises(jsonschema.ValidationError):  # the schema says something
        validator.validate(broken)


def sarif_run(report: Report, **options: Any) -> Any:
    return json.loads(text_of("sarif", report, **options))["runs"][0]


def test_sarif_columns_are_utf16_and_brackets_are_escaped() -> None:
    results = {item["ruleId"]: item for item in sarif_run(sample())["results"]}
    region = results["RP201"]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 23, "endLine": 2, "endColumn": 34}
    assert "[index \\[n\\](1) is read here](1)" in results["RP403"]["message"]["text"]
    text = sarif_run(one(sample(), message="lambda [=](1) here"))["results"][0]["message"]["text"]
    assert text == "Lambda \\[=\\](1) here."
    assert sarif_run(one(sample(), message="acc[n] here"))["results"][0]["message"]["text"] == "acc[n] here."


def test_sarif_has_the_run_status_and_the_occurring_rules() -> None:
    (invocation,) = sarif_run(sample())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "Cannot read `a.hip`."
    assert sarif_run(replace(sample(), problems=()))["invocations"][0]["executionSuccessful"] is True
    internal = replace(one(sample(), code="RP009"), problems=())
    assert sarif_run(internal)["invocations"][0]["executionSuccessful"] is False
    rules = {rule["id"]: rule for rule in sarif_run(sample())["tool"]["driver"]["rules"]}
    assert rules.keys() == {item.code for item in sample().diagnostics}
    page = rules["RP201"]["help"]
    assert page["text"] == "Small powers. See https://regpress-lint.readthedocs.io/rules/pow-small-exponent"
    assert page["markdown"].endswith("Registers.\n")
    assert rules["RP201"]["fullDescription"]["text"] == "Small powers.\n\nA call for what a product does."


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("./a b/c#1.hip", "a%20b/c%231.hip"),
        ("/repo/x/k.hip", "x/k.hip"),
        ("/else/k.hip", "file:///else/k.hip"),
        ("a:b.hip", "a%3Ab.hip"),
        ("é\udcff.hip", "%C3%A9%FF.hip"),
        ("C:/x y/k.hip", "file:///C:/x%20y/k.hip"),
    ],
)
def test_sarif_uris(path: str, uri: str) -> None:
    report = one(sample(), location=sample().diagnostics[0].location._replace(path=path))
    run = sarif_run(report, root="/repo")
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == uri
    assert ("uriBaseId" in artifact) is not uri.startswith("file:")
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///repo/"


def test_sarif_fingerprints_stay_when_lines_and_numbers_change_and_never_collide() -> None:
    item = next(item for item in sample().diagnostics if item.code == "RP201")
    moved = replace(
        item, location=locate(Source(LBM.path, b"\n\n" + LBM.data), "pow(x, 2.0)"), message=item.message + " 9"
    )
    other = replace(item, kernel="other")

    def prints(*diagnostics: Diagnostic) -> list[str]:
        results = sarif_run(Report(diagnostics=diagnostics))["results"]
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]

    assert prints(item) == prints(moved)
    assert len(set(prints(item, item, other))) == 3
