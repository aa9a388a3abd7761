"""Facts about a kernel and about its registers and memory on a target: the objects that `KernelFacts` gives.

A name is imported on first use: most rules need few of them, and types only for checkers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language
    from regpress_lint.facts.assignments import WORD, Assignments, Write, bytes_at_a_time, bytes_of, clobbers, writes
    from regpress_lint.facts.inlined import Begun, Inlined, InlinedCall, begun, inlined
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.launch_facts import bounds_declared, oversized_bounds, settled_bounds
    from regpress_lint.facts.loop_groups import (
        CarriedVariable,
        LoopGroup,
        bits_of,
        carried_through,
        elements_apart,
        free_lds,
        indexes_array,
        loop_groups,
        may_be_carried,
        ops_of,
        passing_by,
    )
    from regpress_lint.facts.register_budget import KernelBudget, taken, verdict
    from regpress_lint.facts.run_time_flags import branch_around
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.facts.unknowns import Recursion, has_assembly, macro_words, recursive
    from regpress_lint.model.estimate.scratch import Frame, spilled_bytes, stays_in_place
    from regpress_lint.model.passes.amd_arrays import budget, is_vector
    from regpress_lint.model.passes.peak import Apart, HeldValue, Peak
    from regpress_lint.source.arrays import (
        Access,
        PrivateArray,
        constant_table,
        is_tile,
    )
    from regpress_lint.source.cfg import Flow, Op, root_variable
    from regpress_lint.source.indices import Reason, spelled
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.source.memory_accesses import MemoryAccess, is_atomic
    from regpress_lint.source.per_thread_slots import PerThreadSlots
    from regpress_lint.source.reached_calls import CallSite, dead_branches
    from regpress_lint.targets.compilers.amdgpu import AMD_LDS_BYTES, AMD_VECTOR_ELEMENTS
    from regpress_lint.targets.costs import call_size

__all__ = [
    "AMD_LDS_BYTES",
    "AMD_VECTOR_ELEMENTS",
    "WORD",
    "Access",
    "Apart",
    "Assignments",
    "Begun",
    "CallSite",
    "CarriedVariable",
    "Flow",
    "Frame",
    "HeldValue",
    "Inlined",
    "InlinedCall",
    "KernelBudget",
    "KernelFacts",
    "Language",
    "LoopFacts",
    "LoopGroup",
    "MemoryAccess",
    "Op",
    "Peak",
    "PerThreadSlots",
    "PrivateArray",
    "Reason",
    "Recursion",
    "TargetFacts",
    "Write",
    "begun",
    "bits_of",
    "bounds_declared",
    "branch_around",
    "budget",
    "bytes_at_a_time",
    "bytes_of",
    "call_size",
    "carried_through",
    "clobbers",
    "constant_table",
    "dead_branches",
    "elements_apart",
    "free_lds",
    "has_assembly",
    "indexes_array",
    "inlined",
    "is_atomic",
    "is_tile",
    "is_vector",
    "loop_groups",
    "macro_words",
    "may_be_carried",
    "ops_of",
    "oversized_bounds",
    "passing_by",
    "recursive",
    "root_variable",
    "settled_bounds",
    "spelled",
    "spilled_bytes",
    "stays_in_place",
    "taken",
    "verdict",
    "writes",
]

_HOMES = {
    "AMD_LDS_BYTES": "regpress_lint.targets.compilers.amdgpu",
    "AMD_VECTOR_ELEMENTS": "regpress_lint.targets.compilers.amdgpu",
    "WORD": "regpress_lint.facts.assignments",
    "Access": "regpress_lint.source.arrays",
    "Assignments": "regpress_lint.facts.assignments",
    "Begun": "regpress_lint.facts.inlined",
    "CallSite": "regpress_lint.source.reached_calls",
    "CarriedVariable": "regpress_lint.facts.loop_groups",
    "Flow": "regpress_lint.source.cfg",
    "Frame": "regpress_lint.model.estimate.scratch",
    "Apart": "regpress_lint.model.passes.peak",
    "HeldValue": "regpress_lint.model.passes.peak",
    "Inlined": "regpress_lint.facts.inlined",
    "InlinedCall": "regpress_lint.facts.inlined",
    "KernelBudget": "regpress_lint.facts.register_budget",
    "KernelFacts": "regpress_lint.facts.kernel",
    "Language": "regpress_lint.core.settings",
    "LoopFacts": "regpress_lint.source.loop_facts",
    "LoopGroup": "regpress_lint.facts.loop_groups",
    "MemoryAccess": "regpress_lint.source.memory_accesses",
    "Op": "regpress_lint.source.cfg",
    "PerThreadSlots": "regpress_lint.source.per_thread_slots",
    "Peak": "regpress_lint.model.passes.peak",
    "PrivateArray": "regpress_lint.source.arrays",
    "Reason": "regpress_lint.source.indices",
    "Recursion": "regpress_lint.facts.unknowns",
    "TargetFacts": "regpress_lint.facts.target",
    "Write": "regpress_lint.facts.assignments",
    "begun": "regpress_lint.facts.inlined",
    "bits_of": "regpress_lint.facts.loop_groups",
    "elements_apart": "regpress_lint.facts.loop_groups",
    "bounds_declared": "regpress_lint.facts.launch_facts",
    "branch_around": "regpress_lint.facts.run_time_flags",
    "budget": "regpress_lint.model.passes.amd_arrays",
    "bytes_at_a_time": "regpress_lint.facts.assignments",
    "bytes_of": "regpress_lint.facts.assignments",
    "call_size": "regpress_lint.targets.costs",
    "carried_through": "regpress_lint.facts.loop_groups",
    "clobbers": "regpress_lint.facts.assignments",
    "constant_table": "regpress_lint.source.arrays",
    "dead_branches": "regpress_lint.source.reached_calls",
    "free_lds": "regpress_lint.facts.loop_groups",
    "has_assembly": "regpress_lint.facts.unknowns",
    "indexes_array": "regpress_lint.facts.loop_groups",
    "inlined": "regpress_lint.facts.inlined",
    "is_atomic": "regpress_lint.source.memory_accesses",
    "is_tile": "regpress_lint.source.arrays",
    "is_vector": "regpress_lint.model.passes.amd_arrays",
    "loop_groups": "regpress_lint.facts.loop_groups",
    "macro_words": "regpress_lint.facts.unknowns",
    "may_be_carried": "regpress_lint.facts.loop_groups",
    "ops_of": "regpress_lint.facts.loop_groups",
    "oversized_bounds": "regpress_lint.facts.launch_facts",
    "passing_by": "regpress_lint.facts.loop_groups",
    "recursive": "regpress_lint.facts.unknowns",
    "root_variable": "regpress_lint.source.cfg",
    "settled_bounds": "regpress_lint.facts.launch_facts",
    "spelled": "regpress_lint.source.indices",
    "spilled_bytes": "regpress_lint.model.estimate.scratch",
    "stays_in_place": "regpress_lint.model.estimate.scratch",
    "taken": "regpress_lint.facts.register_budget",
    "verdict": "regpress_lint.facts.register_budget",
    "writes": "regpress_lint.facts.assignments",
}

if not TYPE_CHECKING:  # a checker shall know a misspelt name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found
