"""Fixes are kept if they help some kernel and hurt none, alone or together, with the fewest compilations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.commands.verify.trying import Build, Builds, Group, OutOfTimeError, paired, prove
from regpress_lint.core.diagnostics import ResolvedEdit, ResolvedFix
from regpress_lint.core.source import Position
from regpress_lint.measured.ratchet import Numbers, together, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = b"a b c d"
PLAIN = Numbers(64, 0, 0, 8, 1000)


def fix(at: int) -> ResolvedFix:
    """Makes a letter large."""
    places = [Position(1, byte + 1, byte + 1, byte + 1, byte) for byte in (at, at + 1)]
    return ResolvedFix(f"fix {at}", "safe", (ResolvedEdit(places[0], places[1], DATA[at : at + 1].decode().upper()),))


def builds(
    registers: Callable[[str], dict[str, int] | None], seen: list[str] | None = None
) -> Callable[[bytes], Builds]:
    """A compiler: registers by kernel of a text, None where it does not compile."""

    def build(data: bytes) -> Builds:
        text = data.decode()
        if seen is not None:
            seen.append(text)
        found = registers(text)
        if found is None:
            return {"gfx90a": Build({}, "error: no")}
        return {"gfx90a": Build({name: {name: PLAIN._replace(registers=n)} for name, n in found.items()})}

    return build


def proved(groups: list[Group], registers: Callable[[str], dict[str, int] | None]) -> list[tuple[str, int]]:
    found = prove(DATA, groups, builds(registers))
    assert [result.group for result in found] == groups
    return [(result.verdict, len(result.kept)) for result in found]


K1, K2 = Group("RP1", "k", (fix(0),)), Group("RP2", "k", (fix(2),))
BOTH = Group("RP1", "k", (fix(0), fix(2)))


@pytest.mark.parametrize(
    ("after", "expected"), [(50, ("confirmed", 1)), (63, ("no change", 0)), (70, ("refuted", 0)), (None, ("broken", 0))]
)
def test_one_fix(after: int | None, expected: tuple[str, int]) -> None:
    def registers(text: str) -> dict[str, int] | None:
        return {"k": 64} if "a" in text else None if after is None else {"k": after}

    assert proved([K1], registers) == [expected]


def test_a_fix_that_hurts_another_kernel_is_refuted() -> None:
    assert proved([K1], lambda text: {"k": 64 if "a" in text else 30, "other": 64 if "a" in text else 90}) == [
        ("refuted", 0)
    ]


def test_a_rule_s_fixes_are_compiled_at_once() -> None:
    seen: list[str] = []
    other = Group("RP1", "other", (fix(4),))
    found = prove(DATA, [BOTH, other], builds(lambda text: {"k": 64 - 9 * ("A" in text), "other": 64}, seen))
    assert [result.verdict for result in found] == ["confirmed", "no change"]
    assert seen == ["a b c d", "A B C d"]


def test_harmful_group_is_split() -> None:
    def registers(text: str) -> dict[str, int]:
        return {"k": 64 - 9 * ("A" in text) + 30 * ("B" in text)}

    (result,) = prove(DATA, [BOTH], builds(registers))
    assert (result.verdict, result.kept) == ("confirmed", (fix(0),))


def test_a_fix_that_breaks_does_not_condemn_the_others() -> None:
    other = Group("RP1", "other", (fix(4),))

    def registers(text: str) -> dict[str, int] | None:
        return None if "C" in text else {"k": 64 - 9 * ("A" in text), "other": 64}

    assert proved([Group("RP1", "k", (fix(0),)), other], registers) == [("confirmed", 1), ("broken", 0)]


def test_fixes_that_help_only_together() -> None:
    def registers(text: str) -> dict[str, int]:
        return {"k": {0: 64, 1: 90, 2: 20}[("A" in text) + ("B" in text)]}

    found = prove(DATA, [K1, K2], builds(registers))
    assert [(result.verdict, result.how, len(result.kept)) for result in found] == [("confirmed", "together", 1)] * 2


def test_fixes_that_conflict_are_not_both_kept() -> None:
    def registers(text: str) -> dict[str, int]:
        return {"k": {0: 64, 1: 50, 2: 90}[("A" in text) + ("B" in text)]}

    assert proved([K1, K2], registers) == [("confirmed", 1), ("confirmed", 0)]


def test_kernels_that_are_not_compiled_stay_open() -> None:
    found = prove(DATA, [K1, Group("RP1", "gone", (fix(2),))], builds(lambda text: {"k": 64 - 9 * ("A" in text)}))
    assert [result.verdict for result in found] == ["confirmed", "unverified"]
    assert "nothing instantiates" in found[1].changes["gfx90a"].error
    assert proved([K1], lambda _: None) == [("unverified", 0)]


def test_no_time_left_gives_no_verdict() -> None:
    def build(data: bytes) -> Builds:
        if data != DATA:
            raise OutOfTimeError
        return {"gfx90a": Build({"k": {"k": PLAIN}})}

    assert [result.verdict for result in prove(DATA, [K1], build)] == ["unverified"]


def test_scratch_comes_before_waves_and_waves_before_registers() -> None:
    assert verdict(PLAIN._replace(scratch_bytes=8), PLAIN._replace(waves=4)) == "improved"
    assert verdict(PLAIN, PLAIN._replace(waves=7, registers=10)) == "lost"
    assert verdict(PLAIN, PLAIN._replace(spills=1, waves=9)) == "lost"
    assert verdict(PLAIN, PLAIN._replace(code_bytes=900)) == "less code"
    assert together(["improved", "lost"]) == "lost"
    assert together(["improved", "worse", "improved"]) == "improved"


def test_instances_are_paired_by_name_else_by_order() -> None:
    one, other = PLAIN, PLAIN._replace(registers=1)
    assert paired({"k<1>": one}, {"k<2>": one, "k<1>": other}) == [(one, other)]
    assert paired({"k (file 1)": one}, {"k (file 2)": other}) == [(one, other)]
    assert paired({"k": one}, {}) == []
