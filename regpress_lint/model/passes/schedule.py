"""An order for the values of an executed kernel, as good as a scheduler finds one."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from operator import itemgetter
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import CONSTANT, LOAD_CONSTANT, MULTIPLY, PHI, SELECT, Kind
from regpress_lint.model.graph.values import FLOAT, MAX_VALUES, Region
from regpress_lint.model.passes.orders import flattened, phis_of, updates
from regpress_lint.model.passes.write_order import Writes, settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.model.graph.values import Graph, Item
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.orders import Order, Placed
    from regpress_lint.model.passes.uniformity import ValueFacts


class _Updates:
    """The updates of a loop where they are written, behind all that is written in front of them for others."""

    def __init__(self, waiting: Mapping[int, list[int]], done: bytearray) -> None:
        self._done = done
        self._operands = sorted({arg for operands in waiting.values() for arg in operands} - waiting.keys())
        self._first = 0  # of those that may not be made yet

    def before(self, number: int) -> list[int]:
        """Values written before an update that are not computed yet."""
        done, operands = self._done, self._operands
        while self._first < len(operands) and done[operands[self._first]]:
            self._first += 1
        return [arg for arg in operands[self._first : bisect_left(operands, number)] if not done[arg]]


_LOAD = Kind.LOAD
_CLUSTER = 6  # operations that are looked at together
_BEGUN = 64  # the same of those at which sums begin
MOST_MOVED = 32  # registers of reads that a scheduler moves up together


def scheduled(
    machine: Machine,
    facts: ValueFacts,
    most: int = MOST_MOVED,
    *,
    in_order: bool = False,
    late: bool = False,
    begins: bool = False,
) -> Order:
    """Pure operations are placed before their first use, and reads at the start of their block or behind the last write
    that may change what they give, as far as those that move together have `most` registers. in_order: updates stay
    where they are written. late: reads of constant memory wait until they are needed, or their block ends. begins: sums
    of reads begin at the first of these, although they have other uses.
    """
    return _Schedule(machine, facts, most, in_order=in_order, late=late, begins=begins).place()


def _ranks(graph: Graph, *, longest_first: bool, floats: bool) -> list[int]:
    """Of each value what decides which operand is worked out first: its registers, and of equal integers the length of
    the longest chain of operations that leads to it, in its own iteration of a loop. Sums of what calls return wait for
    all of them: twenty of `sin` take 64 registers. floats: also of equal floats, as where reads wait for their sums.
    """
    if not longest_first and not floats:
        return graph.widths
    depths: list[int] = []
    deepest = depths.__getitem__
    for op, args in zip(graph.ops, graph.args, strict=True):
        depths.append(max(map(deepest, args)) + 1 if args and op is not PHI else 0)
    deep = depths if floats else [0 if kind == FLOAT else d for kind, d in zip(graph.kinds, depths, strict=True)]
    return [width * MAX_VALUES + depth for width, depth in zip(graph.widths, deep, strict=True)]


class _Schedule:
    """The state of placing: what is done, and what each list of a region holds so far."""

    def __init__(
        self, machine: Machine, facts: ValueFacts, most: int, *, in_order: bool, late: bool, begins: bool
    ) -> None:
        graph = machine.graph
        self.machine = machine
        self.most = most
        self.graph = graph
        self.needed = facts.needed
        self.users, self.operands = facts.users, facts.operands
        self.free, self.registers, self.beside = facts.free, facts.registers, facts.beside
        self.done = bytearray(len(graph)) + b"\1"  # the last stands for no value
        self.left = list(map(len, facts.users))
        # Operations that a value behind which they become ready may take with it: what is made of a branch's result
        # waits until it is needed, for compilers that sink it.
        self.ready = bytearray(facts.free)
        block_of = machine.block_of
        selects = {number for number in block_of if graph.ops[number] is SELECT} if machine.compiler.sinks else ()
        for number in {user for select in selects for user in facts.users[select]}:
            self.ready[number] = 0
        self.elsewhere = bytearray(len(graph))  # for values that stand in a block which is not begun
        self.sunk: dict[int, list[int]] = {}
        for number in sorted(facts.sunk):
            self.elsewhere[number] = 1
            self.sunk.setdefault(facts.sunk[number], []).append(number)
        # Whether sums may begin early at all is found out on the way, so that no other order is tried for nothing.
        self.begins, self.may_begin, self.looks_on = begins, False, machine.compiler.keeps_blocks
        self.held_up = any(key < 0 for key in self.sunk)
        # Of a value that cannot be moved here, what is not free and stands in its way; its place alone changes that.
        self.waits_for = [-1] * len(graph)
        self.phis = phis_of(graph, facts.needed)
        for number, op in enumerate(graph.ops):
            if op is CONSTANT or op is PHI:
                self.done[number] = 1
        self.updates: dict[int, _Updates] = {}
        for carried in self.phis.values() if in_order else ():
            renewed = updates(graph, carried)
            self.updates |= dict.fromkeys(renewed, _Updates(renewed, self.done))
        self.lists: dict[Region | None, Placed] = {}
        self.here: Region | None = None
        # The last value up to the end of the next loop of each list: no compiler moves up what is written behind it.
        self.last: dict[Region | None, int] = {}
        self.behind: dict[Region | None, list[int]] = {}
        self.borders = {home: numbers[::-1] for home, numbers in facts.borders.items()}
        self.released: list[int] = []
        self.late, self.put_off = late, deque[int]()
        self.waiting = set[int]()  # values that were looked at before their block began
        self.ranks = _ranks(graph, longest_first=machine.compiler.longest_first, floats=late)

    def place(self) -> Order:
        """The order of all values that are needed."""
        return flattened(self._region(self.machine.top), self.phis)._replace(may_begin=self.may_begin)

    def _region(self, region: Region) -> Placed:
        placed: Placed = []
        outer, self.here = self.here, region if region.parent is not None else None
        key = self.here
        self.lists[key] = placed
        behind: dict[int, list[int]] = {}
        handed = self._handed(region)
        block = -1
        loops = [(item, self._last(item)) for item in reversed(region.items) if isinstance(item, Region)]
        self.last[key] = loops[-1][1] if loops else MAX_VALUES
        for position, item in enumerate(region.items):
            if isinstance(item, Region):
                self._catch_up()
                for phi in self.phis.get(item, ()):
                    self._emit(self.graph.args[phi][0])
                placed.append((item, self._region(item)))
                loops.pop()
                self._go_on(key, loops[-1][1] if loops else MAX_VALUES)
                block = -1
                continue
            if self.machine.block_of[item] != block:
                block = self.machine.block_of[item]
                if block not in self.machine.straight:
                    self._catch_up()
                self._begin(self.machine.basic(block))
                while handed and handed[-1][0] < block:
                    self._emit(handed.pop()[1])
                behind = self._reads_behind(region.items, position, block)
                self._emit_all(behind.get(-1, ()))
            if self.borders and self.graph.ops[item].kind is not Kind.BRANCH:  # a branch is as new as its sides
                self._pass_borders(key, item)
            if self.needed[item]:
                if self.late and self._may_wait(item):
                    self.put_off.append(item)
                else:
                    self._emit(item)
            self._emit_all(behind.get(item, ()))
        self._catch_up()
        if self.borders:
            self._pass_borders(key, MAX_VALUES)
        nexts = [self.graph.args[phi][1] for phi in self.phis.get(region, ()) if len(self.graph.args[phi]) > 1]
        self._emit_all(sorted(nexts) if self.updates else nexts)
        del self.lists[key]
        self.here = outer
        return placed

    def _pass_borders(self, key: Region | None, item: int) -> None:
        """Place the routines that branch in front of an item of a region."""
        borders = self.borders.get(key)
        if borders and borders[-1] < item:
            self._catch_up()
            while borders and borders[-1] < item:
                self._emit(borders.pop())

    def _may_wait(self, item: int) -> bool:
        return self.graph.ops[item] is LOAD_CONSTANT

    def _first_put_off(self) -> int:
        """The first read that still waits, `MAX_VALUES` if none does."""
        while self.put_off and self.done[self.put_off[0]]:
            self.put_off.popleft()
        return self.put_off[0] if self.put_off else MAX_VALUES

    def _catch_up(self) -> None:
        """Place the reads that were put off."""
        while (read := self._first_put_off()) != MAX_VALUES:
            self._emit(read)

    def _last(self, region: Region) -> int:
        """The last value of a loop, as far as an effect, a read or what it carries shows it."""
        inside = (item if isinstance(item, int) else self._last(item) for item in region.items)
        carried = (arg for phi in self.phis.get(region, ()) for arg in self.graph.args[phi][1:])
        return max((*inside, *carried), default=-1)

    def _go_on(self, key: Region | None, last: int) -> None:
        """Place what had to wait for the end of a loop, up to that of the next one."""
        self.last[key] = last
        for user in self.behind.pop(key, ()):
            if not self.done[user] and self.done[self.waits_for[user]]:
                self._place_freeing(user)

    def _begin(self, block: int) -> None:
        """Place those of the values that were sunk into a basic block that only shorten live ranges."""
        numbers = self.sunk.pop(block, ())
        for number in numbers:
            self.elsewhere[number] = 0
        keeps = self.machine.compiler.keeps_blocks
        for number in numbers:
            if not self.done[number] and (not keeps or number in self.waiting):
                self._place_freeing(number)

    def _place_freeing(self, number: int) -> None:
        """Place a value that only shortens live ranges, and those that then do."""
        placed = self._freeing(number)
        for value in placed:
            self._put(value)
        for value in placed:
            self._settle(value)

    def _handed(self, region: Region) -> list[tuple[int, int]]:
        """The values of sides of branches that are used where they meet, with the block at whose end each is computed,
        last ones first.
        """
        joins, args = self.machine.joins, self.graph.args
        handed: list[tuple[int, int]] = []
        for item in region.items if joins else ():
            if isinstance(item, int) and item in joins and self.needed[item]:
                handed += zip((joins[item].then, joins[item].other), args[item][1:], strict=True)
        handed.sort(key=itemgetter(0))
        handed.reverse()
        return handed

    def _reads_behind(self, items: list[Item], start: int, block: int) -> dict[int, list[int]]:
        """Reads of a block by the last write that they must not pass, -1 for those that may go to its start."""
        writes, accesses = Writes(self.machine), self.machine.memory.accesses
        reads: list[tuple[int, int, int]] = []
        for item in items[start:]:
            if isinstance(item, Region) or self.machine.block_of[item] != block:
                break
            access = accesses.get(item)
            if self.graph.ops[item].kind is not _LOAD:
                if access is not None:
                    writes.add(item, access)
            elif self.needed[item] and not (self.late and self._may_wait(item)):
                reads.append((item, *writes.before(item, access)))
        behind: dict[int, list[int]] = {}
        moved: dict[int, int] = {}
        for read, write in settled(reads):
            moved[write] = moved.get(write, 0) + self.graph.widths[read]
            if moved[write] <= self.most:
                behind.setdefault(write, []).append(read)
        return behind

    def _emit_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._emit(number)

    def _emit(self, number: int) -> None:
        """Place a value behind its operands, in the innermost loop that it changes in. Chains may be long."""
        done, args, ranks = self.done, self.graph.args, self.ranks
        pending = [number]
        while pending:
            top = pending[-1]
            if done[top]:
                pending.pop()
                continue
            if missing := [arg for arg in args[top] if not done[arg]]:
                # The widest operand is worked out first, of equal ones the left: it stands last. Where the one behind
                # the longest chain is, a round of a hash asks for its word when it comes to it, not for all words.
                missing.reverse()
                pending.extend(sorted(missing, key=ranks.__getitem__) if len(missing) > 1 else missing)
                continue
            if self.put_off and self._may_wait(top) and (first := self._first_put_off()) < top:
                pending.append(first)  # addresses are one sum each from the last, so that reads keep their order
                continue
            if top in self.updates and (before := self.updates[top].before(top)):
                pending.extend(reversed(before))
                continue
            pending.pop()
            self._put(top)
            self._settle(top)
            while self.released:
                if not done[one := self.released.pop()]:
                    self._place_freeing(one)
            if top in self.beside:
                pending += [read for read in self.beside[top] if not done[read]]

    def _put(self, number: int) -> None:
        home = self.graph.homes[number]
        while home is not None and home not in self.lists:
            home = home.parent if home.parent is not None and home.parent.parent is not None else None
        self.lists[home].append(number)
        self.done[number] = 1
        if self.held_up and ~number in self.sunk:
            behind = self.sunk.pop(~number)
            for one in behind:
                self.elsewhere[one] = 0
            self.released += (one for one in reversed(behind) if one in self.waiting)
        left = self.left
        for arg in self.operands[number]:
            left[arg] -= 1

    def _settle(self, number: int) -> None:
        """Place the operations that only shorten live ranges now: they free as many registers as they take."""
        args, left, done, ready, users = self.graph.args, self.left, self.done, self.ready, self.users
        waits_for, elsewhere, homes, last = self.waits_for, self.elsewhere, self.graph.homes, self.last
        pending = [number, *[arg for arg in args[number] if left[arg] == 1]]
        while pending:
            for user in users[pending.pop()]:
                if elsewhere[user]:
                    self.waiting.add(user)
                    continue
                if done[user] or not ready[user] or not done[waits_for[user]]:
                    continue
                home = homes[user]
                if home in last and user > last[home]:
                    self.behind.setdefault(home, []).append(user)
                    continue
                for value in self._freeing(user):
                    self._put(value)
                    pending.append(value)
                    pending += [arg for arg in args[value] if left[arg] == 1]
            if self.looks_on and not pending and left[number] > 1 and self.graph.ops[number].kind is _LOAD:
                begun = self._beginning(number)
                self.may_begin |= bool(begun)
                self.looks_on = self.begins or not begun
                for value in begun if self.begins else ():
                    self._put(value)
                    pending.append(value)

    def _beginning(self, number: int) -> list[int]:
        """All uses of a read, if sums or the like begin there that later reads join: it is free again when all have.
        Nothing if one of its uses cannot stand here, or takes registers that no later read frees.
        """
        users, cluster, done = self.users, list[int](), self.done
        for user in users[number]:
            step = user
            while not done[step] and step not in cluster and self._joins(step, cluster) and len(users[step]) == 1:
                step = users[step][0]
            if not done[user] and user not in cluster:
                return []
        taken, freed = self._balance(cluster)
        begun: set[int] = set()
        for value in cluster:
            if all(arg == number or arg in begun or not self.registers[arg] for arg in self.operands[value]):
                begun.add(value)
                taken -= self.registers[value] if self._goes_on(value) else 0
        return cluster if taken <= freed and freed else []

    def _joins(self, number: int, cluster: list[int]) -> bool:
        """Add an operation to a cluster of any size; False if it cannot stand here."""
        home, before = self.graph.homes[number], len(cluster)
        here = home in self.lists and number <= self.last.get(home, MAX_VALUES) and not self.elsewhere[number]
        if here and self.free[number] and self._gather(number, cluster, most=_BEGUN):
            return True
        del cluster[before:]
        return False

    def _goes_on(self, number: int) -> bool:
        """Whether the only use of a value is one more step of the same kind, or the product in it."""
        users, ops = self.users, self.graph.ops
        step = users[number][0]
        if ops[step] is MULTIPLY and len(users[step]) == 1:
            step = users[step][0]
        return len(users[number]) == 1 and ops[step] is ops[number]

    def _freeing(self, user: int) -> list[int]:
        """The operation, what it still waits for, and those that follow it alone (a product and the sum it goes into),
        if together they free as many registers as they take; else nothing.
        """
        cluster: list[int] = []
        users, free, homes = self.users, self.free, self.graph.homes
        while free[user] and not self.elsewhere[user] and homes[user] in self.lists and self._gather(user, cluster):
            if self._is_neutral(cluster):
                return cluster
            if len(users[user]) != 1 or self.done[users[user][0]] or users[user][0] > self.last[homes[user]]:
                break
            user = users[user][0]
        return []

    def _gather(self, number: int, cluster: list[int], depth: int = 0, most: int = _CLUSTER) -> bool:
        """Add an operation to a cluster, behind the operations it waits for; False if they are too many or one of them
        cannot stand here. depth: operations that wait for this one, and come into the cluster behind it.
        """
        done, free, waits_for, elsewhere = self.done, self.free, self.waits_for, self.elsewhere
        if len(cluster) + depth >= most or not done[waits_for[number]]:
            return False
        if number in self.updates:
            for arg in self.updates[number].before(number):
                if arg not in cluster:
                    waits_for[number] = arg
                    return False
        for arg in self.operands[number]:
            if done[arg] or arg in cluster:
                continue
            if not free[arg] or elsewhere[arg]:
                waits_for[number] = arg
                return False
            if self.graph.homes[arg] not in self.lists:
                return False
            if not self._gather(arg, cluster, depth + 1, most):
                waits_for[number] = waits_for[arg]
                return False
        if len(cluster) >= most:
            return False
        cluster.append(number)
        return True

    def _is_neutral(self, cluster: list[int]) -> bool:
        """True if the cluster's last uses free what it leaves alive."""
        graph, registers, left, region = self.graph, self.registers, self.left, self.here
        operands = self.operands
        if len(cluster) == 1:
            freed = 0
            for arg in operands[cluster[0]]:
                if left[arg] == 1 and graph.homes[arg] is region:
                    freed += registers[arg]
            return freed > 0 and (freed >= registers[cluster[0]] or not left[cluster[0]])
        taken, freed = self._balance(cluster)
        return freed >= taken and freed > 0

    def _balance(self, cluster: list[int]) -> tuple[int, int]:
        """Registers that a cluster leaves alive, and those that its last uses free."""
        graph, registers, left, region = self.graph, self.registers, self.left, self.here
        operands = self.operands
        uses: dict[int, int] = {}
        for number in cluster:
            for arg in operands[number]:
                uses[arg] = uses.get(arg, 0) + 1
        taken = freed = 0
        for number in cluster:
            if left[number] > uses.get(number, 0):
                taken += registers[number]
        done, homes = self.done, graph.homes
        for arg, count in uses.items():
            if left[arg] == count and done[arg] and homes[arg] is region:
                freed += registers[arg]
        return taken, freed
