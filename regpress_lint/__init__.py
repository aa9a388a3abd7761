"""regpress-lint: which lines of a GPU kernel cost registers, on which GPU, and how many waves that leaves."""

# `python -m` searches the working folder first: nothing, not even typing, is imported before `__main__` ends that.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.lint.pipeline import lint_bytes as lint_bytes

__version__ = "0.1.0"
__all__ = ["__version__", "lint_bytes"]


def __getattr__(name: str) -> object:
    if name == "lint_bytes":  # on demand, because it imports the parser and `--version` shall not
        from regpress_lint.lint.pipeline import lint_bytes

        return lint_bytes
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
