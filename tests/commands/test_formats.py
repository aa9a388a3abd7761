"""Every format on one shared set of diagnostics: golden files, schemas, real consumers and hostile input.

`UPDATE_GOLDEN=1 pytest tests/commands/test_formats.py` rewrites the golden files.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from format_samples import LBM, MINIFIED, TILE, hostile, locate, one, sample, strict, text_of

from regpress_lint.core.diagnostics import Diagnostic, Location, Related, Report, Severity
from regpress_lint.core.source import Source
from regpress_lint.render import NAMES, render, terminal
from regpress_lint.render.text import excerpt

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "testdata" / "formats"
SUFFIX = {
    "full": "txt",
    "summary": "txt",
    "concise": "txt",
    "github": "txt",
    "sarif": "sarif",
    "markdown": "md",
    "json": "json",
    "jsonl": "jsonl",
    "gitlab": "json",
    "rdjson": "json",
    "rdjsonl": "jsonl",
    "checkstyle": "xml",
    "junit": "xml",
}


@pytest.mark.parametrize("name", NAMES)
def test_golden_file(name: str) -> None:
    path, text = GOLDEN / f"{name}.{SUFFIX[name]}", text_of(name, sample())
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("report", [sample(), hostile(), Report()], ids=["sample", "hostile", "empty"])
def test_output_is_utf8_in_whole_lines_and_without_control_characters(name: str, report: Report) -> None:
    for piece in render(name, report):
        piece.encode("utf-8")
    text = text_of(name, report)
    assert text == "" or text.endswith("\n")
    assert not [char for char in text if char != "\n" and not char.isprintable()]


def test_unknown_format_and_lazy_imports() -> None:
    with pytest.raises(ValueError, match="known: full, concise"):
        render("xml", Report())
    code = (
        "import sys\nfrom regpress_lint.render import render\nfrom regpress_lint.core.diagnostics import Report\n"
        "list(render('full', Report()))\nprint(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not {"json", "urllib.parse", "hashlib", "textwrap", "difflib"} & set(loaded.split())


# full


def carets(text: str) -> list[tuple[str, str]]:
    pairs = re.findall(r"^ *\d+ \| (.*)\n *\| ( *[\^-]+)$", text, re.M)
    return [(code, line) for code, line in pairs]


def test_carets_are_under_the_span_in_cells() -> None:
    for code, line in carets(text_of("full", sample())):
        start, end = len(line) - len(line.lstrip()), len(line)
        column, under = 0, ""
        for char in code:
            if start <= column < end:
                under += char
            column += terminal.char_cells(char)
        expected = [
            "pow(x, 2.0)",
            "acc[n]",
            "界[i]",
            "for (;;) { // 漢字",
            "volatile float v",
            "y",
            "__global__ void step()",
        ]
        assert under in expected


PLAIN = Source("a.hip", b"one = first + second;\n\nthree = first;\nfour;\n" + b"five;\n" * 9)


def shown(*notes: tuple[Location, str], at: str = "three", width: int = 100) -> list[str]:
    """The code of a finding in PLAIN with these notes."""
    item = Diagnostic(
        code="RP403",
        name="runtime-indexed-array",
        severity=Severity.WARNING,
        location=locate(PLAIN, at),
        message="said",
    )
    found = replace(item, related=tuple(Related(*note) for note in notes))
    return text_of("full", Report(diagnostics=(found,), files=1, kernels=1), width=width).splitlines()[2:-2]


def test_places_of_one_file_share_an_excerpt_in_the_order_of_their_lines() -> None:
    assert shown((locate(PLAIN, "four"), "here"), (locate(PLAIN, "one"), "there")) == [
        "  |",
        "1 | one = first + second;",
        "  | --- there",
        "...",
        "3 | three = first;",
        "  | ^^^^^",
        "4 | four;",
        "  | ---- here",
    ]


def test_equal_notes_on_a_line_are_underlined_together() -> None:
    found = shown((locate(PLAIN, "second"), "read"), (locate(PLAIN, "first"), "read"), at="one")
    assert found == ["  |", "1 | one = first + second;", "  | ^^^", "  |       -----   ------ read"]
    found = shown((locate(PLAIN, "second"), "read"), (locate(PLAIN, "first"), "written"), at="one")
    assert found[2:] == ["  | ^^^", "  |       ----- written", "  |               ------ read"]
    inside = (locate(PLAIN, "first + second"), "read"), (locate(PLAIN, "second"), "read")
    assert shown(*inside, at="one")[3:] == ["  |       -------------- read", "  |               ------ read"]


def test_label_without_room_beside_is_below() -> None:
    words = "the value that is read here comes from memory"
    assert shown((locate(PLAIN, "second"), words), at="one", width=60)[3:] == [
        "  |               ------",
        f"  |               {words[:-7]}",
        "  |               memory",
    ]


def test_another_file_has_an_excerpt_of_its_own() -> None:
    found = shown((locate(LBM, "double"), "there"), (locate(PLAIN, "one"), "here"))
    assert found[:6] == ["  |", "1 | one = first + second;", "  | --- here", "...", "3 | three = first;", "  | ^^^^^"]
    assert found[6:9] == ["  |", " ::: src/lbm.hip:2:14", "  |"]
    assert found[10].endswith("------ there")


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_nothing_but_an_unbreakable_word_is_wider_than_the_terminal(width: int) -> None:
    for line in text_of("full", sample(), width=width).splitlines():
        assert terminal.cells(line) <= width or " --> " in line


def test_a_minified_line_is_clipped_around_the_span() -> None:
    text, offset, length = excerpt(locate(MINIFIED, "volatile float v"), 60)
    assert text.startswith("...")
    assert text.endswith("...")
    assert text[offset : offset + length] == "volatile float v"
    assert len(text) <= 60
    wide = locate(MINIFIED, "int a;", "volatile float v;")
    text, offset, length = excerpt(wide, 60)
    assert (text[:6], offset, length) == ("int a;", 0, 57)


def test_an_empty_span_and_one_behind_the_line_get_a_caret() -> None:
    at_end = LBM.position(len(LBM.data))
    assert excerpt(Location(LBM.path, at_end, at_end, ""), 60) == ("", 0, 1)
    start = TILE.position(1)
    assert excerpt(Location(TILE.path, start, start, TILE.line_text(1)), 60)[1:] == (4, 1)


def test_an_escape_sequence_in_code_message_or_name_does_not_reach_the_terminal() -> None:
    text = text_of("full", sample()) + text_of("concise", sample()) + text_of("full", hostile())
    assert "\x1b" not in text
    assert r"x = \x1b[31m\x07y\x9b2J" in text
    assert r"\u202e z" in text
    painted = text_of("full", sample(), color=True)
    assert not re.sub(r"\x1b\[[0-9;]*m", "", painted).count("\x1b")
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text_of("full", sample())


def test_links_hold_only_printable_urls() -> None:
    report = one(sample(), url="https://e.org/x")
    assert "\x1b]8;;https://e.org/x\x1b\\" in text_of("full", report, links=True)
    assert "\x1b" not in text_of("full", one(sample(), url="https://e.org/\x1b]x"), links=True)


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (Report(files=3, kernels=12), "No findings in 12 kernels of 3 files."),
        (Report(files=1, kernels=1, suppressed=2), "No findings in 1 kernel of 1 file. 2 suppressed."),
        (one(sample()), "Found 1 hint in 4 files (7 kernels). 1 suppressed. 1 fixable with --fix --unsafe-fixes."),
        (
            sample(),
            "Found 1 error, 2 warnings, 2 info and 1 hint in 4 files (7 kernels). 1 suppressed. "
            "1 fixable with --fix, 1 more with --unsafe-fixes.",
        ),
    ],
)
def test_summary(report: Report, line: str) -> None:
    assert text_of("full", report, width=200).splitlines()[-1] == line


# terminal


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "on_terminal", "on_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, True, True),
        ({"TERM": "dumb"}, False, False),
        ({"CLICOLOR": "0"}, False, False),
    ],
)
def test_colour_decision(environ: dict[str, str], on_terminal: bool, on_pipe: bool) -> None:
    assert terminal.use_color(Tty(), environ) is on_terminal
    assert terminal.use_color(io.StringIO(), environ) is on_pipe


@pytest.mark.parametrize(
    ("columns", "width"),
    [
        ("120", 120),
        ("7", terminal.MINIMUM_WIDTH),
        ("", terminal.DEFAULT_WIDTH),
        ("0", terminal.DEFAULT_WIDTH),
        ("wide", terminal.DEFAULT_WIDTH),
        ("²", terminal.DEFAULT_WIDTH),
        ("9" * 5000, terminal.DEFAULT_WIDTH),
    ],
)
def test_line_width(columns: str, width: int) -> None:
    assert terminal.line_width(io.StringIO(), {"COLUMNS": columns}) == width


def test_line_width_of_a_closed_stream_and_of_a_terminal() -> None:
    stream = io.StringIO()
    stream.close()
    assert terminal.line_width(stream, {}) == terminal.DEFAULT_WIDTH
    if not hasattr(os, "openpty"):
        pytest.skip("no pseudo-terminals here")
    import fcntl
    import struct
    import termios

    main, child = os.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 77, 0, 0))
    with os.fdopen(main, "rb"), os.fdopen(child, "w") as screen:
        assert terminal.line_width(screen, {}) == 77
        assert terminal.line_width(screen, {"COLUMNS": "90"}) == 90


def test_a_closed_stream_is_not_coloured() -> None:
    stream = io.StringIO()
    stream.close()
    assert terminal.use_color(stream, {}) is False


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("漢字", 4), ("🚀", 2), ("e\u0301", 1), ("𐐀", 1), ("ｶ", 1), ("👩\u200d🔬", 4)]
)
def test_cells(text: str, cells: int) -> None:
    assert terminal.cells(text) == cells


# concise


def test_concise_has_one_line_per_place_and_byte_columns() -> None:
    lines = text_of("concise", sample()).splitlines()
    assert len(lines) == 6 + 2
    line = next(line for line in lines if "RP201" in line)
    assert line.startswith("src/lbm.hip:2:25: warning: `pow")
    assert line.endswith("[RP201 pow-small-exponent]")
    assert len(text_of("concise", hostile()).splitlines()) == 2


@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
def test_real_vim_reads_concise(tmp_path: Path) -> None:
    (tmp_path / "out").write_text(text_of("concise", sample()), encoding="utf-8")
    entries = "map(getqflist(), {_, entry -> [bufname(entry.bufnr), entry.lnum, entry.col, entry.valid]})"
    export = f"call writefile([json_encode({entries})], 'list')"
    command = ["vim", "-Nu", "NONE", "-es", "-c", "cgetfile out", "-c", export, "-c", "qa!"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=30, stdin=subprocess.DEVNULL)
    found = sample().diagnostics
    places = [at for item in found for at in (item.location, *(related.location for related in item.related))]
    expected = [[place.path, place.start.line, place.start.column, 1] for place in places]
    assert json.loads((tmp_path / "list").read_text()) == expected


# json


@pytest.mark.parametrize("report", [sample(), hostile(), Report()], ids=["sample", "hostile", "empty"])
def test_json_fits_its_schema(report: Report) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "schemas" / "diagnostics.v1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(strict(schema)).validate(json.loads(text_of("json", report)))


def test_json_positions_and_hostile_paths() -> None:
    log = json.loads(text_of("json", sample()))
    item = next(item for item in log["diagnostics"] if item["code"] == "RP201")
    data = LBM.data
    assert data[item["start"]["byte"] : item["end"]["byte"]] == b"pow(x, 2.0)"
    assert (item["start"]["line"], item["start"]["column"]) == (2, 25)
    assert log["summary"] == {
        "files": 4,
        "kernels": 7,
        "error": 1,
        "warning": 2,
        "info": 2,
        "hint": 1,
        "fixable": 1,
        "fixable_unsafe": 2,
    }
    path = json.loads(text_of("json", hostile()))["diagnostics"][0]["path"]
    assert path == "a\n::error::b,c:%\\xff\\ud800.hip"


# github


def parse_command(line: str) -> tuple[str, dict[str, str], str]:
    """As the runner reads a command: everything after the second `::` is data, properties are split at commas."""

    def unescape(text: str) -> str:
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            text = text.replace(code, char)
        return text

    match = re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line)
    assert match is not None, line
    properties = dict(pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {key: unescape(value) for key, value in properties.items()}, unescape(match[3])


def test_github_commands_sorted_by_severity_with_columns_only_on_one_line() -> None:
    commands = [parse_command(line) for line in text_of("github", sample()).splitlines()]
    assert [level for level, _, _ in commands] == ["error", "warning", "warning", "notice", "notice", "notice"]
    by_title = {properties["title"]: properties for _, properties, _ in commands}
    assert by_title["RP201 pow-small-exponent"]["col"] == "23"  # UTF-16; bytes would be 25
    assert "col" not in by_title["RP501 unbounded-unroll"]
    assert by_title["RP501 unbounded-unroll"]["endLine"] == "3"


def test_github_survives_hostile_names_and_messages() -> None:
    (line,) = text_of("github", hostile(message="50%, a:b\r\n::error::x")).splitlines()
    _, properties, message = parse_command(line)
    assert properties["file"] == "a\n::error::b,c:%\\xff\\ud800.hip"
    assert message.startswith("50%, a:b\r\n::error::x")
    assert "%250A" in text_of("github", hostile(message="%0A"))


def test_github_counts_hidden_findings() -> None:
    report = sample()
    many = replace(report, diagnostics=report.diagnostics * 12)
    lines = text_of("github", many).splitlines()
    assert len(lines) == 10 + 10 + 10 + 1
    assert lines[-1].startswith("42 more not annotated (2 errors, 14 warnings, 26 notices)")
