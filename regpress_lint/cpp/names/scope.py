"""What one file sees: its headers, the `#define` that counts, and the protocol that every look-up may ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, TypeVar

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.conditions import condition_holds
from regpress_lint.cpp.library import LIBRARY, names_library
from regpress_lint.cpp.names.parsed_file import DEVICE, FUNCTION
from regpress_lint.cpp.syntax_tree import UNNAMED

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import OpenQuestions
    from regpress_lint.cpp.constants import CallValue, Environment, Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.preprocess.macros import Arm, Macro
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type, Variable


# The project headers that one file sees, parsed only when something is looked up that they seem to have.


# Headers that are parsed for the look-ups of one file: so many of any size, then small ones. A tree costs what its text
# is long.
_MAX_PARSED = 64
_MAX_SMALL, _MAX_SMALL_BYTES = 160, 1000 * 1024  # of all that were parsed: WarpX with AMReX' headers in reach


class Headers:
    """Look-ups in this file and then in its headers, in the order in which it includes them."""

    def __init__(self, project: Project, parsed: ParsedFile) -> None:
        self.project = project
        self.parsed = parsed
        self._paths: tuple[str, ...] | None = None
        self._indexes: tuple[tuple[str, Mapping[str, int]], ...] | None = None
        self._parsed: dict[str, ParsedFile | None] = {}
        self._bytes = 0
        self._device_names: tuple[tuple[str, frozenset[str]], ...] | None = None
        self._saying: dict[tuple[str, int], tuple[str, ...]] = {}

    def paths(self) -> tuple[str, ...]:
        """Project headers of this file."""
        if self._paths is None:
            found = self.project.closure(self.parsed)
            self._paths = (*found, LIBRARY) if self._names_library(found) else found
        return self._paths

    def indexes(self) -> tuple[tuple[str, Mapping[str, int]], ...]:
        """Project headers of this file, each with the names that its text seems to say something of."""
        if self._indexes is None:
            self._indexes = tuple((path, self.project.index_of(path)) for path in self.paths())
        return self._indexes

    def _names_library(self, headers: tuple[str, ...]) -> bool:
        """Whether this file or a header of it names what the standard library's stand-in has."""
        if names_library(self.parsed.source.data):
            return True
        return any(LIBRARY in self.project.index_of(path) for path in headers)

    def saying(self, name: str, what: int) -> Iterator[ParsedFile]:
        """This file, then the project headers that seem to say something of a name: `what` is FUNCTION, TYPE, ..."""
        yield self.parsed
        if name.startswith(UNNAMED):  # of a file that is being read
            yield from filter(None, tuple(self._parsed.values()))
            return
        key = name, what
        if key not in self._saying:
            self._saying[key] = tuple(path for path, index in self.indexes() if index.get(name, 0) & what)
        for path in self._saying[key]:
            if (parsed := self._header(path)) is not None:
                yield parsed

    def has_unread(self, name: str) -> bool:
        """True if a header that was not parsed, beyond this file's share, seems to have a function of a name."""
        if not self._is_full():
            return False
        return any(path not in self._parsed and index.get(name, 0) & FUNCTION for path, index in self.indexes())

    def device_names(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Headers that seem to declare variables in device memory, and the names of these."""
        if self._device_names is None:
            indexes = self.indexes()
            named = ((path, frozenset(n for n, said in index.items() if said & DEVICE)) for path, index in indexes)
            self._device_names = tuple((path, names) for path, names in named if names)
        return self._device_names

    def _header(self, path: str) -> ParsedFile | None:
        """Parsed header; None once this file has had its share parsed: beyond it every name would cost a whole tree."""
        if path not in self._parsed:
            # Whether another file has had it parsed does not count: the answer must not hang on what came before.
            if self._is_full():
                return None
            parsed = self._parsed[path] = self.project.parsed(path)
            self._bytes += parsed.source.size if parsed is not None else 0
        return self._parsed[path]

    def _is_full(self) -> bool:
        count = len(self._parsed)
        return count >= _MAX_SMALL or (count >= _MAX_PARSED and self._bytes >= _MAX_SMALL_BYTES)


def parsed_includers(project: Project, parsed: ParsedFile) -> Iterator[ParsedFile]:
    """The first files that include one, also through others, as trees."""
    files = map(project.parsed, project.above(parsed.source.path))
    return (file for file in files if file is not None)


# Which of several `#define`s of one name the device compiler reads, as far as the conditions around them tell.


# A name that only the compiler may define: what `conditions.predefined` does not list is not defined. The names of
# AMD's processors are open where HIP is compiled for several of them.
_RESERVED = pattern(r"__|_[A-Z]", re.ASCII)
_PROCESSOR = pattern(r"__(?:gfx|GFX|amdgcn_)", re.ASCII)
_MAX_DEPTH = 24  # of macros that decide over macros that decide over macros


class Branches:
    """The visible `#define`s of one file, and verdicts over them; each is reached once."""

    def __init__(
        self, project: Project, parsed: ParsedFile, predefined: Mapping[str, str], *, is_includer: bool = False
    ) -> None:
        self.parsed = parsed
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
            files = () if self.is_includer else parsed_includers(self._project, self.parsed)
            self._includers = tuple(
                Branches(self._project, parsed, self._predefined, is_includer=True) for parsed in files
            )
        return self._includers

    def definition(self, name: str) -> Macro | None:
        """The `#define` of a name that counts: the first whose `#if` is not known to be skipped."""
        if name not in self._chosen:
            self._chosen[name] = self.choose(self._definitions(name))
        return self._chosen[name]

    def is_defined(self, name: str) -> bool:
        """True if this file, its headers or the files that include it have a `#define` of a name, wherever it is."""
        return name in self.parsed.macros or any(other.is_defined(name) for other in self.includers())

    def _definitions(self, name: str) -> tuple[Macro, ...]:
        return self.parsed.macros.all(name)

    def choose(self, macros: tuple[Macro, ...]) -> Macro | None:
        """The first of `macros` (all of one name) that may be compiled; the first if none seems to be."""
        if len(macros) < 2:
            return macros[0] if macros else None
        return next((macro for macro in macros if self.taken(macro) is not False), macros[0])

    def defined_before(self, name: str, position: int, path: str) -> str | None:
        """Body of a macro as seen at a byte offset of a file; None if it is not defined there."""
        macros = self._definitions(name)
        verdicts = [self.taken(macro) for macro in macros]
        for macro, verdict in zip(macros, verdicts, strict=True):
            if verdict is not False and (macro.path != path or macro.offset < position):
                return macro.body
        return self._outside(name) if not macros else self._predefined.get(name)

    def _outside(self, name: str) -> str | None:
        """Body of a macro that the compiler defines, or (the same in each) the files that include this one."""
        if (body := self._predefined.get(name)) is not None:
            return body
        bodies = {macro.body for other in self.includers() if (macro := other.definition(name)) is not None}
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


# The scope of one file: what every look-up may ask. Look-ups take this protocol, so that none imports another's way
# to answer; `resolver.Resolver` answers.


Remembered = TypeVar("Remembered")


class Scope(Protocol):
    """All look-ups from the position of one file: its own definitions first, then those of its project headers.

    headers: those headers, parsed only when asked for. questions: the questions for libclang; None if it is off.
    """

    project: Project
    parsed: ParsedFile
    language: Language
    headers: Headers
    questions: OpenQuestions | None
    branches: Branches

    def includer_scopes(self) -> Iterable[Scope]:
        """Scopes of the files that include this one; none of a scope that was itself made for that."""

    def remember(self, key: Hashable, make: Callable[[], Remembered]) -> Remembered:
        """The result of `make`, computed once for this file."""

    # ------------------------------------------------------------------------------------------------------- macros

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro, the device compiler's own ones included."""

    def defined(self, name: str) -> str | None:
        """Body of any macro, "" for one without; None if it is not defined."""

    def defined_before(self, name: str, position: int, path: str = "") -> str | None:
        """`defined` at a byte offset of a file (default: this one): what the file defines only later does not count."""

    def predefined_macro(self, name: str) -> str | None:
        """Body of a macro that the device compiler defines by itself."""

    # -------------------------------------------------------------------------------------------------------- types

    def type_of(self, name: str) -> Type | None:
        """Type by name; `Record::field` gives the type of a member."""

    def record(self, name: str) -> tuple[ParsedFile, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers."""

    # ------------------------------------------------------------------------------------------------------- values

    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""

    @property
    def environment(self) -> Environment:
        """Evaluation in this scope."""

    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        """Evaluation in this scope with names looked up elsewhere first."""

    @property
    def value_of_call(self) -> CallValue | None:
        """Value of a call whose arguments have these values, if it has one before the program runs."""

    def expression_of_text(self, text: str) -> Expr | None:
        """Expression given as text, without position; None if it is not one."""

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""

    # ---------------------------------------------------------------------------------------------------- functions

    def find_node(self, name: str, arguments: int) -> tuple[ParsedFile, FunctionNode] | None:
        """Definition of a function by name and argument count, in this file or its project headers."""

    def find_function(self, name: str, arguments: int) -> Function | None:
        """Lowered definition of a device function; a header sees those of the files that include it."""

    def overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        """Visible lowered definitions of that name and argument count, explicit specialisations left out."""

    def overloads_beside(self, type_name: str, name: str, arguments: int) -> tuple[Function, ...]:
        """Those of them that are in the namespace of a class, where a call with an object of it also looks."""

    def is_linked(self, name: str) -> bool:
        """True for a device function with a visible declaration, defined in no file that a compiler sees with it."""

    def is_unread(self, name: str) -> bool:
        """True for a function of a project's header that was not read, because so many others were before it."""

    def has_operator(self, name: str) -> bool:
        """Whether a visible function or member has that name: `operator+`."""

    def defined_elsewhere(self, name: str) -> Function | None:
        """Lowered definition of a function that only the second tier finds; `.name` is a member's."""

    # -------------------------------------------------------------------------------------------------------- trees

    def lower(
        self, function: FunctionNode, parsed: ParsedFile | None = None, bound: Mapping[str, str] | None = None
    ) -> Function:
        """Our own tree of a function; `bound` gives template parameters their arguments."""

    def lower_expression(self, node: Node, parsed: ParsedFile | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""

    def lower_lambda(
        self,
        node: Node,
        parsed: ParsedFile,
        parse_index: int,
        name: str,
        captured: Mapping[str, Variable] | None = None,
        bound: Mapping[str, str] | None = None,
        item: str = "",
    ) -> Function:
        """Our own tree of a lambda expression; names from outside are captures, known ones `captured`. item: the type
        that `auto` stands for among its parameters.
        """

    def context_for_text(self, parsed: ParsedFile, parse_index: int, bound: Mapping[str, str] | None = None) -> Context:
        """A fresh lowering context, for callers that lower single nodes; `bound` as in `lower`."""
