"""Mutation testing: small faults put into the core one at a time, and whether the unit tests notice.

    python benchmarks/mutation.py --sample 100 --seed 1          from all areas: the share killed
    python benchmarks/mutation.py --area passes --sample 40      one area
    python benchmarks/mutation.py --list                         how many mutants each area has

The mutants are cosmic-ray's (PyPI): a comparison, an operator, a number, a condition or a loop is changed; none in an
annotation. Each is tested in a copy of the repository, in a temporary folder: first by the tests of its area, then by
the whole unit suite unless `--quick`. A mutant that no test notices is a survivor: the run prints its lines. One that
makes the tests run several times as long as usual counts as noticed.
"""

from __future__ import annotations

import argparse
import difflib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("regpress_lint", "rules", "tests", "benchmarks", "testdata", "schemas", "docs", "examples", "pyproject.toml")
_OPERATORS = """
    ReplaceComparisonOperator_Lt_LtE ReplaceComparisonOperator_LtE_Lt ReplaceComparisonOperator_Gt_GtE
    ReplaceComparisonOperator_GtE_Gt ReplaceComparisonOperator_Eq_NotEq ReplaceComparisonOperator_NotEq_Eq
    ReplaceComparisonOperator_Is_IsNot ReplaceComparisonOperator_IsNot_Is
    ReplaceBinaryOperator_Add_Sub ReplaceBinaryOperator_Sub_Add ReplaceBinaryOperator_Mul_FloorDiv
    ReplaceBinaryOperator_FloorDiv_Mul ReplaceBinaryOperator_Div_Mul ReplaceBinaryOperator_Mod_Mul
    ReplaceBinaryOperator_LShift_RShift ReplaceBinaryOperator_RShift_LShift
    ReplaceBinaryOperator_BitAnd_BitOr ReplaceBinaryOperator_BitOr_BitAnd
    ReplaceUnaryOperator_Delete_Not ReplaceUnaryOperator_Delete_USub AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue
    ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue ReplaceContinueWithBreak NumberReplacer
    ZeroIterationForLoop
"""
OPERATORS = tuple(f"core/{name}" for name in _OPERATORS.split())
_SLACK = 4  # times the usual duration after which a run counts as hanging
_LEAST = 60.0


class Area(NamedTuple):
    """Modules that belong together, and the tests that know them best (names of files in `tests`, as globs)."""

    paths: tuple[str, ...]
    tests: tuple[str, ...]


_CORE_TESTS = (
    "test_ssa_*",
    "test_small_kernels*",
    "test_loop*",
    "test_scalar*",
    "test_golden*",
    "test_pressure*",
    "test_facts*",
)
AREAS = {
    "passes": Area(("regpress_lint/passes",), _CORE_TESTS),
    "estimate": Area(("regpress_lint/estimate",), _CORE_TESTS),
    "targets": Area(
        ("regpress_lint/targets",), ("test_occupancy_*", "test_golden*", "test_small_kernels*", "test_cli_targets*")
    ),
    "lint": Area(
        ("regpress_lint/lint",),
        (
            "test_cli*",
            "test_cache*",
            "test_suppressions*",
            "test_discovery*",
            "test_config*",
            "test_bad_input*",
            "test_fixes*",
        ),
    ),
}


class Mutant(NamedTuple):
    """One change of one file: the operator's n-th place in it."""

    area: str
    path: str
    operator: str
    occurrence: int


class Outcome(NamedTuple):
    """A mutant and whether a test noticed it; the change as a diff."""

    mutant: Mutant
    killed: bool
    diff: str
    seconds: float


def files_of(area: Area) -> list[Path]:
    """Modules of an area, in stable order."""
    return [
        path for folder in area.paths for path in sorted((ROOT / folder).rglob("*.py")) if path.name != "__init__.py"
    ]


def mutants(name: str) -> Iterator[Mutant]:
    """All mutants of an area, those in annotations left out."""
    for path in files_of(AREAS[name]):
        source = path.read_text(encoding="utf-8")
        tree = get_ast(source)
        for operator_name in OPERATORS:
            operator = get_operator(operator_name)()
            number = 0
            for node in _nodes(tree):
                for _ in operator.mutation_positions(node):
                    if not _is_annotation(node):
                        yield Mutant(name, str(path.relative_to(ROOT)), operator_name, number)
                    number += 1


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _is_annotation(node: Any) -> bool:
    below, above = node, node.parent
    while above is not None:
        if above.type == "tfpdef" or (above.type == "annassign" and below is above.children[1]):
            return True
        if above.type == "funcdef":
            return below is not above.children[-1] and below.type != "parameters"
        below, above = above, above.parent
    return False


def mutated(mutant: Mutant) -> str | None:
    """The module's text with the mutant in it, None if there is no such place."""
    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    found = mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence)
    return found if found != source else None


class Bench:
    """A copy of the repository in which mutants are tested."""

    def __init__(self, folder: Path, *, quick: bool, workers: int) -> None:
        self._folder = folder
        self._quick = quick
        self._workers = workers
        self._usual: dict[tuple[str, ...], float] = {}
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy2(source, folder / name)

    def test(self, mutant: Mutant) -> Outcome | None:
        """Run the tests on a mutant; None if it cannot be made."""
        text = mutated(mutant)
        if text is None:
            return None
        target = self._folder / mutant.path
        before = target.read_text(encoding="utf-8")
        start = time.monotonic()
        try:
            target.write_text(text, encoding="utf-8")
            killed = any(not self._passes(tests) for tests in self._rounds(mutant.area))
        finally:
            target.write_text(before, encoding="utf-8")
        lines = difflib.unified_diff(before.splitlines(), text.splitlines(), mutant.path, mutant.path, n=0, lineterm="")
        return Outcome(mutant, killed, "\n".join(lines), time.monotonic() - start)

    def warm(self, areas: Sequence[str]) -> None:
        """Run the tests without a mutant: they have to pass, and how long they take is what is usual."""
        for tests in dict.fromkeys(tests for area in areas for tests in self._rounds(area)):
            start = time.monotonic()
            if not self._passes(tests):
                raise SystemExit(f"the tests fail without a mutant: {' '.join(tests)}")
            self._usual[tests] = time.monotonic() - start

    def _rounds(self, area: str) -> list[tuple[str, ...]]:
        folder = self._folder / "tests"
        own = {str(path.relative_to(self._folder)) for glob in AREAS[area].tests for path in folder.glob(f"{glob}.py")}
        return [tuple(sorted(own))] if self._quick else [tuple(sorted(own)), ("tests",)]

    def _passes(self, tests: tuple[str, ...]) -> bool:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not compiler"]
        if self._workers > 1:
            command += ["-n", str(self._workers)]
        limit = max(_LEAST, _SLACK * self._usual[tests]) if tests in self._usual else None
        try:
            done = subprocess.run([*command, *tests], cwd=self._folder, capture_output=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", action="append", choices=sorted(AREAS), help="default: all")
    parser.add_argument("--sample", type=int, default=100, help="mutants to draw, spread over the areas by their size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="only the tests of the mutant's area")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-n", "--workers", type=int, default=2, help="processes of each test run")
    arguments = parser.parse_args()
    areas = arguments.area or sorted(AREAS)
    every = [mutant for area in areas for mutant in mutants(area)]
    if arguments.list:
        for area in areas:
            print(f"{area}: {sum(mutant.area == area for mutant in every)}")
        return 0
    drawn = random.Random(arguments.seed).sample(every, min(arguments.sample, len(every)))
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="regpress-mutation-") as folder:
        bench = Bench(Path(folder), quick=arguments.quick, workers=arguments.workers)
        bench.warm(areas)
        for mutant in drawn:
            outcome = bench.test(mutant)
            if outcome is None:
                continue
            outcomes.append(outcome)
            word = "killed" if outcome.killed else "SURVIVED"
            print(f"{word} {outcome.seconds:5.1f} s {mutant.path} {mutant.operator}#{mutant.occurrence}", flush=True)
            if not outcome.killed:
                print(
                    "\n".join(line for line in outcome.diff.splitlines() if not line.startswith(("---", "+++"))),
                    flush=True,
                )
    report(areas, outcomes)
    return 0


def report(areas: Sequence[str], outcomes: Sequence[Outcome]) -> None:
    """Print the share that was killed, by area and in all."""
    for area in (*areas, ""):
        own = [outcome for outcome in outcomes if outcome.mutant.area == area or not area]
        killed = sum(outcome.killed for outcome in own)
        if own:
            print(f"{area or 'all'}: {killed} of {len(own)} killed ({100 * killed / len(own):.0f} %)")


if __name__ == "__main__":
    sys.exit(main())
