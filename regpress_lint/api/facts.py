"""Facts about a kernel and about its registers and memory on a target: the objects that `KernelFacts` gives.

A name is imported on first use: most rules need few of them, and types only for checkers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language as Language
    from regpress_lint.facts.assignments import (
        WORD as WORD,
        Assignments as Assignments,
        Write as Write,
        bytes_at_a_time as bytes_at_a_time,
        bytes_of as bytes_of,
        clobbers as clobbers,
        writes as writes,
    )
    from regpress_lint.facts.inlined import (
        Begun as Begun,
        Inlined as Inlined,
        InlinedCall as InlinedCall,
        begun as begun,
        inlined as inlined,
    )
    from regpress_lint.facts.kernel import KernelFacts as KernelFacts
    from regpress_lint.facts.launch_facts import (
        bounds_declared as bounds_declared,
        oversized_bounds as oversized_bounds,
        settled_bounds as settled_bounds,
    )
    from regpress_lint.facts.loop_groups import (
        CarriedVariable as CarriedVariable,
        LoopGroup as LoopGroup,
        bits_of as bits_of,
        carried_through as carried_through,
        elements_apart as elements_apart,
        free_lds as free_lds,
        indexes_array as indexes_array,
        loop_groups as loop_groups,
        may_be_carried as may_be_carried,
        ops_of as ops_of,
        passing_by as passing_by,
    )
    from regpress_lint.facts.register_budget import KernelBudget as KernelBudget, taken as taken, verdict as verdict
    from regpress_lint.facts.run_time_flags import branch_around as branch_around
    from regpress_lint.facts.target import TargetFacts as TargetFacts
    from regpress_lint.facts.unknowns import (
        Recursion as Recursion,
        has_assembly as has_assembly,
        macro_words as macro_words,
        recursive as recursive,
    )
    from regpress_lint.model.estimate.scratch import Frame as Frame, spilled_bytes as spilled_bytes
    from regpress_lint.model.passes.amd_arrays import budget as budget, is_vector as is_vector
    from regpress_lint.model.passes.indexed_objects import stays_in_place as stays_in_place
    from regpress_lint.model.passes.peak import Apart as Apart, HeldValue as HeldValue, Peak as Peak
    from regpress_lint.source.array_kinds import constant_table as constant_table, is_tile as is_tile
    from regpress_lint.source.arrays import Access as Access, PrivateArray as PrivateArray
    from regpress_lint.source.cfg import Flow as Flow, Op as Op, root_variable as root_variable
    from regpress_lint.source.indices import Reason as Reason, spelled as spelled
    from regpress_lint.source.loop_facts import LoopFacts as LoopFacts
    from regpress_lint.source.memory_accesses import MemoryAccess as MemoryAccess, is_atomic as is_atomic
    from regpress_lint.source.per_thread_slots import PerThreadSlots as PerThreadSlots
    from regpress_lint.source.reached_calls import CallSite as CallSite, dead_branches as dead_branches
    from regpress_lint.targets.compilers.amdgpu import (
        AMD_LDS_BYTES as AMD_LDS_BYTES,
        AMD_VECTOR_ELEMENTS as AMD_VECTOR_ELEMENTS,
    )
    from regpress_lint.targets.costs import call_size as call_size


# A home, and the names that are taken from it.
_NAMES = {
    "core.settings": "Language",
    "facts.assignments": "Assignments WORD Write bytes_at_a_time bytes_of clobbers writes",
    "facts.inlined": "Begun Inlined InlinedCall begun inlined",
    "facts.kernel": "KernelFacts",
    "facts.launch_facts": "bounds_declared oversized_bounds settled_bounds",
    "facts.loop_groups": "CarriedVariable LoopGroup bits_of carried_through elements_apart free_lds "
    "indexes_array loop_groups may_be_carried ops_of passing_by",
    "facts.register_budget": "KernelBudget taken verdict",
    "facts.run_time_flags": "branch_around",
    "facts.target": "TargetFacts",
    "facts.unknowns": "Recursion has_assembly macro_words recursive",
    "model.estimate.scratch": "Frame spilled_bytes",
    "model.passes.indexed_objects": "stays_in_place",
    "model.passes.amd_arrays": "budget is_vector",
    "model.passes.peak": "Apart HeldValue Peak",
    "source.array_kinds": "constant_table is_tile",
    "source.arrays": "Access PrivateArray",
    "source.cfg": "Flow Op root_variable",
    "source.indices": "Reason spelled",
    "source.loop_facts": "LoopFacts",
    "source.memory_accesses": "MemoryAccess is_atomic",
    "source.per_thread_slots": "PerThreadSlots",
    "source.reached_calls": "CallSite dead_branches",
    "targets.compilers.amdgpu": "AMD_LDS_BYTES AMD_VECTOR_ELEMENTS",
    "targets.costs": "call_size",
}
_HOMES = {name: f"regpress_lint.{home}" for home, names in _NAMES.items() for name in names.split()}

if not TYPE_CHECKING:  # a checker shall know a misspelt name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found
