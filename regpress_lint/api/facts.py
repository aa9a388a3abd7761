"""What may be asked about a kernel and about what it takes on a target: the objects that `KernelFacts` gives."""

from __future__ import annotations

from regpress_lint.core.settings import Language
from regpress_lint.estimate.scratch import stays_in_place
from regpress_lint.facts.clobbers import WORD, Write, bytes_of, clobbers, writes
from regpress_lint.facts.kernel import KernelFacts
from regpress_lint.facts.target import TargetFacts
from regpress_lint.passes.peak import HeldValue, Peak
from regpress_lint.source_level.arrays import AMD_LDS_BYTES, AMD_VECTOR_ELEMENTS, LARGEST, Access, PrivateArray
from regpress_lint.source_level.flow import Flow, Op
from regpress_lint.source_level.indices import Reason, spelled
from regpress_lint.source_level.loop_facts import LoopFacts, call_cost
from regpress_lint.source_level.memory_accesses import MemoryAccess, is_atomic
from regpress_lint.source_level.own_slots import OwnSlots
from regpress_lint.source_level.reached_calls import CallSite
from regpress_lint.source_level.root_variables import root_variable
from regpress_lint.source_level.tables import constant_table
from regpress_lint.source_level.tiles import is_tile
from regpress_lint.source_level.vectors import budget, is_vector

__all__ = [
    "AMD_LDS_BYTES",
    "AMD_VECTOR_ELEMENTS",
    "LARGEST",
    "WORD",
    "Access",
    "CallSite",
    "Flow",
    "HeldValue",
    "KernelFacts",
    "Language",
    "LoopFacts",
    "MemoryAccess",
    "Op",
    "OwnSlots",
    "Peak",
    "PrivateArray",
    "Reason",
    "TargetFacts",
    "Write",
    "budget",
    "bytes_of",
    "call_cost",
    "clobbers",
    "constant_table",
    "is_atomic",
    "is_tile",
    "is_vector",
    "root_variable",
    "spelled",
    "stays_in_place",
    "writes",
]
