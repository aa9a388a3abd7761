"""regpress-lint: which lines of a GPU kernel cost registers, on which GPU, and how many waves that leaves."""

# `python -m` searches the working folder first: nothing, not even typing, is imported before `__main__` ends that.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic as Diagnostic, Report as Report, Severity as Severity
    from regpress_lint.core.settings import Settings as Settings
    from regpress_lint.lint.pipeline import lint_bytes as lint_bytes

__version__ = "0.1.0"
__all__ = ["Diagnostic", "Report", "Settings", "Severity", "__version__", "lint_bytes"]

# Loaded on demand: `lint_bytes` imports the parser, and `--version` must not.
_LATE = {
    "lint_bytes": "regpress_lint.lint.pipeline",
    "Settings": "regpress_lint.core.settings",
    **dict.fromkeys(("Diagnostic", "Report", "Severity"), "regpress_lint.core.diagnostics"),
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
