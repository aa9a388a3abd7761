"""Macros: what a file defines, a table over several files, and a small expander.

Nothing is preprocessed: the table answers what a name may mean, all its definitions kept, whichever `#if` they are in.
Each definition remembers the arms of the `#if`s around it; `branches` tells from them which definition counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import ALTERNATIVES, CONDITIONS, closing, lex, split_arguments, without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from regpress_lint.cpp.lexical import Lexed


_PRAGMA = pattern(r"#\s*pragma\s+([^\"]+)$")
_CONTINUATION = pattern(r"\\\r?\n")
_DEFINE = pattern(r"#\s*+define\s++([A-Za-z_\x80-\xff][\w\x80-\xff]*+)(?:\(([^()]*+)\))?", re.ASCII)
_WORD = pattern(r"[^\W\d]\w*+|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\d[\w.]*+")
_PASTE = pattern(r"\s*##\s*")
_GUARD_TEST = pattern(r"#\s*(?:ifndef|if\s*!\s*defined)\s*\(?\s*([A-Za-z_]\w*+)\s*\)?\s*$", re.ASCII)

# An expansion is read by patterns, never compiled: beyond these sizes it tells a rule nothing, and nested
# self-doubling macros would otherwise grow without end.
MAX_EXPANSION = 8192
MAX_EXPANSION_STEPS = 400
MAX_EXPANSION_DEPTH = 24


class Arm(NamedTuple):
    """One arm of an `#if` group: compiled where the last of `tests` holds and none of those before it does.

    `tests` are the directives as written (`#if A`, `#elif B`), an `#else` always holds; `offset` is that of the group's
    first directive, `outer` the arm around the group.
    """

    outer: Arm | None
    tests: tuple[str, ...]
    offset: int


class Macro(NamedTuple):
    """One `#define`: `params` is None for an object-like macro, `offset` is the byte offset of its name in `path`."""

    name: str
    params: tuple[str, ...] | None
    body: str
    path: str
    offset: int
    arm: Arm | None = None


class MacroTable:
    """Immutable look-up of macros by name; the first definition wins, the others stay reachable."""

    __slots__ = ("_first", "_layers")

    def __init__(self, layers: Iterable[Mapping[str, tuple[Macro, ...]]] = ()) -> None:
        self._layers = tuple(layer for layer in layers if layer)
        first: dict[str, tuple[Macro, ...]] = {}
        for layer in reversed(self._layers):
            first.update(layer)
        self._first = first

    @classmethod
    def of(cls, macros: Iterable[Macro]) -> MacroTable:
        """A table of one file's macros, in the order given."""
        return cls((layer_of(macros),))

    def merged(self, *others: MacroTable) -> MacroTable:
        """This table's definitions first, then those of `others` in order."""
        return MacroTable([*self._layers, *(layer for table in others for layer in table._layers)])

    def get(self, name: str) -> Macro | None:
        """The first definition of `name`, or None."""
        macros = self._first.get(name)
        return macros[0] if macros else None

    def all(self, name: str) -> tuple[Macro, ...]:
        """Every definition of `name`, first to last."""
        if name not in self._first:
            return ()
        return tuple(macro for layer in self._layers for macro in layer.get(name, ()))

    def __contains__(self, name: object) -> bool:
        return name in self._first

    def __iter__(self) -> Iterator[Macro]:
        """The first definition of each name."""
        return (macros[0] for macros in self._first.values())

    def __len__(self) -> int:
        return len(self._first)


EMPTY = MacroTable()


def layer_of(macros: Iterable[Macro]) -> dict[str, tuple[Macro, ...]]:
    """Macros grouped by name, the order of definition kept: what a MacroTable is built of."""
    layer: dict[str, list[Macro]] = {}
    for macro in macros:
        layer.setdefault(macro.name, []).append(macro)
    return {name: tuple(definitions) for name, definitions in layer.items()}


def scan_macros(data: bytes, path: str) -> tuple[Macro, ...]:
    """Every `#define` of a file, whichever `#if` it is in; continuation lines joined, comments removed from bodies."""
    if b"define" not in data:
        return ()
    lexed = lex(data)
    macros: list[Macro] = []
    current: Arm | None = None  # the arm that the line stands in
    groups: list[tuple[Arm | None, bool]] = []  # what surrounds each open group, and whether it is a header guard
    for index, directive in enumerate(lexed.directives):
        name = directive.name
        if name == "define":
            raw = lexed.source[directive.start : directive.end]
            if (macro := parse_define(raw, path, directive.start, current)) is not None:
                macros.append(macro)
        elif name in CONDITIONS:
            test = lexed.source[directive.start : directive.end]
            guard = _is_guard(lexed, index, test)
            groups.append((current, guard))
            current = current if guard else Arm(current, (test,), directive.start)
        elif name in ALTERNATIVES and groups and current is not None and not groups[-1][1]:
            current = current._replace(tests=(*current.tests, lexed.source[directive.start : directive.end]))
        elif name == "endif" and groups:
            current = groups.pop()[0]
    return tuple(macros)


def _is_guard(lexed: Lexed, index: int, test: str) -> bool:
    """`#ifndef NAME` with an empty `#define NAME` as the next directive."""
    match = _GUARD_TEST.match(test)
    if match is None or index + 1 >= len(lexed.directives):
        return False
    following = lexed.directives[index + 1]
    if following.name != "define":
        return False
    macro = parse_define(lexed.source[following.start : following.end], "", 0)
    return macro is not None and macro.name == match[1] and not macro.body


def parse_define(raw: str, path: str, offset: int, arm: Arm | None = None) -> Macro | None:
    """The macro of one `#define` line (latin-1 text, continuation lines inside), or None when it has no name."""
    text = _CONTINUATION.sub(" ", without_comments(raw))
    match = _DEFINE.match(text)
    if match is None:
        return None
    written, listed = match.group(1), match.group(2)
    params = None if listed is None else tuple(part for part in (p.strip() for p in listed.split(",")) if part)
    body = text[match.end() :].strip()
    if params is None and (pragma := _PRAGMA.match(body)) is not None:
        # Vendors' front ends read `#define UNROLL #pragma unroll` as what standard C++ writes so.
        body = f'_Pragma("{pragma[1]}")'
    name = _decoded(written)
    if params is not None:
        params = tuple(map(_decoded, params))
    return Macro(name, params, _decoded(body), path, offset + max(raw.find(written, 7), 0), arm)


def _decoded(text: str) -> str:
    """Text whose characters are the bytes of a file."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "replace")


def substitute(macro: Macro, arguments: tuple[str, ...]) -> str:
    """The macro's body with its parameters replaced by `arguments` (missing ones by nothing), `##` pasted."""
    if not macro.params:
        return _PASTE.sub("", macro.body)
    values = dict(zip(macro.params, arguments, strict=False))
    last = macro.params[-1]
    if last.endswith("..."):
        variadic = ", ".join(arguments[len(macro.params) - 1 :])
        values[last] = variadic
        values[last.removesuffix("...").strip() or "__VA_ARGS__"] = variadic
    for missing in macro.params[len(arguments) :]:
        values.setdefault(missing, "")
    return _PASTE.sub("", _WORD.sub(lambda match: values.get(match.group(), match.group()), macro.body))


def call_arguments(text: str, position: int) -> tuple[int, tuple[str, ...]] | None:
    """Arguments of the call whose `(` is the next character of `text` that is no blank; the end offset comes first."""
    opening = position
    while opening < len(text) and text[opening] in " \t\r\n":
        opening += 1
    if opening >= len(text) or text[opening] != "(":
        return None
    end = closing(text, opening)
    return (end + 1, tuple(text[a:b].strip() for a, b in split_arguments(text, opening + 1, end))) if end >= 0 else None


class _Budget:
    __slots__ = ("chars", "steps")

    def __init__(self) -> None:
        self.chars = MAX_EXPANSION
        self.steps = MAX_EXPANSION_STEPS


def expand(text: str, table: MacroTable) -> str:
    """`text` with the macros of `table` replaced, again and again, a macro never inside itself.

    Bounded in depth, steps and length (MAX_EXPANSION): what is left over then stays unexpanded. Raises nothing.
    """
    return _expand(text, table, frozenset(), _Budget(), 0)


def expand_macro(macro: Macro, arguments: tuple[str, ...], table: MacroTable) -> str:
    """The full expansion of one invocation of `macro`."""
    return _expand(substitute(macro, arguments), table, frozenset((macro.name,)), _Budget(), 1)


def _expand(text: str, table: MacroTable, active: frozenset[str], budget: _Budget, depth: int) -> str:
    if depth > MAX_EXPANSION_DEPTH or len(text) > MAX_EXPANSION:
        return text[:MAX_EXPANSION]
    out: list[str] = []
    done = 0
    for match in _WORD.finditer(text):
        if match.start() < done or budget.steps <= 0 or budget.chars <= 0:
            continue
        name = match.group()
        macro = table.get(name) if name not in active else None
        if macro is None:
            continue
        call = (match.end(), ()) if macro.params is None else call_arguments(text, match.end())
        if call is None:
            continue
        end, arguments = call
        budget.steps -= 1
        inner = _expand(substitute(macro, arguments), table, active | {name}, budget, depth + 1)
        budget.chars -= len(inner)
        out += (text[done : match.start()], inner)
        done = end
    out.append(text[done:])
    return "".join(out)[: 2 * MAX_EXPANSION]


# Macros of libraries that mean more than a qualifier: their expansions, for use where no known header defines them.


_KNOWN_TEXT = b"""
#define ROCPRIM_SHARED_MEMORY __shared__
#define ROCPRIM_IF_CONSTEXPR constexpr
#define AMREX_D_DECL(a, b, c) a, b, c
#define HEMI_KERNEL(name) __global__ void name
#define HEMI_KERNEL_NAME(name) name
"""


def _of_amrex() -> bytes:
    """AMReX 24.10, `AMReX_GpuLaunch.nolint.H`: loops over a box whose body, the last argument, is a kernel."""
    indices = {"1D": ("n", "i"), "3D": ("box", "i", "j", "k"), "4D": ("box, ncomp", "i", "j", "k", "n")}
    lines = []
    for prefix, suffix, flag in (("", "", ""), ("HOST_DEVICE_", "", ""), ("HOST_DEVICE_", "_FLAG", "where, ")):
        for name in ("FOR", "PARALLEL_FOR"):
            for dimension, (over, *places) in indices.items():
                lambda_ = f"[=] AMREX_GPU_DEVICE ({', '.join(f'int {place}' for place in places)}) noexcept block"
                head = f"AMREX_{prefix}{name}_{dimension}{suffix}({flag}{over}, {', '.join(places)}, block)"
                lines.append(f"#define {head} ParallelFor({over}, {lambda_})")
        head = f"AMREX_LAUNCH_{prefix or 'DEVICE_'}LAMBDA{suffix}({flag}box, part, block)"
        lines.append(f"#define {head} launch(box, [=] AMREX_GPU_DEVICE (Box const& part) noexcept block)")
    return "\n".join((*lines, "")).encode()


KNOWN = layer_of(scan_macros(_KNOWN_TEXT + _of_amrex(), ""))


# Words that OpenCL C has and C++ has not, as macros over the words that the front end knows.
#
# With underscores they are in `mask/keywords.py`; without, `local` or `kernel` may be anything in another language.


_OPENCL_TEXT = b"""
#define kernel __kernel
#define global __global
#define local __local
#define private __private
#define constant __constant
#define generic __generic
#define read_only __read_only
#define write_only __write_only
#define read_write __read_write
#define pipe __read_write
"""

WORDS = layer_of(scan_macros(_OPENCL_TEXT, ""))
