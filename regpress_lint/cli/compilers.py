"""The compilers outside of PATH that a run may start: the user's, and a project's only where the user trusts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.context import complain
from regpress_lint.config.load import user_compilers
from regpress_lint.measured.processes import header_folders

if TYPE_CHECKING:
    import argparse

    from regpress_lint.config.load import Configuration


def chosen(arguments: argparse.Namespace, project: Configuration) -> tuple[str, ...]:
    """The named compilers, the last one takes precedence: the project, the user's configuration, the command line.
    Raises UsageError.

    A linted tree and its configuration are untrusted.
    """
    if names := ", ".join(header_folders()):
        complain((f"{names} of the environment: compilers find headers there, so numbers may be others",), "warning")
    trusted: tuple[str, ...] = ()
    if arguments.trust_project_compilers:
        trusted = project.compilers
    elif project.compilers:
        complain((f"{project.path}: its compilers are not run without --trust-project-compilers",), "warning")
    own = () if getattr(arguments, "isolated", False) else user_compilers()
    return (*trusted, *own, *(arguments.compiler or ()))
