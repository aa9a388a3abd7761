"""A compiler's words to what we use of them: an allow list, because the words may come from anybody.

Only include folders, macros, forced includes, language, standard, GPUs and what caps registers come out. Every other
option is dropped, and with it the value that it takes, so that `-Xclang -load -Xclang evil.so` or `-o -I/x` leaves
nothing behind. Nothing is executed; launchers (`ccache`), wrappers and input files are dropped as words that are no
options.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from regpress_lint.compilation.gpus import Gpus
from regpress_lint.core.patterns import pattern
from regpress_lint.core.settings import CompileCommand, IncludeDir, RegisterOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.core.settings import Kind, Language


_MOST = 64
_WORD = pattern(
    r"-O(?:[0-3szg]|fast)?|-f(?:no-)?fast-math|-f(?:no-)?gpu-rdc|-ffp-contract=(?:on|off|fast|fast-honor-pragmas)|"
    r"-m(?:no-)?(?:cumode|wavefrontsize64|unsafe-fp-atomics|tgsplit)|-f(?:no-)?unroll-loops|-f(?:no-)?finite-math-only|"
    r"-f(?:no-)?(?:gpu|cuda)-flush-denormals-to-zero|-f(?:no-)?(?:slp-)?vectorize|-f(?:no-)?exceptions|-g\d?|-lineinfo|"
    r"--?use_fast_math|--?(?:ftz|prec-div|prec-sqrt|fmad)=(?:true|false)|--expt-relaxed-constexpr|--?expt-extended-lambda|"
    r"--?extended-lambda|-G|--device-debug|--generate-line-info|-rdc=(?:true|false)|-dc|"
    r"--relocatable-device-code=(?:true|false)|-f(?:no-)?signed-char"
)


class Codegen:
    """The options so far, in order: of several for the same thing compilers take the last."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def word(self, word: str) -> None:
        if len(self._found) < _MOST and _WORD.fullmatch(word) is not None:
            self._found.append(word)

    def options(self) -> tuple[str, ...]:
        return tuple(self._found)


_COUNT = pattern(r"-{1,2}maxrregcount[= ]?\"?(\d{1,4})\b")
_THREADS = pattern(r"--gpu-max-threads-per-block=(\d{1,5})")
_ALLOCATION = pattern(r"-ftarget-register-alloc-mode=([\w:,.-]{1,200})")
# `-ze-` is Level Zero's spelling, `-cl-intel-` OpenCL's; the number is IGC's own.
_LARGE = pattern(r"-(?:cl|ze)-(?:opt|intel)-(?:large-register-file\b|256-GRF-per-thread\b|reqd-eu-thread-count[= ]4\b)")
_SMALL = pattern(r"-(?:cl|ze)-(?:opt|intel)-(?:128-GRF-per-thread\b|reqd-eu-thread-count[= ]8\b)")
_AUTOMATIC = pattern(r"-(?:cl|ze)(?:-opt)?(?:-intel)?-enable-auto-large-GRF-mode\b")
_MODES = {"large": 256, "small": 128, "default": 128, "auto": 0}
_WAVES = {"-mwavefrontsize64": 64, "-mno-wavefrontsize64": 32}
MOST_REGISTERS = 255


class Registers:
    """The options so far; of several for the same thing the last one counts."""

    def __init__(self) -> None:
        self._found = RegisterOptions()

    def word(self, word: str) -> None:
        """One word of a command, or one that is passed to a device's own compiler."""
        if "maxrregcount" in word and (match := _COUNT.fullmatch(word)) is not None:
            self.count(match[1])
        elif (match := _THREADS.fullmatch(word)) is not None:
            self._found = self._found._replace(max_threads=int(match[1]) or None)
        elif word in _WAVES:
            self._found = self._found._replace(wave=_WAVES[word])
        elif (match := _ALLOCATION.fullmatch(word)) is not None:
            self._modes(match[1])
        elif "GRF" in word or "large-register-file" in word or "eu-thread-count" in word:
            self._backend(word)

    def count(self, value: str) -> None:
        """`-maxrregcount VALUE`; ptxas ignores a value above 255."""
        if value.isascii() and value.isdigit() and 0 < int(value[:6]) <= MOST_REGISTERS:
            self._found = self._found._replace(max_registers=int(value))

    def backend(self, value: str) -> None:
        """Options that are passed to ptxas or to IGC, several in one word."""
        for match in _COUNT.finditer(value[:4096]):
            self.count(match[1])
        self._backend(value[:4096])

    def _backend(self, value: str) -> None:
        modes = ((_LARGE, 256), (_SMALL, 128), (_AUTOMATIC, 0))
        for form, grf in modes:
            if form.search(value) is not None:
                self._found = self._found._replace(grf=grf)

    def _modes(self, value: str) -> None:
        """`pvc:large,bmg:auto`; without a device it holds for all."""
        for part in value.split(","):
            device, _, mode = part.rpartition(":")
            if device in ("", "pvc") and mode in _MODES:
                self._found = self._found._replace(grf=_MODES[mode])

    def options(self) -> RegisterOptions:
        """The result of all of them."""
        return self._found


# Bounds for what a hostile entry may hold; real ones have a few hundred words, the longest of a few hundred characters.
MAX_WORDS = 20_000
MAX_WORD = 16_384
MAX_PATH = 4096
_MAX_DIRS = 512
_MAX_MACROS = 8192
_MAX_INCLUDES = 64

_FOLDERS: Mapping[str, Kind] = {
    "-I": "normal",
    "--include-path": "normal",
    "--include-directory": "normal",
    "-isystem": "system",
    "--system-include": "system",
    "-iquote": "quote",
    "-idirafter": "after",
}
_DEFINES = ("-D", "--define-macro")
_UNDEFINES = ("-U", "--undefine-macro")
_INCLUDES = ("-include", "--include", "--pre-include")
_STANDARDS = ("-std", "--std")
_LANGUAGES = ("-x", "--x", "--language")
_RESPONSES = ("--options-file", "-optf")
_TARGETS = frozenset(("-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode", "--generate-code"))
_OFFLOADS = ("--offload-arch", "--cuda-gpu-arch", "--amdgpu-target", "-amdgpu-target")
_SYCL_TARGETS = ("-fsycl-targets", "--acpp-targets", "--hipsycl-targets")
_JOINED_TARGETS = (*_OFFLOADS, "--no-offload-arch", "--no-cuda-gpu-arch", *_SYCL_TARGETS)
_BACKENDS = ("-Xsycl-target-backend", "-Xs")
_REGISTERS = ("-maxrregcount", "--maxrregcount")
_TO_PTXAS = ("-Xptxas", "--ptxas-options", "-Xcuda-ptxas")
_WITH_VALUE = frozenset(
    (
        *_FOLDERS,
        *_DEFINES,
        *_UNDEFINES,
        *_INCLUDES,
        *_STANDARDS,
        *_LANGUAGES,
        *_RESPONSES,
        *_TARGETS,
        *_JOINED_TARGETS,
        *_REGISTERS,
    )
)
_ATTACHED = ("-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-x")

# Options of gcc, clang, icpx and nvcc whose value is the next word. The value of `-X...` is the next word too.
_DROPPED = """
    -o -c-isystem -cxx-isystem -objc-isystem -objcxx-isystem -internal-isystem -internal-externc-isystem -isystem-after
    -stdlib++-isystem -iwithsysroot -iframework -iframeworkwithsysroot -F -framework -isysroot --sysroot -imacros
    --imacros -iprefix -iwithprefix -iwithprefixbefore -imultilib -include-pch -ivfsoverlay -MF -MT -MQ -MJ -target
    --target -triple -target-cpu -target-feature -aux-triple -aux-target-cpu -mllvm -gcc-toolchain --gcc-toolchain
    -resource-dir --resource-dir -working-directory --working-directory -serialize-diagnostics --serialize-diagnostics
    -dependency-file -diagnostic-log-file -header-include-file -load -plugin -add-plugin -fplugin -fpass-plugin
    -fplugin-arg -wrapper -specs --specs --param -param -aux-info -dumpbase -dumpbase-ext -dumpdir -index-store-path
    -main-file-name -ast-merge -code-completion-at -fmodules-cache-path -opt-record-file -u -e -T -z -A -b -B -l -L
    -rpath -undefined -install_name -ccbin --compiler-bindir -odir --output-directory --output-file --library
    --library-path --compiler-options --linker-options --ptxas-options --archive-options --nvlink-options
    --fatbin-options --dependency-output --dependency-target-name -keep-dir --keep-dir -run-args --run-args -ldir
    --libdevice-directory -target-dir --target-directory -opt-info --opt-info --input-drive-prefix
    --dependency-drive-prefix --drive-prefix
"""
_DROPPED_VALUES = frozenset(_DROPPED.split())
_STANDARD = pattern(r"(?:c|gnu)\+\+(?:0x|1[yz0-9]|2[abc0-9]|03|98)")
_LANGUAGE_OF: Mapping[str, Language] = {"hip": "hip", "cu": "cuda", "cuda": "cuda"}
_HOST_LANGUAGES = frozenset(("c++", "c", "c++-header", "none"))
_NAME = pattern(r"[A-Za-z_]\w*(?:\([\w\s,.]*\))?", re.ASCII)
_CONTROL = pattern(r"[\x00-\x1f\x7f\ud800-\udfff]")
_CONTROL_IN_BODY = pattern(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_SOURCES = (".cpp", ".cc", ".cxx", ".c++", ".cu", ".hip")
_DRIVER = pattern(r"(hipcc|nvcc|dpcpp|acpp|syclcc)(?:-clang)?(?:\.(?:exe|bin|pl|bat))?")
_DRIVER_AMONG = 16  # words before the compiler: `cmake -E env A=1 ccache`
# A command line as a POSIX shell splits it: blanks, a quoted part, an escaped character, other characters. What makes a
# word of them is in `split`.
_PART = pattern(r"""(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)""", re.DOTALL)
_ESCAPED = pattern(r"\\([\"\\$`\n])")
_WINDOWS_ESCAPED = pattern(r'\\(")')


def split(command: str, windows: bool = False) -> list[str] | None:
    """Words of a command line, at most MAX_WORDS; None for one with a quote that is not closed.

    On Windows a backslash stands for itself except before a double quote.
    """
    if not any(mark in command for mark in "'\"\\"):
        return command.split()[:MAX_WORDS]
    words: list[str] = []
    word: str | None = None
    position = 0
    while position < len(command):
        match = _PART.match(command, position)
        if match is None:
            if command[position] == "\\" and position == len(command) - 1:
                break  # a backslash at the end
            return None
        position = match.end()
        blank, single, double, escaped, plain = match.groups()
        if blank is not None:
            if word is not None:
                words.append(word)
                if len(words) >= MAX_WORDS:
                    return words
            word = None
            continue
        if double is not None:
            part = (_WINDOWS_ESCAPED if windows else _ESCAPED).sub(_unescaped, double)
        elif escaped is not None:
            part = escaped if escaped == '"' or not windows else "\\" + escaped
        else:
            part = single if single is not None else plain
        word = (word or "") + part
    return [*words, word] if word is not None else words


def _unescaped(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def parse(
    words: Sequence[str], directory: str, file: str, respond: Callable[[str], Sequence[str]] = lambda _path: ()
) -> CompileCommand:
    """A command by those of its words that are used; relative folders are relative to `directory`. It never raises.

    words: the command, the compiler (and what launches it) in front.
    file: the file that it compiles, whose extension says the language where no option does.
    respond: words of a response file, none for one that must not be read. A response file in one is not read.
    """
    reader = _Reader(directory, respond)
    reader.read(words[:MAX_WORDS], nested=False)
    return reader.command(file, _driver(words))


def _driver(words: Sequence[str]) -> str:
    """`hipcc`, `nvcc`, ... or "" for a compiler whose name does not imply a language."""
    for word in words[:_DRIVER_AMONG]:
        if not word.startswith("-") and len(word) <= MAX_PATH:
            match = _DRIVER.fullmatch(word.replace("\\", "/").rpartition("/")[2])
            if match is not None:
                return match[1]
    return ""


class _Reader:
    """One command on its way through the allow list."""

    def __init__(self, directory: str, respond: Callable[[str], Sequence[str]]) -> None:
        self._directory = directory
        self._respond = respond
        self._language: str | None = None
        self._standard: str | None = None
        self._sycl = False
        self._dirs: dict[IncludeDir, None] = {}
        self._macros: list[tuple[str, str | None]] = []
        self._includes: dict[str, None] = {}
        self._gpus = Gpus()
        self._registers = Registers()
        self._codegen = Codegen()

    def read(self, words: Sequence[str], nested: bool) -> None:
        rest = iter(words)
        for word in rest:
            if word == "--":
                return
            if word.startswith("@") and len(word) > 1:
                self._respond_to(word[1:], nested)
            elif word.startswith("-") and len(word) > 1:
                self._option(word, rest, nested)

    def _option(self, word: str, rest: Iterator[str], nested: bool) -> None:
        name, equals, value = word.partition("=")
        if word in ("-fsycl", "-fno-sycl"):
            self._sycl = word == "-fsycl"
        elif name in _BACKENDS or (name.startswith("-Xs") and not name.startswith("-Xsycl")):
            # `-Xsycl-target-backend=TRIPLE VALUE`, `-Xs VALUE`, `-XsVALUE`
            joined = word[3:] if not name.startswith("-Xsycl") else ""
            handed = joined or next(rest, "")
            self._gpus.backend(handed)
            self._registers.backend(handed)
        elif name in _TO_PTXAS:
            self._registers.backend(value if equals else next(rest, ""))
        elif word in _WITH_VALUE:
            self._take(word, next(rest, ""), nested)
        elif equals and name in _WITH_VALUE:
            self._take(name, value, nested)
        elif word in _DROPPED_VALUES:
            next(rest, "")
        elif word.startswith("-X"):
            # `-Xopenmp-target=TRIPLE VALUE`, but nvcc's `-Xcompiler=VALUE`
            if not equals or name.endswith(("-target", "-backend", "-frontend", "-linker")):
                next(rest, "")
        elif (prefix := next((prefix for prefix in _ATTACHED if word.startswith(prefix)), None)) is not None:
            attached = word[len(prefix) :]
            if not attached.startswith("-"):
                self._take(prefix, attached, nested)
        else:
            self._registers.word(word)
            self._codegen.word(word)

    def _take(self, name: str, value: str, nested: bool) -> None:
        """Use the value of an allowed option, if it is one that we understand."""
        if not value or len(value) > MAX_WORD:
            return
        if name in _FOLDERS:
            self._folder(value.removeprefix("="), _FOLDERS[name])
        elif name in _DEFINES:
            self._define(value)
        elif name in _UNDEFINES:
            self._macro(value, None)
        elif name in _INCLUDES:
            self._include(value)
        elif name in _STANDARDS:
            if _STANDARD.fullmatch(value) is not None:
                self._standard = value
        elif name in _LANGUAGES:
            if value in _LANGUAGE_OF or value in _HOST_LANGUAGES:
                self._language = None if value == "none" else value
        elif name in _RESPONSES:
            self._respond_to(value, nested)
        elif name in _REGISTERS:
            self._registers.count(value)
        else:
            self._sycl = self._sycl or name in _SYCL_TARGETS
            self._gpus.option(name, value)

    def _folder(self, value: str, kind: Kind) -> None:
        if (path := self._path(value)) is not None and len(self._dirs) < _MAX_DIRS:
            self._dirs[IncludeDir(path, kind)] = None

    def _path(self, value: str) -> str | None:
        value = value.strip()
        if not value or len(value) > MAX_PATH or _CONTROL.search(value):
            return None
        return os.path.normpath(os.path.join(self._directory, value))

    def _define(self, value: str) -> None:
        name, equals, body = value.partition("=")
        self._macro(name, body if equals else "1")

    def _macro(self, name: str, body: str | None) -> None:
        wrong = _NAME.fullmatch(name) is None or _CONTROL_IN_BODY.search(body or "") is not None
        if not wrong and len(self._macros) < _MAX_MACROS:
            self._macros.append((name, body))

    def _include(self, value: str) -> None:
        if (path := self._path(value)) is not None and len(self._includes) < _MAX_INCLUDES:
            # The compiler looks in its working folder first, then as for `#include "..."`.
            self._includes[path if os.path.isfile(path) else value.strip()] = None

    def _respond_to(self, value: str, nested: bool) -> None:
        if (path := self._path(value)) is not None and not nested:
            self.read(self._respond(path), nested=True)

    def command(self, file: str, driver: str) -> CompileCommand:
        return CompileCommand(
            file,
            self._directory,
            self._language_of(driver, os.path.splitext(file)[1].lower()),
            self._standard,
            tuple(self._dirs),
            tuple(self._macros),
            tuple(self._includes),
            self._gpus.targets(),
            self._registers.options(),
            self._codegen.options(),
            self._gpus.unknown(),
        )

    def _language_of(self, driver: str, extension: str) -> Language | None:
        if self._language is not None and self._language in _LANGUAGE_OF:
            return _LANGUAGE_OF[self._language]
        if self._sycl or driver in ("dpcpp", "acpp", "syclcc"):
            return "sycl"
        if self._language is not None:
            return None
        if extension == ".hip" or (driver == "hipcc" and extension in _SOURCES):
            return "hip"
        return "cuda" if extension == ".cu" else None
