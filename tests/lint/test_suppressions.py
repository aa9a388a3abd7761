"""Comments that silence findings, and text that only looks like them."""

from __future__ import annotations

import time

import pytest
from cli_helpers import HIP

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.lint.registry import load
from regpress_lint.lint.suppressions import parse

LINE = "  x[i] = pow(x[i], 2.0);"


def found(text: str) -> tuple[list[str], int]:
    """Codes of a file's findings and how many were suppressed."""
    report = lint_bytes(text.encode(), "a.hip", Settings(ignore=("RP002",)))
    return [diagnostic.code for diagnostic in report.diagnostics], report.suppressed


@pytest.mark.parametrize(
    "replacement",
    [
        f"{LINE}  // regpress: ignore[RP201] the exponent is a physical law",
        f"{LINE}  // regpress: ignore[RP401, pow-small-exponent]",
        f"{LINE}  // regpress: ignore[RP2]",
        f"{LINE}  // regpress: ignore",
        f"{LINE}  // regpress:ignore",
        f"{LINE}  /* regpress: ignore[RP201] */",
        f"{LINE}  // NOLINT(regpress-RP201)",
        f"{LINE}  // NOLINT(bugprone-foo, regpress-pow-small-exponent)",
        f"{LINE}  // NOLINT(regpress-*)",
        f"{LINE}  // NOLINT(regpress-RP2*)",
        f"{LINE}  // NOLINT",
        f"{LINE}  // NOLINT(*)",
        f"{LINE}  // NOLINT: the exponent is a physical law",
        f"  // NOLINTNEXTLINE\n{LINE}",
        f"  // NOLINTBEGIN(regpress-RP201, bugprone-foo)\n{LINE}\n  // NOLINTEND(regpress-RP201, bugprone-foo)",
        f"  // NOLINTBEGIN\n\n{LINE}\n  // NOLINTEND",
        f"  // regpress: ignore-begin[RP201] measured\n\n{LINE}\n  // regpress: ignore-end[RP201]",
        f"  // regpress: ignore-begin[RP201]\n\n{LINE}\n  // regpress: ignore-end",
        f"  // regpress: ignore-begin[RP2]\n// regpress: ignore-begin[RP4]\n{LINE}\n"
        "  // regpress: ignore-end[RP2]\n// regpress: ignore-end[RP4]",
        f"  int j = i;  // regpress: ignore-next-line[RP201]\n{LINE}",
        f"  // NOLINTNEXTLINE(regpress-RP201)\n{LINE}",
        f"  // regpress: ignore[RP201]\n{LINE}",
        f"  /* regpress: ignore[RP201]\n     over two lines */\n{LINE}",
        f"  // regpress: ignore[RP201]\n  // another remark\n  // NOLINT\n{LINE}",
        LINE.replace("x[i] =", "/* regpress: ignore[RP201] */ x[i] ="),
        f"  // regpress: ignore[RP201]\r\n{LINE}",
    ],
)
def test_suppressed(replacement: str) -> None:
    assert found(HIP.replace(LINE, replacement)) == ([], 1)


@pytest.mark.parametrize(
    "replacement",
    [
        f"{LINE}  // regpress: ignore[RP401]",
        f"{LINE}  // NOLINT(bugprone-foo)",
        f"{LINE}  // NOLINTEND",
        f"  // NOLINTBEGIN(regpress-RP201)\n{LINE}",
        f"  // NOLINTBEGIN(bugprone-foo)\n{LINE}\n  // NOLINTEND(bugprone-foo)",
        f"  // NOLINTBEGIN(regpress-RP2*)\n  // NOLINTEND(regpress-RP2*)\n{LINE}",
        f"  // regpress: ignore-begin[RP201]\n{LINE}\n  // regpress: ignore-end[RP401]",
        f"  // regpress: ignore-begin\n{LINE}\n  // NOLINTEND",
        f"{LINE}  // regpress: ignore-next-line[RP201]",
        f"{LINE}  // NOLINTNEXTLINE(regpress-RP201)",
        f"{LINE}\n  // regpress: ignore[RP201]",
        f"  // regpress: ignore[RP201]\n\n{LINE}",
        f"  int j = i; // regpress: ignore[RP201]\n{LINE}",
        f'  const char *s = "// regpress: ignore[RP201]"; {LINE}',
        f'  const char *s = R"x(\n// regpress: ignore[RP201]\n)x"; {LINE}',
        f"{LINE}  // ignore[RP201]",
        f"{LINE}  // regpress: ignore-file[RP201]",
        f"{LINE}  // regpress: ignore[]",
    ],
)
def test_not_suppressed(replacement: str) -> None:
    assert found(HIP.replace(LINE, replacement)) == (["RP201"], 0)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("// regpress: ignore-file[RP201] generated\n", []),
        ("// Copyright\n\n/* regpress: ignore-file */\n", []),
        ("\ufeff// regpress: ignore-file[RP2]\n", []),
        ("// regpress: ignore-file[RP401]\n", ["RP201"]),
        ("int first;\n// regpress: ignore-file[RP201]\n", ["RP201"]),
    ],
)
def test_whole_files(header: str, expected: list[str]) -> None:
    assert found(header + HIP)[0] == expected


def test_the_first_line_is_a_part_of_the_whole_file() -> None:
    one_line = " ".join(HIP.split()[2:])
    assert found(one_line)[0] == ["RP201"]
    assert found(f"/* regpress: ignore-file */ {one_line}")[0] == []


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("// regpress: ignore[RP2001]", 'a.hip:1: suppression names the unknown rule "RP2001"'),
        ("// regpress: ignore[pow-smal-exponent]", 'did you mean "pow-small-exponent"'),
        ("// regpress: ignore-begin[RP201]", "a.hip:1: ignore-begin has no end, it silences nothing"),
        ("// NOLINTBEGIN(regpress-RP201)", "NOLINTBEGIN has no end"),
        ("// regpress: ignore-end[RP201]", "a.hip:1: ignore-end ends nothing that began before"),
        ("// NOLINT(regpress-RP999)", 'names the unknown rule "RP999"'),
        ("// regpress: ignroe[RP201]", 'unknown order "regpress: ignroe"'),
        ("// regpress: ignore[]", "names no rule"),
        ("int i; // regpress: ignore-file", "no effect after the first line of code"),
    ],
)
def test_useless_suppression_is_warned_about(comment: str, expected: str) -> None:
    warnings = parse(Source("a.hip", comment.encode()), load().rules).warnings
    assert len(warnings) == 1
    assert expected in warnings[0]


def test_an_internal_error_cannot_be_silenced() -> None:
    whole, line = parse(Source("a.hip", b"// regpress: ignore-file\n// regpress: ignore[RP009]\n")).entries
    assert whole.reaches(2, "RP201")
    assert line.naming("RP009", "internal-error")
    assert not whole.reaches(2, "RP009")
    assert not line.reaches(2, "RP009")


@pytest.mark.parametrize(
    "text", ["1'000'000; // regpress: ignore", "'\"'; // regpress: ignore", "u8'a' // regpress: ignore"]
)
def test_quotes_that_open_no_string(text: str) -> None:
    assert len(parse(Source("a.hip", text.encode())).entries) == 1


@pytest.mark.parametrize("piece", [b"/*", b'"', b"'", b'R"(', b"//\\\n", b"1'"])
def test_hostile_text_is_read_in_linear_time(piece: bytes) -> None:
    begin = time.process_time()
    assert parse(Source("a.hip", b"regpress: " + piece * 50_000)).entries == ()
    assert time.process_time() - begin < 5  # a square would take a minute
