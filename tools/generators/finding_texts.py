"""Findings of the rules for fixtures and evidence, word for word: `testdata/findings/*.txt`, a file for each folder.

    python -m tools.generators.finding_texts                        write them again; what changes is in `git diff`
    python -m tools.generators.finding_texts RP601 evidence_RP601   only these files

A test compares (`test_rules.py`): advice for the wrong case, a missing note or a changed number shows as a line of a
diff that the author of the change reads. A change of the register estimate changes only numbers, and the test says so.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint import testing
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_rules import rules
from regpress_rules.retired import retired

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.api import Rule
    from regpress_lint.core.diagnostics import Edit
    from regpress_lint.core.source import Span
    from regpress_lint.testing import Found

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
FINDINGS = TESTDATA / "findings"
COMMAND = "python -m tools.generators.finding_texts"
_SUFFIXES = (".hip", ".cu", ".cpp")
# A fixture that names no targets is read for those of its language, and by its own rule for these as well.
OTHERS = ("gfx1100", "sm_80", "pvc")


def fixtures() -> list[Path]:
    """The files that are written down: those of the rules, and the kernels of real programs."""
    found = (*TESTDATA.glob("rules/RP*/*"), *TESTDATA.glob("kernels/**/*"))
    return sorted(path for path in found if path.suffix in (*_SUFFIXES, ".cl"))


def evidence() -> list[Path]:
    """Measured pairs, which are linted with their own rule only; not those of codes that are documentation."""
    found = (path for path in TESTDATA.glob("evidence/RP*/*") if path.suffix in _SUFFIXES)
    return sorted(path for path in found if retired(path.parent.name) is None)


def for_others() -> list[Path]:
    """Fixtures of rules that are read for OTHERS as well."""
    own = (path for path in fixtures() if path.parent.name.startswith("RP"))
    return [path for path in own if not testing.settings_of(path.read_text(encoding="utf-8")).architectures]


def written_in(path: Path) -> Path:
    """Where the findings of a fixture are written down."""
    folder, *_ = path.relative_to(TESTDATA).parts
    names = {"rules": path.parent.name, "evidence": f"evidence_{path.parent.name}"}
    return FINDINGS / f"{names.get(folder, folder)}.txt"


def title(path: Path, targets: Sequence[str] = ()) -> str:
    """The title of a fixture's findings."""
    return path.relative_to(TESTDATA).as_posix() + (f" on {', '.join(targets)}" if targets else "")


def command_for(path: Path) -> str:
    """The command that writes the findings of a fixture, and of no other."""
    return f"{COMMAND} {written_in(path).stem}"


def texts(path: Path, found: Iterable[Found], targets: Sequence[str] = ()) -> str:
    """The findings of a fixture as they are written down, its title first."""
    source = Source(path.as_posix(), path.read_bytes())
    lines = (line for each in found for line in _lines(source, each))
    return "\n".join([f"== {title(path, targets)}", *lines]) + "\n"


def _lines(source: Source, found: Found) -> Iterator[str]:
    finding = found.finding
    kernel = f" in {finding.kernel}" if finding.kernel else ""
    yield f"{_place(source, finding.span)} {found.code} {_severities(finding.severities)}{kernel}"
    yield f"    {found.message}"
    if finding.help:
        yield f"    help: {finding.help}"
    for note in finding.notes:
        where = _place(source, note.span) if note.path is None else Path(note.path).name
        yield f"    note: {where}: {note.message}"
    if finding.fix is not None:
        yield f"    fix, {finding.fix.applicability}: {finding.fix.title}"
        for edit in sorted(finding.fix.edits):
            yield from _edit(source, edit)


def _place(source: Source, span: Span) -> str:
    start, end = source.position(span.start), source.position(span.end)
    to = f"{end.column}" if end.line == start.line else f"{end.line}:{end.column}"
    return f"{start.line}:{start.column}-{to}"


def _severities(severities: Mapping[str, Severity]) -> str:
    return ", ".join(f"{severity.label} {target}" for target, severity in sorted(severities.items()))


def _edit(source: Source, edit: Edit) -> Iterator[str]:
    yield f"        {_place(source, edit.span)} {edit.text!r}"


def found_in(path: Path) -> tuple[Found, ...]:
    """What all rules say of a fixture."""
    return _found(rules(), path)


def _found(chosen: Iterable[type[Rule]], path: Path, settings: Settings | None = None) -> tuple[Found, ...]:
    try:
        return testing.run(tuple(chosen), path.read_text(encoding="utf-8"), path.as_posix(), settings=settings)
    except ValueError as error:  # a file that a new rule has, and nobody filled in
        raise SystemExit(str(error)) from error


def found_by_its_rule(path: Path, targets: tuple[str, ...] = ()) -> tuple[Found, ...]:
    """Findings of a folder's rule in a file, for the targets that it names or for others."""
    own = (rule for rule in rules() if rule.code == path.parent.name)
    return _found(own, path, Settings(architectures=targets, min_severity=Severity.HINT) if targets else None)


def without_numbers(text: str) -> str:
    """A text whose numbers are all alike."""
    return re.sub(r"\d[\d,.]*", "N", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files with these names, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="files of testdata/findings, without .txt")
    names = parser.parse_args(arguments).names
    known = {written_in(path).stem for path in (*fixtures(), *evidence())}
    if unknown := [name for name in names if name not in known]:
        parser.error(f"testdata has no fixtures or evidence of {', '.join(unknown)}")

    def wanted(paths: Iterable[Path]) -> Iterator[Path]:
        return (path for path in paths if not names or written_in(path).stem in names)

    pages: dict[Path, list[str]] = {}
    for path in wanted(fixtures()):
        pages.setdefault(written_in(path), []).append(texts(path, found_in(path)))
    for path in wanted(for_others()):
        pages[written_in(path)].append(texts(path, found_by_its_rule(path, OTHERS), OTHERS))
    for path in wanted(evidence()):
        pages.setdefault(written_in(path), []).append(texts(path, found_by_its_rule(path)))
    FINDINGS.mkdir(exist_ok=True)
    for old in FINDINGS.glob("*.txt"):
        if old not in pages and not names:
            old.unlink()
    for file, parts in pages.items():
        file.write_text("".join(parts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
