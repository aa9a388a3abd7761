"""Reads and writes of memory: repeated reads count once, and which addresses need registers of their own."""

from __future__ import annotations

from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Access, Memory, Offset, Parts, Place, Value, flat, joined, type_class
from regpress_lint.model.graph.ops import ADD, ADDRESS, BARRIER, LOAD_PRIVATE, SEXT, SOURCE, ZEXT
from regpress_lint.model.graph.ranges import largest, low_zeros
from regpress_lint.model.graph.values import BOOL, FLOAT, POINTER, SIGNED, UNSIGNED, Form, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.addresses import address_of_element
from regpress_lint.model.interpreter.machine import SPACES, Machine
from regpress_lint.model.interpreter.value_forms import form_of, lane_forms
from regpress_lint.targets.builtins import THREAD
from regpress_lint.targets.compilers.traits import ESTIMATED_BLOCK

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Expr, Type
    from regpress_lint.model.graph.values import Graph, Region


_STRIP = 8  # sums and conversions looked through for the constant part of an index
_LANES = 4  # of a vector whose unused words may have registers (`test_dead_lanes.py`)
_WHOLE_STRUCT = 8  # bytes of a struct above which only its parts are read, one by one
_BESIDE = ("shared", "private")  # the addresses have 32 bits there
_WIDE = 2  # registers of an index of 64 bits
_MOST_IN_FRONT = 255  # registers of reads in front of a loop


def read(machine: Machine, memory: Memory) -> Value:
    """Value of an object in memory; of a large struct the parts that are read later."""
    type_ = memory.type
    if type_ is not None and type_.decayed and type_.pointers:  # an array member: its name is an address
        return address_of(machine, memory)
    if type_ is not None and not type_.pointers:
        if type_.lanes > 1:
            forms = enumerate(lane_forms(type_))
            lanes = tuple(load(machine, memory.inside(lane), form, memory) for lane, form in forms)
            if len(lanes) == _LANES and all(machine.graph.widths[lane] == 1 for lane in lanes):
                machine.graph.vectors[max(lanes)] = lanes
            return lanes
        if type_.struct and (type_.size is None or type_.size > _WHOLE_STRUCT):
            return Parts(memory)
    value = load(machine, memory, form_of(type_))
    if type_ is not None and type_.pointers:
        machine.memory.spaces[value] = "global"
    return value


def address_of(machine: Machine, memory: Memory) -> int:
    """Address of an object as a value."""
    graph = machine.graph
    if memory.root is not None:
        machine.memory.roots.setdefault(memory.address, memory.root)
    machine.memory.spaces.setdefault(memory.address, memory.space)
    if not memory.offset:
        return memory.address
    apart = graph.source(("offset", memory.offset), made_form(0, SIGNED))
    form = made_form(1 if memory.space in ("shared", "private") else 2, POINTER)
    address = graph.pure(ADD, (memory.address, apart), form)
    machine.memory.derived(memory.address, address)
    return address


def either(machine: Machine, condition: int, a: Memory, b: Memory) -> Memory:
    """One of two objects, which one is known when the program runs: the address is chosen."""
    if a.address == b.address and a.offset == b.offset:
        return a
    graph, space = machine.graph, a.space if a.space == b.space else "global"
    address = arithmetic.choose(graph, condition, address_of(machine, a), address_of(machine, b))
    root = a.root if a.root == b.root else None
    machine.memory.spaces.setdefault(address, space)
    return Memory(address, 0, space, a.type if a.type is not None else b.type, root)


def load(machine: Machine, memory: Memory, form: Form, whole: Memory | None = None) -> int:
    """One read; the same as an earlier one of the same place if nothing may have written there since. whole: the vector
    that it is a part of, if all of it is read.
    """
    space, type_ = memory.space, memory.type
    if memory.root is not None and space == "global" and _read_only(machine, memory.root):
        space = "constant"
    access = _access(machine, memory, space)
    last = 0 if space == "constant" else _last_write(machine, access)
    key = (memory.address, memory.offset, space, form.width, max(last, machine.memory.fences.get(space, 0)))
    for scope in reversed(machine.memory.reads):
        earlier = scope.get(key)
        if earlier is not None:
            return earlier
    if form == BOOL:
        form = made_form(1, UNSIGNED)
    graph = machine.graph
    in_bank = graph.ops[memory.address] is SOURCE and machine.memory.spaces.get(memory.address) == "constant"
    # A uniform read is scalar on AMD unless a write may have come before it (`testdata/evidence/RP604`); LDS never is.
    vector = graph.divergent[memory.address] or space in ("shared", "private") or (space == "global" and last > 0)
    address = _message_address(machine, whole or memory)
    if memory.element is not None and memory.element.indices is not None:
        value = _load_element(machine, address, form, last)
    else:
        scalar = machine.compiler.scalar_registers and not vector  # costs a thread nothing, wherever it is read
        loop = None if scalar or space == "constant" else _left(machine, address, key[-1])
        region = machine.region if loop is None or loop.parent is None else loop.parent
        value = machine.effect_in(region, ops.load(space), (address,), form, divergent=vector)
        if in_bank and not machine.compiler.scalar_registers:
            graph.widths[value] = 0  # a known place in the constant bank: an operand, as arguments are
        if loop is not None:
            _read_ahead(machine, value, loop, access)
            machine.memory.reads[loop.scope][key] = value
        if space != "shared":
            _note_offset(machine, value, memory)
    if space == "constant":
        home = graph.homes[memory.address]
        # A pointer may be one that nobody may read; arguments and constants of the program are there.
        graph.homes[value] = machine.free_of(home) if memory.space == "global" else home
        if graph.homes[value] is None and machine.loop_region() is not None:
            machine.memory.reads[0][key] = value  # in front of all loops: the copies of one share it
    else:
        machine.memory.accesses[value] = machine.memory.loads[value] = access
    _note_bytes(machine, value, type_ if whole is None else whole.type)
    if type_ is not None and not type_.signed and not type_.floating and (type_.size or 4) < 4:
        graph.limits[value] = (1 << 8 * (type_.size or 4)) - 1
    if (twin := machine.memory.forgotten.get(key)) is not None:
        machine.memory.twins[value] = twin
    machine.memory.reads[-1][key] = value
    machine.tally.operations += 1
    machine.tally.size += _size(space)
    return value


def access_of(machine: Machine, space: str, root: int | None, type_: Type | None) -> Access:
    """What decides whether others may touch the same bytes, for the compiler at hand."""
    return Access(space, root, type_class(type_) if machine.compiler.tells_types_apart else "any")


def _access(machine: Machine, memory: Memory, space: str) -> Access:
    if memory.element is not None:
        return Access(space, None, "any", memory.element)
    return access_of(machine, space, memory.root, memory.type)


def _last_write(machine: Machine, access: Access) -> int:
    if access.element is not None:
        return machine.memory.last_element(access.element)
    return machine.memory.last_write(access)


def _load_element(machine: Machine, address: int, form: Form, last: int) -> int:
    """A read of a private array in memory at a constant index, in front of the loops around that do not write there:
    nothing else can, and the array is there whether it is read or not.
    """
    region = machine.region
    while region.parent is not None and last <= region.epoch:
        region = region.parent
    return machine.effect_in(region, LOAD_PRIVATE, (address,), form, divergent=True)


def _left(machine: Machine, address: int, last: int) -> Region | None:
    """The outermost of the loops in front of which a read is made: those around that do not change its address, make
    it in every iteration, and write nothing that it gives. last: the epoch of the last such write.
    """
    region, home, guards = machine.region, machine.graph.homes[address], machine.guards
    outermost: Region | None = None
    if not machine.compiler.hoists_reads:
        return outermost
    while region.parent is not None and region is not home and last <= region.epoch and region.guards == guards:
        if region.node in machine.known.reads_inside:
            break
        outermost, guards, region = region, region.guards, region.parent
    return outermost


def _read_ahead(machine: Machine, value: int, loop: Region, access: Access) -> None:
    machine.loops.hoisted[value] = loop, machine.region
    region: Region | None = machine.region
    while region is not None and region is not loop.parent:
        region.ahead.setdefault(access, value)
        region = region.parent


def are_too_many(machine: Machine, region: Region, since: int) -> bool:
    """True if the reads moved in front of a loop are more than a thread can hold. (Compilers then spill them; as a rule
    it is the copies of loops that are wrong: `lstm_small` of `testdata/golden`.) since: how many reads were in front of
    loops before it.
    """
    held = 0
    for value, (loop, _) in islice(machine.loops.hoisted.items(), since, None):
        held += machine.graph.widths[value]
        if loop.depth <= region.depth and held > _MOST_IN_FRONT:
            return True
    return False


def store(machine: Machine, memory: Memory, value: Value) -> None:
    """One write; what was read from the same space before may have changed."""
    values = flat(value)
    number = machine.effect(ops.store(memory.space), (_message_address(machine, memory), *values))
    machine.tally.operations += 1
    if memory.space not in ("shared", "private"):
        _note_offset(machine, number, memory)
    _note_bytes(machine, number, memory.type)
    access = _access(machine, memory, memory.space)
    if not _is_overwritten(machine, memory, access):
        machine.tally.size += _size(memory.space)
    machine.memory.accesses[number] = access
    machine.memory.stored[memory.address, memory.offset, memory.space] = number
    if memory.element is not None:
        machine.memory.wrote_element(memory.element)
    else:
        machine.memory.written(access)
    if len(values) == 1:
        form = machine.graph.form(values[0])
        last = max(machine.memory.epoch, machine.memory.fences.get(memory.space, 0))
        machine.memory.reads[-1][memory.address, memory.offset, memory.space, form.width, last] = values[0]


def _note_offset(machine: Machine, number: int, memory: Memory) -> None:
    compiler = machine.compiler
    if (compiler.block_by_block or compiler.remakes_sums) and isinstance(memory.offset, int):
        machine.memory.offsets[number] = memory.offset


def _note_bytes(machine: Machine, number: int, type_: Type | None) -> None:
    if type_ is None or type_.pointers or not type_.size:
        return
    if type_.lanes > 1 or type_.size in (1, 2):
        machine.memory.sizes[number] = type_.size


def _message_address(machine: Machine, memory: Memory) -> int:
    """The address of an access: if messages add no offset, each place has its own address, which is computed before a
    loop that does not change it.
    """
    graph = machine.graph
    near = memory.space in ("shared", "private") or not graph.divergent[memory.address]
    if near or not memory.offset or machine.compiler.adds_offsets:
        return memory.address
    apart = graph.source(("offset", memory.offset), Form(0, SIGNED))
    return graph.pure(ADDRESS, (memory.address, apart), graph.form(memory.address))


def _is_overwritten(machine: Machine, memory: Memory, access: Access) -> bool:
    """True if the same place was written before, and nothing since may have read it: the earlier write goes. In a loop
    it is the one of the iteration before, and the last one moves behind the loop.
    """
    before = machine.memory.stored.get((memory.address, memory.offset, memory.space))
    if before is None:
        return False
    loads = machine.memory.loads
    for number in reversed(loads):
        if number <= before:
            break
        if loads[number].meets(access):
            return False
    return True


def _size(space: str) -> int:
    """Instructions of an access as compilers count them in a loop, its address included."""
    return 0 if space == "private" else 2  # `Machine.touch` has counted a private one


def _read_only(machine: Machine, root: int) -> bool:
    """True for `const T* __restrict__`: nothing writes there while the kernel runs."""
    return root in machine.memory.read_only


def barrier(machine: Machine) -> None:
    """Threads meet: anything may have been written."""
    machine.effect(BARRIER)
    machine.memory.fenced(*SPACES)
    machine.new_block(straight=True)


def element(
    machine: Machine,
    base: int,
    index: int,
    type_: Type | None,
    space: str,
    offset: Offset = 0,
    *,
    field: bool = False,
    wraps: bool = False,
) -> Memory:
    """`base[index]`; `field` if the array is a member of a struct in memory, which lies anywhere. wraps: the index may
    wrap around in its 32 bits.
    """
    size = (
        type_.size
        if type_ is not None and not type_.pointers and type_.size
        else 8
        if type_ is not None and type_.pointers
        else 4
    )
    graph = machine.graph
    variable, distance = _split(machine, index, wraps=wraps and space not in ("shared", "private"))
    root = machine.memory.roots.get(base)
    if variable is None:
        return Memory(base, joined(offset, distance * size), space, type_, root)
    if 0 < machine.in_lanes <= abs(distance) and graph.forms[index].width < _WIDE and space not in _BESIDE:
        variable, distance = index, 0  # a vector of indices is made, and each of them is extended for itself
    bytes_ = distance * size
    reach = machine.compiler.far_shared if space == "shared" else machine.compiler.far
    far = (bytes_ + reach) // (2 * reach)
    before = len(graph)
    address = address_of_element(machine, base, variable, size, space)
    if space not in ("shared", "private") and len(graph) > before and _is_extended(graph, index):
        machine.tally.size += machine.compiler.unrolling.extension
    form = graph.form(address)
    if far or (field and offset and machine.compiler.steps_addresses):
        apart = graph.constant(far) if far else graph.source(("offset", offset), made_form(0, SIGNED))
        address = graph.pure(ADDRESS, (address, apart), form)
        return Memory(address, bytes_ - far * 2 * reach, space, type_, root)
    return Memory(address, joined(offset, bytes_), space, type_, root)


def _is_extended(graph: Graph, index: int) -> bool:
    """True for an index of 32 bits that may be negative: it is made one of 64, an instruction of its own."""
    return graph.forms[index].width < 2 and graph.kinds[index] == SIGNED and largest(graph, index) is None


def _split(machine: Machine, index: int, *, wraps: bool) -> tuple[int | None, int]:
    """An index as something variable and a constant: compilers fold the constant into the access. Not out of a sum
    that may wrap around (`wraps`) before it is made 64 bits wide.
    """
    graph, distance = machine.graph, 0
    for _ in range(_STRIP):
        constant = graph.constants[index]
        if constant is not None:
            return None, distance + _signed(constant, graph.forms[index].width)
        op = graph.ops[index]
        if op is SEXT or op is ZEXT:
            index = graph.args[index][0]
            continue
        if op is not ADD or graph.kinds[index] == FLOAT:
            break
        inner, more = graph.args[index]
        constant = graph.constants[more]
        if not isinstance(constant, int) or (wraps and not _keeps_on(machine, index, inner, constant)):
            break
        distance += _signed(constant, graph.forms[more].width)
        index = inner
    return index, distance


def _keeps_on(machine: Machine, total: int, inner: int, constant: int) -> bool:
    """True if a sum with a constant is the same in 64 bits: nothing without a sign wraps around in it."""
    graph = machine.graph
    if graph.kinds[total] != UNSIGNED or graph.forms[total].width > 1:
        return True
    if _has_room(machine, inner, constant):
        return True
    most = largest(graph, inner)
    return most is not None and most + constant < 1 << 32


def _has_room(machine: Machine, inner: int, constant: int) -> bool:
    """True if a constant has no bit of the multiple that a sum begins with: `8 * i + 3`, `2048 * block + thread + 256`.
    The other terms of the sum are small, and together they leave no carry.
    """
    graph = machine.graph
    if constant < 0:
        return False
    if constant < low_zeros(graph, inner):
        return True
    parts = _summands(graph, inner)
    steps = [low_zeros(graph, part) for part in parts]
    first = steps.index(max(steps))
    small = [_most(machine, part) for place, part in enumerate(parts) if place != first]
    return all(most is not None for most in small) and constant + sum(most or 0 for most in small) < steps[first]


def _most(machine: Machine, part: int) -> int | None:
    """The largest value of a part of a sum; of a thread's index in a block of the size that an estimate is for."""
    most, source = largest(machine.graph, part), machine.graph.sources.get(part)
    is_thread = isinstance(source, tuple) and source[0] == THREAD
    if most is None or not is_thread or not machine.compiler.bounds_threads:
        return most
    return min(most, (machine.inputs.bound_threads or ESTIMATED_BLOCK) - 1)


def _summands(graph: Graph, value: int, depth: int = _STRIP) -> list[int]:
    """The parts of a sum of integers."""
    if not depth or graph.ops[value] is not ADD or graph.kinds[value] == FLOAT:
        return [value]
    return [part for arg in graph.args[value] for part in _summands(graph, arg, depth - 1)]


def _signed(constant: Number, width: int) -> int:
    """A distance: the one to `tid - 1` is -1, also where a thread's id has no sign."""
    bits = 32 * max(width, 1)
    return int(constant) - (1 << bits) if constant >= 1 << (bits - 1) else int(constant)


def pointed(machine: Machine, pointer: int, type_: Type | None) -> Memory:
    """`*pointer`, the sum of a pointer and an index taken apart."""
    graph = machine.graph
    size = type_.size if type_ is not None and type_.size else 4
    distances: list[int] = []
    at = pointer
    while graph.ops[at] is ADD and graph.kinds[at] == POINTER:
        base, index = _base_and_index(graph, at)
        if graph.constants[index] is None or graph.kinds[index] == POINTER or graph.ops[base] is not ADD:
            break
        distances.append(_signed(graph.constants[index] or 0, graph.forms[index].width) * size)
        at = base
    whole = _pointed(machine, at, type_)
    if not distances:
        return whole
    # *(p + i + 1) is p[i + 1]. Copies of a loop with `*p++` make a chain as long as there are copies.
    offset, space = reduce(joined, reversed(distances), whole.offset), machine.memory.spaces.get(pointer, "global")
    return Memory(whole.address, offset, space, type_, whole.root)


def _base_and_index(graph: Graph, total: int) -> tuple[int, int]:
    """The operands of a pointer's addition, the pointer first."""
    base, index = graph.args[total]
    return (base, index) if graph.kinds[base] == POINTER else (index, base)


def _pointed(machine: Machine, pointer: int, type_: Type | None) -> Memory:
    graph = machine.graph
    space = machine.memory.spaces.get(pointer, "global")
    if graph.ops[pointer] is ADD and graph.kinds[pointer] == POINTER:
        base, index = _base_and_index(graph, pointer)
        if graph.kinds[index] in (SIGNED, UNSIGNED):
            return element(machine, base, index, type_, space)
    return Memory(pointer, 0, space, type_, machine.memory.roots.get(pointer))


def pointer_at(machine: Machine, where: Place, base: Expr) -> Value | None:
    """The pointer that a variable is, or that a member of a private object holds; None for an object."""
    whole = machine.variables.get(where.variable)
    if not where.path:
        return whole if where.variable.type.pointers else None
    held = whole.parts.get(where.path) if isinstance(whole, Parts) else None
    if not isinstance(held, int):
        return held
    type_ = machine.type_of(base)
    return held if type_ is not None and type_.pointers and not type_.decayed else None


def behind(machine: Machine, address: int, field: str, type_: Type | None) -> Memory:
    """A member of the object that an address points to."""
    space = machine.memory.spaces.get(address, "global")
    return Memory(address, (field,), space, type_, machine.memory.roots.get(address))
