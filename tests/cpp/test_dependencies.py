"""What an answer depends on is noted in full: an edit of anything else leaves it as it is."""

from __future__ import annotations

import posixpath
import random
from typing import TYPE_CHECKING

import pytest
from corpus import drawn
from frontend_helpers import walk

from regpress_lint.core.source import Source
from regpress_lint.cpp.dependencies import Question
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.cpp.syntax_tree import Call, Name
from regpress_lint.program import build_file, detect_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.program.file import File

FOLDERS = ("p/src", "p/src/deep", "p/include")
NAMES = ("a", "b", "c")
Files = dict[str, bytes]


def project_of(files: Mapping[str, bytes]) -> Project:
    """An in-memory project as `Projects` builds it: peers are files of the same folder, of siblings and of parents."""

    def peers(path: str) -> Iterable[str]:
        folder = posixpath.dirname(path)
        near = [posixpath.dirname(folder), folder]
        return [other for other in sorted(files) if posixpath.dirname(other) in near]

    def named(basename: str) -> Iterable[str]:
        return [path for path in sorted(files) if posixpath.basename(path) == basename]

    return Project(IncludeResolver("p", lambda path: files.get(path), (), named), peers)


def spelled(node: object, seen: dict[int, int]) -> str:
    """A tree as text; a node that occurs twice (a variable, a declared type) is written once."""
    if isinstance(node, (tuple, list)):
        return f"({', '.join(spelled(part, seen) for part in node)})"
    names = getattr(type(node), "__slots__", ())
    if not names:
        return repr(sorted(node) if isinstance(node, frozenset) else node)
    if id(node) in seen:
        return f"#{seen[id(node)]}"
    seen[id(node)] = len(seen)
    return f"{type(node).__name__}({', '.join(spelled(getattr(node, name.lstrip('_'), None), seen) for name in names)})"


def described(file: File) -> str:
    """A file's model in full: its kernels, and the lookup of each name in them."""
    parts: list[object] = [file.language, file.launches, file.lost]
    for kernel in file.kernels:
        parts += [kernel.name, kernel.function, kernel.launch_bounds, kernel.launches, sorted(kernel.bindings.items())]
        for instance in kernel.instances:
            parts += [instance.arguments, instance.path, instance.line, instance.kernel.function]
        for node in walk(kernel.function.body):
            if isinstance(node, Name):
                parts += [file.constant(node.name), file.type_of(node.name), file.macro(node.name)]
            elif isinstance(node, Call):
                parts += [file.find_function(node.name, len(node.args)), file.type_of(node.name)]
                parts += [file.method("Shape", node.name, -1), file.is_virtual("Shape", node.name)]
                parts.append(file.expansion(node.name, len(node.args), {}, (), None))
    return spelled(parts, {})


def answered(project: Project, path: str, data: bytes) -> tuple[str, Mapping[Question | str, str]]:
    """A file's model with the current state of its dependencies."""
    language = detect_language(path, data)
    if language is None:
        return "", {}
    with project.recording() as recording:
        text = described(build_file(Source(path, data), language, project))
    found = recording.dependencies
    known: list[Question | str] = [*found.files, *found.questions]
    return text, {one: project.fingerprint(one) for one in known if one != path}


def line(rng: random.Random, depth: int = 0) -> str:
    """A line of a file: an include, a definition, or a launch; the same few names, so that they meet."""
    name, other = rng.choice(NAMES), rng.choice(NAMES)
    number, late = rng.choice((2, 4, 8)), rng.choice(("virtual ", ""))
    choices = [
        f'#include "{rng.choice(("", "", "../", "deep/"))}{other}.{rng.choice(("h", "h", "cuh", "cu"))}"',
        f'#include "{other}.h"',
        f"#include <{rng.choice(('', 'deep/'))}{other}.h>",
        f"#define N{name} {number}",
        f"#define CALL{name}(x) ((x) * N{other} + {number})",
        f"constexpr int K{name} = {number};",
        f"enum {{ E{name} = {number} }};",
        f"typedef {rng.choice(('float', 'double', f'T{other}'))} T{name};",
        f"struct Shape {{ float v[{number}]; __device__ {late}float area{name}() {{ return {number}; }} }};",
        f"template <class T> struct Box{name} {{ T v[N{other}]; static constexpr int size = {number}; }};",
        f"__device__ float f{name}(float x) {{ return x * {number}; }}",
        f"__constant__ float table{name}[{number}];",
        f"template <typename T, int M> __global__ void g{name}(T *p) {{ T v[M]; p[0] = v[K{other}]; }}",
        f"__global__ void k{name}(float *p) {{ T{other} t[N{name}]; Box{other}<float> b; Shape s;"
        f" p[0] = f{name}(K{other}) + CALL{other}(E{name}) + s.area{other}() + t[Box{other}<int>::size];"
        f" p[1] = table{name}[0]; }}",
        f"__global__ void k{name}(float *p);",
        f"void run{name}(float *p) {{ k{other}<<<1, N{name} * 32>>>(p); }}",
        f"void launch{name}(float *p) {{ g{other}<float, K{name}><<<1, 64>>>(p); }}",
        "static cudaError_t status;" if rng.random() < 0.5 else "static hipError_t status;",
    ]
    if depth == 0 and rng.random() < 0.15:
        return f"#ifdef N{other}\n{line(rng, 1)}\n#else\n{line(rng, 1)}\n#endif"
    return rng.choice(choices)


def content(rng: random.Random) -> bytes:
    return "\n".join(line(rng) for _ in range(rng.randint(2, 9))).encode() + b"\n"


def some_path(rng: random.Random) -> str:
    if rng.random() < 0.06:
        return f"{rng.choice(FOLDERS)}/Makefile"
    return f"{rng.choice(FOLDERS)}/{rng.choice(NAMES)}.{rng.choice(('cu', 'cu', 'h', 'h', 'cuh'))}"


def edit(rng: random.Random, files: Files) -> Files:
    """One file made, removed or changed."""
    kind = rng.random()
    if kind < 0.2 and len(files) > 4:
        lost = rng.choice(sorted(files))
        return {other: data for other, data in files.items() if other != lost}
    path = some_path(rng) if kind < 0.4 else rng.choice(sorted(files))
    if path.endswith("Makefile"):
        text = rng.choice(("CFLAGS = -Iinclude", "CFLAGS = -Ideep -DNa=4", "CFLAGS = -I../include -DNb=2"))
        return {**files, path: text.encode()}
    if path not in files or rng.random() < 0.2:
        return {**files, path: content(rng)}
    lines = files[path].decode().splitlines()
    lines[rng.randrange(len(lines))] = line(rng)
    return {**files, path: "\n".join(lines).encode() + b"\n"}


@pytest.mark.parametrize("seed", drawn(range(1, 6), 5))
def test_unrelated_file_changes_no_answer(seed: int) -> None:
    rng = random.Random(seed)
    files: Files = {some_path(rng): content(rng) for _ in range(15)}
    changed = 0
    warm = project_of(files)
    known = {path: answered(warm, path, data) for path, data in sorted(files.items())}
    for step in range(40):
        after = edit(rng, files)
        project = project_of(after)
        order = sorted(after)
        rng.shuffle(order)  # nor does an answer hang on what was asked before
        fresh = {path: answered(project, path, after[path]) for path in order}
        for path, (text, dependencies) in known.items():
            if path not in after or after[path] != files.get(path):
                continue
            same = all(project.fingerprint(question) == value for question, value in dependencies.items())
            assert fresh[path][0] == text or not same, (seed, step, path)
            changed += fresh[path][0] != text
        files, known = after, fresh
    assert changed > 2  # or the edits say nothing


@pytest.mark.parametrize("seed", range(3))
def test_a_kept_answer_has_the_dependencies_of_a_new_one(seed: int) -> None:
    rng = random.Random(seed)
    files: Files = {some_path(rng): content(rng) for _ in range(20)}
    files["p/src/Makefile"] = b"CFLAGS = -Ideep -DNa=4"
    shared = project_of(files)
    for path, data in (*files.items(), *reversed(files.items())):
        assert answered(shared, path, data) == answered(project_of(files), path, data), path


def test_invisible_file_is_not_a_dependency() -> None:
    files = {
        "p/src/a.cu": b'#include "a.h"\n__global__ void k(float *p) { p[0] = N; }\nvoid run() { cudaFree(0); }\n',
        "p/src/a.h": b"#define N 4\n",
        "p/src/b.cu": b'#include "b.h"\n__global__ void k2(float *p) { p[0] = N; }\n',
        "p/src/b.h": b"#define N 5\n",
    }
    _, dependencies = answered(project_of(files), "p/src/a.cu", files["p/src/a.cu"])
    assert [path for path in files if path in dependencies] == ["p/src/a.h"]
    assert Question("including", "p/src/a.cu") in dependencies
    assert "p/src/Makefile" in dependencies  # where there is none yet


def test_a_header_depends_on_who_launches_its_kernels() -> None:
    files = {
        "p/k.cuh": b"__global__ void k(float *p) { cudaTrigger(); p[0] = 1; }\n",
        "p/main.cu": b'#include "k.cuh"\nvoid run(float *p) { k<<<1, 256>>>(p); }\n',
    }
    _, dependencies = answered(project_of(files), "p/k.cuh", files["p/k.cuh"])
    assert "p/main.cu" in dependencies


def test_a_file_that_changes_while_it_is_looked_at_has_no_fingerprint_of_any_file() -> None:
    contents = iter((b"one", b"two"))
    resolver = IncludeResolver("p", lambda _path: next(contents))
    project = Project(resolver)
    first = project.fingerprint("p/a.h")
    resolver._forget()
    assert resolver.read("p/a.h") == b"two"
    assert project.fingerprint("p/a.h") not in (
        first,
        Project(IncludeResolver("p", lambda _path: b"two")).fingerprint("p/a.h"),
    )
