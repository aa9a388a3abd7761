"""What libclang adds: sizes, trip counts, widths and block sizes that are unknown without it and with it.

    python -m tools.measure.semantic_gain TREE [-p BUILD_DIR] [--languages hip,cuda] [--names 10] [--no-lint]
                                       [--runs plain,commands,libclang] [--seconds 10] [--under FOLDER] [--every 4]

TREE is a folder with HIP, CUDA and SYCL sources (HeCBench's `src`, a checkout). Every file is modelled several times
and asked what the rules ask: see `open_questions.py` for what a question is, and for the reasons that split the open
ones (`run time` ones are open for every compiler).

plain      the source alone
commands   with the compile commands of BUILD_DIR, but without libclang; only with -p
libclang   with both (with -p), or with libclang alone

Reasons are those of the first run, so that a row can be read from left to right. A place that only one of the runs sees
(a callee that only libclang finds) is counted apart. `--names` prints what is requested most often and still open.

Then each file is linted with all rules in all ways, in one process: seconds per file, median, 90th percentile, total;
`--no-lint` leaves that out, `--every N` takes only every Nth file. `--under` counts only files below a folder; the
others are still visible.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.work import Scope
from regpress_lint.program import build_file, detect_language
from tools.measure.open_questions import KINDS, REASONS, Question, questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tools.measure.open_questions import Kind

Key = tuple["Kind", str, int]
_SECONDS = 10.0
_SHOWN = 10


class Tree(NamedTuple):
    """The files to look at. under: only those whose paths begin so count."""

    root: str
    paths: tuple[str, ...]
    languages: frozenset[str]
    under: str = ""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Path and content of a counted file."""
        limit = Settings().max_file_bytes
        for path in self.paths:
            if path.startswith(self.under):
                data = Path(path).read_bytes()
                if len(data) <= limit and detect_language(path, data) is not None:
                    yield path, data


class Run(NamedTuple):
    """Every place with a question, and libclang's answers by kind of question."""

    places: Mapping[Key, Question]
    answers: Counter[str]
    uncertain: int
    failed: tuple[str, ...]


class Row(NamedTuple):
    """One kind of question. opened: open places of each run by reason (that of the first run)."""

    kind: Kind
    places: int
    opened: tuple[Counter[str], ...]


def settings_of(name: str, build: str | None, seconds: float) -> Settings:
    """Settings of a run by its name."""
    return Settings(
        semantic="on" if name == "libclang" else "off",
        build_dir=build if name != "plain" else None,
        semantic_seconds=seconds,
    )


def run(tree: Tree, settings: Settings) -> Run:
    """Model all files and ask them everything."""
    known = Scope(settings, tuple(tree.paths), (tree.root,)).projects()
    places: dict[Key, Question] = {}
    answers: Counter[str] = Counter()
    uncertain, failed = 0, []
    for path, data in tree.files():
        language = detect_language(path, data)
        assert language is not None
        try:
            file = build_file(Source(path, data), language, known.of(path))
            if tree.languages and file.language not in tree.languages:
                continue
            for question in questions(file, settings):
                merge(places, question)
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


def rows(runs: Sequence[Mapping[Key, Question]]) -> list[Row]:
    """The table: places that all runs see."""
    first = runs[0]
    result = []
    for kind in KINDS:
        shared = [key for key in first if key[0] == kind and all(key in other for other in runs)]
        opened = tuple(Counter[str](first[key].why or one[key].why for key in shared if one[key].why) for one in runs)
        result.append(Row(kind, len(shared), opened))
    return result


def show(names: Sequence[str], table: Iterable[Row]) -> None:
    """Print the rows."""
    width, parts = 9, ("open", *REASONS)
    print(f"{'':9s}{'places':>{width}s}" + "".join(f"  {name:>{width}s}{'':{3 * width}s}" for name in names))
    print(f"{'':9s}{'':{width}s}" + len(names) * ("  " + "".join(f"{part:>{width}s}" for part in parts)))
    for row in table:
        cells = ((count.total(), *(count[reason] for reason in REASONS)) for count in row.opened)
        print(f"{row.kind:9s}{row.places:>{width}d}"
              + "".join("  " + "".join(f"{cell:>{width}d}" for cell in part) for part in cells))  # fmt: skip


def show_news(names: Sequence[str], runs: Sequence[Run]) -> None:
    """Print what only a later run sees, and what libclang answered."""
    for name, one in list(zip(names, runs, strict=True))[1:]:
        only = Counter(key[0] for key in one.places if key not in runs[0].places)
        gone = Counter(key[0] for key in runs[0].places if key not in one.places)
        for word, count in (("only", only), ("not", gone)):
            if count:
                print(f"{word} with {name}: " + ", ".join(f"{number} {kind}" for kind, number in count.most_common()))
        if one.answers:
            told = ", ".join(f"{number} {kind}" for kind, number in one.answers.most_common())
            print(f"libclang answered: {told}; {one.uncertain} of them without all headers")


def show_failed(failed: Sequence[str]) -> None:
    """Print the first files that could not be modelled."""
    for line in failed[:_SHOWN]:
        print("failed:", line)
    if failed:
        print(f"files that could not be modelled: {len(failed)}")


def show_names(places: Iterable[Question], most: int) -> None:
    """Print the most frequent open questions that a compiler could answer."""
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


def lint_seconds(tree: Tree, settings: Settings, every: int = 1) -> list[float]:
    """Seconds that each (every Nth) file takes with all rules; the first file includes the time of loading modules."""
    known = Scope(settings, tuple(tree.paths), (tree.root,)).projects()
    found = []
    for path, data in islice(tree.files(), 0, None, every):
        begin = time.perf_counter()
        lint_bytes(data, path, settings, project=partial(known.of, path))
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
    parser.add_argument("-p", "--build", type=Path, help="folder with compile_commands.json")
    parser.add_argument("--languages", default="", help="only these: cuda,hip,sycl")
    parser.add_argument("--under", type=Path, help="count only files below this folder")
    parser.add_argument(
        "--names", type=int, default=0, help="how many names that are still open to print, of each kind"
    )
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="what libclang may take for one file")
    parser.add_argument("--no-lint", action="store_true", help="do not measure times")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="measure the times of every Nth file")
    parser.add_argument("--runs", default="plain,commands,libclang", help="only these, the first to compare with")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    root, build = str(args.tree.absolute()), None if args.build is None else str(args.build.absolute())
    paths = tuple(candidate.path for candidate in discover([root]).files)
    under = str(args.under.absolute()) if args.under is not None else ""
    tree = Tree(root, paths, frozenset(filter(None, args.languages.split(","))), under)
    names = [name for name in args.runs.split(",") if name != "commands" or build is not None]
    settings = [settings_of(name, build, args.seconds) for name in names]
    runs = [run(tree, one) for one in settings]
    show(names, rows([one.places for one in runs]))
    show_news(names, runs)
    show_failed([f"{name}: {line}" for name, one in zip(names, runs, strict=True) for line in one.failed])
    if args.names:
        show_names(runs[-1].places.values(), args.names)
    if not args.no_lint:
        for name, one in zip(names, settings, strict=True):
            show_seconds(f"lint, {name}", lint_seconds(tree, one, args.every))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
