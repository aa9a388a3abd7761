"""Do the three versions of one program get the same findings? HeCBench has hundreds in CUDA, HIP and SYCL.

    python -m tools.measure.triples SRC [--arch gfx90a,sm_90] [--list] [--only PROGRAM ...] [--slice 1/4]

SRC is HeCBench's `src`: `NAME-cuda`, `NAME-hip` and `NAME-sycl` are versions of one program, `NAME-sycl` with bodies in
`.sycl` files and shared headers in `include`. A version is what its folder holds, and what that includes or its
Makefile compiles out of other folders: many HIP versions have their kernels in headers of the CUDA version. What a
CUDA folder has in SYCL, left over from a port, belongs to no version. All three are linted for the same GPUs. A pair is
a program and a rule of which at least one version has a finding on a target; it agrees if the versions have it at as
many places: what several kernels find in one line of a function of another file counts once. Rules that are not for
both languages make no pair: launch bounds in SYCL, sub-groups in CUDA, and on NVIDIA RP404 and RP601 in SYCL, because
nvcc copies tables and arguments that clang, which compiles SYCL, does not. Printed per target: the share of pairs that
agree, between each two of the languages, and for those that do not, why, out of a closed list, of which the first that
holds is named:

- `unit`: the body of a SYCL kernel is in another source file (`SYCL_EXTERNAL`), and unknown.
- `source`: the two do not contain the rule's constructs (`pow`, `sin`, private arrays, prints, constants of type
  double) equally often.
- `launch`: RP101, RP105, RP106 and RP108 where the versions do not have the same block sizes and dynamic LDS.
- `bounds`: RP101, RP102, RP104, RP105 and RP402 where the kernels do not have the same launch bounds.
- `kernels`: the versions do not have the same number of kernels.
- `header`: the finding is about a function of another file, and what is a kernel in one version is a function in the
  other.
- `restrict`: RP101, RP104, RP105, RP402 and RP501, which depend on the estimate, where the versions do not have
  `__restrict` as often: loads then move farther in one of them.
- `estimate`: the same rules, and hints that only one version has, where the versions' register estimates, kernel by
  kernel in their order, differ by no more than a quarter: a threshold is between them.
- `open`: none of these.

`--list` names every pair that does not agree, with its counts and its reason.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.core.settings import Profile
    from regpress_lint.core.source import Position

LANGUAGES = ("cuda", "hip", "sycl")
COUPLES = (("cuda", "hip"), ("cuda", "sycl"), ("hip", "sycl"))
_FOLDER = re.compile(rf"(.+)-({'|'.join(LANGUAGES)})")
_OF_NVCC = {"RP404", "RP601"}
_OF_BOUNDS = "RP104"  # SYCL has no launch bounds; what it reports there are options of the compile command
_ESTIMATED, _NEAR = {"RP101", "RP104", "RP105", "RP402", "RP501"}, 1.25
_LAUNCH = {"RP101", "RP105", "RP106", "RP108"}
_BOUNDED = {"RP101", "RP102", "RP104", "RP105", "RP402"}
_RESTRICT = re.compile(rb"\b__restrict(?:__)?\b")
_INCLUDED_FOLDER = re.compile(r"-I *(\.\./[\w.+/-]+)")
_COMPILED_FILE = re.compile(r"(?<![\w./])(\.\./[\w.+/-]+\.(?:cu|cpp|cc|hip))\b")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
# Words without which a rule has nothing to say; an array is a declaration with an extent.
_ARRAY = (
    rb"\b(?:sycl::)?(?:float|double|int|long|short|char|unsigned|half|bool|u?int\d*_t|float[234]|double[234])"
    rb"\s+\w+\s*\["
)
_WORDS = {
    "RP201": rb"\bpow[a-z]?\s*\(",
    "RP202": rb"\bdouble\b|\d\.\d*(?![\dfF])",
    "RP204": rb"\b(?:printf|assert|malloc|new)\b",
    "RP205": rb"\b(?:sin|cos)f?\s*\(",
    **dict.fromkeys(("RP402", "RP403", "RP404", "RP405", "RP407", "RP409"), _ARRAY),
    "RP501": rb"\bunroll\b",
    "RP801": rb"__shared__|local_accessor",
}


class Version(NamedTuple):
    """A version of a program: its folder, findings by rule and target, kernels with their bounds, the sizes of its
    launches, its text.
    """

    folder: Path
    counts: Mapping[tuple[str, str], int]
    kernels: int
    bounds: tuple[int, ...]
    launches: tuple[tuple[int | None, int | None], ...]
    text: bytes
    elsewhere: frozenset[tuple[str, str]]  # rules and targets with a finding about lines of another file


class Pair(NamedTuple):
    """A program and a rule on a target, and the number of findings in each of two languages."""

    program: str
    code: str
    target: str
    counts: tuple[int, int]
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """True if both versions have as many findings."""
        return self.counts[0] == self.counts[1]


def programs(root: Path) -> dict[str, dict[str, Path]]:
    """Folders by program and language, of programs that exist in all languages."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    for folder in sorted(root.iterdir()):
        if (match := _FOLDER.fullmatch(folder.name)) is not None and folder.is_dir():
            found[match[1]][match[2]] = folder
    return {name: folders for name, folders in found.items() if len(folders) == len(LANGUAGES)}


def sources(folder: Path) -> list[str]:
    """The files of a version: its folder, and what of the folders that its Makefile names is compiled or included."""
    own = [Path(file.path).resolve() for file in discover([str(folder)]).files]
    makefile = folder / "Makefile"
    text = makefile.read_text(errors="replace") if makefile.is_file() else ""
    beside = [(folder / name).resolve() for name in dict.fromkeys(_INCLUDED_FOLDER.findall(text))]
    compiled = [(folder / name).resolve() for name in _COMPILED_FILE.findall(text)]
    waiting = [*own, *(each for each in compiled if each.is_file())]
    found: dict[Path, None] = {}
    while waiting:
        path = waiting.pop(0)
        if path in found:
            continue
        found[path] = None
        for name in _INCLUDE.findall(path.read_text(errors="replace")):
            near = (place / name for place in (path.parent, folder, *beside))
            waiting += [next((each.resolve() for each in near if each.is_file()), path)]
    return [str(path) for path in found]


def version(folder: Path, targets: tuple[str, ...], profile: Profile = "default") -> Version:
    """Lint one version."""
    paths = sources(folder)
    projects = Projects(paths, [str(folder.parent)])
    settings = Settings(architectures=targets, profile=profile)
    places: set[tuple[str, str, str, Position]] = set()
    elsewhere: set[tuple[str, str]] = set()
    kernels, bounds, launches, text = 0, [], [], b""
    for path in paths:
        data = Path(path).read_bytes()
        language = detect_language(path, data)
        if language is None or (language == "sycl") != folder.name.endswith("-sycl"):
            continue
        report = lint_bytes(data, path, settings, project=partial(projects.of, path))
        for diagnostic in report.diagnostics:
            away = [one for one in diagnostic.related if one.location.path != diagnostic.location.path]
            # A note that begins so is where the finding would stand if it could.
            same = [one.location for one in away if one.message.startswith("the ") and one.message == away[0].message]
            same = same or [one.location for one in away[:1]] or [diagnostic.location]
            places.update(
                (diagnostic.code, target, one.path, one.start) for target in diagnostic.targets for one in same
            )
            elsewhere.update((diagnostic.code, target) for target in diagnostic.targets if away)
        kernels += report.kernels
        file = build_file(Source(path, data), language, projects.of(path))
        stated = [kernel.launch_bounds for kernel in file.kernels if kernel.launch_bounds is not None]
        bounds += [each.max_threads for each in stated if each.max_threads]
        launches += [(launch.block_size, launch.dynamic_lds_bytes) for launch in file.launches]
        text += _COMMENT.sub(b"", data)
    counts = Counter((code, target) for code, target, *_ in places)
    sizes = tuple(sorted(launches, key=repr))
    return Version(folder, counts, kernels, tuple(sorted(bounds)), sizes, text, frozenset(elsewhere))


@cache
def with_hints(folder: Path, target: str) -> Mapping[tuple[str, str], int]:
    """Findings of a version that the strict profile shows."""
    return version(folder, (target,), "strict").counts


@cache
def estimates(folder: Path, target: str) -> tuple[int, ...]:
    """Register estimates of a version's kernels, in the order of files and lines."""
    paths = sources(folder)
    projects = Projects(paths, [str(folder.parent)])
    found: list[int] = []
    for path in paths:
        settings = Settings(architectures=(target,))
        analysis = analyse(Path(path).read_bytes(), path, settings, partial(projects.of, path))
        if not isinstance(analysis, Skipped):
            facts = (analysis.facts(kernel) for kernel in analysis.file.kernels)
            found += [each.target(target).registers.estimate for each in facts if target in each.targets]
            analysis.close()
    return tuple(found)


def _near(one: Sequence[int], other: Sequence[int]) -> bool:
    """True if no estimate is more than a quarter above its counterpart."""
    return len(one) == len(other) and all(max(a, b) <= _NEAR * min(a, b) for a, b in zip(one, other, strict=True))


def languages_of() -> dict[str, tuple[str, ...]]:
    """The languages that each rule is for, empty for all."""
    return {rule.code: rule.scope.languages for rule in registry.load().rules}


def pairs(name: str, versions: Mapping[str, Version], targets: Sequence[str]) -> Iterator[tuple[str, str, Pair]]:
    """All pairs of a program, with the two languages that are compared."""
    scopes = languages_of()
    for left, right in COUPLES:
        one, other = versions[left], versions[right]
        for code, target in sorted({*one.counts, *other.counts}):
            scope = scopes.get(code, ())
            of_nvcc = right == "sycl" and code in _OF_NVCC and target.startswith("sm_")
            of_bounds = right == "sycl" and code == _OF_BOUNDS
            if target in targets and not (of_nvcc or of_bounds) and (not scope or {left, right} <= {*scope}):
                counts = (one.counts.get((code, target), 0), other.counts.get((code, target), 0))
                pair = Pair(name, code, target, counts)
                yield left, right, pair if pair.agrees else pair._replace(reason=reason(pair, one, other, right))


def reason(pair: Pair, one: Version, other: Version, language: str) -> str:
    """Why two versions do not have as many findings of a rule."""
    if language == "sycl" and b"SYCL_EXTERNAL" in other.text and pair.counts[0] > pair.counts[1]:
        return "unit"
    word = _WORDS.get(pair.code)
    if word is not None and len(re.findall(word, one.text)) != len(re.findall(word, other.text)):
        return "source"
    if pair.code in _LAUNCH and one.launches != other.launches:
        return "launch"
    if pair.code in _BOUNDED and one.bounds != other.bounds:
        return "bounds"
    if one.kernels != other.kernels:
        return "kernels"
    if (pair.code, pair.target) in one.elsewhere | other.elsewhere:
        return "header"
    if pair.code in _ESTIMATED and len(_RESTRICT.findall(one.text)) != len(_RESTRICT.findall(other.text)):
        return "restrict"
    key = (pair.code, pair.target)
    hinted = len({with_hints(each.folder, pair.target).get(key, 0) for each in (one, other)}) == 1
    near = (hinted or pair.code in _ESTIMATED) and _near(
        *(estimates(each.folder, pair.target) for each in (one, other))
    )
    return "estimate" if near else "open"


def _of_program(job: tuple[str, dict[str, Path], tuple[str, ...]]) -> list[tuple[str, str, Pair]]:
    name, folders, targets = job
    versions = {language: version(folder, targets) for language, folder in folders.items()}
    return list(pairs(name, versions, targets))


def report(found: Iterable[tuple[str, str, Pair]], targets: Sequence[str]) -> Iterator[str]:
    """The table, as lines."""
    everything = list(found)
    for target in targets:
        for left, right in COUPLES:
            here = [pair for one, other, pair in everything if (one, other, pair.target) == (left, right, target)]
            same = sum(pair.agrees for pair in here)
            share = same / len(here) if here else 1.0
            reasons = Counter(pair.reason for pair in here if not pair.agrees)
            told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
            explained = same + sum(reasons.values()) - reasons["open"]
            whole = explained / len(here) if here else 1.0
            yield (
                f"{target:8} {left:4} {right:4} {same:4} of {len(here):4} agree ({share:.1%}), "
                f"{whole:.1%} agree or have a reason: {told or 'none'}"
            )


def main() -> int:
    """Run the comparison."""
    from concurrent.futures import ProcessPoolExecutor

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--arch", default="gfx90a,sm_90")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", default=())
    parser.add_argument("--slice", default="1/1", help="K/N: every Nth program, from the Kth on")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    targets = tuple(arguments.arch.split(","))
    wanted = programs(arguments.source)
    first, step = map(int, arguments.slice.split("/"))
    wanted = dict(list(wanted.items())[first - 1 :: step])
    jobs = [
        (name, folders, targets) for name, folders in wanted.items() if not arguments.only or name in arguments.only
    ]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        found = [one for each in pool.map(_of_program, jobs, chunksize=4) for one in each]
    print(f"{len(jobs)} programs in {', '.join(LANGUAGES)}")
    for line in report(found, targets):
        print(line)
    if arguments.list:
        for left, right, pair in found:
            if not pair.agrees:
                shown = f"{left} {pair.counts[0]}, {right} {pair.counts[1]}"
                print(f"  {pair.target:8} {pair.code} {pair.program:32} {shown:20} {pair.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
