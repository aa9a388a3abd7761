"""Facts about a kernel and about its registers and memory on a target: the objects that `KernelFacts` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from regpress_lint.model.passes.peak import Apart as Apart, HeldValue as HeldValue, Peak as Peak


def __getattr__(name: str) -> object:
    """Types that rules use in annotations alone: the module is loaded for kernels with a query for live values."""
    if name not in ("Apart", "HeldValue", "Peak"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from regpress_lint.model.passes import peak

    return getattr(peak, name)
