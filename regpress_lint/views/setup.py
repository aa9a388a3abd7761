"""Inputs of a kernel outside of its text: constants that it names, and how it is launched."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Declare, Name
from regpress_lint.cpp.traversal import nodes_of, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Launch

_OWN = frozenset(("local", "parameter", "shared", "capture", "member"))
_WORD = pattern(r"[A-Za-z_]\w*")
_LONGEST = 60  # letters of a launch's configuration


class LaunchSetup(NamedTuple):
    """A launch: blocks of the grid, threads of a block, bytes of dynamic LDS (None if not settled), and the text
    between `<<<` and `>>>`.
    """

    blocks: int | None
    threads: int | None
    dynamic_lds_bytes: int | None
    text: str


class Setup(NamedTuple):
    """Constants by name, and launches in the order of the program."""

    constants: tuple[tuple[str, Number], ...] = ()
    launches: tuple[LaunchSetup, ...] = ()


def setup_of(facts: KernelFacts, source_of: Callable[[str], Source | None]) -> Setup:
    """The setup of a kernel."""
    found: dict[str, Number] = {}
    for function in facts.functions:
        for name in _names(function):
            known = name.variable is not None and name.variable.storage in _OWN
            value = None if known or name.name in found else evaluate(name, facts.environment)
            if value is not None:
                found[name.name] = value
    launches = tuple(_launch(each, source_of(each.path)) for each in facts.kernel.launches)
    for word in dict.fromkeys(word for launch in launches for word in _WORD.findall(launch.text)):
        value = facts.file.constant(word) if word not in found else None
        if value is not None:
            found[word] = value
    return Setup(tuple(found.items()), launches)


def _names(function: Function) -> Iterator[Name]:
    for node in nodes_of(function):
        yield from _in(node)
        if isinstance(node, Declare):
            for variable in node.variables:
                for extent in variable.dims:
                    for inner in walk(extent):
                        yield from _in(inner)


def _in(node: Expr | Stmt) -> Iterator[Name]:
    if isinstance(node, Name):
        yield node


def _launch(launch: Launch, source: Source | None) -> LaunchSetup:
    whole = source.text(launch.span) if source is not None and launch.span.end <= len(source.data) else ""
    text = " ".join(whole.partition("<<<")[2].partition(">>>")[0].split())
    return LaunchSetup(launch.blocks, launch.block_size, launch.dynamic_lds_bytes, text)


def setup_changes(before: Setup, after: Setup) -> tuple[str, ...]:
    """The changes, a clause each."""
    return (*_constants(dict(before.constants), dict(after.constants)), *_launches(before, after))


def _constants(before: Mapping[str, Number], after: Mapping[str, Number]) -> Iterator[str]:
    for name, value in after.items():
        if name in before and before[name] != value:
            yield f"{name} {before[name]:g} -> {value:g}"


def _launches(before: Setup, after: Setup) -> Iterator[str]:
    told: dict[str, None] = {}
    for old, new in zip_longest(before.launches, after.launches):
        if old is not None and new is not None:
            told.update(dict.fromkeys(_launched(old, new)))
    yield from told


def _launched(old: LaunchSetup, new: LaunchSetup) -> Iterator[str]:
    for was, now, noun in (
        (old.blocks, new.blocks, "blocks"),
        (old.threads, new.threads, "threads a block"),
        (old.dynamic_lds_bytes, new.dynamic_lds_bytes, "bytes of dynamic LDS"),
    ):
        if was != now and was is not None and now is not None:
            yield f"{was} -> {now} {noun}"
    if old[:3] == new[:3] and old.text != new.text and max(len(old.text), len(new.text)) <= _LONGEST:
        yield f"<<<{old.text}>>> -> <<<{new.text}>>>"
