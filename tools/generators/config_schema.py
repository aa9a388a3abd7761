"""Write `schemas/config.v1.schema.json` and `docs/configuration.md` from the options.

`python -m tools.generators.config_schema` writes them.

`--check` writes nothing and exits 1 if one of them is not what it would write.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.config.load import EXTEND, REQUIRED_VERSION
from regpress_lint.config.options import OPTIONS, PROFILES, SEMANTIC, SEVERITIES
from regpress_lint.core.named import by_name
from regpress_lint.core.settings import Settings
from regpress_lint.render import NAMES
from tools.generators import checks_only

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
TEXT = Path(__file__).with_suffix(".md")
SCHEMA_URL = "https://regpress-lint.readthedocs.io/schemas/config.v1.schema.json"
_WORDS = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_FRACTION = {"type": "number", "minimum": 0, "maximum": 1}


class Key(NamedTuple):
    """The effect of a key, its values as a JSON schema, and an example as TOML."""

    about: str
    shape: Mapping[str, Any]
    example: str


KEYS: Mapping[str, Key] = {
    EXTEND: Key(
        "Another configuration file, relative to this one. Its keys hold unless this file sets them; `exclude` and "
        "`extend-select` add to it, and tables are merged.",
        {"type": "string"},
        'extend = "../regpress.toml"',
    ),
    REQUIRED_VERSION: Key(
        "The versions of regpress-lint that this file is for, with commas between clauses. Any other refuses to run.",
        {"type": "string"},
        'required-version = ">=0.1,<1"',
    ),
    "arch": Key(
        "GPUs that findings and estimates are for. Default: by language, gfx90a for HIP, sm_90 for CUDA, pvc for SYCL, "
        "pvc and gfx90a for OpenCL C.",
        _WORDS,
        'arch = ["gfx90a", "sm_90"]',
    ),
    "select": Key("Only these rules: codes, prefixes or names. Default: all.", _WORDS, 'select = ["RP2", "RP403"]'),
    "extend-select": Key(
        "These rules as well. A rule that is named by its code or name shows everything it sees, hints included.",
        _WORDS,
        'extend-select = ["RP601"]',
    ),
    "ignore": Key(
        "Not these rules. Where `select` and `ignore` disagree, the longer selector wins: `RP201` over `RP2`.",
        _WORDS,
        'ignore = ["RP105"]',
    ),
    "severity": Key(
        "One severity for all findings of a rule. The longest selector that fits counts.",
        {"type": "object", "additionalProperties": {"enum": list(SEVERITIES)}},
        'severity = { RP403 = "error", RP2 = "info" }',
    ),
    "budgets": Key(
        "What kernels may take, by a pattern of their names: registers per thread, waves per SIMD, bytes of scratch "
        "and LDS; on the architectures at the end of the text, or on all. RP107 reports where that is exceeded.",
        {"type": "object", "additionalProperties": _WORDS},
        'budgets = { "step*" = "vgpr<=96 waves>=4 gfx90a" }',
    ),
    "profile": Key("`strict` also shows hints.", {"enum": list(PROFILES)}, 'profile = "strict"'),
    "min-severity": Key("The lowest severity that is shown.", {"enum": list(SEVERITIES)}, 'min-severity = "warning"'),
    "fail-on": Key(
        "The lowest severity that makes the exit status 1.", {"enum": list(SEVERITIES)}, 'fail-on = "error"'
    ),
    "exclude": Key(
        "Files and folders to leave out. A pattern without a slash fits any folder or file of that name; one "
        "with a slash starts at the folder of this file. `**` fits any number of folders.",
        _WORDS,
        'exclude = ["third_party", "gen/*.cu"]',
    ),
    "per-file-ignores": Key(
        "Rules that are off for files that match a pattern.",
        {"type": "object", "additionalProperties": _WORDS},
        'per-file-ignores = { "tests/**" = ["RP2"] }',
    ),
    "baseline": Key(
        "The file of known findings. Default: the nearest `regpress-baseline.toml` in the folders above a file.",
        {"type": "string"},
        'baseline = "lint/known.toml"',
    ),
    "include-dirs": Key(
        "Where headers are found. One outside of the project is read if the command line names it (`-I`). The project "
        "is the git work tree, or, without one, each folder that is named.",
        _WORDS,
        'include-dirs = ["include"]',
    ),
    "kernel-macros": Key(
        "Macros that mark device code, and their replacements: read as if a header had them, if none visible does.",
        {"type": "object", "additionalProperties": {"type": "string"}},
        'kernel-macros = { MY_LAMBDA = "[=] __device__", "MY_KERNEL(name)" = "__global__ void name" }',
    ),
    "launch-functions": Key(
        "Functions that run a lambda or functor with a device word (`__device__`, KOKKOS_LAMBDA, one of "
        "`kernel-macros`) as a kernel, and the threads of a block that it is compiled for, 0 for no launch bounds. "
        "Those of AMReX, CUB, hemi, Kokkos, RAJA and Thrust are known.",
        {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 1024}},
        'launch-functions = { par_for = 256, "mesh::for_each_cell" = 0 }',
    ),
    "defines": Key(
        "Macros that only the build defines, as `-D` does: over those of build files and compile commands. `true` is "
        "1, and `false` says that a macro is not defined, whatever the build says. Or an array of `NAME=VALUE`.",
        {
            "oneOf": [
                {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
        'defines = { MAX_LEN = 1024, DIM_3D = true, REAL = "float" }',
    ),
    "block-size": Key(
        "The number of threads in a block that is assumed where neither a launch nor launch bounds say it.",
        {"type": "integer", "minimum": 1, "maximum": 1024},
        "block-size = 128",
    ),
    "low-occupancy": Key(
        "RP105 reports kernels whose occupancy is at or below this share of the maximum.",
        _FRACTION,
        "low-occupancy = 0.5",
    ),
    "block-size-gain": Key(
        "RP106 names another block size if it gains at least this share of waves.", _FRACTION, "block-size-gain = 0.5"
    ),
    "max-file-bytes": Key(
        "Larger files are skipped, with a warning; naming one fails.",
        {"type": "integer", "minimum": 1, "maximum": 1 << 30},
        "max-file-bytes = 1000000",
    ),
    "semantic": Key(
        "Whether libclang answers questions that the source leaves open. `auto`: if there are compile commands.",
        {"enum": list(SEMANTIC)},
        'semantic = "off"',
    ),
    "build-dir": Key(
        "The folder of `compile_commands.json`. Default: one beside this file.",
        {"type": "string"},
        'build-dir = "build"',
    ),
    "semantic-seconds": Key(
        "How many seconds libclang may take for one file.",
        {"type": "number", "exclusiveMinimum": 0, "maximum": 3600},
        "semantic-seconds = 30",
    ),
    "output-format": Key("The format of standard output.", {"type": "string"}, 'output-format = "concise"'),
    "jobs": Key(
        "How many processes a run uses. Default: one for each core.",
        {"type": "integer", "minimum": 1, "maximum": 1024},
        "jobs = 4",
    ),
    "cache-dir": Key(
        "Where the cache is, outside of the repository of this file. Default: the user's folder for caches.",
        {"type": "string"},
        'cache-dir = "~/.cache/team/regpress-lint"',
    ),
    "compilers": Key(
        "Compilers for `measure` and `verify`, by path, or by name on PATH. They are programs that are run, so a "
        "project's file is only followed with `--trust-project-compilers`; the user's own, "
        "`~/.config/regpress-lint/config.toml` (`$XDG_CONFIG_HOME`), may have this key alone, and always counts.",
        _WORDS,
        'compilers = ["/opt/rocm/bin/hipcc", "/usr/local/cuda/bin/nvcc"]',
    ),
}


def document() -> dict[str, Any]:
    """The JSON schema of `regpress.toml` and of `[tool.regpress-lint]`."""
    shapes = {name: {"description": key.about, **key.shape} for name, key in KEYS.items()}
    shapes["output-format"] |= {"enum": list(NAMES)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_URL,
        "title": "regpress-lint configuration",
        "description": "`regpress.toml`, or `[tool.regpress-lint]` in `pyproject.toml`.",
        "type": "object",
        "additionalProperties": False,
        "properties": shapes,
    }


def page() -> Iterator[str]:
    """The keys as Markdown, a line each."""
    fields = {option.key: option.field for option in OPTIONS}
    defaults = by_name(Settings())
    for name, key in KEYS.items():
        default = defaults.get(fields.get(name, ""))
        usual = f" Default: {default}." if isinstance(default, (int, float)) and "Default:" not in key.about else ""
        shown = getattr(default, "label", None)
        usual = f" Default: `{shown}`." if shown else usual
        yield from (f"### `{name}`", "", f"{key.about}{usual}", "", "```toml", key.example, "```", "")


def texts() -> dict[Path, str]:
    """The files with their content."""
    schema = json.dumps(document(), indent=2) + "\n"
    pages = TEXT.read_text() + "\n".join(page())
    return {ROOT / "schemas" / "config.v1.schema.json": schema, ROOT / "docs" / "configuration.md": pages}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 1 if `--check` finds a difference."""
    check = checks_only(__doc__, arguments)
    stale = [path for path, text in texts().items() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(texts()[path])
    return int(bool(stale) and check)


if __name__ == "__main__":
    sys.exit(main())
