"""Modules that a plain run may import: each one costs time in every run and every commit of every user."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, ROOT

from regpress_rules import rules

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = set(
    """
    clang concurrent.futures dataclasses difflib importlib.metadata inspect json multiprocessing pkgutil pygls
    hashlib statistics subprocess tomllib traceback xml
    """.split()
)


def imported(tmp_path: Path, *arguments: str) -> set[str]:
    """Modules that a run of the command line imports, according to the interpreter."""
    environment = {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}", "PATH": os.environ["PATH"]}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    # -S: what an editable install puts into .pth files is imported by site, not by us. tree_sitter needs its folder.
    site_packages = [path for path in sys.path if path.endswith("-packages")]
    environment["PYTHONPATH"] = os.pathsep.join((environment["PYTHONPATH"], *site_packages))
    result = subprocess.run(
        [sys.executable, "-S", "-X", "importtime", "-m", "regpress_lint", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def test_a_plain_run_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "one.hip").write_text(HIP)
    modules = imported(tmp_path, "check", "one.hip", "--no-cache")
    assert modules & HEAVY == set()
    # What a cache holds is JSON.
    assert imported(tmp_path, "check", "one.hip") & HEAVY == {"json"}
    assert not any(name.startswith("regpress_lint.compilation") for name in modules)


def test_loops_of_vectors_are_imported_for_gpus_that_have_them(tmp_path: Path) -> None:
    (tmp_path / "one.hip").write_text(
        "__global__ void sum(float* a, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; a[n] = s; }\n"
    )
    vectors = "regpress_lint.model.interpreter.vector_loops"
    assert vectors not in imported(tmp_path, "kernels", "one.hip", "--no-cache", "--arch", "sm_90,gfx1100")
    assert vectors in imported(tmp_path, "kernels", "one.hip", "--no-cache", "--arch", "gfx90a")


def test_an_unchanged_run_imports_no_typing_no_parser_and_no_rules(tmp_path: Path) -> None:
    """`typing` alone is a twentieth of it; nothing is parsed, and no rule is loaded."""
    (tmp_path / "one.hip").write_text(HIP)
    imported(tmp_path, "check", "one.hip")
    modules = imported(tmp_path, "check", "one.hip")
    assert "regpress_lint.lint.cache_validation" in modules
    late = {"typing", "tree_sitter", "regpress_lint.lint.analysis", "regpress_lint.lint.pipeline"}
    assert modules & late == set()
    assert not any(
        name.startswith(("regpress_lint.model", "regpress_lint.facts", "regpress_rules.l")) for name in modules
    )
    assert len([name for name in modules if name.startswith("regpress_")]) <= 60


def test_rules_are_loaded_for_kernels_that_they_are_for(tmp_path: Path) -> None:
    (tmp_path / "one.hip").write_text("__global__ void add(float* a) { a[threadIdx.x] += 1.0f; }\n")
    loaded = rules_loaded(tmp_path, "one.hip")
    assert "regpress_rules.launch.missing_launch_bounds" in loaded
    assert [name for name in loaded if name.startswith(("regpress_rules.loops.", "regpress_rules.math.pow"))] == []
    assert len(loaded) <= 28
    (tmp_path / "two.hip").write_text("__global__ void add(float* a) { a[0] = pow(a[1], 2.0); }\n")
    assert "regpress_rules.math.pow_small_exponent" in rules_loaded(tmp_path, "two.hip")
    (tmp_path / "none.hip").write_text("__device__ float twice(float x) { return x + x; }\n")
    assert {name for name in rules_loaded(tmp_path, "none.hip") if "._" not in name} == {
        "regpress_rules.parse_incomplete",
        "regpress_rules.retired",
    }


def rules_loaded(tmp_path: Path, name: str) -> set[str]:
    """Modules of rules that a process has loaded after one file."""
    code = (
        "import sys; from regpress_lint.__main__ import main; main(['check', '--isolated', sys.argv[1]]); "
        "print(*(name for name in sys.modules if name.startswith('regpress_rules.')), sep=chr(10))"
    )
    environment = {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}",
        "PATH": os.environ["PATH"],
        "REGPRESS_LINT_NO_CACHE": "1",
    }
    command = [sys.executable, "-c", code, name]
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    found = {line for line in result.stdout.splitlines() if line.startswith("regpress_rules.")}
    packages = {"launch", "math", "live", "arrays", "loops", "memory"}
    return {name for name in found if name.rpartition(".")[2] not in packages}


def test_a_file_without_kernels_does_not_load_the_execution(tmp_path: Path) -> None:
    (tmp_path / "none.hip").write_text("__device__ float twice(float x) { return x + x; }\n")
    modules = imported(tmp_path, "check", "none.hip", "--no-cache")
    assert "regpress_lint.cpp.names.project" in modules
    assert [name for name in modules if name.startswith("regpress_lint.model.interpreter")] == []


def test_a_file_without_gpu_code_does_not_load_the_parser(tmp_path: Path) -> None:
    (tmp_path / "one.cpp").write_text("int main() {}\n")
    modules = imported(tmp_path, "check", "one.cpp")
    assert "regpress_lint.cpp.language" in modules
    assert {"tree_sitter", "tree_sitter_cpp"} & modules == set()


def test_parser_is_loaded_without_its_query_module(tmp_path: Path) -> None:
    (tmp_path / "one.cu").write_text("__global__ void k(float* x) { x[threadIdx.x] = 1.0f; }\n")
    modules = imported(tmp_path, "check", "one.cu")
    assert "tree_sitter" in modules
    assert {"importlib.resources", "pathlib", "tempfile", "shutil"} & modules == set()


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_version_and_help_import_only_the_grammar_of_the_command_line(tmp_path: Path, argument: str) -> None:
    ours = {name for name in imported(tmp_path, argument) if name.startswith("regpress")}
    own = {"regpress_lint", "regpress_lint.cli", "regpress_lint.cli.parser"}
    assert ours <= own | {"regpress_lint.core", "regpress_lint.core.errors", "regpress_lint.core.bytecode"}


@pytest.mark.parametrize(("before", "left"), [("", []), ("sys.setprofile(lambda *event: None)", ["taken apart"])])
def test_end_of_a_run_calls_its_handlers_without_teardown(before: str, left: list[str], tmp_path: Path) -> None:
    """Unless a tool follows the program: a profiler, for one, has something to say when the interpreter ends."""
    (tmp_path / "one.hip").write_text("__device__ float twice(float x) { return x + x; }\n")
    code = (
        "import atexit, os, sys\n"
        "from regpress_lint.__main__ import command_line\n"
        "class Left:\n    def __del__(self, write=os.write): write(1, b'taken apart\\n')\n"
        f"left = Left()\natexit.register(print, 'called')\n{before}\nsys.exit(command_line())"
    )
    environment = {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}", "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", code, "check", "--isolated", "--no-cache", "one.hip", "gone.hip"]
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 2
    assert result.stdout.splitlines()[-1 - len(left) :] == ["called", *left]
    assert "gone.hip" in result.stderr


@pytest.mark.slow
def test_rules_are_found_in_a_zip_file(tmp_path: Path) -> None:
    archive = tmp_path / "rules.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (ROOT / "rules").glob("regpress_rules/**/*.*"):
            packed.write(path, path.relative_to(ROOT / "rules"))
    code = (
        "import regpress_rules as r; found = {rule.code: rule for rule in r.rules()}; "
        "print(r.__file__, found['RP201'].info().documentation.split(chr(10))[2].split()[0], *sorted(found))"
    )
    command = [sys.executable, "-c", code]
    environment = {"PYTHONPATH": f"{archive}{os.pathsep}{ROOT}", "PATH": os.environ["PATH"]}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    where, page, *codes = result.stdout.split()
    assert page == "##"
    assert where.startswith(str(archive))
    assert codes == sorted(rule.code for rule in rules())
