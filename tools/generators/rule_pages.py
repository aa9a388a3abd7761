"""The documentation's page of every rule, docs/rules/NAME.md, and their list, from the pages beside the rules' modules.

    python -m tools.generators.rule_pages           write the pages
    python -m tools.generators.rule_pages --check   write nothing, exit 1 if a page is not what it should be

A page's name is the rule's, as in the link that findings carry. A rule's fixes are those that it offers for its own
fixtures in testdata.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint import testing
from regpress_lint.lint import registry
from regpress_rules import rules
from regpress_rules.retired import RETIRED, retired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api import Rule
    from regpress_lint.core.diagnostics import RuleInfo

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "rules"
# By the first digit of a code.
FAMILIES = {
    "0": "The linter itself",
    "1": "Launch bounds, block sizes and occupancy",
    "2": "Arithmetic and math functions",
    "3": "Live ranges",
    "4": "Private variables and arrays",
    "5": "Unrolling",
    "6": "Arguments and pointers",
    "7": "Calls",
    "8": "LDS and shared memory",
    "9": "SYCL and Intel GPUs",
}
# What highlighters know: none of them has HIP or SYCL.
_LANGUAGES = {"hip": "cpp", "cuda": "cpp", "sycl": "cpp"}
_NOTE = "<!-- Made by tools/generators/rule_pages.py from the page beside the rule's module: edit it there. -->"

_INTRODUCTION = (
    "Code and name mean the same everywhere: in `--select` and `ignore`, in comments that silence a finding, in the",
    "configuration. A prefix of the code stands for all rules that begin with it: `RP2` for arithmetic.",
    "",
    "`usually` is the severity that most findings of a rule have; it is decided for each finding and GPU. `fix` says",
    "whether `--fix` can repair it: a safe one keeps every result bit for bit, a costly one does, too, but may cost",
    "registers or time, an unsafe one may change results; the last two need `--unsafe-fixes` as well. Each",
    "page shows an example and what to write instead, and then what compilers, and an H200, made of both.",
)


def pages(fixes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Text of every page by its file's name. fixes: the kinds of each rule's fixes by its code, if known."""
    found = sorted(rules(), key=lambda rule: rule.code)
    for rule in found:
        documentation(rule)  # an error for one without a page comes before any work
    fixes = fixes or {rule.code: fixes_of(rule) for rule in found}
    texts = {f"{rule.name}.md": page(rule.info(), fixes[rule.code]) for rule in found}
    texts |= {f"{old.name}.md": page(registry.info(old.code), "") for old in RETIRED}
    return {**texts, "index.md": index([rule.info() for rule in found], fixes)}


def file_of(rule: type[Rule]) -> str:
    """The path of a rule's page from the root."""
    return f"rules/{rule.__module__.replace('.', '/')}.md"


def documentation(rule: type[Rule]) -> str:
    """A rule's page. Raises ValueError if it has none."""
    if not (ROOT / file_of(rule)).exists():
        raise ValueError(f"{file_of(rule)} is missing: it is the page of {rule.code}")
    return rule.info().documentation


def fixes_of(rule: type[Rule]) -> str:
    """`safe`, `unsafe`, `safe or unsafe` or nothing: the kinds of fixes that the rule offers for its fixtures."""
    kinds: set[str] = set()
    for path in sorted((ROOT / "testdata" / "rules" / rule.code).glob("*")):
        if path.suffix in (".hip", ".cu", ".cpp") and not path.name.startswith("near_miss"):
            found = testing.run([rule], path.read_text(), path.as_posix())
            kinds.update(each.finding.fix.applicability for each in found if each.finding.fix is not None)
    return " or ".join(sorted(kinds))


def page(info: RuleInfo, fixes: str) -> str:
    """A rule's page: its summary and page with a head and with code that highlighters understand."""
    summary, _, rest = info.documentation.partition("\n")
    kind = f"fix: {fixes}" if fixes else "no fix"
    text = re.sub(r"^```(\w+)$", lambda found: f"```{_LANGUAGES.get(found[1], found[1])}", rest, flags=re.MULTILINE)
    head = f"# {info.code} {info.name}\n\n{_NOTE}\n\n{summary}"
    if retired(info.code) is None:
        head += f"\n\nUsually: {info.severity.label}; {kind}."
    return f"{head}\n\n{text.strip()}\n\n[All rules](index.md)\n"


def index(infos: list[RuleInfo], fixes: Mapping[str, str]) -> str:
    """The list of all rules, by families."""
    return "\n".join(["# Rules", "", _NOTE, "", *_INTRODUCTION, *_families(infos, fixes), *_retired()]) + "\n"


def _families(infos: list[RuleInfo], fixes: Mapping[str, str]) -> Iterator[str]:
    for digit, group in groupby(infos, key=lambda info: info.code[2]):
        yield from (
            "",
            f"## {FAMILIES[digit]}",
            "",
            "| code | name | summary | usually | fix |",
            "|---|---|---|---|---|",
        )
        for info in group:
            summary = info.summary.replace("|", "\\|")
            link = f"[{info.name}]({info.name}.md)"
            yield f"| {info.code} | {link} | {summary} | {info.severity.label} | {fixes[info.code]} |"


def _retired() -> Iterator[str]:
    yield from ("", "## Codes of earlier versions", "", "| code | name | what became of it |", "|---|---|---|")
    for old in RETIRED:
        yield f"| {old.code} | [{old.name}]({old.name}.md) | {old.summary} |"


def stale(texts: Mapping[str, str]) -> list[str]:
    """Names of committed pages that differ, are missing, or belong to no rule."""
    committed = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    return sorted(name for name in {*committed, *texts} if committed.get(name) != texts.get(name))


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a page is not current")
    arguments = parser.parse_args()
    texts = pages()
    names = stale(texts)
    for name in names:
        print(name)
        if arguments.check:
            continue
        PAGES.mkdir(parents=True, exist_ok=True)
        if name in texts:
            (PAGES / name).write_text(texts[name], encoding="utf-8")
        else:
            (PAGES / name).unlink()
    return 1 if arguments.check and names else 0


if __name__ == "__main__":
    sys.exit(main())
