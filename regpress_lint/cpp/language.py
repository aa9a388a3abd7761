"""Is this a GPU file, and in which language? Decided on the bytes, before anything is parsed."""

from __future__ import annotations

from collections import Counter

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

# Plain substrings: a search for ten of them is many times faster than one alternation over a file that has none.
_MARKERS = (
    b"__global__",
    b"__device__",
    b"<<<",
    b"sycl",
    b"hipLaunch",
    b"cudaLaunch",
    b"threadIdx",
    b"blockIdx",
    b"KERNEL",
    b"_GLOBAL",
    b"CollectiveBuilder",  # of CUTLASS: the kernel is made of templates
    b"](id<",
    b"](item<",  # a lambda that a function of the project launches by SYCL, by `using namespace sycl`
    *(b"((global", b"global))", b"declspec(global)"),
)
# Files of OpenCL C; `.cl` is Common Lisp's, too. In other files only the words with underscores say so.
OPENCL_EXTENSIONS = frozenset(("cl", "clh", "ocl", "opencl"))
_OPENCL = pattern(
    rb"\b(?:__)?kernel\s+(?:void\b|__attribute__)|\b__?(?:global|local|constant)\s+(?:const\s+|volatile\s+)*\w+\s*[*\w]"
    rb"|\bget_(?:global|local|group)_id\s*\(|\b(?:global|local|constant)\s+(?:const\s+)?\w+\s*\*"
    rb"|\b(?:float|double|u?int|u?char|half|u?short|u?long)(?:2|3|4|8|16)\b|\bcl_khr_"
)
_BARE_WORDS = (b"global ", b"local ", b"constant ", b"kernel ")
_BARE = (
    pattern(rb"kernel(?<=\bkernel)\s+void\b"),
    *(pattern(word + rb"(?<=\b" + word + rb")\s+(?:const\s+)?\w+\s*\*") for word in (b"global", b"local", b"constant")),
)
# Names of the files that are read by themselves.
EXTENSIONS = frozenset("cu cuh hip cpp cc cxx c h hh hpp hxx inl ipp tpp sycl cl clh ocl opencl".split())
_INCLUDED = pattern(rb'include[ \t]*+("[^"\n]++")')
_OPENCL_ENTRY = pattern(rb"\b__kernel\b|\bkernel\s+(?:void\b|__attribute__)")
_OPENCL_KERNEL = pattern(rb"\b__kernel\s+(?:void\b|__attribute__)")
_LITERAL_KERNEL = pattern(rb"\b__kernel\b[^;{}]{1,1000}?\)[^;{}]{0,100}\{")
_SPACED_LAUNCH = pattern(rb"<<\s+<")
_SYCL_KERNELS = (
    b"parallel_for",
    b"single_task",
    b"nd_launch",
    b"launch_grouped",
    b"sycl_kernel_submit",
    b"nd_item",
    b"h_item",
    b"kernel_handler",
    b"nd_range_kernel",
)
_KERNELS = (b"__global__", b"((global", b"global))", b"declspec(global)", b"KERNEL", b"_GLOBAL", *_SYCL_KERNELS)
# A word that each file has whose kernels a portability layer launches, by layer: `program.layers` knows the rest.
LAYER_MARKS = (b"KOKKOS_", b"AMREX_", b"RAJA::", b"ALPAKA_FN_ACC", b"DINLINE", b"hemi::", b"thrust::", b"cub::Device")
_LAYERED = (
    *(b"KOKKOS_LAMBDA", b"KOKKOS_CLASS_LAMBDA", b"KOKKOS_FUNCTION", b"KOKKOS_INLINE_FUNCTION"),
    *(b"KOKKOS_FORCEINLINE_FUNCTION", b"AMREX_GPU_DEVICE", b"AMREX_GPU_HOST_DEVICE", b"AMREX_GPU_LAMBDA"),
    *(b"AMREX_FOR_", b"AMREX_PARALLEL_FOR_", b"AMREX_HOST_DEVICE_", b"AMREX_LAUNCH_"),
    *(b"RAJA_DEVICE", b"RAJA_HOST_DEVICE", b"RAJA_LAMBDA", b"RAJA::cuda_", b"RAJA::hip_", b"RAJA::sycl_"),
    *(b"ALPAKA_FN_ACC", b"DINLINE void operator", b"DINLINE auto operator"),
    *(b"HEMI_LAMBDA", b"HEMI_KERNEL", b"HEMI_LAUNCHABLE", b"HEMI_DEV_CALLABLE"),
)
_LAYER_KERNEL = pattern(
    rb"KOKKOS_(?:CLASS_)?LAMBDA|\]\s*(?:AMREX_GPU|RAJA|HEMI)_\w+|AMREX_GPU_LAMBDA|AMREX_(?:HOST_DEVICE_)?(?:PARALLEL_)?FOR_|AMREX_LAUNCH_|RAJA_LAMBDA|RAJA::(?:forall|kernel|launch)"
    rb"|HEMI_LAUNCHABLE|\b(?:thrust::(?:for_each|transform|generate|tabulate)|(?:hip)?cub::Device(?:For|Transform)::)\w*"
    rb"|(?:KOKKOS_\w*FUNCTION|ALPAKA_FN_ACC|DINLINE)[^;{}()]*\boperator\s*\(\s*\)"
)
_ITEM = pattern(rb"sycl\s*::\s*(?:item|id|group)\s*<|\]\((?:item|id)<\s*[123]\s*>")
_SYCL_WORDS = (b"sycl::", b"sycl/", b"SYCL/", b"nd_item", b"SYCL_EXTERNAL", b"namespace sycl", b"::sycl", b"sycl.hpp")
_BARE_ITEMS = tuple(b"](%s<%d>" % (item, rank) for item in (b"id", b"item") for rank in (1, 2, 3))
_HIP_WORDS = (
    b"hip/hip",
    b"hipLaunch",
    b"hipMem",
    b"hipMalloc",
    b"hipDevice",
    b"hipStream",
    b"hipError",
    b"hipEvent",
    b"hipThread",
    b"hipBlock",
)
_CUDA_WORDS = (
    b"cuda_runtime",
    b"cuda.h",
    b"cuda_fp16",
    b"cuda::",
    b"cudaMem",
    b"cudaMalloc",
    b"cudaDevice",
    b"cudaStream",
    b"cudaError",
    b"cudaEvent",
    b"cudaGet",
    b"cudaSet",
    b"cudaLaunch",
    b"cudaFree",
)
_DEVICE_WORDS = (b"Launch", b"threadIdx", b"ThreadIdx", b"blockIdx", b"BlockIdx", b"__shared__", b"__launch_bounds__")
_EXTENSIONS: dict[str, Language] = {"hip": "hip", "cu": "cuda", "cuh": "cuda"}


class _Counts(NamedTuple):
    """How often a text uses words of each language; `device` are those that CUDA and HIP share."""

    device: int
    sycl: int
    hip: int
    cuda: int

    @property
    def agree(self) -> bool:
        """True if no two languages claim the text."""
        return sum(map(bool, (self.sycl, self.hip, self.cuda))) < 2 and not (self.sycl and self.device)


def _counts(data: bytes) -> _Counts:
    return _Counts(
        data.count(b"__global__") + data.count(b"__device__") + data.count(b"<<<"),
        _count(data, (*_SYCL_WORDS, *_BARE_ITEMS), b"sycl", b"SYCL", b"nd_item", b"](i"),
        _count(data, _HIP_WORDS, b"hip"),
        _count(data, _CUDA_WORDS, b"cuda"),
    )


def _words_of_code(data: bytes) -> bytes:
    """A file without comments and strings; what its `#include`s name is kept."""
    from regpress_lint.cpp.lexical import lex

    lexed = lex(data)
    includes = [
        lexed.source[directive.start : directive.end] for directive in lexed.directives if directive.name == "include"
    ]
    return "\n".join((lexed.bare, *includes)).encode("latin-1")


def detect_language(path: str, data: bytes, words: tuple[bytes, ...] = ()) -> Language | None:
    """Language of a file, or None if it holds nothing for a GPU; `words` are those by which a project marks its own."""
    extension = path.rsplit(".", 1)[-1].lower() if "." in path else ""
    if extension in OPENCL_EXTENSIONS:
        return "opencl" if _OPENCL.search(data) is not None or included_parts(data) else None
    if b"__kernel" in data and _is_opencl(data):
        return "opencl"
    if not any(marker in data for marker in (*_MARKERS, *_LAYERED, *words)) and not (
        (b"<< <" in data and _SPACED_LAUNCH.search(data)) or (extension in _EXTENSIONS and included_parts(data))
    ):
        return None
    counts = _counts(data)
    if not counts.agree:  # a port often keeps the words of the old language in comments, and messages name both
        counts = _counts(_words_of_code(data))
    device, sycl, hip, cuda = counts
    # Who defines a `__global__` and nothing that SYCL runs only mentions SYCL: a header for all of them.
    if sycl > device and (b"__global__" not in data or any(word in data for word in _SYCL_KERNELS)):
        return "sycl"
    if hip or cuda:
        # HIP projects often keep the CUDA extension, and HIP code a mention of CUDA.
        return "hip" if hip > cuda or (hip == cuda and extension not in _EXTENSIONS) else "cuda"
    marks = (*_DEVICE_WORDS, *_LAYERED, *words)
    if extension not in _EXTENSIONS and not device and not any(word in data for word in marks):
        return None
    return "hip" if "-hip/" in path or "/hip/" in path else _EXTENSIONS.get(extension, "cuda")


def is_opencl_name(path: str) -> bool:
    """Whether a file is OpenCL C by its name."""
    return path.rpartition(".")[2].lower() in OPENCL_EXTENSIONS


def speaks_opencl(data: bytes) -> bool:
    """Whether a header uses OpenCL C's words without underscores."""
    return any(word in data for word in _BARE_WORDS) and any(bare.search(data) is not None for bare in _BARE)


def _is_opencl(data: bytes) -> bool:
    """Whether a file of another extension defines `__kernel` functions, and none of another language: a header that
    `.cl` files include, or a program with kernels in its literals.
    """
    if _OPENCL_KERNEL.search(data) is None or b"__global__" in data:
        return False
    code = _words_of_code(data)
    if any(word in code for word in (*_SYCL_WORDS, b"<<<")):
        return False
    if _OPENCL_KERNEL.search(code) is not None:
        return True
    return b"__device__" not in code and _has_literal_kernel(data)


def _has_literal_kernel(data: bytes) -> bool:
    """Whether a literal defines a kernel of OpenCL, as far as a glance tells."""
    from regpress_lint.cpp.lexical import lex

    comments = lex(data).comments
    matches = _LITERAL_KERNEL.finditer(data.replace(b'"', b" "))
    return any(not any(start <= match.start() < end for start, end in comments) for match in matches)


def _count(data: bytes, words: tuple[bytes, ...], *parts: bytes) -> int:
    """How often `words`, each of which has one of `parts` in it, occur in a file: most files have none of one API."""
    return sum(data.count(word) for word in words) if any(part in data for part in parts) else 0


def names_its_api(data: bytes) -> bool:
    """True if a file itself says whether it is CUDA or HIP; device code alone is the same in both."""
    return (b"cuda" in data and any(word in data for word in _CUDA_WORDS)) or (
        b"hip" in data and any(word in data for word in _HIP_WORDS)
    )


def stated_language(path: str, data: bytes) -> Language | None:
    """The language of a file that says itself, or by its name, whether it is CUDA or HIP, device code or not."""
    if is_opencl_name(path):
        return detect_language(path, data)
    if not names_its_api(data):
        return "hip" if path.endswith(".hip") else None
    counts = _counts(data)
    return detect_language(path, data) or ("hip" if counts.hip > counts.cuda else "cuda")


def included_parts(data: bytes) -> frozenset[bytes]:
    """Operands, with their quotes, of a file's `#include`s of its own parts: a text that it includes several times,
    each time with different macros, and one that is no source or header by its name: `#include "kernels.def"`.
    """
    times = Counter(_INCLUDED.findall(data))
    several = {name for name, number in times.items() if number > 1} if b"#undef" in data else set[bytes]()
    named = {name for name in times if name[1:-1].rpartition(b".")[2].decode("latin-1").lower() not in EXTENSIONS}
    return frozenset(several | named)


def may_hold_kernels(data: bytes, words: tuple[bytes, ...] = ()) -> bool:
    """False for a file that spells no kernel: it only launches some, or holds device helpers. No macros."""
    if (
        any(word in data for word in (*_KERNELS, *words))
        or (b"kernel" in data and _OPENCL_ENTRY.search(data))
        or ((b"sycl" in data or b"](i" in data) and _ITEM.search(data) is not None)
    ):
        return True
    return any(mark in data for mark in LAYER_MARKS) and _LAYER_KERNEL.search(data) is not None
