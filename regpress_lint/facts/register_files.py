"""VGPRs and AGPRs of a kernel apart, on the GPUs of AMD that have both (gfx908 and later of CDNA).

clang 19.1.7, 37 kernels with MFMA and without, for gfx908, gfx90a and gfx942 (`benchmarks/agpr_truth.py`):

- gfx908 has two files. MFMA accumulates only in AGPRs; the initial values come from VGPRs and return there, so that
  there is one VGPR for each, and one for values in between. Other values are in AGPRs where VGPRs are full.
- gfx90a and later have one file of 512; instructions reach 256 of them as VGPRs. Where a thread may have more than
  256 (launch bounds of at most 256 threads), MFMA adds up in AGPRs, else in VGPRs. Without MFMA, AGPRs hold the
  registers beyond 256.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.build.matrices import ACCUMULATED, BUILTIN
from regpress_lint.ir.ops import Kind
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.passes.peak import Peak

MOST_VGPRS = 256  # that an instruction can name
_PASSED_ON = frozenset((Kind.PHI, Kind.EXIT))
_MOVES = {"unified": 2, "separate": 3}  # in and out of an AGPR, for each accumulator; gfx908 copies zeros first


class RegisterFiles(NamedTuple):
    """Registers of a thread at the estimate. accumulators: how many of them MFMA adds up in; moves: copies between the
    two kinds that clang writes for these, None where AGPRs hold what VGPRs have no room for, and each use is one.
    """

    vgprs: int
    agprs: int
    accumulators: int
    moves: int | None


def register_files(facts: KernelFacts, name: str) -> RegisterFiles | None:
    """VGPRs and AGPRs on an architecture, of a template of the instantiation in the middle; None where there is one
    kind of registers.
    """
    kind = architecture(name).acc_regs
    if kind == "none":
        return None
    own = facts.typical(name)
    target, held = own.target(name), accumulators(own, name)
    taken = target.registers.estimate
    if kind == "separate":
        if held:
            return RegisterFiles(min(beside(taken, held), target.budget), held, held, _MOVES[kind] * held)
        wanted = own.wanted(name).estimate if taken >= target.budget else taken
        beyond = min(max(0, wanted - target.budget), target.budget)
    else:
        if held and target.budget > MOST_VGPRS:
            return RegisterFiles(max(taken - held, 1), held, held, _MOVES[kind] * held)
        beyond = max(0, taken - MOST_VGPRS)
    vgprs = taken - beyond if kind == "unified" else min(taken, target.budget)
    return RegisterFiles(vgprs, beyond, held, None if beyond else 0)


def beside(taken: int, held: int) -> int:
    """VGPRs on gfx908, of a kernel that takes so many registers in all with so many accumulators."""
    return max(taken - held, held + 1)


def accumulators(facts: KernelFacts, name: str) -> int:
    """Registers in which MFMA adds up, at the place where these are most."""
    if not any(BUILTIN.match(site.call.name) for site in facts.calls):
        return 0
    return _most(facts.peak(name))


def _most(peak: Peak) -> int:
    """The most accumulators alive beside an MFMA."""
    graph = peak.graph
    made = {number for number, op in enumerate(graph.ops) if op.about == ACCUMULATED}
    sums = set(made)
    for number, op in enumerate(graph.ops):
        if op.kind in _PASSED_ON and not sums.isdisjoint(graph.args[number]):
            sums.add(number)
    places = [place for place, number in enumerate(peak.sequence) if number in made]
    alive = peak.numbers_at(places)
    return max((sum(peak.width(number) for number in alive[place] if number in sums) for place in places), default=0)
