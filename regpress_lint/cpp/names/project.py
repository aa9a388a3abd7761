"""Parsed files of one process: each file is read and parsed once, least recently used first out."""

from __future__ import annotations

import posixpath
import re
from collections import OrderedDict
from copy import copy
from functools import partial
from itertools import islice
from os import path as os_path
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.reading import relative
from regpress_lint.core.settings import DEFAULT_TARGETS, NO_WORDS
from regpress_lint.cpp.conditions import asked_of_gpu, predefined
from regpress_lint.cpp.dependencies import Question, Recorder
from regpress_lint.cpp.language import is_opencl_name, names_its_api, speaks_opencl
from regpress_lint.cpp.library import standard_library
from regpress_lint.cpp.mask.keywords import with_keywords
from regpress_lint.cpp.names.macro_calls import written_functions
from regpress_lint.cpp.names.parsed_file import LIBRARY, ParsedFile, index_of
from regpress_lint.cpp.parse import error_bytes, parse_ladder
from regpress_lint.cpp.preprocess import macros as opencl_words
from regpress_lint.cpp.preprocess.includes import MAX_CLOSURE_BYTES, Outline
from regpress_lint.cpp.preprocess.macros import KNOWN, MacroTable, expand, layer_of, parse_define, scan_macros
from regpress_lint.cpp.preprocess.splicing import spliced, with_written

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from regpress_lint.core.settings import CompileCommand, DeviceWords, Language
    from regpress_lint.cpp.answers import OpenQuestions, SecondTier
    from regpress_lint.cpp.dependencies import Recording, Trace
    from regpress_lint.cpp.parse import Parsed
    from regpress_lint.cpp.preprocess.includes import Given, IncludeResolver
    from regpress_lint.cpp.preprocess.macros import Macro

T = TypeVar("T")
K = TypeVar("K")
# `MY_KERNEL(N) scaled(...)`, `MY_KERNEL scaled(...)`, `MY_KERNEL(scaled)(...)` at the begin of a line.
_HEAD_MACRO = pattern(
    rb"^[ \t]*+(?:static\s++|inline\s++)*+([A-Z][A-Z\d_]{2,})\b"
    rb"(?:[ \t]*+\([^()\n]*+\)\s*+\(|(?:[ \t]*+\([^()\n]*+\))?\s++[A-Za-z_][^;{}()\n]*+\()",
    re.MULTILINE,
)
_DEVICE_CODE = ("__global__", "__device__", "__launch_bounds__")
_MAX_INCLUDERS, _MAX_PARTS = 3, 64
_WORD = pattern(r"[A-Za-z_]\w*")
_CUDA_FILES = (".cu", ".cuh")
_MAX_BESIDE = 16  # files of the same folder that are asked for their language
# Parsed files kept per process: trees are some twenty times the size of their text.
_MAX_UNITS, _MAX_UNIT_BYTES = 64, 2 * 1024 * 1024
_MAX_INDEXED_BYTES = 2 * MAX_CLOSURE_BYTES  # of the headers whose indexes are kept
_MAX_HEADER_BYTES = 600 * 1024  # larger headers are generated tables


class Decided(NamedTuple):
    """The language of a file, and what says so, in words that follow `by`."""

    language: Language
    by: str

    @property
    def is_told(self) -> bool:
        """True where a reader would not expect it: neither the file nor its build says it."""
        return self.language == "hip" and self.by in ("its folder", "the files beside it")


class Commands(Protocol):
    """Which compile command holds for a file."""

    def exact(self, path: str) -> CompileCommand | None:
        """The command of the file itself."""

    def near(self, path: str, data: bytes | None) -> CompileCommand | None:
        """The command of the file most like it."""

    def of_includers(
        self, path: str, data: bytes | None, includers: Callable[[str], Iterable[str]]
    ) -> CompileCommand | None:
        """The command of a file that includes it."""

    def given(self, command: CompileCommand) -> Given:
        """A command's headers and macros."""

    def places(self, command: CompileCommand) -> tuple[str, ...]:
        """Folders and files that a command names: what it says about headers depends on which of them exist."""

    def place(self, path: str) -> str | None:
        """Where such a folder or file is; None if it does not exist, or is outside the project and the build."""


class Project:
    """Parsed files of one process, least recently used first out.

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
        self._own_given = _given_of(words) if words.defined else None
        self.includes = includes
        self.peers = peers
        self._compiled = compiled
        self._tier = tier
        self._architectures = tuple(architectures)  # that were asked for
        self._shared: Project | None = None  # of which this one is a view, see `for_gpu`
        self._views: dict[str, Project] = {}
        self._recorder = includes.recorder if includes is not None else Recorder()
        # What is kept for other files of the run, with what it came from.
        self._units: OrderedDict[str, tuple[ParsedFile, Trace]] = OrderedDict()
        self._unit_bytes = 0
        self._before: tuple[str, Parsed] | None = None  # the first tree of the text that was changed last
        self._commands: dict[str, tuple[CompileCommand | None, Trace]] = {}
        self._givens: dict[str, tuple[Given, Trace]] = {}
        self._made: dict[Hashable, tuple[object, Trace]] = {}
        self._includers: dict[str, tuple[tuple[str, ...], Trace]] = {}
        self._closures: dict[str, tuple[frozenset[str], Trace]] = {}
        self._by_included: dict[str, dict[str, list[tuple[str, str]]]] = {}
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
        found = dict.fromkeys(asked_of_gpu(parsed.source.data))
        for header in self.closure(parsed):
            found.update(dict.fromkeys(self.once(("asked of the GPU", header), partial(self._asked_in, header))))
        return tuple(found)

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
            return repr(self._including(subject))
        if question.kind == "beside":
            return repr(self.beside(subject))
        if question.kind == "language":
            return repr(self._stated_language(subject))
        if self._compiled is None or question.kind == "compiler":
            return ""
        if question.kind == "place":
            return repr(self._compiled.place(subject))
        return repr(self._compiled.exact(subject) or self._compiled.near(subject, self.read(subject)))

    def forget(self, path: str) -> bool:
        """Drop what came from a file: it has changed, appeared or gone. True if what it includes, or its language, is
        another one: then others may be included by it, or be taken for another language, that were not.
        """
        if self.includes is None:
            return False
        known = self._units.get(path)
        if known is not None:
            self._before = path, known[0].parses[0]
        changed = self.includes.forget(path)
        changed.drop(self._units)
        changed.drop(self._commands)
        changed.drop(self._givens)
        for view in (self, *self._views.values()):
            changed.drop(view._made)
        changed.drop(self._includers)
        changed.drop(self._closures)
        self._units.pop(path, None)
        self._unit_bytes = sum(len(parsed.source.data) for parsed, _ in self._units.values())
        self._by_included.clear()
        self._indexes.pop(path, None)
        return changed.outlined

    def _kept(self, kept: dict[K, tuple[T, Trace]], key: K, make: Callable[[], T]) -> T:
        """The cached value of a key, computed if missing; in both cases its dependencies are recorded."""
        known = kept.get(key)
        if known is None:
            known = kept[key] = self._recorder.traced(make)
        else:
            self._recorder.frame.add(known[1])
        return known[0]

    def parsed(self, path: str, data: bytes | None = None) -> ParsedFile | None:
        """Parsed file, or None if it cannot be read. `data` is given for the file that is being linted."""
        if self._shared is not None:
            return self._shared.parsed(path, data)
        known = self._units.get(path)
        if data is None:
            data = known[0].data if known is not None else self.read(path)
            self._recorder.frame.add(path)
            if data is None or len(data) > _MAX_HEADER_BYTES:
                return None
        if known is not None and known[0].data == data and (known[0].whole or self.hasty):
            self._units.move_to_end(path)
            self._recorder.frame.add(known[1])
            return known[0]
        parsed, trace = self._recorder.traced(partial(self._parsed, path, data))
        self._units[path] = parsed, trace
        self._units.move_to_end(path)
        self._unit_bytes += len(parsed.source.data) - (len(known[0].source.data) if known is not None else 0)
        while len(self._units) > 1 and (len(self._units) > _MAX_UNITS or self._unit_bytes > _MAX_UNIT_BYTES):
            _, (oldest, _) = self._units.popitem(last=False)
            self._unit_bytes -= len(oldest.source.data)
        return parsed

    def _parsed(self, path: str, data: bytes) -> ParsedFile:
        source = spliced(path, data, self._included)
        text = source.data
        macros = self.macros(path, text)
        if left := self._left_to_includers(path, text, macros):
            macros = macros.merged(left)
        source, unwritten = with_written(source, written_functions(text, macros))
        text = source.data
        before = self._before[1] if self.hasty and self._before is not None and self._before[0] == path else None
        parses = parse_ladder(text, macros, hasty=self.hasty, before=before)
        if len(parses) > 1:  # an error that matters: a header may leave its macros to who includes it
            for other in self.includers(path)[:1]:
                wider = macros.merged(self.macros(other, self.read(other) or b""))
                again = parse_ladder(text, wider)
                if error_bytes(again[0]) < error_bytes(parses[0]):
                    macros, parses = wider, again
        return ParsedFile(source, macros, parses, not (self.hasty and parses[0].has_error), data, unwritten)

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

    def read(self, path: str) -> bytes | None:
        """Bytes of a project file."""
        if path == LIBRARY:
            return standard_library()
        return self.includes.read(path) if self.includes is not None else None

    def index_of(self, path: str) -> Mapping[str, int]:
        """The apparent content of a header by name, from a search of its text: a reason to parse it, no more."""
        self._recorder.frame.add(path)
        known = self._indexes.get(path)
        if known is None:
            data = self.read(path) or b""
            self._indexed_bytes += len(data)
            if self._indexed_bytes > _MAX_INDEXED_BYTES:
                self._indexes.clear()
                self._indexed_bytes = len(data)
            known = self._indexes[path] = index_of(data)
        return known

    def macros(self, path: str, data: bytes) -> MacroTable:
        """Macros that a file sees."""
        if self.includes is not None:
            table = self.includes.macros(path, data, self._given(path))
        else:
            own = self._own_given.macros if self._own_given is not None else ()
            table = MacroTable([layer_of(scan_macros(data, path)), layer_of(own), KNOWN])
        if self._is_opencl(path, data):
            table = table.merged(MacroTable([opencl_words.WORDS]))
        return table if self._own_macros is None else table.merged(MacroTable([self._own_macros]))

    def _is_opencl(self, path: str, data: bytes) -> bool:
        """Whether a file is read as OpenCL C: by its name, or as a header that only such files include."""
        return is_opencl_name(path) or (speaks_opencl(data) and any(map(is_opencl_name, self.includers(path))))

    def makes_kernels(self, path: str, data: bytes) -> bool:
        """True if the file uses a macro of a header, or of who includes it, that stands for `__global__`."""
        table = self.macros(path, data)
        names = [macro.name for macro in table if "__global__" in with_keywords(macro.body)]
        left = self._left_to_includers(path, data, table)
        names += (macro.name for macro in left if "__global__" in with_keywords(expand(macro.body, left)))
        return any(name.encode() in data for name in names)

    def _left_to_includers(self, path: str, data: bytes, known: MacroTable) -> MacroTable:
        """Macros at the head of a header's definitions that only the files define that include it: those that turn it
        into a kernel or a device function, and the macros in their bodies.
        """
        words = {match[1].decode() for match in _HEAD_MACRO.finditer(data)}
        wanted = [word for word in words if word not in known]
        for other in self.includers(path)[:_MAX_INCLUDERS] if wanted else ():
            table = self.macros(other, self.read(other) or b"")
            macros = [macro for word in wanted for macro in table.all(word) if _makes_device_code(macro, table)]
            if macros:
                return MacroTable([layer_of(_with_their_parts(macros, table))])
        return MacroTable()

    def language_of(self, path: str, data: bytes, given: Language) -> Language:
        """Language of a file, see `decided`."""
        return self.decided(path, data, given).language

    def decided(self, path: str, data: bytes, given: Language) -> Decided:
        """Language of a file, and what says so: the command that compiles it, or the file itself; of one that names
        neither API the files that include it; then its extension, if that is CUDA's, and else the files beside it.
        """
        command = self.command_of(path)
        if command is not None and command.language is not None:
            return Decided(command.language, "its compile command")
        if is_opencl_name(path):
            return Decided("opencl", "its name")
        if given in ("sycl", "opencl") or names_its_api(data):
            return Decided(given, "its text")
        if (found := self._voted(self.includers(path))) is not None:
            return Decided(found, "the files that include it")
        if path.endswith(_CUDA_FILES):
            return Decided(given, "its name" if given == "cuda" else "its folder")
        if (found := self._voted(self.beside(path))) is not None:
            return Decided(found, "the files beside it")
        return Decided(given, "its name" if given == "cuda" or path.endswith(".hip") else "its folder")

    def _voted(self, others: Iterable[str]) -> Language | None:
        """The language that most of the files that name one say."""
        votes = [language for other in others if (language := self._stated_language(other)) is not None]
        if not votes:
            return None
        return "hip" if 2 * votes.count("hip") > len(votes) else "cuda"

    def beside(self, path: str) -> tuple[str, ...]:
        """The first files of the same folder."""
        self._recorder.frame.add(Question("beside", path))
        folder = posixpath.dirname(path)
        others = (other for other in self.peers(path) if other != path and posixpath.dirname(other) == folder)
        return tuple(islice(others, _MAX_BESIDE))

    def _stated_language(self, path: str) -> Language | None:
        """The language that a file itself names."""
        self._recorder.frame.add(Question("language", path))
        return self._outline(path).language

    def _outline(self, path: str) -> Outline:
        return self.includes.outline(path) if self.includes is not None else Outline()

    def is_settled(self, name: str) -> bool:
        """Whether the settings define a macro, or say that it is undefined."""
        return name in self.words.defined

    def sees_all(self, parsed: ParsedFile) -> bool:
        """Whether all direct and indirect headers of a file are available, except those of compilers and vendors."""
        data = parsed.source.data
        if self.includes is None:
            return b'#include "' not in data
        return self.includes.sees_all(parsed.source.path, data, self._given(parsed.source.path))

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
        own = tuple(f"{name}={body}" for name, body in self.words.defined.items() if body is not None)
        given = Sources(self.includes.include_dirs, own)
        if command is not None:
            sources = given
        else:
            folders, macros = self.includes.surroundings(whole, data)
            others = (macro for macro in macros if macro.partition("=")[0] not in self.words.defined)
            sources = Sources(folders, (*others, *own))
        semantics = self._tier.of(Input(whole, data, language, command, sources, self.includes.folders))
        sees_all = self.sees_all(parsed)
        asked = partial(self._note, Question("compiler", whole))
        return OpenQuestions(semantics, Place(path, 0), asked, sees_all=sees_all)

    def _note(self, question: Question) -> None:
        self._recorder.frame.add(question)

    def _whole(self, path: str, command: CompileCommand | None) -> str:
        """The file that is compiled when this one is: itself, or one that includes it."""
        if command is None:
            seen = {path}
            while (
                above := next((includer for includer in self.includers(path) if includer not in seen), None)
            ) is not None:
                seen.add(above)
                path = above
            return path
        if command.path == os_path.abspath(path) or (whole := self.spelled(command.path)) is None:
            return path
        return whole if path in self._closure_of(whole) else path

    def taken_notes(self) -> tuple[str, ...]:
        """Why libclang gave no answers, since the last call."""
        return self._tier.taken_notes() if self._tier is not None else ()

    def line_of(self, path: str, offset: int) -> int:
        """Line of a byte of a project file, 0 if it cannot be read (any more)."""
        known = self._units.get(path)  # standard input is nowhere else
        self._recorder.frame.add(path)
        if known is not None:
            return known[0].source.line_of(offset)
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

    def includers(self, path: str) -> tuple[str, ...]:
        """Files of this run that include `path`: kernels often live in a header, their launches in who includes it."""
        return self._kept(self._includers, path, partial(self._find_includers, path))

    def _find_includers(self, path: str) -> tuple[str, ...]:
        found = (other for other, text in self._including(path) if self._leads_to(other, text, path))
        return tuple(dict.fromkeys(found))

    def _including(self, path: str) -> Iterable[tuple[str, str]]:
        """Files near `path` that include something of its base name, and how they write it."""
        self._recorder.frame.add(Question("including", path))
        folder = posixpath.dirname(path)
        if folder not in self._by_included:
            index: dict[str, list[tuple[str, str]]] = {}
            for other in self.peers(path):
                for text in self._outline(other).includes:
                    index.setdefault(posixpath.basename(text), []).append((other, text))
            self._by_included[folder] = index
        return self._by_included[folder].get(posixpath.basename(path), ())

    def _leads_to(self, other: str, text: str, path: str) -> bool:
        """Whether `#include "text"` in `other` means `path`: dozens of folders may hold a `kernels.h`."""
        if other == path:
            return False
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(other), text))
        if beside == path or self.read(beside) is not None:
            return beside == path
        return path in self._kept(self._closures, other, lambda: frozenset(self._closure_of(other)))

    def _closure_of(self, path: str) -> tuple[str, ...]:
        """Project files that a file of the run includes."""
        data = self.read(path)
        if self.includes is None or data is None:
            return ()
        # Not `command_of`: who asks is looking for the files that include a header, of which that may be one.
        command = None
        if self._compiled is not None:
            self._note(Question("command", path))
            command = self._compiled.exact(path) or self._compiled.near(path, data)
        return self.includes.closure(path, data, self._given_by(command))

    def command_of(self, path: str) -> CompileCommand | None:
        """The command that compiles a file; of a header that of a file that includes it, else of the file most like it.

        None without compile commands, and for OpenCL C, which host programs compile.
        """
        if self._compiled is None or is_opencl_name(path):
            return None
        return self._kept(self._commands, path, partial(self._find_command, self._compiled, path))

    def asserts(self, path: str) -> bool:
        """Whether a build is known for the file, and it says what becomes of assertions."""
        made = self.includes is not None and self.includes.asserts(path)
        return made or self.command_of(path) is not None

    def fast_math(self, path: str) -> bool:
        """Whether the file's command, or without one a build file beside it, requests fast mathematics of nvcc."""
        command = self.command_of(path)
        if command is not None:
            return any(word.endswith("use_fast_math") for word in command.codegen)
        return self.includes is not None and self.includes.fast_math(path)

    def _find_command(self, compiled: Commands, path: str) -> CompileCommand | None:
        self._note(Question("command", path))
        return compiled.exact(path) or self._unbuilt_command(compiled, path)

    def _unbuilt_command(self, compiled: Commands, path: str) -> CompileCommand | None:
        data = self.read(path)

        def includers(included: str) -> tuple[str, ...]:
            found = self.includers(included)
            for other in found:
                self._note(Question("command", other))
            return found

        return compiled.of_includers(path, data, includers) or compiled.near(path, data)

    def _given(self, path: str) -> Given | None:
        return self._given_by(self.command_of(path))

    def _given_by(self, command: CompileCommand | None) -> Given | None:
        if self._compiled is None or command is None:
            return self._own_given
        return self._kept(self._givens, command.path, partial(self._placed, self._compiled, command))

    def _placed(self, compiled: Commands, command: CompileCommand) -> Given:
        for place in compiled.places(command):
            self._recorder.frame.add(Question("place", place))
        given, own = compiled.given(command), self._own_given
        if own is None:
            return given
        names = own.undefined.union(macro.name for macro in own.macros)
        others = (macro for macro in given.macros if macro.name not in names)
        return given._replace(macros=(*own.macros, *others), undefined=given.undefined - names | own.undefined)

    def predefined(self, path: str, language: Language) -> Mapping[str, str]:
        """Macros that the device compiler sets by itself when it compiles this file."""
        command = self.command_of(path)
        targets = self._architectures or DEFAULT_TARGETS[language]
        if command is None:
            return predefined(language, targets=targets)
        undefined = [name for name, body in command.macros if body is None]
        undefined += (name for name, body in self.words.defined.items() if body is None)
        gpus = targets if self._shared is not None else command.targets or targets
        return predefined(language, command.standard, gpus, undefined, command.registers.wave)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, computed once in this process, for layers above that know more of a file than its
        names."""
        return cast("T", self._kept(self._made, key, make))


def _makes_device_code(macro: Macro, table: MacroTable) -> bool:
    return any(word in expand(macro.body, table) for word in _DEVICE_CODE)


def _with_their_parts(macros: list[Macro], table: MacroTable) -> tuple[Macro, ...]:
    """Macros, and those that their bodies name."""
    found = dict.fromkeys(macros)
    waiting = list(macros)
    while waiting and len(found) < _MAX_PARTS:
        for word in _WORD.findall(waiting.pop().body):
            for inner in table.all(word):
                if inner not in found:
                    found[inner] = None
                    waiting.append(inner)
    return tuple(found)


def _given_of(words: DeviceWords) -> Given:
    """Macros of the settings in the form of a compile command's."""
    from regpress_lint.cpp.preprocess.includes import Given

    given = ((name, body) for name, body in words.defined.items() if body is not None)
    macros = (parse_define(f"#define {name} {body}", "", 0) for name, body in given)
    undefined = frozenset(name for name, body in words.defined.items() if body is None)
    return Given(macros=tuple(filter(None, macros)), undefined=undefined)
