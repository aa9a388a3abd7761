"""Parsed files of one process: each file is read and parsed once, as long as there is room.

How files are built, which include others and in which language they are is decided by `run_files`.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from copy import copy
from functools import partial
from operator import attrgetter
from os import path as os_path
from typing import TYPE_CHECKING, TypeVar, cast

from regpress_lint.core.reading import relative
from regpress_lint.core.settings import NO_WORDS
from regpress_lint.cpp.conditions import asked_of_gpu, likely
from regpress_lint.cpp.lexical import prototypes
from regpress_lint.cpp.library import LIBRARY, names_library
from regpress_lint.cpp.names.kept_files import KeptFiles
from regpress_lint.cpp.names.name_index import CALLED, DEVICE, FUNCTION, VALUE, index_of
from regpress_lint.cpp.names.parsed_file import ParsedFile
from regpress_lint.cpp.parse import error_bytes, parse_ladder
from regpress_lint.cpp.preprocess import macros as opencl_words
from regpress_lint.cpp.preprocess.includes import MAX_CLOSURE_BYTES
from regpress_lint.cpp.preprocess.macros import KNOWN, MacroTable, layer_of, scan_macros
from regpress_lint.cpp.preprocess.splicing import spliced, with_written
from regpress_lint.cpp.run_files import BuildCommands, Includers, Languages, RunFiles
from regpress_lint.cpp.syntax_tree import UNNAMED
from regpress_lint.cpp.written_code import left_to_includers, makes_kernels, written_functions, written_members

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from regpress_lint.core.settings import CompileCommand, DeviceWords, Language
    from regpress_lint.cpp.answers import OpenQuestions, SecondTier
    from regpress_lint.cpp.dependencies import Question, Recording, Trace
    from regpress_lint.cpp.parse import Parsed
    from regpress_lint.cpp.preprocess.build_settings import Given
    from regpress_lint.cpp.preprocess.includes import IncludeResolver, Missing
    from regpress_lint.cpp.run_files import Commands, Decided


T = TypeVar("T")
_MAX_INDEXED_BYTES = 2 * MAX_CLOSURE_BYTES  # of the headers whose indexes are kept
_MAX_HEADER_BYTES = 600 * 1024  # larger headers are generated tables


class Project:
    """Parsed files of one process.

    hasty: set while a text is typed that will be another one soon: where it is broken, one tree is enough.
    """

    hasty = False

    def __init__(
        self,
        includes: IncludeResolver | None = None,
        peers: Callable[[str], Iterable[str]] = lambda _path: (),
        compiled: Commands | None = None,
        tier: SecondTier | None = None,
        architectures: Sequence[str] = (),
        words: DeviceWords = NO_WORDS,
    ) -> None:
        self.words = words
        self._own_macros = layer_of(scan_macros(words.defines(), "")) if words.macros else None
        self.includes = includes
        self._tier = tier
        self._architectures = tuple(architectures)  # that were asked for
        self._shared: Project | None = None  # of which this one is a view, see `for_gpu`
        self._views: dict[str, Project] = {}
        self._files = files = RunFiles(includes, peers)
        self._builds = builds = BuildCommands(files, compiled, words)
        self._includers = Includers(files, builds)
        self._languages = Languages(files, self._includers)
        self._recorder = files.recorder
        self.read = files.read
        self.includers = self._includers.of
        self.above = self._includers.above
        self.beside = self._languages.beside
        # What is kept for other files of the run, with what it came from.
        self._units = KeptFiles()
        self._before: tuple[str, Parsed] | None = None  # the first tree of the text that was changed last
        self._made: dict[Hashable, tuple[object, Trace]] = {}
        self._indexes: dict[str, Mapping[str, int]] = {}
        self._indexed_bytes = 0

    def for_gpu(self, name: str) -> Project:
        """The same files as they are compiled for one GPU alone: conditions on the GPU are settled."""
        if name not in self._views:
            view = self._views[name] = copy(self)
            view._shared, view._architectures, view._made = self, (name,), {}
        return self._views[name]

    def asked_of_gpu(self, parsed: ParsedFile) -> tuple[str, ...]:
        """Conditions about the GPU in a file and in the headers that it includes."""
        words = dict.fromkeys(asked_of_gpu(parsed.source.data))
        for header in self.closure(parsed):
            words.update(dict.fromkeys(self.once(("asked of the GPU", header), partial(self._asked_in, header))))
        return tuple(words)

    def _asked_in(self, path: str) -> tuple[str, ...]:
        self._recorder.frame.add(path)
        return asked_of_gpu(self.read(path) or b"")

    def recording(self) -> AbstractContextManager[Recording]:
        """Records what the answers depend on that are given until the end of the `with` statement."""
        return self._recorder.recording()

    def fingerprint(self, question: Question | str) -> str:
        """The current state of a dependency (a question, or a file by its path): equal texts mean that it is
        unchanged."""
        if isinstance(question, str):
            return self.includes.digest(question) if self.includes is not None else ""
        subject = question.subject
        if question.kind == "named":
            return repr(sorted(self.includes.named(subject))) if self.includes is not None else ""
        if question.kind == "including":
            return repr(self._includers.mentions(subject))
        if question.kind == "beside":
            return repr(self.beside(subject))
        if question.kind == "language":
            return repr(self._languages.stated(subject))
        if not self._builds.exist or question.kind == "compiler":
            return ""
        if question.kind == "place":
            return repr(self._builds.place(subject))
        return repr(self._builds.nearest(subject))

    def forget(self, path: str) -> bool:
        """Drop what came from a file: it has changed, appeared or gone. True if what it includes, or its language, is
        another one: then others may be included by it, or be taken for another language, that were not.
        """
        if self.includes is None:
            return False
        if (unit := self._units.get(path)) is not None:
            self._before = path, unit[0].parses[0]
        changed = self.includes.forget(path)
        changed.drop(self._units)
        for part in (self._builds, self._includers):
            part.forget(changed)
        for view in (self, *self._views.values()):
            changed.drop(view._made)
        self._units.pop(path, None)
        self._indexes.pop(path, None)
        return changed.outlined

    def parsed(self, path: str, data: bytes | None = None) -> ParsedFile | None:
        """Parsed file, or None if it cannot be read. `data` is given for the file that is being linted."""
        if self._shared is not None:
            return self._shared.parsed(path, data)
        unit = self._units.get(path)
        if data is None:
            data = unit[0].data if unit is not None else self.read(path)
            self._recorder.frame.add(path)
            if data is None or len(data) > _MAX_HEADER_BYTES:
                return None
        if unit is not None and unit[0].data == data and (unit[0].whole or self.hasty):
            self._units.move_to_end(path)
            self._recorder.frame.add(unit[1])
            return unit[0]
        parsed, trace = self._recorder.traced(partial(self._parsed, path, data))
        self._units.keep(path, parsed, trace)
        return parsed

    def _parsed(self, path: str, data: bytes) -> ParsedFile:
        source = spliced(path, data, self._included)
        text = source.data
        macros = self.macros(path, text)
        if undefined := left_to_includers(text, macros, self._tables_of_includers(path)):
            macros = macros.merged(undefined)
        written = sorted((*written_functions(text, macros), *written_members(text, macros)), key=attrgetter("use"))
        source, unwritten = with_written(source, written)
        text = source.data
        before = self._before[1] if self.hasty and self._before is not None and self._before[0] == path else None
        parses = parse_ladder(text, macros, hasty=self.hasty, before=before, holds=self._holds(path, macros))
        if len(parses) > 1:  # an error that matters: a header may leave its macros to who includes it
            for includer in self.includers(path)[:1]:
                wider = macros.merged(self.macros(includer, self.read(includer) or b""))
                again = parse_ladder(text, wider, holds=likely(wider))
                if error_bytes(again[0]) < error_bytes(parses[0]):
                    macros, parses = wider, again
        return ParsedFile(source, macros, parses, not (self.hasty and parses[0].has_error), data, unwritten)

    def _holds(self, path: str, macros: MacroTable) -> Callable[[str], bool | None]:
        """Which arms of a file are likely compiled, by its own macros and those of the files that include it; an arm
        that fewer than half of these compile does not count.
        """
        asked: list[Callable[[str], bool | None]] = []

        def holds(directive: str) -> bool | None:
            if not asked:
                tables = tuple(self._tables_of_includers(path))
                asked.append(likely(macros.merged(*tables)))
                asked.extend(likely(macros.merged(one)) for one in tables)
            verdict, *verdicts = (one(directive) for one in asked)
            return None if verdict and 2 * sum(map(bool, verdicts)) < len(verdicts) else verdict

        return holds

    def _included(self, path: str, operand: bytes) -> tuple[str, bytes] | None:
        """Path and bytes of what an `#include` in a file means."""
        if self.includes is None:
            return None
        target = self.includes.target(path, operand, self._given(path))
        data = self.read(target) if target is not None else None
        return (target, data) if target is not None and data is not None else None

    def closure(self, parsed: ParsedFile) -> tuple[str, ...]:
        """Project files that a file includes, transitively."""
        path = parsed.source.path
        return self.includes.closure(path, parsed.source.data, self._given(path)) if self.includes is not None else ()

    def index_of(self, path: str) -> Mapping[str, int]:
        """The apparent content of a header by name, from a search of its text: a reason to parse it, no more."""
        self._recorder.frame.add(path)
        index = self._indexes.get(path)
        if index is None:
            data = self.read(path) or b""
            self._indexed_bytes += len(data)
            if self._indexed_bytes > _MAX_INDEXED_BYTES:
                self._indexes.clear()
                self._indexed_bytes = len(data)
            index = self._indexes[path] = index_of(data)
        return index

    def macros(self, path: str, data: bytes) -> MacroTable:
        """Macros that a file sees."""
        if self.includes is not None:
            table = self.includes.macros(path, data, self._given(path))
        else:
            built = self._builds.own.macros if self._builds.own is not None else ()
            table = MacroTable([layer_of(scan_macros(data, path)), layer_of(built), KNOWN])
        if self._languages.is_opencl(path, data):
            table = table.merged(MacroTable([opencl_words.WORDS]))
        return table if self._own_macros is None else table.merged(MacroTable([self._own_macros]))

    def makes_kernels(self, path: str, data: bytes) -> bool:
        """Whether a file uses a macro of a header, or of who includes it, that stands for `__global__`."""
        seen = self.macros(path, data)
        undefined = left_to_includers(data, seen, self._tables_of_includers(path))
        return makes_kernels(data, seen, undefined)

    def _tables_of_includers(self, path: str) -> Iterator[MacroTable]:
        for includer in self.above(path):
            yield self.macros(includer, self.read(includer) or b"")

    def decided(self, path: str, data: bytes, given: Language) -> Decided:
        """Language of a file, and what says so; `given` is what its name and text alone say."""
        return self._languages.of(path, data, given, self.command_of(path))

    def is_settled(self, name: str) -> bool:
        """Whether the settings define a macro, or say that it is undefined."""
        return name in self.words.defined

    def sees_all(self, parsed: ParsedFile) -> bool:
        """Whether all direct and indirect headers of a file are available, except those of compilers and vendors."""
        data = parsed.source.data
        if self.includes is None:
            return b'#include "' not in data
        return self.includes.sees_all(parsed.source.path, data, self._given(parsed.source.path))

    def missing(self, parsed: ParsedFile) -> tuple[Missing, ...]:
        """See `IncludeResolver.missing`."""
        path = parsed.source.path
        return self.includes.missing(path, parsed.source.data, self._given(path)) if self.includes is not None else ()

    def questions(self, parsed: ParsedFile, language: Language) -> OpenQuestions | None:
        """The questions about a file for libclang; None if that tier is off.

        A header means what it means in a file that includes it: that one is what libclang reads, with its own command.
        """
        if self._tier is None or self.includes is None or language == "opencl":  # for which there are no headers here
            return None
        from regpress_lint.cpp.answers import Input, OpenQuestions, Place, Sources

        path = parsed.source.path
        command = self.command_of(path)
        whole = self._whole(path, command)
        data = parsed.source.data if whole == path else self.read(whole) or b""
        # The folders that a command gives are all that counts beside the configuration's.
        defines = tuple(f"{name}={body}" for name, body in self.words.defined.items() if body is not None)
        folders_of_command = Sources(self.includes.include_dirs, defines)
        if command is not None:
            sources = folders_of_command
        else:
            folders, macros = self.includes.surroundings(whole, data)
            others = (macro for macro in macros if macro.partition("=")[0] not in self.words.defined)
            sources = Sources(folders, (*others, *defines))
        semantics = self._tier.of(Input(whole, data, language, command, sources, self.includes.folders))
        sees_all = self.sees_all(parsed)
        asked = partial(self._files.note, "compiler", whole)
        return OpenQuestions(semantics, Place(path, 0), asked, sees_all=sees_all)

    def _whole(self, path: str, command: CompileCommand | None) -> str:
        """The file that is compiled when this one is: itself, or one that includes it."""
        if command is None:
            return self._includers.outermost(path)
        if command.path == os_path.abspath(path) or (whole := self.spelled(command.path)) is None:
            return path
        return whole if path in self._includers.closure_of(whole) else path

    def taken_notes(self) -> tuple[str, ...]:
        """Why libclang gave no answers, since the last call."""
        return self._tier.taken_notes() if self._tier is not None else ()

    def line_of(self, path: str, offset: int) -> int:
        """Line of a byte of a project file, 0 if it cannot be read (any more)."""
        unit = self._units.get(path)  # standard input is nowhere else
        self._recorder.frame.add(path)
        if unit is not None:
            return unit[0].source.line_of(offset)
        data = self.read(path)
        return 0 if data is None else data.count(b"\n", 0, offset) + 1

    def spelled(self, path: str) -> str | None:
        """A path that libclang gave, the way the paths of this run are spelled; None outside the project."""
        root = self.includes.folders[0] if self.includes is not None else "."
        near = path if posixpath.isabs(root) else relative(path)
        return near if self.read(near) is not None else None

    def is_source(self, path: str) -> bool:
        """True for a file that a run over all of the work tree lints, and not only reads. Whether this run does may not
        count: what is found would have one place in that one and another in this.
        """
        return self.includes is not None and path in self.includes.named(posixpath.basename(path))

    def command_of(self, path: str) -> CompileCommand | None:
        """The command that compiles a file, see `BuildCommands.of`."""
        return self._builds.of(path, self.includers)

    def asserts(self, path: str) -> bool:
        """Whether a build is known for the file, and it says what becomes of assertions."""
        stated = self.includes is not None and self.includes.asserts(path)
        return stated or self.command_of(path) is not None

    def fast_math(self, path: str) -> bool:
        """Whether the file's command, or without one a build file beside it, requests fast mathematics of nvcc."""
        if (command := self.command_of(path)) is not None:
            return any(word.endswith("use_fast_math") for word in command.codegen)
        return self.includes is not None and self.includes.fast_math(path)

    def _given(self, path: str) -> Given | None:
        return self._builds.given_of(self.command_of(path))

    def predefined(self, path: str, language: Language) -> Mapping[str, str]:
        """Macros that the device compiler sets by itself when it compiles this file."""
        command, one_gpu = self.command_of(path), self._shared is not None
        return self._builds.predefined(command, language, self._architectures, one_gpu=one_gpu)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, computed once in this process, for layers above that know more of a file than its
        names."""
        return cast("T", self._files.kept(self._made, key, make))


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
        self._valued_twice: frozenset[str] | None = None

    def paths(self) -> tuple[str, ...]:
        """Project headers of this file."""
        if self._paths is None:
            closure = self.project.closure(self.parsed)
            self._paths = (*closure, LIBRARY) if self._names_library(closure) else closure
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

    def valued_twice(self) -> frozenset[str]:
        """Names that two of these files seem to give a value."""
        if self._valued_twice is None:
            own = (index_of(self.parsed.source.data),) if self.indexes() else ()  # of one file no name is there twice
            valued = (
                name
                for index in (*own, *(index for _, index in self.indexes()))
                for name in index
                if index[name] & VALUE
            )
            self._valued_twice = frozenset(name for name, count in Counter(valued).items() if count > 1)
        return self._valued_twice

    def is_linked(self, name: str) -> bool:
        """True for the name of a device function with a visible declaration but no visible definition. Of other files a
        compiler sees nothing when it compiles this one, so it cannot inline the call.
        """
        if not name.isidentifier() or name.startswith("__"):  # what vendors bring with the compiler is inlined
            return False
        for parsed in self.saying(name, CALLED):
            if name in parsed.words and name.encode() in prototypes(parsed.source.data):
                return not any(name in parsed.functions_by_name for parsed in self.saying(name, FUNCTION))
        return False

    def has_unread(self, name: str) -> bool:
        """True if a header that was not parsed, beyond this file's share, seems to have a function of a name."""
        if not self._is_full():
            return False
        return any(path not in self._parsed and index.get(name, 0) & FUNCTION for path, index in self.indexes())

    def device_names(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Headers that seem to declare variables in device memory, and the names of these."""
        if self._device_names is None:
            indexes = self.indexes()
            named = ((path, frozenset(n for n, kinds in index.items() if kinds & DEVICE)) for path, index in indexes)
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
