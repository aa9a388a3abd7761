"""A file of the program, and the questions about names that it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.syntax_tree import Call
from regpress_lint.cpp.traversal import nodes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Source
    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.answers import Settled
    from regpress_lint.cpp.environment import CallValue
    from regpress_lint.cpp.names.constant_objects import Made
    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.preprocess.includes import Missing
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type, Variable
    from regpress_lint.program.expansions import Expansion, Expansions
    from regpress_lint.program.gpu_words import Word
    from regpress_lint.program.model import Kernel, Launch

_MOST_CALLED = 1000  # functions of a file whose calls are collected


class File:
    """One analysed file: its kernels and launches as data, and what can be asked about the names in it and in its
    project headers. It remembers: equal questions get the same object.

    `lost` are the `__global__` words of definitions that could not be read at all, and uses of macros that write
    whole kernels. `other` are words of CUDA and HIP in a file that is read as SYCL, and SYCL kernels in one of CUDA or
    HIP. `begun` are the `__global__` words of literals whose kernel the program puts together when it runs.
    `library_kernels` are where CUTLASS makes a kernel out of templates, and none of it is in view.
    `unknowns` are what the front end does not know and what every kernel may need: a header.
    """

    __slots__ = (
        "_called",
        "_expansions",
        "_first",
        "_later",
        "_macros",
        "_missing",
        "_scope",
        "begun",
        "called",
        "constant",
        "expression",
        "find_function",
        "has_operator",
        "is_linked",
        "is_unread",
        "kernels",
        "language",
        "launches",
        "library_kernels",
        "lost",
        "macro",
        "other",
        "overloads",
        "overloads_beside",
        "source",
        "type_of",
        "unknowns",
    )

    def __init__(
        self,
        source: Source,
        language: Language,
        kernels: tuple[Kernel, ...],
        launches: tuple[Launch, ...],
        scope: Scope | Callable[[], Scope],
        lost: tuple[Span, ...] = (),
        other: tuple[Span, ...] = (),
        unknowns: tuple[Unknown, ...] = (),
        begun: tuple[Span, ...] = (),
        library_kernels: tuple[Span, ...] = (),
    ) -> None:
        """scope: resolves names; of a file without kernels, whose text is parsed only when needed, what makes it."""
        self.source = source
        self.language = language
        self.kernels = kernels
        self.launches = launches
        self.lost = lost
        self.other = other
        self.begun = begun
        self.library_kernels = library_kernels
        self.unknowns = unknowns
        self._scope: Scope | None = None
        self._later = scope if callable(scope) else lambda: scope
        self._first: dict[str, Kernel] | None = None
        self._expansions: Expansions | None = None
        self._called: dict[tuple[str, Span], list[tuple[Call, Function]]] | None = None
        self._macros: dict[str, bool] = {}
        self._missing: tuple[tuple[Span, Missing], ...] | None = None
        if not callable(scope):
            self._bind(scope)

    def _bind(self, scope: Scope) -> Scope:
        """What is asked often needs no step in between."""
        self._scope = scope
        self.called: CallValue | None = scope.value_of_call
        self.constant = scope.constant
        self.type_of = scope.type_of
        self.macro = scope.macro
        self.find_function = scope.find_function
        self.overloads = scope.overloads
        self.overloads_beside = scope.overloads_beside
        self.has_operator = scope.has_operator
        self.is_linked = scope.is_linked
        self.is_unread = scope.is_unread
        self.expression = scope.expression_of_text
        return scope

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """What `_bind` has not set yet: the first question about a name in a file without kernels."""
            if name not in self.__slots__ or self._scope is not None:
                raise AttributeError(name)
            self._bind(self._later())
            return getattr(self, name)

    def first_kernel(self, name: str) -> Kernel | None:
        """The first kernel of a name; overloads and branches of an `#if` share theirs."""
        if self._first is None:
            self._first = {}
            for kernel in self.kernels:
                self._first.setdefault(kernel.name, kernel)
        return self._first.get(name)

    def calls_of(self, function: Function) -> Sequence[tuple[Call, Function]]:
        """The calls of a function by its name in all kernels of the file and what they call, each with the function
        around it.
        """
        if self._called is None:
            self._called = {}
            entered = dict.fromkeys(kernel.function for kernel in self.kernels)
            for caller in (pending := [*entered]):
                for call in (node for node in nodes_of(caller) if isinstance(node, Call) and node.name):
                    target = self.find_function(call.qualified, len(call.args))
                    if target is None:
                        continue
                    self._called.setdefault((target.path, target.body_span), []).append((call, caller))
                    if target not in entered and len(entered) < _MOST_CALLED:
                        entered[target] = None
                        pending.append(target)
        return self._called.get((function.path, function.body_span), ())

    @property
    def path(self) -> str:
        """Path as given by the user."""
        return self.source.path

    @property
    def asserts(self) -> bool:
        """True if a compile command, or a Makefile beside the file, says what becomes of assertions: it is `macro` that
        knows NDEBUG then.
        """
        return self._scope is not None and self._scope.project.asserts(self._scope.parsed.source.path)

    @property
    def fast_math(self) -> bool:
        """True if the compile command, or a build file beside the file, requests fast mathematics of nvcc."""
        return self._scope is not None and self._scope.project.fast_math(self._scope.parsed.source.path)

    def missing_headers(self) -> tuple[tuple[Span, Missing], ...]:
        """The `#include`s without a file, of this file and of what it includes, with the operand that leads there."""
        if self._missing is None:
            missing = self._scope.project.missing(self._scope.parsed) if self._scope is not None else ()
            data = self.source.data
            places = ((data.find(header.own), header) for header in missing)
            self._missing = tuple((Span(at, at + len(header.own)), header) for at, header in places if at >= 0)
        return self._missing

    def settled(self) -> Sequence[Settled]:
        """The questions so far that only libclang had an answer to."""
        questions = self._scope.questions if self._scope is not None else None
        return questions.settled if questions is not None else ()

    @property
    def certain(self) -> bool:
        """False if libclang gave an answer without having found all headers."""
        return all(answer.answer.certain for answer in self.settled())

    # Most commands ask no macros' expansions and no member functions: what answers is imported with the first question.

    @property
    def _names(self) -> Scope:
        return self._scope or self._bind(self._later())

    def method(self, type_name: str, name: str, arity: int) -> Function | None:
        """A member function of a class."""
        from regpress_lint.cpp.names.functions import method

        scope = self._names
        function = method(scope, type_name, name, arity)
        return scope.defined_elsewhere("." + name) if function is None and scope.questions is not None else function

    def specialised_method(self, type_name: str, name: str, arguments: tuple[str, ...]) -> Function | None:
        """The explicit specialisation of a member function of a class for these template arguments."""
        from regpress_lint.cpp.names.functions import specialised_method

        return specialised_method(self._names, type_name, name, arguments)

    def methods(self, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
        """All member functions of a class, or of a base of it, with that name and arity."""
        from regpress_lint.cpp.names.functions import methods

        return methods(self._names, type_name, name, arity)

    def allowed(
        self, functions: tuple[Function, ...], types: Sequence[Type | None], arguments: Sequence[str]
    ) -> tuple[Function, ...]:
        """The overloads whose conditions (`requires`, `enable_if`) a call does not break."""
        from regpress_lint.program.constraints import allowed

        return allowed(self._names, functions, types, arguments)

    def is_open(
        self,
        function: Function,
        others: Sequence[Function],
        types: Callable[[], Sequence[Type | None]],
        arguments: Sequence[str],
    ) -> bool:
        """True where a call may mean another overload than a function: a condition in one's head is not known."""
        from regpress_lint.program.constraints import is_open

        return is_open(self._names, function, others, types, arguments)

    def conversions(self, type_name: str) -> tuple[Function, ...]:
        """The functions that convert objects of a class to other types."""
        from regpress_lint.cpp.names.functions import conversions

        return conversions(self._names, type_name)

    def destructors(self, type_name: str) -> tuple[Function, ...]:
        """What runs when an object of a class ends: its own destructor, then those of its bases."""
        from regpress_lint.cpp.names.functions import destructors

        return self._names.remember(("destructors", type_name), lambda: destructors(self._names, type_name))

    def parts_of(self, type_name: str) -> tuple[Part, ...] | None:
        """Data members of a class or union in order, with their byte offsets; None if one is not known."""
        from regpress_lint.cpp.names.records import parts_of

        return self._names.remember(("parts", type_name), lambda: parts_of(self._names, type_name))

    def packs_of(self, type_name: str) -> dict[str, tuple[str, ...]]:
        """The arguments of each parameter pack of a class template, by the name of a class."""
        from regpress_lint.cpp.names.class_templates import packs_of

        return self._names.remember(("packs", type_name), lambda: packs_of(self._names, type_name))

    def repeats_members(self, type_name: str) -> bool:
        """Whether two members of a class and of its bases have one name, and none of them is told from the other."""
        from regpress_lint.cpp.names.records import repeats_members

        return self._names.remember(("repeats", type_name), lambda: repeats_members(self._names, type_name))

    def bases_of(self, type_name: str) -> tuple[str, ...]:
        """Base classes of a class, with their arguments."""
        from regpress_lint.cpp.names.class_templates import bases_of

        return self._names.remember(("bases", type_name), lambda: bases_of(self._names, type_name))

    def constant_object(self, name: str) -> Made | None:
        """The object of a class that a name of the file level or a template argument stands for."""
        from regpress_lint.cpp.names.constant_objects import constant_object

        return self._names.remember(("object", name), lambda: constant_object(self._names, name))

    def members_of(self, type_name: str) -> tuple[str, ...]:
        """Names of a class's own data members in order, whether or not its size is known."""
        from regpress_lint.cpp.names.records import member_names

        return self._names.remember(("members", type_name), lambda: member_names(self._names, type_name))

    def is_virtual(self, type_name: str, name: str) -> bool:
        """Whether calls of a member function through a pointer are bound at run time."""
        from regpress_lint.cpp.names.functions import is_virtual

        questions = self._names.questions
        if questions is not None and self._names.record(type_name) is None:
            definition = questions.definition("." + name)
            return definition is not None and definition.virtual
        return is_virtual(self._names, type_name, name)

    def is_shared(self, type_name: str) -> bool:
        """Whether classes of several namespaces of the file have that name."""
        shared = self._names.parsed.shared_names
        return bool(shared) and bare_name(type_name).removeprefix("const ") in shared

    def is_macro(self, name: str) -> bool:
        """Whether there is a visible `#define` of a name: otherwise it has no `expansion`."""
        defined = self._macros.get(name)
        if defined is None:
            defined = self._macros[name] = self._names.branches.is_defined(name)
        return defined

    def macro_place(self, name: str) -> tuple[str, Span] | None:
        """The file and the place of the name in the `#define` of a macro that counts; None if none is visible."""
        macro = self._names.branches.definition(name)
        return None if macro is None else (macro.path, Span(macro.offset, macro.offset + len(name)))

    def expansion(
        self,
        name: str,
        arity: int | None,
        names: Mapping[str, Variable],
        types: tuple[Type | None, ...],
        before: int | None,
        spelled: tuple[str | None, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> Expansion | None:
        """A macro's definition: object-like for arity None, else function-like with that many arguments, of several
        in this file the last one before that byte offset. `names` are the variables in scope at the use, `types` those
        of the arguments, `spelled` the words of those that take a parameter's place as they are written, None for
        others; the parameter has no name then. `meanings` are those of the function around it.
        """
        if self._expansions is None:
            from regpress_lint.program.expansions import Expansions

            self._expansions = Expansions(self._names)
        return self._expansions.expansion(name, arity, names, types, before, spelled, meanings)

    def put_in(self, expansion: Expansion, args: tuple[Expr, ...]) -> Expansion | None:
        """A macro's definition with arguments in place of its parameters, whose names the body may declare; None if
        that is too much.
        """
        return expansion if self._expansions is None else self._expansions.put_in(expansion, args)

    def specialised(self, function: Function, bound: Mapping[str, str]) -> Function:
        """A function with parameters of its template bound to texts of types and functions; else the same one."""
        from regpress_lint.cpp.names.functions import specialised

        return specialised(self._names, function, bound)

    def is_specialised(self, function: Function) -> bool:
        """True for a function template that has explicit specialisations beside it."""
        from regpress_lint.cpp.names.functions import specialisations

        return bool(specialisations(self._names, function))

    def explicit(self, function: Function, arguments: Sequence[str]) -> Function | None:
        """The explicit specialisation of a function template for these arguments."""
        from regpress_lint.cpp.names.functions import explicit

        return explicit(self._names, function, arguments)

    def befriended(self, function: Function, type_names: Sequence[str]) -> Function:
        """A friend that a class template defines, for the class that one of these types is; else the same one."""
        from regpress_lint.cpp.names.functions import befriended

        return befriended(self._names, function, type_names)

    def asked_of_gpu(self, function: Function) -> tuple[Word, ...]:
        """Requirements of a function's text on a GPU: assembly, built-ins, headers."""
        from regpress_lint.program.gpu_words import asked_of_gpu

        return asked_of_gpu(self._names, function)
