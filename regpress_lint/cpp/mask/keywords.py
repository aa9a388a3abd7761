"""Words that a C++ grammar does not know: CUDA, HIP and SYCL keywords, library qualifiers, what a macro means."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import closing, skip_space
from regpress_lint.cpp.preprocess.macros import Macro, MacroTable, expand as expand, expand_macro

# Attributes of CUDA with arguments in parentheses, and words of every compiler that have some.
_ATTRIBUTES = ("__cluster_dims__", "__maxnreg__", "__block_size__")
_BRACKETED = (
    *("__attribute__", "__attribute", "__declspec", "__align__", "__builtin_align__", "__launch_bounds__"),
    *_ATTRIBUTES,
)
# Keyword -> kind of the masked item. The ones in TAKES_ARGUMENTS swallow a bracketed argument list too.
KEYWORDS: dict[str, str] = {
    "__global__": "global",
    **dict.fromkeys(
        """
            __device__ __host__ __shared__ __constant__ __managed__ __forceinline__ __noinline__ __inline__
            __grid_constant__ __const__ __tile_global__
        """.split(),
        "qualifier",
    ),
    **dict.fromkeys(["__restrict__", "__restrict"], "restrict"),
    **dict.fromkeys(["__align__", "__builtin_align__"], "align"),
    **dict.fromkeys(["__attribute__", "__attribute", "__declspec"], "attribute"),
    **dict.fromkeys(_ATTRIBUTES, "attribute"),
    "__launch_bounds__": "launch_bounds",
    "_Pragma": "pragma",
}
# Qualifiers of libraries, for files whose headers are out of reach. A definition in the macro table goes first.
LIBRARY_WORDS: dict[str, str] = {
    **dict.fromkeys(
        """
            SYCL_EXTERNAL SYCL_ESIMD_KERNEL SYCL_ESIMD_FUNCTION ESIMD_INLINE ESIMD_NOINLINE __dpct_inline__
            __dpct_noinline__ KOKKOS_FUNCTION KOKKOS_INLINE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION RAJA_DEVICE
            RAJA_HOST_DEVICE RAJA_INLINE RAJA_HOST ALPAKA_FN_ACC ALPAKA_FN_HOST ALPAKA_FN_HOST_ACC ALPAKA_FN_INLINE
            ALPAKA_NO_HOST_ACC_WARNING DINLINE HDINLINE HEMI_LAMBDA HEMI_DEV_CALLABLE HEMI_DEV_CALLABLE_INLINE
            HEMI_DEV_CALLABLE_MEMBER HEMI_DEV_CALLABLE_INLINE_MEMBER HEMI_MEM_DEVICE AMREX_GPU_DEVICE AMREX_GPU_HOST
            AMREX_GPU_HOST_DEVICE AMREX_FORCE_INLINE AMREX_INLINE AMREX_NO_INLINE CUTLASS_DEVICE CUTLASS_HOST_DEVICE
            CUTLASS_HOST CUTE_DEVICE CUTE_HOST_DEVICE CUTE_HOST CUTE_INLINE C10_DEVICE C10_HOST_DEVICE C10_HOST
            C10_ALWAYS_INLINE C10_EXPORT C10_API TORCH_API _CCCL_DEVICE _CCCL_HOST _CCCL_HOST_DEVICE
            _CCCL_FORCEINLINE _CCCL_HOST_API _CCCL_DEVICE_API _CCCL_API _CCCL_HIDE_FROM_ABI EIGEN_DEVICE_FUNC
            EIGEN_STRONG_INLINE EIGEN_ALWAYS_INLINE THRUST_NODISCARD CUB_RUNTIME_FUNCTION GKO_ATTRIBUTES GKO_INLINE
        """.split(),
        "qualifier",
    ),
    # OpenCL C; its words without underscores are macros of `preprocess/macros.py`.
    "__kernel": "global",
    **dict.fromkeys(
        [
            *("__global", "__local", "__private", "__constant", "__generic"),
            *("__read_only", "__write_only", "__read_write"),
        ],
        "qualifier",
    ),
    "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY": "attribute",
    **dict.fromkeys(["GGML_RESTRICT", "RESTRICT", "CCL_RESTRICT", "EIGEN_RESTRICT"], "restrict"),
    **dict.fromkeys(
        """
            AMREX_GPU_GLOBAL HEMI_LAUNCHABLE CUTLASS_GLOBAL RAFT_KERNEL CUCO_KERNEL ROCPRIM_KERNEL ROCSPARSE_KERNEL
            ROCSPARSE_KERNEL_W
        """.split(),
        "global",
    ),
    **dict.fromkeys(
        ["C10_LAUNCH_BOUNDS_0", "C10_LAUNCH_BOUNDS_1", "C10_LAUNCH_BOUNDS_2", "C10_LAUNCH_BOUNDS"], "launch_bounds"
    ),
    **dict.fromkeys(["KOKKOS_LAMBDA", "KOKKOS_CLASS_LAMBDA", "AMREX_GPU_LAMBDA", "RAJA_LAMBDA"], "lambda"),
}
_ONLY_QUALIFIERS = frozenset(("qualifier", "attribute", "restrict"))
# Library words whose own expansion ends in the return type.
RETURNS_VOID = frozenset(("RAFT_KERNEL", "CUCO_KERNEL"))
TAKES_ARGUMENTS = frozenset(
    [
        *_BRACKETED,
        "_Pragma",
        "C10_LAUNCH_BOUNDS_0",
        "C10_LAUNCH_BOUNDS_1",
        "C10_LAUNCH_BOUNDS_2",
        "C10_LAUNCH_BOUNDS",
        "ROCSPARSE_KERNEL",
        "ROCSPARSE_KERNEL_W",
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY",
    ]
)
# Words of the form __x__ that are expressions, types or statements and stay.
KEEP = frozenset(
    """
    __FILE__ __LINE__ __DATE__ __TIME__ __TIMESTAMP__ __COUNTER__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ __asm__
    __typeof__ __alignof__ __volatile__ __extension__ __VA_ARGS__ __signed__ __real__ __imag__ __complex__ __label__
    __null__ __float128__ __SYCL_DEVICE_ONLY__ __CUDA_ARCH__ __HIP_DEVICE_COMPILE__ __INCLUDE_LEVEL__ __BASE_FILE__
    """.split()
)

_QUALIFIERS = pattern(
    r"\b(?:__global__|__device__|__host__|__shared__|__constant__|__managed__|__forceinline__|__noinline__|__inline__|__inline|__forceinline"
    r"|__kernel|__global|__local|__private|__constant|__generic|__read_only|__write_only|__read_write"
    r"|__grid_constant__|__restrict__|__restrict|restrict|inline|static|extern|SYCL_EXTERNAL|__dpct_inline__|noinline"
    r"|__extension__|constexpr|noexcept|_Noreturn|register)\b"
    r'|"C(?:\+\+)?"|\[\[[^\[\]]*+\]\]',
    re.ASCII,
)
_OPENCL_KERNEL = pattern(r"\b__kernel\b", re.ASCII)
_WITH_ARGUMENTS = pattern(rf"\b(?:{'|'.join(_BRACKETED)}|_Pragma|__pragma)\s*+(?=\()", re.ASCII)
_DO = pattern(r"\bdo\b", re.ASCII)
_LOOP_TAIL = pattern(r"(?:^|[;{}])\s*+(?:else\s++)?(?:for|while|if)\s*+\(", re.ASCII)
_NAMESPACE_OPEN = pattern(r"(?:inline\s++)?(?:namespace\b[\s\w:]*+\{\s*+|extern\s*+\"C\"\s*+\{\s*+)+", re.ASCII)
ONLY_CLOSE = pattern(r"[}\s]+;?\s*")
DECLARES_KERNEL = pattern(r"\bvoid\s++(\w++)\s*+(?:\(|\Z)", re.ASCII)
_PASTES_NAME = pattern(r"\bvoid\s++((?:\w++\s*+##\s*+)++\w++)\s*+(?:\(|\Z)", re.ASCII)
_TYPE_QUALIFIERS = pattern(r"(?:(?:const|volatile)\b\s*)+", re.ASCII)
_KERNEL_NAME = pattern(r"(?:[A-Z0-9_]*_)?KERNEL(?:_[A-Z0-9_]*)?", re.ASCII)
_UNROLL_NAME = pattern(r"(?:[A-Z0-9_]*_)?(?:PRAGMA_)?UNROLL", re.ASCII)


_DECORATIONS = frozenset(("inline", "static", "extern", "register", "restrict", "const", "constexpr", "volatile"))


# Words that Metal and OpenCL have in front of what a pointer leads to, and CUDA, HIP and SYCL have not.
_ADDRESS_SPACES = frozenset(
    (
        *("device", "constant", "thread", "threadgroup"),
        *("global", "local", "private", "__global", "__constant", "__local", "__private", "const"),
    )
)


# The headers of CUDA and HIP define their keywords as these attributes; code may write that itself.
_ATTRIBUTE = pattern(r"\b(?:__attribute__|__attribute|__declspec)\s*+\(", re.ASCII)
_OF_CUDA = frozenset(("global", "device", "host", "shared", "constant", "managed", "grid_constant", "launch_bounds"))
_BETWEEN = pattern(r"[(),]")


class Use(Enum):
    """The treatment of a word at its place."""

    LEAVE = auto()
    BLANK = auto()
    GLOBAL = auto()
    KERNEL_NAME = auto()
    IF_BEFORE_WORD = auto()
    SPELL = auto()
    LAMBDA = auto()
    LOOP = auto()
    OPEN = auto()
    BLOCK = auto()
    CALL = auto()
    STATEMENT = auto()
    UNROLL_WORD = auto()
    KERNEL_WORD = auto()
    WRAPPED_TYPE = auto()
    UNKNOWN_CAPS = auto()
    UNKNOWN_DUNDER = auto()


class Meaning(NamedTuple):
    """How a word is masked: the item's `kind`, the `macro` it names (None for a keyword), the text to `spell` there."""

    use: Use
    kind: str = ""
    macro: Macro | None = None
    spell: str = ""


LEAVE = Meaning(Use.LEAVE)


def strip_qualifiers(text: str) -> str:
    """The text of an expansion without qualifiers and attributes."""
    parts: list[str] = []
    done = 0
    for match in _WITH_ARGUMENTS.finditer(text):
        if match.start() < done:
            continue
        if (end := closing(text, match.end()) + 1) > 0:
            parts.append(text[done : match.start()])
            done = end
    parts.append(text[done:])
    return _QUALIFIERS.sub(" ", "".join(parts)).strip()


def cuda_keywords(text: str) -> str:
    """The keywords that an attribute, brackets included, stands for; empty for other attributes."""
    words: list[str] = []
    depth, start = 0, text.index("(") + 1
    lists = 1 + text.startswith("(", skip_space(text, start))  # `__attribute__((a, b))`, `__declspec(a)`
    for mark in _BETWEEN.finditer(text, start - 1):
        if depth == lists and mark[0] != "(":
            name, bracket, arguments = text[start : mark.start()].strip().partition("(")
            plain = name.strip().removeprefix("__").removesuffix("__")
            if plain in _OF_CUDA:
                words.append(f"__{plain}__{bracket}{arguments}")
            start = mark.end()
        depth += (mark[0] == "(") - (mark[0] == ")")
        if mark[0] == "(" and depth == lists:
            start = mark.end()
    return " ".join(words)


def with_keywords(text: str) -> str:
    """A text with CUDA's keywords in place of the attributes that they stand for."""
    if "__attribute" not in text and "__declspec" not in text:
        return text
    parts: list[str] = []
    done = 0
    for match in _ATTRIBUTE.finditer(text):
        end = closing(text, match.end() - 1) + 1
        if match.start() >= done and end and (words := cuda_keywords(text[match.start() : end])):
            parts += (text[done : match.start()], words)
            done = end
    return "".join((*parts, text[done:]))


def meaning_of(name: str, table: MacroTable) -> Meaning:
    """The meaning of `name` in a file with these macros. Pure; the caller remembers the answer for the file."""
    macro = table.get(name)
    if macro is None or name in KEYWORDS:
        return plain_meaning(name)
    meaning = _macro_meaning(macro, table)
    return meaning if macro.body else _of_another_arm(name, table) or meaning


def _of_another_arm(name: str, table: MacroTable) -> Meaning | None:
    """The meaning of a macro that is empty where it is defined first, as for the host, and a kernel's word in another
    arm; None for others.
    """
    meanings = (_macro_meaning(macro, table) for macro in table.all(name) if macro.body)
    return next((meaning for meaning in meanings if meaning.use is Use.GLOBAL), None)


@lru_cache(maxsize=1 << 15)
def plain_meaning(name: str) -> Meaning:
    """The meaning of `name` if it is not a macro."""
    if name in KEYWORDS:
        return _keyword_meaning(name)
    if name in LIBRARY_WORDS:
        kind = LIBRARY_WORDS[name]
        if kind == "lambda":
            return Meaning(Use.LAMBDA, "lambda")
        if kind == "global":
            return Meaning(Use.GLOBAL, "global", None, "void" if name in RETURNS_VOID else "")
        return Meaning(Use.BLANK, kind)
    if name.startswith("__") and name.endswith("__") and len(name) > 4:
        return LEAVE if name in KEEP or name.isupper() else Meaning(Use.UNKNOWN_DUNDER, "qualifier")
    if len(name) < 3 or not name.isupper():
        return LEAVE
    if _KERNEL_NAME.fullmatch(name):
        return Meaning(Use.KERNEL_WORD, "macro")
    return Meaning(Use.UNROLL_WORD, "unroll") if _UNROLL_NAME.fullmatch(name) else Meaning(Use.UNKNOWN_CAPS, "macro")


def _keyword_meaning(name: str) -> Meaning:
    kind = KEYWORDS[name]
    return Meaning(Use.GLOBAL if kind == "global" else Use.BLANK, kind)


def _macro_meaning(macro: Macro, table: MacroTable) -> Meaning:
    body = macro.body
    if not body:
        # An empty macro with arguments may be a call that a build leaves out: it goes only where it is in a
        # declaration's way.
        return Meaning(Use.BLANK if macro.params is None else Use.IF_BEFORE_WORD, "macro", macro)
    if macro.params is None and body.isalnum() and body not in table and body not in _DECORATIONS:
        return LEAVE
    text = with_keywords(expand_macro(macro, macro.params or (), table))
    plain = strip_qualifiers(text)
    if "__global__" in text or _OPENCL_KERNEL.search(text) is not None:
        return _global_meaning(macro, plain)
    if not plain:
        return Meaning(Use.BLANK, _qualifier_kind(text), macro)
    library = {LIBRARY_WORDS.get(word) for word in plain.split()}
    if library <= _ONLY_QUALIFIERS:
        return Meaning(Use.BLANK, "qualifier", macro)
    if macro.params is None and _TYPE_QUALIFIERS.fullmatch(plain + " ") and len(plain) <= len(macro.name):
        return Meaning(Use.SPELL, "macro", macro, plain)
    if (
        plain[0] == "["
        and "]" in plain
        and ("=" in plain or "&" in plain or plain.startswith("[]"))
        and not plain.endswith("}")
    ):
        return Meaning(Use.LAMBDA, "lambda", macro)
    return _statement_meaning(macro, plain)


def _statement_meaning(macro: Macro, plain: str) -> Meaning:
    if _NAMESPACE_OPEN.fullmatch(plain) or ONLY_CLOSE.fullmatch(plain):
        return Meaning(Use.BLANK, "macro", macro)
    if plain[-1] == "{" and is_loop(plain[:-1].rstrip()):
        return Meaning(Use.OPEN, "loop", macro)
    if macro.params is None:
        if not any(char.isalnum() or char in "\"'_{}();" for char in plain) and len(plain) <= len(macro.name):
            return Meaning(Use.SPELL, "macro", macro, plain)
        if plain[0] == "{" and plain[-1] == "}":
            return Meaning(Use.BLOCK, "macro", macro)
        return Meaning(Use.STATEMENT, "macro", macro) if plain[-1] in ";}" or is_loop(plain) else LEAVE
    if is_loop(plain):
        return Meaning(Use.LOOP, "loop", macro)
    *spaces, last = plain.split()
    if macro.params == (last,) and _ADDRESS_SPACES.issuperset(spaces):  # `#define DEVICE_PTR(x) x`
        return Meaning(Use.WRAPPED_TYPE, "macro", macro)
    return Meaning(Use.CALL, "macro", macro)


def _qualifier_kind(text: str) -> str:
    if "__launch_bounds__" in text:
        return "launch_bounds"
    if "_Pragma" in text or "__pragma" in text:
        return "unroll" if "unroll" in text else "pragma"
    if "unroll_hint" in text:
        return "unroll"
    if "restrict" in text:
        return "restrict"
    if "align" in text:
        return "align"
    return "attribute" if "attribute" in text or "[[" in text else "qualifier"


def _global_meaning(macro: Macro, plain: str) -> Meaning:
    """A macro that brings `__global__`: alone, with the return type, or with the kernel's name among its arguments."""
    if "{" in plain:
        return Meaning(Use.CALL, "macro", macro) if macro.params is not None else LEAVE
    declared = DECLARES_KERNEL.search(plain)
    if declared is None:
        return Meaning(Use.GLOBAL, "global", macro, "void" if plain.endswith("void") else "")
    pasted = _PASTES_NAME.search(strip_qualifiers(macro.body))
    words = (declared[1],) if pasted is None else tuple(word.strip() for word in pasted[1].split("##"))
    if (name := next((word for word in words if word in (macro.params or ())), "")) and macro.params is not None:
        return Meaning(Use.KERNEL_NAME, "global", macro, str(macro.params.index(name)))
    return Meaning(Use.CALL, "macro", macro) if macro.params is not None else LEAVE


def is_loop(text: str) -> bool:
    """True when the last statement of an expansion is the head of a loop or a condition that waits for its body."""
    if not text.endswith(")"):
        return False
    for match in _LOOP_TAIL.finditer(text):
        if match[0][0] == "}" and "while" in match[0] and _DO.search(text, 0, match.start()) is not None:
            continue  # the end of `do { ... } while (0)`
        end = closing(text, match.end() - 1) + 1
        if end == len(text):
            return True
        tail = text[end:].lstrip() if end else ""
        if tail.startswith(("for", "while", "if")) and is_loop(tail):
            return True
    return False


def expansion(meaning: Meaning, arguments: tuple[str, ...], table: MacroTable) -> str:
    """The text that an invocation stands for; empty for a plain keyword."""
    return "" if meaning.macro is None else with_keywords(expand_macro(meaning.macro, arguments, table))
