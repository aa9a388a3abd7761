"""From bytes to the model: mask, parse, find kernels and launches, lower them into our own tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.language import detect_language as detect_language

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.program.file import File


def build_file(source: Source, language: Language, project: Project) -> File:
    """Model of one file. `project` holds what was parsed before in this process and reads headers."""
    from regpress_lint.program.assemble import build

    return build(source, language, project)
