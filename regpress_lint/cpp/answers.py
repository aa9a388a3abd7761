"""Questions about texts at places, and their answers: plain data, and the interface that both tiers have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.targets.builtins import COORDINATES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from regpress_lint.core.settings import CompileCommand, Language
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Call, Type


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

    def value(self, text: str, place: Place) -> Answer[Number] | None:
        """The value of a constant expression (`DIM`, `Traits<float>::n`, `ceil_div(N, 4)`) at a place."""


class PlacedSemantics(Semantics, Protocol):
    """Queries that need places; the trees keep their part of the answers in the lowered nodes."""

    def type_declared(self, name: str, place: Place) -> Answer[Meant] | None:
        """The type of the variable whose name is written at a place, `auto` deduced."""

    def definition(self, name: str, place: Place) -> Answer[Definition] | None:
        """The function whose name is written in a call at a place."""


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

    def of(self, file: Input) -> PlacedSemantics:
        """Answers about a file and all that it includes: the same object for each of them."""

    def taken_notes(self) -> tuple[str, ...]:
        """Why there were no answers, since the last call."""


# Questions that a resolver leaves to the second tier: where each name was written, and the answers about it.
#
# The tree's look-ups are by name. A question also needs a place, because the meaning of a name depends on it: lowering
# records the first place of every name without a visible declaration.


T = TypeVar("T")
# What no header declares: words of the languages, and variables of the run-time APIs whose value no compiler knows.
_WORDS = ("auto", "struct", "class", "union", "enum", "void", "this", "true", "false", "nullptr", "NULL")
_NEVER_ASKED = frozenset((*_WORDS, *COORDINATES, "warpSize"))
# Classes of the run-time APIs: what is in them is not known here, and nothing of a project.
_TOOLKITS = pattern(
    r"(?:::)?(?:cl::)?(?:sycl|cub|hipcub|rocprim|thrust|cooperative_groups|nvcuda|std::numeric_limits)\b"
)
_MAX_CALL = 200  # characters
_QUALIFIED = pattern(r"(?:::)?[A-Za-z_]\w*+(?:[\w:<>,. *&()+-]*[\w>)])?$")


class OpenQuestions:
    """The open questions of one resolver. Each is posed once.

    sees_all: the trees include all headers of the file except those of compilers and vendors; then a function that they
    do not know is no function of the project.
    asked: called with each question.
    settled: those that were answered, in order.
    """

    def __init__(
        self,
        semantics: PlacedSemantics,
        home: Place,
        asked: Callable[[], None] = lambda: None,
        *,
        sees_all: bool = False,
    ) -> None:
        self._semantics = semantics
        self._asked = asked
        self._sees_all = sees_all
        self._places: dict[str, Place] = {}
        self._last = home
        self._calls: dict[str, Number | None] = {}
        self._written: dict[Call, str] = {}
        self._declared: dict[Place, Meant | None] = {}
        self._definitions: dict[str, Definition | None] = {}
        self._hidden: set[str] = set()
        self._called: set[str] = set()
        self._spelled: set[str] = set()
        self.settled: list[Settled] = []

    def of(self, path: str) -> AskedOf:
        """The questions and notes of lowering a file."""
        return AskedOf(self, path)

    def hide(self, names: Iterable[str]) -> None:
        """Names of a template's parameters that stand for nothing yet: what depends on them is no question."""
        self._hidden.update(names)

    def call(self, name: str) -> None:
        """Remember that a name is called: it is a function's, or a type's in `real_t(x)`."""
        self._called.add(name)

    def write(self, call: Call, text: str) -> None:
        """Remember how a call is written, a template's arguments put in."""
        if len(text) <= _MAX_CALL:
            self._written[call] = " ".join(text.split())

    def note(self, name: str, place: Place) -> None:
        """Remember where a name is written first."""
        self._places.setdefault(name, place)
        self._last = place

    def spell(self, name: str, place: Place) -> None:
        """Remember where a type is written."""
        self._spelled.add(name)
        self.note(name, place)

    def type_of(self, name: str) -> Meant | None:
        """The meaning of a type's name. An array has no answer here: extents are queried with a declaration."""
        if self._is_no_question(name) or self.is_only_called(name) or _TOOLKITS.match(name):
            return None
        if self._sees_all and name.isidentifier() and name not in self._places:
            return None  # a function's name in a macro
        place = self._place_of(name)
        answer = self._learned("type", name, place, self._semantics.type_named(name, place))
        return answer.value if answer is not None and not answer.value.extents else None

    def is_only_called(self, name: str) -> bool:
        """Whether no code so far spells a name as a type: `clamp(x)` looks like `real_t(x)`."""
        return name in self._called and name not in self._spelled

    def declared(self, name: str, type_name: str, place: Place) -> Meant | None:
        """The type of the variable that is declared at a place, as far as its type's name does not say it."""
        if _TOOLKITS.match(type_name) or (type_name != "auto" and self._is_no_question(type_name)):
            return None
        if place not in self._declared:
            answer = self._learned("declaration", name, place, self._semantics.type_declared(name, place))
            self._declared[place] = answer.value if answer is not None else None
        return self._declared[place]

    def constant(self, name: str) -> Number | None:
        """Value of a name, or of a member of a class with its template's arguments."""
        if "." in name or self._is_no_question(name):
            return None
        place = self._place_of(name)
        answer = self._learned("value", name, place, self._semantics.value(name, place))
        return answer.value if answer is not None else None

    def called(self, call: Call, values: tuple[Number, ...]) -> Number | None:
        """Value of a call with constant arguments of a function that is constant then, or of such a macro.

        As it is written an argument has its type (an enumeration's); as a value it may be a local constant's.
        """
        name = call.qualified
        function = f"{name}<{', '.join(call.template_args)}>" if call.template_args else name
        if self._is_no_question(function):
            return None
        place = self._place_of(name)._replace(exact=False)
        for text in dict.fromkeys((f"{function}({', '.join(map(repr, values))})", self._written.get(call, ""))):
            if text and self._called_value(text, place) is not None:
                return self._calls[text]
        return None

    def _called_value(self, text: str, place: Place) -> Number | None:
        if text not in self._calls:
            answer = self._learned("value", text, place, self._semantics.value(text, place))
            self._calls[text] = answer.value if answer is not None else None
        return self._calls[text]

    def definition(self, name: str) -> Definition | None:
        """The function that a call's name means where it is first written."""
        place = self._places.get(name)
        if place is not None and name not in self._definitions and not self._sees_all:
            answer = self._learned("definition", name, place, self._semantics.definition(name.lstrip("."), place))
            self._definitions[name] = answer.value if answer is not None else None
        return self._definitions.get(name)

    def _is_no_question(self, text: str) -> bool:
        return text in _NEVER_ASKED or _QUALIFIED.match(text) is None or not self._hidden.isdisjoint(WORD.findall(text))

    def _place_of(self, name: str) -> Place:
        return self._places.get(name, self._last._replace(exact=False))

    def _learned(self, kind: str, text: str, place: Place, answer: Answer[T] | None) -> Answer[T] | None:
        self._asked()
        if answer is not None:
            self.settled.append(Settled(kind, text, place, answer))
        return answer


class AskedOf:
    """Lowering's view of the questions, those about one file: it records names without a declaration, and queries types
    that the tree does not show.
    """

    __slots__ = ("_path", "_questions")

    def __init__(self, questions: OpenQuestions, path: str) -> None:
        self._questions, self._path = questions, path

    def call(self, name: str) -> None:
        self._questions.call(name)

    def write(self, call: Call, text: str) -> None:
        """Remember how a call is written."""
        self._questions.write(call, text)

    def note(self, name: str, offset: int, *, exact: bool = True) -> None:
        """Remember where a name is written; not `exact` if it is written in terms of a template's parameters."""
        self._questions.note(name, Place(self._path, offset, exact))

    def spell(self, name: str, offset: int) -> None:
        """Remember where a type is written."""
        self._questions.spell(name, Place(self._path, offset))

    def declared(self, name: str, type_name: str, offset: int) -> Meant | None:
        """The type of the variable whose name stands at an offset; `type_name` is how the tree knows it."""
        return self._questions.declared(name, type_name, Place(self._path, offset))
