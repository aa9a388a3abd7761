"""What differs on Windows and macOS, by simulation: no fork, names without case, folders for the cache."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cli_helpers import HIP, ROOT

from regpress_lint.lint import cache, git, runner

PACKAGES = (ROOT / "regpress_lint", ROOT / "rules" / "regpress_rules")
# Names of modules and functions that Windows or macOS lack, and the files that ask first whether they are there.
ABSENT = {"fcntl", "grp", "pwd", "resource", "termios"}
UNIX = ("/dev/", "/tmp", "/proc/")  # how names of files begin that Windows lacks
LINUX_ONLY = {"/proc/self/statm"}  # read where it is there
GUARDED = {"regpress_lint/semantics/confine.py"}


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.slow
def test_a_run_works_where_processes_are_spawned(tmp_path: Path) -> None:
    """As on Windows and macOS: workers start from nothing, and find their task by its name."""
    for number in range(6):
        (tmp_path / f"k{number}.hip").write_text(HIP)
    program = (
        "import sys\n"
        "from regpress_lint.lint import runner\n"
        "runner._FORKS = False\n"
        "from regpress_lint.__main__ import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(['check', '--isolated', '--no-cache', '-j', '2', '--statistics', '.']))\n"
    )
    script = tmp_path / "run.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    assert done.stdout == "6  RP201  pow-small-exponent\n"
    assert hasattr(runner, "_FORKS")


def test_no_two_files_differ_only_in_case() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not in a work tree of git")
    names = Counter(name.lower() for name in done.stdout.split("\0") if name)
    assert [name for name, count in names.items() if count > 1] == []


def test_no_file_has_a_name_that_windows_refuses() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not in a work tree of git")
    devices = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
    for name in filter(None, done.stdout.split("\0")):
        assert not set(name) & set('<>:"|?*\\'), name
        for part in name.split("/"):
            assert part.partition(".")[0].lower() not in devices, name
            assert part == part.rstrip(". "), name


def test_modules_of_unix_are_imported_only_where_their_absence_is_expected() -> None:
    found = set()
    for path in sources():
        if not any(name in path.read_text(encoding="utf-8") for name in ABSENT):
            continue
        for node in nodes(path):
            named = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if ABSENT & set(named):
                found.add(path.relative_to(ROOT).as_posix())
    assert found <= GUARDED


def test_no_path_of_unix_is_opened() -> None:
    """git's own options name /dev/null, which Git for Windows knows; Python opens os.devnull."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if path.name == "git.py" or not any(name in text for name in UNIX):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in LINUX_ONLY:
                assert not node.value.startswith(UNIX), f"{path}:{node.lineno}"
    assert any("/dev/null" in word for word in git._SAFE)


@pytest.mark.parametrize(
    ("platform", "variable", "expected"), [("win32", "LOCALAPPDATA", "local"), ("darwin", "HOME", "Library")]
)
def test_the_cache_is_where_the_system_keeps_caches(
    platform: str, variable: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path / "local"))
    assert expected in Path(cache.default_folder()).parts or expected in cache.default_folder()


# Names that Python has on Linux and not on Windows; the modules imported first need some of them here.
_WITHOUT = """
import multiprocessing.context, os, shutil, signal, subprocess, sys, tempfile, threading
absent = {
    os: "fork forkpty pread pwrite killpg getpgid getuid geteuid getgid chown lchown fchmod sysconf sched_getaffinity "
    "mkfifo setsid nice uname O_CLOEXEC O_NOFOLLOW O_DIRECTORY O_PATH O_NONBLOCK register_at_fork wait4 getloadavg",
    signal: "SIGKILL SIGHUP SIGPIPE SIGALRM SIGWINCH alarm setitimer",
}
for module, names in absent.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
from regpress_lint.__main__ import main
for command in sys.argv[1:]:
    print("$", command, main([*command.split(), "k.hip"]), flush=True)
"""
_COMMANDS = {
    "check -j 1": 1,
    "check --diff --unsafe-fixes": 1,
    "check --fix --unsafe-fixes": 0,
    "kernels": 0,
    "report -o report.html": 0,
    "baseline write": 0,
}


@pytest.mark.slow
def test_commands_work_without_the_functions_that_windows_lacks(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(HIP)
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, *_COMMANDS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr
    ended = [line for line in done.stdout.splitlines() if line.startswith("$ ")]
    assert ended == [f"$ {command} {status}" for command, status in _COMMANDS.items()]
    assert (tmp_path / "k.hip").read_text() != HIP
    assert (tmp_path / "report.html").is_file()


# `ntpath.relpath` and `commonpath` refuse paths on different drives.
_DRIVES = """
import os, sys
plain = os.path.relpath, os.path.commonpath
here, there = os.getcwd(), sys.argv[1]

def drives(paths):
    return {os.path.abspath(path).startswith(there) for path in paths}

def relpath(path, start=os.curdir):
    if len(drives((path, start))) > 1:
        raise ValueError(f"path is on mount 'D:', start on mount 'C:'")
    return plain[0](path, start)

def commonpath(paths):
    if len(drives(paths := list(paths))) > 1:
        raise ValueError("Paths don't have the same drive")
    return plain[1](paths)

os.path.relpath, os.path.commonpath = relpath, commonpath
from regpress_lint.__main__ import main
for command in sys.argv[2:]:
    print("$", main(command.split()), flush=True)
"""


@pytest.mark.slow
def test_paths_on_another_drive_are_shown_whole(tmp_path: Path) -> None:
    here, there = tmp_path / "c", tmp_path / "d"
    for folder in (here, there / "src", there / "include"):
        folder.mkdir(parents=True)
    (here / "own.hip").write_text('#include "square.h"\n' + HIP)
    (there / "src" / "k.hip").write_text(HIP)
    (there / "include" / "square.h").write_text("__device__ inline double square(double x) { return pow(x, 2.0); }\n")
    far = str(there / "src" / "k.hip")
    commands = {
        f"check {far} own.hip": 1,
        f"check -I {there / 'include'} own.hip": 1,
        f"check --output-format sarif {far}": 1,
        f"kernels {far}": 0,
        f"report -o report.html {far} own.hip": 0,
        f"baseline write {far} own.hip": 0,
    }
    done = subprocess.run(
        [sys.executable, "-c", _DRIVES, str(there), *commands], cwd=here, capture_output=True, text=True, check=False
    )
    assert "ValueError" not in done.stdout + done.stderr
    ended = [int(line[2:]) for line in done.stdout.splitlines() if line.startswith("$ ")]
    assert ended == [*commands.values()], done.stdout + done.stderr
    assert far in done.stdout
