"""What a directory's build files and the command of a file add to its includes and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.preprocess.macros import Macro


CMAKE = "CMakeLists.txt"
BUILD_FILES = ("Makefile", "makefile", "GNUmakefile", CMAKE)


class Build(NamedTuple):
    """The settings of one directory's build files: include directories, macros given by `-D`, and whether they request
    fast mathematics. asserts: a Makefile is all that builds, and NDEBUG is no word of it.
    """

    directories: tuple[str, ...] = ()
    macros: tuple[Macro, ...] = ()
    fast_math: bool = False
    asserts: bool = False


class Given(NamedTuple):
    """The additions of the command that compiles a file, its paths spelled as the root is.

    quoted, directories: include folders of the project or of the build folder, those for `#include "..."` alone first.
    macros, undefined: what `-D` and `-U` leave at the end of the command.
    includes, named: forced includes, by path or as names that are looked for.
    """

    quoted: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    macros: tuple[Macro, ...] = ()
    undefined: frozenset[str] = frozenset()
    includes: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
