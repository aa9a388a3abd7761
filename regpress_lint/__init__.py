"""regpress-lint: which lines of a GPU kernel cost registers, on which GPU, and how many waves that leaves."""

__version__ = "0.1.0"
