"""Formats that services read, each against what its public description demands, on the shared diagnostics."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from format_samples import LBM, TILE, hostile, locate, sample, text_of

from regpress_lint.core.diagnostics import Report
from regpress_lint.core.source import Source

REPORTS = [sample(), hostile(), Report(), Report(problems=("cannot read `a`",)), replace(sample(), problems=())]
IDS = ["sample", "hostile", "empty", "failed", "clean run"]
POSITION = {"type": "object", "properties": {"line": {"minimum": 1}, "column": {"minimum": 1}}}
# What GitLab's validator of code quality reports demands, and what its page adds.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "positions"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "positions": {
                        "type": "object",
                        "required": ["begin", "end"],
                        "properties": {"begin": POSITION, "end": POSITION},
                    },
                },
            },
        },
    },
}
_AT = {
    "type": "object",
    "required": ["line"],
    "additionalProperties": False,
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
_RANGE = {
    "type": "object",
    "required": ["start"],
    "additionalProperties": False,
    "properties": {"start": _AT, "end": _AT},
}
_LOCATION = {
    "type": "object",
    "required": ["path"],
    "additionalProperties": False,
    "properties": {"path": {"type": "string", "minLength": 1}, "range": _RANGE},
}
_SOURCE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"name": {"type": "string"}, "url": {"type": "string"}},
}
_SEVERITY = {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]}
# The messages of reviewdog's protocol as JSON: unknown fields are errors there.
RDF: dict[str, Any] = {
    "type": "object",
    "required": ["message", "location"],
    "additionalProperties": False,
    "properties": {
        "message": {"type": "string", "minLength": 1},
        "location": _LOCATION,
        "severity": _SEVERITY,
        "source": _SOURCE,
        "code": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"value": {"type": "string"}, "url": {"type": "string"}},
        },
        "suggestions": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["range", "text"],
                "additionalProperties": False,
                "properties": {"range": _RANGE, "text": {"type": "string"}},
            },
        },
        "original_output": {"type": "string"},
        "related_locations": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["location"],
                "additionalProperties": False,
                "properties": {"message": {"type": "string"}, "location": _LOCATION},
            },
        },
    },
}
RDF_RESULT = {
    "type": "object",
    "required": ["diagnostics"],
    "additionalProperties": False,
    "properties": {"diagnostics": {"type": "array", "items": RDF}, "source": _SOURCE, "severity": _SEVERITY},
}
# Elements of the XML formats: which attributes they must and may have, and which children.
JUNIT = {
    "testsuites": ((), ("name", "time", "tests", "failures", "errors", "disabled"), ("testsuite",)),
    "testsuite": (
        ("name", "tests"),
        ("failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"),
        ("properties", "testcase", "system-out", "system-err"),
    ),
    "testcase": (
        ("name", "classname"),
        ("assertions", "time", "status"),
        ("skipped", "error", "failure", "system-out", "system-err"),
    ),
    "failure": ((), ("type", "message"), ()),
    "error": ((), ("type", "message"), ()),
    "system-out": ((), (), ()),
}
CHECKSTYLE = {
    "checkstyle": (("version",), (), ("file", "exception")),
    "file": (("name",), (), ("error", "exception")),
    "error": (("line", "severity", "message", "source"), ("column",), ()),
}
each_report = pytest.mark.parametrize("report", REPORTS, ids=IDS)


def validate(schema: Any, document: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(schema).validate(document)


def elements(text: str, shape: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]) -> Any:
    """The root of a document in which every element is as described."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == next(iter(shape))
    for element in root.iter():
        must, may, children = shape[element.tag]
        assert set(must) <= set(element.attrib) <= {*must, *may}, element.tag
        assert {child.tag for child in element} <= set(children), element.tag
    return root


# GitLab


@each_report
def test_gitlab(report: Report) -> None:
    found = json.loads(text_of("gitlab", report))
    validate(GITLAB, found)
    assert len({each["fingerprint"] for each in found}) == len(found) == len(report.diagnostics)


def test_gitlab_fingerprints_stay_when_lines_move() -> None:
    item = next(each for each in sample().diagnostics if each.code == "RP201")
    moved = replace(item, location=locate(Source(LBM.path, b"\n\n" + LBM.data), "pow(x, 2.0)"))

    def prints(*diagnostics: Any) -> list[str]:
        return [each["fingerprint"] for each in json.loads(text_of("gitlab", Report(diagnostics=diagnostics)))]

    assert prints(item) == prints(moved)
    assert len(set(prints(item, item, moved))) == 3
    assert prints(item) != prints(replace(item, kernel="other"))


def test_gitlab_counts_characters_and_levels() -> None:
    found = {each["check_name"]: each for each in json.loads(text_of("gitlab", sample()))}
    assert found["RP201"]["location"]["positions"]["begin"] == {"line": 2, "column": 22}
    assert [found[code]["severity"] for code in ("RP102", "RP201", "RP501", "RP401")] == [
        "critical",
        "major",
        "minor",
        "info",
    ]


# reviewdog


@each_report
def test_rdjson_and_its_lines(report: Report) -> None:
    document = json.loads(text_of("rdjson", report))
    validate(RDF_RESULT, document)
    lines = [json.loads(line) for line in text_of("rdjsonl", report).splitlines()]
    for line in lines:
        validate(RDF, line)
    without = [{key: value for key, value in line.items() if key != "source"} for line in lines]
    assert without == document["diagnostics"]
    assert all(line["source"]["name"] == "regpress-lint" for line in lines)


def test_rdjson_columns_are_bytes_and_a_fix_of_one_edit_is_a_suggestion() -> None:
    found = {each["code"]["value"]: each for each in json.loads(text_of("rdjson", sample()))["diagnostics"]}
    place = found["RP201"]["location"]["range"]
    line = LBM.data.split(b"\r\n")[1]
    assert line[place["start"]["column"] - 1 : place["end"]["column"] - 1] == b"pow(x, 2.0)"
    assert found["RP201"]["suggestions"] == [{"range": place, "text": "x * x"}]
    related = found["RP403"]["related_locations"][0]["location"]["range"]["start"]
    assert TILE.data.split(b"\n")[1][related["column"] - 1 :].startswith("界[i]".encode())
    assert json.loads(text_of("rdjson", sample()))["severity"] == "ERROR"


# JSON lines


def test_json_lines_match_json() -> None:
    lines = [json.loads(line) for line in text_of("jsonl", sample()).splitlines()]
    assert lines == json.loads(text_of("json", sample()))["diagnostics"]
    assert text_of("jsonl", Report()) == ""


# XML


@each_report
def test_junit(report: Report) -> None:
    root = elements(text_of("junit", report), JUNIT)
    assert int(root.get("tests")) == len(list(root.iter("testcase"))) > 0
    assert int(root.get("failures")) == len(list(root.iter("failure")))
    assert int(root.get("errors")) == len(list(root.iter("error"))) == len(report.problems)
    for suite in root:
        assert int(suite.get("tests")) == len(suite.findall("testcase"))
        assert int(suite.get("failures")) == len(list(suite.iter("failure")))


@each_report
def test_checkstyle(report: Report) -> None:
    root = elements(text_of("checkstyle", report), CHECKSTYLE)
    errors = list(root.iter("error"))
    assert len(errors) == len(report.diagnostics)
    assert all(int(each.get("line")) > 0 and int(each.get("column")) > 0 for each in errors)
    assert {each.get("severity") for each in errors} <= {"error", "warning", "info", "ignore"}
    names = [each.get("name") for each in root]
    assert len(set(names)) == len(names)


def test_xml_escapes_invalid_characters() -> None:
    root = ElementTree.fromstring(text_of("checkstyle", hostile(message='<&">\x00\x1b\ufffe ]]> 漢')).encode())
    (error,) = root.iter("error")
    assert error.get("message", "").startswith('<&">\\x00\\x1b\\ufffe ]]> 漢')


# Markdown


def test_markdown_is_a_table_for_any_names() -> None:
    report = hostile(path="a|b`c`.hip", message="x | y <script>alert(1)</script> [a](http://b) `q|r` @team **b**")
    rows = [line for line in text_of("markdown", report).splitlines() if line.startswith("| ")]
    assert [len(re.split(r"(?<!\\)\|", row)) for row in rows] == [7, 7]
    message = re.split(r"(?<!\\)\|", rows[-1])[-2]
    assert "<script" not in message
    assert "](http://b)" not in message
    assert "\\@team" in message


def test_markdown_has_the_most_severe_first_and_counts_the_rest() -> None:
    many = replace(sample(), diagnostics=sample().diagnostics * 50)
    text = text_of("markdown", many)
    assert "\n100 less severe findings are left out.\n" in text
    assert [line for line in text.splitlines() if line.startswith("| ")][1].startswith("| **error** |")


@pytest.mark.parametrize("name", ["gitlab", "rdjson", "rdjsonl", "checkstyle", "junit", "markdown"])
def test_paths_are_the_repositorys_with_the_prefix(name: str) -> None:
    text = text_of(name, sample(), root="/srv/top", folder="/srv/top/sub", prefix="lib")
    assert "lib/sub/src/lbm.hip" in text.replace("\\", "")
