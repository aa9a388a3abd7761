"""The one way from the bytes of a file to facts about its kernels; every query begins here."""

from __future__ import annotations

from functools import cached_property, partial

from regpress_lint.core.errors import one_line
from regpress_lint.core.named import NamedTuple, TypeVar
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.core.settings import Language, Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel

T = TypeVar("T")
_GPU_FILES = (".cu", ".cuh", ".hip")  # of which somebody expects an answer
_WIDE = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_MOST_FRAMES = 30  # of a traceback: a recursion has a thousand


class Skipped(NamedTuple):
    """A file that is not looked at; `warning` says why, None stands for one without GPU code.

    not_understood: the reason, where it is that the bytes are no text in lines that anybody could read.
    """

    warning: str | None = None
    not_understood: str | None = None


class Failure(NamedTuple):
    """Something inside this program or a plugin that raised, while it did what `doing` says.

    kernel: the kernel that it was about. traceback: as text, with the path of the file.
    """

    doing: str
    error: Exception
    traceback: str
    kernel: Kernel | None = None

    @property
    def reason(self) -> str:
        """The exception in one line."""
        return one_line(self.error)


def analyse(
    data: bytes,
    path: str,
    settings: Settings,
    project: Callable[[], Project] | None = None,
    make: Callable[[Source, Language, Settings, Callable[[], Project] | None], Analysis] | None = None,
) -> Analysis | Skipped:
    """The analysis of a file that is given as bytes; nothing is parsed yet.

    `project` gives the project that the file belongs to, through which headers are read; it is called when the file is
    parsed. Without it the file is taken by itself. make: what makes it, for who wants to watch the work.
    """
    if len(data) > settings.max_file_bytes:
        return Skipped(too_large(path, len(data), settings))
    from regpress_lint.cpp.preprocess.splicing import as_read

    language = detect_language(path, as_read(data), settings.words.seen)
    if (strange := _not_understood(path, data, language)) is not None:
        return Skipped(f"{path}: not linted, {strange}", strange)
    return Skipped() if language is None else (make or Analysis)(Source(path, data), language, settings, project)


def not_understood(path: str, data: bytes, settings: Settings) -> str | None:
    """Why the apparent GPU code of a file is unreadable; None if it is readable, or there is none."""
    return _not_understood(path, data, detect_language(path, data, settings.words.seen))


def _not_understood(path: str, data: bytes, language: Language | None) -> str | None:
    """Why the bytes of GPU code cannot be read as text in lines; None if they can, or if none is expected in them."""
    if language is not None:
        alone = b"\r" in data and b"\n" not in data
        return "its lines end in CR alone; convert them to LF" if alone else None
    for mark, encoding in _WIDE:
        if data.startswith(mark) and detect_language(path, data.decode(encoding, "replace").encode("utf-8", "replace")):
            return "it is UTF-16 text; save it as UTF-8"
    return "it is binary data, not text" if b"\0" in data and path.lower().endswith(_GPU_FILES) else None


def too_large(path: str, size: int, settings: Settings) -> str:
    """Why a file is left out for its size."""
    limit = settings.max_file_bytes
    return f"{path}: not linted, {size:,} bytes are more than the {limit:,} of max-file-bytes"


class Analysis:
    """A file, its kernels and their facts, each computed on first use.

    source: the file itself. given: the settings of the run; `settings` are those that hold for this file.
    failures: what `attempt` caught, in order.
    """

    def __init__(
        self, source: Source, language: Language, settings: Settings, project: Callable[[], Project] | None = None
    ) -> None:
        self.source = source
        self.given = settings
        self.failures: list[Failure] = []
        self._language: Language = language
        self._make_project = project
        self._facts: dict[Kernel, KernelFacts] = {}

    # ------------------------------------------------------------------------------------------------- what is known

    @cached_property
    def project(self) -> Project:
        """The project that the file belongs to."""
        if self._make_project is not None:
            return self._make_project()
        from regpress_lint.cpp.names.project import Project

        return Project(words=self.given.words)

    @cached_property
    def file(self) -> File:
        """The model of the file: its kernels, their launches, device functions."""
        from regpress_lint.program import build_file

        _ = self.settings  # a command that cannot be understood is a failure to parse
        return build_file(self.source, self._language, self.project)

    @cached_property
    def parts(self) -> tuple[Analysis, ...]:
        """An analysis for each set of targets that compile the same text: itself, unless the file or a header has
        conditions on the GPU (`#if __CUDA_ARCH__ >= 800`) and targets have different answers.
        """
        targets, source, project = self.settings.targets(self._language), self.source, self.project
        if len(targets) < 2:
            return (self,)
        from regpress_lint.core.named import replace
        from regpress_lint.cpp.conditions import may_differ, told_apart

        if len(may_differ(self.file.language, targets)) < 2 or not self.file.kernels:
            return (self,)
        targets, parsed = self.targets, project.parsed(source.path, source.data)
        questions = project.asked_of_gpu(parsed) if parsed is not None else ()
        groups = told_apart(questions, self.file.language, targets)
        if not questions or (len(groups) == 1 and self.file.language == "cuda"):
            return (self,)
        parts: list[Analysis] = []
        for group in groups:
            part = Analysis(
                source, self._language, replace(self.settings, architectures=group), partial(project.for_gpu, group[0])
            )
            part.failures = self.failures
            parts.append(part)
        return tuple(parts)

    @property
    def parsed(self) -> bool:
        """Whether there is a model; asking does not make one."""
        return "file" in self.__dict__

    @cached_property
    def settings(self) -> Settings:
        """The run's settings, and what follows from the command that compiles the file."""
        return self.given.compiled_for(self.project.command_of(self.source.path))

    @property
    def targets(self) -> tuple[str, ...]:
        """Architectures that count for the file; while it is not parsed those of the run."""
        return self.settings.targets(self.file.language) if self.parsed else self.given.targets(self._language)

    def facts(self, kernel: Kernel) -> KernelFacts:
        """Facts for rules and views about a kernel, or about one instantiation of it."""
        facts = self._facts.get(kernel)
        if facts is None:
            from regpress_lint.facts.kernel import kernel_facts

            facts = self._facts[kernel] = kernel_facts(self.file, kernel, self.settings)
        return facts

    def source_of(self, path: str) -> Source | None:
        """This file or another of the project, by path; None for one that cannot be read (any more)."""
        if path in ("", self.source.path):
            return self.file.source if self.parsed else self.source
        data = self.project.read(path) if "project" in self.__dict__ else None
        return None if data is None else Source(path, data)

    def line_of(self, path: str, offset: int) -> int:
        """Line of a byte of this file or of another of the project."""
        source = self.source_of(path)
        return 0 if source is None else source.line_of(offset)

    def notes(self) -> tuple[str, ...]:
        """Why libclang gave no answers, since the last call."""
        return self.project.taken_notes() if "project" in self.__dict__ else ()

    def remarks(self) -> tuple[str, ...]:
        """Remarks for readers of any answer about the file: which language it was read as where neither the file
        nor its build says it, and which GPU replaces an unknown one.
        """
        return tuple(self._remarks()) if self.parsed and self.file.kernels else ()

    def _remarks(self) -> Iterator[str]:
        path, project = self.source.path, self.project
        decided = project.decided(path, self.source.data, self._language)
        if decided.is_told:
            yield f"{path} is read as {decided.language.upper()}, by {decided.by}"
        command = project.command_of(path) if not self.given.architectures else None
        for name, nearest in command.unknown_targets if command is not None else ():
            like, answer = ("", nearest) if nearest else (", nor is anything like it", ", ".join(self.targets))
            yield f"{name} of the compile commands is not known{like}: its kernels are answered for {answer}"

    def settled(self) -> list[dict[str, Any]]:
        """The answers of libclang, as plain data in the order of the questions."""
        answers = self.file.settled() if self.parsed else ()
        if not answers:
            return []
        from regpress_lint.semantics.settled import settled_json

        return settled_json(answers, self.project.line_of)

    @property
    def asked_all(self) -> bool:
        """False if kernels were left out that rules may find something in."""
        return True

    def known(self, kernel: Kernel) -> Mapping[str, tuple[Finding, ...]] | None:
        """Findings of rules about a kernel, by code, if known before they run."""
        return None

    def learn(self, kernel: Kernel, code: str, findings: tuple[Finding, ...]) -> None:
        """Receive a rule's findings about a kernel; not kept here."""

    # -------------------------------------------------------------------------------------------------- its own life

    def done_with(self, kernel: Kernel) -> None:
        """Forget what was worked out about a kernel."""
        if (facts := self._facts.pop(kernel, None)) is not None:
            facts.forget()

    def close(self) -> None:
        """Forget what was worked out about all kernels: the trees of a file go with it and not with the process."""
        for kernel in tuple(self._facts):
            self.done_with(kernel)
        if self.parsed and self.file.kernels:
            from regpress_lint.source.walk import forget_flows

            forget_flows()

    def attempt(self, doing: str, action: Callable[[], T], kernel: Kernel | None = None) -> T | None:
        """Result of `action`; if it raises, None, and one of `failures` more. MemoryError and RecursionError count."""
        try:
            return action()
        except Exception as error:
            import traceback

            text = f"{self.source.path}: {doing}\n{traceback.format_exc(limit=-_MOST_FRAMES)}"
            self.failures.append(Failure(doing, error, text, kernel))
            return None
