"""The cache file: entries are read back as written, and any other content counts as an empty cache."""

from __future__ import annotations

import os
import random
import stat
import time
from typing import TYPE_CHECKING

import pytest

from regpress_lint.core.digests import digest_of
from regpress_lint.lint import cache, cache_validation
from regpress_lint.lint.cache import Cache, Dependency, Entry, clean, default_folder
from regpress_lint.lint.cache_validation import Digests

if TYPE_CHECKING:
    from pathlib import Path

KEY = "0" * 32
OTHER = "1" * 32
ONE = Entry("src", (Dependency("file", "src/a.cu", "d1"), Dependency("named", "a.h", "()", "q")), b'["one"]')
TWO = Entry(".", (Dependency("file", "src/a.cu", "d2"),), b'["two"]')
THREE = Entry("src", (Dependency("file", "src/b.cu", "d3"),), b'["three"]')
STAMPS = {"src/a.cu": ((1, 2, 3, 4), "d1"), "src/gone.cu": ((1, 2, 3, 5), "d9")}


def store(tmp_path: Path, tool: str = "tool") -> Cache:
    return Cache(str(tmp_path / "cache"), tool)


def put(where: Cache, key: str = KEY, **found: Entry) -> None:
    """Add answers about `src/NAME.cu` to the cache."""
    where.write(key, where.load(key), {f"src/{name}.cu": entry for name, entry in found.items()}, {}, STAMPS)


def held(where: Cache, key: str = KEY) -> dict[str, list[Entry | None]]:
    """All that a pack holds."""
    pack = where.load(key)
    return {path: [pack.entry(path, number) for number, _, _ in pack.variants(path)] for path in pack.paths}


def test_written_entries_are_read_back(tmp_path: Path) -> None:
    put(store(tmp_path), a=ONE, b=THREE)
    assert held(store(tmp_path)) == {"src/a.cu": [ONE], "src/b.cu": [THREE]}
    pack = store(tmp_path).load(KEY)
    assert pack.stamps == {"src/a.cu": STAMPS["src/a.cu"]}  # of files that no answer came from nothing is kept
    assert held(store(tmp_path), OTHER) == {}
    assert sorted(os.listdir(tmp_path / "cache")) == [".gitignore", f"{KEY}.pack", "CACHEDIR.TAG"]


def test_cache_is_readable_only_by_its_user(tmp_path: Path) -> None:
    """The cache tells about a project, which other users of a machine must not read."""
    put(store(tmp_path), a=ONE)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


def test_answers_of_another_program_count_for_nothing(tmp_path: Path) -> None:
    put(store(tmp_path), a=ONE)
    assert held(store(tmp_path, "newer")) == {}
    put(store(tmp_path, "newer"), b=THREE)
    assert held(store(tmp_path, "newer")) == {"src/b.cu": [THREE]}


def test_the_newest_answer_comes_first_and_few_are_kept(tmp_path: Path) -> None:
    where = store(tmp_path)
    put(where, a=ONE)
    put(where, a=TWO)
    assert held(where)["src/a.cu"] == [TWO, ONE]
    put(where, a=ONE)
    assert held(where)["src/a.cu"] == [ONE, TWO]
    more = [ONE._replace(data=b'["%d"]' % number) for number in range(5)]
    for entry in more:
        put(where, a=entry)
    assert held(where)["src/a.cu"] == more[: -cache.MAX_VARIANTS - 1 : -1]


def test_the_answer_that_was_right_comes_first(tmp_path: Path) -> None:
    where = store(tmp_path)
    put(where, a=ONE)
    put(where, a=TWO)
    where.write(KEY, where.load(KEY), {"src/b.cu": THREE}, {"src/a.cu": 1}, {})
    assert held(where) == {"src/a.cu": [ONE, TWO], "src/b.cu": [THREE]}


def test_of_two_runs_that_write_at_once_both_are_kept(tmp_path: Path) -> None:
    where = store(tmp_path)
    put(where, a=ONE)
    read = where.load(KEY)
    put(store(tmp_path), b=THREE)
    where.write(KEY, read, {"src/c.cu": TWO}, {"src/a.cu": 0}, {})
    assert sorted(held(where)) == ["src/a.cu", "src/b.cu", "src/c.cu"]


def test_a_pack_that_is_cut_short_or_changed_gives_nothing_that_was_not_put_in(tmp_path: Path) -> None:
    where = store(tmp_path)
    put(where, a=ONE, b=THREE)
    path = tmp_path / "cache" / f"{KEY}.pack"
    whole = path.read_bytes()
    dice = random.Random(13)
    damaged = [whole[:length] for length in range(0, len(whole), 7)]
    for _ in range(200):
        index, byte = dice.randrange(len(whole)), dice.randrange(256)
        damaged.append(whole[:index] + bytes([byte]) + whole[index + 1 :])
    damaged += [b"", b"\0" * 100, b"{}", b"regpress-lint cache 1\n", b"regpress-lint cache 1 x -1\n", whole + b"more"]
    damaged.append(whole.replace(b"cache 1", b"cache 2"))
    for data in damaged:
        path.write_bytes(data)
        for entries in held(where).values():
            assert {entry for entry in entries if entry is not None} <= {ONE, THREE}


@pytest.mark.parametrize(
    "index", [b"[]", b"null", b'{"stamps": 1}', b'{"stamps":[],"dependencies":[["file"]],"entries":{}}', b"[" * 100_000]
)
def test_forged_index_is_ignored(tmp_path: Path, index: bytes) -> None:
    where = store(tmp_path)
    put(where, a=ONE)
    check = digest_of(index, b"tool").encode()
    (tmp_path / "cache" / f"{KEY}.pack").write_bytes(b"regpress-lint cache 1 %b %d\n%b" % (check, len(index), index))
    assert held(where) == {}


def test_unwritable_folder_is_not_a_failure(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    put(store(tmp_path), a=ONE)
    assert held(store(tmp_path)) == {}


def test_the_packs_that_were_not_used_for_longest_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = store(tmp_path)
    keys = [f"{number:032x}" for number in range(4)]
    for age, key in enumerate(keys):
        put(where, key, a=ONE)
        os.utime(tmp_path / "cache" / f"{key}.pack", (time.time() - age * 1000,) * 2)
    left_behind = tmp_path / "cache" / f"{KEY}.pack.4711.part"
    left_behind.write_bytes(b"half")
    os.utime(left_behind, (0, 0))
    foreign = tmp_path / "cache" / "somebody.pack"
    foreign.write_bytes(b"x" * 100_000)
    size = (tmp_path / "cache" / f"{keys[0]}.pack").stat().st_size
    monkeypatch.setattr(cache, "MAX_BYTES", 3 * size)
    put(where, OTHER, a=ONE)
    assert sorted(os.listdir(tmp_path / "cache")) == sorted(
        [".gitignore", "CACHEDIR.TAG", "somebody.pack", *(f"{key}.pack" for key in (keys[0], keys[1], OTHER))]
    )


def test_pack_is_bounded_and_keeps_new_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_PACK_BYTES", 2 * len(ONE.data))
    where = store(tmp_path)
    put(where, a=ONE)
    put(where, z=TWO)
    put(where, y=ONE)
    assert "src/y.cu" in held(where)
    assert len(held(where)) == 2


def test_a_pack_that_is_read_counts_as_used(tmp_path: Path) -> None:
    put(store(tmp_path), a=ONE)
    path = tmp_path / "cache" / f"{KEY}.pack"
    os.utime(path, (1000, 1000))
    store(tmp_path).load(KEY)
    assert path.stat().st_mtime > time.time() - 60


def test_cleaning_removes_what_is_ours_and_nothing_else(tmp_path: Path) -> None:
    where = store(tmp_path)
    put(where, a=ONE)
    put(where, OTHER, a=ONE)
    (tmp_path / "cache" / "notes.txt").write_text("mine")
    done = clean(where.folder)
    assert done.files == 2
    assert done.size > 0
    assert os.listdir(tmp_path / "cache") == ["notes.txt"]
    (tmp_path / "cache" / "notes.txt").unlink()
    (tmp_path / "cache" / ".gitignore").write_text("mine")
    assert clean(where.folder) == (0, 0, ())
    assert os.listdir(tmp_path / "cache") == [".gitignore"]
    assert clean(str(tmp_path / "absent")) == (0, 0, ())


def test_the_default_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_folder() == str(tmp_path / ".cache" / "regpress-lint")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == str(tmp_path / "xdg" / "regpress-lint")


# ---------------------------------------------------------------------------------------------------------- digests


def test_a_file_that_looks_the_same_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_validation, "_RACY_NS", -1)
    path = tmp_path / "a.h"
    path.write_bytes(b"one")
    first = Digests()
    assert first.of(str(path)) == digest_of(b"one")
    stamp, _ = first.learned[str(path)]
    assert Digests({str(path): (stamp, "remembered")}).of(str(path)) == "remembered"
    changed = tuple(value + 1 for value in stamp)
    for index in range(4):
        other = (*stamp[:index], changed[index], *stamp[index + 1 :])
        assert Digests({str(path): (other, "remembered")}).of(str(path)) == digest_of(b"one")  # type: ignore[dict-item]


def test_a_file_that_was_just_written_is_read_again_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "a.h"
    path.write_bytes(b"one")
    found = Digests()
    assert found.of(str(path)) == digest_of(b"one")
    assert found.learned == {}


@pytest.mark.parametrize("days", [-1, 1])
def test_a_file_whose_time_was_set_is_judged_by_both_of_its_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """Its change time cannot be set; one in the future is never old enough to identify the file."""
    path = tmp_path / "a.h"
    path.write_bytes(b"one")
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + days * 86_400_000_000_000))
    changed = path.stat().st_ctime_ns
    for now, learned in ((changed, False), (changed + cache_validation._RACY_NS + 1, days < 0)):
        monkeypatch.setattr(time, "time_ns", lambda now=now: now)
        found = Digests()
        assert found.of(str(path)) == digest_of(b"one")
        assert (str(path) in found.learned) is learned


def test_missing_file_has_no_digest(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("folder", "pipe", "link", "absent", "absent/below", "nul\0"):
        assert Digests().of(f"{tmp_path}/{name}") == ""
        assert Digests({f"{tmp_path}/{name}": ((0, 0, 0, 0), "x")}).of(f"{tmp_path}/{name}") == ""


def test_absence_is_detected_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.h").write_text("")
    (tmp_path / "src" / "link").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    for base in ("", f"{tmp_path}/", "src/../", "./"):
        found = Digests()
        assert not found.is_absent(f"{base}src/a.h")
        assert not found.is_absent(f"{base}src")
        assert not found.is_absent(f"{base}src/link")
        for name in ("src/b.h", "a.h", "lib/a.h", "lib/deep/a.h", "src/a.h/b.h"):
            assert found.is_absent(f"{base}{name}")
    assert not Digests().is_absent("..")
    assert Digests().is_absent("../no such name")
