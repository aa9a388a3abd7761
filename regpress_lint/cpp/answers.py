"""Questions about texts at places, and their answers: plain data, and the interface that both tiers have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.settings import CompileCommand, Language
    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.syntax_tree import Type

T_co = TypeVar("T_co", covariant=True)
Origin = Literal["source", "libclang"]


class Place(NamedTuple):
    """Where a text is written: a file and a byte offset in it. `exact` is false for a text that no file contains
    verbatim (a template's arguments were put in): the place then only says in which namespace it is meant.
    """

    path: str
    offset: int
    exact: bool = True


class Answer(NamedTuple, Generic[T_co]):
    """A value, and where it came from. `certain` is false where libclang did not find every header of the file."""

    value: T_co
    origin: Origin = "source"
    certain: bool = True


class Meant(NamedTuple):
    """The meaning of a type's name: the type, the extents of an array, and its fields by name if it is a record."""

    type: Type
    extents: tuple[int, ...] = ()
    fields: tuple[tuple[str, Type], ...] = ()


class Definition(NamedTuple):
    """The function that a call means. `offset` is where its name is in the definition (or, if that is unknown, in the
    declaration: `defined` is false then). virtual: bound at run time through a pointer or reference.
    """

    path: str
    offset: int
    defined: bool
    virtual: bool
    noinline: bool


class NoAnswerError(Exception):
    """The child is absent, died, or was late; the text says which."""


class LateError(NoAnswerError):
    """The child took longer than it may."""


class Settled(NamedTuple):
    """A question that was answered: its kind, its subject, and the answer."""

    kind: str
    text: str
    place: Place
    answer: Answer[object]


class Semantics(Protocol):
    """Queries about a file that both tiers answer. Every answer may be None: unknown stays unknown."""

    def type_named(self, text: str, place: Place) -> Answer[Meant] | None:
        """The type that a text (`real_t`, `Vec<float, 4>`) means at a place."""
        ...

    def value(self, text: str, place: Place) -> Answer[Number] | None:
        """The value of a constant expression (`DIM`, `Traits<float>::n`, `ceil_div(N, 4)`) at a place."""
        ...


class PlacedSemantics(Semantics, Protocol):
    """Queries that need places; the trees keep their part of the answers in the lowered nodes."""

    def type_declared(self, name: str, place: Place) -> Answer[Meant] | None:
        """The type of the variable whose name is written at a place, `auto` deduced."""
        ...

    def definition(self, name: str, place: Place) -> Answer[Definition] | None:
        """The function whose name is written in a call at a place."""
        ...


class Sources(NamedTuple):
    """Where a file finds its headers in addition to its compile command: folders in order, and macros as
    `NAME=body`, which count over those of the command.
    """

    folders: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()


class Input(NamedTuple):
    """A file that is compiled, for a tier that reads it by itself. `sources`: where it finds its headers without a
    command. `own`: the folders of its project.
    """

    path: str
    data: bytes
    language: Language
    command: CompileCommand | None
    sources: Sources
    own: tuple[str, ...]


class SecondTier(Protocol):
    """The tier that answers questions the trees leave open."""

    def of(self, given: Input) -> PlacedSemantics:
        """Answers about a file and all that it includes: the same object for each of them."""
        ...

    def taken_notes(self) -> tuple[str, ...]:
        """Why there were no answers, since the last call."""
        ...
