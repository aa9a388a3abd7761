"""Shared by tests of the front end: an in-memory project, built without touching the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.cpp.syntax_tree import Declare, Expr, Function, Stmt, Variable
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.core.settings import Language
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel, Launch

Node = TypeVar("Node")
NAMES: Mapping[Language, str] = {"cuda": "main.cu", "hip": "main.hip", "sycl": "main.cpp"}


def build(text: str, language: Language = "cuda", headers: Mapping[str, str] | None = None, path: str = "") -> File:
    """Model of a file; `headers` are the other files of the project by path."""
    path = path or NAMES[language]
    files = {name: content.encode() for name, content in (headers or {}).items()}
    files[path] = text.encode()
    project = Project(IncludeResolver(".", lambda path: files.get(path)), peers=lambda _path: sorted(files))
    return build_file(Source(path, files[path]), language, project)


def kernel(text: str, language: Language = "cuda", headers: Mapping[str, str] | None = None) -> Kernel:
    """The only kernel of a text."""
    (found,) = build(text, language, headers).kernels
    return found


def launch(text: str, language: Language = "cuda", headers: Mapping[str, str] | None = None) -> Launch:
    """The only launch of a text."""
    (found,) = build(text, language, headers).launches
    return found


def host(body: str, before: str = "", parameters: str = "int n, float *x") -> str:
    """A CUDA file with a kernel `k` and a host function around `body`."""
    return f"__global__ void k(float *p) {{ p[0] = 1; }}\n{before}\nvoid run({parameters}) {{\n{body}\n}}\n"


def body_of(statements: str, before: str = "", parameters: str = "int n, float *p") -> Function:
    """Our tree of a CUDA kernel with the given statements."""
    return kernel(f"{before}\n__global__ void k({parameters}) {{\n{statements}\n}}\n").function


def walk(node: object) -> Iterator[object]:
    """Every statement, expression and variable below a node, the node included, in the order of the fields."""
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(reversed(current))
            continue
        if not type(current).__module__.startswith("regpress_lint.cpp.syntax_tree"):
            continue
        yield current
        slots = [name for name in getattr(type(current), "__slots__", ()) if name not in ("variable", "type")]
        stack.extend(getattr(current, name.lstrip("_")) for name in reversed(slots))


def nodes(tree: Function | Stmt | Expr, kind: type[Node]) -> list[Node]:
    """All nodes of a kind below a tree."""
    return [node for node in walk(tree) if isinstance(node, kind)]


def variables(tree: Function | Stmt) -> dict[str, Variable]:
    """Variables that the statements of a tree declare, by name."""
    return {variable.name: variable for declare in nodes(tree, Declare) for variable in declare.variables}


def first(tree: Function | Stmt | Expr, kind: type[Node]) -> Node:
    """First node of a kind."""
    return nodes(tree, kind)[0]
