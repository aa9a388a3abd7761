"""Every fixture of every rule, and the kernels of testdata/kernels, against the expectations written in them."""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpus import drawn

from regpress_lint import testing
from regpress_lint.api import Rule, Severity
from regpress_rules import rules
from tools.generators import finding_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _pytest.mark.structures import MarkDecorator, ParameterSet

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}
EXTENSIONS = {"hip": ".hip", "cuda": ".cu", "sycl": ".cpp"}
# Dialects of which a rule never speaks: nvcc assumes no block size; SYCL's launch bounds have no second argument. On
# Intel a print was measured to cost nothing; a SYCL kernel can not write to what it captured, nor call through a
# pointer, and local accessors are no arrays in view. A rule's own `languages` are not repeated here.
SILENT = {
    ("RP002", "cuda"),
    ("RP002", "hip"),
    ("RP002", "sycl"),
    ("RP009", "cuda"),
    ("RP009", "hip"),
    ("RP009", "sycl"),
    ("RP101", "cuda"),
    ("RP103", "sycl"),
    ("RP104", "sycl"),
    ("RP203", "cuda"),
    ("RP603", "cuda"),
}


def fixtures(folder: str) -> list[Path]:
    found = (path for path in TESTDATA.glob(folder) if path.suffix in (*EXTENSIONS.values(), ".cl"))
    return sorted(found)


def ids(path: Path) -> str:
    return path.relative_to(TESTDATA).as_posix()


# Kernels of these rules need many registers, or many executions.
COSTLY = ("RP101", "RP109", "RP302")


def quick_first(found: Iterable[Path], most: int = 1_200) -> list[ParameterSet]:
    """One parameter a fixture; of the large and costly ones each is `slow`."""

    def marks(path: Path) -> tuple[MarkDecorator, ...]:
        large = path.stat().st_size > most or path.parent.name in COSTLY
        return (pytest.mark.slow,) if large else ()

    return [pytest.param(path, id=ids(path), marks=marks(path)) for path in found]


@pytest.mark.parametrize("path", quick_first(fixtures("rules/RP*/*")))
def test_a_fixture_has_the_findings_of_its_comments(path: Path) -> None:
    """All expected findings of its rule and no others. No other rule fails or gives an unexpected warning, and each
    finding marks whole words.
    """
    text, code = path.read_text(), path.parent.name
    expected = testing.expectations(text)
    named = {expectation.code for expectation in expected} | {code}
    found = testing.run(RULES.values(), text, path.as_posix())
    mismatch = testing.compare(
        [each for each in expected if each.code == code], [each for each in found if each.code == code]
    )
    assert not mismatch, str(mismatch)
    unexpected = [each for each in found if each.severity >= Severity.WARNING and each.code not in named | {"RP105"}]
    assert unexpected == []
    assert [each for each in found if _cuts_a_word(text.encode(), each.finding.span.start, each.finding.span.end)] == []
    says_what_is_written_down(path, found)


@pytest.mark.parametrize("path", drawn(finding_texts.for_others(), 48))
def test_findings_for_other_gpus_match_the_stored_ones(path: Path) -> None:
    says_what_is_written_down(path, finding_texts.found_by_its_rule(path, finding_texts.OTHERS), finding_texts.OTHERS)


@pytest.mark.parametrize("path", drawn(finding_texts.evidence(), 24))
def test_findings_of_evidence_match_the_stored_ones(path: Path) -> None:
    """Its severities have to be earned: `tests/rules/test_evidence.py`."""
    says_what_is_written_down(path, finding_texts.found_by_its_rule(path))


def says_what_is_written_down(path: Path, found: tuple[testing.Found, ...], targets: tuple[str, ...] = ()) -> None:
    """Place, severity for each target, words, help, notes and fix of each finding: `testdata/findings`."""
    title = finding_texts.title(path, targets)
    now, before = finding_texts.texts(path, found, targets), written(finding_texts.written_in(path)).get(title, "")
    if now != before:
        alike = finding_texts.without_numbers(now) == finding_texts.without_numbers(before)
        what = "numbers of" if alike else "what is said of"
        command = finding_texts.command_for(path)
        pytest.fail(f"{what} {title} changed; to keep it: {command}\n{differences(before, now)}")


@cache
def written(file: Path) -> Mapping[str, str]:
    """The recorded findings of each fixture."""
    found: dict[str, str] = {}
    for part in re.split(r"^(?=== )", file.read_text(encoding="utf-8") if file.exists() else "", flags=re.MULTILINE):
        found[part.partition("\n")[0].removeprefix("== ")] = part
    return found


def differences(before: str, now: str) -> str:
    return "\n".join(difflib.unified_diff(before.splitlines(), now.splitlines(), "before", "now", n=1, lineterm=""))


def test_no_stored_findings_of_removed_fixtures() -> None:
    titles = {title for file in finding_texts.FINDINGS.glob("*.txt") for title in written(file) if title}
    others = {finding_texts.title(path, finding_texts.OTHERS) for path in finding_texts.for_others()}
    files = (*finding_texts.fixtures(), *finding_texts.evidence())
    assert titles == {finding_texts.title(path) for path in files} | others


def _cuts_a_word(data: bytes, start: int, end: int) -> bool:
    """True if what is marked begins or ends inside a word, or is a blank at its edge; a kernel without a name is marked
    by its first letter.
    """
    if end == start + 1:
        return False
    if any(re.match(rb"\w\w", data[max(at - 1, 0) : at + 1]) for at in (start, end) if at):
        return True
    return start < end and data[start:end].strip() != data[start:end]


@pytest.mark.parametrize("path", quick_first(fixtures("kernels/**/*")))
def test_findings_match_the_comments_of_real_kernels(path: Path) -> None:
    """Findings under the default profile: hints count only where they are expected.

    RP105 at severity info follows the band of the register estimate, which has its own benchmark.
    """
    text = path.read_text()
    found = testing.run(RULES.values(), text, path.as_posix())
    mismatch = testing.compare(testing.expectations(text), found)
    least = {"RP105": Severity.WARNING}
    extra = [each for each in mismatch.extra if each.severity >= least.get(each.code, Severity.INFO)]
    assert not mismatch.missing, str(mismatch)
    assert not extra, str(mismatch)
    says_what_is_written_down(path, found)


@pytest.mark.parametrize("language", EXTENSIONS)
@pytest.mark.parametrize("code", sorted(RULES))
def test_every_rule_has_fixtures_in_every_dialect(code: str, language: str) -> None:
    paths = [path for path in fixtures(f"rules/{code}/*") if path.suffix == EXTENSIONS[language]]
    expected = [any(e.code == code for e in testing.expectations(path.read_text())) for path in paths]
    if (code, language) in SILENT or language not in (RULES[code].languages or EXTENSIONS):
        assert not any(expected)
        return
    assert any(expected), f"no testdata/rules/{code}/positive{EXTENSIONS[language]} with a comment that expects {code}"
    assert not all(expected), f"no testdata/rules/{code}/near_miss{EXTENSIONS[language]}"


def test_expectations_are_read_with_severity_column_and_texts() -> None:
    text = 'a;  // expect: RP201 warning @3 "a \\"b\\"" "c"; RP401\n// expect-next-line: RP101 @9\nb;\r\n'
    assert testing.expectations(text) == (
        testing.Expectation(1, "RP201", Severity.WARNING, 3, ('a "b"', "c")),
        testing.Expectation(1, "RP401", None, None, ()),
        testing.Expectation(3, "RP101", None, 9, ()),
    )


@pytest.mark.parametrize("comment", ["RP201 @x", "pow", 'RP201 "open', "RP201 RP202"])
def test_a_malformed_expectation_is_an_error(comment: str) -> None:
    with pytest.raises(ValueError, match="line 1: not an expectation"):
        testing.expectations(f"a;  // expect: {comment}")


def test_expectation_comments_do_not_move_or_influence_the_code() -> None:
    text = '__global__ void k() {}  // expect: RP201 "é"\nint x;\n'
    clean = testing.without_expectations(text)
    assert "expect" not in clean
    assert len(clean.encode()) == len(text.encode())
    assert clean.endswith("\nint x;\n")


def test_missing_and_extra_findings_both_fail() -> None:
    kernel = "#include <hip/hip_runtime.h>\n__global__ void k(double* a) { a[0] = pow(a[1], 2.0); }"
    rule = [RULES["RP201"]]
    assert testing.check(rule, kernel).extra
    assert testing.check(rule, kernel.replace("pow(a[1], 2.0)", "a[1]") + "  // expect: RP201").missing
    assert not testing.check(rule, kernel + '  // expect: RP201 @39 "pow(a[1], 2.0)"')
