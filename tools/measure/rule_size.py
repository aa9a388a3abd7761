"""How much a rule is: lines of logic behind each, what it imports, and how far that reaches past the api.

    python -m tools.measure.rule_size           one row a rule, and the medians
    python -m tools.measure.rule_size --check   also exit 1 for an import past the api or a median above the bar

Lines of logic are those without docstrings, comments and blank lines; an import is one line, however it is wrapped. A
helper (a module with an underscore) is counted once: each rule that needs it has an equal share. Concepts are the names
of the api that the guide's rule imports.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "rules" / "regpress_rules"
GUIDE = ROOT / "docs" / "writing-rules.md"
API = "regpress_lint.api"
BAR = 131  # lines: the median of zizmor's audits, another linter of one file a rule
CONCEPTS = 10


class Module(NamedTuple):
    """A module of the rules: its lines of logic, the helpers it imports, and its imports past the api."""

    name: str
    lines: int
    helpers: frozenset[str]
    past: tuple[str, ...]

    @property
    def is_rule(self) -> bool:
        """False for a helper."""
        return not self.name.rpartition(".")[2].startswith("_")


def logic(source: str) -> int:
    """Lines of a module that are neither blank nor comment nor docstring, nor the rest of an import."""
    silent: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            silent.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.ImportFrom):
            silent.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    lines = (line.lstrip() for number, line in enumerate(source.splitlines(), 1) if number not in silent)
    return sum(bool(line) and not line.startswith("#") for line in lines)


def imports(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Modules that a source imports, and the names that it takes from each."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module, tuple(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)


def modules() -> dict[str, Module]:
    """All modules of the rules that hold logic, by name."""
    found: dict[str, Module] = {}
    for path in sorted(RULES.rglob("*.py")):
        if path.stem in ("__init__", "_index"):
            continue
        name, source = ".".join(path.relative_to(RULES.parent).with_suffix("").parts), path.read_text(encoding="utf-8")
        taken = [module for module, _ in imports(source)]
        ours = frozenset(module for module in taken if module.startswith("regpress_rules."))
        past = tuple(m for m in taken if m.startswith("regpress_lint") and m != API and not m.startswith(f"{API}."))
        found[name] = Module(name, logic(source), ours, past)
    return found


def needed(name: str, known: dict[str, Module]) -> set[str]:
    """The helpers behind a rule, those of its helpers included."""
    found: set[str] = set()
    open_ = [name]
    while open_:
        new = known[open_.pop()].helpers - found
        found |= new
        open_ += new
    return found


def behind(known: dict[str, Module]) -> dict[str, float]:
    """Lines of logic behind each rule."""
    rules = [module.name for module in known.values() if module.is_rule]
    helpers = {rule: needed(rule, known) for rule in rules}
    users = {name: sum(name in helper for helper in helpers.values()) for name in known}
    return {rule: known[rule].lines + sum(known[name].lines / users[name] for name in helpers[rule]) for rule in rules}


def concepts(text: str) -> tuple[str, ...]:
    """Names of the api that the Python of a page imports."""
    blocks = re.findall(r"^```python \S+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    taken = (names for block in blocks for module, names in imports(block) if module.startswith(API))
    return tuple(dict.fromkeys(name for names in taken for name in names))


def main() -> int:
    """Print the table; the exit status says whether it keeps the bars, if that is requested."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit 1 if a bar is not kept")
    arguments = parser.parse_args()
    known = modules()
    lines = behind(known)
    print(f"{'rule':58} {'own':>5} {'behind':>7}")
    for name in sorted(lines, key=lambda rule: lines[rule]):
        print(f"{name.removeprefix('regpress_rules.'):58} {known[name].lines:5} {lines[name]:7.0f}")
    past = [f"{module.name} imports {each}" for module in known.values() for each in module.past]
    own = median(known[name].lines for name in lines)
    guide = concepts(GUIDE.read_text(encoding="utf-8"))
    whole = median(lines.values())
    print(f"{len(lines)} rules; median {own:.0f} lines of their own, {whole:.0f} behind them (bar {BAR})")
    print(f"{len(past)} imports past the api", *past, sep="\n")
    print(f"{len(guide)} concepts in the guide's rule (bar {CONCEPTS}): {', '.join(guide)}")
    kept = not past and whole <= BAR and len(guide) <= CONCEPTS
    return int(arguments.check and not kept)


if __name__ == "__main__":
    sys.exit(main())
