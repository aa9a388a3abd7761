"""Compiles, with mypyc, the modules in which a cold run spends its time.

    HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip wheel .

makes a wheel for this platform; without the variable hatchling does not load this file, and the wheel is pure Python.
Both are made of the same sources, and the `.py` files lie in both. It needs a C compiler; `MYPYC_OPT_LEVEL` (default 2)
is what the compiler is told: 0 builds faster.

What is compiled: what executes kernels, what decides over the values, and the syntax tree between. NamedTuples gain
nothing, so the modules that mostly hold some stay as they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from glob import glob
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "regpress_lint/ir/*.py",
    "regpress_lint/ir/build/*.py",
    "regpress_lint/passes/*.py",
    "regpress_lint/cpp/lower/*.py",
    "regpress_lint/cpp/syntax_tree/*.py",
    "regpress_lint/cpp/traversal.py",
    "regpress_lint/cpp/types.py",
    "regpress_lint/cpp/typing_rules.py",
)
PACKAGES = ("regpress_lint", "rules/regpress_rules")
AS_THEY_ARE = ("regpress_lint/ir/ops.py",)  # mypyc knows no class that is a str

_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

level, *files = sys.argv[1:]
del sys.argv[1:]
sys.argv += ["build_ext", "--inplace"]
setup(name="compiled", packages=[], ext_modules=mypycify(["--config-file=", *files], opt_level=level, debug_level="0"))
"""


def compiled_modules(root: str) -> tuple[str, ...]:
    """Paths of the modules that are compiled, relative to the repository's root, sorted."""
    found = {path for pattern in COMPILED for path in glob(pattern, root_dir=root)}
    return tuple(sorted(path for path in found - set(AS_THEY_ARE) if os.path.basename(path) != "__init__.py"))


class MypycHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the shared libraries of `compiled_modules` into the wheel and names the platform that they are for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles in a temporary copy, so that the working tree stays as it is. An editable install is left alone."""
        if version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="regpress-compiled-")
        for package in PACKAGES:  # mypyc follows imports into the rules, which stay as they are
            shutil.copytree(os.path.join(self.root, package), os.path.join(self._folder, os.path.basename(package)))
        script = os.path.join(self._folder, "setup.py")
        Path(script).write_text(_SETUP, encoding="utf-8")
        level = os.environ.get("MYPYC_OPT_LEVEL", "2")
        subprocess.run([sys.executable, script, level, *compiled_modules(self.root)], cwd=self._folder, check=True)
        libraries = [*Path(self._folder).glob("*.so"), *Path(self._folder).glob("*.pyd")]
        libraries += [path for end in ("so", "pyd") for path in Path(self._folder, "regpress_lint").rglob(f"*.{end}")]
        for library in libraries:
            build_data["force_include"][str(library)] = str(library.relative_to(self._folder))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary copy."""
        if version != "editable":
            shutil.rmtree(self._folder, ignore_errors=True)
