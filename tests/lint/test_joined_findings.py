"""Findings of several kernels for one cause, as people read them."""

from __future__ import annotations

from regpress_lint.core.diagnostics import Diagnostic, Location, Related, Severity, joined
from regpress_lint.core.source import Position

ARRAY = Location("spots.cuh", Position(26, 5, 5, 5, 700), Position(26, 16, 16, 16, 711), "float w[20];")
PLACE = Location("k.cu", Position(9, 1, 1, 1, 90), Position(9, 8, 8, 8, 97), "__global__ void a()")


def finding(kernel: str, advice: str) -> Diagnostic:
    return Diagnostic(
        code="RP403",
        name="runtime-indexed-array",
        severity=Severity.WARNING,
        location=PLACE,
        message="private array `w` goes to scratch memory",
        kernel=kernel,
        targets=("sm_90",),
        help=advice,
        related=(Related(ARRAY, "the array"),),
    )


def test_kernels_whose_gain_differs_are_one_finding_without_the_gain() -> None:
    given = (finding("a", "keep it in LDS (4 -> 3 waves); measure"), finding("b", "keep it in LDS (8 -> 3 waves)"))
    (one,) = joined(given)
    assert one.help == "keep it in LDS"
    assert one.message.endswith("; the same holds for `b`")


def test_kernels_with_the_same_advice_keep_all_of_it() -> None:
    (one,) = joined((finding("a", "keep it in LDS (4 -> 3 waves)"), finding("b", "keep it in LDS (4 -> 3 waves)")))
    assert one.help == "keep it in LDS (4 -> 3 waves)"


def test_kernels_with_other_advice_are_findings_of_their_own() -> None:
    assert len(joined((finding("a", "keep it in LDS (4 -> 3 waves)"), finding("b", "bound the loop (no array)")))) == 2
