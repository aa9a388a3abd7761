"""Mutation testing: small faults put into the core one at a time, and whether the unit tests notice.

    python -m tools.robustness.mutation --map FILE                     which tests reach which lines: once for a commit
    python -m tools.robustness.mutation --map FILE --sample 25         25 mutants of each area: the share that is killed
    python -m tools.robustness.mutation --map FILE --area passes --sample 40
    python -m tools.robustness.mutation --map FILE --tests tests/model/test_golden.py     put these into the map again
    python -m tools.robustness.mutation --list                         how many mutants each area has

The mutants are cosmic-ray's (PyPI): a comparison, an operator, a number, a condition or a loop is changed; none in an
annotation or an import for type checkers. Each is tested in a copy of the repository, in a temporary folder, by tests
that reach the changed line and by no others: the quickest of each test function first, and, for what survives these,
more of them (ROUNDS), at last every kernel of testdata/golden that reaches it. What runs when a module is loaded is
reached by the tests that reach the module or name it: a test may read a table and run no line of it. The map of who
reaches what is made with coverage.py (PyPI), by the unit suite in that copy; of an older map the tests count that are
still there. A mutant that no test notices is a survivor: its lines are printed. A test that fails has to pass without
the mutant, or it notices nothing. One that makes the tests run several times as long as usual counts as noticed.
Processes that tests start are out of its sight: what they alone reach is a survivor.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


from tools.robustness.mutation_map import (
    AREAS,
    MADE,
    ROOT,
    Reached,
    at_import,
    chosen,
    collected,
    completed,
    copied_to,
    present,
    readers,
    trace,
)

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
SLACK = 6.0  # times as long as usual after which a run counts as hanging
LEAST = 15.0  # seconds that every run is given
PATIENCE = 120.0  # seconds for a test that has failed, to pass without the mutant


class Mutant(NamedTuple):
    """One change of one file: the operator's n-th place in it."""

    area: str
    path: str
    operator: str
    occurrence: int


class Outcome(NamedTuple):
    """A mutant, how many tests ran, and whether one noticed; the change as a diff."""

    mutant: Mutant
    killed: bool
    tests: int
    diff: str
    seconds: float


# ------------------------------------------------------------------------------------------------------------- mutants


def mutants(area: str) -> Iterator[Mutant]:
    """All mutants of an area except those that no test could notice: in annotations, under `if TYPE_CHECKING`, and in
    generated tables, which a test compares as text.
    """
    from cosmic_ray.ast import get_ast
    from cosmic_ray.plugins import get_operator

    for path in sorted((ROOT / AREAS[area]).rglob("*.py")):
        if path.name == "__init__.py" or path.name.endswith(MADE):
            continue
        source = path.read_text(encoding="utf-8")
        tree = get_ast(source)
        nodes, hidden = list(_nodes(tree)), _for_type_checkers(source)
        for operator_name in OPERATORS:
            operator = get_operator(operator_name)()
            number = 0
            for node in nodes:
                for start, _ in operator.mutation_positions(node):
                    if start[0] not in hidden and not _is_annotation(node):
                        yield Mutant(area, str(path.relative_to(ROOT)), operator_name, number)
                    number += 1


def _for_type_checkers(source: str) -> set[int]:
    for_type_checkers: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for_type_checkers.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return for_type_checkers


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
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    found = mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence)
    return found if isinstance(found, str) and found != source else None


def changed(before: str, after: str) -> list[int]:
    """Numbers of the lines that a mutant changes."""
    blocks = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    return [
        line + 1 for tag, start, end, _, _ in blocks if tag != "equal" for line in range(start, max(end, start + 1))
    ]


# ----------------------------------------------------------------------------------------------------------- the bench


@cache
def _own_copy() -> Path:
    """The copy of this process, in the folder that the run removes at its end."""
    folder = Path(os.environ["REGPRESS_MUTATION_FOLDER"]) / str(os.getpid())
    copied_to(folder)
    return folder


class Work(NamedTuple):
    """A mutant, its rounds of tests with the seconds that they take without it, and its module without and with it."""

    mutant: Mutant
    rounds: list[tuple[list[str], float]]
    before: str
    after: str


def test(work: Work) -> Outcome:
    """Run tests on a mutant, each round in a process of its own that has pytest loaded already."""
    mutant, rounds, before, after = work
    folder = _own_copy()
    start = time.monotonic()
    broken: set[str] = set()  # tests that fail in this copy whatever the module says
    while True:
        _write(folder / mutant.path, after)
        try:
            sound = [([test for test in tests if test not in broken], usual) for tests, usual in rounds]
            killed = any(tests and not _pass(folder, tests, max(LEAST, SLACK * usual)) for tests, usual in sound)
        finally:
            _write(folder / mutant.path, before)
        noticed = _failed(folder).read_text() if killed else ""
        if not noticed or _pass(folder, [noticed], PATIENCE):
            break
        print(f"{noticed} fails without a mutant, too", flush=True)
        broken.add(noticed)
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    diff = "\n".join(line for line in lines if not line.startswith(("---", "+++")))
    return Outcome(mutant, killed, sum(len(tests) for tests, _ in rounds), diff, time.monotonic() - start)


def _write(path: Path, text: str) -> None:
    """A module's text, and nothing compiled of another: bytecode goes by the second and the size."""
    path.write_text(text, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def _failed(folder: Path) -> Path:
    """Where a run writes which test failed."""
    return folder.with_name(f"{folder.name}.failed")


class Noting:
    """A plugin of pytest: writes down which test failed."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: Any) -> None:
        """After each test."""
        if report.failed:
            self._file.write_text(report.nodeid)


def _pass(folder: Path, tests: Sequence[str], limit: float) -> bool:
    import pytest

    _failed(folder).write_text("")
    for name in ("hypothesis", "tree_sitter_cpp", "xdist"):  # loaded here, so that no run has to
        import_module(name)
    child = os.fork()
    if child == 0:
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        multiprocessing.current_process().daemon = False  # tests start processes of their own
        os.setsid()
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        os.chdir(folder)
        own = [str(folder), str(folder / "rules")]
        sys.path[:0] = own
        os.environ["PYTHONPATH"] = os.pathsep.join(own)
        status = pytest.main(
            ["-x", "-q", "-m", "", "-p", "no:cacheprovider", "-p", "no:randomly", *tests], [Noting(_failed(folder))]
        )
        os._exit(0 if status == 0 else 1)
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def works(drawn: Sequence[Mutant], reached: Reached) -> Iterator[Work]:
    """The work for each possible mutant."""
    for mutant in drawn:
        before = (ROOT / mutant.path).read_text(encoding="utf-8")
        if (after := mutated(mutant)) is not None:
            lines = changed(before, after)
            naming = readers(reached, mutant.path)
            rounds = chosen(reached, mutant.path, lines, constant=at_import(before, lines), naming=naming)
            named = [
                ([reached.tests[one] for one in each], sum(reached.seconds[one] for one in each)) for each in rounds
            ]
            yield Work(mutant, named, before, after)


def drawn_from(areas: Sequence[str], sample: int, seed: int) -> list[Mutant]:
    """So many mutants of each area, always the same for the same seed."""
    found: list[Mutant] = []
    for area in areas:
        every = list(mutants(area))
        found += random.Random(f"{seed} {area}").sample(every, min(sample, len(every)))
    return found


def report(areas: Sequence[str], outcomes: Sequence[Outcome]) -> None:
    """Print the share that was killed, by area and in all."""
    for area in (*areas, ""):
        own = [outcome for outcome in outcomes if outcome.mutant.area == area or not area]
        killed = sum(outcome.killed for outcome in own)
        if own:
            print(f"{area or 'all'}: {killed} of {len(own)} killed ({100 * killed / len(own):.0f} %)")


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", action="append", choices=sorted(AREAS), help="default: all")
    parser.add_argument("--sample", type=int, default=0, help="mutants to draw of each area")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--map", type=Path, default=Path("mutation-map.json"), help="made where it is not there")
    parser.add_argument("--tests", nargs="+", default=(), help="files of tests to put into the map; default: all")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-n", "--workers", type=int, default=2, help="processes")
    arguments = parser.parse_args()
    areas = arguments.area or list(AREAS)
    if arguments.list:
        for area in areas:
            print(f"{area}: {sum(1 for _ in mutants(area))}")
        return 0
    if arguments.tests or not arguments.map.exists():
        found = trace(arguments.workers, arguments.tests)
        if arguments.map.exists():
            found = completed(Reached(**json.loads(arguments.map.read_text())), found)
        arguments.map.write_text(json.dumps(found._asdict()))
        if not arguments.sample:
            return 0
    reached = present(Reached(**json.loads(arguments.map.read_text())), collected())
    print(f"{len(reached.tests):,} tests reach {sum(map(len, reached.lines.values())):,} lines", flush=True)
    outcomes: list[Outcome] = []
    drawn = drawn_from(areas, arguments.sample, arguments.seed)
    with tempfile.TemporaryDirectory(prefix="regpress-mutation-") as folder:
        os.environ["REGPRESS_MUTATION_FOLDER"] = folder
        with multiprocessing.get_context("fork").Pool(arguments.workers) as pool:
            for outcome in pool.imap(test, works(drawn, reached)):
                outcomes.append(outcome)
                mutant, killed, tests, diff, seconds = outcome
                word = "killed" if killed else "SURVIVED"
                print(f"{word} {seconds:5.1f} s {tests:>4} tests {mutant.path} {mutant.operator}#{mutant.occurrence}")
                print("" if killed else diff + "\n", end="", flush=True)
    report(areas, outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
