"""What libclang adds: sizes, trip counts, widths and block sizes that are unknown without it and with it.

    python benchmarks/semantic_gain.py TREE [-p BUILD_DIR] [--languages hip,cuda] [--names 10] [--no-lint] [--off]
                                       [--seconds 10] [--under FOLDER]

TREE is a folder with HIP, CUDA and SYCL sources (HeCBench's `src`, a checkout). Every file is modelled twice, with the
semantic tier off and on, and asked what the rules ask: see `open_questions.py` for what a question is, and for the
reasons that split the open ones (`run time` ones are open for every compiler). Reasons are those of the run without the
tier, so that a row can be read from left to right. A place that only one of the runs sees (a callee that only libclang
finds) is counted apart.

With -p the compile commands of a build folder are used. `--names` prints what is asked for most often and still open.
Then each file is linted with all rules in both ways, in one process: seconds a file, median, 90th percentile, total;
`--no-lint` leaves that out. `--off` is for a tree of which only the numbers without the tier are wanted. `--under`
counts only files below a folder; the others are still in view.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from open_questions import KINDS, REASONS, Question, questions

from regpress_lint.discovery import discover
from regpress_lint.frontend import build_file, detect_language
from regpress_lint.headers import Projects
from regpress_lint.linter import lint_bytes
from regpress_lint.settings import Settings
from regpress_lint.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from open_questions import Kind

Key = tuple["Kind", str, int]
_SECONDS = 10.0
_SHOWN = 10


class Tree(NamedTuple):
    """The files to look at, and how libclang gets at them. build: a folder with compile commands, "" for none."""

    root: str
    paths: tuple[str, ...]
    build: str
    languages: frozenset[str]
    seconds: float
    under: str = ""

    def projects(self, *, on: bool) -> Projects:
        """Projects with the tier off or on."""
        return Projects(self.paths, [self.root], (), self.seconds if on else 0)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Path and content of what is counted."""
        limit = Settings().max_file_bytes
        for path in self.paths:
            if path.startswith(self.under):
                data = Path(path).read_bytes()
                if len(data) <= limit and detect_language(path, data) is not None:
                    yield path, data


class Run(NamedTuple):
    """Every place that is asked about, and what libclang had to say: answers by kind of question."""

    places: Mapping[Key, Question]
    answers: Counter[str]
    uncertain: int
    failed: tuple[str, ...]


class Row(NamedTuple):
    """One kind of question. `off` and `on` are open places by reason (that of the run without the tier)."""

    kind: Kind
    places: int
    off: Counter[str]
    on: Counter[str]


def run(tree: Tree, *, on: bool) -> Run:
    """Model all files and ask them everything."""
    projects, settings = tree.projects(on=on), Settings()
    places: dict[Key, Question] = {}
    answers: Counter[str] = Counter()
    uncertain, failed = 0, []
    for path, data in tree.files():
        language = detect_language(path, data)
        assert language is not None
        try:
            file = build_file(Source(path, data), language, projects.of(path))
            if tree.languages and file.language not in tree.languages:
                continue
            for found in questions(file, settings):
                merge(places, found)
        except Exception as error:  # one file must not end a run of an hour
            failed.append(f"{path}: {error.__class__.__name__}: {error}"[:200])
            continue
        answers.update(settled.kind for settled in file.settled())
        uncertain += sum(not settled.answer.certain for settled in file.settled())
    return Run(places, answers, uncertain, tuple(failed))


def merge(places: dict[Key, Question], found: Question) -> None:
    """Add a place. A header's is seen by several files: it is open if it is for one of them."""
    key = (found.kind, found.path, found.start)
    if key not in places or (found.why and not places[key].why):
        places[key] = found


def rows(off: Mapping[Key, Question], on: Mapping[Key, Question]) -> list[Row]:
    """The table: places that both runs see."""
    result = []
    for kind in KINDS:
        both = [key for key in off if key[0] == kind and key in on]
        before = Counter[str](off[key].why for key in both if off[key].why)
        after = Counter[str](off[key].why or on[key].why for key in both if on[key].why)
        result.append(Row(kind, len(both), before, after))
    return result


def show(table: Iterable[Row]) -> None:
    """Print the rows."""
    width = 10
    parts = ("open", *REASONS)
    print(f"{'':12s}{'places':>{width}s}  {'without libclang':<{4 * width + 2}s}  with it")
    print(f"{'':12s}{'':{width}s}" + 2 * ("  " + "".join(f"{part:>{width}s}" for part in parts)))
    for row in table:
        cells = ((count.total(), *(count[reason] for reason in REASONS)) for count in (row.off, row.on))
        halves = "".join("  " + "".join(f"{cell:>{width}d}" for cell in half) for half in cells)
        print(f"{row.kind:12s}{row.places:>{width}d}{halves}")


def show_failed(off: Sequence[str], on: Sequence[str]) -> None:
    """Print the first files that could not be modelled."""
    failed = tuple(dict.fromkeys((*off, *on)))
    for line in failed[:_SHOWN]:
        print("failed:", line)
    if failed:
        print(f"files that could not be modelled: {len(failed)}")


def show_names(places: Iterable[Question], most: int) -> None:
    """Print what is asked for most often and open, of what a compiler could know."""
    named: dict[tuple[Kind, str], Counter[str]] = {}
    example: dict[tuple[str, str, str], str] = {}
    for one in places:
        if one.why in ("template", "constant"):
            named.setdefault((one.kind, one.why), Counter())[one.about] += 1
            example.setdefault((one.kind, one.why, one.about), f"{one.path} ({one.kernel})")
    for (kind, why), count in sorted(named.items()):
        print(f"{kind}, {why}: {count.total()}")
        for about, number in count.most_common(most):
            print(f"    {number:5d}  {about[:70]:70s}  {example[kind, why, about]}")


def lint_seconds(tree: Tree, *, on: bool) -> list[float]:
    """Seconds that each file takes with all rules; the first file pays for what is loaded once."""
    projects, settings = tree.projects(on=on), Settings()
    found = []
    for path, data in tree.files():
        begin = time.perf_counter()
        lint_bytes(data, path, settings, project=lambda path=path: projects.of(path))  # type: ignore[misc]
        found.append(time.perf_counter() - begin)
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share of all is not above; 0 of none."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def show_seconds(name: str, seconds: Sequence[float]) -> None:
    """Print one line of times."""
    print(f"{name:18s}{len(seconds):>8d} files  median {1000 * percentile(seconds, 0.5):7.1f} ms  "
          f"90th percentile {1000 * percentile(seconds, 0.9):7.1f} ms  "
          f"slowest {max(seconds, default=0):6.2f} s  total {sum(seconds):7.1f} s")  # fmt: skip


def main() -> int:
    """Count, print, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("-p", "--build", default="", help="folder with compile_commands.json")
    parser.add_argument("--languages", default="", help="only these: cuda,hip,sycl")
    parser.add_argument("--under", type=Path, help="count only files below this folder")
    parser.add_argument(
        "--names", type=int, default=0, help="how many names that are still open to print, of each kind"
    )
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="what libclang may take for one file")
    parser.add_argument("--no-lint", action="store_true", help="do not measure times")
    parser.add_argument("--off", action="store_true", help="only without libclang")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    root = str(args.tree.absolute())
    paths = tuple(candidate.path for candidate in discover([root]).files)
    languages = frozenset(filter(None, args.languages.split(",")))
    under = str(args.under.absolute()) if args.under is not None else ""
    tree = Tree(root, paths, args.build, languages, args.seconds, under)
    off = run(tree, on=False)
    on = off if args.off else run(tree, on=True)
    show(rows(off.places, on.places))
    only = Counter(key[0] for key in on.places if key not in off.places)
    if only:
        print("only with libclang: " + ", ".join(f"{count} {kind}" for kind, count in only.most_common()))
    if on.answers:
        told = ", ".join(f"{count} {kind}" for kind, count in on.answers.most_common())
        print(f"libclang answered: {told}; {on.uncertain} of them without all headers")
    show_failed(off.failed, on.failed)
    if args.names:
        show_names(on.places.values(), args.names)
    if not args.no_lint:
        show_seconds("lint, tier off", lint_seconds(tree, on=False))
        if not args.off:
            show_seconds("lint, tier on", lint_seconds(tree, on=True))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
