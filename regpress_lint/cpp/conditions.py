"""Which branch of an `#if` inside a function the device compiler takes, as far as the project's own macros tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import OPERATIONS

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.preprocess.macros import MacroTable

Branch: TypeAlias = "list[Node]"
Defined = Callable[[str], "str | None"]
# Body of a macro as the preprocessor sees it at a byte offset: an include guard does not guard itself away.
DefinedBefore = Callable[[str, int], "str | None"]

# What each device compiler defines by itself while it compiles device code.
PREDEFINED: Mapping[Language, Mapping[str, str]] = {
    "hip": {
        "__HIP__": "1",
        "__HIPCC__": "1",
        "__HIP_PLATFORM_AMD__": "1",
        "__HIP_DEVICE_COMPILE__": "1",
        "__AMDGCN__": "1",
    },
    "cuda": {
        "__CUDACC__": "1",
        "__NVCC__": "1",
        "__CUDA_ARCH__": "900",
        "__CUDACC_VER_MAJOR__": "13",
        "__CUDACC_VER_MINOR__": "0",
        "CUDART_VERSION": "13000",  # of `cuda_runtime.h`, which nvcc includes by itself
    },
    "opencl": {
        "__OPENCL_VERSION__": "200",
        "__OPENCL_C_VERSION__": "200",
        "CL_VERSION_1_0": "100",
        "CL_VERSION_1_1": "110",
        "CL_VERSION_1_2": "120",
        "CL_VERSION_2_0": "200",
        "__ENDIAN_LITTLE__": "1",
        "__IMAGE_SUPPORT__": "1",
        "cl_khr_fp64": "1",
        "cl_khr_fp16": "1",
        "cl_khr_int64_base_atomics": "1",
        "cl_khr_int64_extended_atomics": "1",
        "cl_khr_global_int32_base_atomics": "1",
        "cl_khr_local_int32_base_atomics": "1",
        "cl_khr_subgroups": "1",
    },
    "sycl": {"SYCL_LANGUAGE_VERSION": "202012", "__SYCL_DEVICE_ONLY__": "1", "__SYCL_COMPILER_VERSION": "20250101"},
}
_YEARS = {
    "98": "199711",
    "03": "199711",
    "11": "201103",
    "14": "201402",
    "17": "201703",
    "20": "202002",
    "23": "202302",
}
_DRAFTS = {"0x": "11", "1y": "14", "1z": "17", "2a": "20", "2b": "23"}
_COMMON = {"__cplusplus": "201703", "__GNUC__": "4", "__clang__": "1", "__x86_64__": "1", "__linux__": "1"}
_MAX_EXPANSION = 16
_FIRST_NARROW = 10  # major version of AMD's processors from which on a wave has 32 threads
_DIRECTIVE = pattern(r"#\s*(?:el)?(if(?:n?def)?)\b", re.ASCII)
_NAMES = pattern(r"\b[A-Za-z_]\w*", re.ASCII)
_SEVERAL = "?"  # a body that is no number: several are there
_MAX_TEST = 2048  # longer conditions and macro bodies are no arithmetic worth deciding
CONDITIONALS = frozenset(("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"))


def predefined(
    language: Language,
    standard: str | None = None,
    targets: Sequence[str] = (),
    undefined: Iterable[str] = (),
    wave: int | None = None,
) -> Mapping[str, str]:
    """Macros that the device compiler of a language sets, with a compile command's settings for them.

    Of several NVIDIA targets the newest counts; which of AMD's is compiled for is open if there are several. CUDA for
    AMD's GPUs alone is read as hipcc reads it after hipify, which calls nvcc's own name hipcc's: no `__CUDA_ARCH__`.
    """
    macros = {**_COMMON, **PREDEFINED[language]}
    if language == "cuda" and targets and all(name.startswith("gfx") for name in targets):
        macros = {**_COMMON, **PREDEFINED["hip"], "__CUDACC__": "1"}
        language = "hip"
    if language == "opencl":
        for name in ("__cplusplus", "__x86_64__", "__linux__"):
            macros.pop(name)
        vendors = {name[:3] if name.startswith(("gfx", "sm_")) else "intel" for name in targets}
        if vendors == {"gfx"}:
            macros |= {"__AMD__": "1", "__AMDGCN__": "1", "cl_amd_printf": "1"}
        elif vendors == {"intel"}:
            macros |= {"cl_intel_subgroups": "1", "cl_intel_required_subgroup_size": "1"}
        elif vendors == {"sm_"}:
            macros["cl_nv_pragma_unroll"] = "1"
        return {name: body for name, body in macros.items() if name not in set(undefined)}
    if standard is not None:
        year = standard[-2:]
        macros["__cplusplus"] = _YEARS.get(_DRAFTS.get(year, year), "202400")
    if language == "cuda":
        if numbers := [int(name[3:]) for name in targets if name.startswith("sm_") and name[3:].isdigit()]:
            macros["__CUDA_ARCH__"] = f"{max(numbers)}0"
    elif language == "hip":
        processors = [name for name in targets if name.startswith("gfx")]
        if len(processors) == 1:
            macros |= _of_processor(processors[0], wave)
    for name in undefined:
        macros.pop(name, None)
    return macros


def _of_processor(name: str, wave: int | None) -> dict[str, str]:
    """Clang's macros for one of AMD's processors: its name, its family, and how wide a wave is."""
    major = name.removeprefix("gfx")[:-2]
    usual = 64 if major.isdigit() and int(major) < _FIRST_NARROW else 32
    size = str(usual if wave is None else max(usual, wave))
    names = {f"__{name}__": "1", f"__GFX{major}__": "1"}
    return {**names, "__AMDGCN_WAVEFRONT_SIZE": size, "__AMDGCN_WAVEFRONT_SIZE__": size}


_ASKS = pattern(rb"__CUDA_ARCH__|__(?:gfx|GFX|AMDGCN)")
_ASKING = pattern(rb"^[ \t]*#[ \t]*((?:el)?if\w*|define\b)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_DEFINED = pattern(r"\s*\w+(?:\s+|$)(.*)", re.DOTALL)


def asked_of_gpu(data: bytes) -> tuple[str, ...]:
    """Conditions of a text about the GPU that it is compiled for, each once: of `#if`s, and bodies of macros."""
    if _ASKS.search(data) is None:
        return ()
    words: dict[str, None] = {}
    for match in _ASKING.finditer(data):
        if _ASKS.search(match[2]) is None:
            continue
        text = match[2].decode("utf-8", "replace").replace("\\\n", " ").partition("//")[0]
        if match[1] != b"define":
            words[f"#{match[1].decode()}{text}"] = None
        elif (body := _DEFINED.fullmatch(text)) is not None:
            words[f"#if {body[1]}"] = None
    return tuple(words)


def may_differ(language: Language, targets: Sequence[str]) -> list[str]:
    """Those of a language's own vendor: conditions may tell them apart."""
    vendor = {"cuda": "sm_", "hip": "gfx"}.get(language)
    return [name for name in targets if vendor is not None and name.startswith(vendor)]


def told_apart(conditions: Iterable[str], language: Language, targets: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Targets for which conditions have the same answers, in groups; what no condition tells apart is in the first."""
    asked = may_differ(language, targets)
    questions = tuple(dict.fromkeys(conditions)) if len(asked) > 1 else ()
    if not questions:
        return (tuple(targets),)
    groups: dict[tuple[bool | None, ...], list[str]] = {}
    for name in asked:
        values = predefined(language, targets=(name,)).get
        groups.setdefault(tuple(condition_holds(question, values) for question in questions), []).append(name)
    newest = max(asked, key=_number_of) if language == "cuda" else asked[0]
    unaffected = [name for name in targets if name not in asked]
    return tuple(
        tuple(name for name in targets if name in group or (newest in group and name in unaffected))
        for group in groups.values()
    )


def _number_of(name: str) -> int:
    number = name.removeprefix("sm_").rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(number) if number.isdigit() else 0


def choose_branch(node: Node, text: Callable[[Node], str], defined: Defined) -> tuple[Branch, int]:
    """Nodes of the branch taken, and where it ends; a condition that cannot be decided takes the first branch."""
    current: Node | None = node
    while current is not None:
        alternative = current.child_by_field_name("alternative")
        if current.type in ("preproc_else",) or _holds(current, text, defined) is not False:
            condition = current.child_by_field_name("condition") or current.child_by_field_name("name")
            skip = condition.end_byte if condition is not None else current.start_byte
            inside = [
                child
                for child in current.named_children
                if child.start_byte >= skip and child != condition and child != alternative
            ]
            return inside, (alternative or node.children[-1]).start_byte
        current = alternative
    return [], -1


def arm_taken(node: Node, offset: int, text: Callable[[Node], str], defined: DefinedBefore) -> bool | None:
    """Is the `#if` branch around `node` compiled wherever the code at `offset` is? None if a condition is undecided."""
    result: bool | None = True
    child, outer = node, node.parent
    while outer is not None:
        if outer.type in CONDITIONALS:
            alternative = outer.child_by_field_name("alternative")
            in_alternative = alternative is not None and alternative == child
            split = alternative.start_byte if alternative is not None else outer.end_byte
            same = outer.start_byte <= offset < outer.end_byte and (offset >= split) == in_alternative
            if not same and outer.type != "preproc_else":
                held = _holds(outer, text, partial(_before, defined, outer.start_byte))
                if held is None:
                    result = None
                elif held == in_alternative:
                    return False
        child, outer = outer, outer.parent
    return result


def condition_holds(directive: str, defined: Defined) -> bool | None:
    """Does the condition of `#if A`, `#elifdef B`, ... hold? An `#else` does; None if it cannot be decided."""
    match = _DIRECTIVE.match(directive)
    if match is None:
        return True
    node = _parsed_test(f"#{match[1]}{directive[match.end() :]}")
    return _holds(node, _node_text, defined) if node is not None else None


def likely(macros: MacroTable) -> Callable[[str], bool | None]:
    """Whether a directive's branch is compiled if no build defines names that no visible file does.

    None where that is unknown: for a name of the compiler's own, or one with several values.
    """

    def body(name: str) -> str | None:
        bodies = {macro.body for macro in macros.all(name)}
        return None if not bodies else bodies.pop() if len(bodies) == 1 else _SEVERAL

    def holds(directive: str) -> bool | None:
        if any(name.startswith("_") and name not in macros for name in _NAMES.findall(directive)):
            return None
        return condition_holds(directive, body)

    return holds


@lru_cache(maxsize=256)
def _parsed_test(line: str) -> Node | None:
    """The node of one conditional directive, or None if it is none that the grammar knows."""
    if len(line) > _MAX_TEST:
        return None
    from regpress_lint.cpp.parse import parse_plain

    root = parse_plain(f"{line}\n#endif\n".encode("utf-8", "replace")).root_node
    if root.has_error or root.named_child_count != 1:
        return None
    node = root.named_children[0]
    return node if node.type in CONDITIONALS else None


def _node_text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _before(defined: DefinedBefore, position: int, name: str) -> str | None:
    return defined(name, position)


def _holds(node: Node, text: Callable[[Node], str], defined: Defined) -> bool | None:
    if (name := node.child_by_field_name("name")) is not None:
        is_defined = defined(text(name)) is not None
        negated = any(child.type in ("#ifndef", "#elifndef") for child in node.children[:1])
        return is_defined != negated
    condition = node.child_by_field_name("condition")
    if condition is None:
        return None
    value = _value(condition, text, defined, 0)
    return None if value is None else bool(value)


def _value(node: Node, text: Callable[[Node], str], defined: Defined, depth: int) -> int | None:
    """Value of a preprocessor expression; an unknown name is 0 as the standard says, a call is undecided."""
    if depth > _MAX_EXPANSION:
        return None
    kind = node.type
    if kind == "preproc_defined":
        names = [child for child in node.named_children if child.type == "identifier"]
        return int(bool(names) and defined(text(names[0])) is not None)
    if kind == "number_literal":
        return _integer(text(node))
    if kind in ("true", "false"):
        return int(kind == "true")
    if kind == "identifier":
        return _expand(text(node), defined, depth)
    if kind == "parenthesized_expression":
        return _value(node.named_children[0], text, defined, depth + 1) if node.named_children else None
    if kind == "unary_expression":
        argument = node.child_by_field_name("argument")
        value = _value(argument, text, defined, depth + 1) if argument is not None else None
        if value is None:
            return None
        operator = text(node.children[0])
        return int(not value) if operator == "!" else -value if operator == "-" else value
    if kind == "binary_expression":
        return _binary(node, text, defined, depth)
    return None


def _binary(node: Node, text: Callable[[Node], str], defined: Defined, depth: int) -> int | None:
    left, right, op = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or op is None:
        return None
    symbol = text(op)
    a, b = (_value(side, text, defined, depth + 1) for side in (left, right))
    if symbol == "&&":
        return 0 if a == 0 or b == 0 else None if a is None or b is None else 1
    if symbol == "||":
        return 1 if a or b else None if a is None or b is None else 0
    if a is None or b is None:
        return None
    result = OPERATIONS[symbol](a, b) if symbol in OPERATIONS else None
    return None if result is None else int(result)


def _expand(name: str, defined: Defined, depth: int) -> int | None:
    for _ in range(_MAX_EXPANSION - depth):
        body = defined(name)
        if body is None:
            return 0
        body = body.strip().strip("()").strip()
        if (value := _integer(body)) is not None:
            return value
        if not body.isidentifier():
            return _arithmetic(name, defined, depth)
        name = body
    return None


def _arithmetic(name: str, defined: Defined, depth: int) -> int | None:
    """Value of a macro whose body is an expression."""
    test = _parsed_test(f"#if {defined(name)}")
    condition = test.child_by_field_name("condition") if test is not None else None
    return _value(condition, _node_text, defined, depth + 1) if condition is not None else None


def _integer(text: str) -> int | None:
    try:
        return int(text.rstrip("uUlL"), 0)
    except ValueError:
        return None
