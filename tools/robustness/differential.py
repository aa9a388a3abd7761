"""Ways to the same answer, over real programs: whatever differs is printed, and the exit status is 1.

    python -m tools.robustness.differential FOLDER ... [--every N] [--ways jobs,alone,cache,server,libclang]

Each FOLDER is a project of its own. Its answer of `check`, with one process, no cache and no libclang, is compared with

jobs      that of two processes
alone     those of its files, one by one; what is in an included file that is not named is told at its call, as it has
          to be, and is no difference
cache     that with an empty cache, and that of a second run, which finds all in it
server    what an editor is shown: code and line of each finding
libclang  that with libclang: the same kernels, what was known of each stays as it was (block size, local memory, read
          whole), and no error is taken back

`--every N` takes each N-th folder. A file that two of its includers read differently is told by its first one in all
ways; a finding without a file of its own is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from regpress_lint.__main__ import main as command
from regpress_lint.lint.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GPUS = ("--arch", "gfx90a,sm_90")
PLAIN = ("-j", "1", "--no-cache", "--semantic", "off")
SHOWN = 6  # differences of one way and folder that are printed


class Difference(NamedTuple):
    """One that is only in the plain answer, or only in the other."""

    way: str
    side: str
    what: object


def told(*words: str) -> Any:
    """A command's JSON."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = command((*words, "--isolated", "--output-format", "json"))
    if status not in (0, 1):
        raise RuntimeError(f"{words}: status {status}: {errors.getvalue()[:300]}")
    return json.loads(out.getvalue())


def findings(*words: str, elsewhere: bool = True) -> Counter[tuple[object, ...]]:
    """Findings of a run, with all that a reader sees of them; elsewhere: also those told at a call of another file."""
    found = told("check", *GPUS, *words)["diagnostics"]
    return Counter(
        (Path(each["path"]).as_posix(), each["start"]["byte"], each["code"], each["severity"], each["message"])
        for each in found
        if elsewhere or all(one["path"] == each["path"] for one in each["related"])
    )


def compared(way: str, plain: Counter[Any], other: Counter[Any]) -> Iterator[Difference]:
    """Differences between two answers."""
    yield from (Difference(way, "plain", element) for element in (plain - other).elements())
    yield from (Difference(way, way, element) for element in (other - plain).elements())


def jobs(_folder: str, files: Sequence[str], plain: Counter[Any]) -> Iterator[Difference]:
    """Two processes."""
    yield from compared("jobs", plain, findings("-j", "2", *PLAIN[2:], *files))


def alone(_folder: str, files: Sequence[str], plain: Counter[Any]) -> Iterator[Difference]:
    """Each file by itself."""
    every = sum((findings(*PLAIN, path) for path in files), Counter[Any]())
    own = sum((findings(*PLAIN, path, elsewhere=False) for path in files), Counter[Any]()) if every != plain else every
    yield from (Difference("alone", "plain", element) for element in (plain - every).elements())
    yield from (Difference("alone", "alone", element) for element in (own - plain).elements())


def cache(_folder: str, files: Sequence[str], plain: Counter[Any]) -> Iterator[Difference]:
    """A cache that is empty, and one that is not."""
    with tempfile.TemporaryDirectory() as where:
        for way in ("cold", "warm"):
            again = findings("-j", "1", "--cache-dir", where, "--semantic", "off", *files)
            yield from compared(f"cache, {way}", plain, again)


def server(_folder: str, files: Sequence[str], plain: Counter[Any]) -> Iterator[Difference]:
    """The editor, which has nothing but a text and where it lies."""
    from server_helpers import editor

    lines = Counter((path, code, _line(path, byte)) for path, byte, code, _, _ in plain.elements())
    shown: Counter[Any] = Counter()
    with editor("--isolated", *GPUS, folder=".") as client:
        for path in files:
            text = Path(path).read_bytes().decode("utf-8", "replace")
            uri = client.open(Path(path).resolve(), text)
            shown.update(
                (path, diagnostic["code"], diagnostic["range"]["start"]["line"])
                for diagnostic in client.diagnostics(uri)
            )
            client.notify("textDocument/didClose", textDocument={"uri": uri})
    yield from compared("server", lines, shown)


def libclang(_folder: str, files: Sequence[str], plain: Counter[Any]) -> Iterator[Difference]:
    """What libclang adds may not take back what was certain without it."""
    off, on = (_known(*PLAIN[:3], "--semantic", way, *files) for way in ("off", "on"))
    for name, before in off.items():
        after = on.get(name)
        lost = before if after is None else {key: value for key, value in before.items() if after[key] != value}
        if lost:
            yield Difference("libclang", "plain", (*name, lost, after))
    errors = Counter({each: count for each, count in plain.items() if each[3] == "error"})
    yield from compared("libclang", errors, errors & findings(*PLAIN[:3], "--semantic", "on", *files))


def _known(*words: str) -> dict[tuple[object, ...], dict[str, object]]:
    """The certain facts of each kernel."""
    rows = told("kernels", *GPUS, *words)["kernels"]
    return {(row["path"], row["line"], row["name"]): _certain(row) for row in rows}


def _certain(row: dict[str, Any]) -> dict[str, object]:
    said = {"lds_bytes": row["lds_bytes"]} if row["lds_bytes"] else {}
    if row["block_size_from"] != "assumed":
        said["block_size"] = row["block_size"]
    return {**said, **({"complete": True} if row["complete"] else {})}


def _line(path: str, byte: int) -> int:
    return Path(path).read_bytes().count(b"\n", 0, byte)


WAYS: dict[str, Callable[[str, Sequence[str], Counter[Any]], Iterator[Difference]]] = {
    "jobs": jobs, "alone": alone, "cache": cache, "server": server, "libclang": libclang,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the first of them")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no further folder after so many")
    given = parser.parse_args(arguments)
    ways = given.ways.split(",")
    checked, counts, differing = Counter[str](), Counter[str](), Counter[str]()
    begin = time.monotonic()
    for folder in given.folders[given.start :: given.every]:
        if time.monotonic() - begin > given.seconds:
            break
        os.chdir(folder)
        files = sorted(Path(file.path).as_posix() for file in discover(["."]).files)
        plain = findings(*PLAIN, *files) if files else Counter[tuple[object, ...]]()
        counts.update(folders=1, files=len(files), findings=plain.total())
        for way in ways if files else ():
            found = list(WAYS[way](folder, files, plain))
            checked[way] += 1
            differing[way] += bool(found)
            for difference in found[:SHOWN]:
                print(f"{folder}: {difference.way}: only in {difference.side}: {difference.what}", flush=True)
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    for way in ways:
        print(f"{way:<10}{checked[way]:>5} compared{differing[way]:>5} differ")
    return 1 if differing.total() else 0


if __name__ == "__main__":
    sys.exit(main())
