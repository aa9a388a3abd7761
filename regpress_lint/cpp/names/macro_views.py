"""Which of several `#define`s of one name the device compiler reads, as far as the conditions around them tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.conditions import condition_holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.preprocess.macros import Arm, Macro

# A name that only the compiler may define: what `conditions.predefined` does not list is not defined. The names of
# AMD's processors are open where HIP is compiled for several of them.
_RESERVED = pattern(r"__|_[A-Z]", re.ASCII)
_PROCESSOR = pattern(r"__(?:gfx|GFX|amdgcn_)", re.ASCII)
MAX_INCLUDERS = 3  # files asked for the macros and constants that a header leaves to them
_MAX_DEPTH = 24  # of macros that decide over macros that decide over macros


class Branches:
    """The visible `#define`s of one file, and verdicts over them; each is reached once."""

    __slots__ = (
        "_chosen",
        "_depth",
        "_includers",
        "_predefined",
        "_project",
        "_several_processors",
        "_verdicts",
        "is_includer",
        "unit",
    )

    def __init__(
        self, project: Project, unit: Unit, predefined: Mapping[str, str], *, is_includer: bool = False
    ) -> None:
        self.unit = unit
        self.is_includer = is_includer
        self._project = project
        self._predefined = predefined
        self._several_processors = "__HIP__" in predefined and not any(map(_PROCESSOR.match, predefined))
        self._chosen: dict[str, Macro | None] = {}
        self._verdicts: dict[tuple[str, int], bool | None] = {}
        self._includers: tuple[Branches, ...] | None = None
        self._depth = 0

    def includers(self) -> tuple[Branches, ...]:
        """The same for the files that include this one; none for a file that was itself asked as an includer."""
        if self._includers is None:
            paths = () if self.is_includer else self._project.includers(self.unit.source.path)[:MAX_INCLUDERS]
            units = (self._project.unit(path) for path in paths)
            self._includers = tuple(
                Branches(self._project, unit, self._predefined, is_includer=True) for unit in units if unit is not None
            )
        return self._includers

    def definition(self, name: str) -> Macro | None:
        """The `#define` of a name that counts: the first whose `#if` is not known to be skipped."""
        if name not in self._chosen:
            self._chosen[name] = self.choose(self._definitions(name))
        return self._chosen[name]

    def is_defined(self, name: str) -> bool:
        """True if this file, its headers or the files that include it have a `#define` of a name, wherever it is."""
        return name in self.unit.macros or any(other.is_defined(name) for other in self.includers())

    def _definitions(self, name: str) -> tuple[Macro, ...]:
        return self.unit.macros.all(name)

    def choose(self, macros: tuple[Macro, ...]) -> Macro | None:
        """The first of `macros` (all of one name) that may be compiled; the first if none seems to be."""
        if len(macros) < 2:
            return macros[0] if macros else None
        return next((macro for macro in macros if self.taken(macro) is not False), macros[0])

    def defined_before(self, name: str, position: int, path: str) -> str | None:
        """Body of a macro as seen at a byte offset of a file; None if it is not defined there."""
        found = self._definitions(name)
        verdicts = [self.taken(macro) for macro in found]
        for macro, verdict in zip(found, verdicts, strict=True):
            if verdict is not False and (macro.path != path or macro.offset < position):
                return macro.body
        return self._outside(name) if not found else self._predefined.get(name)

    def _outside(self, name: str) -> str | None:
        """Body of a macro that the compiler defines, or (the same in each) the files that include this one."""
        body = self._predefined.get(name)
        if body is not None:
            return body
        bodies = {found.body for other in self.includers() if (found := other.definition(name)) is not None}
        return bodies.pop() if len(bodies) == 1 else None

    def taken(self, macro: Macro) -> bool | None:
        """Is a `#define` compiled? None where a condition is undecided, or its answer is no more than likely."""
        if macro.arm is None:
            return True
        key = (macro.path, macro.offset)
        if key not in self._verdicts:
            if self._depth >= _MAX_DEPTH:
                return None
            self._verdicts[key] = None  # what depends on itself is undecided
            self._depth += 1
            try:
                self._verdicts[key] = self._arms_taken(macro)
            finally:
                self._depth -= 1
        return self._verdicts[key]

    def _arms_taken(self, macro: Macro) -> bool | None:
        result: bool | None = True
        arm = macro.arm
        while arm is not None:
            held, assumed = self._arm_taken(arm, macro.path)
            if held is False and (not assumed or self._has_sibling(macro, arm)):
                return False
            if held is None or assumed:
                result = None
            arm = arm.outer
        return result

    def _arm_taken(self, arm: Arm, path: str) -> tuple[bool | None, bool]:
        """Whether this arm is the compiled one of its group, and whether a macro counted as undefined only because no
        file defines it."""
        assumed: list[str] = []

        def defined(name: str) -> str | None:
            body = self.defined_before(name, arm.offset, path)
            if body is None and not self._definitions(name) and not self._is_settled(name):
                assumed.append(name)  # `-D` may define it
            return body

        result: bool | None = True
        last = len(arm.tests) - 1
        for index, test in enumerate(arm.tests):
            holds = condition_holds(test, defined)
            if holds is None:
                result = None
            elif holds != (index == last):
                return False, bool(assumed)
        return result, bool(assumed)

    def _is_settled(self, name: str) -> bool:
        """True for a name of the compiler's own, which is not defined if it is not known to be."""
        if self._several_processors and _PROCESSOR.match(name) is not None:
            return False
        return _RESERVED.match(name) is not None

    def _has_sibling(self, macro: Macro, arm: Arm) -> bool:
        """True if another arm of the group defines the same name."""
        for other in self._definitions(macro.name):
            if other.path != macro.path:
                continue
            outer = other.arm
            while outer is not None:
                if outer.offset == arm.offset:
                    if outer.tests != arm.tests:
                        return True
                    break
                outer = outer.outer
        return False
