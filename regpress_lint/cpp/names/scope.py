"""What one file sees: the `#define` that counts, and the look-ups that every other may ask."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.conditions import condition_holds
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, Scopes, explicit_arguments, scopes_around
from regpress_lint.cpp.names.macro_parameters import counts_in
from regpress_lint.cpp.names.name_index import CALLED, FUNCTION, OPERATOR, RECORD, TYPE
from regpress_lint.cpp.names.project import Headers, parsed_includers

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import OpenQuestions
    from regpress_lint.cpp.environment import CallValue, Environment, Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, RecordNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.preprocess.macros import Arm, Macro
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type, Variable


T = TypeVar("T")


# Which of several `#define`s of one name the device compiler reads, as far as the conditions around them tell.


# A name that only the compiler may define: what `conditions.predefined` does not list is not defined. The names of
# AMD's processors are open where HIP is compiled for several of them.
_RESERVED = pattern(r"__|_[A-Z]", re.ASCII)
_PROCESSOR = pattern(r"__(?:gfx|GFX|amdgcn_)", re.ASCII)
_MAX_DEPTH = 24  # of macros that decide over macros that decide over macros


_LIBRARY = "std"


def _in_library(parsed: ParsedFile, function: FunctionNode) -> bool:
    """True for a function of `namespace std`: `std::conj(x)` means no other `conj`."""
    return _LIBRARY in scopes_around(function.node, parsed.text)


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
        return name in self.parsed.macros or any(includer.is_defined(name) for includer in self.includers())

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
        bodies = {macro.body for includer in self.includers() if (macro := includer.definition(name)) is not None}
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
        for definition in self._definitions(macro.name):
            if definition.path != macro.path:
                continue
            outer = definition.arm
            while outer is not None:
                if outer.offset == arm.offset:
                    if outer.tests != arm.tests:
                        return True
                    break
                outer = outer.outer
        return False


# The scope of one file: what every look-up may ask. Look-ups take it as `Scope`, so that none imports another's way to
# answer: what takes several kinds of look-up is answered by `resolver.Resolver`.


class Scope(ABC):
    """All look-ups from the position of one file: its own definitions first, then those of its project headers.

    headers: those headers, parsed only when asked for. questions: the questions for libclang, the second tier, asked
    for what the first leaves open; None if it is off.
    """

    def __init__(self, project: Project, parsed: ParsedFile, language: Language, *, is_includer: bool = False) -> None:
        self.project = project
        self.parsed = parsed
        self.language: Language = language
        self._predefined = project.predefined(parsed.source.path, language)
        self.branches = Branches(project, parsed, self._predefined, is_includer=is_includer)
        self.headers = Headers(project, parsed)
        self.questions: OpenQuestions | None = project.questions(parsed, language)
        self._is_includer = is_includer
        self._includers: tuple[Scope, ...] | None = None
        self._remembered: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, computed once for this file."""
        remembered = self._remembered
        if key not in remembered:
            remembered[key] = make()
        result: T = remembered[key]
        return result

    def includer_scopes(self) -> tuple[Scope, ...]:
        """Scopes of the files that include this one; none of a scope that was itself made for that."""
        if self._includers is None:
            files = () if self._is_includer else parsed_includers(self.project, self.parsed)
            self._includers = tuple(
                self.__class__(self.project, parsed, self.language, is_includer=True) for parsed in files
            )
        return self._includers

    # -------------------------------------------------------------------------------------------------- macros

    def macro(self, name: str) -> str | None:
        """Body of an object-like macro, the device compiler's own ones included."""
        if (macro := self.branches.definition(name)) is not None:
            return macro.body if macro.params is None else None
        return self._predefined.get(name)

    def function_macro(self, name: str) -> Macro | None:
        """A macro with parameters."""
        macro = self.branches.definition(name)
        return macro if macro is not None and macro.params is not None else None

    def defined(self, name: str) -> str | None:
        """Body of any macro, "" for one without; None if it is not defined."""
        macro = self.branches.definition(name)
        if macro is not None and self.branches.taken(macro) is not False:
            return macro.body
        return self._predefined.get(name)

    def defined_before(self, name: str, position: int, path: str = "") -> str | None:
        """`defined` at a byte offset of a file (default: this one): what the file defines only later does not count."""
        return self.branches.defined_before(name, position, path or self.parsed.source.path)

    def predefined_macro(self, name: str) -> str | None:
        """Body of a macro that the device compiler defines by itself."""
        return self._predefined.get(name)

    # ------------------------------------------------------------------------------------------------------------ types

    @abstractmethod
    def type_of(self, name: str) -> Type | None:
        """Type by name; `Record::field` gives the type of a member."""

    def record(self, name: str) -> tuple[ParsedFile, RecordNode] | None:
        """Definition of a class, struct or union in this file or its headers; a header sees those of the files that
        include it.
        """
        base = bare_name(name)
        if not IDENTIFIER.match(base):
            return None
        record = self.remember(("record", base), partial(self._record, base))
        return record or next(filter(None, (includer.record(base) for includer in self.includer_scopes())), None)

    def _record(self, base: str) -> tuple[ParsedFile, RecordNode] | None:
        for parsed in self.headers.saying(base, RECORD | TYPE):
            _ = parsed.aliases  # anonymous structs are named by their typedef
            if (record := parsed.records.get(base)) is not None:
                return parsed, record
        return None

    # ----------------------------------------------------------------------------------------------------------- values

    @abstractmethod
    def constant(self, name: str) -> Number | None:
        """Value of a macro, constant or enumerator; None if unknown or if definitions disagree."""

    @property
    def environment(self) -> Environment:
        """Evaluation in this scope."""
        return self.environment_of(self.constant)

    @abstractmethod
    def environment_of(self, names: Callable[[str], Number | None]) -> Environment:
        """Evaluation in this scope with names looked up elsewhere first."""

    @property
    @abstractmethod
    def value_of_call(self) -> CallValue | None:
        """Value of a call whose arguments have these values, if it has one before the program runs."""

    @abstractmethod
    def expression_of_text(self, text: str) -> Expr | None:
        """Expression given as text, without position; None if it is not one."""

    def value_of_text(self, text: str) -> Number | None:
        """Value of an expression given as text (a template argument, a macro's body)."""
        return evaluate(self.expression_of_text(text), self.environment)

    # -------------------------------------------------------------------------------------------------------- functions

    def find_node(self, name: str, arguments: int) -> tuple[ParsedFile, FunctionNode] | None:
        """Definition of a function by name and argument count, in this file or its project headers."""
        return self.remember(("function", name, arguments), partial(self._find_node, name, arguments))

    def _find_node(self, name: str, arguments: int) -> tuple[ParsedFile, FunctionNode] | None:
        owner, _, last = name.rpartition("::")
        if not IDENTIFIER.match(last) or owner.startswith("std::"):  # a member of a class of the library
            return None
        fallback: tuple[ParsedFile, FunctionNode] | None = None
        for parsed in self.headers.saying(last, FUNCTION):
            for function in parsed.functions_by_name.get(last, ()):
                if owner == _LIBRARY and not _in_library(parsed, function):
                    continue
                parameters = counts_in(parsed, function)
                if arguments in parameters:
                    return parsed, function
                fallback = fallback or (parsed, function)
        return fallback if fallback is not None and arguments < 0 else None

    @abstractmethod
    def find_function(self, name: str, arguments: int) -> Function | None:
        """Lowered definition of a device function; a header sees those of the files that include it."""

    def overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        """Visible lowered definitions of that name and argument count, explicit specialisations left out; this file's
        first, and functions before members. A header that has none sees those of the files that include it.
        """
        own = self.remember(("overloads", name, arguments), partial(self._overloads, name, arguments))
        return own or next(filter(None, (other.overloads(name, arguments) for other in self.includer_scopes())), ())

    def _overloads(self, name: str, arguments: int) -> tuple[Function, ...]:
        owner, _, last = name.rpartition("::")
        overloads = [
            (bool(node.record) or "::" in node.qualified, node, parsed)
            for parsed in self._units_with(last)
            for node in parsed.functions_by_name.get(last, ())
            if arguments in counts_in(parsed, node) and not explicit_arguments(node)
            if owner != _LIBRARY or _in_library(parsed, node)
        ]
        overloads.sort(key=itemgetter(0))
        return tuple(self.lower(node, parsed) for _, node, parsed in overloads)

    def overloads_beside(self, type_name: str, name: str, arguments: int) -> tuple[Function, ...]:
        """Those of them that are in the namespace of a class, where a call with an object of it also looks."""
        owner = self.record(type_name)
        if owner is None:
            return ()
        home = scopes_around(owner[1].node, owner[0].text)
        return tuple(
            overload
            for overload in self.overloads(name, arguments)
            if not overload.owner and self._namespace_of(overload) == home
        )

    def _namespace_of(self, function: Function) -> Scopes | None:
        for parsed in self._units_with(function.name):
            if parsed.source.path == function.path:
                for node in parsed.functions_by_name.get(function.name, ()):
                    if node.node.start_byte == function.span.start:
                        return scopes_around(node.node, parsed.text)
        return None

    def _units_with(self, function: str) -> Iterator[ParsedFile]:
        is_operator = function.startswith(OPERATOR) and not function.isidentifier()
        return self.headers.saying(OPERATOR, CALLED) if is_operator else self.headers.saying(function, FUNCTION)

    def is_linked(self, name: str) -> bool:
        """True for a device function with a visible declaration, defined in no file that a compiler sees with it: not
        in those that include this one either. An unknown header may define it.
        """
        return self.remember(("linked", name), partial(self._is_linked, name))

    def _is_linked(self, name: str) -> bool:
        if not self.headers.is_linked(name) or not self.project.sees_all(self.parsed):
            return False
        return not any(name in u.functions_by_name for view in self.includer_scopes() for u in view._units_with(name))

    def is_unread(self, name: str) -> bool:
        """True for a function of a project's header that was not read, because so many others were before it."""
        return self.headers.has_unread(name.lstrip(".").rpartition("::")[2])

    def has_operator(self, name: str) -> bool:
        """Whether a visible function or member has that name: `operator+`."""
        visible = self.remember(
            ("operator", name), lambda: any(name in u.functions_by_name for u in self._units_with(name))
        )
        return visible or any(includer.has_operator(name) for includer in self.includer_scopes())

    def defined_elsewhere(self, name: str) -> Function | None:
        """Lowered definition of a function that only the second tier finds; `.name` is a member's."""
        definition = self.questions.definition(name) if self.questions is not None else None
        path = self.project.spelled(definition.path) if definition is not None and definition.defined else None
        parsed = self.project.parsed(path) if path is not None else None
        if parsed is None or definition is None:
            return None
        nodes = parsed.functions_by_name.get(name.lstrip(".").rpartition("::")[2], ())
        return next(
            (self.lower(node, parsed) for node in nodes if node.name_node.start_byte == definition.offset), None
        )

    # ------------------------------------------------------------------------------------------------------------ trees

    @abstractmethod
    def lower(
        self, function: FunctionNode, parsed: ParsedFile | None = None, bound: Mapping[str, str] | None = None
    ) -> Function:
        """Our own tree of a function; `bound` gives template parameters their arguments."""

    @abstractmethod
    def lower_expression(self, node: Node, parsed: ParsedFile | None = None, parse_index: int = 0) -> Expr:
        """Our own tree of an expression outside a kernel (a launch's configuration)."""

    @abstractmethod
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

    @abstractmethod
    def context_for_text(self, parsed: ParsedFile, parse_index: int, bound: Mapping[str, str] | None = None) -> Context:
        """A fresh lowering context, for callers that lower single nodes; `bound` as in `lower`."""
