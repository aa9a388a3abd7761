"""Severity is earned: what a rule says about its evidence pairs is what compilers and the GPU were measured to do."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import compilers
import pytest
from corpus import drawn

from regpress_lint import testing
from regpress_lint.api import Rule, Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint import registry
from regpress_lint.targets.occupancy import architecture
from regpress_rules import rules
from tools.measure import evidence, measure_evidence

if TYPE_CHECKING:
    from pathlib import Path

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}
CODES = evidence.codes()
LANGUAGES = {"amd": "hip", "nvidia": "cuda", "intel": "sycl"}
# What no compiler measures: a text that was not understood, a rule that failed, a launch that cannot work, and
# occupancy, whose arithmetic is replayed from the vendors' own tables. RP110 is about code that is compiled for sm_90a
# alone: `tests/rules/test_warp_roles.py` asks nvcc.
WITHOUT_EVIDENCE = {*("RP001", "RP002", "RP009", "RP102", "RP105", "RP106", "RP107", "RP108", "RP110", "RP904")}
# Textbook smells that the compilers were seen to repair in every pair: never more than a hint.
HINTS = {"RP905"}
SLOW = ("gfx942", "gfx1100", "gfx1201", "sm_80", "sm_120")  # what differs there by vendor and family is quick elsewhere
by_target = pytest.mark.parametrize(
    ("code", "target"),
    [
        pytest.param(
            code,
            target,
            id=f"{code}-{target}",
            marks=pytest.mark.slow if target in SLOW or (number + place) % 12 else (),
        )
        for number, code in enumerate(CODES)
        for place, target in enumerate(dict.fromkeys(target for _, target in evidence.effects(code)))
    ],
)


@cache
def severities(code: str, file: str, target: str) -> dict[str, Severity]:
    """The highest severity of a rule by kernel, as a run for one target sees a source."""
    if code not in RULES:
        return {}  # documentation only: nothing is said of its pairs
    path = evidence.EVIDENCE / code / file
    if path.suffix == ".cl":
        path = path.with_suffix(".cpp")
    language = LANGUAGES[architecture(target).vendor]
    settings = Settings(architectures=(target,), min_severity=Severity.HINT, select=(code,))
    found: dict[str, Severity] = {}
    text = path.read_text()
    for each in testing.run([RULES[code]], text, path.as_posix(), language, settings):  # type: ignore[arg-type]
        kernel = each.finding.kernel or ""
        found[kernel] = max(each.severity, found.get(kernel, Severity.HINT))
    return found


@by_target
def test_findings_of_a_pair_match_the_measurement(code: str, target: str) -> None:
    """Warnings pay, silence costs little, and fixed kernels are not reported."""
    known = {"known": evidence.known_misses(code), "elsewhere": evidence.timed_elsewhere(code)}
    for (pair, of), effect in evidence.effects(code).items():
        if of == target:
            said = severities(code, effect.smell.file, target).get(f"{pair}_smell", Severity.HINT)
            marks = {mark: (pair, target) in pairs for mark, pairs in known.items()}
            holds(said, effect, f"{code} {pair} {target}", **marks)
            repaired = severities(code, effect.repaired.file, target).get(f"{pair}_repaired", Severity.HINT)
            assert repaired == Severity.HINT, f"{code} {pair} {target}: the repaired kernel is reported"


def holds(said: Severity, effect: evidence.Effect, name: str, *, known: bool, elsewhere: bool) -> None:
    assert said < Severity.WARNING or not effect.slower, f"{name}: a warning, and its repair is slower: {effect.time}"
    if said >= Severity.WARNING:
        assert effect.any or elsewhere, f"{name}: a warning, and the repair changes nothing: {effect}"
    elif said >= Severity.INFO:
        assert effect.any or effect.smell != effect.repaired, f"{name}: {effect}"
    elif effect.strong:
        assert known, f"{name}: silent, and the repair is worth it: {effect}"


@pytest.mark.parametrize("code", sorted(RULES.keys() - WITHOUT_EVIDENCE))
def test_every_rule_has_evidence(code: str) -> None:
    assert (evidence.EVIDENCE / code).is_dir(), f"no testdata/evidence/{code} with pairs NAME_smell and NAME_repaired"
    assert evidence.measurements(code), f"not measured: run python -m tools.measure.measure_evidence {code}"


@pytest.mark.parametrize("code", drawn(sorted(RULES.keys() - WITHOUT_EVIDENCE - HINTS), 6))
def test_every_rule_has_a_pair_that_pays_and_is_reported(code: str) -> None:
    found = evidence.effects(code)
    assert any(
        effect.any and severities(code, effect.smell.file, target).get(f"{pair}_smell", Severity.HINT) >= Severity.INFO
        for (pair, target), effect in found.items()
    )


@pytest.mark.parametrize("code", sorted(HINTS))
def test_smell_fixed_by_every_compiler_is_only_a_hint(code: str) -> None:
    found = evidence.effects(code)
    assert found
    assert not any(effect.any for effect in found.values())
    for (pair, target), effect in found.items():
        assert severities(code, effect.smell.file, target).get(f"{pair}_smell", Severity.HINT) == Severity.HINT


@pytest.mark.parametrize("code", CODES)
def test_page_shows_the_measurement(code: str) -> None:
    _, heading, shown = registry.info(code).documentation.partition("## Measured\n")
    assert heading, f"the page of {code} has no section Measured: run python -m tools.measure.measure_evidence {code}"
    shown = shown.split("\n## ", 1)[0].strip()
    option = "--pages " if evidence.effects(code) else ""
    assert shown == evidence.section(code), f"run: python -m tools.measure.measure_evidence {option}{code}"


@pytest.mark.parametrize("code", CODES)
def test_known_misses_are_pairs(code: str) -> None:
    assert evidence.known_misses(code).keys() <= evidence.effects(code).keys()


@pytest.mark.parametrize("code", CODES)
def test_timed_pair_is_faster(code: str) -> None:
    effects = evidence.effects(code)
    times = {pair: effect.time.speed_up for (pair, _), effect in effects.items() if effect.time is not None}
    for pair, target in evidence.timed_elsewhere(code):
        assert not effects[pair, target].any
        assert times[pair] >= evidence.FASTER


def asked_in_ci(place: int, number: int, source: Path) -> str | None:
    """The target that CI asks a compiler about: for one source in six of a rule, of vendors in turn."""
    targets = [target for target in evidence.targets_of(source) if target not in SLOW]
    return targets[place % len(targets)] if targets and number % 6 == 0 else None


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("code", "source", "target"),
    [
        pytest.param(
            code, source, target, marks=() if target == asked_in_ci(place, number, source) else pytest.mark.long
        )
        for place, code in enumerate(CODES)
        for number, source in enumerate(evidence.sources(code))
        for target in evidence.targets_of(source)
    ],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_compilers_still_agree_with_the_data(code: str, source: Path, target: str) -> None:
    """With the versions of the data number by number, with others as far as the verdict goes."""
    suffix = {"amd": ".hip", "nvidia": ".cu", "intel": ".cl"}[architecture(target).vendor]
    compilers.need(suffix)
    now = measure_evidence.measured_source(source, target, compilers.chain(), compilers.workshop())
    stored = [row for row in evidence.measurements(code) if (row.file, row.target) == (source.name, target)]
    if {row.compiler for row in now} == {row.compiler for row in stored}:
        assert now == stored
        return
    before, after = (evidence.paired(rows) for rows in (stored, now))
    assert {key for key, effect in after.items() if effect.strong} == {key for key, e in before.items() if e.strong}
