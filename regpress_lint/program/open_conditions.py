"""Parts of a file that depend on macros: those that only the build defines, and those that no build compiles."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.core.source import Span
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.conditions import condition_holds
from regpress_lint.cpp.lexical import conditionals, lex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from regpress_lint.core.uncertainty import Opens
    from regpress_lint.cpp.lexical import Lexed
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.program.model import Kernel


_SPACED = pattern(r"\S+")
_RESERVED = pattern(r"__|_[A-Z]|(?:defined|true|false|if|ifdef|ifndef|elif|elifdef|elifndef|else|and|or|not)$")
# What is only for who looks for a fault: nobody compiles that for registers.
_LOOKING = pattern(r"(?i)debug|verbose|print|assert|profil|trace|timing|_log|log_|sanit|verif|check|test")
_NUMBER = pattern(r"(?<!\w)\d+")
_OPERATORS = frozenset(
    ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "defined", "and", "or", "not", "true", "false")
)
# Of conditions around kernels, their arms, definitions of one macro, and conditions of a file in which they count.
_MOST_AROUND, _MOST_ARMS, _MOST_FORMS, _MOST_CHOICES = 50, 32, 2, 2_000
_MOST_NAMES, _MOST_VALUES = 4, 6  # of one condition, that are tried
_LEAST = 24  # characters of code that make a difference, and their share of the function
_SHARE = 0.1


class _Open(NamedTuple):
    """An `#if` that depends on `name`: characters of code that are compiled with it, and those that are without."""

    at: Span
    name: str
    hidden: int
    shown: int


def open_conditions(scope: Scope, kernel: Kernel) -> tuple[Unknown, ...]:
    """Parts of a kernel's body that are compiled only with macros that no known file defines, one per macro.

    Where a compile command says how the file is compiled, macros that it does not define are undefined.
    """
    function = kernel.function
    path = function.path or kernel.path
    parsed = scope.parsed if path == scope.parsed.source.path else scope.project.parsed(path)
    if parsed is None or b"#" not in parsed.source.data[slice(*function.body_span)]:
        return ()
    if scope.project.command_of(path) is not None:
        return ()
    unknowns: dict[str, Unknown] = {}
    for condition in scope.project.once(("open conditions", path, scope.language), partial(_of_unit, scope, parsed)):
        if function.body_span.contains(condition.at) and _matters(condition, function):
            unknowns.setdefault(condition.name, _unknown(condition, path))
    return tuple(unknowns.values())


_DEFINES = pattern(r"#\s*(?:define|(undef))\s+([A-Za-z_]\w*)")


def never_compiled(scope: Scope, places: Iterable[int]) -> tuple[Span, ...]:
    """Arms of a file's conditions around some places that no build compiles: all macros in a condition have what the
    file itself says above.

    A macro that the file defines under another condition may be defined otherwise, and one that it does not define may
    come from a command or from a file that includes this one.
    """
    parsed, places = scope.parsed, tuple(places)
    if b"#" not in parsed.source.data:
        return ()
    lexed = lex(parsed.source.data)
    choices = conditionals(lexed, guards=True)
    around = [cuts for cuts in choices if any(cuts[0] <= place < cuts[-1] for place in places)][:_MOST_AROUND]
    defined = _definitions(lexed) if around and len(choices) <= _MOST_CHOICES else {}
    spans: list[Span] = []
    for cuts in around:
        value = partial(scope.defined_before, position=cuts[0], path=parsed.source.path)
        chosen = False
        for start, end in pairwise(cuts[: _MOST_ARMS + 1]):
            test = lexed.bare[start : _line_end(lexed, start)]
            words = set(WORD.findall(test)) - _OPERATORS
            decided = len(words) <= _MOST_NAMES and all(
                any(_is_above(at, cuts[0], choices) for at in defined.get(word, ())) for word in words
            )
            holds = condition_holds(test, value) if decided else None
            if chosen or holds is False:
                spans.append(Span(start, end))
            chosen = chosen or holds is True
    return tuple(spans)


def _definitions(lexed: Lexed) -> dict[str, list[int]]:
    """Where a file defines each macro, without those that it undefines, and those that it has in many forms."""
    offsets: dict[str, list[int]] = {}
    undone = set()
    for directive in lexed.directives:
        match = _DEFINES.match(lexed.bare, directive.start, directive.end)
        if match is not None and match[1]:
            undone.add(match[2])
        elif match is not None:
            offsets.setdefault(match[2], []).append(directive.start)
    return {name: at for name, at in offsets.items() if name not in undone and len(at) <= _MOST_FORMS}


def _is_above(place: int, at: int, choices: tuple[tuple[int, ...], ...]) -> bool:
    """True for a line above another one that every build which compiles the other compiles as well."""
    around = (cuts for cuts in choices if cuts[0] <= place < cuts[-1])
    return place < at and all(bisect_right(cuts, place) == bisect_right(cuts, at) for cuts in around)


def _matters(condition: _Open, function: Function) -> bool:
    size = function.body_span.end - function.body_span.start
    return max(condition.hidden, condition.shown) >= max(_LEAST, _SHARE * size)


def _unknown(condition: _Open, path: str) -> Unknown:
    """A character more is no more than a register more: no operator needs less than one, and none holds two values."""
    text = (
        f"another part of this kernel is compiled where `{condition.name}` is defined, and it is not; "
        f"`--define {condition.name}` or a build folder (-p) would tell"
    )
    opens: Opens = "up" if condition.hidden > condition.shown else "down"
    return Unknown("macro", condition.name, path, condition.at, text, opens, max(condition.hidden, condition.shown))


def _of_unit(scope: Scope, parsed: ParsedFile) -> tuple[_Open, ...]:
    lexed = lex(parsed.source.data)
    code = Characters(lexed.code)
    return tuple(one for cuts in conditionals(lexed) for one in _of_choice(scope, parsed, lexed, code, cuts))


class Characters:
    """How many characters that are no white space a text has between two of its places: counted once, for each
    `#else` in another has all that follows in its arm.
    """

    __slots__ = ("_before", "_ends")

    def __init__(self, text: str) -> None:
        words = list(_SPACED.finditer(text))
        self._ends = [word.end() for word in words]
        self._before = [0, *accumulate(word.end() - word.start() for word in words)]

    def between(self, start: int, end: int) -> int:
        """From one place to another."""
        return max(self._until(end) - self._until(start), 0)

    def _until(self, place: int) -> int:
        """The text before a place; inside of a word, the part of the word before it."""
        number = bisect_right(self._ends, place)
        if number == len(self._ends):
            return self._before[number]
        size = self._before[number + 1] - self._before[number]
        return self._before[number] + max(place - (self._ends[number] - size), 0)


def _of_choice(
    scope: Scope, parsed: ParsedFile, lexed: Lexed, code: Characters, cuts: tuple[int, ...]
) -> Iterator[_Open]:
    path = parsed.source.path
    tests = [lexed.source[at : _line_end(lexed, at)] for at in cuts[:-1]]
    words = dict.fromkeys(word for test in tests for word in WORD.findall(test) if not _RESERVED.match(word))
    names = [word for word in words if not scope.branches.is_defined(word) and scope.predefined_macro(word) is None]
    if not names or len(names) > _MOST_NAMES:
        return
    sizes = [code.between(_line_end(lexed, a), b) for a, b in pairwise(cuts)]

    def defined(name: str) -> str | None:
        return scope.defined_before(name, cuts[0], path)

    usual = _chosen(tests, defined)
    for name in names:
        if _LOOKING.search(name) or scope.project.is_settled(name):
            continue
        values = dict.fromkeys(("1", *_NUMBER.findall(" ".join(tests))[:_MOST_VALUES]))
        if others := {_chosen(tests, partial(_with, defined, name, value)) for value in values} - {usual}:
            shown = 0 if usual is None else sizes[usual]
            hidden = max(0 if arm is None else sizes[arm] for arm in others)
            yield _Open(Span(cuts[0], _line_end(lexed, cuts[0])), name, hidden, shown)


def _with(defined: Callable[[str], str | None], name: str, value: str, word: str) -> str | None:
    return value if word == name else defined(word)


def _line_end(lexed: Lexed, start: int) -> int:
    end = lexed.bare.find("\n", start)
    while end > 0 and lexed.bare[end - 1] == "\\":
        end = lexed.bare.find("\n", end + 1)
    return end if end >= 0 else len(lexed.bare)


def _chosen(tests: list[str], defined: Callable[[str], str | None]) -> int | None:
    """The arm that is compiled; None for none. An undecidable condition counts as it does where the body is read."""
    return next((index for index, test in enumerate(tests) if condition_holds(test, defined) is not False), None)
