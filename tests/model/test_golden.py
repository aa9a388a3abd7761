"""The kernels of testdata/golden: what is said of them is written down, and is as good as it was.

`estimates.csv` holds every estimate, so that a change of one shows in the diff; `bars.toml` holds how good they have to
be beside what compilers made of the same kernels; `known_violations.csv` where a series of sizes does not move as a
compiler moves. That list may only shrink.
"""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from typing import TYPE_CHECKING

import compilers
import pytest

from regpress_lint.targets.occupancy import architecture
from tools.measure import golden, golden_score
from tools.measure.golden_rows import (
    ESTIMATES,
    GOLDEN,
    KNOWN,
    MEASURED,
    TARGETS,
    Estimated,
    Measured,
    demangled_name,
    instance_name,
    read_estimates,
    read_measured,
    sources,
    to_text,
)
from tools.measure.golden_score import Pair, Violation
from tools.measure.toolchain import find_toolchain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

REGENERATE = "python -m tools.measure.golden estimate"
# As many digits as `golden.py score` prints.
DIGITS = 3
# Half a second and less each; the others: `-m slow`.
QUICK = (
    "basics", "builtin_names", "bytes", "calls", "device_heap", "functors", "guards", "math_calls", "stencils",
    "virtual_calls",
)  # fmt: skip
# Of the others those that CI always looks at, and one in two.
IN_CI = (
    "bounds", "graphs", "packs", "particles", "passed_functions", "reductions", "series_factors", "series_trips",
)  # fmt: skip


by_compilers, by_us = cache(read_measured), cache(read_estimates)


@cache
def pairs() -> tuple[Pair, ...]:
    """Compilers' rows beside ours."""
    return tuple(golden_score.matched(by_compilers(), by_us()))


@cache
def written() -> Mapping[str, list[Estimated]]:
    """Rows of estimates.csv by file."""
    rows: dict[str, list[Estimated]] = {path.name: [] for path in sources()}
    for row in by_us():
        rows.setdefault(row.file, []).append(row)
    return rows


# ------------------------------------------------------------------------------------------- what is written down


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=path.stem,
            marks=()
            if path.stem in QUICK
            else pytest.mark.long
            if number % 2 and path.stem not in IN_CI
            else pytest.mark.slow,
        )
        for number, path in enumerate(sources())
    ],
)
def test_estimates_match_the_stored_ones(path: Path) -> None:
    before = {row.key: row for row in written()[path.name]}
    now = {row.key: row for row in golden.estimates(path)}
    changed = [
        f"{key.kernel} {key.target}: {said(before.get(key))} -> {said(now.get(key))}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key)
    ]
    assert not changed, f"{path.name}; to keep the new numbers: {REGENERATE}\n" + "\n".join(changed)


def said(row: Estimated | None) -> str:
    """An estimate in short."""
    return "none" if row is None else f"{row.estimate} ({row.low}-{row.high}) + {row.scratch_bytes}"


def test_no_stored_file_is_missing() -> None:
    assert written().keys() == {path.name for path in sources()}
    assert {row.file for row in by_compilers()} <= written().keys()


def test_the_tables_are_sorted_as_they_are_written() -> None:
    """So that a new row is one line of a diff."""
    assert ESTIMATES.read_text(encoding="utf-8") == to_text(by_us(), Estimated._fields)
    assert MEASURED.read_text(encoding="utf-8") == to_text(by_compilers(), Measured._fields)


# ------------------------------------------------------------------------------------------- the kernels themselves


@pytest.mark.parametrize("target", TARGETS)
def test_every_kernel_has_its_row(target: str) -> None:
    """The same kernels and instantiations: assembly of one vendor has a row for no other. A few have no SPIR-V."""
    measured = {row.key for row in by_compilers() if row.target == target}
    estimated = {row.key for row in by_us() if row.target == target}
    assert not measured - estimated
    assert len(estimated - measured) <= (0.05 * len(estimated) if target == "pvc" else 0)


def test_there_are_kernels_of_every_size() -> None:
    demands = {target: [pair.demand for pair in pairs() if pair.truth.target == target] for target in TARGETS}
    for target in ("gfx90a", "sm_90"):
        assert len(demands[target]) >= 300
        assert sum(10 <= demand <= 60 for demand in demands[target]) >= 100
        assert sum(demand > 64 for demand in demands[target]) >= 60
    in_memory = {(pair.truth.file, pair.truth.kernel) for pair in pairs() if pair.truth.scratch_bytes > 0}
    assert len(in_memory) >= 50


# ------------------------------------------------------------------------------------------- how good they are


@pytest.mark.parametrize("target", TARGETS)
def test_the_score_is_not_worse(target: str) -> None:
    """`python -m tools.measure.golden score` prints it, and the worst kernels."""
    bars = tomllib.loads((GOLDEN / "bars.toml").read_text(encoding="utf-8"))[target]
    score = golden_score.score([pair for pair in pairs() if pair.truth.target == target])
    at_least = ("spearman", "spearman_large", "inside", "memory_right", "memory_found")
    at_most = ("median_error", "median_width")
    assert bars.keys() == {*at_least, *at_most}
    missed = {name: getattr(score, name) for name in at_least if round(getattr(score, name), DIGITS) < bars[name]}
    missed |= {name: getattr(score, name) for name in at_most if round(getattr(score, name), DIGITS) > bars[name]}
    assert not missed, bars


# ------------------------------------------------------------------------------------------- sizes of one array


def test_series_move_as_the_compilers_do() -> None:
    """Both ways: a new violation fails, and so does one that is listed and gone."""
    with KNOWN.open(newline="", encoding="utf-8") as lines:
        known = {
            Violation(row["series"], row["target"], int(row["size"]), row["kind"]) for row in csv.DictReader(lines)
        }
    now = set(golden_score.violations(pairs()))
    new, gone = (sorted(map(str, some)) for some in (now - known, known - now))
    assert not new, "not as the compiler moves, and not listed: " + "; ".join(new)
    assert not gone, f"listed in {KNOWN.name} and repaired, take them out: " + "; ".join(gone)


def test_every_series_has_its_sizes() -> None:
    found = golden_score.series(pairs())
    sizes = (8, 16, 24, 32, 40, 48, 56, 64, 65, 96, 100, 128, 129)
    for name in ("row_variance", "madd9", "diffuse_line", "prefix_double", "column_sums"):
        for target in ("gfx90a", "sm_90"):
            assert tuple(size for size, _ in found[name, target]) == sizes


def pair(kernel: str, demand: int, estimate: int, scratch: int = 0, said_scratch: int = 0, spills: int = 0) -> Pair:
    """A made-up kernel on sm_90."""
    truth = Measured(
        "series_x.cu", kernel, "sm_90", "", demand, None, None, scratch, spills, 0, None, demand, scratch, spills
    )
    return Pair(truth, Estimated("series_x.cu", kernel, "sm_90", estimate, estimate, estimate, said_scratch, None))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([pair("s_8", 20, 24), pair("s_16", 30, 34)], []),
        ([pair("s_8", 20, 24), pair("s_16", 44, 24)], ["s,sm_90,16,cliff"]),
        ([pair("s_8", 40, 50), pair("s_16", 42, 40)], ["s,sm_90,16,falls"]),
        ([pair("s_8", 40, 50), pair("s_16", 32, 40)], []),  # the compiler's number falls, too
        ([pair("s_16", 42, 19), pair("s_8", 40, 50)], ["s,sm_90,16,falls", "s,sm_90,16,cliff"]),
        ([pair("s_8", 40, 50, scratch=64)], ["s,sm_90,8,scratch"]),
        ([pair("s_8", 40, 50, said_scratch=64)], ["s,sm_90,8,scratch"]),
        ([pair("s_8", 40, 50, scratch=64, said_scratch=32)], []),
        ([pair("s_8", 255, 250, scratch=64, spills=60)], []),  # no array but spilled registers
        ([pair("other", 20, 24), pair("other2", 30, 1)], []),
    ],
)
def test_definition_of_a_violation(members: Sequence[Pair], expected: Sequence[str]) -> None:
    assert [str(one) for one in golden_score.violations(members)] == expected


def test_score_over_known_values() -> None:
    some = [pair("a", 10, 10), pair("b", 40, 44), pair("c", 80, 40, 128, 128), pair("d", 160, 200, 0, 64)]
    some.append(pair("e", 255, 250, scratch=64, spills=60))
    score = golden_score.score(some)
    assert (score.kernels, score.large, score.inside) == (5, 4, 0.2)
    assert (score.memory_right, score.memory_found) == (0.5, 1.0)
    assert score.spearman == pytest.approx(0.9)
    assert score.median_error == pytest.approx(0.1)


# ------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("demangled", "arguments", "expected"),
    [
        ("copy(float const*)", None, "copy"),
        ("ns::copy(float const*)", "", "copy"),
        ("void tile<float, 8u, true>(float*)", "float, 8, true", "tile<float,8,true>"),
        ("void fold<(Op)1, Add<double> >(double*)", "1, Add<double>", "fold<1,Add<double>>"),
        ("void blur<(ns::Border)2>(float*)", "2", "blur<2>"),
        ("void f<unsigned long long, -4>(int)", "unsigned long long, -4", "f<unsigned long long,-4>"),
        ("void each<run(float*, int)::{lambda(int)#1}>(run(float*, int)::{lambda(int)#1}, int)",
         "(lambda at a/b.cu:17)", "each<lambda>"),
    ],
)  # fmt: skip
def test_compilers_and_linter_call_an_instantiation_alike(demangled: str, arguments: str | None, expected: str) -> None:
    assert demangled_name(demangled) == expected
    assert instance_name(expected.partition("<")[0], arguments) == expected


# ------------------------------------------------------------------------------------------- the compilers


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("file", "target"),
    [("basics.cu", "gfx90a"), ("bounds.cu", "sm_120"), ("series_variance.cu", "pvc"),
     pytest.param("functors.cu", "gfx1100", marks=pytest.mark.long),
     pytest.param("series_nested.cu", "sm_90", marks=pytest.mark.long)],
)  # fmt: skip
def test_compilers_still_agree(file: str, target: str) -> None:
    suffix = {"amd": ".hip", "nvidia": ".cu", "intel": ".cl"}[architecture(target).vendor]
    compilers.need(suffix)
    chain = find_toolchain()
    version = golden.version_of(chain, target)
    expected = [row for row in by_compilers() if (row.file, row.target) == (file, target)]
    if version is None:
        pytest.skip(f"no compiler for {target}")
    if version != expected[0].compiler:
        pytest.skip(f"{version} here, the table is of {expected[0].compiler}")
    now = golden.measure(chain, GOLDEN / file, target, version)
    assert {row.key: row for row in now} == {row.key: row for row in expected}
