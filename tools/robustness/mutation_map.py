"""Which tests reach which lines of the core: the map that `mutation.py` chooses tests by.

coverage.py (PyPI) records it while the unit suite or some of its files run in a copy of the repository. As a plugin of
pytest (`-p tools.robustness.mutation_map`) this module watches each test; coverage.py's contexts are the tests' names.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    *("regpress_lint", "rules", "tests", "tools", "testdata", "schemas", "docs", "examples", "templates"),
    *("editors", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "action.yml", "mkdocs.yml"),
    *(".pre-commit-hooks.yaml", ".ci"),
)
MADE = "_table.py"  # ends the names of what target_tables.py writes
# What of the tests that only CI runs is in the map, too: who changes an estimate sees it there.
LONG = ("tests/model/test_golden.py", "-m", "slow")
ROUNDS = ((120, 25.0), (2_000, 100.0))  # tests of one mutant, and seconds that these take without it, together
READERS = (2_000, 25.0)  # the same, of tests that name a module whose constants they read
AREAS: Mapping[str, str] = {
    "passes": "regpress_lint/model/passes",
    "estimate": "regpress_lint/model/estimate",
    "targets": "regpress_lint/targets",
    "lint": "regpress_lint/lint",
    "rules": "rules/regpress_rules",
}


class Reached(NamedTuple):
    """Which tests reach a line: `lines` by path and number, as indices of `tests`; `seconds` that each takes."""

    tests: list[str]
    seconds: list[float]
    lines: dict[str, dict[str, list[int]]]


class Tracer:
    """A plugin of pytest: which lines of the areas each test reaches, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self._folder = folder
        self._coverage = coverage.Coverage(
            data_file=str(folder / f"trace.{os.getpid()}"),
            include=[f"{Path.cwd() / path}/*" for path in AREAS.values()],
        )
        self._seconds: dict[str, float] = {}
        self._coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Lines from here on belong to this test."""
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Only what passes counts."""
        took = self._seconds.get(report.nodeid, 0.0) + report.duration
        self._seconds[report.nodeid] = took if report.passed else float("inf")

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self._coverage.stop()
        lines: dict[str, dict[int, list[str]]] = {}
        data = self._coverage.get_data()
        for path in data.measured_files():
            lines[str(Path(path).relative_to(Path.cwd()))] = data.contexts_by_lineno(path)
        target = self._folder / f"reached.{os.getpid()}.json"
        target.write_text(json.dumps({"seconds": self._seconds, "lines": lines}))


def pytest_configure(config: Any) -> None:
    """As a plugin (`-p tools.robustness.mutation_map`) in a run that is traced, and in each of its workers."""
    folder = os.environ.get("REGPRESS_MUTATION_TRACE")
    if folder and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Tracer(Path(folder)))


def trace(workers: int, tests: Sequence[str] = ()) -> Reached:
    """Run the unit suite and LONG, or some files, in a copy of the repository and see who reaches what."""
    with tempfile.TemporaryDirectory(prefix="regpress-mutation-") as name:
        copy, seen = Path(name) / "copy", Path(name) / "seen"
        seen.mkdir()
        copied_to(copy)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tools.robustness.mutation_map",
            "-p",
            "no:cacheprovider",
        ]
        command += ["-n", str(workers)] if workers > 1 else []
        paths = os.pathsep.join(map(str, (copy, copy / "rules")))
        environment = {**os.environ, "REGPRESS_MUTATION_TRACE": str(seen), "PYTHONPATH": paths}
        for what in (tests,) if tests else ((), LONG):
            subprocess.run([*command, *what], cwd=copy, check=False, env=environment)
        return merged([json.loads(path.read_text()) for path in sorted(seen.glob("reached.*.json"))])


def merged(parts: Sequence[Mapping[str, Any]]) -> Reached:
    """The union of all workers' records; lines that run at import belong to every test that reaches the file."""
    seconds = {test: took for part in parts for test, took in part["seconds"].items() if took < float("inf")}
    tests = sorted(seconds)
    number = {test: index for index, test in enumerate(tests)}
    lines: dict[str, dict[str, set[int]]] = {}
    for part in parts:
        for path, by_line in part["lines"].items():
            for line, contexts in by_line.items():
                found = (number[context] for context in contexts if context in number)
                lines.setdefault(path, {}).setdefault(str(line), set()).update(found)
    sorted_lines = {path: {line: sorted(found) for line, found in sorted(of.items())} for path, of in lines.items()}
    return Reached(tests, [round(seconds[test], 4) for test in tests], sorted_lines)


def completed(known: Reached, new: Reached) -> Reached:
    """A map updated by a later run, which wins for tests in both."""
    seen = set(new.tests)
    return merged([_as_part(known, {test for test in known.tests if test not in seen}), _as_part(new, seen)])


def _as_part(reached: Reached, tests: Collection[str]) -> Mapping[str, Any]:
    """A map as a worker writes it, of some tests."""
    names = reached.tests
    lines = {
        path: {line: [names[each] for each in found if names[each] in tests] for line, found in of.items()}
        for path, of in reached.lines.items()
    }
    seconds = {test: took for test, took in zip(names, reached.seconds, strict=True) if test in tests}
    return {"seconds": seconds, "lines": lines}


def collected() -> frozenset[str]:
    """The tests that there are now: a test of an older map that is gone would fail with every mutant."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "", "-p", "no:cacheprovider"]
    return frozenset(subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True).stdout.splitlines())


def present(reached: Reached, tests: Collection[str]) -> Reached:
    """The map without tests that are gone."""
    kept = [number for number, name in enumerate(reached.tests) if name in tests]
    new = {number: index for index, number in enumerate(kept)}
    lines = {
        path: {line: [new[test] for test in found if test in new] for line, found in of.items()}
        for path, of in reached.lines.items()
    }
    return Reached([reached.tests[each] for each in kept], [reached.seconds[each] for each in kept], lines)


def at_import(source: str, lines: Sequence[int]) -> bool:
    """True for lines that run when the module is loaded: of tables, defaults, decorators. Whichever test loads it first
    is the only one that coverage.py sees there.
    """
    inside: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return not inside.intersection(lines)


def readers(reached: Reached, path: str, folder: Path = ROOT) -> list[int]:
    """Tests of files that name a module: they may read its tables, and reach no line of it."""
    module = path.removeprefix("rules/").removesuffix(".py").replace("/", ".")
    named = re.compile(rf"\b{re.escape(module)}\b(?!\.)")
    texts: dict[str, bool] = {}
    found: list[int] = []
    for number, test in enumerate(reached.tests):
        file = test.partition("::")[0]
        if file not in texts:
            texts[file] = bool(named.search(_text(folder / file)))
        if texts[file]:
            found.append(number)
    return found


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def chosen(
    reached: Reached, path: str, lines: Sequence[int], *, constant: bool = False, naming: Sequence[int] = ()
) -> list[list[int]]:
    """The tests of a mutant, in rounds: of those that reach its lines (of a constant's: its file) the quickest of each
    function first. A constant's begin with those that name its module; whatever is left of the kernels of
    testdata/golden ends all, as CI looks at every one.
    """
    of = reached.lines.get(path, {})
    found = set() if constant else {test for line in lines for test in of.get(str(line), ())}
    golden = {number for number, test in enumerate(reached.tests) if test.startswith(f"{LONG[0]}::")}
    if not found:
        constant = True
        found = {test for tests in of.values() for test in tests} | set(naming)
    last = golden if constant and golden & found else golden & found
    rounds = [_first(reached, naming, READERS)] if constant else []
    rank: dict[str, int] = {}
    order: list[tuple[int, float, int]] = []
    for test in sorted(found.difference(*rounds), key=lambda test: (reached.seconds[test], test)):
        function = reached.tests[test].partition("[")[0]
        rank[function] = rank.get(function, -1) + 1
        order.append((rank[function], reached.seconds[test], test))
    left = [test for _, _, test in sorted(order)]
    for limits in ROUNDS:
        now = _first(reached, left, limits)
        rounds.append(now)
        left = [test for test in left if test not in set(now)]
    rounds.append(sorted(last.difference(*rounds), key=lambda test: (reached.seconds[test], test)))
    return [each for each in rounds if each]


def _first(reached: Reached, tests: Sequence[int], limits: tuple[int, float]) -> list[int]:
    """As many of the tests, in their order, as go together; one in any case."""
    most, limit = limits
    found: list[int] = []
    took = 0.0
    for test in tests:
        if len(found) < most and (took + reached.seconds[test] <= limit or not found):
            found.append(test)
            took += reached.seconds[test]
    return found


def tally(answers: Iterator[tuple[str, str]], total: int, sentence: str) -> int:
    """Print each name with its answer as it comes, and how many were noticed; 1 unless all of them were."""
    good = 0
    for name, answer in answers:
        good += answer == "noticed"
        print(f"{name}: {answer}", flush=True)
    print(f"{good} of {total} {sentence}")
    return int(good != total)


def copied_to(folder: Path) -> None:
    """A copy of the files that the tests need."""
    folder.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, folder / name)
